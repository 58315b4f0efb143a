//! An environment that shows what it was told, in every kind of space that arrays can have. A tool to test interfaces and this very
//! crate: what goes in comes out, element by element, and nothing loses precision on the way.

use serde::{Deserialize, Serialize};

use envpool_rs_engine::{Action, Dtype, Env, EnvSpec, InfoSpec, Options, ResetOptions, Result, Row, Scheduling, Space, Task};
use envpool_rs_numeric::random::Generator;

/// How many values each choice has.
const CHOICES: [i64; 2] = [2, 5];

/// Characters of an observation's text.
const LETTERS: usize = 8;

/// The environment. Observation and action: `flags`, `MultiBinary(3)`; `choices`, `MultiDiscrete([2, 5])`; `force`, float64 `(2,)`. The
/// observation repeats the last action, or shows zeros after a reset; it has a `said`, too, `Text(8)`: a letter for each flag that is set. Reward: the first force. Info `force`: both. Terminates where all
/// flags are set. In EnvPool's dialect forces and rewards are float64, too.
#[derive(Debug)]
pub struct Echo;

/// The last action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Heard {
    flags: [i32; 3],
    choices: [i32; 2],
    force: [f64; 2],
}

/// The tasks built on it.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Echo>("test/Echo-v0")]
}

fn space(choices: Space) -> Space {
    let force = Space::uniform(-1e300, 1e300, &[2], Dtype::F64);
    Space::Dict(vec![("flags".into(), Space::multi_binary(3)), ("choices".into(), choices), ("force".into(), force)])
}

fn with_text(space: Space, text: Space) -> Space {
    let Space::Dict(mut parts) = space else { unreachable!("a space of named parts") };
    parts.push(("said".into(), text));
    Space::Dict(parts)
}

impl Env for Echo {
    type State = Heard;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        let own = space(Space::multi_discrete(&CHOICES));
        let narrow = space(Space::MultiDiscrete { counts: CHOICES.to_vec(), shape: vec![2], dtype: Dtype::I32 });
        EnvSpec {
            envpool_observation: Some(with_text(narrow.clone(), Space::uniform(0.0, 255.0, &[LETTERS], Dtype::U8))),
            envpool_action: Some(narrow),
            envpool_reward: Dtype::F64,
            info: vec![InfoSpec::new("force", Dtype::F64, &[2]).in_envpool_as(Dtype::F64)],
            ..EnvSpec::new(with_text(own.clone(), Space::text(LETTERS, "abc")), own)
        }
    }

    fn create(&self, _lane: usize) -> Result<Heard> {
        Ok(Heard::default())
    }

    fn reset(&self, state: &mut Heard, _options: &ResetOptions, _rng: &mut Generator) {
        *state = Heard::default();
    }

    fn step(&self, state: &mut Heard, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        state.flags.copy_from_slice(action.discretes(0, 3));
        state.choices.copy_from_slice(action.discretes(1, 2));
        state.force.copy_from_slice(action.doubles(2, 2));
        rewards[0] = state.force[0];
        state.flags == [1; 3]
    }

    fn observe(&self, state: &Heard, out: &mut Row<'_>) {
        out.write(0, &state.flags);
        out.write(1, &state.choices);
        out.write(2, &state.force);
        let said: String =
            state.flags.iter().zip("abc".chars()).filter(|(flag, _)| **flag == 1).map(|(_, letter)| letter).collect();
        out.text(3, &said);
    }

    fn info(&self, state: &Heard, out: &mut Row<'_>) {
        out.write(0, &state.force);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use envpool_rs_engine::{ActionColumn, Dialect, Format, Layout, Outputs, PoolConfig};

    #[test]
    fn what_it_is_told_is_what_it_heard() {
        let columns = [ActionColumn::I32(vec![1, 0, 1]), ActionColumn::I32(vec![1, 4]), ActionColumn::F64(vec![1e-300, 0.1])];
        let (mut state, mut rewards) = (Heard::default(), [0.0]);
        assert!(!Echo.step(&mut state, &Action::new(&columns, 0), &mut rewards, &mut Generator::new(0)));
        assert_eq!(state, Heard { flags: [1, 0, 1], choices: [1, 4], force: [1e-300, 0.1] });
        assert_eq!(rewards, [1e-300]);
    }

    #[test]
    fn both_dialects_keep_double_precision_where_the_environment_says_so() {
        let dtypes = |dialect| {
            let outputs = Outputs { dialect, format: Format::Gymnasium };
            let layout = Layout::new(&Echo.spec(), outputs, &PoolConfig::new(1).unwrap());
            layout.columns.iter().take(5).map(|column| column.dtype).collect::<Vec<_>>()
        };
        assert_eq!(dtypes(Dialect::Gymnasium), [Dtype::I8, Dtype::I64, Dtype::F64, Dtype::U8, Dtype::F64]);
        assert_eq!(dtypes(Dialect::EnvPool), [Dtype::I8, Dtype::I32, Dtype::F64, Dtype::U8, Dtype::F64]);
    }
}

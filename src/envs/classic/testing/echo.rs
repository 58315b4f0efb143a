//! Environment whose observation repeats its last action, in every kind of array space.
//!
//! Tests use it to check that interfaces pass each element of actions and observations without loss of precision.

use serde::{Deserialize, Serialize};

use envpool_rs_engine::{Action, Dtype, Env, EnvSpec, InfoSpec, Options, ResetOptions, Result, Row, Scheduling, Space, Task};
use envpool_rs_numeric::random::Generator;

/// Number of values of each element of the array `choices`, as in gymnasium's `MultiDiscrete`.
const NVEC: [i64; 2] = [2, 5];

/// Length of the text observation, in characters.
const TEXT_LENGTH: usize = 8;

/// Environment that echoes its action as its observation.
///
/// - Observation and action: `flags`, `MultiBinary(3)`; `choices`, `MultiDiscrete([2, 5])`; `force`, float64 `(2,)`. The
///   observation is the last action, or zeros after a reset.
/// - The observation also has `said`, `Text(8)`: one letter for each flag that is set.
/// - Reward: the first element of `force`.
/// - Info `force`: both elements.
/// - Terminates when all flags are set.
///
/// Forces and rewards are float64 in EnvPool's dialect, too (which otherwise uses float32).
#[derive(Debug)]
pub struct Echo;

/// State of one echo environment: its last action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct EchoState {
    flags: [i32; 3],
    choices: [i32; 2],
    force: [f64; 2],
}

/// Returns the task of the echo environment.
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
    type State = EchoState;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        let own = space(Space::multi_discrete(&NVEC));
        let narrow = space(Space::MultiDiscrete { counts: NVEC.to_vec(), shape: vec![2], dtype: Dtype::I32 });
        EnvSpec {
            envpool_observation: Some(with_text(narrow.clone(), Space::uniform(0.0, 255.0, &[TEXT_LENGTH], Dtype::U8))),
            envpool_action: Some(narrow),
            envpool_reward: Dtype::F64,
            info: vec![InfoSpec::new("force", Dtype::F64, &[2]).with_envpool_dtype(Dtype::F64)],
            ..EnvSpec::new(with_text(own.clone(), Space::text(TEXT_LENGTH, "abc")), own)
        }
    }

    fn create(&self, _lane: usize) -> Result<EchoState> {
        Ok(EchoState::default())
    }

    fn reset(&self, state: &mut EchoState, _options: &ResetOptions, _rng: &mut Generator) {
        *state = EchoState::default();
    }

    fn step(&self, state: &mut EchoState, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        state.flags.copy_from_slice(action.discretes(0, 3));
        state.choices.copy_from_slice(action.discretes(1, 2));
        state.force.copy_from_slice(action.doubles(2, 2));
        rewards[0] = state.force[0];
        state.flags == [1; 3]
    }

    fn observe(&self, state: &EchoState, out: &mut Row<'_>) {
        out.write(0, &state.flags);
        out.write(1, &state.choices);
        out.write(2, &state.force);
        let said: String =
            state.flags.iter().zip("abc".chars()).filter(|(flag, _)| **flag == 1).map(|(_, letter)| letter).collect();
        out.text(3, &said);
    }

    fn info(&self, state: &EchoState, out: &mut Row<'_>) {
        out.write(0, &state.force);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use envpool_rs_engine::{ActionColumn, Dialect, Format, Layout, Outputs, PoolConfig};

    #[test]
    fn echo_returns_its_action() {
        let columns = [ActionColumn::I32(vec![1, 0, 1]), ActionColumn::I32(vec![1, 4]), ActionColumn::F64(vec![1e-300, 0.1])];
        let (mut state, mut rewards) = (EchoState::default(), [0.0]);
        assert!(!Echo.step(&mut state, &Action::new(&columns, 0), &mut rewards, &mut Generator::new(0)));
        assert_eq!(state, EchoState { flags: [1, 0, 1], choices: [1, 4], force: [1e-300, 0.1] });
        assert_eq!(rewards, [1e-300]);
    }

    #[test]
    fn both_dialects_keep_the_double_precision_of_the_environment() {
        let dtypes = |dialect| {
            let outputs = Outputs { dialect, format: Format::Gymnasium };
            let layout = Layout::new(&Echo.spec(), outputs, &PoolConfig::new(1).unwrap());
            layout.columns.iter().take(5).map(|column| column.dtype).collect::<Vec<_>>()
        };
        assert_eq!(dtypes(Dialect::Gymnasium), [Dtype::I8, Dtype::I64, Dtype::F64, Dtype::U8, Dtype::F64]);
        assert_eq!(dtypes(Dialect::EnvPool), [Dtype::I8, Dtype::I32, Dtype::F64, Dtype::U8, Dtype::F64]);
    }
}

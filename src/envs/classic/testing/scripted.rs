//! Environment whose actions make it sleep, terminate or panic.
//!
//! Tests use it to check trainers, wrappers and pools against slow and failing environments.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use envpool_rs_engine::{Action, Dtype, Env, EnvSpec, Options, ResetOptions, Result, Row, Space, Task};
use envpool_rs_numeric::random::Generator;

/// Longest sleep that an action can request, in milliseconds. Actions with higher numbers have special effects.
const MAX_SLEEP_MS: i32 = 1000;
const PANIC_IN_STEP: i32 = 1001;
const TERMINATE: i32 = 1002;
const PANIC_IN_OBSERVE: i32 = 1003;
const PANIC_IN_RESET: i32 = 1004;
/// Number of actions in the action space.
const ACTIONS: i64 = 1005;

/// Environment whose action selects a delay, a termination or a panic.
///
/// Observation `(2,)` float32: steps since the reset, and the last action (-1 after a reset). Reward: 1 for each step.
///
/// | action | effect |
/// |---|---|
/// | 0 to 1000 | sleeps that number of milliseconds |
/// | 1001 | panics |
/// | 1002 | terminates the episode |
/// | 1003 | panics when the result of this step is observed |
/// | 1004 | panics at the next reset only |
///
/// Worker threads step one environment at a time, because the duration of a step varies by design.
#[derive(Debug)]
pub struct Scripted;

/// State of an episode: the number of steps, the last action, and whether the next reset panics.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ScriptedState {
    steps: u32,
    action: i32,
    panics_at_reset: bool,
}

/// Returns the task of the scripted environment.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Scripted>("test/Scripted-v0")]
}

impl Env for Scripted {
    type State = ScriptedState;
    type Random = Generator;

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        let observation = Space::uniform(-1.0, f64::INFINITY, &[2], Dtype::F32);
        EnvSpec::new(observation, Space::discrete(ACTIONS))
    }

    fn create(&self, _lane: usize) -> Result<ScriptedState> {
        Ok(ScriptedState { steps: 0, action: -1, panics_at_reset: false })
    }

    fn reset(&self, state: &mut ScriptedState, _options: &ResetOptions, _rng: &mut Generator) {
        assert!(!state.panics_at_reset, "scripted panic at this reset");
        *state = ScriptedState { steps: 0, action: -1, panics_at_reset: false };
    }

    fn step(&self, state: &mut ScriptedState, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        state.action = action.discrete();
        state.steps = state.steps.saturating_add(1);
        rewards[0] = 1.0;
        match state.action {
            1..=MAX_SLEEP_MS => std::thread::sleep(Duration::from_millis(state.action as u64)),
            PANIC_IN_STEP => panic!("scripted panic in step {}", state.steps),
            PANIC_IN_RESET => state.panics_at_reset = true,
            _ => {}
        }
        state.action == TERMINATE
    }

    fn observe(&self, state: &ScriptedState, out: &mut Row<'_>) {
        assert!(state.action != PANIC_IN_OBSERVE, "scripted panic when observed after step {}", state.steps);
        out.write(0, &[state.steps as f32, state.action as f32]);
    }

    fn is_valid(&self, state: &ScriptedState) -> bool {
        (-1..ACTIONS as i32).contains(&state.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use envpool_rs_engine::{ActionColumn, RowBuffer};
    use envpool_rs_numeric::random::RandomStream;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Instant;

    fn step(state: &mut ScriptedState, action: i32) -> bool {
        let columns = [ActionColumn::I32(vec![action])];
        Scripted.step(state, &Action::new(&columns, 0), &mut [0.0], &mut Generator::from_seed(0))
    }

    fn panics(act: impl FnOnce()) -> bool {
        catch_unwind(AssertUnwindSafe(act)).is_err()
    }

    #[test]
    fn actions_up_to_a_thousand_sleep_and_continue() {
        let (mut state, start) = (Scripted.create(0).unwrap(), Instant::now());
        assert!(!step(&mut state, 0) && !step(&mut state, 20));
        assert!(start.elapsed() >= Duration::from_millis(20));
        assert_eq!((state.steps, state.action), (2, 20));
    }

    #[test]
    fn the_special_actions_end_or_fail_the_episode() {
        let (mut state, mut rng) = (Scripted.create(0).unwrap(), Generator::from_seed(0));
        assert!(step(&mut state, TERMINATE));
        assert!(panics(|| _ = step(&mut state, PANIC_IN_STEP)));
        assert!(!step(&mut state, PANIC_IN_OBSERVE));
        assert!(panics(|| {
            RowBuffer::new(Dtype::F32, &[2]).bits(|row| Scripted.observe(&state, row));
        }));
        assert!(!step(&mut state, PANIC_IN_RESET));
        assert!(panics(|| Scripted.reset(&mut state, &ResetOptions::default(), &mut rng)));
    }
}

//! Cliff walking: along the bottom of a grid of 4 rows and 12 columns, without stepping off the edge.
//!
//! Follows gymnasium 1.4.0 (`CliffWalking-v1`, `CliffWalkingSlippery-v1`); `CliffWalking-v0` is the same environment under the
//! name it had up to gymnasium 1.1.1, whose rules and draws are those of v1. After Example 6.6 of Sutton and Barto,
//! "Reinforcement Learning: An Introduction".

use super::pictures::cliff_walking as cliff;
use super::transitions::{Landing, Landings, Outcome, Transitions, prob_info};
use envpool_rs_engine::{
    Action, Env, EnvSpec, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Scheduling, Space, Task,
};
use envpool_rs_numeric::random::Generator;

const ROWS: u32 = 4;
const COLUMNS: u32 = 12;
const STATES: u32 = ROWS * COLUMNS;
const START: u32 = (ROWS - 1) * COLUMNS;
const GOAL: u32 = STATES - 1;
const ACTIONS: usize = 4;

/// Rewards of a step and of a fall, by their index in [`Landing`].
const REWARDS: [f64; 2] = [-1.0, -100.0];
const STEP: u8 = 0;
const FALL: u8 = 1;

/// The environment: observation int64 `()`, the cell `row * 12 + column`; action `Discrete(4)`: up, right, down, left; reward
/// -1 per step, -100 for a fall, which leads back to the start; info `prob` float64 `()`.
#[derive(Debug)]
pub struct CliffWalking {
    transitions: Transitions,
}

/// The tasks built on it, none with a time limit.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::env::<CliffWalking>("CliffWalking-v0"),
        Task::env::<CliffWalking>("CliffWalking-v1"),
        Task::env::<CliffWalking>("CliffWalkingSlippery-v1").preset("is_slippery", true),
    ]
}

/// The cell one step on; the border stops the step.
fn neighbour(cell: u32, heading: usize) -> u32 {
    let (row, column) = (cell / COLUMNS, cell % COLUMNS);
    let (row, column) = match heading {
        0 => (row.saturating_sub(1), column),
        1 => (row, (column + 1).min(COLUMNS - 1)),
        2 => ((row + 1).min(ROWS - 1), column),
        _ => (row, column.saturating_sub(1)),
    };
    row * COLUMNS + column
}

fn landing(cell: u32, heading: usize) -> Landing {
    match neighbour(cell, heading) {
        cell if cell > START && cell < GOAL => Landing { state: START, reward: FALL, terminated: false },
        cell => Landing { state: cell, reward: STEP, terminated: cell == GOAL },
    }
}

/// On slippery ground the step goes to either side of the heading as often as along it.
fn slippery_landings(cell: u32, heading: usize) -> Landings {
    Landings::Chance([heading + 3, heading, heading + 1].map(|heading| landing(cell, heading % ACTIONS)))
}

impl Env for CliffWalking {
    type State = Outcome;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("is_slippery", false, "whether a step goes sideways in two cases of three").each_episode()]
    }

    fn new(options: &Options) -> Result<Self> {
        let size = (STATES as usize, ACTIONS);
        let transitions = if options.bool("is_slippery") {
            Transitions::new(size, Some([1.0 / 3.0; 3]), &REWARDS, [START], slippery_landings)
        } else {
            Transitions::new(size, None, &REWARDS, [START], |cell, heading| Landings::Certain(landing(cell, heading)))
        };
        Ok(Self { transitions })
    }

    fn shared_bytes(&self) -> usize {
        self.transitions.bytes()
    }

    fn spec(&self) -> EnvSpec {
        let mut spec = EnvSpec::new(Space::discrete(i64::from(STATES)), Space::discrete(ACTIONS as i64));
        spec.info = vec![prob_info(true)];
        spec
    }

    fn create(&self, _lane: usize) -> Result<Outcome> {
        Ok(Outcome::default())
    }

    #[inline]
    fn reset(&self, state: &mut Outcome, _options: &ResetOptions, rng: &mut Generator) {
        *state = self.transitions.start(rng);
    }

    #[inline]
    fn step(&self, state: &mut Outcome, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let terminated;
        (*state, rewards[0], terminated) = self.transitions.step(state.state, action.discrete(), rng);
        terminated
    }

    #[inline]
    fn observe(&self, state: &Outcome, out: &mut Row<'_>) {
        out.scalar(0, i64::from(state.state));
    }

    #[inline]
    fn info(&self, state: &Outcome, out: &mut Row<'_>) {
        out.scalar(0, self.transitions.probability(*state));
    }

    fn is_valid(&self, state: &Outcome) -> bool {
        self.transitions.is_valid(*state)
    }

    fn rendering(&self) -> Rendering {
        cliff::RENDERING
    }

    fn paint(&self, state: &Outcome) -> Picture {
        cliff::picture(state.state)
    }

    fn text(&self, state: &Outcome) -> String {
        let letter = |cell: u32| match cell {
            cell if cell == state.state => "x",
            GOAL => "T",
            cell if cell > START && cell < GOAL => "C",
            _ => "o",
        };
        let row = |row: u32| (0..COLUMNS).map(|column| letter(row * COLUMNS + column)).collect::<Vec<_>>().join("  ");
        (0..ROWS).map(|number| row(number) + "\n").collect::<String>() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_text::replay::replays_like_the_reference;

    #[test]
    fn cliff_walking_plays_as_in_gymnasium() {
        replays_like_the_reference::<CliffWalking>("CliffWalking-v1");
        replays_like_the_reference::<CliffWalking>("CliffWalkingSlippery-v1");
    }

    #[test]
    fn cliff_walking_v0_plays_as_in_gymnasium_1_1() {
        replays_like_the_reference::<CliffWalking>("CliffWalking-v0");
    }
}

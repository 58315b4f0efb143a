//! CliffWalking: walk along a cliff's edge in a grid of 4 rows and 12 columns.
//!
//! Follows gymnasium 1.4.0 (`CliffWalking-v1`, `CliffWalkingSlippery-v1`). `CliffWalking-v0` is the name of this environment up
//! to gymnasium 1.1.1, with the rules and random draws of v1. After Example 6.6 of Sutton and Barto, "Reinforcement Learning:
//! An Introduction".

use super::pictures::cliff_walking as cliff;
use super::transitions::{Outcome, Transition, TransitionSet, TransitionTable, prob_info};
use envpool_rs_engine::{
    Action, Env, EnvPoolClass, EnvSpec, Frame, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space,
    Task,
};
use envpool_rs_numeric::random::Generator;

const ROWS: u32 = 4;
const COLUMNS: u32 = 12;
const STATES: u32 = ROWS * COLUMNS;
const START: u32 = (ROWS - 1) * COLUMNS;
const GOAL: u32 = STATES - 1;
const ACTIONS: usize = 4;

/// Rewards of a step and of a fall. A [`Transition`] stores an index into this list.
const REWARDS: [f64; 2] = [-1.0, -100.0];
const STEP: u8 = 0;
const FALL: u8 = 1;

/// CliffWalking environment.
///
/// - Observation: int64 `()`, the cell `row * 12 + column`.
/// - Action: `Discrete(4)`: up, right, down, left.
/// - Reward: -1 per step, -100 for a fall, which returns to the start.
/// - Info `prob`: float64 `()`, the probability of the sampled transition.
#[derive(Debug)]
pub struct CliffWalking {
    table: TransitionTable,
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("toy_text", "CliffWalking", "CliffWalking-v0").making("CliffWalking-v1");

/// Returns the tasks of CliffWalking, none of which has a time limit.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::env::<CliffWalking>("CliffWalking-v0").envpool_class(&CLASS),
        Task::env::<CliffWalking>("CliffWalking-v1").envpool_class(&CLASS),
        Task::env::<CliffWalking>("CliffWalkingSlippery-v1").envpool_class(&CLASS).preset("is_slippery", true),
    ]
}

/// Returns the neighbouring cell in direction `heading`, or `cell` itself at the border.
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

fn transition(cell: u32, heading: usize) -> Transition {
    match neighbour(cell, heading) {
        cell if cell > START && cell < GOAL => Transition { state: START, reward: FALL, terminated: false },
        cell => Transition { state: cell, reward: STEP, terminated: cell == GOAL },
    }
}

/// Returns the transitions on slippery ground: along `heading` or to one of the two sides, all with the same probability.
fn slippery_transitions(cell: u32, heading: usize) -> TransitionSet {
    TransitionSet::Stochastic([heading + 3, heading, heading + 1].map(|heading| transition(cell, heading % ACTIONS)))
}

impl Env for CliffWalking {
    type State = Outcome;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("is_slippery", false, "whether two thirds of the moves go sideways").per_episode()]
    }

    fn new(options: &Options) -> Result<Self> {
        let size = (STATES as usize, ACTIONS);
        let table = if options.bool("is_slippery") {
            TransitionTable::new(size, Some([1.0 / 3.0; 3]), &REWARDS, [START], slippery_transitions)
        } else {
            TransitionTable::new(size, None, &REWARDS, [START], |cell, heading| {
                TransitionSet::Deterministic(transition(cell, heading))
            })
        };
        Ok(Self { table })
    }

    fn shared_bytes(&self) -> usize {
        self.table.bytes()
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
        *state = self.table.start(rng);
    }

    #[inline]
    fn step(&self, state: &mut Outcome, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let terminated;
        (*state, rewards[0], terminated) = self.table.step(state.state, action.discrete(), rng);
        terminated
    }

    #[inline]
    fn observe(&self, state: &Outcome, out: &mut Row<'_>) {
        out.scalar(0, i64::from(state.state));
    }

    #[inline]
    fn info(&self, state: &Outcome, out: &mut Row<'_>) {
        out.scalar(0, self.table.probability(*state));
    }

    fn is_valid(&self, state: &Outcome) -> bool {
        self.table.is_valid(*state)
    }

    fn render_spec(&self) -> RenderSpec {
        cliff::RENDERING
    }

    fn render_frame(&self, state: &Outcome, size: (u32, u32)) -> Frame {
        cliff::picture(state.state, size)
    }

    fn render_text(&self, state: &Outcome) -> String {
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
    fn cliff_walking_equals_gymnasiums() {
        replays_like_the_reference::<CliffWalking>("CliffWalking-v1");
        replays_like_the_reference::<CliffWalking>("CliffWalkingSlippery-v1");
    }

    #[test]
    fn cliff_walking_v0_equals_that_of_gymnasium_1_1() {
        replays_like_the_reference::<CliffWalking>("CliffWalking-v0");
    }
}

//! Environments defined by a table: for each state and action, up to three outcomes with probabilities.
//!
//! The reference (gymnasium's `categorical_sample`) draws one uniform number and takes the first outcome whose cumulative
//! probability exceeds it. If no cumulative probability exceeds the number because of rounding, it takes the first outcome. In
//! each of these environments, actions are either certain or have the same three probabilities in every state. So the table
//! needs only one list of three cumulative sums, and two comparisons find the outcome without a search.

use serde::{Deserialize, Serialize};

use envpool_rs_engine::{Dtype, InfoSpec};
use envpool_rs_numeric::random::Generator;

/// Maximum number of outcomes of an action.
pub(super) const MAX_OUTCOMES: usize = 3;

/// Index of the probability 1.0 in the table's list of probabilities, which starts with the probabilities of the three
/// outcomes.
const CERTAIN_INDEX: u8 = MAX_OUTCOMES as u8;

/// One possible result of an action, from which the transition table is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transition {
    /// State after the action.
    pub state: u32,
    /// Index of the reward in the table's list of rewards.
    pub reward: u8,
    /// Whether the transition ends the episode.
    pub terminated: bool,
}

/// Table entry: one outcome of an action. An environment's complete state is the outcome that its last step drew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// Current state of the environment, as a number.
    pub(super) state: u32,
    /// Index of the reward of the last action.
    pub(super) reward: u8,
    /// Index of the outcome's probability in the table's list of probabilities.
    pub(super) probability: u8,
    /// Whether the last action ended the episode.
    pub(super) terminated: bool,
    /// Last action plus 1; 0 after a reset.
    pub(super) action: u8,
}

/// All possible results of an action in a state.
pub(super) enum TransitionSet {
    /// The action has one possible transition, with probability 1.0.
    Deterministic(Transition),
    /// The action has three possible transitions, with the table's probabilities.
    Stochastic([Transition; MAX_OUTCOMES]),
}

/// Possible start state of an episode, with its cumulative probability.
#[derive(Debug)]
struct StartState {
    cumulative: f64,
    state: u32,
}

/// Transition table, shared by all environments of a pool.
#[derive(Debug)]
pub(super) struct TransitionTable {
    outcomes: Vec<Outcome>,
    actions: usize,
    /// Number of table entries for one state and action. The number is 1 if every action is deterministic; such a table fits
    /// the L1 cache.
    outcomes_per_action: usize,
    cumulative: [f64; MAX_OUTCOMES],
    probabilities: [f64; MAX_OUTCOMES + 1],
    rewards: Vec<f64>,
    starts: Vec<StartState>,
}

impl TransitionTable {
    /// Builds the table from `transitions(state, action)`.
    ///
    /// `probabilities` are the probabilities of the three outcomes of an action, or `None` if every action is deterministic.
    /// Episodes start in one of `starts` (ascending), all equally likely.
    pub fn new(
        (states, actions): (usize, usize),
        probabilities: Option<[f64; MAX_OUTCOMES]>,
        rewards: &[f64],
        starts: impl IntoIterator<Item = u32>,
        transitions: impl Fn(u32, usize) -> TransitionSet,
    ) -> Self {
        let outcomes_per_action = if probabilities.is_some() { MAX_OUTCOMES } else { 1 };
        let mut outcomes = Vec::with_capacity(states * actions * outcomes_per_action);
        for state in 0..states as u32 {
            for action in 0..actions {
                outcomes.extend((0..outcomes_per_action).map(|index| Outcome::new(&transitions(state, action), index, action)));
            }
        }
        let [a, b, c] = probabilities.unwrap_or([1.0, 0.0, 0.0]);
        Self {
            outcomes,
            actions,
            outcomes_per_action,
            cumulative: if outcomes_per_action == 1 { [f64::INFINITY; MAX_OUTCOMES] } else { [a, a + b, a + b + c] },
            probabilities: [a, b, c, 1.0],
            rewards: rewards.to_vec(),
            starts: uniform_starts(starts),
        }
    }

    /// Returns the memory that the table takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.outcomes) + size_of_val(&*self.starts) + size_of_val(&*self.rewards)
    }

    /// Draws the start state of an episode.
    #[inline]
    pub fn start(&self, rng: &mut Generator) -> Outcome {
        let draw = rng.random();
        let index = self.starts.partition_point(|start| start.cumulative <= draw);
        // If the last cumulative sum is below 1.0 because of rounding and no sum exceeds the drawn number, the reference's
        // `argmax` returns state 0.
        let state = self.starts.get(index).map_or(0, |start| start.state);
        Outcome { state, probability: CERTAIN_INDEX, ..Outcome::default() }
    }

    /// Draws the outcome of `action` in state `state`. Returns the outcome, its reward, and whether the episode ends.
    #[inline]
    pub fn step(&self, state: u32, action: i32, rng: &mut Generator) -> (Outcome, f64, bool) {
        let index = self.sample_index(rng.random());
        let outcome = self.outcomes[(state as usize * self.actions + action as usize) * self.outcomes_per_action + index];
        (outcome, self.rewards[outcome.reward as usize], outcome.terminated)
    }

    /// Returns the first index whose cumulative probability exceeds the random number `draw`, or 0 if there is none.
    #[inline]
    fn sample_index(&self, draw: f64) -> usize {
        let [first, second, last] = self.cumulative;
        let index = usize::from(draw >= first) + usize::from(draw >= second);
        if draw >= last { 0 } else { index }
    }

    /// Returns the probability with which `outcome` was drawn.
    #[inline]
    pub fn probability(&self, outcome: Outcome) -> f64 {
        self.probabilities[outcome.probability as usize]
    }

    /// Returns whether all fields of `outcome` are in range for the transition table.
    pub fn is_valid(&self, outcome: Outcome) -> bool {
        let is_known = usize::from(outcome.action) <= self.actions && outcome.probability <= CERTAIN_INDEX;
        is_known && (outcome.state as usize) < self.states()
    }

    fn states(&self) -> usize {
        self.outcomes.len() / (self.actions * self.outcomes_per_action)
    }
}

impl Outcome {
    fn new(transitions: &TransitionSet, index: usize, action: usize) -> Self {
        let (transition, probability) = match transitions {
            TransitionSet::Deterministic(transition) => (transition, CERTAIN_INDEX),
            TransitionSet::Stochastic(transitions) => (&transitions[index], index as u8),
        };
        let action = action as u8 + 1;
        Self { state: transition.state, reward: transition.reward, terminated: transition.terminated, probability, action }
    }

    /// Returns the action that led to the outcome; `None` after a reset.
    pub fn action(self) -> Option<usize> {
        usize::from(self.action).checked_sub(1)
    }
}

/// Returns start states with cumulative probabilities.
///
/// The sums are added in the reference's order, one state at a time, because rounding decides which state a draw selects.
fn uniform_starts(states: impl IntoIterator<Item = u32>) -> Vec<StartState> {
    let states: Vec<_> = states.into_iter().collect();
    let share = 1.0 / states.len() as f64;
    let mut cumulative = 0.0;
    let add = |state| {
        cumulative += share;
        StartState { cumulative, state }
    };
    states.into_iter().map(add).collect()
}

/// Returns the specification of the info `prob`, which is the probability of the sampled outcome, and 1.0 after a reset.
pub(super) fn prob_info(in_envpool: bool) -> InfoSpec {
    InfoSpec { in_envpool, ..InfoSpec::new("prob", Dtype::F64, &[]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin(probabilities: [f64; MAX_OUTCOMES]) -> TransitionTable {
        TransitionTable::new((3, 1), Some(probabilities), &[0.0], [0], |_, _| {
            TransitionSet::Stochastic([0, 1, 2].map(|state| Transition { state, reward: 0, terminated: false }))
        })
    }

    #[test]
    fn a_draw_selects_the_first_outcome_with_a_larger_cumulative_probability() {
        let table = coin([0.25, 0.5, 0.25]);
        assert_eq!([0.0, 0.2499, 0.25, 0.7499, 0.75, 0.9999].map(|draw| table.sample_index(draw)), [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn a_draw_beyond_all_cumulative_probabilities_selects_the_first_outcome() {
        let table = coin([0.25, 0.25, 0.25]);
        assert_eq!([0.74, 0.75, 0.9].map(|draw| table.sample_index(draw)), [2, 0, 0]);
    }

    #[test]
    fn an_outcome_with_probability_zero_is_never_selected() {
        let table = coin([0.5, 0.0, 0.5]);
        assert_eq!([0.0, 0.4999, 0.5, 0.9999].map(|draw| table.sample_index(draw)), [0, 0, 2, 2]);
    }

    #[test]
    fn outcomes_out_of_range_are_refused() {
        let table = coin([0.25, 0.5, 0.25]);
        assert!(table.is_valid(Outcome { state: 2, probability: CERTAIN_INDEX, ..Outcome::default() }));
        assert!(!table.is_valid(Outcome { state: 3, ..Outcome::default() }));
        assert!(!table.is_valid(Outcome { probability: CERTAIN_INDEX + 1, ..Outcome::default() }));
    }
}

//! Environments that are a table: for each state and action, up to three outcomes with their probabilities.
//!
//! The reference (gymnasium's `categorical_sample`) takes the first outcome whose cumulative probability exceeds one uniform
//! draw, and the first of all if rounding left none. In each of these environments an action is either certain or has the
//! same three probabilities everywhere, so that the cumulative sums are three numbers for the whole table and an outcome is
//! found by comparing and indexing, without a search.

use serde::{Deserialize, Serialize};

use envpool_rs_engine::{Dtype, InfoSpec};
use envpool_rs_numeric::random::Generator;

/// Outcomes of an action that chance has a hand in.
pub(super) const WAYS: usize = 3;

/// Index of the probability 1.0, after those of the ways.
const CERTAIN: u8 = WAYS as u8;

/// Where an action leads, as the tables' authors give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Landing {
    /// The next state.
    pub state: u32,
    /// Index of the reward.
    pub reward: u8,
    /// Whether the episode ends there.
    pub terminated: bool,
}

/// An entry of the table; the last one drawn is also all that a lane has to remember.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The state now.
    pub(super) state: u32,
    /// Index of the reward that came with it.
    pub(super) reward: u8,
    /// Index of the probability that it had.
    pub(super) probability: u8,
    /// Whether the episode ended.
    pub(super) terminated: bool,
    /// The action that led here, counted from 1; 0 after a reset.
    pub(super) action: u8,
}

/// What an action leads to.
pub(super) enum Landings {
    /// To one place, with probability 1.0.
    Certain(Landing),
    /// To one of three places, with the table's probabilities.
    Chance([Landing; WAYS]),
}

/// A start state and the probability of it or an earlier one.
#[derive(Debug)]
struct Start {
    cumulative: f64,
    state: u32,
}

/// The table, shared by all lanes.
#[derive(Debug)]
pub(super) struct Transitions {
    outcomes: Vec<Outcome>,
    actions: usize,
    /// Entries for one state and action: one where nothing is left to chance, which keeps the table in the L1 cache.
    ways: usize,
    cumulative: [f64; WAYS],
    probabilities: [f64; WAYS + 1],
    rewards: Vec<f64>,
    starts: Vec<Start>,
}

impl Transitions {
    /// The table in which `landings(state, action)` happens.
    ///
    /// `probabilities` are those of the three ways, `None` where every action is certain. Episodes begin in one of `starts`
    /// (ascending), each with the same probability.
    pub fn new(
        (states, actions): (usize, usize),
        probabilities: Option<[f64; WAYS]>,
        rewards: &[f64],
        starts: impl IntoIterator<Item = u32>,
        landings: impl Fn(u32, usize) -> Landings,
    ) -> Self {
        let ways = if probabilities.is_some() { WAYS } else { 1 };
        let mut outcomes = Vec::with_capacity(states * actions * ways);
        for state in 0..states as u32 {
            for action in 0..actions {
                outcomes.extend((0..ways).map(|way| Outcome::new(&landings(state, action), way, action)));
            }
        }
        let [a, b, c] = probabilities.unwrap_or([1.0, 0.0, 0.0]);
        Self {
            outcomes,
            actions,
            ways,
            cumulative: if ways == 1 { [f64::INFINITY; WAYS] } else { [a, a + b, a + b + c] },
            probabilities: [a, b, c, 1.0],
            rewards: rewards.to_vec(),
            starts: equally_likely(starts),
        }
    }

    /// Bytes that the table takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.outcomes) + size_of_val(&*self.starts) + size_of_val(&*self.rewards)
    }

    /// Draws a start state.
    #[inline]
    pub fn start(&self, rng: &mut Generator) -> Outcome {
        let draw = rng.random();
        let index = self.starts.partition_point(|start| start.cumulative <= draw);
        // Where rounding left the last sum below 1.0, the reference's `argmax` falls back to state 0.
        let state = self.starts.get(index).map_or(0, |start| start.state);
        Outcome { state, probability: CERTAIN, ..Outcome::default() }
    }

    /// Draws what `action` leads to: the outcome, its reward and whether the episode ends.
    #[inline]
    pub fn step(&self, state: u32, action: i32, rng: &mut Generator) -> (Outcome, f64, bool) {
        let way = self.way(rng.random());
        let outcome = self.outcomes[(state as usize * self.actions + action as usize) * self.ways + way];
        (outcome, self.rewards[outcome.reward as usize], outcome.terminated)
    }

    /// The first way whose cumulative probability exceeds `draw`, or the first of all.
    #[inline]
    fn way(&self, draw: f64) -> usize {
        let [first, second, last] = self.cumulative;
        let way = usize::from(draw >= first) + usize::from(draw >= second);
        if draw >= last { 0 } else { way }
    }

    /// The probability that `outcome` had.
    #[inline]
    pub fn probability(&self, outcome: Outcome) -> f64 {
        self.probabilities[outcome.probability as usize]
    }

    /// Whether `outcome` can be read and played on.
    pub fn is_valid(&self, outcome: Outcome) -> bool {
        let is_known = usize::from(outcome.action) <= self.actions && outcome.probability <= CERTAIN;
        is_known && (outcome.state as usize) < self.states()
    }

    fn states(&self) -> usize {
        self.outcomes.len() / (self.actions * self.ways)
    }
}

impl Outcome {
    fn new(landings: &Landings, way: usize, action: usize) -> Self {
        let (landing, probability) = match landings {
            Landings::Certain(landing) => (landing, CERTAIN),
            Landings::Chance(landings) => (&landings[way], way as u8),
        };
        let action = action as u8 + 1;
        Self { state: landing.state, reward: landing.reward, terminated: landing.terminated, probability, action }
    }

    /// The action that led here; `None` after a reset.
    pub fn action(self) -> Option<usize> {
        usize::from(self.action).checked_sub(1)
    }
}

/// Sums up in the reference's order, one addition per state, since rounding decides which state a draw picks.
fn equally_likely(states: impl IntoIterator<Item = u32>) -> Vec<Start> {
    let states: Vec<_> = states.into_iter().collect();
    let share = 1.0 / states.len() as f64;
    let mut cumulative = 0.0;
    let add = |state| {
        cumulative += share;
        Start { cumulative, state }
    };
    states.into_iter().map(add).collect()
}

/// The info array `prob`: the probability of the outcome drawn, 1.0 after a reset.
pub(super) fn prob_info(in_envpool: bool) -> InfoSpec {
    InfoSpec { in_envpool, ..InfoSpec::new("prob", Dtype::F64, &[]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin(probabilities: [f64; WAYS]) -> Transitions {
        Transitions::new((3, 1), Some(probabilities), &[0.0], [0], |_, _| {
            Landings::Chance([0, 1, 2].map(|state| Landing { state, reward: 0, terminated: false }))
        })
    }

    #[test]
    fn a_draw_takes_the_first_way_whose_cumulative_probability_exceeds_it() {
        let table = coin([0.25, 0.5, 0.25]);
        assert_eq!([0.0, 0.2499, 0.25, 0.7499, 0.75, 0.9999].map(|draw| table.way(draw)), [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn a_draw_beyond_all_cumulative_probabilities_takes_the_first_way() {
        let table = coin([0.25, 0.25, 0.25]);
        assert_eq!([0.74, 0.75, 0.9].map(|draw| table.way(draw)), [2, 0, 0]);
    }

    #[test]
    fn a_way_without_probability_is_never_taken() {
        let table = coin([0.5, 0.0, 0.5]);
        assert_eq!([0.0, 0.4999, 0.5, 0.9999].map(|draw| table.way(draw)), [0, 0, 2, 2]);
    }

    #[test]
    fn outcomes_out_of_range_are_refused() {
        let table = coin([0.25, 0.5, 0.25]);
        assert!(table.is_valid(Outcome { state: 2, probability: CERTAIN, ..Outcome::default() }));
        assert!(!table.is_valid(Outcome { state: 3, ..Outcome::default() }));
        assert!(!table.is_valid(Outcome { probability: CERTAIN + 1, ..Outcome::default() }));
    }
}

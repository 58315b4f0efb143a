//! How often what plays environments was lost, and what follows from it: the numbers of a policy, for whoever keeps the requests.

use std::collections::HashMap;

use crate::contract::form::{Policy, Recovery};

/// The losses of all places, and what their lanes are owed for them.
pub struct Losses {
    recovery: Recovery,
    places: HashMap<usize, Place>,
    lanes: Vec<Lane>,
    /// Lanes that are owed.
    owed: usize,
}

/// How often a place was lost.
#[derive(Default)]
struct Place {
    all: u32,
    /// Since its last answer.
    in_a_row: u32,
    given_up: bool,
}

#[derive(Clone, Default)]
struct Lane {
    /// Where it lived when it was lost.
    place: Option<usize>,
    /// What it was last seeded with.
    seed: Option<u64>,
    /// It was brought back, and what it is asked next has to deal with that.
    owed: bool,
}

/// Which way a place goes that was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Brought back.
    Renewed,
    /// Given up, after so many losses in a row.
    GivenUp(u32),
}

impl Losses {
    /// No losses, of lanes that were last seeded so.
    #[must_use]
    pub fn new(recovery: Recovery, seeds: impl Iterator<Item = Option<u64>>) -> Self {
        let lanes = seeds.map(|seed| Lane { seed, ..Lane::default() }).collect();
        Self { recovery, places: HashMap::new(), lanes, owed: 0 }
    }

    /// Notes that a place was lost in which these lanes lived. If it is to be brought back, they are owed for it.
    pub fn note_loss(&mut self, place: usize, lanes: &[u32]) -> Fate {
        let known = self.places.entry(place).or_default();
        known.all += 1;
        known.in_a_row += 1;
        known.given_up = self.recovery.policy == Policy::Raise || known.in_a_row >= self.recovery.patience;
        let fate = if known.given_up { Fate::GivenUp(known.in_a_row) } else { Fate::Renewed };
        for lane in lanes {
            self.lanes[*lane as usize].place = Some(place);
            self.set_owed(*lane as usize, fate == Fate::Renewed);
        }
        fate
    }

    /// Allows another attempt for the place of a lane that was given up; the next loss gives it up again. Its number.
    pub fn forgive(&mut self, lane: usize) -> Option<usize> {
        let place = self.lanes[lane].place?;
        let known = self.places.get_mut(&place)?;
        (known.in_a_row, known.given_up) = (self.recovery.patience.saturating_sub(1), false);
        Some(place)
    }

    /// Where a lane lived when it was lost.
    #[must_use]
    pub fn place(&self, lane: usize) -> Option<usize> {
        self.lanes[lane].place
    }

    /// Notes that a lane has answered: whatever plays it lives to do so.
    pub fn note_answer(&mut self, lane: usize) {
        if let Some(place) = self.lanes[lane].place.and_then(|place| self.places.get_mut(&place)) {
            place.in_a_row = 0;
        }
    }

    /// Whether there is a place that was brought back, and has not answered since.
    #[must_use]
    pub fn is_unproven(&self) -> bool {
        self.places.values().any(|place| place.in_a_row > 0 && !place.given_up)
    }

    /// Notes what a lane was seeded with.
    pub fn note_seed(&mut self, lane: usize, seed: u64) {
        self.lanes[lane].seed = Some(seed);
    }

    /// Another seed for each loss of a lane's place, the same whenever the same happens; none for lanes that were never seeded.
    #[must_use]
    pub fn next_seed(&self, lane: usize) -> Option<u64> {
        let lane = &self.lanes[lane];
        let losses = lane.place.and_then(|place| self.places.get(&place)).map_or(0, |place| place.all);
        lane.seed.map(|seed| self.recovery.mix.mixed(seed, losses))
    }

    /// Whether a lane was brought back, and what it is asked next has to deal with that.
    #[must_use]
    pub fn is_owed(&self, lane: usize) -> bool {
        self.lanes[lane].owed
    }

    /// Whether any lane is owed.
    #[must_use]
    pub fn is_any_owed(&self) -> bool {
        self.owed > 0
    }

    /// Says whether a lane is owed: what dealt with its loss was asked for, or has failed.
    pub fn set_owed(&mut self, lane: usize, owed: bool) {
        let before = std::mem::replace(&mut self.lanes[lane].owed, owed);
        self.owed = self.owed + usize::from(owed) - usize::from(before);
    }
}

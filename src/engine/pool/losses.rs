//! Counts host losses and decides whether a lost host is restarted.

use std::collections::HashMap;

use crate::contract::form::{Policy, Recovery};

/// Loss counts of all hosts, and the lanes that need recovery.
pub struct Losses {
    recovery: Recovery,
    places: HashMap<usize, Place>,
    lanes: Vec<Lane>,
    /// Number of lanes that need recovery.
    owed: usize,
}

/// Loss counts of one host.
#[derive(Default)]
struct Place {
    all: u32,
    /// Losses since its last reply.
    in_a_row: u32,
    given_up: bool,
}

#[derive(Clone, Default)]
struct Lane {
    /// Host of the lane when that host was last lost.
    place: Option<usize>,
    /// Last seed of the lane.
    seed: Option<u64>,
    /// Whether the host was restarted, and the lane's next operation has to recover the lane.
    owed: bool,
}

/// Whether a lost host is restarted or given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The host is restarted.
    Renewed,
    /// The host is given up, after this number of losses in a row.
    GivenUp(u32),
}

impl Losses {
    /// Creates the counts without losses, for lanes that were last seeded with `seeds`.
    #[must_use]
    pub fn new(recovery: Recovery, seeds: impl Iterator<Item = Option<u64>>) -> Self {
        let lanes = seeds.map(|seed| Lane { seed, ..Lane::default() }).collect();
        Self { recovery, places: HashMap::new(), lanes, owed: 0 }
    }

    /// Records the loss of a host that ran `lanes`. If the host is restarted, the lanes need recovery.
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

    /// Allows one more restart of the given-up host of a lane, and returns the host's number. The next loss gives it up again.
    pub fn forgive(&mut self, lane: usize) -> Option<usize> {
        let place = self.lanes[lane].place?;
        let known = self.places.get_mut(&place)?;
        (known.in_a_row, known.given_up) = (self.recovery.patience.saturating_sub(1), false);
        Some(place)
    }

    /// Returns the host of a lane when it was last lost.
    #[must_use]
    pub fn place(&self, lane: usize) -> Option<usize> {
        self.lanes[lane].place
    }

    /// Records that a lane has replied, which proves that its host works.
    pub fn note_answer(&mut self, lane: usize) {
        if let Some(place) = self.lanes[lane].place.and_then(|place| self.places.get_mut(&place)) {
            place.in_a_row = 0;
        }
    }

    /// Whether a restarted host has not replied yet.
    #[must_use]
    pub fn is_unproven(&self) -> bool {
        self.places.values().any(|place| place.in_a_row > 0 && !place.given_up)
    }

    /// Records the seed of a lane.
    pub fn note_seed(&mut self, lane: usize, seed: u64) {
        self.lanes[lane].seed = Some(seed);
    }

    /// Returns a seed that differs after each loss of the lane's host, and is reproducible. `None` for lanes that were never
    /// seeded.
    #[must_use]
    pub fn next_seed(&self, lane: usize) -> Option<u64> {
        let lane = &self.lanes[lane];
        let losses = lane.place.and_then(|place| self.places.get(&place)).map_or(0, |place| place.all);
        lane.seed.map(|seed| self.recovery.mix.mixed(seed, losses))
    }

    /// Whether the host of a lane was restarted, and the lane's next operation has to recover the lane.
    #[must_use]
    pub fn is_owed(&self, lane: usize) -> bool {
        self.lanes[lane].owed
    }

    /// Whether any lane needs recovery.
    #[must_use]
    pub fn is_any_owed(&self) -> bool {
        self.owed > 0
    }

    /// Sets whether a lane needs recovery. Cleared when the recovering operation is requested, and set again if it fails.
    pub fn set_owed(&mut self, lane: usize, owed: bool) {
        let before = std::mem::replace(&mut self.lanes[lane].owed, owed);
        self.owed = self.owed + usize::from(owed) - usize::from(before);
    }
}

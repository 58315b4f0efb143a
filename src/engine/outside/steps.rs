//! Steps of many lanes that are staged together.

use crate::contract::row::ActionColumn;
use crate::outside::exchange::Asked;
use crate::play::episodes::Due;

/// Steps of one request: lanes in the middle of an episode, and lanes that start the next episode.
pub struct Steps<'a> {
    pub(crate) lanes: &'a [u32],
    pub(crate) actions: &'a [ActionColumn],
    pub(crate) dues: &'a [Due],
    /// Whether a next episode starts in the same reply if an episode ends (same-step autoreset).
    pub(crate) anew: bool,
}

impl<'a> Steps<'a> {
    /// Returns the lanes, each once.
    #[inline]
    pub fn lanes(&self) -> &'a [u32] {
        self.lanes
    }

    /// Returns the action arrays, with one row for each lane. Rows of lanes that start an episode are meaningless.
    #[inline]
    pub fn actions(&self) -> &'a [ActionColumn] {
        self.actions
    }

    /// Returns the operation of lane number `item` of these.
    #[inline]
    pub fn asked(&self, item: usize) -> Asked<'a> {
        Asked::of_step(self.actions, item, self.dues[item], self.anew)
    }
}

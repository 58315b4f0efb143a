//! Steps of many lanes that are begun together.

use crate::contract::row::ActionColumn;
use crate::outside::exchange::Asked;
use crate::play::episodes::Due;

/// Steps of a request: of lanes in the middle of an episode, and of lanes whose episode has ended, which begin the next one.
pub struct Steps<'a> {
    pub(crate) lanes: &'a [u32],
    pub(crate) actions: &'a [ActionColumn],
    pub(crate) dues: &'a [Due],
    /// Episodes that end are followed by the next ones in the same answers.
    pub(crate) anew: bool,
}

impl<'a> Steps<'a> {
    /// The lanes, each once.
    #[inline]
    pub fn lanes(&self) -> &'a [u32] {
        self.lanes
    }

    /// The action arrays, with a row for each of the lanes; those of lanes that begin an episode mean nothing.
    #[inline]
    pub fn actions(&self) -> &'a [ActionColumn] {
        self.actions
    }

    /// What lane number `item` of these is asked.
    #[inline]
    pub fn asked(&self, item: usize) -> Asked<'a> {
        Asked::of_step(self.actions, item, self.dues[item], self.anew)
    }
}

//! Steps of several lanes that are staged with one call of the backend.

use crate::backend::lane_op::LaneOp;
use crate::contract::row::ActionColumn;
use crate::exec::episode_tracker::ItemKind;

/// Steps of one request, staged together. Some lanes are in the middle of an episode; others start their next episode.
pub struct StagedSteps<'a> {
    pub(crate) lanes: &'a [u32],
    pub(crate) actions: &'a [ActionColumn],
    pub(crate) item_kinds: &'a [ItemKind],
    /// Whether a lane whose episode ends starts the next one in the same reply (same-step autoreset).
    pub(crate) autoreset: bool,
}

impl<'a> StagedSteps<'a> {
    /// Returns the numbers of the lanes to step, each once.
    #[inline]
    pub fn lanes(&self) -> &'a [u32] {
        self.lanes
    }

    /// Returns the action arrays, with one row for each lane. The rows of lanes that start an episode are unspecified.
    #[inline]
    pub fn actions(&self) -> &'a [ActionColumn] {
        self.actions
    }

    /// Returns the operation of the lane at index `item` of [`Self::lanes`].
    #[inline]
    pub fn op(&self, item: usize) -> LaneOp<'a> {
        LaneOp::from_step(self.actions, item, self.item_kinds[item], self.autoreset)
    }
}

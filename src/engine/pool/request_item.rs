//! Item of a request (the step or reset of one lane), and the plan for executing it.

use std::sync::Arc;

use crate::exec::episode_tracker::ItemKind;
use crate::exec::request_kind::RequestKind;
use crate::pool::request::Request;

/// Item of a request: the step or reset of one lane, with the plan for executing it.
#[derive(Clone)]
pub struct RequestItem {
    pub request: Arc<Request>,
    pub index: usize,
    pub kind: ItemKind,
    pub plan: ItemPlan,
}

/// How the row of an item reports that the lane's host was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LossReport {
    /// The row reports no loss.
    #[default]
    None,
    /// The item is a reset. Its row holds the first observation of a new episode.
    InReset,
    /// The item is a step. Its row reports that the lost episode was truncated.
    InStep,
    /// The row reports that the environment's host was lost and that its state was restored.
    Resumed,
}

impl LossReport {
    /// Returns how the row of an item reports a lost host, if the item was lost with the host or is the lane's first item
    /// afterwards. A step that performs the first reset counts as a reset, because no episode was lost.
    pub fn of_loss(kind: &RequestKind, due: ItemKind) -> Self {
        if matches!(kind, RequestKind::Reset { .. }) || due == ItemKind::Reset { Self::InReset } else { Self::InStep }
    }
}

/// Plan for executing an item. The plan differs from the default if the lane's host was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemPlan {
    /// Seed that the item's reset uses; `None` to continue the random stream.
    pub seed: Option<u64>,
    /// Whether to execute the item as a reset, even if another operation is due.
    pub forces_reset: bool,
    pub report: LossReport,
    /// Whether the lane must first execute the operations of its replay queue.
    pub replays_first: bool,
}

//! One request item, and how to execute it.

use std::sync::Arc;

use crate::exec::episode_tracker::ItemKind;
use crate::exec::request_kind::RequestKind;
use crate::pool::request::Request;

/// One item of a request, and how to execute it.
#[derive(Clone)]
pub struct RequestItem {
    pub request: Arc<Request>,
    pub index: usize,
    pub kind: ItemKind,
    pub plan: ItemPlan,
}

/// How a row reports the loss of its lane's host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LossReport {
    /// The row reports no loss.
    #[default]
    None,
    /// The row answers a reset.
    InReset,
    /// The row answers a step, which truncates the lost episode.
    InStep,
    /// The row reports that the environment was restored to its state before the loss.
    Resumed,
}

impl LossReport {
    /// Returns how an item reports a loss, if it was lost or is the first after a loss. A step that performs the first reset
    /// reports it as a reset, because there is no episode to lose.
    pub fn of_loss(kind: &RequestKind, due: ItemKind) -> Self {
        if matches!(kind, RequestKind::Reset { .. }) || due == ItemKind::Reset { Self::InReset } else { Self::InStep }
    }
}

/// How to execute an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemPlan {
    /// Seed of a reset.
    pub seed: Option<u64>,
    /// Whether to execute the item as a reset, whatever is due.
    pub forces_reset: bool,
    pub report: LossReport,
    /// Whether the lane must execute other operations first.
    pub replays_first: bool,
}

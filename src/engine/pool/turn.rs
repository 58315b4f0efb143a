//! One request item, and how to execute it.

use std::sync::Arc;

use crate::play::episodes::Due;
use crate::play::kind::Kind;
use crate::pool::request::Request;

/// One item of a request, and how to execute it.
#[derive(Clone)]
pub struct Turn {
    pub request: Arc<Request>,
    pub index: usize,
    pub due: Due,
    pub plan: Plan,
}

/// How a row reports the loss of its lane's host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tells {
    /// The row reports no loss.
    #[default]
    Nothing,
    /// The row answers a reset.
    InReset,
    /// The row answers a step, which truncates the lost episode.
    InStep,
    /// The row reports that the environment was restored to its state before the loss.
    Return,
}

impl Tells {
    /// Returns how an item reports a loss, if it was lost or is the first after a loss. A step that performs the first reset
    /// reports it as a reset, because there is no episode to lose.
    pub fn of_loss(kind: &Kind, due: Due) -> Self {
        if matches!(kind, Kind::Reset { .. }) || due == Due::Reset { Self::InReset } else { Self::InStep }
    }
}

/// How to execute an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Plan {
    /// Seed of a reset.
    pub seed: Option<u64>,
    /// Whether to execute the item as a reset, whatever is due.
    pub anew: bool,
    pub tells: Tells,
    /// Whether the lane has to execute other operations first.
    pub waits: bool,
}

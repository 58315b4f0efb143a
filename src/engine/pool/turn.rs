//! A turn that a lane was asked for, and how.

use std::sync::Arc;

use crate::play::episodes::Due;
use crate::play::kind::Kind;
use crate::pool::request::Request;

/// A turn that a lane was asked for.
#[derive(Clone)]
pub struct Turn {
    pub request: Arc<Request>,
    pub index: usize,
    pub due: Due,
    pub plan: Plan,
}

/// Whether a row tells of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tells {
    /// It does not.
    #[default]
    Nothing,
    /// It answers a reset.
    InReset,
    /// It answers a step, which ended the episode that was lost.
    InStep,
    /// That the environment is back where it was.
    Return,
}

impl Tells {
    /// How the turn that was lost, or is the first after a loss, tells of it: a step that is the first reset has no episode to lose.
    pub fn of_loss(kind: &Kind, due: Due) -> Self {
        if matches!(kind, Kind::Reset { .. }) || due == Due::Reset { Self::InReset } else { Self::InStep }
    }
}

/// How a turn is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Plan {
    /// Of a reset.
    pub seed: Option<u64>,
    /// As a reset, whatever is due.
    pub anew: bool,
    pub tells: Tells,
    /// Something has to be done before.
    pub waits: bool,
}

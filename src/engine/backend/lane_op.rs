//! Operations that a pool requests from one lane of a backend (one environment of the pool), and the replies to them.

use crate::contract::env::EpisodeEnd;
use crate::contract::lane_error::{LaneError, Payload};
use crate::contract::options::ResetOptions;
use crate::contract::row::{Action, ActionColumn};
use crate::exec::episode_tracker::ItemKind;

/// Operation that the pool requests from one lane.
#[derive(Debug, Clone, Copy)]
pub enum LaneOp<'a> {
    /// A step of the current episode.
    Step {
        /// Action, already checked against the action space.
        action: Action<'a>,
        /// Whether this step reaches the time limit: the episode is truncated, whatever the environment reports.
        truncate: bool,
        /// Whether the next episode starts in the same reply if the current one ends (same-step autoreset).
        autoreset: bool,
    },
    /// A reset that the caller requested, or the environment's first reset.
    Reset {
        /// Seed of the reset request, if it has one.
        seed: Option<u64>,
        /// Options of the reset request.
        options: &'a ResetOptions,
        /// Number of the lane's item in the request, by which options differ (see [`ResetOptions::for_item`]).
        item: usize,
        /// Whether the pool resets the lane again before the first step of the episode, so that the reset takes no queued one.
        is_discarded: bool,
    },
    /// Start of the next episode by autoreset.
    Next {
        /// How the previous episode of the lane ended.
        ended: EpisodeEnd,
    },
    /// Calls a method of the environment. The engine does not interpret the payload. The reply is a [`LaneReply::Value`].
    Call(&'a Payload),
    /// Saves the environment's state. The reply is a [`LaneReply::Value`] with the state.
    Save,
    /// Loads a state that this environment or another one saved. The reply is an empty [`LaneReply::Value`].
    Load(&'a [u8]),
}

impl<'a> LaneOp<'a> {
    /// Creates the operation for item `item` of a step request. `due` is the lane's due operation: a step, a reset or the next
    /// episode.
    #[inline]
    pub(crate) fn from_step(actions: &'a [ActionColumn], item: usize, due: ItemKind, autoreset: bool) -> Self {
        match due {
            ItemKind::NextEpisode(ended) => Self::Next { ended },
            due => Self::Step {
                action: Action::new(actions, item),
                truncate: matches!(due, ItemKind::Step { truncate: true, .. }),
                autoreset,
            },
        }
    }
}

/// Reply of a lane to an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneReply {
    /// Reply to a step or reset. The [row](crate::RowWriter) holds observation, infos and rewards.
    Row(StepReply),
    /// Reply to an operation that is neither a step nor a reset.
    Value(Payload),
    /// Failure of the operation.
    Failed(LaneError),
}

/// Result of a step or reset, except observation, infos and rewards, which are in the row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepReply {
    /// Whether the episode terminated by the environment's own rules.
    pub terminated: bool,
    /// Whether the environment truncated the episode itself. The engine applies the pool's time limit in addition.
    pub truncated: bool,
    /// Whether the next episode has started in this step (same-step autoreset). The row then holds the new episode's first
    /// observation, and the final observation of the old episode in separate columns.
    pub did_autoreset: bool,
    /// Number of steps that the new episode starts with: 0 unless it continues a longer game. Set by resets.
    pub elapsed: i32,
    /// Number of steps of the row's episode, if the backend counts them itself.
    pub backend_elapsed: Option<i32>,
    /// Return, length in steps and duration in seconds of the episode that this step ended, if the backend tracks them. Zeros if
    /// no episode ended.
    pub statistics: Option<(f64, i64, f64)>,
    /// Whether later rewards have discount 0, although the episode may continue.
    pub zero_discount: bool,
    /// Additional opaque payload of the row, delivered with the batch.
    pub payload: Option<Payload>,
}

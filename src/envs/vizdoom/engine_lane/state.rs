//! Serialized state of a lane.

use envpool_rs_sim_vizdoom::game::SavedGame;
use serde::{Deserialize, Serialize};

/// Serialized state of a lane.
#[derive(Serialize, Deserialize)]
pub(super) struct LaneState<S> {
    pub(super) rules: S,
    /// `None` before the first reset, or if the engine was lost.
    pub(super) game: Option<SavedGame>,
    pub(super) elapsed: i32,
    pub(super) was_restarted: bool,
}

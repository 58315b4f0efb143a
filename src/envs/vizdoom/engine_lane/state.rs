//! Serialized state of a lane whose game runs in an engine process.

use envpool_rs_engine::ResetQueue;
use envpool_rs_sim_vizdoom::game::SavedGame;
use serde::{Deserialize, Serialize};

/// Serialized state of a lane: the inputs from which the game is replayed, and the state of the task's rules.
#[derive(Serialize, Deserialize)]
pub(super) struct LaneState<S> {
    pub(super) rules: S,
    /// Saved game; `None` before the first reset, or if the engine failed.
    pub(super) game: Option<SavedGame>,
    pub(super) elapsed: i32,
    pub(super) was_restarted: bool,
    pub(super) queue: ResetQueue,
}

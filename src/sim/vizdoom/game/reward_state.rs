//! State of the reward computation of one game; saved games also contain it.

use serde::{Deserialize, Serialize};

/// Quantities of the game at the last reward; the next reward is computed from their changes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct RewardState {
    /// Tic of the map after all requested tics have been played.
    pub(super) last_tic: u32,
    pub(super) tic: u32,
    pub(super) reward: f64,
    pub(super) variables: [f64; 10],
    pub(super) has_exited_map: bool,
}

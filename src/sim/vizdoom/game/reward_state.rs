//! State of the reward computation, which saved games contain.

use serde::{Deserialize, Serialize};

/// Quantities of the game as of the time at which the last reward was computed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct RewardState {
    /// Tic that the map reaches once all requested tics are played.
    pub(super) last_tic: u32,
    pub(super) tic: u32,
    pub(super) reward: f64,
    pub(super) variables: [f64; 10],
    pub(super) has_exited_map: bool,
}

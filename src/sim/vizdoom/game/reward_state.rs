//! State of the reward computation; part of saved games.

use serde::{Deserialize, Serialize};

/// Values up to which rewards have been computed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct RewardState {
    /// Tic that the map reaches with the requested tics.
    pub(super) last_tic: u32,
    pub(super) tic: u32,
    pub(super) reward: f64,
    pub(super) variables: [f64; 10],
    pub(super) has_exited_map: bool,
}

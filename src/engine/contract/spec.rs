//! What an environment tells the engine about itself.

use crate::engine::contract::space::{Dtype, Space};

/// One array of an environment's `info`.
#[derive(Debug, Clone, PartialEq)]
pub struct InfoSpec {
    /// Key in the info dict.
    pub key: &'static str,
    /// Element type in gymnasium's dialect; EnvPool's is the 32-bit type of the same kind.
    pub dtype: Dtype,
    /// Shape for one environment.
    pub shape: Vec<usize>,
    /// Whether gymnasium's environment has it.
    pub in_gymnasium: bool,
    /// Whether EnvPool's environment has it.
    pub in_envpool: bool,
}

/// Spaces, players and infos of an environment with its options fixed.
#[derive(Debug, Clone, PartialEq)]
pub struct EnvSpec {
    /// Players in one environment; observations, actions and rewards have a row for each.
    pub players: usize,
    /// Whether all players share one space, so that every observation and action array has a row per player.
    /// Where they differ (`false`), the spaces are `Dict`s with one entry per player and a row per environment;
    /// rewards have a row per player all the same.
    pub shared_spaces: bool,
    /// Space of one player's observation, as gymnasium (or the reference) has it. Its leaves, depth first, are what
    /// `observe` writes.
    pub observation: Space,
    /// EnvPool's space for the same scalars in the same order, where it differs by more than int64 for int32.
    pub envpool_observation: Option<Space>,
    /// Space of one player's action. A `Dict` gives an action array for each key.
    pub action: Space,
    /// Arrays that `info` writes, in this order.
    pub info: Vec<InfoSpec>,
}

impl EnvSpec {
    /// A single-player environment without infos.
    pub fn new(observation: Space, action: Space) -> Self {
        Self { players: 1, shared_spaces: true, observation, envpool_observation: None, action, info: Vec::new() }
    }

    /// Rows that one environment takes in observation and action arrays.
    pub fn rows(&self) -> usize {
        if self.shared_spaces { self.players } else { 1 }
    }
}

//! What an environment tells the engine about itself.

use crate::contract::space::{Dtype, Space};
use crate::contract::value::Value;

/// After what an environment tells an info.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Occasion {
    /// After resets and steps.
    #[default]
    Always,
    /// After steps only.
    Steps,
    /// After steps that terminate an episode only, which the end of its time does not.
    Terminations,
}

/// One array of an environment's `info`.
#[derive(Debug, Clone, PartialEq)]
pub struct InfoSpec {
    /// Key in the info dict.
    pub key: &'static str,
    /// Element type in gymnasium's dialect.
    pub dtype: Dtype,
    /// Element type in EnvPool's dialect: the 32-bit type of the same kind, or what [`InfoSpec::in_envpool_as`] says.
    pub envpool_dtype: Dtype,
    /// Shape for one environment.
    pub shape: Vec<usize>,
    /// Whether gymnasium's environment has it.
    pub in_gymnasium: bool,
    /// Whether EnvPool's environment has it.
    pub in_envpool: bool,
    /// The least and the largest of its values, where EnvPool's specification says more of them than their type does.
    pub envpool_range: Option<(i64, i64)>,
    /// After what gymnasium's environment has it.
    pub occasion: Occasion,
}

impl InfoSpec {
    /// An info of both dialects.
    pub fn new(key: &'static str, dtype: Dtype, shape: &[usize]) -> Self {
        Self {
            key,
            dtype,
            envpool_dtype: dtype.narrow(),
            shape: shape.to_vec(),
            in_gymnasium: true,
            in_envpool: true,
            envpool_range: None,
            occasion: Occasion::Always,
        }
    }

    /// The same where EnvPool's environment does not have it.
    #[must_use]
    pub fn only_in_gymnasium(self) -> Self {
        Self { in_envpool: false, ..self }
    }

    /// The same where gymnasium's environment does not have it.
    #[must_use]
    pub fn only_in_envpool(self) -> Self {
        Self { in_gymnasium: false, ..self }
    }

    /// The same where gymnasium's environment has it after steps only.
    #[must_use]
    pub fn only_after_steps(self) -> Self {
        Self { occasion: Occasion::Steps, ..self }
    }

    /// The same where gymnasium's environment has it after steps only that terminate an episode.
    #[must_use]
    pub fn only_after_terminations(self) -> Self {
        Self { occasion: Occasion::Terminations, ..self }
    }

    /// The same where EnvPool's environment has another element type for it than the narrow one.
    #[must_use]
    pub fn in_envpool_as(self, dtype: Dtype) -> Self {
        Self { envpool_dtype: dtype, ..self }
    }

    /// The same where EnvPool's specification has bounds for its values.
    #[must_use]
    pub fn in_envpool_from(self, least: i64, most: i64) -> Self {
        Self { envpool_range: Some((least, most)), ..self }
    }
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
    /// EnvPool's space for the same scalars in the same order, as it is, where it is another than the same with the 32-bit types of the
    /// same kinds.
    pub envpool_observation: Option<Space>,
    /// What EnvPool calls an observation that is one array, where it has a name for it.
    pub envpool_key: Option<&'static str>,
    /// EnvPool's space of one player's action, likewise. What is float64 in either is carried so.
    pub envpool_action: Option<Space>,
    /// Element type of EnvPool's rewards.
    pub envpool_reward: Dtype,
    /// Space of one player's action. A `Dict` gives an action array for each key.
    pub action: Space,
    /// What is said beside the refusal of an action, as the end of that sentence; empty for nothing.
    pub action_hint: &'static str,
    /// Arrays that `info` writes, in this order.
    pub info: Vec<InfoSpec>,
    /// Options that left something to be decided when it was loaded.
    pub decided: Vec<Decided>,
}

/// What was decided where an option left it open.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// The option.
    pub option: &'static str,
    /// The value that it has come to, which a configuration shows.
    pub value: Value,
    /// Why.
    pub reason: String,
}

impl EnvSpec {
    /// A single-player environment without infos.
    pub fn new(observation: Space, action: Space) -> Self {
        Self {
            players: 1,
            shared_spaces: true,
            observation,
            envpool_observation: None,
            envpool_key: None,
            envpool_action: None,
            envpool_reward: Dtype::F32,
            action,
            action_hint: "",
            info: Vec::new(),
            decided: Vec::new(),
        }
    }

    /// Rows that one environment takes in observation and action arrays.
    pub fn rows(&self) -> usize {
        if self.shared_spaces { self.players } else { 1 }
    }
}

//! Static description of an environment: spaces, players, infos and resolved options.

use crate::contract::space::{Dtype, Space};
use crate::contract::value::Value;

/// Resets and steps after which the environment emits an info.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InfoTiming {
    /// The info is emitted after every reset and every step.
    #[default]
    Always,
    /// The info is emitted after steps only.
    Steps,
    /// The info is emitted only after steps that terminate an episode, not after steps that truncate it.
    Terminations,
}

impl InfoTiming {
    /// Returns whether a row reports the info. `terminated`: whether the step terminated an episode; `is_reset`: whether the row is
    /// that of a reset.
    #[inline(always)]
    pub(crate) fn is_reported(self, terminated: bool, is_reset: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Steps => !is_reset,
            Self::Terminations => terminated & !is_reset,
        }
    }
}

/// One array of an environment's `info`.
#[derive(Debug, Clone, PartialEq)]
pub struct InfoSpec {
    /// Key in the info dict.
    pub key: &'static str,
    /// Element type of the array in gymnasium's interface.
    pub dtype: Dtype,
    /// Element type of the array in EnvPool's interface: the 32-bit type of the same kind, unless
    /// [`InfoSpec::with_envpool_dtype`] sets another.
    pub envpool_dtype: Dtype,
    /// Shape of the array for one environment.
    pub shape: Vec<usize>,
    /// Whether gymnasium's environment has this info.
    pub in_gymnasium: bool,
    /// Whether EnvPool's environment has this info.
    pub in_envpool: bool,
    /// Whether EnvPool lists this info before those for which this is false.
    pub is_first_in_envpool: bool,
    /// Minimum and maximum of the info's values, if EnvPool's specification gives a narrower range than the element type.
    pub envpool_range: Option<(i64, i64)>,
    /// Resets and steps after which gymnasium's environment emits the info.
    pub timing: InfoTiming,
}

impl InfoSpec {
    /// Creates the specification of an info that gymnasium's and EnvPool's environments both have.
    pub fn new(key: &'static str, dtype: Dtype, shape: &[usize]) -> Self {
        Self {
            key,
            dtype,
            envpool_dtype: dtype.narrow(),
            shape: shape.to_vec(),
            in_gymnasium: true,
            in_envpool: true,
            is_first_in_envpool: false,
            envpool_range: None,
            timing: InfoTiming::Always,
        }
    }

    /// Excludes the info from EnvPool's interface.
    #[must_use]
    pub fn only_in_gymnasium(self) -> Self {
        Self { in_envpool: false, ..self }
    }

    /// Puts the info before all others in EnvPool's interface.
    #[must_use]
    pub fn first_in_envpool(self) -> Self {
        Self { is_first_in_envpool: true, ..self }
    }

    /// Excludes the info from gymnasium's interface.
    #[must_use]
    pub fn only_in_envpool(self) -> Self {
        Self { in_gymnasium: false, ..self }
    }

    /// Excludes the info from the results of all interfaces. Recordings read it.
    #[must_use]
    pub fn hidden(self) -> Self {
        Self { in_gymnasium: false, in_envpool: false, ..self }
    }

    /// Emits the info only after steps, not after resets, in gymnasium's interface.
    #[must_use]
    pub fn only_after_steps(self) -> Self {
        Self { timing: InfoTiming::Steps, ..self }
    }

    /// Emits the info only after steps that terminate an episode, in gymnasium's interface.
    #[must_use]
    pub fn only_after_terminations(self) -> Self {
        Self { timing: InfoTiming::Terminations, ..self }
    }

    /// Sets the element type in EnvPool's interface, if it is not the 32-bit type of the same kind.
    #[must_use]
    pub fn with_envpool_dtype(self, dtype: Dtype) -> Self {
        Self { envpool_dtype: dtype, ..self }
    }

    /// Sets the range of the info's values in EnvPool's specification.
    #[must_use]
    pub fn with_envpool_range(self, least: i64, most: i64) -> Self {
        Self { envpool_range: Some((least, most)), ..self }
    }
}

/// Spaces, players and infos of an environment whose options are fixed.
#[derive(Debug, Clone, PartialEq)]
pub struct EnvSpec {
    /// Number of players in one environment. Observations, actions and rewards have one row for each.
    pub players: usize,
    /// Whether all players share one space, so that every observation and action array has a row per player. If the spaces differ
    /// (`false`), they are `Dict`s with one entry per player, and their arrays have one row per environment. Rewards have a row
    /// per player in both cases.
    pub shared_spaces: bool,
    /// Space of one player's observation in gymnasium (or the reference). `observe` writes its leaves, depth first, unless
    /// `written` is set.
    pub observation: Space,
    /// Space whose leaves `observe` writes, for environments whose observations have further arrays in one of the interfaces.
    /// Each leaf of `observation` and of `envpool_observation` then is the leaf of the same path in this space.
    pub written: Option<Space>,
    /// EnvPool's observation space, with the same scalars in the same order, unless `written` is set. `None` if it is the
    /// gymnasium space with 64-bit types narrowed to 32 bits.
    pub envpool_observation: Option<Space>,
    /// Name that EnvPool gives to an observation that is a single array; `None` if EnvPool gives it no name.
    pub envpool_key: Option<&'static str>,
    /// EnvPool's space of one player's action. `None` if it is the gymnasium space with 64-bit types narrowed to 32 bits. Actions
    /// that are float64 in gymnasium or EnvPool are passed as float64.
    pub envpool_action: Option<Space>,
    /// Element type of EnvPool's rewards.
    pub envpool_reward: Dtype,
    /// Space of one player's action. A `Dict` has one action array for each key.
    pub action: Space,
    /// Text appended to the error message of an invalid action; may be empty.
    pub action_hint: &'static str,
    /// Infos that the environment's `info` method writes, in this order.
    pub info: Vec<InfoSpec>,
    /// Options whose values were decided when the environment was loaded, instead of by the user.
    pub option_decisions: Vec<OptionDecision>,
}

/// Option whose value was decided at load time.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionDecision {
    /// Name of the option.
    pub option: &'static str,
    /// Decided value, which the pool's configuration contains.
    pub value: Value,
    /// Reason for the decided value.
    pub reason: String,
}

impl EnvSpec {
    /// Creates the spec of a single-player environment without infos.
    pub fn new(observation: Space, action: Space) -> Self {
        Self {
            players: 1,
            shared_spaces: true,
            observation,
            written: None,
            envpool_observation: None,
            envpool_key: None,
            envpool_action: None,
            envpool_reward: Dtype::F32,
            action,
            action_hint: "",
            info: Vec::new(),
            option_decisions: Vec::new(),
        }
    }

    /// Returns the number of rows for one environment in observation and action arrays: 1, or the number of players.
    pub fn rows(&self) -> usize {
        if self.shared_spaces { self.players } else { 1 }
    }
}

//! Normalisation of observations and rewards by running statistics: its options, and the space of its results.

use crate::contract::error::{Error, Result};
use crate::contract::space::{Dtype, Space};

/// Library whose formulas of normalisation a pool follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormalizationRules {
    /// Formulas of the vector wrappers `NormalizeObservation` and `NormalizeReward` of gymnasium 1.4.
    Gymnasium,
    /// Stable-Baselines3's `VecNormalize`.
    Sb3,
}

impl NormalizationRules {
    /// Returns the name by which pool options select these rules.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gymnasium => "gymnasium",
            Self::Sb3 => "sb3",
        }
    }

    /// Returns the rules that pool options select by `name`; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Gymnasium, Self::Sb3].into_iter().find(|rules| rules.name() == name)
    }
}

/// Default bound of clipped observations and rewards under [`NormalizationRules::Sb3`].
const SB3_CLIP: f64 = 10.0;

/// Options of a pool's normalisation of observations and rewards. By default, nothing is normalised or clipped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalizationConfig {
    /// Rules by which observations are normalised; `None` if they are not normalised.
    pub observations: Option<NormalizationRules>,
    /// Rules by which rewards are normalised; `None` if they are not normalised.
    pub rewards: Option<NormalizationRules>,
    /// Observations are clipped to `[-clip_obs, clip_obs]`, after normalisation. `None` selects the rules' bound, if any.
    pub clip_obs: Option<f64>,
    /// Rewards are clipped to `[-clip_reward, clip_reward]`, after normalisation. `None` selects the rules' bound, if any.
    pub clip_reward: Option<f64>,
    /// Discount factor of the returns whose variance scales the rewards.
    pub gamma: f64,
    /// Number added to a variance before the square root is taken, so that no divisor is zero.
    pub epsilon: f64,
}

impl Default for NormalizationConfig {
    fn default() -> Self {
        Self { observations: None, rewards: None, clip_obs: None, clip_reward: None, gamma: 0.99, epsilon: 1e-8 }
    }
}

impl NormalizationConfig {
    /// Returns whether observations or rewards are normalised or clipped.
    pub fn is_on(&self) -> bool {
        self.changes_observations() || self.changes_rewards()
    }

    /// Returns whether observations are normalised or clipped.
    pub fn changes_observations(&self) -> bool {
        self.observations.is_some() || self.clip_obs.is_some()
    }

    /// Returns whether rewards are normalised or clipped.
    pub fn changes_rewards(&self) -> bool {
        self.rewards.is_some() || self.clip_reward.is_some()
    }

    /// Returns the largest absolute value of an observation, if observations are changed; infinity without a bound.
    pub fn observation_bound(&self) -> f64 {
        self.clip_obs.unwrap_or_else(|| default_bound(self.observations))
    }

    /// Returns the largest absolute value of a reward, if rewards are changed; infinity without a bound.
    pub fn reward_bound(&self) -> f64 {
        self.clip_reward.unwrap_or_else(|| default_bound(self.rewards))
    }

    /// Checks the ranges of the bounds, of `gamma` and of `epsilon`.
    ///
    /// # Errors
    /// `Value`, naming the option.
    pub fn check(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.gamma) {
            return Err(Error::value("gamma", self.gamma, "a discount factor in [0, 1]"));
        }
        if !(self.epsilon > 0.0 && self.epsilon.is_finite()) {
            return Err(Error::value("epsilon", self.epsilon, "a finite number above 0"));
        }
        for (name, bound) in [("clip_obs", self.clip_obs), ("clip_reward", self.clip_reward)] {
            if let Some(bound) = bound.filter(|bound| bound.is_nan() || *bound <= 0.0) {
                return Err(Error::value(name, bound, "a bound above 0, or None"));
            }
        }
        Ok(())
    }

    /// Returns the space of observations that the environments report in `space`.
    ///
    /// # Errors
    /// `Value` if observations of this space cannot be normalised or clipped.
    pub fn observation_space(&self, space: Space) -> Result<Space> {
        if !self.changes_observations() {
            return Ok(space);
        }
        let bound = self.observation_bound();
        match space {
            Space::Box { shape, dtype: Dtype::F32 | Dtype::F64, .. } if self.observations.is_some() => {
                Ok(Space::uniform(-bound, bound, &shape, Dtype::F32))
            }
            Space::Box { low, high, shape, dtype: dtype @ (Dtype::F32 | Dtype::F64) } => {
                let clip = |values: Vec<f64>| values.into_iter().map(|value| value.clamp(-bound, bound)).collect();
                Ok(Space::Box { low: clip(low), high: clip(high), shape, dtype })
            }
            other => Err(self.unsupported_space_error(&other)),
        }
    }

    fn unsupported_space_error(&self, space: &Space) -> Error {
        let reason = format!("because observations are {space}, and only a Box of floats can be changed");
        match self.observations {
            Some(rules) => Error::value("normalize_obs", rules.name(), format_args!("False, {reason}")),
            None => Error::value("clip_obs", self.observation_bound(), format_args!("None, {reason}")),
        }
    }
}

fn default_bound(rules: Option<NormalizationRules>) -> f64 {
    if rules == Some(NormalizationRules::Sb3) { SB3_CLIP } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(rules: NormalizationRules) -> NormalizationConfig {
        NormalizationConfig { observations: Some(rules), ..NormalizationConfig::default() }
    }

    #[test]
    fn numbers_out_of_range_are_refused_by_name() {
        let config = NormalizationConfig::default();
        for (wrong, name) in [
            (NormalizationConfig { gamma: 1.01, ..config }, "gamma=1.01"),
            (NormalizationConfig { gamma: f64::NAN, ..config }, "gamma=NaN"),
            (NormalizationConfig { epsilon: 0.0, ..config }, "epsilon=0"),
            (NormalizationConfig { epsilon: f64::INFINITY, ..config }, "epsilon=inf"),
            (NormalizationConfig { clip_obs: Some(-1.0), ..config }, "clip_obs=-1"),
            (NormalizationConfig { clip_reward: Some(f64::NAN), ..config }, "clip_reward=NaN"),
        ] {
            let error = wrong.check().unwrap_err().to_string();
            assert!(error.starts_with(name), "{error}");
        }
        assert_eq!(NormalizationConfig { clip_obs: Some(f64::INFINITY), ..config }.check(), Ok(()));
    }

    #[test]
    fn normalised_observations_are_unbounded_float32_unless_they_are_clipped() {
        let space = || Space::uniform(-2.0, 3.0, &[2], Dtype::F64);
        let bounded = |bound: f64| Ok(Space::uniform(-bound, bound, &[2], Dtype::F32));
        assert_eq!(normalized(NormalizationRules::Gymnasium).observation_space(space()), bounded(f64::INFINITY));
        assert_eq!(normalized(NormalizationRules::Sb3).observation_space(space()), bounded(10.0));
        let clipped = NormalizationConfig { clip_obs: Some(2.5), ..NormalizationConfig::default() };
        assert_eq!(clipped.observation_space(space()), Ok(Space::uniform(-2.0, 2.5, &[2], Dtype::F64)));
    }

    #[test]
    fn observations_that_are_no_box_of_floats_are_refused() {
        for space in [Space::discrete(3), Space::uniform(0.0, 255.0, &[2], Dtype::U8), Space::Tuple(Vec::new())] {
            let error = normalized(NormalizationRules::Sb3).observation_space(space).unwrap_err().to_string();
            assert!(error.starts_with("normalize_obs=sb3: expected False"), "{error}");
        }
    }
}

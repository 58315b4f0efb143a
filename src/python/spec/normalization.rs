//! Options of normalisation.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::convert::{repr, wrong_type};
use crate::given::Kwargs;
use crate::raise::{OrRaise, Raise};
use envpool_rs_engine::{Error, NormalizationConfig, NormalizationRules};

/// Takes the options of normalisation out of the keyword arguments, and checks them.
pub(super) fn take_normalization(given: &mut Kwargs<'_>) -> PyResult<NormalizationConfig> {
    let defaults = NormalizationConfig::default();
    let config = NormalizationConfig {
        observations: take_rules(given, "normalize_obs")?,
        rewards: take_rules(given, "normalize_reward")?,
        clip_obs: take_number(given, "clip_obs", "a float or None")?,
        clip_reward: take_number(given, "clip_reward", "a float or None")?,
        gamma: take_number(given, "gamma", "a float")?.unwrap_or(defaults.gamma),
        epsilon: take_number(given, "epsilon", "a float")?.unwrap_or(defaults.epsilon),
    };
    config.check().or_raise()?;
    Ok(config)
}

/// Takes the rules of normalisation out of the keyword argument `name`. `True` selects gymnasium's rules; `False` or `None`
/// selects no normalisation.
fn take_rules(given: &mut Kwargs<'_>, name: &str) -> PyResult<Option<NormalizationRules>> {
    let Some(value) = given.take_some(name) else { return Ok(None) };
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(flag.then_some(NormalizationRules::Gymnasium));
    }
    let expected = "True, False, \"gymnasium\" or \"sb3\"";
    let Ok(text) = value.extract::<String>() else { return Err(wrong_type(name, &value, expected)) };
    match NormalizationRules::from_name(&text) {
        Some(rules) => Ok(Some(rules)),
        None => Err(Error::value(name, repr(&value), expected).into_py_err()),
    }
}

fn take_number(given: &mut Kwargs<'_>, name: &str, expected: &str) -> PyResult<Option<f64>> {
    let Some(value) = given.take_some(name) else { return Ok(None) };
    match value.extract::<f64>() {
        Ok(number) if !value.is_instance_of::<PyBool>() => Ok(Some(number)),
        _ => Err(wrong_type(name, &value, expected)),
    }
}

/// Adds the options of normalisation to a configuration dict.
pub(super) fn set_items(config: &Bound<'_, PyDict>, normalization: &NormalizationConfig) -> PyResult<()> {
    for (name, rules) in [("normalize_obs", normalization.observations), ("normalize_reward", normalization.rewards)] {
        match rules {
            Some(rules) => config.set_item(name, rules.name())?,
            None => config.set_item(name, false)?,
        }
    }
    config.set_item("clip_obs", normalization.clip_obs)?;
    config.set_item("clip_reward", normalization.clip_reward)?;
    config.set_item("gamma", normalization.gamma)?;
    config.set_item("epsilon", normalization.epsilon)
}

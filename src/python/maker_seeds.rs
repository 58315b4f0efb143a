//! Parses the `seed` argument with which a pool is created, and converts it for the pool's configuration.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMapping, PyString};

use super::convert::{entries, entry_count, integer, wrong_type};
use crate::raise::OrRaise;
use envpool_rs_engine::{self as engine, check_seed, consecutive_seeds};

/// Seeds of the environments of a new pool, and the `seed` argument from which they were derived.
pub struct MakerSeeds {
    /// The `seed` argument as integers.
    pub option: SeedOption,
    /// Seed of each environment's generator, in `[0, 2^63)`.
    pub per_env: Vec<u64>,
}

/// The `seed` argument as integers.
pub enum SeedOption {
    /// First seed, as the caller gave it: environment `i` gets this number plus `i`.
    First(i64),
    /// One seed for each environment.
    Each(Vec<i64>),
}

impl MakerSeeds {
    /// Parses the `seed` argument for `count` environments: an int, or a sequence with one int for each environment.
    ///
    /// # Errors
    /// `TypeError` for other types, among them sets and mappings, whose order has no meaning. `ValueError` for a seed outside
    /// `[-2^31, 2^63)` and for a sequence of another length.
    pub fn parse(seed: &Bound<'_, PyAny>, count: usize) -> PyResult<Self> {
        if seed.hasattr("__index__")? && seed.len().is_err() {
            let first = integer("seed", seed)?;
            let drawn = match first {
                0.. => consecutive_seeds(first, count).or_raise()?,
                _ => (first..first + count as i128).map(wrap_negative_seed).collect::<engine::Result<_>>().or_raise()?,
            };
            return Ok(Self { option: SeedOption::First(to_i64(first)), per_env: drawn });
        }
        if !is_ordered(seed)? {
            return Err(wrong_type("seed", seed, "an int, or a sequence of ints"));
        }
        let each = entries(seed, count, |entry| {
            let entry = integer("seed", &entry?)?;
            Ok((wrap_negative_seed(entry).or_raise()?, to_i64(entry)))
        })?;
        if each.len() != count {
            let got = entry_count(each.len(), count);
            return Err(PyValueError::new_err(format!("seed has {got}: expected num_envs={count}")));
        }
        let (drawn, given) = each.into_iter().unzip();
        Ok(Self { option: SeedOption::Each(given), per_env: drawn })
    }

    /// Returns consecutive seeds, starting at `first`.
    ///
    /// # Errors
    /// `Value` if one of the seeds is outside `[0, 2^63)`.
    pub fn consecutive(first: u64, count: usize) -> engine::Result<Self> {
        let drawn = consecutive_seeds(i128::from(first), count)?;
        Ok(Self { option: SeedOption::First(to_i64(i128::from(first))), per_env: drawn })
    }
}

impl SeedOption {
    /// Converts the `seed` argument back to Python: an int, or a list of ints.
    pub fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::First(first) => Ok(first.into_pyobject(py)?.into_any()),
            Self::Each(seeds) => seeds.into_pyobject(py),
        }
    }
}

/// Returns whether a value is a sequence whose order has a meaning: not a string, bytes, a mapping or a set.
fn is_ordered(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    if is_text || value.cast::<PyMapping>().is_ok() || value.try_iter().is_err() {
        return Ok(false);
    }
    let sets = value.py().import("collections.abc")?.getattr("Set")?;
    Ok(!value.is_instance(&sets)?)
}

/// Converts a seed to int64. The seed fits, because [`wrap_negative_seed`] has accepted it.
fn to_i64(seed: i128) -> i64 {
    i64::try_from(seed).expect("a checked seed lies in [-2^31, 2^63)")
}

/// Converts a seed to the seed of a random generator. As in EnvPool, the 32 bits of a negative seed are read as an unsigned
/// integer.
///
/// # Errors
/// `Value` if the seed is outside `[-2^31, 2^63)`.
fn wrap_negative_seed(seed: i128) -> engine::Result<u64> {
    if seed < i128::from(i32::MIN) {
        return Err(engine::Error::value("seed", seed, "-2**31 or more, and below 2**63"));
    }
    check_seed(if seed < 0 { seed + (1 << 32) } else { seed })
}

/// Parses the `seed` argument for `num_envs` environments. Returns the argument as Python ints, and the seed of each
/// environment's random generator.
#[pyfunction]
pub fn maker_seeds<'py>(seed: &Bound<'py, PyAny>, num_envs: usize) -> PyResult<(Bound<'py, PyAny>, Vec<u64>)> {
    let seeds = MakerSeeds::parse(seed, num_envs)?;
    Ok((seeds.option.to_python(seed.py())?, seeds.per_env))
}

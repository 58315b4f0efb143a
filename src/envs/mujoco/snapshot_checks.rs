//! Checks of the snapshots of simulations.

use envpool_rs_engine::{Result, refused_state};

/// Checks the length of an array in a snapshot. Fails with `Value` if the length differs from `expected`.
pub fn check_len(name: &str, len: usize, expected: usize) -> Result<()> {
    match len == expected {
        true => Ok(()),
        false => Err(refused_state(&format!("its {name} has {len} values instead of {expected}"))),
    }
}

/// Checks that all numbers of a snapshot are finite. Fails with `Value` for infinities and NaN.
pub fn check_finite<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Result<()> {
    match numbers.into_iter().all(|number| number.is_finite()) {
        true => Ok(()),
        false => Err(refused_state("its values are out of range")),
    }
}

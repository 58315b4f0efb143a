//! Statistics of a pool's normalisation in the form that callers read, change and save.

use serde::{Deserialize, Serialize};

use crate::contract::error::{Error, Result};
use crate::results::normalize::running_mean_std::{INITIAL_COUNT, RunningMeanStd};

/// Statistics by which a pool normalises observations and rewards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NormalizationState {
    /// Statistics of observations; `None` if observations are not normalised.
    pub observations: Option<RunningMeanStd>,
    /// Statistics of discounted returns; `None` if rewards are not normalised.
    pub returns: Option<RunningMeanStd>,
    /// Discounted return of each player of each lane; empty if rewards are not changed.
    pub discounted_returns: Vec<f64>,
    /// Whether batches update the statistics; false for evaluation.
    pub update_running_mean: bool,
}

/// Discounted returns of one lane.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LaneReturns {
    /// Discounted return of each player.
    pub returns: Vec<f64>,
    /// Whether the lane's episode had ended in its last row.
    pub has_ended: bool,
}

/// State of normalisation in a lane's snapshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedNormalization {
    pub lane: LaneReturns,
    /// Statistics of the pool, without the lanes' returns. Of the snapshots of all lanes, only the first contains them.
    pub statistics: Option<NormalizationState>,
}

impl NormalizationState {
    /// Checks that these statistics have the same number of elements as `current`.
    ///
    /// # Errors
    /// `Value`, naming the attribute.
    pub(super) fn check_size(&self, current: &Self) -> Result<()> {
        check_size("obs_rms", self.observations.as_ref(), current.observations.as_ref())?;
        check_size("return_rms", self.returns.as_ref(), current.returns.as_ref())
    }

    /// Checks that this value has as many discounted returns as `current`.
    ///
    /// # Errors
    /// `Value`, naming the attribute.
    pub(super) fn check_returns(&self, current: &Self) -> Result<()> {
        let (got, expected) = (self.discounted_returns.len(), current.discounted_returns.len());
        match got == expected {
            true => Ok(()),
            false => Err(Error::value("returns", format_args!("[{got} values]"), format_args!("{expected} values"))),
        }
    }

    /// Checks that a batch of numbers near 0 keeps these statistics, and the results, finite. Numbers of `current`, which this state
    /// replaces, are allowed: infinite results of an environment may have made them infinite or NaN.
    ///
    /// # Errors
    /// `Value`, naming the attribute and its range.
    pub(super) fn check_values(&self, current: &Self, limits: &StateLimits) -> Result<()> {
        check_values("obs_rms", self.observations.as_ref(), current.observations.as_ref(), &limits.observations)?;
        check_values("return_rms", self.returns.as_ref(), current.returns.as_ref(), &limits.returns)?;
        let bound = limits.largest_return;
        let mut changed =
            self.discounted_returns.iter().zip(&current.discounted_returns).filter(|(a, b)| a.to_bits() != b.to_bits());
        match changed.find(|(value, _)| is_outside(**value, bound)) {
            Some((value, _)) => Err(Error::value("returns", shown(*value), format_args!("numbers from -{bound:e} to {bound:e}"))),
            None => Ok(()),
        }
    }

    /// Checks that a pool could have computed these statistics of a snapshot, from any results of its environments. Infinite
    /// results, and results whose squares overflow, make a variance infinite or NaN first, and then the mean, for good.
    ///
    /// # Errors
    /// `Value`, naming the attribute and its range.
    pub(super) fn check_possible(&self, limits: &StateLimits) -> Result<()> {
        check_computable("obs_rms", self.observations.as_ref(), limits.observations.largest)?;
        check_computable("return_rms", self.returns.as_ref(), limits.returns.largest)
    }
}

/// Largest values of a [`NormalizationState`] that callers may set.
pub struct StateLimits {
    pub observations: MomentLimits,
    pub returns: MomentLimits,
    pub largest_return: f64,
}

/// Largest values of statistics, such that merging a batch does not overflow.
pub struct MomentLimits {
    /// Largest number of the type in which batches are merged.
    pub largest: f64,
    /// Number of rows of a batch.
    pub rows: usize,
    /// Number added to variances.
    pub epsilon: f64,
    /// Whether statistics before the first batch are float32, like the arrays that gymnasium starts with.
    pub starts_narrow: bool,
}

impl MomentLimits {
    /// Returns the largest variance of `count` rows: their sum of squares must not overflow.
    fn var(&self, count: f64) -> f64 {
        let largest = if self.starts_narrow && count == INITIAL_COUNT { f64::from(f32::MAX) } else { self.largest };
        power_of_ten(largest / (MARGIN * count.max(1.0)))
    }

    /// Returns the largest absolute mean of `count` rows with the variance `var`: neither its square times the numbers of rows may
    /// overflow, nor a result, a float32.
    fn mean(&self, count: f64, var: f64) -> f64 {
        let merged = (self.largest / (MARGIN * count.max(1.0)) / self.rows.max(1) as f64).sqrt();
        power_of_ten(merged.min(f64::from(f32::MAX) / MARGIN * (var + self.epsilon).sqrt()))
    }
}

/// Factor between the largest allowed values and values that overflow.
const MARGIN: f64 = 16.0;

/// Largest number of rows: up to this number, each row changes a float64 count.
const MAX_COUNT: f64 = (1_u64 << 53) as f64;

/// Returns the largest absolute value of `count` discounted returns, whose sum of squares is at most `largest`.
pub fn largest_return(largest: f64, count: usize) -> f64 {
    power_of_ten((largest / (MARGIN * count.max(1) as f64)).sqrt())
}

/// Returns the largest power of ten that is at most `number`, for ranges that read well.
fn power_of_ten(number: f64) -> f64 {
    10_f64.powf(number.log10().floor())
}

fn is_outside(value: f64, bound: f64) -> bool {
    value.is_nan() || value.abs() > bound
}

fn check_size(name: &str, given: Option<&RunningMeanStd>, current: Option<&RunningMeanStd>) -> Result<()> {
    let (given, current) = match (given, current) {
        (None, None) => return Ok(()),
        (Some(given), Some(current)) => (given, current),
        (given, _) => {
            let got = if given.is_some() { "statistics" } else { "None" };
            return Err(Error::value(name, got, "statistics exactly if the pool normalises these values"));
        }
    };
    for (part, got) in [("mean", &given.mean), ("var", &given.var)] {
        if got.len() != current.mean.len() {
            let wanted = format!("{} values", current.mean.len());
            return Err(Error::value(&format!("{name}.{part}"), format_args!("[{} values]", got.len()), wanted));
        }
    }
    Ok(())
}

/// Checks the numbers of given statistics, unless they are the current ones.
fn check_values(
    name: &str,
    given: Option<&RunningMeanStd>,
    current: Option<&RunningMeanStd>,
    limits: &MomentLimits,
) -> Result<()> {
    let Some(given) = given.filter(|given| !current.is_some_and(|current| given.has_bits_of(current))) else {
        return Ok(());
    };
    check_count(name, given.count)?;
    let bound = limits.var(given.count);
    if let Some(var) = given.var.iter().find(|var| is_outside(**var, bound) || **var < 0.0) {
        let range = format_args!("0 to {bound:e}, with count={}", given.count);
        return Err(Error::value(&format!("{name}.var"), shown(*var), range));
    }
    for (mean, var) in given.mean.iter().zip(&given.var) {
        let bound = limits.mean(given.count, *var);
        if is_outside(*mean, bound) {
            let range = format_args!("-{bound:e} to {bound:e}, with var={} and count={}", shown(*var), given.count);
            return Err(Error::value(&format!("{name}.mean"), shown(*mean), range));
        }
    }
    Ok(())
}

/// Checks that merging batches can yield these statistics, with numbers of at most `largest` or without bounds.
fn check_computable(name: &str, statistics: Option<&RunningMeanStd>, largest: f64) -> Result<()> {
    let Some(statistics) = statistics else { return Ok(()) };
    check_count(name, statistics.count)?;
    for (&mean, &var) in statistics.mean.iter().zip(&statistics.var) {
        if var < 0.0 || (var.is_finite() && var > largest) {
            return Err(Error::value(&format!("{name}.var"), shown(var), format_args!("0 to {}, or inf", shown(largest))));
        }
        if var.is_nan() && mean.is_finite() {
            return Err(Error::value(&format!("{name}.var"), var, format_args!("0 or more, with mean={}", shown(mean))));
        }
        if (mean.is_finite() || var.is_finite()) && is_outside(mean, largest) {
            let bound = shown(largest);
            let range = format_args!("-{bound} to {bound}, with var={}", shown(var));
            return Err(Error::value(&format!("{name}.mean"), shown(mean), range));
        }
    }
    Ok(())
}

/// Formats a number; large ones in scientific notation.
fn shown(number: f64) -> String {
    if number.abs() < 1e16 { number.to_string() } else { format!("{number:e}") }
}

fn check_count(name: &str, count: f64) -> Result<()> {
    match count > 0.0 && count <= MAX_COUNT {
        true => Ok(()),
        false => Err(Error::value(&format!("{name}.count"), shown(count), format_args!("a number above 0, at most {MAX_COUNT}"))),
    }
}

//! Statistics of a pool's normalisation in the form that callers read, change and save.

use serde::{Deserialize, Serialize};

use crate::contract::error::{Error, Result};
use crate::results::normalize::running_mean_std::RunningMeanStd;

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

    /// Checks that the numbers are possible means, variances and counts: for example, that no variance is negative. `current` is the
    /// state that they replace.
    ///
    /// # Errors
    /// `Value`, naming the attribute.
    pub(super) fn check_values(&self, current: &Self) -> Result<()> {
        check_values("obs_rms", self.observations.as_ref(), current.observations.as_ref())?;
        check_values("return_rms", self.returns.as_ref(), current.returns.as_ref())?;
        match self.discounted_returns.iter().find(|value| value.is_nan()) {
            Some(value) => Err(Error::value("returns", value, "numbers")),
            None => Ok(()),
        }
    }
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

/// Checks the numbers of given statistics, unless they are the current ones, which NaN in results makes NaN.
fn check_values(name: &str, given: Option<&RunningMeanStd>, current: Option<&RunningMeanStd>) -> Result<()> {
    let Some(given) = given.filter(|given| !current.is_some_and(|current| given.has_bits_of(current))) else {
        return Ok(());
    };
    if let Some(mean) = given.mean.iter().find(|mean| mean.is_nan()) {
        return Err(Error::value(&format!("{name}.mean"), mean, "numbers"));
    }
    if let Some(var) = given.var.iter().find(|var| var.is_nan() || **var < 0.0) {
        return Err(Error::value(&format!("{name}.var"), var, "0 or more"));
    }
    match given.count > 0.0 && given.count.is_finite() {
        true => Ok(()),
        false => Err(Error::value(&format!("{name}.count"), given.count, "a finite number above 0")),
    }
}

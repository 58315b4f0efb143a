//! Running mean and variance, updated batch by batch.

use serde::{Deserialize, Serialize};

use envpool_rs_numeric::reduce::Float;

/// Number of rows that statistics start with, as in gymnasium and Stable-Baselines3.
pub const INITIAL_COUNT: f64 = 1e-4;

/// Running mean and population variance of rows of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunningMeanStd {
    /// Mean of each column; 0 at first.
    pub mean: Vec<f64>,
    /// Variance of each column; 1 at first.
    pub var: Vec<f64>,
    /// Number of rows; 1e-4 at first.
    pub count: f64,
}

/// Moments of a batch: mean and variance of each column, and the number of rows.
pub struct BatchMoments<'a, B> {
    pub mean: &'a [B],
    pub var: &'a [B],
    pub count: f64,
}

impl RunningMeanStd {
    /// Creates the statistics of rows of `width` numbers, before the first batch.
    pub fn new(width: usize) -> Self {
        Self { mean: vec![0.0; width], var: vec![1.0; width], count: INITIAL_COUNT }
    }

    /// Returns whether no batch has been merged into the statistics.
    pub fn is_initial(&self) -> bool {
        self.count == INITIAL_COUNT
    }

    /// Returns whether all numbers have the same bits as those of `other`.
    pub fn has_bits_of(&self, other: &Self) -> bool {
        let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        bits(&self.mean) == bits(&other.mean)
            && bits(&self.var) == bits(&other.var)
            && self.count.to_bits() == other.count.to_bits()
    }

    /// Merges the moments of a batch by the parallel algorithm of Chan, Golub and LeVeque. The statistics are rounded to `S`, as
    /// in numpy arrays of this type. `S` must be at least as wide as `B`. `is_narrow` is whether the variances before the batch are
    /// float32, as gymnasium's initial ones: numpy then multiplies them by the count in float32.
    pub fn merge_batch<S: Float, B: Float>(&mut self, batch: &BatchMoments<'_, B>, is_narrow: bool) {
        let total = self.count + batch.count;
        let (own, rows, sum) = (S::round(self.count), S::round(batch.count), S::round(total));
        for k in 0..self.mean.len() {
            let (mean, var) = (S::round(self.mean[k]), S::round(self.var[k]));
            let delta = S::round(batch.mean[k].widen()) - mean;
            let of_batch = S::round((batch.var[k] * B::round(batch.count)).widen());
            let of_own = if is_narrow { S::round((self.var[k] as f32 * self.count as f32).into()) } else { var * own };
            let spread = of_own + of_batch + delta * delta * own * rows / sum;
            self.mean[k] = (mean + delta * rows / sum).widen();
            self.var[k] = (spread / sum).widen();
        }
        self.count = total;
    }

    /// Merges the statistics `other`, of rows of the same width, into this value.
    pub fn merge(&mut self, other: &Self) {
        self.merge_batch::<f64, f64>(&BatchMoments { mean: &other.mean, var: &other.var, count: other.count }, false);
    }
}

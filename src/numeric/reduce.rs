//! Computes numpy's `mean` and `var` along the first axis of C-contiguous float arrays, bit for bit.
//!
//! numpy adds the rows of an array one after another; if each row has a single number, numpy adds the numbers pairwise.
//! `tests/python/pools/test_normalization.py` compares results with the installed numpy.

use std::ops::{Add, Div, Mul, Sub};

use crate::numpy::sum_by;
use crate::simd::{SimdKernel, SimdLevel};

/// Float type of an array: `f32` or `f64`.
pub trait Float:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + 'static
{
    /// Rounds a float64.
    fn round(value: f64) -> Self;
    /// Converts the number to float64, exactly.
    fn widen(self) -> f64;
    /// Returns the square root of the number.
    fn square_root(self) -> Self;
}

impl Float for f32 {
    #[inline(always)]
    fn round(value: f64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn square_root(self) -> Self {
        self.sqrt()
    }
}

impl Float for f64 {
    #[inline(always)]
    fn round(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }

    #[inline(always)]
    fn square_root(self) -> Self {
        self.sqrt()
    }
}

/// Computes `numpy.mean(rows, axis=0)` and `numpy.var(rows, axis=0)` of rows of `mean.len()` numbers.
///
/// # Panics
/// If there is no row, or if the lengths do not fit together.
pub fn mean_and_variance<T: Float>(rows: &[T], mean: &mut [T], variance: &mut [T]) {
    let width = mean.len();
    assert!(!rows.is_empty() && rows.len().is_multiple_of(width) && variance.len() == width, "rows of another length");
    let count = T::round((rows.len() / width) as f64);
    if width == 1 {
        mean[0] = pairwise_sum(rows, &|value| value) / count;
        let center = mean[0];
        variance[0] = pairwise_sum(rows, &|value| square(value - center)) / count;
        return;
    }
    SimdLevel::detect().run(ColumnMoments { rows, count, mean, variance });
}

#[inline(always)]
fn square<T: Float>(value: T) -> T {
    value * value
}

/// Computation of the mean and variance of each column.
struct ColumnMoments<'a, T> {
    rows: &'a [T],
    count: T,
    mean: &'a mut [T],
    variance: &'a mut [T],
}

impl<T: Float> SimdKernel for ColumnMoments<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let (width, mut first) = (self.mean.len(), 0);
        while width - first >= 16 {
            self.columns::<16>(first);
            first += 16;
        }
        if width - first >= 8 {
            self.columns::<8>(first);
            first += 8;
        }
        if width - first >= 4 {
            self.columns::<4>(first);
            first += 4;
        }
        if width - first >= 2 {
            self.columns::<2>(first);
            first += 2;
        }
        if width > first {
            self.columns::<1>(first);
        }
    }
}

impl<T: Float> ColumnMoments<'_, T> {
    /// Computes the moments of `C` columns, with one sum per column in registers.
    #[inline(always)]
    fn columns<const C: usize>(&mut self, first: usize) {
        let mut mean = self.sums::<C>(first, |value, _| value);
        for (mean, out) in mean.iter_mut().zip(&mut self.mean[first..]) {
            *mean = *mean / self.count;
            *out = *mean;
        }
        let sums = self.sums::<C>(first, |value, k| square(value - mean[k]));
        for (sum, out) in sums.into_iter().zip(&mut self.variance[first..]) {
            *out = sum / self.count;
        }
    }

    #[inline(always)]
    fn sums<const C: usize>(&self, first: usize, term: impl Fn(T, usize) -> T) -> [T; C] {
        let mut sums = [T::default(); C];
        for row in self.rows.chunks_exact(self.mean.len()) {
            let row: &[T; C] = row[first..first + C].try_into().expect("the slice has C numbers");
            for k in 0..C {
                sums[k] = sums[k] + term(row[k], k);
            }
        }
        sums
    }
}

/// Returns the sum of `term` over all values, added pairwise as numpy does.
fn pairwise_sum<T: Float>(values: &[T], term: &impl Fn(T) -> T) -> T {
    // numpy adds the sum to 0, which matters for a sum of -0 only.
    T::default() + sum_by(0, values.len(), &|index| term(values[index]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `count` numbers of different sizes.
    fn numbers<T: Float>(count: usize) -> Vec<T> {
        (0..count).map(|i| T::round(((i * 7919 % 1009) as f64 / 31.0 - 11.0) * 1.37)).collect()
    }

    #[test]
    fn columns_are_added_row_after_row_in_blocks_of_any_width() {
        for width in [2, 3, 4, 5, 8, 11, 17, 31, 40] {
            let rows = numbers::<f32>(width * 37);
            let (mut mean, mut variance) = (vec![0.0; width], vec![0.0; width]);
            mean_and_variance(&rows, &mut mean, &mut variance);
            for k in 0..width {
                let column = || rows.iter().skip(k).step_by(width);
                let center = column().fold(0.0, |sum, value| sum + value) / 37.0;
                let spread = column().fold(0.0, |sum, value| sum + square(value - center)) / 37.0;
                assert_eq!((mean[k], variance[k]), (center, spread), "column {k} of {width}");
            }
        }
    }

    #[test]
    fn single_numbers_are_added_pairwise() {
        // numpy adds these 265 float32 values in several blocks. The expected bits were recorded from numpy 2.4.
        let values: Vec<f32> = (0..265).map(|i| (i as f32) * 0.1 + 1000.0).collect();
        let (mut mean, mut variance) = ([0.0_f32], [0.0_f32]);
        mean_and_variance(&values, &mut mean, &mut variance);
        assert_eq!((mean[0].to_bits(), variance[0].to_bits()), (RECORDED.0, RECORDED.1));
    }

    /// Bits of `numpy.mean` and `numpy.var` of `numpy.float32(numpy.arange(265)) * numpy.float32(0.1) + numpy.float32(1000)`.
    const RECORDED: (u32, u32) = (0x447d_4ccd, 0x426a_147b);

    #[test]
    fn the_mean_of_negative_zeros_is_zero() {
        for width in [1, 2] {
            let (mut mean, mut variance) = (vec![1.0; width], vec![1.0; width]);
            mean_and_variance(&[-0.0; 6], &mut mean, &mut variance);
            assert!(mean.iter().chain(&variance).all(|value: &f64| value.to_bits() == 0));
        }
    }
}

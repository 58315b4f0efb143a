//! Loops over the elements of observations, compiled for each level of vector instructions.

use std::ops::Range;

use envpool_rs_numeric::reduce::Float;
use envpool_rs_numeric::simd::SimdKernel;

/// Size of rows, and of tiles: the groups of consecutive elements that a kernel processes together.
#[derive(Debug, Clone, Copy)]
pub struct TileShape {
    /// Number of elements of a row. A row holds the observation of one player of one environment.
    pub width: usize,
    /// Number of rows of one environment.
    rows_per_env: usize,
}

impl TileShape {
    /// Minimum number of elements of a tile, so that the overhead of its loop is small.
    const ELEMENTS: usize = 128;

    pub fn new(width: usize, rows_per_env: usize) -> Self {
        Self { width, rows_per_env }
    }

    /// Returns the number of elements of a tile: a multiple of the width.
    pub fn tile(self) -> usize {
        Self::ELEMENTS.next_multiple_of(self.width.max(1))
    }

    /// Returns the elements of environment number `row` of a batch.
    pub fn elements(self, row: usize) -> Range<usize> {
        let len = self.width * self.rows_per_env;
        row * len..(row + 1) * len
    }
}

/// Clips numbers to `[-bound, bound]`; NaN stays NaN.
pub struct Clip<'a, T> {
    pub values: &'a mut [T],
    pub bound: T,
}

impl<T: Float + PartialOrd> SimdKernel for Clip<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for value in self.values {
            *value = clipped(*value, self.bound);
        }
    }
}

#[inline(always)]
pub fn clipped<T: Float + PartialOrd>(value: T, bound: T) -> T {
    let low = T::default() - bound;
    let value = if value < low { low } else { value };
    if value > bound { bound } else { value }
}

/// Subtracts the mean and divides by the divisor of each element, in type `S`; then rounds to float32 and clips. Reads `input`, or
/// the elements of `output` if it is `()`.
pub struct Normalize<'a, S, I, O> {
    pub input: I,
    pub output: O,
    /// Mean of each element of a tile, in the order of the elements in the rows.
    pub mean: &'a [S],
    pub divisor: &'a [S],
    pub bound: f32,
}

#[inline(always)]
fn normalized<B: Float, S: Float>(value: B, mean: S, divisor: S, bound: f32) -> f32 {
    let value = (S::round(value.widen()) - mean) / divisor;
    clipped(value.widen() as f32, bound)
}

impl<S: Float> SimdKernel for Normalize<'_, S, (), &mut [f32]> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for output in self.output.chunks_mut(self.mean.len()) {
            let (mean, divisor) = (&self.mean[..output.len()], &self.divisor[..output.len()]);
            for i in 0..output.len() {
                output[i] = normalized(output[i], mean[i], divisor[i], self.bound);
            }
        }
    }
}

impl<B: Float, S: Float> SimdKernel for Normalize<'_, S, &[B], &mut [f32]> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let tile = self.mean.len();
        for (input, output) in self.input.chunks(tile).zip(self.output.chunks_mut(tile)) {
            let (mean, divisor) = (&self.mean[..output.len()], &self.divisor[..output.len()]);
            let input = &input[..output.len()];
            for i in 0..output.len() {
                output[i] = normalized(input[i], mean[i], divisor[i], self.bound);
            }
        }
    }
}

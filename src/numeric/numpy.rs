//! Sums, norms and clipping with the same order of operations and the same roundings as numpy.

use crate::reduce::Float;
use envpool_rs_sync::ForkOnce;

/// Maximum number of elements that numpy sums without splitting the array.
const BLOCK: usize = 128;
/// Number of partial sums with which numpy sums a block of up to `BLOCK` elements.
const LANES: usize = 8;

/// Computes `np.sum` of a contiguous array.
///
/// As in numpy, up to 7 numbers are added from left to right, and up to 128 in eight partial sums. Longer arrays are split in
/// halves.
pub fn sum<T: Float>(values: &[T]) -> T {
    sum_by(0, values.len(), &|index| values[index])
}

/// Computes `np.sum(np.square(values))`.
pub fn sum_of_squares<T: Float>(values: &[T]) -> T {
    sum_by(0, values.len(), &|index| values[index] * values[index])
}

/// Computes `np.sum` over `value(index)` for each index in `start..start + len`.
pub fn sum_by<T: Float>(start: usize, len: usize, value: &impl Fn(usize) -> T) -> T {
    if len < LANES {
        return (start..start + len).fold(T::default(), |total, index| total + value(index));
    }
    if len > BLOCK {
        let half = len / 2 - len / 2 % LANES;
        return sum_by(start, half, value) + sum_by(start + half, len - half, value);
    }
    let mut sums: [T; LANES] = std::array::from_fn(|lane| value(start + lane));
    let whole = len - len % LANES;
    for row in (LANES..whole).step_by(LANES) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum = *sum + value(start + row + lane);
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    let total = ((a + b) + (c + d)) + ((e + f) + (g + h));
    (start + whole..start + len).fold(total, |total, index| total + value(index))
}

/// Rounding of the products in dot products of short vectors, which depends on the kernels of numpy's BLAS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DotRounding {
    /// Each product is rounded before it is added to the sum.
    Rounded,
    /// Products are added by fused multiply-add, without being rounded.
    Fused,
}

static DOTS: ForkOnce<DotRounding> = ForkOnce::new();
/// Rounding of the products in matrix products. numpy's BLAS has separate kernels for matrix products and for dot products.
static MATRIX_DOTS: ForkOnce<DotRounding> = ForkOnce::new();

impl DotRounding {
    const ALL: [Self; 2] = [Self::Fused, Self::Rounded];

    /// Returns the rounding that reproduces the dot products of all examples; `None` if neither rounding does. Each example
    /// holds a first vector, a second vector and their dot product.
    ///
    /// The caller computes the examples with the numpy in use, because numpy's kernels depend on the processor and on
    /// environment variables.
    pub fn that_give(examples: &[(Vec<f64>, Vec<f64>, f64)]) -> Option<Self> {
        let gives = |rounding: Self| examples.iter().all(|(first, second, product)| rounding.product(first, second) == *product);
        Self::ALL.into_iter().find(|rounding| gives(*rounding))
    }

    /// Sets the rounding that [`dot`] and [`norm`] use for the whole process. Only the first call has an effect.
    pub fn adopt(self) {
        DOTS.get_or_init(|| self);
    }

    /// Sets the rounding that [`matrix_dot`] uses for the whole process. Only the first call has an effect.
    pub fn adopt_for_matrices(self) {
        MATRIX_DOTS.get_or_init(|| self);
    }

    fn product(self, first: &[f64], second: &[f64]) -> f64 {
        let pairs = first.iter().zip(second);
        match self {
            Self::Rounded => pairs.fold(0.0, |total, (first, second)| total + first * second),
            Self::Fused => pairs.fold(0.0_f64, |total, (first, second)| first.mul_add(*second, total)),
        }
    }
}

/// Computes `np.dot` of short vectors.
pub fn dot(first: &[f64], second: &[f64]) -> f64 {
    DOTS.get().copied().unwrap_or(DotRounding::Fused).product(first, second)
}

/// Computes one element of `np.dot` of small matrices, from a row of the first matrix and a column of the second.
pub fn matrix_dot(row: &[f64], column: &[f64]) -> f64 {
    MATRIX_DOTS.get().copied().unwrap_or(DotRounding::Fused).product(row, column)
}

/// Whether the product of a Python float and a float32 is a float32 (numpy 2), not a float64 (numpy 1).
static KEEPS_FLOAT32: ForkOnce<bool> = ForkOnce::new();

/// Sets, for the whole process, whether numpy's product of a Python float and a float32 is a float32 (`keep_single`) or a
/// float64. Only the first call has an effect.
pub fn adopt_products(keep_single: bool) {
    KEEPS_FLOAT32.get_or_init(|| keep_single);
}

/// Returns whether numpy's product of a Python float and a float32 is a float32.
pub fn keeps_float32() -> bool {
    KEEPS_FLOAT32.get().copied().unwrap_or(true)
}

/// Computes `np.linalg.norm` of a short vector.
pub fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

/// Limits a number to `low..=high`, as `np.clip` does.
pub fn clip(value: f64, low: f64, high: f64) -> f64 {
    let raised = if value < low { low } else { value };
    if raised > high { high } else { raised }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `count` numbers whose sum depends on the order of addition.
    fn numbers(count: u32) -> Vec<f64> {
        (0..count).map(|index| f64::from(index * 7919 % 1013) / 997.0 + 1e-9 * f64::from(index)).collect()
    }

    // Checks the sums against numpy 2.4.6: the expected values are numpy's `np.sum(np.square(x))` and
    // `np.sum(x.astype(np.float32) ** 2)` for `x` from `numbers`.
    #[test]
    fn sums_of_any_length_equal_numpys() {
        for (count, double, single) in RECORDED {
            let values = numbers(count);
            let singles: Vec<f32> = values.iter().map(|value| *value as f32).collect();
            assert_eq!(sum_of_squares(&values).to_bits(), double, "{count} numbers");
            assert_eq!(sum_of_squares(&singles).to_bits(), single, "{count} numbers of single precision");
            assert_eq!(sum_by(0, values.len(), &|index| values[index] * values[index]).to_bits(), double);
        }
        assert_eq!(sum::<f64>(&[]), 0.0);
        assert_eq!(sum(&[1.0, 2.0, 4.0]), 7.0);
    }

    #[test]
    fn the_order_of_dot_products_is_inferred_from_examples() {
        let vector = vec![0.21, 0.46, 0.09];
        let examples =
            |square: u64| [(vec![1.0, 2.0], vec![3.0, 1.0], 5.0), (vector.clone(), vector.clone(), f64::from_bits(square))];
        assert_eq!(DotRounding::that_give(&examples(0x3fd0e219652bd3c4)), Some(DotRounding::Fused));
        assert_eq!(DotRounding::that_give(&examples(0x3fd0e219652bd3c3)), Some(DotRounding::Rounded));
        assert_eq!(DotRounding::that_give(&[(vec![1.0], vec![1.0], 2.0)]), None);
        assert_eq!((norm(&[3.0, 4.0]), matrix_dot(&[3.0, 4.0], &[1.0, 2.0])), (5.0, 11.0));
    }

    #[test]
    fn clip_keeps_nan_and_prefers_the_upper_bound() {
        assert!(clip(f64::NAN, -1.0, 1.0).is_nan());
        assert_eq!([clip(-3.0, -1.0, 1.0), clip(0.5, -1.0, 1.0), clip(9.0, -1.0, 1.0)], [-1.0, 0.5, 1.0]);
        assert_eq!(clip(0.0, 2.0, 1.0), 1.0);
    }

    const RECORDED: [(u32, u64, u32); 11] = [
        (1, 0x0000000000000000, 0x00000000),
        (3, 0x3ff1b0c563b4ba3c, 0x3f8d862c),
        (7, 0x4001f2d360876176, 0x400f969b),
        (8, 0x40063fcafdcf12b4, 0x4031fe58),
        (9, 0x4008a603aa9288ee, 0x4045301e),
        (17, 0x4016769855645609, 0x40b3b4c3),
        (84, 0x403d74309a5e7079, 0x41eba185),
        (128, 0x4046708f6171fe75, 0x4233847c),
        (129, 0x4046a3fe98aa9155, 0x42351ff4),
        (140, 0x4048b0b66b755ccc, 0x424585b4),
        (300, 0x405a1fb154d40749, 0x42d0fd8b),
    ];
}

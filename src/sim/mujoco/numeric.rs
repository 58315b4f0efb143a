//! Sums, norms and cut-offs as numpy computes them: in which order, and with which roundings.

use std::sync::OnceLock;

/// A float of either precision.
pub trait Float: Copy + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> + Default {}

impl Float for f32 {}
impl Float for f64 {}

/// Elements up to which a sum is not cut in halves.
const BLOCK: usize = 128;
/// Sums that a block is added up in, side by side.
const LANES: usize = 8;

/// `np.sum` of a contiguous array: fewer than eight numbers one after the other, more of them in eight sums side by side, and more than
/// 128 in halves.
pub fn sum<T: Float>(values: &[T]) -> T {
    sum_by(0, values.len(), &|index| values[index])
}

/// `np.sum(np.square(values))`.
pub fn sum_of_squares<T: Float>(values: &[T]) -> T {
    sum_by(0, values.len(), &|index| values[index] * values[index])
}

/// `np.sum` of the numbers that `value` gives for `start..start + len`.
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

/// How dot products of short vectors are added up, which the kernels of numpy's BLAS decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dots {
    /// Each product is rounded, then added.
    Rounded,
    /// Each product is added without being rounded first.
    Fused,
}

static DOTS: OnceLock<Dots> = OnceLock::new();

impl Dots {
    const ALL: [Self; 2] = [Self::Fused, Self::Rounded];

    /// The way that gives these squares of vectors, if one does: those of a numpy are asked of it, since it depends on the processor
    /// and on the environment which kernels it uses.
    pub fn that_give(examples: &[(Vec<f64>, f64)]) -> Option<Self> {
        Self::ALL.into_iter().find(|way| examples.iter().all(|(vector, square)| way.square(vector) == *square))
    }

    /// Lets [`norm`] add up so from now on. The first to say so is right.
    pub fn adopt(self) {
        DOTS.get_or_init(|| self);
    }

    fn square(self, vector: &[f64]) -> f64 {
        self.product(vector, vector)
    }

    fn product(self, first: &[f64], second: &[f64]) -> f64 {
        let pairs = first.iter().zip(second);
        match self {
            Self::Rounded => pairs.fold(0.0, |total, (first, second)| total + first * second),
            Self::Fused => pairs.fold(0.0_f64, |total, (first, second)| first.mul_add(*second, total)),
        }
    }
}

/// `np.dot` of short vectors.
pub fn dot(first: &[f64], second: &[f64]) -> f64 {
    DOTS.get().copied().unwrap_or(Dots::Fused).product(first, second)
}

/// Whether a Python float times a number of single precision is a number of single precision: since numpy 2; before, of double.
static KEEPS_SINGLE: OnceLock<bool> = OnceLock::new();

/// Lets [`keeps_single`] say so from now on. The first to say so is right.
pub fn adopt_products(keep_single: bool) {
    KEEPS_SINGLE.get_or_init(|| keep_single);
}

/// Whether numpy's products of a Python float and a number of single precision are of single precision, too.
pub fn keeps_single() -> bool {
    KEEPS_SINGLE.get().copied().unwrap_or(true)
}

/// `np.linalg.norm` of a short vector.
pub fn norm(vector: &[f64]) -> f64 {
    DOTS.get().copied().unwrap_or(Dots::Fused).square(vector).sqrt()
}

/// `np.clip`.
pub fn clip(value: f64, low: f64, high: f64) -> f64 {
    let raised = if value < low { low } else { value };
    if raised > high { high } else { raised }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers whose sums depend on the order.
    fn numbers(count: u32) -> Vec<f64> {
        (0..count).map(|index| f64::from(index * 7919 % 1013) / 997.0 + 1e-9 * f64::from(index)).collect()
    }

    // `np.sum(np.square(x))` and `np.sum(x.astype(np.float32) ** 2)` of numpy 2.4.6 for the numbers above.
    #[test]
    fn sums_are_numpys_whatever_their_length() {
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
    fn the_way_of_dot_products_is_found_out_from_examples() {
        let vector = vec![0.21, 0.46, 0.09];
        let examples = |square: u64| [(vec![1.0, 2.0], 5.0), (vector.clone(), f64::from_bits(square))];
        assert_eq!(Dots::that_give(&examples(0x3fd0e219652bd3c4)), Some(Dots::Fused));
        assert_eq!(Dots::that_give(&examples(0x3fd0e219652bd3c3)), Some(Dots::Rounded));
        assert_eq!(Dots::that_give(&[(vec![1.0], 2.0)]), None);
        assert_eq!(norm(&[3.0, 4.0]), 5.0);
    }

    #[test]
    fn what_is_no_number_stays_none_and_the_upper_bound_wins() {
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

//! Squares of floats that are bit-identical to the C library's `pow(x, 2)`.
//!
//! In numpy, `x ** 2` of a scalar calls the C library's `pow`, which is not correctly rounded: it differs from `x * x` for 8 in
//! 10 000 arguments (measured with glibc 2.36 on 1 million values of [-8, 8]).

use std::hint::black_box;

use super::{any, repair};

/// Range of arguments in which glibc documents an error of `pow` below 0.51 units in the last place.
///
/// glibc's error grows with `|2 ln x|`, up to 0.54 units in the last place at the ends of the range of float64.
const SAFE: std::ops::Range<f64> = 1e-3..1e3;

/// Factor for the test whether a result is certain: if `high + low * MARGIN` rounds to `high`, the C library also returns `high`.
/// The factor corresponds to a limit of 0.488 units in the last place for `low`.
const MARGIN: f64 = 0.5 / 0.488;

/// Returns the C library's `pow(x, 2.0)` for each lane.
#[inline(always)]
pub fn pow2<const W: usize>(x: &[f64; W]) -> [f64; W] {
    if W == 1 {
        return x.map(library_pow2);
    }
    let (mut square, mut uncertain) = ([0.0; W], [false; W]);
    for i in 0..W {
        let high = x[i] * x[i];
        let low = x[i].mul_add(x[i], -high);
        let certain = (high + low * MARGIN == high) & (x[i].abs() > SAFE.start) & (x[i].abs() < SAFE.end);
        square[i] = high;
        uncertain[i] = !certain;
    }
    if any(&uncertain) {
        repair(x, &uncertain, library_pow2, &mut square);
    }
    square
}

/// Returns the C library's `powf(x, 2.0)` (single precision) for each lane.
#[inline(always)]
pub fn pow2_f32<const W: usize>(x: &[f32; W]) -> [f32; W] {
    if W == 1 {
        return x.map(library_pow2_f32);
    }
    let (mut square, mut uncertain) = ([0.0; W], [false; W]);
    for i in 0..W {
        // The product of two float32 is exact in float64, because squares of 24-bit numbers fit into 53 bits. The error of
        // glibc's `powf` is below 0.52 units in the last place.
        let exact = f64::from(x[i]) * f64::from(x[i]);
        let rounded = exact as f32;
        let rest = exact - f64::from(rounded);
        let certain = ((f64::from(rounded) + rest * (0.5 / 0.47)) as f32 == rounded) & (exact > 1e-30) & (exact < 1e30);
        square[i] = rounded;
        uncertain[i] = !certain;
    }
    if any(&uncertain) {
        repair(x, &uncertain, library_pow2_f32, &mut square);
    }
    square
}

/// Calls `pow(x, 2.0)` of the C library. The exponent is hidden from the compiler, because the compiler would replace the
/// call by `x * x`.
fn library_pow2(x: f64) -> f64 {
    x.powf(black_box(2.0))
}

fn library_pow2_f32(x: f32) -> f32 {
    x.powf(black_box(2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;

    #[test]
    fn squares_of_blocks_equal_the_c_librarys_pow() {
        let mut rng = Generator::new(1);
        let mut differs_from_product = 0;
        for round in 0..50_000 {
            let range = [1e-4, 0.7, 8.0, 1e4][round % 4];
            let x: [f64; 16] = std::array::from_fn(|_| rng.uniform(-range, range));
            let expected = x.map(library_pow2);
            assert_eq!(pow2(&x), expected, "{x:?}");
            differs_from_product += x.iter().zip(expected).filter(|(x, square)| *x * *x != *square).count();
            let x = x.map(|x| x as f32);
            assert_eq!(pow2_f32(&x), x.map(library_pow2_f32), "{x:?}");
        }
        assert!(differs_from_product > 0, "the compiler replaced pow by a product");
    }

    #[test]
    fn squares_of_special_values_equal_the_c_librarys_pow() {
        let x = [0.0, -0.0, 1.0, -1.0, 1e-200, 1e200, f64::INFINITY, f64::MIN_POSITIVE];
        assert_eq!(pow2(&x), x.map(library_pow2));
        let x = x.map(|x| x as f32);
        assert_eq!(pow2_f32(&x), x.map(library_pow2_f32));
        assert!(pow2(&[f64::NAN; 8]).iter().all(|square| square.is_nan()));
    }
}

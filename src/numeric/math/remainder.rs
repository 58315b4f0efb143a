//! Remainder of float64 division, as Python's operator `%` computes it.

/// Largest quotient for which one division and an exact fused multiply-add give the exact remainder.
const LARGEST_QUOTIENT: f64 = 1e6;

/// Returns Python's (and numpy's) `x % divisor` for a positive finite divisor, in `[0, divisor]`.
///
/// In contrast, the result of the C library's `fmod` has the sign of `x`. The remainder equals `divisor` only if `x` is
/// negative and tiny, because the result is rounded.
#[inline(always)]
pub fn remainder<const W: usize>(x: &[f64; W], divisor: f64) -> [f64; W] {
    if W == 1 {
        return x.map(|x| with_sign_of_divisor(x.abs() % divisor, x, divisor));
    }
    let (mut result, mut uncertain) = ([0.0; W], false);
    for i in 0..W {
        let quotient = (x[i].abs() / divisor).trunc();
        // The rounded quotient may be too large or too small by one. The fused multiply-add computes the remainder without
        // rounding error, because a float64 can represent it.
        let first = (-quotient).mul_add(divisor, x[i].abs());
        let second = if first < 0.0 { first + divisor } else { first };
        let rest = if second >= divisor { second - divisor } else { second };
        result[i] = with_sign_of_divisor(rest, x[i], divisor);
        uncertain |= quotient > LARGEST_QUOTIENT;
    }
    if uncertain {
        divide_slowly(x, divisor, &mut result);
    }
    result
}

/// Converts `rest`, the remainder of `x.abs()`, to the remainder of `x`.
#[inline(always)]
fn with_sign_of_divisor(rest: f64, x: f64, divisor: f64) -> f64 {
    if (x < 0.0) & (rest != 0.0) { divisor - rest } else { rest }
}

#[cold]
#[inline(never)]
fn divide_slowly(x: &[f64], divisor: f64, result: &mut [f64]) {
    for (result, x) in result.iter_mut().zip(x) {
        *result = with_sign_of_divisor(x.abs() % divisor, *x, divisor);
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::random::Generator;

    #[test]
    fn remainders_of_blocks_equal_fmod() {
        let mut rng = Generator::new(2);
        for round in 0..50_000 {
            let range = [1e-3, 4.0, 100.0, 1e5, 1e12][round % 5];
            let x: [f64; 8] = std::array::from_fn(|_| rng.uniform(-range, range));
            assert_eq!(remainder(&x, TAU), x.map(|x| remainder(&[x], TAU)[0]), "{x:?}");
        }
    }

    #[test]
    fn remainders_near_multiples_of_the_divisor_equal_fmod() {
        for turns in 0..20_000 {
            let multiple = f64::from(turns) * TAU;
            let x = [multiple, multiple.next_up(), multiple.next_down(), -multiple, -multiple.next_up(), -multiple.next_down()];
            assert_eq!(remainder(&x, TAU), x.map(|x| remainder(&[x], TAU)[0]), "{x:?}");
        }
    }

    #[test]
    fn negative_numbers_have_positive_remainders_as_in_python() {
        assert_eq!(remainder(&[-1.0], 3.0), [2.0]);
        assert_eq!(remainder(&[-1e-30], 3.0), [3.0]);
        assert_eq!(remainder(&[-6.0], 3.0), [0.0]);
        assert!(remainder(&[f64::INFINITY; 2], 3.0)[0].is_nan());
    }
}

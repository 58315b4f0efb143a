//! Sine and cosine that are bit-identical to the C library's.
//!
//! The argument is reduced by a multiple of a quarter turn (pi/2) to at most an eighth of a turn. The reduced argument is a sum
//! of two doubles. Sine and cosine of the reduced argument are Taylor polynomials whose leading terms are sums of two doubles
//! each. The remaining error is at most 0.0107 units in the last place (2 million arguments up to 4000, compared with quadruple
//! precision).

use std::f64::consts::FRAC_2_PI;

use super::{any, repair};

/// Largest argument for which this module computes the result. Larger arguments would need all bits of pi to be reduced.
const LARGEST: f64 = 4096.0;

/// Smallest reduced argument for which this module computes the result. In smaller reduced arguments, cancellation leaves too
/// few correct bits.
const SMALLEST_REST: f64 = 1.0 / 1_048_576.0;

/// Largest argument that [`sin_cos_near_zero`] evaluates directly, without reduction.
const NEAR_ZERO: f64 = 0.25;

/// Constant that rounds a number to an integer when it is added. The integer is then in the low bits of the sum.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// A quarter turn (pi/2) as the sum of three parts. The first two have 33 bits, so that their multiples up to `LARGEST` are
/// exact.
const QUARTER: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

/// Factor for the test whether a result is certain: if `high + low * MARGIN` rounds to `high`, the C library also returns `high`.
///
/// The factor corresponds to a limit of 0.46 units in the last place for `low`: this module's error is below 0.011 and the C
/// library's below 0.529, so the C library can have returned only the high part. Compared with quadruple precision at 24 million
/// arguments, the error of glibc 2.36 is at most 0.5153.
const MARGIN: f64 = 0.5 / 0.46;

/// Factor like [`MARGIN`], for arguments up to `NEAR_ZERO`. This module's error is then below 0.001 units in the last place, so
/// the factor allows an error of the C library below 0.524.
const MARGIN_NEAR_ZERO: f64 = 0.5 / 0.475;

/// The number `-1/6`: rounded to float64, and the rounding error.
const MINUS_SIXTH: (f64, f64) = (-1.0 / 6.0, -9.251_858_538_542_97e-18);

/// The number `1/24`: rounded to float64, and the rounding error.
const TWENTY_FOURTH: (f64, f64) = (1.0 / 24.0, 2.312_964_634_635_742_7e-18);

/// Coefficients of the sine's Taylor series from `x^17/17!` to `x^5/5!`, highest power first.
const SIN_TAIL: [f64; 7] = [
    1.0 / 355_687_428_096_000.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 39_916_800.0,
    1.0 / 362_880.0,
    -1.0 / 5_040.0,
    1.0 / 120.0,
];

/// Coefficients of the cosine's Taylor series from `x^18/18!` to `x^6/6!`, highest power first.
const COS_TAIL: [f64; 7] = [
    -1.0 / 6_402_373_705_728_000.0,
    1.0 / 20_922_789_888_000.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 479_001_600.0,
    -1.0 / 3_628_800.0,
    1.0 / 40_320.0,
    -1.0 / 720.0,
];

/// Unevaluated sum of two doubles. The low part is below half a unit in the last place of the high part.
#[derive(Clone, Copy)]
struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// Returns `a + b` without rounding error, where `a` is larger than `b` in magnitude.
    #[inline(always)]
    fn of(a: f64, b: f64) -> Self {
        let high = a + b;
        Self { high, low: (a - high) + b }
    }

    /// Returns whether the C library must return `high`, given the factor `margin` ([`MARGIN`] or [`MARGIN_NEAR_ZERO`]) for the
    /// errors of this module and the C library.
    #[inline(always)]
    fn is_certain(self, margin: f64) -> bool {
        self.high + self.low * margin == self.high
    }

    #[inline(always)]
    fn negated_if(self, negative: bool) -> Self {
        if negative { Self { high: -self.high, low: -self.low } } else { self }
    }
}

/// Absolute value of an argument, reduced by `quadrant` quarter turns.
struct Reduced {
    rest: Sum,
    quadrant: u64,
    reliable: bool,
}

#[inline(always)]
fn reduce(x: f64) -> Reduced {
    let shifted = x.mul_add(FRAC_2_PI, ROUNDER);
    let turns = shifted - ROUNDER;
    let first = (-turns).mul_add(QUARTER[0], x);
    let second = Sum::of(first, -(turns * QUARTER[1]));
    let rest = Sum::of(second.high, (-turns).mul_add(QUARTER[2], second.low));
    let reliable = (x <= LARGEST) & ((turns == 0.0) | (first.abs() > SMALLEST_REST));
    Reduced { rest, quadrant: shifted.to_bits(), reliable }
}

#[inline(always)]
fn horner<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[0];
    for coefficient in &coefficients[1..] {
        sum = sum.mul_add(x, *coefficient);
    }
    sum
}

/// Returns sine and cosine of a reduced argument, with about 60 correct bits.
#[inline(always)]
fn evaluate(rest: Sum) -> (Sum, Sum) {
    let x = rest.high;
    let square = x * x;
    let square_low = x.mul_add(x, -square);
    let sin = sin_terms(x, square, square_low, horner(square, &SIN_TAIL));
    let cos = cos_terms(square, square_low, horner(square, &COS_TAIL));
    // The polynomials use only the high part of the reduced argument. First-order corrections account for its low part.
    (Sum::of(sin.high, rest.low.mul_add(cos.high, sin.low)), Sum::of(cos.high, (-rest.low).mul_add(sin.high, cos.low)))
}

/// Returns the sum `x - x³/6 + x⁵ tail` of the sine's Taylor series.
#[inline(always)]
fn sin_terms(x: f64, square: f64, square_low: f64, tail: f64) -> Sum {
    let cube = x * square;
    let cube_low = x.mul_add(square_low, x.mul_add(square, -cube));
    let third = cube * MINUS_SIXTH.0;
    let third_low = cube_low.mul_add(MINUS_SIXTH.0, cube.mul_add(MINUS_SIXTH.1, cube.mul_add(MINUS_SIXTH.0, -third)));
    let small = Sum::of(third, cube * square * tail);
    let sum = Sum::of(x, small.high);
    Sum { high: sum.high, low: sum.low + (small.low + third_low) }
}

/// Returns the sum `1 - x²/2 + x⁴/24 + x⁶ tail` of the terms of the cosine's Taylor series.
#[inline(always)]
fn cos_terms(square: f64, square_low: f64, tail: f64) -> Sum {
    let fourth = square * square;
    let fourth_low = (2.0 * square).mul_add(square_low, square.mul_add(square, -fourth));
    let term = fourth * TWENTY_FOURTH.0;
    let term_low = fourth_low.mul_add(TWENTY_FOURTH.0, fourth.mul_add(TWENTY_FOURTH.1, fourth.mul_add(TWENTY_FOURTH.0, -term)));
    let small = Sum::of(term, fourth * square * tail);
    let one = Sum::of(1.0, -0.5 * square);
    let sum = Sum::of(one.high, small.high);
    Sum { high: sum.high, low: (-0.5f64).mul_add(square_low, sum.low + one.low + (small.low + term_low)) }
}

/// Returns sine and cosine of any argument. The bool after each number says whether the number is certain to equal the C
/// library's result.
#[inline(always)]
fn lane(x: f64) -> [(f64, bool); 2] {
    let Reduced { rest, quadrant, reliable } = reduce(x.abs());
    let (sin, cos) = evaluate(rest);
    let (sin, cos) = if quadrant & 1 == 0 { (sin, cos) } else { (cos, sin) };
    let sin = sin.negated_if((quadrant & 2 != 0) ^ x.is_sign_negative());
    let cos = cos.negated_if((quadrant + 1) & 2 != 0);
    [(sin.high, reliable & sin.is_certain(MARGIN)), (cos.high, reliable & cos.is_certain(MARGIN))]
}

/// Returns the C library's `(sin(x), cos(x))` for each lane.
#[inline(always)]
pub fn sin_cos<const W: usize>(x: &[f64; W]) -> ([f64; W], [f64; W]) {
    if W == 1 {
        return (x.map(f64::sin), x.map(f64::cos));
    }
    finish(x, lane)
}

/// Returns the C library's `sin(x)` for each lane.
#[inline(always)]
pub fn sin<const W: usize>(x: &[f64; W]) -> [f64; W] {
    if W == 1 {
        return x.map(f64::sin);
    }
    let (mut sin, mut uncertain) = ([0.0; W], [false; W]);
    for i in 0..W {
        let [(value, certain), _] = lane(x[i]);
        sin[i] = value;
        uncertain[i] = !certain;
    }
    if any(&uncertain) {
        repair(x, &uncertain, f64::sin, &mut sin);
    }
    sin
}

/// Returns the C library's `cos(x)` for each lane.
#[inline(always)]
pub fn cos<const W: usize>(x: &[f64; W]) -> [f64; W] {
    if W == 1 {
        return x.map(f64::cos);
    }
    let (mut cos, mut uncertain) = ([0.0; W], [false; W]);
    for i in 0..W {
        let [_, (value, certain)] = lane(x[i]);
        cos[i] = value;
        uncertain[i] = !certain;
    }
    if any(&uncertain) {
        repair(x, &uncertain, f64::cos, &mut cos);
    }
    cos
}

/// Returns the same results as [`sin_cos`], but faster if most arguments are below 0.25 in magnitude.
///
/// Arguments below 0.25 take half the time; larger arguments are computed one lane at a time.
#[inline(always)]
pub fn sin_cos_near_zero<const W: usize>(x: &[f64; W]) -> ([f64; W], [f64; W]) {
    if W == 1 {
        return (x.map(f64::sin), x.map(f64::cos));
    }
    finish(x, lane_near_zero)
}

#[inline(always)]
fn lane_near_zero(x: f64) -> [(f64, bool); 2] {
    let square = x * x;
    let square_low = x.mul_add(x, -square);
    let near = x.abs() <= NEAR_ZERO;
    let sin = sin_terms_near_zero(x, square, square_low);
    let cos = cos_terms_near_zero(square, square_low);
    [(sin.high, near & (x != 0.0) & sin.is_certain(MARGIN_NEAR_ZERO)), (cos.high, near & cos.is_certain(MARGIN_NEAR_ZERO))]
}

/// Returns the sine as the sum of its Taylor series, like [`sin_terms`], for arguments so small that `x⁵/120` is at most 2⁻¹⁷
/// of the result.
#[inline(always)]
fn sin_terms_near_zero(x: f64, square: f64, square_low: f64) -> Sum {
    let [_, _, tail @ ..] = SIN_TAIL;
    let cube = x * square;
    let cube_low = x.mul_add(square_low, x.mul_add(square, -cube));
    let third = cube * MINUS_SIXTH.0;
    let third_low = cube_low.mul_add(MINUS_SIXTH.0, cube.mul_add(MINUS_SIXTH.1, cube.mul_add(MINUS_SIXTH.0, -third)));
    let small = Sum::of(third, cube * square * horner(square, &tail));
    let sum = Sum::of(x, small.high);
    Sum::of(sum.high, sum.low + (small.low + third_low))
}

/// Returns the cosine as the sum of its Taylor series, like [`cos_terms`], for arguments so small that `x⁴/24` is at most 2⁻¹²
/// of the result.
#[inline(always)]
fn cos_terms_near_zero(square: f64, square_low: f64) -> Sum {
    let [_, _, _, tail @ ..] = COS_TAIL;
    let small = square * square * horner(square, &tail).mul_add(square, TWENTY_FOURTH.0);
    let one = Sum::of(1.0, -0.5 * square);
    let sum = Sum::of(one.high, small);
    Sum::of(sum.high, (-0.5f64).mul_add(square_low, sum.low + one.low))
}

/// Calls the function `lane` for each lane's argument, and recomputes uncertain sines and cosines with the C library.
#[inline(always)]
fn finish<const W: usize>(x: &[f64; W], lane: impl Fn(f64) -> [(f64, bool); 2]) -> ([f64; W], [f64; W]) {
    let (mut sin, mut cos) = ([0.0; W], [0.0; W]);
    let (mut sin_uncertain, mut cos_uncertain) = ([false; W], [false; W]);
    for i in 0..W {
        let [(sin_value, sin_certain), (cos_value, cos_certain)] = lane(x[i]);
        (sin[i], sin_uncertain[i]) = (sin_value, !sin_certain);
        (cos[i], cos_uncertain[i]) = (cos_value, !cos_certain);
    }
    if any(&sin_uncertain) {
        repair(x, &sin_uncertain, f64::sin, &mut sin);
    }
    if any(&cos_uncertain) {
        repair(x, &cos_uncertain, f64::cos, &mut cos);
    }
    (sin, cos)
}

/// Upper bound of the relative error of [`approximate_sin_cos`], with some margin.
const APPROXIMATION_ERROR: f64 = 1.0 / (1_u64 << 49) as f64;

/// Returns approximations of sine and cosine, and whether they are correct to 49 bits.
///
/// They are less accurate if the argument is too large, or too near a zero of the sine or cosine. Callers use the function for
/// comparisons and roundings that rarely (once in millions) need more bits.
#[inline(always)]
pub fn approximate_sin_cos(x: f64) -> (f64, f64, bool) {
    let Reduced { rest, quadrant, reliable } = reduce(x.abs());
    let square = rest.high * rest.high;
    let [_, sin_tail @ ..] = SIN_TAIL;
    let [_, cos_tail @ ..] = COS_TAIL;
    let sin = (rest.high * square).mul_add(square.mul_add(horner(square, &sin_tail), MINUS_SIXTH.0), rest.high);
    let cos_small = square.mul_add(horner(square, &cos_tail), TWENTY_FOURTH.0);
    let cos = square.mul_add(square.mul_add(cos_small, -0.5), 1.0);
    let (sin, cos) = if quadrant & 1 == 0 { (sin, cos) } else { (cos, sin) };
    let sin = if (quadrant & 2 != 0) ^ x.is_sign_negative() { -sin } else { sin };
    let cos = if (quadrant + 1) & 2 != 0 { -cos } else { cos };
    (sin, cos, reliable)
}

/// Returns `(sin(x) as f32, cos(x) as f32)` of the C library's float64 functions, for float32 observations.
///
/// The function takes a third of the time of [`sin_cos`]: rounding to float32 hides all but one in a hundred million differences
/// between the approximations and the exact results.
#[inline(always)]
pub fn sin_cos_rounded<const W: usize>(x: &[f64; W]) -> ([f32; W], [f32; W]) {
    if W == 1 {
        return (x.map(|x| x.sin() as f32), x.map(|x| x.cos() as f32));
    }
    let (mut sin, mut cos) = ([0.0; W], [0.0; W]);
    let mut uncertain = [false; W];
    for i in 0..W {
        let (sin_value, cos_value, reliable) = approximate_sin_cos(x[i]);
        sin[i] = sin_value as f32;
        cos[i] = cos_value as f32;
        uncertain[i] = !(reliable & rounds_alike(sin_value) & rounds_alike(cos_value));
    }
    if any(&uncertain) {
        repair_rounded(x, &uncertain, &mut sin, &mut cos);
    }
    (sin, cos)
}

/// Returns whether all numbers that differ from `value` by at most the approximation error round to the same float32.
#[inline(always)]
fn rounds_alike(value: f64) -> bool {
    let error = value * APPROXIMATION_ERROR;
    (value - error) as f32 == (value + error) as f32
}

#[cold]
#[inline(never)]
fn repair_rounded(x: &[f64], uncertain: &[bool], sin: &mut [f32], cos: &mut [f32]) {
    for i in (0..x.len()).filter(|i| uncertain[*i]) {
        (sin[i], cos[i]) = (x[i].sin() as f32, x[i].cos() as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;

    /// Returns the bits of sines and cosines, so that a comparison distinguishes zeros of different sign.
    fn bits<const W: usize>((sin, cos): ([f64; W], [f64; W])) -> [[u64; W]; 2] {
        [sin.map(f64::to_bits), cos.map(f64::to_bits)]
    }

    fn check<const W: usize>(x: &[f64; W]) {
        let library = (x.map(f64::sin), x.map(f64::cos));
        let expected = bits(library);
        assert_eq!(bits(sin_cos(x)), expected, "{x:?}");
        assert_eq!(bits((sin(x), cos(x))), expected, "{x:?}");
        assert_eq!(bits(sin_cos_near_zero(x)), expected, "{x:?}");
        let rounded = (library.0.map(|sin| sin as f32), library.1.map(|cos| cos as f32));
        assert_eq!(sin_cos_rounded(x), rounded, "{x:?}");
    }

    #[test]
    fn blocks_equal_the_c_library_bit_for_bit() {
        let mut rng = Generator::new(3);
        for range in [1e-9, 1e-3, 0.25, 0.5, 4.0, 30.0, 4096.0, 1e6] {
            for _ in 0..1_000 {
                check::<16>(&std::array::from_fn(|_| rng.uniform(-range, range)));
                check::<8>(&std::array::from_fn(|_| rng.uniform(-range, range)));
            }
        }
    }

    #[test]
    fn blocks_near_multiples_of_a_quarter_turn_equal_the_c_library() {
        for quarter in -5_000..5_000 {
            let x = f64::from(quarter) * std::f64::consts::FRAC_PI_2;
            check(&[x, x.next_up(), x.next_down(), x + 1e-7, x - 1e-7, x + 1e-5, x - 1e-5, x / 2.0]);
        }
    }

    #[test]
    fn special_arguments_equal_the_c_librarys_results() {
        check(&[0.0, -0.0, f64::MIN_POSITIVE, -5e-324, 1e300, -f64::MAX, 4096.0, 0.25]);
        let (sin, cos) = sin_cos(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0]);
        assert_eq!(sin.map(f64::is_nan), [true, true, true, false]);
        assert_eq!(cos.map(f64::is_nan), [true, true, true, false]);
    }
}

//! Scalar functions of HighwayEnv's `utils.py` and of numpy, with the reference's rounding.

use std::f64::consts::PI;
use std::hint::black_box;

/// A point or vector of the plane, in metres.
pub type Vector = [f64; 2];

/// Returns `np.dot(a, b)`.
#[inline(always)]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns `np.linalg.norm(a)`.
#[inline(always)]
pub fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Returns `a - b`.
#[inline(always)]
pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns `np.clip(x, low, high)`: `high` if the bounds are in the wrong order.
#[inline(always)]
pub fn clip(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// Returns `x`, or 0.01 with its sign if `x` is closer to zero.
#[inline(always)]
pub fn not_zero(x: f64) -> f64 {
    const EPSILON: f64 = 1e-2;
    match x.abs() > EPSILON {
        true => x,
        false if x >= 0.0 => EPSILON,
        false => -EPSILON,
    }
}

/// Returns Python's `x % divisor` for a positive divisor.
#[inline(always)]
pub fn modulo(x: f64, divisor: f64) -> f64 {
    // The C library's `fmod` is a loop over bits: numbers in range do not need it.
    if 0.0 <= x && x < divisor {
        return x.abs();
    }
    let rest = x % divisor;
    match rest == 0.0 {
        true => 0.0,
        false if rest < 0.0 => rest + divisor,
        false => rest,
    }
}

/// Returns an angle in the range from -pi to pi.
#[inline(always)]
pub fn wrap_to_pi(x: f64) -> f64 {
    modulo(x + PI, 2.0 * PI) - PI
}

/// Maps `v` linearly from the range `x` to the range `y`.
#[inline(always)]
pub fn lmap(v: f64, x: [f64; 2], y: [f64; 2]) -> f64 {
    y[0] + (v - x[0]) * (y[1] - y[0]) / (x[1] - x[0])
}

/// Maps `v` linearly from -1..1 to the range `y`, in float32 arithmetic.
#[inline(always)]
pub fn lmap_action(v: f32, y: [f64; 2]) -> f64 {
    f64::from(y[0] as f32 + (v + 1.0) * ((y[1] - y[0]) as f32) / 2.0)
}

/// Returns Python's `x ** 2` of a float: the C library's `pow`, which differs from `x * x` in the last bit of some results.
#[inline(always)]
pub fn pow2(x: f64) -> f64 {
    x.powf(black_box(2.0))
}

/// Returns `np.deg2rad(degrees)`.
#[inline(always)]
pub fn radians(degrees: f64) -> f64 {
    degrees * (PI / 180.0)
}

/// Returns the sine and cosine of an angle.
#[inline(always)]
pub fn direction(heading: f64) -> Vector {
    if heading == 0.0 {
        return [1.0, heading];
    }
    [heading.cos(), heading.sin()]
}

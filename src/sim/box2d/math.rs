//! Vectors, rotations, transforms, sweeps and boxes in float32 (`b2Math.h`, `b2Collision.h`).
//!
//! Each expression has Box2D's order of operations, because the bits of results depend on it.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use super::trigonometry::{sin_cos, sin_cos_pair};

/// Box2D's π (`b2_pi`).
pub use std::f32::consts::PI;
/// Difference between 1 and the next greater float32 (`b2_epsilon`).
pub const EPSILON: f32 = f32::EPSILON;
/// Overlap and length error in metres that the solvers tolerate (`b2_linearSlop`).
pub const LINEAR_SLOP: f32 = 0.005;
/// Angle error in radians that the solvers tolerate (`b2_angularSlop`).
pub const ANGULAR_SLOP: f32 = 2.0 / 180.0 * PI;
/// Thickness in metres of the skin (margin) around polygons and edges (`b2_polygonRadius`).
pub const POLYGON_RADIUS: f32 = 2.0 * LINEAR_SLOP;

/// Returns the smaller of `a` and `b`, or `b` if either is NaN.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Returns the greater of `a` and `b`, or `b` if either is NaN.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns `a` limited to `low..=high`.
#[inline(always)]
pub fn clamp(a: f32, low: f32, high: f32) -> f32 {
    max(low, min(a, high))
}

/// A vector in the plane (`b2Vec2`); lengths are in metres.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Vec2 {
    /// Horizontal component of the vector, positive to the right.
    pub x: f32,
    /// Vertical component of the vector, positive upwards.
    pub y: f32,
}

/// Returns the vector `Vec2 { x, y }`.
#[inline(always)]
pub const fn vec2(x: f32, y: f32) -> Vec2 {
    Vec2 { x, y }
}

impl Vec2 {
    /// Creates a vector from two float64s, each rounded to the nearest float32.
    pub fn from_f64((x, y): (f64, f64)) -> Self {
        vec2(x as f32, y as f32)
    }

    /// Returns the dot product of two vectors (`b2Dot`).
    #[inline(always)]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// Returns the z component of the cross product of two vectors (`b2Cross`).
    #[inline(always)]
    pub fn cross(self, other: Self) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// Returns the cross product of this vector and the vector `(0, 0, s)` (`b2Cross(v, s)`).
    #[inline(always)]
    pub fn cross_scalar(self, s: f32) -> Self {
        vec2(s * self.y, -s * self.x)
    }

    /// Returns the Euclidean length of the vector.
    #[inline(always)]
    pub fn length(self) -> f32 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// Returns the squared length of the vector.
    #[inline(always)]
    pub fn length_squared(self) -> f32 {
        self.x * self.x + self.y * self.y
    }

    /// Returns the unit vector in the same direction, and the length. A vector shorter than `EPSILON` is returned unchanged, with
    /// length 0.
    #[inline(always)]
    pub fn normalized(self) -> (Self, f32) {
        let length = self.length();
        if length < EPSILON {
            return (self, 0.0);
        }
        let inverse = 1.0 / length;
        (vec2(self.x * inverse, self.y * inverse), length)
    }

    /// Returns the component-wise minimum of two vectors.
    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        vec2(min(self.x, other.x), min(self.y, other.y))
    }

    /// Returns the component-wise maximum of two vectors.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        vec2(max(self.x, other.x), max(self.y, other.y))
    }
}

/// Returns the cross product of the vector `(0, 0, s)` and `v` (`b2Cross(s, v)`).
#[inline(always)]
pub fn cross(s: f32, v: Vec2) -> Vec2 {
    vec2(-s * v.y, s * v.x)
}

impl Add for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        vec2(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        vec2(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        vec2(-self.x, -self.y)
    }
}

impl Mul<Vec2> for f32 {
    type Output = Vec2;
    #[inline(always)]
    fn mul(self, v: Vec2) -> Vec2 {
        vec2(self * v.x, self * v.y)
    }
}

impl AddAssign for Vec2 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Vec2 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// A rotation, stored as sine and cosine of its angle (`b2Rot`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rot {
    /// Sine of the rotation's angle.
    pub s: f32,
    /// Cosine of the rotation's angle.
    pub c: f32,
}

impl Default for Rot {
    fn default() -> Self {
        Self { s: 0.0, c: 1.0 }
    }
}

impl Rot {
    /// Creates a rotation by an angle in radians.
    #[inline(always)]
    pub fn from_angle(angle: f32) -> Self {
        let (s, c) = sin_cos(angle);
        Self { s, c }
    }

    /// Creates two rotations at once. The results equal those of [`Self::from_angle`] bit by bit.
    #[inline(always)]
    pub fn from_angles(angles: [f32; 2]) -> [Self; 2] {
        sin_cos_pair(angles).map(|(s, c)| Self { s, c })
    }

    /// Rotates the vector `v` (`b2Mul(q, v)`).
    #[inline(always)]
    pub fn mul_vec(self, v: Vec2) -> Vec2 {
        vec2(self.c * v.x - self.s * v.y, self.s * v.x + self.c * v.y)
    }

    /// Rotates the vector `v` by the inverse rotation (`b2MulT(q, v)`).
    #[inline(always)]
    pub fn mul_t(self, v: Vec2) -> Vec2 {
        vec2(self.c * v.x + self.s * v.y, -self.s * v.x + self.c * v.y)
    }

    /// Returns the rotation `inverse(self) * other` (`b2MulT(q, r)`).
    #[inline(always)]
    fn mul_t_rot(self, other: Self) -> Self {
        Self { s: self.c * other.s - self.s * other.c, c: self.c * other.c + self.s * other.s }
    }
}

/// A rigid transform: translation and rotation (`b2Transform`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// Translation of the transform: the local origin in world coordinates.
    pub p: Vec2,
    /// Rotation of the transform.
    pub q: Rot,
}

impl Transform {
    /// Converts a point from local to world coordinates (`b2Mul(T, v)`).
    #[inline(always)]
    pub fn to_world(&self, v: Vec2) -> Vec2 {
        vec2((self.q.c * v.x - self.q.s * v.y) + self.p.x, (self.q.s * v.x + self.q.c * v.y) + self.p.y)
    }

    /// Converts a point from world to local coordinates (`b2MulT(T, v)`).
    #[inline(always)]
    pub fn to_local(&self, v: Vec2) -> Vec2 {
        self.q.mul_t(v - self.p)
    }

    /// Returns the transform `inverse(self) * other` (`b2MulT(A, B)`).
    #[inline(always)]
    pub fn mul_t(&self, other: &Self) -> Self {
        Self { q: self.q.mul_t_rot(other.q), p: self.q.mul_t(other.p - self.p) }
    }

    /// Creates the transform of a body whose centre of mass is at `center`. `local_center` is the centre of mass in local
    /// coordinates.
    #[inline(always)]
    pub fn from_center(center: Vec2, angle: f32, local_center: Vec2) -> Self {
        let q = Rot::from_angle(angle);
        Self { q, p: center - q.mul_vec(local_center) }
    }
}

/// Motion of a body during a step (`b2Sweep`): centre of mass and angle, both interpolated linearly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Centre of mass in local coordinates.
    pub local_center: Vec2,
    /// Centre of mass at the fraction `alpha0` of the step, in world coordinates.
    pub c0: Vec2,
    /// Centre of mass at the end of the step, in world coordinates.
    pub c: Vec2,
    /// Angle in radians at fraction `alpha0` of the step.
    pub a0: f32,
    /// Angle at the end of the step in radians.
    pub a: f32,
    /// Fraction of the step, 0 to 1, to which `c0` and `a0` belong.
    pub alpha0: f32,
}

impl Sweep {
    /// Returns the transform at fraction `beta` of the motion from `alpha0` to the end of the step (`b2Sweep::GetTransform`).
    #[inline(always)]
    pub fn transform(&self, beta: f32) -> Transform {
        let center = (1.0 - beta) * self.c0 + beta * self.c;
        Transform::from_center(center, (1.0 - beta) * self.a0 + beta * self.a, self.local_center)
    }

    /// Advances `c0`, `a0` and `alpha0` to fraction `alpha` of the step (`b2Sweep::Advance`).
    #[inline(always)]
    pub fn advance(&mut self, alpha: f32) {
        let beta = (alpha - self.alpha0) / (1.0 - self.alpha0);
        self.c0 = (1.0 - beta) * self.c0 + beta * self.c;
        self.a0 = (1.0 - beta) * self.a0 + beta * self.a;
        self.alpha0 = alpha;
    }

    /// Returns the sweep with `a0` reduced to 0..2π and `a` shifted equally (`b2Sweep::Normalize`).
    #[inline(always)]
    pub fn normalized(mut self) -> Self {
        let full_turn = 2.0 * PI;
        let turns = full_turn * (self.a0 / full_turn).floor();
        self.a0 -= turns;
        self.a -= turns;
        self
    }
}

/// An axis-aligned bounding box (`b2AABB`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Aabb {
    /// Lower left corner of the box.
    pub lower: Vec2,
    /// Upper right corner of the box.
    pub upper: Vec2,
}

impl Aabb {
    /// Returns the smallest box that contains both boxes (`b2AABB::Combine`).
    #[inline(always)]
    pub fn combine(a: &Self, b: &Self) -> Self {
        Self { lower: a.lower.min(b.lower), upper: a.upper.max(b.upper) }
    }

    /// Returns this box, extended by `r` on all four sides.
    #[inline(always)]
    pub fn extended(&self, r: f32) -> Self {
        let r = vec2(r, r);
        Self { lower: self.lower - r, upper: self.upper + r }
    }

    /// Returns the perimeter of the box (`b2AABB::GetPerimeter`).
    #[inline(always)]
    pub fn perimeter(&self) -> f32 {
        2.0 * ((self.upper.x - self.lower.x) + (self.upper.y - self.lower.y))
    }

    /// Returns whether `other` lies inside this box.
    #[inline(always)]
    pub fn contains(&self, other: &Self) -> bool {
        self.lower.x <= other.lower.x
            && self.lower.y <= other.lower.y
            && other.upper.x <= self.upper.x
            && other.upper.y <= self.upper.y
    }

    /// Returns whether two boxes have a point in common (`b2TestOverlap`).
    #[inline(always)]
    pub fn overlaps(&self, other: &Self) -> bool {
        let (d1, d2) = (other.lower - self.upper, self.lower - other.upper);
        !((d1.x > 0.0) | (d1.y > 0.0) | (d2.x > 0.0) | (d2.y > 0.0))
    }
}

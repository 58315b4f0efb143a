//! Vectors, rotations and transforms in float32. Operations stand in the order in which Box2D does them; none may be reordered.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use super::trigonometry::{sin_cos, sin_cos_of_two};

/// Box2D's π.
pub use std::f32::consts::PI;
/// The distance of 1 to the next float32.
pub const EPSILON: f32 = f32::EPSILON;
/// Distance and penetration that count as none, in metres.
pub const LINEAR_SLOP: f32 = 0.005;
/// Angle that counts as none, in radians.
pub const ANGULAR_SLOP: f32 = 2.0 / 180.0 * PI;
/// The skin around polygons and edges, in metres.
pub const POLYGON_RADIUS: f32 = 2.0 * LINEAR_SLOP;

/// The smaller of two; the second where one is no number.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater of two; the second where one is no number.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `a`, brought between `low` and `high`.
#[inline(always)]
pub fn clamp(a: f32, low: f32, high: f32) -> f32 {
    max(low, min(a, high))
}

/// A vector of the plane, in metres or whatever it is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Vec2 {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

/// `Vec2 { x, y }`.
#[inline(always)]
pub const fn vec2(x: f32, y: f32) -> Vec2 {
    Vec2 { x, y }
}

impl Vec2 {
    /// From float64s, each rounded to the nearest float32.
    pub fn of((x, y): (f64, f64)) -> Self {
        vec2(x as f32, y as f32)
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// Third component of the cross product of vectors in the plane.
    #[inline(always)]
    pub fn cross(self, other: Self) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// Cross product with a vector of length `s` that points out of the plane.
    #[inline(always)]
    pub fn cross_scalar(self, s: f32) -> Self {
        vec2(s * self.y, -s * self.x)
    }

    /// Its length.
    #[inline(always)]
    pub fn length(self) -> f32 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// The square of its length.
    #[inline(always)]
    pub fn length_squared(self) -> f32 {
        self.x * self.x + self.y * self.y
    }

    /// The vector of length 1 in its direction, and its length. Very short ones stay as they are, with length 0.
    #[inline(always)]
    pub fn normalized(self) -> (Self, f32) {
        let length = self.length();
        if length < EPSILON {
            return (self, 0.0);
        }
        let inverse = 1.0 / length;
        (vec2(self.x * inverse, self.y * inverse), length)
    }

    /// The smaller of each coordinate.
    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        vec2(min(self.x, other.x), min(self.y, other.y))
    }

    /// The greater of each coordinate.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        vec2(max(self.x, other.x), max(self.y, other.y))
    }
}

/// Cross product of a vector of length `s` that points out of the plane with one in the plane.
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

/// A rotation, as sine and cosine of its angle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rot {
    /// Sine.
    pub s: f32,
    /// Cosine.
    pub c: f32,
}

impl Default for Rot {
    fn default() -> Self {
        Self { s: 0.0, c: 1.0 }
    }
}

impl Rot {
    /// By this angle in radians.
    #[inline(always)]
    pub fn of(angle: f32) -> Self {
        let (s, c) = sin_cos(angle);
        Self { s, c }
    }

    /// By each of these angles in radians.
    #[inline(always)]
    pub fn of_two(angles: [f32; 2]) -> [Self; 2] {
        sin_cos_of_two(angles).map(|(s, c)| Self { s, c })
    }

    /// `v`, turned.
    #[inline(always)]
    pub fn turn(self, v: Vec2) -> Vec2 {
        vec2(self.c * v.x - self.s * v.y, self.s * v.x + self.c * v.y)
    }

    /// `v`, turned back.
    #[inline(always)]
    pub fn turn_back(self, v: Vec2) -> Vec2 {
        vec2(self.c * v.x + self.s * v.y, -self.s * v.x + self.c * v.y)
    }

    /// `other`, as it looks from here.
    #[inline(always)]
    fn back_to(self, other: Self) -> Self {
        Self { s: self.c * other.s - self.s * other.c, c: self.c * other.c + self.s * other.s }
    }
}

/// Where something is and how it is turned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// Its origin.
    pub p: Vec2,
    /// Its rotation.
    pub q: Rot,
}

impl Transform {
    /// A point of its own coordinates in the world's.
    #[inline(always)]
    pub fn to_world(&self, v: Vec2) -> Vec2 {
        vec2((self.q.c * v.x - self.q.s * v.y) + self.p.x, (self.q.s * v.x + self.q.c * v.y) + self.p.y)
    }

    /// A point of the world's coordinates in its own.
    #[inline(always)]
    pub fn to_local(&self, v: Vec2) -> Vec2 {
        self.q.turn_back(v - self.p)
    }

    /// `other`, as it looks from here.
    #[inline(always)]
    pub fn back_to(&self, other: &Self) -> Self {
        Self { q: self.q.back_to(other.q), p: self.q.turn_back(other.p - self.p) }
    }

    /// Where a body is whose centre of mass, `local_center` of its own coordinates, is at `center`.
    #[inline(always)]
    pub fn around(center: Vec2, angle: f32, local_center: Vec2) -> Self {
        let q = Rot::of(angle);
        Self { q, p: center - q.turn(local_center) }
    }
}

/// A body's way through a step: of its centre of mass, and of its angle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Centre of mass in the body's coordinates.
    pub local_center: Vec2,
    /// Centre at the beginning.
    pub c0: Vec2,
    /// Centre at the end.
    pub c: Vec2,
    /// Angle at the beginning.
    pub a0: f32,
    /// Angle at the end.
    pub a: f32,
    /// Which part of the step is over at the beginning.
    pub alpha0: f32,
}

impl Sweep {
    /// Where the body is at `beta` of the way.
    #[inline(always)]
    pub fn transform(&self, beta: f32) -> Transform {
        let center = (1.0 - beta) * self.c0 + beta * self.c;
        Transform::around(center, (1.0 - beta) * self.a0 + beta * self.a, self.local_center)
    }

    /// Moves the beginning on to `alpha` of the step.
    #[inline(always)]
    pub fn advance(&mut self, alpha: f32) {
        let beta = (alpha - self.alpha0) / (1.0 - self.alpha0);
        self.c0 = (1.0 - beta) * self.c0 + beta * self.c;
        self.a0 = (1.0 - beta) * self.a0 + beta * self.a;
        self.alpha0 = alpha;
    }

    /// The same way with angles less whole turns.
    #[inline(always)]
    pub fn normalized(mut self) -> Self {
        let turn = 2.0 * PI;
        let turns = turn * (self.a0 / turn).floor();
        self.a0 -= turns;
        self.a -= turns;
        self
    }
}

/// A box along the axes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Aabb {
    /// Lower left corner.
    pub lower: Vec2,
    /// Upper right corner.
    pub upper: Vec2,
}

impl Aabb {
    /// The smallest box around both.
    #[inline(always)]
    pub fn around(a: &Self, b: &Self) -> Self {
        Self { lower: a.lower.min(b.lower), upper: a.upper.max(b.upper) }
    }

    /// This box, wider by `r` on all sides.
    #[inline(always)]
    pub fn widened(&self, r: f32) -> Self {
        let r = vec2(r, r);
        Self { lower: self.lower - r, upper: self.upper + r }
    }

    /// The length of its outline.
    #[inline(always)]
    pub fn perimeter(&self) -> f32 {
        2.0 * ((self.upper.x - self.lower.x) + (self.upper.y - self.lower.y))
    }

    /// Whether `other` lies within.
    #[inline(always)]
    pub fn contains(&self, other: &Self) -> bool {
        self.lower.x <= other.lower.x
            && self.lower.y <= other.lower.y
            && other.upper.x <= self.upper.x
            && other.upper.y <= self.upper.y
    }

    /// Whether both have a point in common.
    #[inline(always)]
    pub fn overlaps(&self, other: &Self) -> bool {
        let (d1, d2) = (other.lower - self.upper, self.lower - other.upper);
        !((d1.x > 0.0) | (d1.y > 0.0) | (d2.x > 0.0) | (d2.y > 0.0))
    }
}

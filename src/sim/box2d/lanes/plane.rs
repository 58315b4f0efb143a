//! Vectors of the plane and velocities, of sixteen worlds each.

use super::vector::{Row, Vector};

/// A vector of the plane.
#[derive(Clone, Copy)]
pub(super) struct Plane<V> {
    pub x: V,
    pub y: V,
}

impl<V: Vector> Plane<V> {
    #[inline(always)]
    pub fn load([x, y]: &[Row; 2]) -> Self {
        Self { x: V::load(x), y: V::load(y) }
    }

    #[inline(always)]
    pub fn add(self, other: Self) -> Self {
        Self { x: self.x.add(other.x), y: self.y.add(other.y) }
    }

    #[inline(always)]
    pub fn sub(self, other: Self) -> Self {
        Self { x: self.x.sub(other.x), y: self.y.sub(other.y) }
    }

    #[inline(always)]
    pub fn neg(self) -> Self {
        Self { x: self.x.neg(), y: self.y.neg() }
    }

    #[inline(always)]
    pub fn times(self, factor: V) -> Self {
        Self { x: factor.mul(self.x), y: factor.mul(self.y) }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> V {
        self.x.mul(other.x).add(self.y.mul(other.y))
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> V {
        self.x.mul(other.y).sub(self.y.mul(other.x))
    }
}

/// Velocity and angular velocity.
#[derive(Clone, Copy)]
pub(super) struct Speed<V> {
    pub v: Plane<V>,
    pub w: V,
}

impl<V: Vector> Speed<V> {
    /// How fast turning moves a point at `r`.
    #[inline(always)]
    pub fn turn(self, r: Plane<V>) -> Plane<V> {
        Plane { x: self.w.neg().mul(r.y), y: self.w.mul(r.x) }
    }

    /// How fast a point at `r` moves.
    #[inline(always)]
    pub fn at(self, r: Plane<V>) -> Plane<V> {
        self.v.add(self.turn(r))
    }

    /// This where it holds, else the other.
    #[inline(always)]
    pub fn select(mask: V::Mask, this: Self, other: Self) -> Self {
        let pick = |this, other| V::select(mask, this, other);
        Self { v: Plane { x: pick(this.v.x, other.v.x), y: pick(this.v.y, other.v.y) }, w: pick(this.w, other.w) }
    }
}

#[inline(always)]
pub(super) fn load<V: Vector>([x, y, w]: &[Row; 3]) -> Speed<V> {
    Speed { v: Plane { x: V::load(x), y: V::load(y) }, w: V::load(w) }
}

#[inline(always)]
pub(super) fn store<V: Vector>(speed: Speed<V>, [x, y, w]: &mut [Row; 3]) {
    speed.v.x.store(x);
    speed.v.y.store(y);
    speed.w.store(w);
}

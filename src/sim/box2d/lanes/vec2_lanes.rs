//! Plane vectors and velocities of sixteen worlds, in vector registers.

use super::lane_array::{LaneArray, Lanes16};

/// Vectors in the plane, one per world.
#[derive(Clone, Copy)]
pub(super) struct Vec2Lanes<V> {
    pub x: V,
    pub y: V,
}

impl<V: Lanes16> Vec2Lanes<V> {
    #[inline(always)]
    pub fn load([x, y]: &[LaneArray; 2]) -> Self {
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
    pub fn scale(self, factor: V) -> Self {
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

/// Linear and angular velocities of bodies, one body per world.
#[derive(Clone, Copy)]
pub(super) struct VelocityLanes<V> {
    pub v: Vec2Lanes<V>,
    pub w: V,
}

impl<V: Lanes16> VelocityLanes<V> {
    /// Returns the velocity that rotation causes at the offset `r` from the centre of mass: `w × r`.
    #[inline(always)]
    pub fn cross(self, r: Vec2Lanes<V>) -> Vec2Lanes<V> {
        Vec2Lanes { x: self.w.neg().mul(r.y), y: self.w.mul(r.x) }
    }

    /// Returns the velocity of the point at offset `r` from the centre of mass.
    #[inline(always)]
    pub fn point_velocity(self, r: Vec2Lanes<V>) -> Vec2Lanes<V> {
        self.v.add(self.cross(r))
    }

    /// Returns the vectors of `this` in the lanes in which the mask is true, and the vectors of `other` in the remaining
    /// lanes.
    #[inline(always)]
    pub fn select(mask: V::Mask, this: Self, other: Self) -> Self {
        let pick = |this, other| V::select(mask, this, other);
        Self { v: Vec2Lanes { x: pick(this.v.x, other.v.x), y: pick(this.v.y, other.v.y) }, w: pick(this.w, other.w) }
    }
}

#[inline(always)]
pub(super) fn load<V: Lanes16>([x, y, w]: &[LaneArray; 3]) -> VelocityLanes<V> {
    VelocityLanes { v: Vec2Lanes { x: V::load(x), y: V::load(y) }, w: V::load(w) }
}

#[inline(always)]
pub(super) fn store<V: Lanes16>(speed: VelocityLanes<V>, [x, y, w]: &mut [LaneArray; 3]) {
    speed.v.x.store(x);
    speed.v.y.store(y);
    speed.w.store(w);
}

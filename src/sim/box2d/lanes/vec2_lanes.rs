//! Plane vectors, velocities, positions and transforms of sixteen worlds, in vector registers.

use super::super::trigonometry::{MAX_REDUCED_ANGLE, sin_cos, sin_cos_reduced_lanes};
use super::lane_array::{LANES, LaneArray, WorldLanes};

/// Vectors in the plane, one per world.
#[derive(Clone, Copy)]
pub(super) struct Vec2Lanes<V> {
    pub x: V,
    pub y: V,
}

impl<V: WorldLanes> Vec2Lanes<V> {
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

    /// Returns the vectors of `this` in the lanes in which the mask is true, and those of `other` in the remaining lanes.
    #[inline(always)]
    pub fn select(mask: V::Mask, this: Self, other: Self) -> Self {
        Self { x: V::select(mask, this.x, other.x), y: V::select(mask, this.y, other.y) }
    }
}

/// Linear and angular velocities of bodies, one body per world.
#[derive(Clone, Copy)]
pub(super) struct VelocityLanes<V> {
    pub v: Vec2Lanes<V>,
    pub w: V,
}

impl<V: WorldLanes> VelocityLanes<V> {
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
        Self { v: Vec2Lanes::select(mask, this.v, other.v), w: V::select(mask, this.w, other.w) }
    }
}

#[inline(always)]
pub(super) fn load<V: WorldLanes>([x, y, w]: &[LaneArray; 3]) -> VelocityLanes<V> {
    VelocityLanes { v: Vec2Lanes { x: V::load(x), y: V::load(y) }, w: V::load(w) }
}

#[inline(always)]
pub(super) fn store<V: WorldLanes>(speed: VelocityLanes<V>, [x, y, w]: &mut [LaneArray; 3]) {
    speed.v.x.store(x);
    speed.v.y.store(y);
    speed.w.store(w);
}

/// Centres of mass and angles of bodies, one body per world.
#[derive(Clone, Copy)]
pub(super) struct PositionLanes<V> {
    pub c: Vec2Lanes<V>,
    pub a: V,
}

impl<V: WorldLanes> PositionLanes<V> {
    #[inline(always)]
    pub fn load([x, y, a]: &[LaneArray; 3]) -> Self {
        Self { c: Vec2Lanes { x: V::load(x), y: V::load(y) }, a: V::load(a) }
    }

    #[inline(always)]
    pub fn store(self, [x, y, a]: &mut [LaneArray; 3]) {
        self.c.x.store(x);
        self.c.y.store(y);
        self.a.store(a);
    }

    /// Returns the positions of `this` in the lanes in which the mask is true, and those of `other` in the remaining lanes.
    #[inline(always)]
    pub fn select(mask: V::Mask, this: Self, other: Self) -> Self {
        Self { c: Vec2Lanes::select(mask, this.c, other.c), a: V::select(mask, this.a, other.a) }
    }

    /// Returns the transforms of bodies, given their centres of mass in local coordinates (`Transform::from_center`).
    #[inline(always)]
    pub fn transform(self, local_center: Vec2Lanes<V>) -> TransformLanes<V> {
        let q = RotLanes::from_angle(self.a);
        TransformLanes { p: self.c.sub(q.mul_vec(local_center)), q }
    }
}

/// Returns sines and cosines of the first half of the angles, and zeros.
#[inline(always)]
fn sin_cos_of_half(angles: &[f32; LANES]) -> ([f32; LANES], [f32; LANES]) {
    const HALF: usize = LANES / 2;
    let (mut sines, mut cosines) = ([0.0; LANES], [0.0; LANES]);
    if let Some(angles) = angles.first_chunk::<HALF>() {
        let (sine, cosine) = sin_cos_reduced_lanes(angles);
        sines[..HALF].copy_from_slice(&sine);
        cosines[..HALF].copy_from_slice(&cosine);
    }
    (sines, cosines)
}

/// Rotations, one per world.
#[derive(Clone, Copy)]
pub(super) struct RotLanes<V> {
    s: V,
    c: V,
}

impl<V: WorldLanes> RotLanes<V> {
    /// Creates rotations by angles in radians.
    #[inline(always)]
    pub fn from_angle(angle: V) -> Self {
        let mut angles = [0.0; LANES];
        angle.store(&mut angles);
        let (s, c) = if V::COUNT == LANES { sin_cos_reduced_lanes(&angles) } else { sin_cos_of_half(&angles) };
        let reduced = Self { s: V::load(&s), c: V::load(&c) };
        if V::bits(angle.abs().lt(V::splat(MAX_REDUCED_ANGLE))) == V::ALL {
            return reduced;
        }
        // These arrays are new, so that compilers keep those of reduced angles in registers.
        let (mut s, mut c) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..V::COUNT {
            (s[lane], c[lane]) = sin_cos(angles[lane]);
        }
        Self { s: V::load(&s), c: V::load(&c) }
    }

    #[inline(always)]
    pub fn mul_vec(self, v: Vec2Lanes<V>) -> Vec2Lanes<V> {
        Vec2Lanes { x: self.c.mul(v.x).sub(self.s.mul(v.y)), y: self.s.mul(v.x).add(self.c.mul(v.y)) }
    }

    #[inline(always)]
    fn select(mask: V::Mask, this: Self, other: Self) -> Self {
        Self { s: V::select(mask, this.s, other.s), c: V::select(mask, this.c, other.c) }
    }
}

/// Rigid transforms, one per world.
#[derive(Clone, Copy)]
pub(super) struct TransformLanes<V> {
    pub p: Vec2Lanes<V>,
    pub q: RotLanes<V>,
}

impl<V: WorldLanes> TransformLanes<V> {
    #[inline(always)]
    pub fn load([x, y, s, c]: &[LaneArray; 4]) -> Self {
        Self { p: Vec2Lanes { x: V::load(x), y: V::load(y) }, q: RotLanes { s: V::load(s), c: V::load(c) } }
    }

    #[inline(always)]
    pub fn to_world(self, v: Vec2Lanes<V>) -> Vec2Lanes<V> {
        self.q.mul_vec(v).add(self.p)
    }

    #[inline(always)]
    pub fn select(mask: V::Mask, this: Self, other: Self) -> Self {
        Self { p: Vec2Lanes::select(mask, this.p, other.p), q: RotLanes::select(mask, this.q, other.q) }
    }
}

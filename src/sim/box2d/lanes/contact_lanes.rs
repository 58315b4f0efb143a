//! Contact constraints of up to sixteen worlds, one world per SIMD lane.

use super::super::contact_solver::{ContactConstraint, MAX_LINEAR_CORRECTION, Position};
use super::super::manifold::ManifoldType;
use super::super::math::{LINEAR_SLOP, Transform};
use super::super::step::BAUMGARTE;
use super::STATIC_SLOT;
use super::lane_array::{LaneArray, WorldLanes, set_lane};
use super::vec2_lanes::{PositionLanes, TransformLanes, Vec2Lanes, VelocityLanes, load, store};

/// One contact point per world, in SIMD lanes: accumulated impulses, and quantities that are constant during the iterations.
#[derive(Debug, Clone, Default)]
struct PointLanes {
    ra: [LaneArray; 2],
    rb: [LaneArray; 2],
    normal_impulse: LaneArray,
    tangent_impulse: LaneArray,
    normal_mass: LaneArray,
    tangent_mass: LaneArray,
    velocity_bias: LaneArray,
}

/// One contact per world; some worlds may have none. The bodies A lie in the same slot. If they are static, the bodies B may lie in
/// different slots.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactLanes {
    /// Bit mask of the worlds that have a contact; `two_point_lanes` is the bit mask of the worlds whose contact has two
    /// points.
    active_lanes: u32,
    two_point_lanes: u32,
    /// Slots (indices in the list of velocities) of the bodies A and B.
    slots: [usize; 2],
    /// Further slots of bodies B, and the bit masks of their worlds. `first_lanes` is the bit mask of the worlds whose body B lies in
    /// `slots[1]`.
    other_slots: Vec<(usize, u32)>,
    first_lanes: u32,
    masses: [LaneArray; 4],
    friction: LaneArray,
    normal: [LaneArray; 2],
    k: [LaneArray; 3],
    inverse_k: [LaneArray; 3],
    points: [PointLanes; 2],
    manifold: ManifoldLanes,
}

/// Contact manifolds, one per world, and the bodies to which they belong.
#[derive(Debug, Clone, Default)]
struct ManifoldLanes {
    /// Bit mask of the worlds whose manifold has two points. The next mask marks the worlds whose manifold is a face of shape B.
    two_point_lanes: u32,
    face_b_lanes: u32,
    local_normal: [LaneArray; 2],
    local_point: [LaneArray; 2],
    points: [[LaneArray; 2]; 2],
    radii: [LaneArray; 2],
    /// Centres of mass of the two bodies, in the bodies' local coordinates.
    centers: [[LaneArray; 2]; 2],
    /// Positions of the two bodies at the start of the step, and their transforms: x, y, sine and cosine. Only those of static
    /// bodies are used.
    starts: [[LaneArray; 3]; 2],
    transforms: [[LaneArray; 4]; 2],
}

impl ContactLanes {
    /// Removes the contacts of all worlds, and sets the slots of the contacts' two bodies in the list of velocities.
    pub fn clear(&mut self, slots: [usize; 2]) {
        self.slots = slots;
        self.other_slots.clear();
        self.first_lanes = 0;
        (self.active_lanes, self.two_point_lanes) = (0, 0);
        (self.manifold.two_point_lanes, self.manifold.face_b_lanes) = (0, 0);
    }

    /// Returns the slots of the contacts' bodies.
    pub fn slots(&self) -> impl Iterator<Item = usize> + Clone + use<'_> {
        self.slots.into_iter().chain(self.other_slots.iter().map(|(slot, _)| *slot))
    }

    /// Returns whether a contact of the world `lane` can be added, of bodies in the slots `slots`. If `shares_rows`, bodies B that touch
    /// static bodies may lie in any slots.
    pub fn accepts(&self, lane: usize, slots: [usize; 2], shares_rows: bool) -> bool {
        let is_pushed_by_static = |[a, b]: [usize; 2]| a == STATIC_SLOT && b != STATIC_SLOT;
        let is_shared = shares_rows && is_pushed_by_static(self.slots) && is_pushed_by_static(slots);
        (self.slots == slots || is_shared) && self.active_lanes >> lane & 1 == 0
    }

    /// Loads the contact of one world, of bodies in the slots `slots`, into its lane.
    pub fn set(&mut self, lane: usize, slots: [usize; 2], contact: &ContactConstraint) {
        let bit = 1 << lane;
        if slots == self.slots {
            self.first_lanes |= bit;
        } else if let Some((_, lanes)) = self.other_slots.iter_mut().find(|(slot, _)| *slot == slots[1]) {
            *lanes |= bit;
        } else {
            self.other_slots.push((slots[1], bit));
        }
        self.active_lanes |= bit;
        if contact.count == 2 {
            self.two_point_lanes |= bit;
        }
        for (row, mass) in self.masses.iter_mut().zip([contact.ma, contact.ia, contact.mb, contact.ib]) {
            row.0[lane] = mass;
        }
        self.friction.0[lane] = contact.friction;
        (self.normal[0].0[lane], self.normal[1].0[lane]) = (contact.normal.x, contact.normal.y);
        for part in 0..3 {
            self.k[part].0[lane] = contact.k[part];
            self.inverse_k[part].0[lane] = contact.inverse_k[part];
        }
        for (points, point) in self.points.iter_mut().zip(&contact.points) {
            (points.ra[0].0[lane], points.ra[1].0[lane]) = (point.ra.x, point.ra.y);
            (points.rb[0].0[lane], points.rb[1].0[lane]) = (point.rb.x, point.rb.y);
            points.normal_impulse.0[lane] = point.normal_impulse;
            points.tangent_impulse.0[lane] = point.tangent_impulse;
            points.normal_mass.0[lane] = point.normal_mass;
            points.tangent_mass.0[lane] = point.tangent_mass;
            points.velocity_bias.0[lane] = point.velocity_bias;
        }
    }

    /// Loads the manifold of one world's contact, and the positions of the contact's two bodies.
    pub fn set_manifold(&mut self, lane: usize, contact: &ContactConstraint, starts: [Position; 2]) {
        let (rows, manifold) = (&mut self.manifold, &contact.manifold);
        let bit = |is: bool| u32::from(is) << lane;
        rows.two_point_lanes |= bit(manifold.point_count == 2);
        rows.face_b_lanes |= bit(manifold.kind == ManifoldType::FaceB);
        let points = manifold.points.map(|point| point.local_point);
        let vectors = [manifold.local_normal, manifold.local_point, points[0], points[1], contact.center_a, contact.center_b];
        let [point_1, point_2] = &mut rows.points;
        let [center_a, center_b] = &mut rows.centers;
        let places = [&mut rows.local_normal, &mut rows.local_point, point_1, point_2, center_a, center_b];
        for (row, vector) in places.into_iter().zip(vectors) {
            set_lane(row, lane, [vector.x, vector.y]);
        }
        set_lane(&mut rows.radii, lane, [contact.radius_a, contact.radius_b]);
        let centers = [contact.center_a, contact.center_b];
        for (at, (start, center)) in starts.into_iter().zip(centers).enumerate() {
            set_lane(&mut rows.starts[at], lane, [start.c.x, start.c.y, start.a]);
            if self.slots[at] == STATIC_SLOT {
                let Transform { p, q } = Transform::from_center(start.c, start.a, center);
                set_lane(&mut rows.transforms[at], lane, [p.x, p.y, q.s, q.c]);
            }
        }
    }

    /// Copies the impulses of one world's lane to this world's contact.
    pub fn get(&self, lane: usize, contact: &mut ContactConstraint) {
        let count = contact.count as usize;
        for (points, point) in self.points.iter().zip(&mut contact.points[..count]) {
            point.normal_impulse = points.normal_impulse.0[lane];
            point.tangent_impulse = points.tangent_impulse.0[lane];
        }
    }

    /// Runs one velocity iteration of the contacts of all worlds.
    #[inline(always)]
    pub fn solve<V: WorldLanes>(&mut self, velocities: &mut [[LaneArray; 3]]) {
        if self.slots[0] == STATIC_SLOT {
            self.solve_pair::<V, true>(velocities);
        } else {
            self.solve_pair::<V, false>(velocities);
        }
    }

    /// Runs one velocity iteration; `IS_A_STATIC` is whether the bodies A are static.
    #[inline(always)]
    fn solve_pair<V: WorldLanes, const IS_A_STATIC: bool>(&mut self, velocities: &mut [[LaneArray; 3]]) {
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        let (before_a, mut before_b) = (load(&velocities[self.slots[0]]), load(&velocities[self.slots[1]]));
        for (slot, lanes) in &self.other_slots {
            before_b = VelocityLanes::select(V::mask(*lanes), load(&velocities[*slot]), before_b);
        }
        let mut bodies = BodyPairLanes::<V, IS_A_STATIC> { a: before_a, b: before_b, ma, ia, mb, ib };
        let normal: Vec2Lanes<V> = Vec2Lanes::load(&self.normal);
        // The tangent is the cross product of the contact normal and the vector (0, 0, 1).
        let tangent = Vec2Lanes { x: normal.y, y: normal.x.neg() };
        let twofold = V::mask(self.two_point_lanes);
        solve_friction(&mut self.points[0], &mut bodies, &self.friction, tangent, None);
        if self.two_point_lanes != 0 {
            let lanes = (self.two_point_lanes != self.active_lanes).then_some(twofold);
            solve_friction(&mut self.points[1], &mut bodies, &self.friction, tangent, lanes);
        }
        if self.two_point_lanes == 0 {
            let impulse = self.solve_normal(&mut bodies, normal);
            impulse.store(&mut self.points[0].normal_impulse);
        } else if self.two_point_lanes == self.active_lanes {
            let (x, solved) = self.solve_block(&mut bodies, normal, twofold);
            self.store_normal_impulses(x, solved);
        } else {
            let mut other = bodies;
            let impulse = self.solve_normal(&mut other, normal);
            let (x, solved) = self.solve_block(&mut bodies, normal, twofold);
            self.store_normal_impulses(x, solved);
            let first = V::load(&self.points[0].normal_impulse);
            V::select(twofold, first, impulse).store(&mut self.points[0].normal_impulse);
            bodies.a = VelocityLanes::select(twofold, bodies.a, other.a);
            bodies.b = VelocityLanes::select(twofold, bodies.b, other.b);
        }
        // In lanes without a contact, velocities do not change.
        if !IS_A_STATIC {
            store(VelocityLanes::select(V::mask(self.active_lanes), bodies.a, before_a), &mut velocities[self.slots[0]]);
        }
        if self.slots[1] != STATIC_SLOT {
            for (slot, lanes) in std::iter::once(&(self.slots[1], self.first_lanes)).chain(&self.other_slots) {
                let velocity = &mut velocities[*slot];
                store(VelocityLanes::select(V::mask(*lanes), bodies.b, load(velocity)), velocity);
            }
        }
    }

    #[inline(always)]
    fn store_normal_impulses<V: WorldLanes>(&mut self, x: Vec2Lanes<V>, solved: V::Mask) {
        for (points, new) in self.points.iter_mut().zip([x.x, x.y]) {
            let old = V::load(&points.normal_impulse);
            V::select(solved, new, old).store(&mut points.normal_impulse);
        }
    }

    /// Computes the normal impulse of contacts with a single point, and applies it to the bodies.
    #[inline(always)]
    fn solve_normal<V: WorldLanes, const S: bool>(&self, bodies: &mut BodyPairLanes<V, S>, normal: Vec2Lanes<V>) -> V {
        let point = &self.points[0];
        let (ra, rb) = (Vec2Lanes::load(&point.ra), Vec2Lanes::load(&point.rb));
        let normal_speed = bodies.relative_velocity(ra, rb).dot(normal);
        let lambda = V::load(&point.normal_mass).neg().mul(normal_speed.sub(V::load(&point.velocity_bias)));
        let old = V::load(&point.normal_impulse);
        let new = old.add(lambda).max(V::splat(0.0));
        bodies.apply_impulse(ra, rb, normal.scale(new.sub(old)));
        new
    }

    /// Computes the normal impulses of two contact points together. Returns the impulses, and a mask of the lanes in which a
    /// solution exists.
    #[inline(always)]
    fn solve_block<V: WorldLanes, const S: bool>(
        &self,
        bodies: &mut BodyPairLanes<V, S>,
        normal: Vec2Lanes<V>,
        twofold: V::Mask,
    ) -> (Vec2Lanes<V>, V::Mask) {
        let [point_1, point_2] = &self.points;
        let (ra1, rb1) = (Vec2Lanes::load(&point_1.ra), Vec2Lanes::load(&point_1.rb));
        let (ra2, rb2) = (Vec2Lanes::load(&point_2.ra), Vec2Lanes::load(&point_2.rb));
        let a = Vec2Lanes { x: V::load(&point_1.normal_impulse), y: V::load(&point_2.normal_impulse) };
        let [k11, k12, k22] = [0, 1, 2].map(|part| V::load(&self.k[part]));
        let b = Vec2Lanes {
            x: bodies.relative_velocity(ra1, rb1).dot(normal).sub(V::load(&point_1.velocity_bias)),
            y: bodies.relative_velocity(ra2, rb2).dot(normal).sub(V::load(&point_2.velocity_bias)),
        };
        let b = b.sub(Vec2Lanes { x: k11.mul(a.x).add(k12.mul(a.y)), y: k12.mul(a.x).add(k22.mul(a.y)) });
        let (x, solved) = self.solve_lcp(b, k12);
        let solved = V::mask_and(solved, twofold);
        let d = x.sub(a);
        let (p1, p2) = (normal.scale(d.x), normal.scale(d.y));
        let both = p1.add(p2);
        let (before_a, before_b) = (bodies.a, bodies.b);
        if !S {
            bodies.a.v = bodies.a.v.sub(both.scale(bodies.ma));
            bodies.a.w = bodies.a.w.sub(bodies.ia.mul(ra1.cross(p1).add(ra2.cross(p2))));
        }
        bodies.b.v = bodies.b.v.add(both.scale(bodies.mb));
        bodies.b.w = bodies.b.w.add(bodies.ib.mul(rb1.cross(p1).add(rb2.cross(p2))));
        bodies.a = VelocityLanes::select(solved, bodies.a, before_a);
        bodies.b = VelocityLanes::select(solved, bodies.b, before_b);
        (x, solved)
    }

    /// Solves the linear complementarity problem of two contact points. As in Box2D, four cases are tested in order. Returns
    /// the solution of the first case that applies, and a mask of the lanes in which a case applies.
    #[inline(always)]
    fn solve_lcp<V: WorldLanes>(&self, b: Vec2Lanes<V>, k12: V) -> (Vec2Lanes<V>, V::Mask) {
        let zero = V::splat(0.0);
        let [i11, i12, i22] = [0, 1, 2].map(|part| V::load(&self.inverse_k[part]));
        let x = Vec2Lanes { x: i11.mul(b.x).add(i12.mul(b.y)).neg(), y: i12.mul(b.x).add(i22.mul(b.y)).neg() };
        let first = V::mask_and(x.x.ge(zero), x.y.ge(zero));
        let x2 = V::load(&self.points[0].normal_mass).neg().mul(b.x);
        let second = V::mask_and(x2.ge(zero), k12.mul(x2).add(b.y).ge(zero));
        let x3 = V::load(&self.points[1].normal_mass).neg().mul(b.y);
        let third = V::mask_and(x3.ge(zero), k12.mul(x3).add(b.x).ge(zero));
        let fourth = V::mask_and(b.x.ge(zero), b.y.ge(zero));
        let or_third = V::select(V::without(third, second), x3, zero);
        let or_second = V::select(second, x2, zero);
        let found = Vec2Lanes { x: V::select(first, x.x, or_second), y: V::select(first, x.y, or_third) };
        (found, V::mask_or(V::mask_or(first, second), V::mask_or(third, fourth)))
    }
}

impl ManifoldLanes {
    /// Returns the transforms of the contacts' body number `at`.
    #[inline(always)]
    fn transform<V: WorldLanes>(&self, at: usize, slot: usize, position: PositionLanes<V>) -> TransformLanes<V> {
        match slot {
            STATIC_SLOT => TransformLanes::load(&self.transforms[at]),
            _ => position.transform(Vec2Lanes::load(&self.centers[at])),
        }
    }
}

impl ContactLanes {
    /// Runs one position iteration of the contacts of the worlds in the bit mask `lanes`, and perhaps of others. Returns `least` or
    /// the least separation of the contact's points, whichever is less.
    #[inline(always)]
    pub fn solve_position<V: WorldLanes>(&self, positions: &mut [[LaneArray; 3]], lanes: u32, least: V) -> V {
        if self.active_lanes & lanes == 0 {
            return least;
        }
        let manifold = &self.manifold;
        let body = |at: usize, positions: &[[LaneArray; 3]]| match self.slots[at] {
            STATIC_SLOT => PositionLanes::<V>::load(&manifold.starts[at]),
            slot => PositionLanes::load(&positions[slot]),
        };
        let (before_a, mut before_b) = (body(0, positions), body(1, positions));
        for (slot, lanes) in &self.other_slots {
            before_b = PositionLanes::select(V::mask(*lanes), PositionLanes::load(&positions[*slot]), before_b);
        }
        let (mut a, mut b) = (before_a, before_b);
        let mut separation = self.solve_position_point(0, &mut a, &mut b, V::splat(0.0));
        if manifold.two_point_lanes & lanes != 0 {
            let twofold = V::mask(manifold.two_point_lanes);
            let (mut next_a, mut next_b) = (a, b);
            let next = self.solve_position_point(1, &mut next_a, &mut next_b, separation);
            a = PositionLanes::select(twofold, next_a, a);
            b = PositionLanes::select(twofold, next_b, b);
            separation = V::select(twofold, next, separation);
        }
        let active = V::mask(self.active_lanes);
        if self.slots[0] != STATIC_SLOT {
            PositionLanes::select(active, a, before_a).store(&mut positions[self.slots[0]]);
        }
        if self.slots[1] != STATIC_SLOT {
            for (slot, lanes) in std::iter::once(&(self.slots[1], self.first_lanes)).chain(&self.other_slots) {
                let position = &mut positions[*slot];
                PositionLanes::select(V::mask(*lanes), b, PositionLanes::load(position)).store(position);
            }
        }
        V::select(active, least.min(separation), least)
    }

    /// Returns `least` or the separation of the contacts' point number `index`, whichever is less.
    #[inline(always)]
    fn solve_position_point<V: WorldLanes>(
        &self,
        index: usize,
        a: &mut PositionLanes<V>,
        b: &mut PositionLanes<V>,
        least: V,
    ) -> V {
        let (manifold, zero) = (&self.manifold, V::splat(0.0));
        // `map` is not used, because closures passed to it are compiled without vector instructions.
        let (xf_a, xf_b) = (manifold.transform(0, self.slots[0], *a), manifold.transform(1, self.slots[1], *b));
        let face_b = V::mask(manifold.face_b_lanes);
        let (face, other) = (TransformLanes::select(face_b, xf_b, xf_a), TransformLanes::select(face_b, xf_a, xf_b));
        let normal = face.q.mul_vec(Vec2Lanes::load(&manifold.local_normal));
        let plane = face.to_world(Vec2Lanes::load(&manifold.local_point));
        let point = other.to_world(Vec2Lanes::load(&manifold.points[index]));
        let [radius_a, radius_b] = [0, 1].map(|at| V::load(&manifold.radii[at]));
        let separation = point.sub(plane).dot(normal).sub(radius_a).sub(radius_b);
        let normal = Vec2Lanes::select(face_b, normal.neg(), normal);
        let (ra, rb) = (point.sub(a.c), point.sub(b.c));
        let correction = V::splat(BAUMGARTE).mul(separation.add(V::splat(LINEAR_SLOP)));
        let c = V::splat(-MAX_LINEAR_CORRECTION).max(correction.min(zero));
        let (rna, rnb) = (ra.cross(normal), rb.cross(normal));
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        let k = ma.add(mb).add(ia.mul(rna).mul(rna)).add(ib.mul(rnb).mul(rnb));
        let impulse = c.neg().div(k).select_or_zero(k.gt(zero));
        let p = normal.scale(impulse);
        a.c = a.c.sub(p.scale(ma));
        a.a = a.a.sub(ia.mul(ra.cross(p)));
        b.c = b.c.add(p.scale(mb));
        b.a = b.a.add(ib.mul(rb.cross(p)));
        least.min(separation)
    }
}

/// Computes the friction impulse at a contact point and applies it to the bodies, in the lanes of a mask.
#[inline(always)]
fn solve_friction<V: WorldLanes, const S: bool>(
    point: &mut PointLanes,
    bodies: &mut BodyPairLanes<V, S>,
    friction: &LaneArray,
    tangent: Vec2Lanes<V>,
    lanes: Option<V::Mask>,
) {
    let (ra, rb) = (Vec2Lanes::load(&point.ra), Vec2Lanes::load(&point.rb));
    let tangent_speed = bodies.relative_velocity(ra, rb).dot(tangent);
    let lambda = V::load(&point.tangent_mass).mul(tangent_speed.neg());
    let max_impulse = V::load(friction).mul(V::load(&point.normal_impulse));
    let old = V::load(&point.tangent_impulse);
    let new = max_impulse.neg().max(old.add(lambda).min(max_impulse));
    let (before_a, before_b) = (bodies.a, bodies.b);
    bodies.apply_impulse(ra, rb, tangent.scale(new.sub(old)));
    new.store(&mut point.tangent_impulse);
    if let Some(lanes) = lanes {
        bodies.a = VelocityLanes::select(lanes, bodies.a, before_a);
        bodies.b = VelocityLanes::select(lanes, bodies.b, before_b);
    }
}

/// Velocities and masses of the two bodies of a contact, one contact per world. If the bodies A are static, their velocities are
/// and stay 0.
#[derive(Clone, Copy)]
struct BodyPairLanes<V, const IS_A_STATIC: bool> {
    a: VelocityLanes<V>,
    b: VelocityLanes<V>,
    ma: V,
    ia: V,
    mb: V,
    ib: V,
}

impl<V: WorldLanes, const IS_A_STATIC: bool> BodyPairLanes<V, IS_A_STATIC> {
    #[inline(always)]
    fn relative_velocity(&self, ra: Vec2Lanes<V>, rb: Vec2Lanes<V>) -> Vec2Lanes<V> {
        let still = self.a.cross(ra);
        if IS_A_STATIC {
            // A zero, whose sign matters. The result does not depend on the order of the operations; this one takes less time.
            return self.b.v.sub(still).add(self.b.cross(rb));
        }
        self.b.point_velocity(rb).sub(self.a.v).sub(still)
    }

    #[inline(always)]
    fn apply_impulse(&mut self, ra: Vec2Lanes<V>, rb: Vec2Lanes<V>, p: Vec2Lanes<V>) {
        if !IS_A_STATIC {
            self.a.v = self.a.v.sub(p.scale(self.ma));
            self.a.w = self.a.w.sub(self.ia.mul(ra.cross(p)));
        }
        self.b.v = self.b.v.add(p.scale(self.mb));
        self.b.w = self.b.w.add(self.ib.mul(rb.cross(p)));
    }
}

//! Contact constraints of up to sixteen worlds, one world per SIMD lane. All contacts have the same index in their worlds'
//! islands.

use super::super::contact_solver::ContactConstraint;
use super::lane_array::{LaneArray, Lanes16};
use super::vec2_lanes::{Vec2Lanes, VelocityLanes, load, store};

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

/// One contact per world; some worlds may have no contact at this index.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactLanes {
    /// Bit mask of the worlds that have a contact; `two_point_lanes` is the bit mask of the worlds whose contact has two
    /// points.
    active_lanes: u16,
    two_point_lanes: u16,
    /// Slots (indices in the list of velocities) of body A of the worlds' contacts. Each slot has a bit mask of the worlds
    /// whose body A is in this slot. `slots_b` has the slots of body B.
    slots_a: Vec<(usize, u16)>,
    slots_b: Vec<(usize, u16)>,
    masses: [LaneArray; 4],
    friction: LaneArray,
    normal: [LaneArray; 2],
    k: [LaneArray; 3],
    inverse_k: [LaneArray; 3],
    points: [PointLanes; 2],
}

fn record_slot(slots: &mut Vec<(usize, u16)>, slot: usize, bit: u16) {
    match slots.iter_mut().find(|(known, _)| *known == slot) {
        Some((_, bits)) => *bits |= bit,
        None => slots.push((slot, bit)),
    }
}

impl ContactLanes {
    /// Removes the contacts of all worlds.
    pub fn clear(&mut self) {
        (self.active_lanes, self.two_point_lanes) = (0, 0);
        self.slots_a.clear();
        self.slots_b.clear();
    }

    /// Loads the contact of one world into its lane; also stores the slots of the contact's two bodies.
    pub fn set(&mut self, lane: usize, contact: &ContactConstraint, (slot_a, slot_b): (usize, usize)) {
        let bit = 1 << lane;
        self.active_lanes |= bit;
        if contact.count == 2 {
            self.two_point_lanes |= bit;
        }
        record_slot(&mut self.slots_a, slot_a, bit);
        record_slot(&mut self.slots_b, slot_b, bit);
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
    pub fn solve<V: Lanes16>(&mut self, velocities: &mut [[LaneArray; 3]]) {
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        let mut bodies =
            BodyPairLanes { a: gather(&self.slots_a, velocities), b: gather(&self.slots_b, velocities), ma, ia, mb, ib };
        let normal: Vec2Lanes<V> = Vec2Lanes::load(&self.normal);
        // The tangent is the cross product of the contact normal and the vector (0, 0, 1).
        let tangent = Vec2Lanes { x: normal.y, y: normal.x.neg() };
        let twofold = V::mask(u32::from(self.two_point_lanes));
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
        scatter(bodies.a, &self.slots_a, velocities);
        scatter(bodies.b, &self.slots_b, velocities);
    }

    #[inline(always)]
    fn store_normal_impulses<V: Lanes16>(&mut self, x: Vec2Lanes<V>, solved: V::Mask) {
        for (points, new) in self.points.iter_mut().zip([x.x, x.y]) {
            let old = V::load(&points.normal_impulse);
            V::select(solved, new, old).store(&mut points.normal_impulse);
        }
    }

    /// Computes the normal impulse of contacts with a single point, and applies it to the bodies.
    #[inline(always)]
    fn solve_normal<V: Lanes16>(&self, bodies: &mut BodyPairLanes<V>, normal: Vec2Lanes<V>) -> V {
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
    fn solve_block<V: Lanes16>(
        &self,
        bodies: &mut BodyPairLanes<V>,
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
        bodies.a.v = bodies.a.v.sub(both.scale(bodies.ma));
        bodies.a.w = bodies.a.w.sub(bodies.ia.mul(ra1.cross(p1).add(ra2.cross(p2))));
        bodies.b.v = bodies.b.v.add(both.scale(bodies.mb));
        bodies.b.w = bodies.b.w.add(bodies.ib.mul(rb1.cross(p1).add(rb2.cross(p2))));
        bodies.a = VelocityLanes::select(solved, bodies.a, before_a);
        bodies.b = VelocityLanes::select(solved, bodies.b, before_b);
        (x, solved)
    }

    /// Solves the linear complementarity problem of two contact points. As in Box2D, four cases are tested in order. Returns
    /// the solution of the first case that applies, and a mask of the lanes in which a case applies.
    #[inline(always)]
    fn solve_lcp<V: Lanes16>(&self, b: Vec2Lanes<V>, k12: V) -> (Vec2Lanes<V>, V::Mask) {
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

/// Computes the friction impulse at a contact point and applies it to the bodies, in the lanes of a mask.
#[inline(always)]
fn solve_friction<V: Lanes16>(
    point: &mut PointLanes,
    bodies: &mut BodyPairLanes<V>,
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

/// Velocities and masses of the two bodies of a contact, one contact per world.
#[derive(Clone, Copy)]
struct BodyPairLanes<V> {
    a: VelocityLanes<V>,
    b: VelocityLanes<V>,
    ma: V,
    ia: V,
    mb: V,
    ib: V,
}

impl<V: Lanes16> BodyPairLanes<V> {
    #[inline(always)]
    fn relative_velocity(&self, ra: Vec2Lanes<V>, rb: Vec2Lanes<V>) -> Vec2Lanes<V> {
        self.b.point_velocity(rb).sub(self.a.v).sub(self.a.cross(ra))
    }

    #[inline(always)]
    fn apply_impulse(&mut self, ra: Vec2Lanes<V>, rb: Vec2Lanes<V>, p: Vec2Lanes<V>) {
        self.a.v = self.a.v.sub(p.scale(self.ma));
        self.a.w = self.a.w.sub(self.ia.mul(ra.cross(p)));
        self.b.v = self.b.v.add(p.scale(self.mb));
        self.b.w = self.b.w.add(self.ib.mul(rb.cross(p)));
    }
}

#[inline(always)]
fn gather<V: Lanes16>(slots: &[(usize, u16)], velocities: &[[LaneArray; 3]]) -> VelocityLanes<V> {
    let mut all = load(&velocities[slots[0].0]);
    for (slot, bits) in &slots[1..] {
        all = VelocityLanes::select(V::mask(u32::from(*bits)), load(&velocities[*slot]), all);
    }
    all
}

/// Writes the velocities of one body per world back to the bodies' slots. In lanes without a contact, velocities do not change.
#[inline(always)]
fn scatter<V: Lanes16>(velocity: VelocityLanes<V>, slots: &[(usize, u16)], velocities: &mut [[LaneArray; 3]]) {
    for (slot, bits) in slots {
        let old = load(&velocities[*slot]);
        store(VelocityLanes::select(V::mask(u32::from(*bits)), velocity, old), &mut velocities[*slot]);
    }
}

//! Contacts of sixteen worlds that have the same index in their islands.

use super::super::contact_solver::ContactConstraint;
use super::lane_array::{LaneArray, Lanes16};
use super::vec2_lanes::{Vec2Lanes, VelocityLanes, load, store};

/// A contact point per world.
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

/// A contact per world; some worlds may have none.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactLanes {
    /// Worlds that have a contact, and worlds whose contact has two points; one bit each.
    active_lanes: u16,
    two_point_lanes: u16,
    /// Slots of bodies A and B, each with the bits of the worlds that use it.
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
    /// Removes all worlds.
    pub fn clear(&mut self) {
        (self.active_lanes, self.two_point_lanes) = (0, 0);
        self.slots_a.clear();
        self.slots_b.clear();
    }

    /// Loads the contact of a world, with the slots of its bodies.
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

    /// Stores the impulses into the contact of a world.
    pub fn get(&self, lane: usize, contact: &mut ContactConstraint) {
        let count = contact.count as usize;
        for (points, point) in self.points.iter().zip(&mut contact.points[..count]) {
            point.normal_impulse = points.normal_impulse.0[lane];
            point.tangent_impulse = points.tangent_impulse.0[lane];
        }
    }

    /// Runs one velocity iteration.
    #[inline(always)]
    pub fn solve<V: Lanes16>(&mut self, speeds: &mut [[LaneArray; 3]]) {
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        let mut moving = BodyPairLanes { a: gather(&self.slots_a, speeds), b: gather(&self.slots_b, speeds), ma, ia, mb, ib };
        let normal: Vec2Lanes<V> = Vec2Lanes::load(&self.normal);
        // Cross product of the normal with 1.
        let tangent = Vec2Lanes { x: normal.y, y: normal.x.neg() };
        let twofold = V::mask(u32::from(self.two_point_lanes));
        solve_friction(&mut self.points[0], &mut moving, &self.friction, tangent, None);
        if self.two_point_lanes != 0 {
            let some = (self.two_point_lanes != self.active_lanes).then_some(twofold);
            solve_friction(&mut self.points[1], &mut moving, &self.friction, tangent, some);
        }
        if self.two_point_lanes == 0 {
            let impulse = self.solve_normal(&mut moving, normal);
            impulse.store(&mut self.points[0].normal_impulse);
        } else if self.two_point_lanes == self.active_lanes {
            let (x, holds) = self.solve_block(&mut moving, normal, twofold);
            self.store_normal_impulses(x, holds);
        } else {
            let mut other = moving;
            let impulse = self.solve_normal(&mut other, normal);
            let (x, holds) = self.solve_block(&mut moving, normal, twofold);
            self.store_normal_impulses(x, holds);
            let first = V::load(&self.points[0].normal_impulse);
            V::select(twofold, first, impulse).store(&mut self.points[0].normal_impulse);
            moving.a = VelocityLanes::select(twofold, moving.a, other.a);
            moving.b = VelocityLanes::select(twofold, moving.b, other.b);
        }
        scatter(moving.a, &self.slots_a, speeds);
        scatter(moving.b, &self.slots_b, speeds);
    }

    #[inline(always)]
    fn store_normal_impulses<V: Lanes16>(&mut self, x: Vec2Lanes<V>, holds: V::Mask) {
        for (points, new) in self.points.iter_mut().zip([x.x, x.y]) {
            let old = V::load(&points.normal_impulse);
            V::select(holds, new, old).store(&mut points.normal_impulse);
        }
    }

    /// Solves the normal impulse of a single point.
    #[inline(always)]
    fn solve_normal<V: Lanes16>(&self, moving: &mut BodyPairLanes<V>, normal: Vec2Lanes<V>) -> V {
        let point = &self.points[0];
        let (ra, rb) = (Vec2Lanes::load(&point.ra), Vec2Lanes::load(&point.rb));
        let speed = moving.relative_velocity(ra, rb).dot(normal);
        let lambda = V::load(&point.normal_mass).neg().mul(speed.sub(V::load(&point.velocity_bias)));
        let old = V::load(&point.normal_impulse);
        let new = old.add(lambda).max(V::all(0.0));
        moving.apply_impulse(ra, rb, normal.scale(new.sub(old)));
        new
    }

    /// Solves the normal impulses of two points. Returns them, and the lanes that have a solution.
    #[inline(always)]
    fn solve_block<V: Lanes16>(
        &self,
        moving: &mut BodyPairLanes<V>,
        normal: Vec2Lanes<V>,
        twofold: V::Mask,
    ) -> (Vec2Lanes<V>, V::Mask) {
        let [one, two] = &self.points;
        let (ra1, rb1) = (Vec2Lanes::load(&one.ra), Vec2Lanes::load(&one.rb));
        let (ra2, rb2) = (Vec2Lanes::load(&two.ra), Vec2Lanes::load(&two.rb));
        let a = Vec2Lanes { x: V::load(&one.normal_impulse), y: V::load(&two.normal_impulse) };
        let [k11, k12, k22] = [0, 1, 2].map(|part| V::load(&self.k[part]));
        let b = Vec2Lanes {
            x: moving.relative_velocity(ra1, rb1).dot(normal).sub(V::load(&one.velocity_bias)),
            y: moving.relative_velocity(ra2, rb2).dot(normal).sub(V::load(&two.velocity_bias)),
        };
        let b = b.sub(Vec2Lanes { x: k11.mul(a.x).add(k12.mul(a.y)), y: k12.mul(a.x).add(k22.mul(a.y)) });
        let (x, holds) = self.solve_lcp(b, k12);
        let holds = V::both(holds, twofold);
        let d = x.sub(a);
        let (p1, p2) = (normal.scale(d.x), normal.scale(d.y));
        let both = p1.add(p2);
        let (before_a, before_b) = (moving.a, moving.b);
        moving.a.v = moving.a.v.sub(both.scale(moving.ma));
        moving.a.w = moving.a.w.sub(moving.ia.mul(ra1.cross(p1).add(ra2.cross(p2))));
        moving.b.v = moving.b.v.add(both.scale(moving.mb));
        moving.b.w = moving.b.w.add(moving.ib.mul(rb1.cross(p1).add(rb2.cross(p2))));
        moving.a = VelocityLanes::select(holds, moving.a, before_a);
        moving.b = VelocityLanes::select(holds, moving.b, before_b);
        (x, holds)
    }

    /// Returns the first of the four cases of the complementarity problem that holds, and the lanes where one does.
    #[inline(always)]
    fn solve_lcp<V: Lanes16>(&self, b: Vec2Lanes<V>, k12: V) -> (Vec2Lanes<V>, V::Mask) {
        let zero = V::all(0.0);
        let [i11, i12, i22] = [0, 1, 2].map(|part| V::load(&self.inverse_k[part]));
        let x = Vec2Lanes { x: i11.mul(b.x).add(i12.mul(b.y)).neg(), y: i12.mul(b.x).add(i22.mul(b.y)).neg() };
        let first = V::both(x.x.ge(zero), x.y.ge(zero));
        let x2 = V::load(&self.points[0].normal_mass).neg().mul(b.x);
        let second = V::both(x2.ge(zero), k12.mul(x2).add(b.y).ge(zero));
        let x3 = V::load(&self.points[1].normal_mass).neg().mul(b.y);
        let third = V::both(x3.ge(zero), k12.mul(x3).add(b.x).ge(zero));
        let fourth = V::both(b.x.ge(zero), b.y.ge(zero));
        let or_third = V::select(V::without(third, second), x3, zero);
        let or_second = V::select(second, x2, zero);
        let found = Vec2Lanes { x: V::select(first, x.x, or_second), y: V::select(first, x.y, or_third) };
        (found, V::either(V::either(first, second), V::either(third, fourth)))
    }
}

/// Solves friction at a point. `some` restricts the result to these lanes.
#[inline(always)]
fn solve_friction<V: Lanes16>(
    point: &mut PointLanes,
    moving: &mut BodyPairLanes<V>,
    friction: &LaneArray,
    tangent: Vec2Lanes<V>,
    some: Option<V::Mask>,
) {
    let (ra, rb) = (Vec2Lanes::load(&point.ra), Vec2Lanes::load(&point.rb));
    let speed = moving.relative_velocity(ra, rb).dot(tangent);
    let lambda = V::load(&point.tangent_mass).mul(speed.neg());
    let most = V::load(friction).mul(V::load(&point.normal_impulse));
    let old = V::load(&point.tangent_impulse);
    let new = most.neg().max(old.add(lambda).min(most));
    let (before_a, before_b) = (moving.a, moving.b);
    moving.apply_impulse(ra, rb, tangent.scale(new.sub(old)));
    new.store(&mut point.tangent_impulse);
    if let Some(some) = some {
        moving.a = VelocityLanes::select(some, moving.a, before_a);
        moving.b = VelocityLanes::select(some, moving.b, before_b);
    }
}

/// Velocities and masses of the two bodies of a contact, per world.
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
fn gather<V: Lanes16>(slots: &[(usize, u16)], speeds: &[[LaneArray; 3]]) -> VelocityLanes<V> {
    let mut all = load(&speeds[slots[0].0]);
    for (slot, bits) in &slots[1..] {
        all = VelocityLanes::select(V::mask(u32::from(*bits)), load(&speeds[*slot]), all);
    }
    all
}

/// Stores velocities by slot. Lanes without a contact keep theirs.
#[inline(always)]
fn scatter<V: Lanes16>(speed: VelocityLanes<V>, slots: &[(usize, u16)], speeds: &mut [[LaneArray; 3]]) {
    for (slot, bits) in slots {
        let old = load(&speeds[*slot]);
        store(VelocityLanes::select(V::mask(u32::from(*bits)), speed, old), &mut speeds[*slot]);
    }
}

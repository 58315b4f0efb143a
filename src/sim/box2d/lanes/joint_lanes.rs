//! Joint constraints of up to sixteen worlds, one joint per world and SIMD lane.

use super::super::math::{ANGULAR_SLOP, LINEAR_SLOP};
use super::super::revolute_joint::{JointConstraint, LimitState, MAX_ANGULAR_CORRECTION};
use super::lane_array::{LaneArray, WorldLanes, set_lane};
use super::vec2_lanes::{PositionLanes, RotLanes, Vec2Lanes, VelocityLanes, load, store};

/// One joint per world. Lanes of worlds without a joint contain old numbers or zeros, and their results are discarded.
#[derive(Debug, Clone, Default)]
pub(super) struct JointLanes {
    slot_a: usize,
    slot_b: usize,
    /// Bit mask of the worlds whose joint has a motor. The next three masks mark the worlds whose joint has an active limit,
    /// is at the lower limit, or is at the upper limit. The last mask marks the worlds that have a joint.
    motor_lanes: u32,
    limited_lanes: u32,
    lower_lanes: u32,
    upper_lanes: u32,
    active_lanes: u32,
    motor_speed: LaneArray,
    max_impulse: LaneArray,
    motor_mass: LaneArray,
    ex: [LaneArray; 3],
    ey: [LaneArray; 3],
    ez: [LaneArray; 3],
    yz: [LaneArray; 3],
    det_3: LaneArray,
    det_2: LaneArray,
    masses: [LaneArray; 4],
    ra: [LaneArray; 2],
    rb: [LaneArray; 2],
    impulse: [LaneArray; 3],
    motor_impulse: LaneArray,
    anchor_a: [LaneArray; 2],
    anchor_b: [LaneArray; 2],
    reference_angle: LaneArray,
    /// Lower and upper limit.
    limits: [LaneArray; 2],
}

impl JointLanes {
    /// Removes the joints of all worlds, and sets the slots of the joints' two bodies in the list of velocities.
    pub fn clear(&mut self, slot_a: usize, slot_b: usize) {
        (self.slot_a, self.slot_b) = (slot_a, slot_b);
        (self.motor_lanes, self.limited_lanes, self.lower_lanes, self.upper_lanes, self.active_lanes) = (0, 0, 0, 0, 0);
    }

    /// Returns the slots of the joints' two bodies.
    pub fn slots(&self) -> [usize; 2] {
        [self.slot_a, self.slot_b]
    }

    /// Loads the joint of one world.
    pub fn set(&mut self, lane: usize, joint: &JointConstraint) {
        let bit = |is: bool| u32::from(is) << lane;
        self.active_lanes |= bit(true);
        self.motor_lanes |= bit(joint.has_motor);
        self.limited_lanes |= bit(joint.limit_state != LimitState::InactiveLimit);
        self.lower_lanes |= bit(joint.limit_state == LimitState::AtLower);
        self.upper_lanes |= bit(joint.limit_state == LimitState::AtUpper);
        self.motor_speed.0[lane] = joint.motor_speed;
        self.max_impulse.0[lane] = joint.max_impulse;
        self.motor_mass.0[lane] = joint.motor_mass;
        let mass = &joint.mass;
        set_lane(&mut self.ex, lane, mass.ex);
        set_lane(&mut self.ey, lane, mass.ey);
        set_lane(&mut self.ez, lane, mass.ez);
        set_lane(&mut self.yz, lane, mass.yz);
        self.det_3.0[lane] = mass.det_3;
        self.det_2.0[lane] = mass.det_2;
        set_lane(&mut self.masses, lane, [joint.ma, joint.ia, joint.mb, joint.ib]);
        set_lane(&mut self.ra, lane, [joint.ra.x, joint.ra.y]);
        set_lane(&mut self.rb, lane, [joint.rb.x, joint.rb.y]);
        set_lane(&mut self.impulse, lane, joint.impulse);
        self.motor_impulse.0[lane] = joint.motor_impulse;
        set_lane(&mut self.anchor_a, lane, [joint.anchor_a.x, joint.anchor_a.y]);
        set_lane(&mut self.anchor_b, lane, [joint.anchor_b.x, joint.anchor_b.y]);
        self.reference_angle.0[lane] = joint.reference_angle;
        set_lane(&mut self.limits, lane, [joint.limits.0, joint.limits.1]);
    }

    /// Copies the impulses of one world's lane to this world's joint.
    pub fn get(&self, lane: usize, joint: &mut JointConstraint) {
        joint.impulse = [0, 1, 2].map(|part| self.impulse[part].0[lane]);
        joint.motor_impulse = self.motor_impulse.0[lane];
    }

    /// Runs one velocity iteration of the joints of all worlds.
    #[inline(always)]
    pub fn solve<V: WorldLanes>(&mut self, velocities: &mut [[LaneArray; 3]]) {
        let mut a: VelocityLanes<V> = load(&velocities[self.slot_a]);
        let mut b: VelocityLanes<V> = load(&velocities[self.slot_b]);
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        if self.motor_lanes != 0 {
            self.solve_motor(&mut a, &mut b, ia, ib);
        }
        let (ra, rb) = (Vec2Lanes::load(&self.ra), Vec2Lanes::load(&self.rb));
        let cdot = b.point_velocity(rb).sub(a.v).sub(a.cross(ra));
        let all_limited = self.limited_lanes == self.active_lanes;
        let (p, angular_impulse) = if self.limited_lanes == 0 {
            (self.solve_point(cdot), None)
        } else {
            let (p, angular_impulse) = self.solve_limit(cdot, b.w.sub(a.w), all_limited);
            (p, Some(angular_impulse))
        };
        a.v = a.v.sub(p.scale(ma));
        b.v = b.v.add(p.scale(mb));
        let (mut torque_a, mut torque_b) = (ra.cross(p), rb.cross(p));
        if let Some(angular_impulse) = angular_impulse {
            let (limited_a, limited_b) = (torque_a.add(angular_impulse), torque_b.add(angular_impulse));
            let limited = V::mask(self.limited_lanes);
            torque_a = if all_limited { limited_a } else { V::select(limited, limited_a, torque_a) };
            torque_b = if all_limited { limited_b } else { V::select(limited, limited_b, torque_b) };
        }
        a.w = a.w.sub(ia.mul(torque_a));
        b.w = b.w.add(ib.mul(torque_b));
        store(a, &mut velocities[self.slot_a]);
        store(b, &mut velocities[self.slot_b]);
    }

    #[inline(always)]
    fn solve_motor<V: WorldLanes>(&mut self, a: &mut VelocityLanes<V>, b: &mut VelocityLanes<V>, ia: V, ib: V) {
        let (before, max_impulse) = (V::load(&self.motor_impulse), V::load(&self.max_impulse));
        let cdot = b.w.sub(a.w).sub(V::load(&self.motor_speed));
        let impulse = V::load(&self.motor_mass).neg().mul(cdot);
        let new = max_impulse.neg().max(before.add(impulse).min(max_impulse));
        let impulse = new.sub(before);
        let (wa, wb) = (a.w.sub(ia.mul(impulse)), b.w.add(ib.mul(impulse)));
        if self.motor_lanes == self.active_lanes {
            (a.w, b.w) = (wa, wb);
            new.store(&mut self.motor_impulse);
        } else {
            let motors = V::mask(self.motor_lanes);
            (a.w, b.w) = (V::select(motors, wa, a.w), V::select(motors, wb, b.w));
            V::select(motors, new, before).store(&mut self.motor_impulse);
        }
    }

    #[inline(always)]
    fn solve_2<V: WorldLanes>(&self, b: Vec2Lanes<V>) -> Vec2Lanes<V> {
        let (a11, a12) = (V::load(&self.ex[0]), V::load(&self.ey[0]));
        let (a21, a22) = (V::load(&self.ex[1]), V::load(&self.ey[1]));
        let det = V::load(&self.det_2);
        Vec2Lanes { x: det.mul(a22.mul(b.x).sub(a12.mul(b.y))), y: det.mul(a11.mul(b.y).sub(a21.mul(b.x))) }
    }

    /// Computes and applies the impulse of the point constraint, for joints without an active limit.
    #[inline(always)]
    fn solve_point<V: WorldLanes>(&mut self, cdot: Vec2Lanes<V>) -> Vec2Lanes<V> {
        let p = self.solve_2(cdot.neg());
        V::load(&self.impulse[0]).add(p.x).store(&mut self.impulse[0]);
        V::load(&self.impulse[1]).add(p.y).store(&mut self.impulse[1]);
        p
    }

    /// Computes and applies the impulses of joints, some of which have an active limit. Returns the linear and the angular
    /// impulse.
    #[inline(always)]
    fn solve_limit<V: WorldLanes>(&mut self, cdot: Vec2Lanes<V>, cdot_angular: V, all: bool) -> (Vec2Lanes<V>, V) {
        let three = |rows: &[LaneArray; 3]| [V::load(&rows[0]), V::load(&rows[1]), V::load(&rows[2])];
        let (ex, ey, ez) = (three(&self.ex), three(&self.ey), three(&self.ez));
        let (b, minus_det) = ([cdot.x, cdot.y, cdot_angular], V::load(&self.det_3).neg());
        let x = minus_det.mul(dot_3(b, three(&self.yz)));
        let y = minus_det.mul(dot_3(ex, cross_3(b, ez)));
        let z = minus_det.mul(dot_3(ex, cross_3(ey, b)));
        let [old_x, old_y, old] = three(&self.impulse);
        let (new, zero) = (old.add(z), V::splat(0.0));
        let below = V::mask_and(V::mask(self.lower_lanes), new.lt(zero));
        let releases_limit = V::mask_or(below, V::mask_and(V::mask(self.upper_lanes), zero.lt(new)));
        let mut rhs = cdot.neg().add(Vec2Lanes { x: old.mul(ez[0]), y: old.mul(ez[1]) });
        let angular_impulse = V::select(releases_limit, old.neg(), z);
        let mut new_impulse = V::select(releases_limit, zero, new);
        let mut is_point = releases_limit;
        if !all {
            let limited = V::mask(self.limited_lanes);
            rhs = Vec2Lanes::select(limited, rhs, cdot.neg());
            new_impulse = V::select(limited, new_impulse, old);
            is_point = V::mask_or(is_point, V::mask(!self.limited_lanes));
        }
        let p = Vec2Lanes::select(is_point, self.solve_2(rhs), Vec2Lanes { x, y });
        old_x.add(p.x).store(&mut self.impulse[0]);
        old_y.add(p.y).store(&mut self.impulse[1]);
        new_impulse.store(&mut self.impulse[2]);
        (p, angular_impulse)
    }
}

impl JointLanes {
    /// Runs one position iteration of the joints of the worlds in the bit mask `lanes`, and perhaps of others. Returns the mask of the
    /// worlds whose errors are within tolerance. Joints with equal limits are not supported.
    #[inline(always)]
    pub fn solve_position<V: WorldLanes>(&self, positions: &mut [[LaneArray; 3]], lanes: u32) -> V::Mask {
        let mut a = PositionLanes::<V>::load(&positions[self.slot_a]);
        let mut b = PositionLanes::<V>::load(&positions[self.slot_b]);
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        let angular_error =
            if self.limited_lanes & lanes == 0 { V::splat(0.0) } else { self.solve_position_limit(&mut a.a, &mut b.a, ia, ib) };
        let (anchor_a, anchor_b) = (Vec2Lanes::load(&self.anchor_a), Vec2Lanes::load(&self.anchor_b));
        let (ra, rb) = (RotLanes::from_angle(a.a).mul_vec(anchor_a), RotLanes::from_angle(b.a).mul_vec(anchor_b));
        let c = b.c.add(rb).sub(a.c).sub(ra);
        let error = c.dot(c).sqrt();
        let k11 = ma.add(mb).add(ia.mul(ra.y).mul(ra.y)).add(ib.mul(rb.y).mul(rb.y));
        let k12 = ia.neg().mul(ra.x).mul(ra.y).sub(ib.mul(rb.x).mul(rb.y));
        let k22 = ma.add(mb).add(ia.mul(ra.x).mul(ra.x)).add(ib.mul(rb.x).mul(rb.x));
        let det = k11.mul(k22).sub(k12.mul(k12));
        let det = V::select(det.ne(V::splat(0.0)), V::splat(1.0).div(det), det);
        let x = det.mul(k22.mul(c.x).sub(k12.mul(c.y)));
        let y = det.mul(k11.mul(c.y).sub(k12.mul(c.x)));
        let impulse = Vec2Lanes { x, y }.neg();
        a.c = a.c.sub(impulse.scale(ma));
        a.a = a.a.sub(ia.mul(ra.cross(impulse)));
        b.c = b.c.add(impulse.scale(mb));
        b.a = b.a.add(ib.mul(rb.cross(impulse)));
        a.store(&mut positions[self.slot_a]);
        b.store(&mut positions[self.slot_b]);
        V::mask_and(error.le(V::splat(LINEAR_SLOP)), angular_error.le(V::splat(ANGULAR_SLOP)))
    }

    /// Rotates the bodies of joints with an active limit. Returns the angular errors.
    #[inline(always)]
    fn solve_position_limit<V: WorldLanes>(&self, aa: &mut V, ab: &mut V, ia: V, ib: V) -> V {
        let (zero, slop, most) = (V::splat(0.0), V::splat(ANGULAR_SLOP), V::splat(MAX_ANGULAR_CORRECTION));
        let angle = ab.sub(*aa).sub(V::load(&self.reference_angle));
        let [lower, limited] = [self.lower_lanes, self.limited_lanes].map(|lanes| V::mask(lanes));
        let below = angle.sub(V::load(&self.limits[0]));
        let above = angle.sub(V::load(&self.limits[1]));
        let low = most.neg().max(below.add(slop).min(zero));
        let high = zero.max(above.sub(slop).min(most));
        let impulse = V::load(&self.motor_mass).neg().mul(V::select(lower, low, high));
        *aa = V::select(limited, aa.sub(ia.mul(impulse)), *aa);
        *ab = V::select(limited, ab.add(ib.mul(impulse)), *ab);
        V::select(lower, below.neg(), above).select_or_zero(limited)
    }
}

#[inline(always)]
fn dot_3<V: WorldLanes>(a: [V; 3], b: [V; 3]) -> V {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

#[inline(always)]
fn cross_3<V: WorldLanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    let part = |i: usize, j: usize| a[i].mul(b[j]).sub(a[j].mul(b[i]));
    [part(1, 2), part(2, 0), part(0, 1)]
}

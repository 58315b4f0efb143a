//! One joint of each of sixteen worlds.

use super::super::revolute_joint::{JointConstraint, LimitState};
use super::lane_array::{LaneArray, Lanes16};
use super::vec2_lanes::{Vec2Lanes, VelocityLanes, load, store};

/// One joint per world. Lanes without a joint compute on stale or zero numbers, and their results are discarded.
#[derive(Debug, Clone, Default)]
pub(super) struct JointLanes {
    pub slot_a: usize,
    pub slot_b: usize,
    /// Worlds whose joint has a motor, has an active limit, is at the lower limit, is at the upper limit, or exists; one bit
    /// each.
    motor_lanes: u16,
    limited_lanes: u16,
    lower_lanes: u16,
    upper_lanes: u16,
    active_lanes: u16,
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
}

fn set_lane<const N: usize>(rows: &mut [LaneArray; N], lane: usize, numbers: [f32; N]) {
    for (row, number) in rows.iter_mut().zip(numbers) {
        row.0[lane] = number;
    }
}

impl JointLanes {
    /// Removes all worlds and sets the slots of the bodies.
    pub fn clear(&mut self, slot_a: usize, slot_b: usize) {
        (self.slot_a, self.slot_b) = (slot_a, slot_b);
        (self.motor_lanes, self.limited_lanes, self.lower_lanes, self.upper_lanes, self.active_lanes) = (0, 0, 0, 0, 0);
    }

    /// Loads the joint of a world.
    pub fn set(&mut self, lane: usize, joint: &JointConstraint) {
        let bit = |is: bool| u16::from(is) << lane;
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
    }

    /// Stores the impulses into the joint of a world.
    pub fn get(&self, lane: usize, joint: &mut JointConstraint) {
        joint.impulse = [0, 1, 2].map(|part| self.impulse[part].0[lane]);
        joint.motor_impulse = self.motor_impulse.0[lane];
    }

    /// Runs one velocity iteration.
    #[inline(always)]
    pub fn solve<V: Lanes16>(&mut self, speeds: &mut [[LaneArray; 3]]) {
        let mut a: VelocityLanes<V> = load(&speeds[self.slot_a]);
        let mut b: VelocityLanes<V> = load(&speeds[self.slot_b]);
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        if self.motor_lanes != 0 {
            self.solve_motor(&mut a, &mut b, ia, ib);
        }
        let (ra, rb) = (Vec2Lanes::load(&self.ra), Vec2Lanes::load(&self.rb));
        let slip = b.point_velocity(rb).sub(a.v).sub(a.cross(ra));
        let all_limited = self.limited_lanes == self.active_lanes;
        let (p, turn) = if self.limited_lanes == 0 {
            (self.solve_point(slip), None)
        } else {
            let (p, turn) = self.solve_limit(slip, b.w.sub(a.w), all_limited);
            (p, Some(turn))
        };
        a.v = a.v.sub(p.scale(ma));
        b.v = b.v.add(p.scale(mb));
        let (mut about_a, mut about_b) = (ra.cross(p), rb.cross(p));
        if let Some(turn) = turn {
            let (with_a, with_b) = (about_a.add(turn), about_b.add(turn));
            let limited = V::mask(u32::from(self.limited_lanes));
            about_a = if all_limited { with_a } else { V::select(limited, with_a, about_a) };
            about_b = if all_limited { with_b } else { V::select(limited, with_b, about_b) };
        }
        a.w = a.w.sub(ia.mul(about_a));
        b.w = b.w.add(ib.mul(about_b));
        store(a, &mut speeds[self.slot_a]);
        store(b, &mut speeds[self.slot_b]);
    }

    #[inline(always)]
    fn solve_motor<V: Lanes16>(&mut self, a: &mut VelocityLanes<V>, b: &mut VelocityLanes<V>, ia: V, ib: V) {
        let (before, most) = (V::load(&self.motor_impulse), V::load(&self.max_impulse));
        let slip = b.w.sub(a.w).sub(V::load(&self.motor_speed));
        let impulse = V::load(&self.motor_mass).neg().mul(slip);
        let new = most.neg().max(before.add(impulse).min(most));
        let impulse = new.sub(before);
        let (wa, wb) = (a.w.sub(ia.mul(impulse)), b.w.add(ib.mul(impulse)));
        if self.motor_lanes == self.active_lanes {
            (a.w, b.w) = (wa, wb);
            new.store(&mut self.motor_impulse);
        } else {
            let driven = V::mask(u32::from(self.motor_lanes));
            (a.w, b.w) = (V::select(driven, wa, a.w), V::select(driven, wb, b.w));
            V::select(driven, new, before).store(&mut self.motor_impulse);
        }
    }

    #[inline(always)]
    fn solve_2<V: Lanes16>(&self, b: Vec2Lanes<V>) -> Vec2Lanes<V> {
        let (a11, a12) = (V::load(&self.ex[0]), V::load(&self.ey[0]));
        let (a21, a22) = (V::load(&self.ex[1]), V::load(&self.ey[1]));
        let det = V::load(&self.det_2);
        Vec2Lanes { x: det.mul(a22.mul(b.x).sub(a12.mul(b.y))), y: det.mul(a11.mul(b.y).sub(a21.mul(b.x))) }
    }

    /// Solves the point constraint of joints without an active limit.
    #[inline(always)]
    fn solve_point<V: Lanes16>(&mut self, slip: Vec2Lanes<V>) -> Vec2Lanes<V> {
        let p = self.solve_2(slip.neg());
        V::load(&self.impulse[0]).add(p.x).store(&mut self.impulse[0]);
        V::load(&self.impulse[1]).add(p.y).store(&mut self.impulse[1]);
        p
    }

    /// Solves joints of which some have an active limit. Returns the linear and the angular impulse.
    #[inline(always)]
    fn solve_limit<V: Lanes16>(&mut self, slip: Vec2Lanes<V>, turning: V, all: bool) -> (Vec2Lanes<V>, V) {
        let three = |rows: &[LaneArray; 3]| [V::load(&rows[0]), V::load(&rows[1]), V::load(&rows[2])];
        let (ex, ey, ez) = (three(&self.ex), three(&self.ey), three(&self.ez));
        let (b, det) = ([slip.x, slip.y, turning], V::load(&self.det_3));
        let x = det.mul(dot_3(b, three(&self.yz))).neg();
        let y = det.mul(dot_3(ex, cross_3(b, ez))).neg();
        let z = det.mul(dot_3(ex, cross_3(ey, b))).neg();
        let [old_x, old_y, old] = three(&self.impulse);
        let (new, zero) = (old.add(z), V::all(0.0));
        let below = V::both(V::mask(u32::from(self.lower_lanes)), new.lt(zero));
        let leaves = V::either(below, V::both(V::mask(u32::from(self.upper_lanes)), zero.lt(new)));
        let rhs = slip.neg().add(Vec2Lanes { x: old.mul(ez[0]), y: old.mul(ez[1]) });
        let reduced = self.solve_2(rhs);
        let mut p = Vec2Lanes { x: V::select(leaves, reduced.x, x), y: V::select(leaves, reduced.y, y) };
        let turn = V::select(leaves, old.neg(), z);
        let mut kept = V::select(leaves, zero, new);
        if !all {
            let (limited, held) = (V::mask(u32::from(self.limited_lanes)), self.solve_2(slip.neg()));
            p = Vec2Lanes { x: V::select(limited, p.x, held.x), y: V::select(limited, p.y, held.y) };
            kept = V::select(limited, kept, old);
        }
        old_x.add(p.x).store(&mut self.impulse[0]);
        old_y.add(p.y).store(&mut self.impulse[1]);
        kept.store(&mut self.impulse[2]);
        (p, turn)
    }
}

#[inline(always)]
fn dot_3<V: Lanes16>(a: [V; 3], b: [V; 3]) -> V {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

#[inline(always)]
fn cross_3<V: Lanes16>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    let part = |i: usize, j: usize| a[i].mul(b[j]).sub(a[j].mul(b[i]));
    [part(1, 2), part(2, 0), part(0, 1)]
}

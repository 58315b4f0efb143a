//! One joint in each of sixteen worlds.

use super::super::joint::{JointConstraint, Limit};
use super::plane::{Plane, Speed, load, store};
use super::vector::{Row, Vector};

/// A joint of sixteen worlds. What a world without it has is 0, and written nowhere.
#[derive(Debug, Clone, Default)]
pub(super) struct Joints {
    pub slot_a: usize,
    pub slot_b: usize,
    /// Worlds whose joint has a motor, is at a limit at all, at the lower and the upper one; and those that there are.
    motors: u16,
    limited: u16,
    lower: u16,
    upper: u16,
    used: u16,
    motor_speed: Row,
    max_impulse: Row,
    motor_mass: Row,
    ex: [Row; 3],
    ey: [Row; 3],
    ez: [Row; 3],
    yz: [Row; 3],
    det_3: Row,
    det_2: Row,
    masses: [Row; 4],
    ra: [Row; 2],
    rb: [Row; 2],
    impulse: [Row; 3],
    motor_impulse: Row,
}

fn put<const N: usize>(rows: &mut [Row; N], lane: usize, numbers: [f32; N]) {
    for (row, number) in rows.iter_mut().zip(numbers) {
        row.0[lane] = number;
    }
}

impl Joints {
    /// Begins anew, with bodies in these slots.
    pub fn clear(&mut self, slot_a: usize, slot_b: usize) {
        (self.slot_a, self.slot_b) = (slot_a, slot_b);
        (self.motors, self.limited, self.lower, self.upper, self.used) = (0, 0, 0, 0, 0);
    }

    /// Takes in a world's joint.
    pub fn set(&mut self, lane: usize, joint: &JointConstraint) {
        let bit = |is: bool| u16::from(is) << lane;
        self.used |= bit(true);
        self.motors |= bit(joint.has_motor);
        self.limited |= bit(joint.limit != Limit::Inactive);
        self.lower |= bit(joint.limit == Limit::Lower);
        self.upper |= bit(joint.limit == Limit::Upper);
        self.motor_speed.0[lane] = joint.motor_speed;
        self.max_impulse.0[lane] = joint.max_impulse;
        self.motor_mass.0[lane] = joint.motor_mass;
        let mass = &joint.mass;
        put(&mut self.ex, lane, mass.ex);
        put(&mut self.ey, lane, mass.ey);
        put(&mut self.ez, lane, mass.ez);
        put(&mut self.yz, lane, mass.yz);
        self.det_3.0[lane] = mass.det_3;
        self.det_2.0[lane] = mass.det_2;
        put(&mut self.masses, lane, [joint.ma, joint.ia, joint.mb, joint.ib]);
        put(&mut self.ra, lane, [joint.ra.x, joint.ra.y]);
        put(&mut self.rb, lane, [joint.rb.x, joint.rb.y]);
        put(&mut self.impulse, lane, joint.impulse);
        self.motor_impulse.0[lane] = joint.motor_impulse;
    }

    /// Gives a world's joint its impulses.
    pub fn get(&self, lane: usize, joint: &mut JointConstraint) {
        joint.impulse = [0, 1, 2].map(|part| self.impulse[part].0[lane]);
        joint.motor_impulse = self.motor_impulse.0[lane];
    }

    /// One sweep.
    #[inline(always)]
    pub fn solve<V: Vector>(&mut self, speeds: &mut [[Row; 3]]) {
        let mut a: Speed<V> = load(&speeds[self.slot_a]);
        let mut b: Speed<V> = load(&speeds[self.slot_b]);
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        if self.motors != 0 {
            self.drive(&mut a, &mut b, ia, ib);
        }
        let (ra, rb) = (Plane::load(&self.ra), Plane::load(&self.rb));
        let slip = b.at(rb).sub(a.v).sub(a.turn(ra));
        let all_limited = self.limited == self.used;
        let (p, turn) = if self.limited == 0 {
            (self.hold(slip), None)
        } else {
            let (p, turn) = self.limit(slip, b.w.sub(a.w), all_limited);
            (p, Some(turn))
        };
        a.v = a.v.sub(p.times(ma));
        b.v = b.v.add(p.times(mb));
        let (mut about_a, mut about_b) = (ra.cross(p), rb.cross(p));
        if let Some(turn) = turn {
            let (with_a, with_b) = (about_a.add(turn), about_b.add(turn));
            let limited = V::mask(u32::from(self.limited));
            about_a = if all_limited { with_a } else { V::select(limited, with_a, about_a) };
            about_b = if all_limited { with_b } else { V::select(limited, with_b, about_b) };
        }
        a.w = a.w.sub(ia.mul(about_a));
        b.w = b.w.add(ib.mul(about_b));
        store(a, &mut speeds[self.slot_a]);
        store(b, &mut speeds[self.slot_b]);
    }

    #[inline(always)]
    fn drive<V: Vector>(&mut self, a: &mut Speed<V>, b: &mut Speed<V>, ia: V, ib: V) {
        let (before, most) = (V::load(&self.motor_impulse), V::load(&self.max_impulse));
        let slip = b.w.sub(a.w).sub(V::load(&self.motor_speed));
        let impulse = V::load(&self.motor_mass).neg().mul(slip);
        let new = most.neg().max(before.add(impulse).min(most));
        let impulse = new.sub(before);
        let (wa, wb) = (a.w.sub(ia.mul(impulse)), b.w.add(ib.mul(impulse)));
        if self.motors == self.used {
            (a.w, b.w) = (wa, wb);
            new.store(&mut self.motor_impulse);
        } else {
            let driven = V::mask(u32::from(self.motors));
            (a.w, b.w) = (V::select(driven, wa, a.w), V::select(driven, wb, b.w));
            V::select(driven, new, before).store(&mut self.motor_impulse);
        }
    }

    #[inline(always)]
    fn solve_2<V: Vector>(&self, b: Plane<V>) -> Plane<V> {
        let (a11, a12) = (V::load(&self.ex[0]), V::load(&self.ey[0]));
        let (a21, a22) = (V::load(&self.ex[1]), V::load(&self.ey[1]));
        let det = V::load(&self.det_2);
        Plane { x: det.mul(a22.mul(b.x).sub(a12.mul(b.y))), y: det.mul(a11.mul(b.y).sub(a21.mul(b.x))) }
    }

    /// The impulse that holds both bodies together.
    #[inline(always)]
    fn hold<V: Vector>(&mut self, slip: Plane<V>) -> Plane<V> {
        let p = self.solve_2(slip.neg());
        V::load(&self.impulse[0]).add(p.x).store(&mut self.impulse[0]);
        V::load(&self.impulse[1]).add(p.y).store(&mut self.impulse[1]);
        p
    }

    /// The impulse, and how it turns, where some are at a limit.
    #[inline(always)]
    fn limit<V: Vector>(&mut self, slip: Plane<V>, turning: V, all: bool) -> (Plane<V>, V) {
        let three = |rows: &[Row; 3]| [V::load(&rows[0]), V::load(&rows[1]), V::load(&rows[2])];
        let (ex, ey, ez) = (three(&self.ex), three(&self.ey), three(&self.ez));
        let (b, det) = ([slip.x, slip.y, turning], V::load(&self.det_3));
        let x = det.mul(dot_3(b, three(&self.yz))).neg();
        let y = det.mul(dot_3(ex, cross_3(b, ez))).neg();
        let z = det.mul(dot_3(ex, cross_3(ey, b))).neg();
        let [old_x, old_y, old] = three(&self.impulse);
        let (new, zero) = (old.add(z), V::all(0.0));
        let below = V::both(V::mask(u32::from(self.lower)), new.lt(zero));
        let leaves = V::either(below, V::both(V::mask(u32::from(self.upper)), zero.lt(new)));
        let rhs = slip.neg().add(Plane { x: old.mul(ez[0]), y: old.mul(ez[1]) });
        let reduced = self.solve_2(rhs);
        let mut p = Plane { x: V::select(leaves, reduced.x, x), y: V::select(leaves, reduced.y, y) };
        let turn = V::select(leaves, old.neg(), z);
        let mut kept = V::select(leaves, zero, new);
        if !all {
            let (limited, held) = (V::mask(u32::from(self.limited)), self.solve_2(slip.neg()));
            p = Plane { x: V::select(limited, p.x, held.x), y: V::select(limited, p.y, held.y) };
            kept = V::select(limited, kept, old);
        }
        old_x.add(p.x).store(&mut self.impulse[0]);
        old_y.add(p.y).store(&mut self.impulse[1]);
        kept.store(&mut self.impulse[2]);
        (p, turn)
    }
}

#[inline(always)]
fn dot_3<V: Vector>(a: [V; 3], b: [V; 3]) -> V {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

#[inline(always)]
fn cross_3<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    let part = |i: usize, j: usize| a[i].mul(b[j]).sub(a[j].mul(b[i]));
    [part(1, 2), part(2, 0), part(0, 1)]
}

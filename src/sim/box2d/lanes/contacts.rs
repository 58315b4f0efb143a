//! The contacts of sixteen worlds that have the same place in their order.

use super::super::solver::ContactConstraint;
use super::plane::{Plane, Speed, load, store};
use super::vector::{Row, Vector};

/// A point of contact of sixteen worlds.
#[derive(Debug, Clone, Default)]
struct Points {
    ra: [Row; 2],
    rb: [Row; 2],
    normal_impulse: Row,
    tangent_impulse: Row,
    normal_mass: Row,
    tangent_mass: Row,
    bias: Row,
}

/// A contact in each of sixteen worlds, or in some of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Contacts {
    /// Worlds that have one, and those whose one has two points.
    used: u16,
    twofold: u16,
    /// Which worlds have their bodies A and B in which slot.
    of_a: Vec<(usize, u16)>,
    of_b: Vec<(usize, u16)>,
    masses: [Row; 4],
    friction: Row,
    normal: [Row; 2],
    k: [Row; 3],
    inverse: [Row; 3],
    points: [Points; 2],
}

fn note(slots: &mut Vec<(usize, u16)>, slot: usize, bit: u16) {
    match slots.iter_mut().find(|(known, _)| *known == slot) {
        Some((_, bits)) => *bits |= bit,
        None => slots.push((slot, bit)),
    }
}

impl Contacts {
    /// Begins anew.
    pub fn clear(&mut self) {
        (self.used, self.twofold) = (0, 0);
        self.of_a.clear();
        self.of_b.clear();
    }

    /// Takes in a world's contact, whose bodies are in these slots.
    pub fn set(&mut self, lane: usize, contact: &ContactConstraint, (slot_a, slot_b): (usize, usize)) {
        let bit = 1 << lane;
        self.used |= bit;
        if contact.count == 2 {
            self.twofold |= bit;
        }
        note(&mut self.of_a, slot_a, bit);
        note(&mut self.of_b, slot_b, bit);
        for (row, mass) in self.masses.iter_mut().zip([contact.ma, contact.ia, contact.mb, contact.ib]) {
            row.0[lane] = mass;
        }
        self.friction.0[lane] = contact.friction;
        (self.normal[0].0[lane], self.normal[1].0[lane]) = (contact.normal.x, contact.normal.y);
        for part in 0..3 {
            self.k[part].0[lane] = contact.k[part];
            self.inverse[part].0[lane] = contact.inverse[part];
        }
        for (points, point) in self.points.iter_mut().zip(&contact.points) {
            (points.ra[0].0[lane], points.ra[1].0[lane]) = (point.ra.x, point.ra.y);
            (points.rb[0].0[lane], points.rb[1].0[lane]) = (point.rb.x, point.rb.y);
            points.normal_impulse.0[lane] = point.normal_impulse;
            points.tangent_impulse.0[lane] = point.tangent_impulse;
            points.normal_mass.0[lane] = point.normal_mass;
            points.tangent_mass.0[lane] = point.tangent_mass;
            points.bias.0[lane] = point.bias;
        }
    }

    /// Gives a world's contact its impulses.
    pub fn get(&self, lane: usize, contact: &mut ContactConstraint) {
        let count = contact.count as usize;
        for (points, point) in self.points.iter().zip(&mut contact.points[..count]) {
            point.normal_impulse = points.normal_impulse.0[lane];
            point.tangent_impulse = points.tangent_impulse.0[lane];
        }
    }

    /// One sweep.
    #[inline(always)]
    pub fn solve<V: Vector>(&mut self, speeds: &mut [[Row; 3]]) {
        let [ma, ia, mb, ib] = [0, 1, 2, 3].map(|mass| V::load(&self.masses[mass]));
        let mut moving = Moving { a: gather(&self.of_a, speeds), b: gather(&self.of_b, speeds), ma, ia, mb, ib };
        let normal: Plane<V> = Plane::load(&self.normal);
        // The cross product with 1.
        let tangent = Plane { x: normal.y, y: normal.x.neg() };
        let twofold = V::mask(u32::from(self.twofold));
        rub(&mut self.points[0], &mut moving, &self.friction, tangent, None);
        if self.twofold != 0 {
            let some = (self.twofold != self.used).then_some(twofold);
            rub(&mut self.points[1], &mut moving, &self.friction, tangent, some);
        }
        if self.twofold == 0 {
            let impulse = self.press(&mut moving, normal);
            impulse.store(&mut self.points[0].normal_impulse);
        } else if self.twofold == self.used {
            let (x, holds) = self.press_both(&mut moving, normal, twofold);
            self.keep(x, holds);
        } else {
            let mut other = moving;
            let impulse = self.press(&mut other, normal);
            let (x, holds) = self.press_both(&mut moving, normal, twofold);
            self.keep(x, holds);
            let first = V::load(&self.points[0].normal_impulse);
            V::select(twofold, first, impulse).store(&mut self.points[0].normal_impulse);
            moving.a = Speed::select(twofold, moving.a, other.a);
            moving.b = Speed::select(twofold, moving.b, other.b);
        }
        scatter(moving.a, &self.of_a, speeds);
        scatter(moving.b, &self.of_b, speeds);
    }

    #[inline(always)]
    fn keep<V: Vector>(&mut self, x: Plane<V>, holds: V::Mask) {
        for (points, new) in self.points.iter_mut().zip([x.x, x.y]) {
            let old = V::load(&points.normal_impulse);
            V::select(holds, new, old).store(&mut points.normal_impulse);
        }
    }

    /// The normal impulse of a single point.
    #[inline(always)]
    fn press<V: Vector>(&self, moving: &mut Moving<V>, normal: Plane<V>) -> V {
        let point = &self.points[0];
        let (ra, rb) = (Plane::load(&point.ra), Plane::load(&point.rb));
        let speed = moving.slip(ra, rb).dot(normal);
        let lambda = V::load(&point.normal_mass).neg().mul(speed.sub(V::load(&point.bias)));
        let old = V::load(&point.normal_impulse);
        let new = old.add(lambda).max(V::all(0.0));
        moving.push(ra, rb, normal.times(new.sub(old)));
        new
    }

    /// The normal impulses of two points, and where there is a solution.
    #[inline(always)]
    fn press_both<V: Vector>(&self, moving: &mut Moving<V>, normal: Plane<V>, twofold: V::Mask) -> (Plane<V>, V::Mask) {
        let [one, two] = &self.points;
        let (ra1, rb1) = (Plane::load(&one.ra), Plane::load(&one.rb));
        let (ra2, rb2) = (Plane::load(&two.ra), Plane::load(&two.rb));
        let a = Plane { x: V::load(&one.normal_impulse), y: V::load(&two.normal_impulse) };
        let [k11, k12, k22] = [0, 1, 2].map(|part| V::load(&self.k[part]));
        let b = Plane {
            x: moving.slip(ra1, rb1).dot(normal).sub(V::load(&one.bias)),
            y: moving.slip(ra2, rb2).dot(normal).sub(V::load(&two.bias)),
        };
        let b = b.sub(Plane { x: k11.mul(a.x).add(k12.mul(a.y)), y: k12.mul(a.x).add(k22.mul(a.y)) });
        let (x, holds) = self.first_case(b, k12);
        let holds = V::both(holds, twofold);
        let d = x.sub(a);
        let (p1, p2) = (normal.times(d.x), normal.times(d.y));
        let both = p1.add(p2);
        let (before_a, before_b) = (moving.a, moving.b);
        moving.a.v = moving.a.v.sub(both.times(moving.ma));
        moving.a.w = moving.a.w.sub(moving.ia.mul(ra1.cross(p1).add(ra2.cross(p2))));
        moving.b.v = moving.b.v.add(both.times(moving.mb));
        moving.b.w = moving.b.w.add(moving.ib.mul(rb1.cross(p1).add(rb2.cross(p2))));
        moving.a = Speed::select(holds, moving.a, before_a);
        moving.b = Speed::select(holds, moving.b, before_b);
        (x, holds)
    }

    /// The first of the four cases that holds, and where one does.
    #[inline(always)]
    fn first_case<V: Vector>(&self, b: Plane<V>, k12: V) -> (Plane<V>, V::Mask) {
        let zero = V::all(0.0);
        let [i11, i12, i22] = [0, 1, 2].map(|part| V::load(&self.inverse[part]));
        let x = Plane { x: i11.mul(b.x).add(i12.mul(b.y)).neg(), y: i12.mul(b.x).add(i22.mul(b.y)).neg() };
        let first = V::both(x.x.ge(zero), x.y.ge(zero));
        let x2 = V::load(&self.points[0].normal_mass).neg().mul(b.x);
        let second = V::both(x2.ge(zero), k12.mul(x2).add(b.y).ge(zero));
        let x3 = V::load(&self.points[1].normal_mass).neg().mul(b.y);
        let third = V::both(x3.ge(zero), k12.mul(x3).add(b.x).ge(zero));
        let fourth = V::both(b.x.ge(zero), b.y.ge(zero));
        let or_third = V::select(V::without(third, second), x3, zero);
        let or_second = V::select(second, x2, zero);
        let found = Plane { x: V::select(first, x.x, or_second), y: V::select(first, x.y, or_third) };
        (found, V::either(V::either(first, second), V::either(third, fourth)))
    }
}

/// Friction at a point, of all worlds or some.
#[inline(always)]
fn rub<V: Vector>(point: &mut Points, moving: &mut Moving<V>, friction: &Row, tangent: Plane<V>, some: Option<V::Mask>) {
    let (ra, rb) = (Plane::load(&point.ra), Plane::load(&point.rb));
    let speed = moving.slip(ra, rb).dot(tangent);
    let lambda = V::load(&point.tangent_mass).mul(speed.neg());
    let most = V::load(friction).mul(V::load(&point.normal_impulse));
    let old = V::load(&point.tangent_impulse);
    let new = most.neg().max(old.add(lambda).min(most));
    let (before_a, before_b) = (moving.a, moving.b);
    moving.push(ra, rb, tangent.times(new.sub(old)));
    new.store(&mut point.tangent_impulse);
    if let Some(some) = some {
        moving.a = Speed::select(some, moving.a, before_a);
        moving.b = Speed::select(some, moving.b, before_b);
    }
}

/// Both bodies of a contact.
#[derive(Clone, Copy)]
struct Moving<V> {
    a: Speed<V>,
    b: Speed<V>,
    ma: V,
    ia: V,
    mb: V,
    ib: V,
}

impl<V: Vector> Moving<V> {
    #[inline(always)]
    fn slip(&self, ra: Plane<V>, rb: Plane<V>) -> Plane<V> {
        self.b.at(rb).sub(self.a.v).sub(self.a.turn(ra))
    }

    #[inline(always)]
    fn push(&mut self, ra: Plane<V>, rb: Plane<V>, p: Plane<V>) {
        self.a.v = self.a.v.sub(p.times(self.ma));
        self.a.w = self.a.w.sub(self.ia.mul(ra.cross(p)));
        self.b.v = self.b.v.add(p.times(self.mb));
        self.b.w = self.b.w.add(self.ib.mul(rb.cross(p)));
    }
}

#[inline(always)]
fn gather<V: Vector>(slots: &[(usize, u16)], speeds: &[[Row; 3]]) -> Speed<V> {
    let mut all = load(&speeds[slots[0].0]);
    for (slot, bits) in &slots[1..] {
        all = Speed::select(V::mask(u32::from(*bits)), load(&speeds[*slot]), all);
    }
    all
}

/// Worlds that have no contact here keep what they have.
#[inline(always)]
fn scatter<V: Vector>(speed: Speed<V>, slots: &[(usize, u16)], speeds: &mut [[Row; 3]]) {
    for (slot, bits) in slots {
        let old = load(&speeds[*slot]);
        store(Speed::select(V::mask(u32::from(*bits)), speed, old), &mut speeds[*slot]);
    }
}

//! Contacts while they are solved: impulses sweep by sweep, then positions.

use super::body::Body;
use super::contact::Contact;
use super::manifold::{Manifold, ManifoldKind};
use super::math::{LINEAR_SLOP, Transform, Vec2, clamp, cross, max, min, vec2};

/// Where a body is while it is solved: its centre of mass and its angle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Position {
    pub c: Vec2,
    pub a: f32,
}

/// How fast it is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Velocity {
    pub v: Vec2,
    pub w: f32,
}

impl Velocity {
    pub fn bits(self) -> [u32; 3] {
        [self.v.x, self.v.y, self.w].map(f32::to_bits)
    }
}

/// Contacts that are slower do not bounce, in m/s.
const BOUNCE_THRESHOLD: f32 = 1.0;
/// How far a position is put right at once, in metres.
const MAX_LINEAR_CORRECTION: f32 = 0.2;
/// Two points whose equations depend on each other more than this are solved as one.
const MAX_CONDITION: f32 = 1000.0;

/// A point of contact.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Point {
    pub ra: Vec2,
    pub rb: Vec2,
    pub normal_impulse: f32,
    pub tangent_impulse: f32,
    pub normal_mass: f32,
    pub tangent_mass: f32,
    pub bias: f32,
}

/// A contact while it is solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactConstraint {
    pub index_a: u32,
    pub index_b: u32,
    /// How many points are solved, which may be fewer than there are.
    pub count: u32,
    pub ma: f32,
    pub mb: f32,
    pub ia: f32,
    pub ib: f32,
    pub friction: f32,
    pub normal: Vec2,
    pub points: [Point; 2],
    /// Both points' effective mass and its inverse: 11, 12 and 22.
    pub k: [f32; 3],
    pub inverse: [f32; 3],
    restitution: f32,
    manifold: Manifold,
    center_a: Vec2,
    center_b: Vec2,
    radius_a: f32,
    radius_b: f32,
}

impl ContactConstraint {
    /// What does not depend on positions. `ratio` of the last impulses is used again.
    pub fn new(contact: &Contact, bodies: [&Body; 2], radii: [f32; 2], ratio: Option<f32>) -> Self {
        let [a, b] = bodies;
        let mut points = [Point::default(); 2];
        if let Some(ratio) = ratio {
            for (point, old) in points.iter_mut().zip(&contact.manifold.points) {
                point.normal_impulse = ratio * old.normal_impulse;
                point.tangent_impulse = ratio * old.tangent_impulse;
            }
        }
        Self {
            index_a: a.island_index,
            index_b: b.island_index,
            count: u32::from(contact.manifold.count),
            ma: a.inverse_mass,
            mb: b.inverse_mass,
            ia: a.inverse_inertia,
            ib: b.inverse_inertia,
            friction: contact.friction,
            normal: Vec2::default(),
            points,
            k: [0.0; 3],
            inverse: [0.0; 3],
            restitution: contact.restitution,
            manifold: contact.manifold,
            center_a: a.sweep.local_center,
            center_b: b.sweep.local_center,
            radius_a: radii[0],
            radius_b: radii[1],
        }
    }

    /// What depends on positions.
    pub fn prepare(&mut self, positions: &[Position], velocities: &[Velocity]) {
        let (pa, pb) = (positions[self.index_a as usize], positions[self.index_b as usize]);
        let (Velocity { v: va, w: wa }, Velocity { v: vb, w: wb }) =
            (velocities[self.index_a as usize], velocities[self.index_b as usize]);
        let at_a = Transform::around(pa.c, pa.a, self.center_a);
        let at_b = Transform::around(pb.c, pb.a, self.center_b);
        let (normal, places) = self.manifold.in_world(&at_a, self.radius_a, &at_b, self.radius_b);
        let (ma, mb, ia, ib) = (self.ma, self.mb, self.ia, self.ib);
        self.normal = normal;
        let inverse = |k: f32| if k > 0.0 { 1.0 / k } else { 0.0 };
        let tangent = normal.cross_scalar(1.0);
        for (point, place) in self.points[..self.count as usize].iter_mut().zip(places) {
            let (ra, rb) = (place - pa.c, place - pb.c);
            let (rna, rnb) = (ra.cross(normal), rb.cross(normal));
            let (rta, rtb) = (ra.cross(tangent), rb.cross(tangent));
            (point.ra, point.rb) = (ra, rb);
            point.normal_mass = inverse(ma + mb + ia * rna * rna + ib * rnb * rnb);
            point.tangent_mass = inverse(ma + mb + ia * rta * rta + ib * rtb * rtb);
            let speed = normal.dot(vb + cross(wb, rb) - va - cross(wa, ra));
            point.bias = if speed < -BOUNCE_THRESHOLD { -self.restitution * speed } else { 0.0 };
        }
        if self.count == 2 {
            let [(a1, b1), (a2, b2)] = self.points.map(|point| (point.ra.cross(normal), point.rb.cross(normal)));
            let k11 = ma + mb + ia * a1 * a1 + ib * b1 * b1;
            let k22 = ma + mb + ia * a2 * a2 + ib * b2 * b2;
            let k12 = ma + mb + ia * a1 * a2 + ib * b1 * b2;
            if k11 * k11 < MAX_CONDITION * (k11 * k22 - k12 * k12) {
                self.k = [k11, k12, k22];
                let mut det = k11 * k22 - k12 * k12;
                if det != 0.0 {
                    det = 1.0 / det;
                }
                self.inverse = [det * k22, -det * k12, det * k11];
            } else {
                self.count = 1;
            }
        }
    }

    /// Applies the impulses that were found last.
    pub fn warm_start(&self, velocities: &mut [Velocity]) {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        let (mut one, mut two) = (velocities[a], velocities[b]);
        let tangent = self.normal.cross_scalar(1.0);
        for point in &self.points[..self.count as usize] {
            let p = point.normal_impulse * self.normal + point.tangent_impulse * tangent;
            one.w -= self.ia * point.ra.cross(p);
            one.v -= self.ma * p;
            two.w += self.ib * point.rb.cross(p);
            two.v += self.mb * p;
        }
        (velocities[a], velocities[b]) = (one, two);
    }

    /// One sweep over the velocities: friction, then the normal.
    #[inline(always)]
    pub fn solve_velocity(&mut self, velocities: &mut [Velocity]) {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        let mut moving = Moving { one: velocities[a], two: velocities[b], ma: self.ma, mb: self.mb, ia: self.ia, ib: self.ib };
        let normal = self.normal;
        let tangent = normal.cross_scalar(1.0);
        for point in &mut self.points[..self.count as usize] {
            let speed = moving.at(point).dot(tangent);
            let lambda = point.tangent_mass * (-speed);
            let most = self.friction * point.normal_impulse;
            let new = clamp(point.tangent_impulse + lambda, -most, most);
            let lambda = new - point.tangent_impulse;
            point.tangent_impulse = new;
            moving.push(point, lambda * tangent);
        }
        if self.count == 1 {
            let point = &mut self.points[0];
            let speed = moving.at(point).dot(normal);
            let lambda = -point.normal_mass * (speed - point.bias);
            let new = max(point.normal_impulse + lambda, 0.0);
            let lambda = new - point.normal_impulse;
            point.normal_impulse = new;
            moving.push(point, lambda * normal);
        } else {
            self.solve_block(&mut moving);
        }
        (velocities[a], velocities[b]) = (moving.one, moving.two);
    }

    /// Both points' normal impulses at once: of the four cases in which each point is either pressed or let go, the first that holds.
    #[inline(always)]
    fn solve_block(&mut self, moving: &mut Moving) {
        let normal = self.normal;
        let [one, two] = &self.points;
        let a = vec2(one.normal_impulse, two.normal_impulse);
        let (speed_1, speed_2) = (moving.at(one).dot(normal), moving.at(two).dot(normal));
        let [k11, k12, k22] = self.k;
        let b = vec2(speed_1 - one.bias, speed_2 - two.bias) - vec2(k11 * a.x + k12 * a.y, k12 * a.x + k22 * a.y);
        let Some(x) = self.first_case(b) else { return };
        let d = x - a;
        let (p1, p2) = (d.x * normal, d.y * normal);
        let both = p1 + p2;
        moving.one.v -= moving.ma * both;
        moving.one.w -= moving.ia * (one.ra.cross(p1) + two.ra.cross(p2));
        moving.two.v += moving.mb * both;
        moving.two.w += moving.ib * (one.rb.cross(p1) + two.rb.cross(p2));
        self.points[0].normal_impulse = x.x;
        self.points[1].normal_impulse = x.y;
    }

    #[inline(always)]
    fn first_case(&self, b: Vec2) -> Option<Vec2> {
        let [i11, i12, i22] = self.inverse;
        let [_, k12, _] = self.k;
        let x = -vec2(i11 * b.x + i12 * b.y, i12 * b.x + i22 * b.y);
        if x.x >= 0.0 && x.y >= 0.0 {
            return Some(x);
        }
        let x = -self.points[0].normal_mass * b.x;
        if x >= 0.0 && k12 * x + b.y >= 0.0 {
            return Some(vec2(x, 0.0));
        }
        let x = -self.points[1].normal_mass * b.y;
        if x >= 0.0 && k12 * x + b.x >= 0.0 {
            return Some(vec2(0.0, x));
        }
        (b.x >= 0.0 && b.y >= 0.0).then_some(vec2(0.0, 0.0))
    }

    /// The impulses, as bits.
    pub fn numbers(&self) -> [[u32; 2]; 2] {
        self.points.map(|point| [point.normal_impulse.to_bits(), point.tangent_impulse.to_bits()])
    }

    /// One sweep over the positions. Returns how far the points are apart at least.
    pub fn solve_position(&self, positions: &mut [Position], factor: f32, may_move: [bool; 2]) -> f32 {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        let (mut pa, mut pb) = (positions[a], positions[b]);
        let (ma, ia) = if may_move[0] { (self.ma, self.ia) } else { (0.0, 0.0) };
        let (mb, ib) = if may_move[1] { (self.mb, self.ib) } else { (0.0, 0.0) };
        let mut least = 0.0;
        for index in 0..usize::from(self.manifold.count) {
            let at_a = Transform::around(pa.c, pa.a, self.center_a);
            let at_b = Transform::around(pb.c, pb.a, self.center_b);
            let (normal, point, separation) = self.touch(&at_a, &at_b, index);
            let (ra, rb) = (point - pa.c, point - pb.c);
            least = min(least, separation);
            let c = clamp(factor * (separation + LINEAR_SLOP), -MAX_LINEAR_CORRECTION, 0.0);
            let (rna, rnb) = (ra.cross(normal), rb.cross(normal));
            let k = ma + mb + ia * rna * rna + ib * rnb * rnb;
            let impulse = if k > 0.0 { -c / k } else { 0.0 };
            let p = impulse * normal;
            pa.c -= ma * p;
            pa.a -= ia * ra.cross(p);
            pb.c += mb * p;
            pb.a += ib * rb.cross(p);
        }
        (positions[a], positions[b]) = (pa, pb);
        least
    }

    /// Normal, place and separation of a point.
    #[inline(always)]
    fn touch(&self, at_a: &Transform, at_b: &Transform, index: usize) -> (Vec2, Vec2, f32) {
        let manifold = &self.manifold;
        let local = manifold.points[index].local_point;
        let faced = |face: &Transform, other: &Transform| {
            let normal = face.q.turn(manifold.local_normal);
            let plane = face.to_world(manifold.local_point);
            let point = other.to_world(local);
            (normal, point, (point - plane).dot(normal) - self.radius_a - self.radius_b)
        };
        match manifold.kind {
            ManifoldKind::Circles => {
                let (pa, pb) = (at_a.to_world(manifold.local_point), at_b.to_world(manifold.points[0].local_point));
                let normal = (pb - pa).normalized().0;
                (normal, 0.5 * (pa + pb), (pb - pa).dot(normal) - self.radius_a - self.radius_b)
            }
            ManifoldKind::FaceA => faced(at_a, at_b),
            ManifoldKind::FaceB => {
                let (normal, point, separation) = faced(at_b, at_a);
                (-normal, point, separation)
            }
        }
    }
}

/// Both bodies of a contact.
struct Moving {
    one: Velocity,
    two: Velocity,
    ma: f32,
    mb: f32,
    ia: f32,
    ib: f32,
}

impl Moving {
    /// How fast the bodies move against each other at a point.
    #[inline(always)]
    fn at(&self, point: &Point) -> Vec2 {
        self.two.v + cross(self.two.w, point.rb) - self.one.v - cross(self.one.w, point.ra)
    }

    #[inline(always)]
    fn push(&mut self, point: &Point, p: Vec2) {
        self.one.v -= self.ma * p;
        self.one.w -= self.ia * point.ra.cross(p);
        self.two.v += self.mb * p;
        self.two.w += self.ib * point.rb.cross(p);
    }
}

//! Contact solver: velocity iterations by sequential impulses, then position iterations (`b2ContactSolver`).

use super::body::Body;
use super::contact::Contact;
use super::manifold::{Manifold, ManifoldType};
use super::math::{LINEAR_SLOP, Transform, Vec2, clamp, cross, max, min, vec2};

/// Position of a body while constraints are solved: centre of mass and angle (`b2Position`).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Position {
    pub c: Vec2,
    pub a: f32,
}

/// Velocity of a body while constraints are solved: linear and angular (`b2Velocity`).
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

/// Approach speed in m/s below which contacts do not bounce (`b2_velocityThreshold`).
const VELOCITY_THRESHOLD: f32 = 1.0;
/// Maximum position correction per iteration in metres (`b2_maxLinearCorrection`).
pub(super) const MAX_LINEAR_CORRECTION: f32 = 0.2;
/// Maximum condition number of the effective mass matrix of two contact points. If the condition number is larger, only the
/// first point is solved.
const MAX_CONDITION_NUMBER: f32 = 1000.0;

/// Data of a contact point for velocity iterations (`b2VelocityConstraintPoint`).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct VelocityConstraintPoint {
    pub ra: Vec2,
    pub rb: Vec2,
    pub normal_impulse: f32,
    pub tangent_impulse: f32,
    pub normal_mass: f32,
    pub tangent_mass: f32,
    pub velocity_bias: f32,
}

/// Data of a contact for the solver's iterations (`b2ContactVelocityConstraint` and `b2ContactPositionConstraint`).
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactConstraint {
    pub index_a: u32,
    pub index_b: u32,
    /// Number of contact points in velocity iterations: 1 instead of 2 if the points' matrix is ill-conditioned.
    pub count: u32,
    pub ma: f32,
    pub mb: f32,
    pub ia: f32,
    pub ib: f32,
    pub friction: f32,
    pub normal: Vec2,
    pub points: [VelocityConstraintPoint; 2],
    /// Effective mass matrix of the two contact points; `inverse_k` is its inverse. Both matrices are symmetric and stored as
    /// the elements (1, 1), (1, 2) and (2, 2).
    pub k: [f32; 3],
    pub inverse_k: [f32; 3],
    restitution: f32,
    pub manifold: Manifold,
    pub center_a: Vec2,
    pub center_b: Vec2,
    pub radius_a: f32,
    pub radius_b: f32,
}

impl ContactConstraint {
    /// Creates the constraint of a contact, without the quantities that depend on positions. The solver starts with the
    /// impulses of the last step times `ratio` (warm starting), or with 0 if `ratio` is `None`.
    pub fn new(contact: &Contact, bodies: [&Body; 2], radii: [f32; 2], ratio: Option<f32>) -> Self {
        let [a, b] = bodies;
        let mut points = [VelocityConstraintPoint::default(); 2];
        if let Some(ratio) = ratio {
            for (point, old) in points.iter_mut().zip(&contact.manifold.points) {
                point.normal_impulse = ratio * old.normal_impulse;
                point.tangent_impulse = ratio * old.tangent_impulse;
            }
        }
        Self {
            index_a: a.island_index,
            index_b: b.island_index,
            count: u32::from(contact.manifold.point_count),
            ma: a.inverse_mass,
            mb: b.inverse_mass,
            ia: a.inverse_inertia,
            ib: b.inverse_inertia,
            friction: contact.friction,
            normal: Vec2::default(),
            points,
            k: [0.0; 3],
            inverse_k: [0.0; 3],
            restitution: contact.restitution,
            manifold: contact.manifold,
            center_a: a.sweep.local_center,
            center_b: b.sweep.local_center,
            radius_a: radii[0],
            radius_b: radii[1],
        }
    }

    /// Computes the quantities of the constraint that depend on positions and velocities (`InitializeVelocityConstraints`).
    pub fn init_velocity_constraint(&mut self, positions: &[Position], velocities: &[Velocity]) {
        let (pa, pb) = (positions[self.index_a as usize], positions[self.index_b as usize]);
        let (Velocity { v: va, w: wa }, Velocity { v: vb, w: wb }) =
            (velocities[self.index_a as usize], velocities[self.index_b as usize]);
        let xf_a = Transform::from_center(pa.c, pa.a, self.center_a);
        let xf_b = Transform::from_center(pb.c, pb.a, self.center_b);
        let (normal, world_points) = self.manifold.world_manifold(&xf_a, self.radius_a, &xf_b, self.radius_b);
        let (ma, mb, ia, ib) = (self.ma, self.mb, self.ia, self.ib);
        self.normal = normal;
        let inverse = |k: f32| if k > 0.0 { 1.0 / k } else { 0.0 };
        let tangent = normal.cross_scalar(1.0);
        for (point, world_point) in self.points[..self.count as usize].iter_mut().zip(world_points) {
            let (ra, rb) = (world_point - pa.c, world_point - pb.c);
            let (rna, rnb) = (ra.cross(normal), rb.cross(normal));
            let (rta, rtb) = (ra.cross(tangent), rb.cross(tangent));
            (point.ra, point.rb) = (ra, rb);
            point.normal_mass = inverse(ma + mb + ia * rna * rna + ib * rnb * rnb);
            point.tangent_mass = inverse(ma + mb + ia * rta * rta + ib * rtb * rtb);
            let speed = normal.dot(vb + cross(wb, rb) - va - cross(wa, ra));
            point.velocity_bias = if speed < -VELOCITY_THRESHOLD { -self.restitution * speed } else { 0.0 };
        }
        if self.count == 2 {
            let [(a1, b1), (a2, b2)] = self.points.map(|point| (point.ra.cross(normal), point.rb.cross(normal)));
            let k11 = ma + mb + ia * a1 * a1 + ib * b1 * b1;
            let k22 = ma + mb + ia * a2 * a2 + ib * b2 * b2;
            let k12 = ma + mb + ia * a1 * a2 + ib * b1 * b2;
            if k11 * k11 < MAX_CONDITION_NUMBER * (k11 * k22 - k12 * k12) {
                self.k = [k11, k12, k22];
                let mut det = k11 * k22 - k12 * k12;
                if det != 0.0 {
                    det = 1.0 / det;
                }
                self.inverse_k = [det * k22, -det * k12, det * k11];
            } else {
                self.count = 1;
            }
        }
    }

    /// Applies the accumulated impulses of the last step to the velocities (`WarmStart`).
    pub fn warm_start(&self, velocities: &mut [Velocity]) {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        let (mut velocity_a, mut velocity_b) = (velocities[a], velocities[b]);
        let tangent = self.normal.cross_scalar(1.0);
        for point in &self.points[..self.count as usize] {
            let p = point.normal_impulse * self.normal + point.tangent_impulse * tangent;
            velocity_a.w -= self.ia * point.ra.cross(p);
            velocity_a.v -= self.ma * p;
            velocity_b.w += self.ib * point.rb.cross(p);
            velocity_b.v += self.mb * p;
        }
        (velocities[a], velocities[b]) = (velocity_a, velocity_b);
    }

    /// Runs one velocity iteration of the contact.
    #[inline(always)]
    pub fn solve_velocity_constraint(&mut self, velocities: &mut [Velocity]) {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        (velocities[a], velocities[b]) = self.solve_velocities(velocities[a], velocities[b]);
    }

    /// Runs one velocity iteration of the contact, which solves friction first and then normal impulses. Returns the new velocities of
    /// the two bodies.
    #[inline(always)]
    pub fn solve_velocities(&mut self, velocity_a: Velocity, velocity_b: Velocity) -> (Velocity, Velocity) {
        let mut bodies = BodyPair { velocity_a, velocity_b, ma: self.ma, mb: self.mb, ia: self.ia, ib: self.ib };
        let normal = self.normal;
        let tangent = normal.cross_scalar(1.0);
        for point in &mut self.points[..self.count as usize] {
            let speed = bodies.relative_velocity(point).dot(tangent);
            let lambda = point.tangent_mass * (-speed);
            let max_impulse = self.friction * point.normal_impulse;
            let new = clamp(point.tangent_impulse + lambda, -max_impulse, max_impulse);
            let lambda = new - point.tangent_impulse;
            point.tangent_impulse = new;
            bodies.apply_impulse(point, lambda * tangent);
        }
        if self.count == 1 {
            let point = &mut self.points[0];
            let speed = bodies.relative_velocity(point).dot(normal);
            let lambda = -point.normal_mass * (speed - point.velocity_bias);
            let new = max(point.normal_impulse + lambda, 0.0);
            let lambda = new - point.normal_impulse;
            point.normal_impulse = new;
            bodies.apply_impulse(point, lambda * normal);
        } else {
            self.solve_block(&mut bodies);
        }
        (bodies.velocity_a, bodies.velocity_b)
    }

    /// Computes the normal impulses of the contact's two points together, by solving a linear complementarity problem.
    #[inline(always)]
    fn solve_block(&mut self, bodies: &mut BodyPair) {
        let normal = self.normal;
        let [point_1, point_2] = &self.points;
        let a = vec2(point_1.normal_impulse, point_2.normal_impulse);
        let (speed_1, speed_2) = (bodies.relative_velocity(point_1).dot(normal), bodies.relative_velocity(point_2).dot(normal));
        let [k11, k12, k22] = self.k;
        let b = vec2(speed_1 - point_1.velocity_bias, speed_2 - point_2.velocity_bias)
            - vec2(k11 * a.x + k12 * a.y, k12 * a.x + k22 * a.y);
        let Some(x) = self.solve_lcp(b) else { return };
        let d = x - a;
        let (p1, p2) = (d.x * normal, d.y * normal);
        let both = p1 + p2;
        bodies.velocity_a.v -= bodies.ma * both;
        bodies.velocity_a.w -= bodies.ia * (point_1.ra.cross(p1) + point_2.ra.cross(p2));
        bodies.velocity_b.v += bodies.mb * both;
        bodies.velocity_b.w += bodies.ib * (point_1.rb.cross(p1) + point_2.rb.cross(p2));
        self.points[0].normal_impulse = x.x;
        self.points[1].normal_impulse = x.y;
    }

    #[inline(always)]
    fn solve_lcp(&self, b: Vec2) -> Option<Vec2> {
        let [i11, i12, i22] = self.inverse_k;
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

    /// Returns whether the contact's position iteration is implemented for several worlds at once.
    #[cfg(target_arch = "x86_64")]
    pub fn has_position_lanes(&self) -> bool {
        self.manifold.kind != ManifoldType::Circles
    }

    /// Returns, for each contact point, the bit patterns of the accumulated normal impulse and friction impulse.
    pub fn impulse_bits(&self) -> [[u32; 2]; 2] {
        self.points.map(|point| [point.normal_impulse.to_bits(), point.tangent_impulse.to_bits()])
    }

    /// Runs one position iteration of the contact. Returns the least separation of the contact's points in metres; the result
    /// is at most 0.
    pub fn solve_position_constraint(&self, positions: &mut [Position], factor: f32, may_move: [bool; 2]) -> f32 {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        let (mut pa, mut pb) = (positions[a], positions[b]);
        let (ma, ia) = if may_move[0] { (self.ma, self.ia) } else { (0.0, 0.0) };
        let (mb, ib) = if may_move[1] { (self.mb, self.ib) } else { (0.0, 0.0) };
        let mut min_separation = 0.0;
        for index in 0..usize::from(self.manifold.point_count) {
            let xf_a = Transform::from_center(pa.c, pa.a, self.center_a);
            let xf_b = Transform::from_center(pb.c, pb.a, self.center_b);
            let (normal, point, separation) = self.position_manifold(&xf_a, &xf_b, index);
            let (ra, rb) = (point - pa.c, point - pb.c);
            min_separation = min(min_separation, separation);
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
        min_separation
    }

    /// Returns the normal, the position and the separation of a contact point (`b2PositionSolverManifold`).
    #[inline(always)]
    fn position_manifold(&self, xf_a: &Transform, xf_b: &Transform, index: usize) -> (Vec2, Vec2, f32) {
        let manifold = &self.manifold;
        let local = manifold.points[index].local_point;
        let from_face = |face: &Transform, other: &Transform| {
            let normal = face.q.mul_vec(manifold.local_normal);
            let plane = face.to_world(manifold.local_point);
            let point = other.to_world(local);
            (normal, point, (point - plane).dot(normal) - self.radius_a - self.radius_b)
        };
        match manifold.kind {
            ManifoldType::Circles => {
                let (pa, pb) = (xf_a.to_world(manifold.local_point), xf_b.to_world(manifold.points[0].local_point));
                let normal = (pb - pa).normalized().0;
                (normal, 0.5 * (pa + pb), (pb - pa).dot(normal) - self.radius_a - self.radius_b)
            }
            ManifoldType::FaceA => from_face(xf_a, xf_b),
            ManifoldType::FaceB => {
                let (normal, point, separation) = from_face(xf_b, xf_a);
                (-normal, point, separation)
            }
        }
    }
}

/// Velocities and masses of the two bodies of a contact.
struct BodyPair {
    velocity_a: Velocity,
    velocity_b: Velocity,
    ma: f32,
    mb: f32,
    ia: f32,
    ib: f32,
}

impl BodyPair {
    /// Returns the velocity of body B relative to body A at a contact point.
    #[inline(always)]
    fn relative_velocity(&self, point: &VelocityConstraintPoint) -> Vec2 {
        self.velocity_b.v + cross(self.velocity_b.w, point.rb) - self.velocity_a.v - cross(self.velocity_a.w, point.ra)
    }

    #[inline(always)]
    fn apply_impulse(&mut self, point: &VelocityConstraintPoint, p: Vec2) {
        self.velocity_a.v -= self.ma * p;
        self.velocity_a.w -= self.ia * point.ra.cross(p);
        self.velocity_b.v += self.mb * p;
        self.velocity_b.w += self.ib * point.rb.cross(p);
    }
}

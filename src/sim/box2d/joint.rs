//! Joints: two bodies turn about a common point, with a motor and between limits.

use serde::{Deserialize, Serialize};

use super::body::{Body, BodyId};
use super::math::{ANGULAR_SLOP, LINEAR_SLOP, PI, Rot, Vec2, clamp, cross, vec2};
use super::solver::{Position, Velocity};

/// A joint's number in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JointId(pub u32);

/// How far an angle is put right at once.
const MAX_ANGULAR_CORRECTION: f32 = 8.0 / 180.0 * PI;

/// Two bodies that turn about a point of each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RevoluteJointDef {
    /// The first body.
    pub body_a: BodyId,
    /// The second.
    pub body_b: BodyId,
    /// The point, in the first body's coordinates.
    pub local_anchor_a: Vec2,
    /// The point, in the second body's coordinates.
    pub local_anchor_b: Vec2,
    /// Least and greatest angle, where there are limits.
    pub limits: Option<(f32, f32)>,
    /// Most torque of the motor and its speed in rad/s, where there is one.
    pub motor: Option<(f32, f32)>,
}

/// Which limit a joint is at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// At none.
    #[default]
    Inactive,
    /// The least angle.
    Lower,
    /// The greatest angle.
    Upper,
    /// Both are the same.
    Equal,
}

/// A joint about a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    local_anchor_a: Vec2,
    local_anchor_b: Vec2,
    reference_angle: f32,
    limits: Option<(f32, f32)>,
    motor: Option<(f32, f32)>,
    /// Impulse along both axes and about the point.
    pub(super) impulse: [f32; 3],
    pub(super) motor_impulse: f32,
    limit: Limit,
    pub(super) in_island: bool,
}

impl Joint {
    /// A joint whose angle is 0 as the bodies are turned now.
    pub(super) fn new(def: &RevoluteJointDef, a: &Body, b: &Body) -> Self {
        Self {
            body_a: def.body_a.0,
            body_b: def.body_b.0,
            local_anchor_a: def.local_anchor_a,
            local_anchor_b: def.local_anchor_b,
            // As pybox2d does it: in float64, of numbers that are float32s.
            reference_angle: (f64::from(b.angle()) - f64::from(a.angle())) as f32,
            limits: def.limits,
            motor: def.motor,
            impulse: [0.0; 3],
            motor_impulse: 0.0,
            limit: Limit::Inactive,
            in_island: false,
        }
    }

    pub(super) fn joins(&self, a: u32, b: u32) -> bool {
        (self.body_a, self.body_b) == (a, b) || (self.body_a, self.body_b) == (b, a)
    }

    pub(super) fn angle(&self, a: &Body, b: &Body) -> f32 {
        b.sweep.a - a.sweep.a - self.reference_angle
    }

    /// The motor's speed in rad/s; does nothing where there is no motor. Wakes nobody: see [`super::World::set_motor`].
    pub(super) fn set_motor(&mut self, speed: f32, max_torque: Option<f32>) {
        if let Some((torque, motor_speed)) = &mut self.motor {
            *motor_speed = speed;
            *torque = max_torque.unwrap_or(*torque);
        }
    }

    /// What does not change while the joint is solved, after warm starting.
    pub(super) fn prepare(
        &mut self,
        [body_a, body_b]: [&Body; 2],
        positions: &[Position],
        velocities: &mut [Velocity],
        (dt, ratio): (f32, f32),
    ) -> JointConstraint {
        let (index_a, index_b) = (body_a.island_index as usize, body_b.island_index as usize);
        let (ma, mb, ia, ib) = (body_a.inverse_mass, body_b.inverse_mass, body_a.inverse_inertia, body_b.inverse_inertia);
        let (angle_a, angle_b) = (positions[index_a].a, positions[index_b].a);
        let anchor_a = self.local_anchor_a - body_a.sweep.local_center;
        let anchor_b = self.local_anchor_b - body_b.sweep.local_center;
        let (ra, rb) = (Rot::of(angle_a).turn(anchor_a), Rot::of(angle_b).turn(anchor_b));
        let is_fixed = ia + ib == 0.0;
        let ex_x = ma + mb + ra.y * ra.y * ia + rb.y * rb.y * ib;
        let ey_x = -ra.y * ra.x * ia - rb.y * rb.x * ib;
        let ez_x = -ra.y * ia - rb.y * ib;
        let ey_y = ma + mb + ra.x * ra.x * ia + rb.x * rb.x * ib;
        let ez_y = ra.x * ia + rb.x * ib;
        let mut motor_mass = ia + ib;
        if motor_mass > 0.0 {
            motor_mass = 1.0 / motor_mass;
        }
        if self.motor.is_none() || is_fixed {
            self.motor_impulse = 0.0;
        }
        self.find_limit(angle_b - angle_a - self.reference_angle, is_fixed);
        self.impulse = self.impulse.map(|impulse| impulse * ratio);
        self.motor_impulse *= ratio;
        let p = vec2(self.impulse[0], self.impulse[1]);
        let about = |r: Vec2| r.cross(p) + self.motor_impulse + self.impulse[2];
        velocities[index_a].v -= ma * p;
        velocities[index_a].w -= ia * about(ra);
        velocities[index_b].v += mb * p;
        velocities[index_b].w += ib * about(rb);
        let (max_torque, speed) = self.motor.unwrap_or_default();
        JointConstraint {
            index_a: index_a as u32,
            index_b: index_b as u32,
            has_motor: self.motor.is_some() && self.limit != Limit::Equal && !is_fixed,
            limit: if is_fixed { Limit::Inactive } else { self.limit },
            motor_speed: speed,
            max_impulse: dt * max_torque,
            motor_mass,
            mass: Mass::new([ex_x, ey_x, ez_x, ey_y, ez_y, ia + ib]),
            ma,
            mb,
            ia,
            ib,
            ra,
            rb,
            impulse: self.impulse,
            motor_impulse: self.motor_impulse,
            anchor_a,
            anchor_b,
            reference_angle: self.reference_angle,
            limits: self.limits.unwrap_or_default(),
        }
    }

    fn find_limit(&mut self, angle: f32, is_fixed: bool) {
        let before = self.limit;
        self.limit = match self.limits {
            Some((lower, upper)) if !is_fixed => {
                if (upper - lower).abs() < 2.0 * ANGULAR_SLOP {
                    Limit::Equal
                } else if angle <= lower {
                    Limit::Lower
                } else if angle >= upper {
                    Limit::Upper
                } else {
                    Limit::Inactive
                }
            }
            _ => {
                self.limit = Limit::Inactive;
                return;
            }
        };
        let stays = self.limit == Limit::Equal || (self.limit == before && before != Limit::Inactive);
        if !stays {
            self.impulse[2] = 0.0;
        }
    }
}

/// The effective mass of a joint, and what Box2D computes of it anew for each sweep.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mass {
    pub ex: [f32; 3],
    pub ey: [f32; 3],
    pub ez: [f32; 3],
    /// `ey × ez`.
    pub yz: [f32; 3],
    /// The inverse determinant; the determinant where that is 0.
    pub det_3: f32,
    /// The same for both axes alone.
    pub det_2: f32,
}

impl Mass {
    fn new([xx, yx, zx, yy, zy, zz]: [f32; 6]) -> Self {
        let (ex, ey, ez) = ([xx, yx, zx], [yx, yy, zy], [zx, zy, zz]);
        let yz = cross_3(ey, ez);
        let inverse = |det: f32| if det != 0.0 { 1.0 / det } else { det };
        Self { ex, ey, ez, yz, det_3: inverse(dot_3(ex, yz)), det_2: inverse(xx * yy - yx * yx) }
    }

    #[inline(always)]
    fn solve_3(&self, b: [f32; 3]) -> [f32; 3] {
        let det = self.det_3;
        [det * dot_3(b, self.yz), det * dot_3(self.ex, cross_3(b, self.ez)), det * dot_3(self.ex, cross_3(self.ey, b))]
    }

    #[inline(always)]
    fn solve_2(&self, b: Vec2) -> Vec2 {
        let (a11, a12, a21, a22) = (self.ex[0], self.ey[0], self.ex[1], self.ey[1]);
        vec2(self.det_2 * (a22 * b.x - a12 * b.y), self.det_2 * (a11 * b.y - a21 * b.x))
    }
}

#[inline(always)]
fn dot_3(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross_3(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A joint while it is solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointConstraint {
    pub index_a: u32,
    pub index_b: u32,
    pub has_motor: bool,
    pub limit: Limit,
    pub motor_speed: f32,
    pub max_impulse: f32,
    pub motor_mass: f32,
    pub mass: Mass,
    pub ma: f32,
    pub mb: f32,
    pub ia: f32,
    pub ib: f32,
    pub ra: Vec2,
    pub rb: Vec2,
    pub impulse: [f32; 3],
    pub motor_impulse: f32,
    anchor_a: Vec2,
    anchor_b: Vec2,
    reference_angle: f32,
    limits: (f32, f32),
}

impl JointConstraint {
    /// One sweep over the velocities.
    #[inline(always)]
    pub fn solve_velocity(&mut self, velocities: &mut [Velocity]) {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        let (Velocity { v: mut va, w: mut wa }, Velocity { v: mut vb, w: mut wb }) = (velocities[a], velocities[b]);
        if self.has_motor {
            let before = self.motor_impulse;
            let impulse = -self.motor_mass * (wb - wa - self.motor_speed);
            self.motor_impulse = clamp(before + impulse, -self.max_impulse, self.max_impulse);
            let impulse = self.motor_impulse - before;
            wa -= self.ia * impulse;
            wb += self.ib * impulse;
        }
        let slip = vb + cross(wb, self.rb) - va - cross(wa, self.ra);
        let (p, turn) = if self.limit == Limit::Inactive {
            let p = self.mass.solve_2(-slip);
            self.impulse[0] += p.x;
            self.impulse[1] += p.y;
            (p, None)
        } else {
            let impulse = self.at_limit(slip, wb - wa);
            (vec2(impulse[0], impulse[1]), Some(impulse[2]))
        };
        va -= self.ma * p;
        vb += self.mb * p;
        match turn {
            None => {
                wa -= self.ia * self.ra.cross(p);
                wb += self.ib * self.rb.cross(p);
            }
            Some(turn) => {
                wa -= self.ia * (self.ra.cross(p) + turn);
                wb += self.ib * (self.rb.cross(p) + turn);
            }
        }
        velocities[a] = Velocity { v: va, w: wa };
        velocities[b] = Velocity { v: vb, w: wb };
    }

    #[inline(always)]
    fn at_limit(&mut self, slip: Vec2, turning: f32) -> [f32; 3] {
        let mut impulse = self.mass.solve_3([slip.x, slip.y, turning]).map(|part| -part);
        let new = self.impulse[2] + impulse[2];
        let leaves = match self.limit {
            Limit::Lower => new < 0.0,
            Limit::Upper => new > 0.0,
            Limit::Equal | Limit::Inactive => false,
        };
        if leaves {
            let rhs = -slip + self.impulse[2] * vec2(self.mass.ez[0], self.mass.ez[1]);
            let reduced = self.mass.solve_2(rhs);
            impulse = [reduced.x, reduced.y, -self.impulse[2]];
            self.impulse = [self.impulse[0] + reduced.x, self.impulse[1] + reduced.y, 0.0];
        } else {
            for (sum, part) in self.impulse.iter_mut().zip(impulse) {
                *sum += part;
            }
        }
        impulse
    }

    /// One sweep over the positions. Returns whether the joint is where it should be.
    pub fn solve_position(&self, positions: &mut [Position]) -> bool {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        let (Position { c: mut ca, a: mut aa }, Position { c: mut cb, a: mut ab }) = (positions[a], positions[b]);
        let (ma, mb, ia, ib) = (self.ma, self.mb, self.ia, self.ib);
        let mut angular_error = 0.0;
        if self.limit != Limit::Inactive {
            let angle = ab - aa - self.reference_angle;
            let c = match self.limit {
                Limit::Lower => {
                    let c = angle - self.limits.0;
                    angular_error = -c;
                    clamp(c + ANGULAR_SLOP, -MAX_ANGULAR_CORRECTION, 0.0)
                }
                Limit::Upper => {
                    let c = angle - self.limits.1;
                    angular_error = c;
                    clamp(c - ANGULAR_SLOP, 0.0, MAX_ANGULAR_CORRECTION)
                }
                Limit::Equal | Limit::Inactive => {
                    let c = clamp(angle - self.limits.0, -MAX_ANGULAR_CORRECTION, MAX_ANGULAR_CORRECTION);
                    angular_error = c.abs();
                    c
                }
            };
            let impulse = -self.motor_mass * c;
            aa -= ia * impulse;
            ab += ib * impulse;
        }
        let [at_a, at_b] = Rot::of_two([aa, ab]);
        let (ra, rb) = (at_a.turn(self.anchor_a), at_b.turn(self.anchor_b));
        let c = cb + rb - ca - ra;
        let error = c.length();
        let k11 = ma + mb + ia * ra.y * ra.y + ib * rb.y * rb.y;
        let k12 = -ia * ra.x * ra.y - ib * rb.x * rb.y;
        let k22 = ma + mb + ia * ra.x * ra.x + ib * rb.x * rb.x;
        let mut det = k11 * k22 - k12 * k12;
        if det != 0.0 {
            det = 1.0 / det;
        }
        let impulse = -vec2(det * (k22 * c.x - k12 * c.y), det * (k11 * c.y - k12 * c.x));
        ca -= ma * impulse;
        aa -= ia * ra.cross(impulse);
        cb += mb * impulse;
        ab += ib * rb.cross(impulse);
        positions[a] = Position { c: ca, a: aa };
        positions[b] = Position { c: cb, a: ab };
        error <= LINEAR_SLOP && angular_error <= ANGULAR_SLOP
    }
}

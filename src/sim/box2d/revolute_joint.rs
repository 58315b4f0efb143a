//! Revolute joints: two bodies rotate about a common anchor, with motor and angle limits (`b2RevoluteJoint`).

use serde::{Deserialize, Serialize};

use super::body::{Body, BodyId};
use super::contact_solver::{Position, Velocity};
use super::math::{ANGULAR_SLOP, LINEAR_SLOP, PI, Rot, Vec2, clamp, cross, vec2};

/// Index of a joint in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JointId(pub u32);

/// Maximum position correction of an angle per iteration, in radians (`b2_maxAngularCorrection`).
pub(super) const MAX_ANGULAR_CORRECTION: f32 = 8.0 / 180.0 * PI;

/// Definition of a revolute joint (`b2RevoluteJointDef`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RevoluteJointDef {
    /// First body that the joint connects.
    pub body_a: BodyId,
    /// Second body that the joint connects.
    pub body_b: BodyId,
    /// Anchor in local coordinates of body A.
    pub local_anchor_a: Vec2,
    /// Anchor in local coordinates of body B.
    pub local_anchor_b: Vec2,
    /// Lower and upper angle in radians; `None` disables the limits.
    pub limits: Option<(f32, f32)>,
    /// Maximum motor torque in N m and motor speed in rad/s; `None` disables the motor.
    pub motor: Option<(f32, f32)>,
}

/// Active limit of a joint (`b2LimitState`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitState {
    /// Neither limit of the joint is active.
    #[default]
    InactiveLimit,
    /// The joint's angle is at or below the lower limit.
    AtLower,
    /// The joint's angle is at or above the upper limit.
    AtUpper,
    /// The lower and the upper limit are equal.
    EqualLimits,
}

/// A revolute joint (`b2RevoluteJoint`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RevoluteJoint {
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    local_anchor_a: Vec2,
    local_anchor_b: Vec2,
    reference_angle: f32,
    limits: Option<(f32, f32)>,
    motor: Option<(f32, f32)>,
    /// Impulse of the joint, accumulated over the iterations: x and y in N s, and angular in N m s.
    pub(super) impulse: [f32; 3],
    pub(super) motor_impulse: f32,
    limit_state: LimitState,
    pub(super) in_island: bool,
}

impl RevoluteJoint {
    /// Creates a joint whose angle is 0 at the current angles of the bodies `a` and `b`.
    pub(super) fn new(def: &RevoluteJointDef, a: &Body, b: &Body) -> Self {
        Self {
            body_a: def.body_a.0,
            body_b: def.body_b.0,
            local_anchor_a: def.local_anchor_a,
            local_anchor_b: def.local_anchor_b,
            // pybox2d subtracts the two float32 angles in float64.
            reference_angle: (f64::from(b.angle()) - f64::from(a.angle())) as f32,
            limits: def.limits,
            motor: def.motor,
            impulse: [0.0; 3],
            motor_impulse: 0.0,
            limit_state: LimitState::InactiveLimit,
            in_island: false,
        }
    }

    pub(super) fn connects(&self, a: u32, b: u32) -> bool {
        (self.body_a, self.body_b) == (a, b) || (self.body_a, self.body_b) == (b, a)
    }

    pub(super) fn angle(&self, a: &Body, b: &Body) -> f32 {
        b.sweep.a - a.sweep.a - self.reference_angle
    }

    /// Sets the motor speed in rad/s and, if given, the maximum torque. Does nothing if the joint has no motor.
    ///
    /// Does not wake the bodies, in contrast to [`super::World::set_motor`].
    pub(super) fn set_motor(&mut self, speed: f32, max_torque: Option<f32>) {
        if let Some((torque, motor_speed)) = &mut self.motor {
            *motor_speed = speed;
            *torque = max_torque.unwrap_or(*torque);
        }
    }

    /// Applies the impulses of the last step to the velocities (warm starting). Returns the joint's quantities that are
    /// constant during the velocity iterations (`InitVelocityConstraints`).
    pub(super) fn init_velocity_constraints(
        &mut self,
        [body_a, body_b]: [&Body; 2],
        positions: &[Position],
        velocities: &mut [Velocity],
        (dt, dt_ratio): (f32, f32),
    ) -> JointConstraint {
        let (index_a, index_b) = (body_a.island_index as usize, body_b.island_index as usize);
        let (ma, mb, ia, ib) = (body_a.inverse_mass, body_b.inverse_mass, body_a.inverse_inertia, body_b.inverse_inertia);
        let (angle_a, angle_b) = (positions[index_a].a, positions[index_b].a);
        let anchor_a = self.local_anchor_a - body_a.sweep.local_center;
        let anchor_b = self.local_anchor_b - body_b.sweep.local_center;
        let (ra, rb) = (Rot::from_angle(angle_a).mul_vec(anchor_a), Rot::from_angle(angle_b).mul_vec(anchor_b));
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
        self.update_limit_state(angle_b - angle_a - self.reference_angle, is_fixed);
        self.impulse = self.impulse.map(|impulse| impulse * dt_ratio);
        self.motor_impulse *= dt_ratio;
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
            has_motor: self.motor.is_some() && self.limit_state != LimitState::EqualLimits && !is_fixed,
            limit_state: if is_fixed { LimitState::InactiveLimit } else { self.limit_state },
            motor_speed: speed,
            max_impulse: dt * max_torque,
            motor_mass,
            mass: EffectiveMass::new([ex_x, ey_x, ez_x, ey_y, ez_y, ia + ib]),
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

    fn update_limit_state(&mut self, angle: f32, is_fixed: bool) {
        let before = self.limit_state;
        self.limit_state = match self.limits {
            Some((lower, upper)) if !is_fixed => {
                if (upper - lower).abs() < 2.0 * ANGULAR_SLOP {
                    LimitState::EqualLimits
                } else if angle <= lower {
                    LimitState::AtLower
                } else if angle >= upper {
                    LimitState::AtUpper
                } else {
                    LimitState::InactiveLimit
                }
            }
            _ => {
                self.limit_state = LimitState::InactiveLimit;
                return;
            }
        };
        let keeps_impulse =
            self.limit_state == LimitState::EqualLimits || (self.limit_state == before && before != LimitState::InactiveLimit);
        if !keeps_impulse {
            self.impulse[2] = 0.0;
        }
    }
}

/// Effective mass matrix of a joint (`m_mass`), with cached products of its elements. Box2D recomputes these products in each
/// iteration.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EffectiveMass {
    pub ex: [f32; 3],
    pub ey: [f32; 3],
    pub ez: [f32; 3],
    /// Cross product `ey × ez` of the second and third column of the matrix.
    pub yz: [f32; 3],
    /// Inverse of the 3x3 determinant, or 0 if the determinant is 0.
    pub det_3: f32,
    /// Inverse of the determinant of the upper left 2x2 block, or 0 if the determinant is 0.
    pub det_2: f32,
}

impl EffectiveMass {
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

/// Quantities of a joint in the solver's iterations: accumulated impulses, and constants of the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointConstraint {
    pub index_a: u32,
    pub index_b: u32,
    pub has_motor: bool,
    pub limit_state: LimitState,
    pub motor_speed: f32,
    pub max_impulse: f32,
    pub motor_mass: f32,
    pub mass: EffectiveMass,
    pub ma: f32,
    pub mb: f32,
    pub ia: f32,
    pub ib: f32,
    pub ra: Vec2,
    pub rb: Vec2,
    pub impulse: [f32; 3],
    pub motor_impulse: f32,
    pub anchor_a: Vec2,
    pub anchor_b: Vec2,
    pub reference_angle: f32,
    pub limits: (f32, f32),
}

impl JointConstraint {
    /// Returns whether the joint's position iteration is implemented for several worlds at once.
    #[cfg(target_arch = "x86_64")]
    pub fn has_position_lanes(&self) -> bool {
        self.limit_state != LimitState::EqualLimits
    }

    /// Runs one velocity iteration of the joint.
    #[inline(always)]
    pub fn solve_velocity_constraints(&mut self, velocities: &mut [Velocity]) {
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
        let cdot = vb + cross(wb, self.rb) - va - cross(wa, self.ra);
        let (p, angular_impulse) = if self.limit_state == LimitState::InactiveLimit {
            let p = self.mass.solve_2(-cdot);
            self.impulse[0] += p.x;
            self.impulse[1] += p.y;
            (p, None)
        } else {
            let impulse = self.solve_limit(cdot, wb - wa);
            (vec2(impulse[0], impulse[1]), Some(impulse[2]))
        };
        va -= self.ma * p;
        vb += self.mb * p;
        match angular_impulse {
            None => {
                wa -= self.ia * self.ra.cross(p);
                wb += self.ib * self.rb.cross(p);
            }
            Some(angular_impulse) => {
                wa -= self.ia * (self.ra.cross(p) + angular_impulse);
                wb += self.ib * (self.rb.cross(p) + angular_impulse);
            }
        }
        velocities[a] = Velocity { v: va, w: wa };
        velocities[b] = Velocity { v: vb, w: wb };
    }

    #[inline(always)]
    fn solve_limit(&mut self, cdot: Vec2, cdot_angular: f32) -> [f32; 3] {
        let mut impulse = self.mass.solve_3([cdot.x, cdot.y, cdot_angular]).map(|part| -part);
        let new = self.impulse[2] + impulse[2];
        let releases_limit = match self.limit_state {
            LimitState::AtLower => new < 0.0,
            LimitState::AtUpper => new > 0.0,
            LimitState::EqualLimits | LimitState::InactiveLimit => false,
        };
        if releases_limit {
            let rhs = -cdot + self.impulse[2] * vec2(self.mass.ez[0], self.mass.ez[1]);
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

    /// Runs one position iteration of the joint. Returns whether the position errors are within tolerance.
    pub fn solve_position_constraints(&self, positions: &mut [Position]) -> bool {
        let (a, b) = (self.index_a as usize, self.index_b as usize);
        let (Position { c: mut ca, a: mut aa }, Position { c: mut cb, a: mut ab }) = (positions[a], positions[b]);
        let (ma, mb, ia, ib) = (self.ma, self.mb, self.ia, self.ib);
        let mut angular_error = 0.0;
        if self.limit_state != LimitState::InactiveLimit {
            let angle = ab - aa - self.reference_angle;
            let c = match self.limit_state {
                LimitState::AtLower => {
                    let c = angle - self.limits.0;
                    angular_error = -c;
                    clamp(c + ANGULAR_SLOP, -MAX_ANGULAR_CORRECTION, 0.0)
                }
                LimitState::AtUpper => {
                    let c = angle - self.limits.1;
                    angular_error = c;
                    clamp(c - ANGULAR_SLOP, 0.0, MAX_ANGULAR_CORRECTION)
                }
                LimitState::EqualLimits | LimitState::InactiveLimit => {
                    let c = clamp(angle - self.limits.0, -MAX_ANGULAR_CORRECTION, MAX_ANGULAR_CORRECTION);
                    angular_error = c.abs();
                    c
                }
            };
            let impulse = -self.motor_mass * c;
            aa -= ia * impulse;
            ab += ib * impulse;
        }
        let [q_a, q_b] = Rot::from_angles([aa, ab]);
        let (ra, rb) = (q_a.mul_vec(self.anchor_a), q_b.mul_vec(self.anchor_b));
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

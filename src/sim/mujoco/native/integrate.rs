//! Integrators: `mj_integratePos`, `mj_Euler` and `mj_RungeKutta`.

use super::algebra::{MJMINVAL, cross, mul_quat, normalize4};
use super::lane_fields::FieldSource;
use super::smooth::{NativeData, factor_i, next_activation, solve_ld};
use super::tables::{Integrator, JointKind, MAX_NQ, MAX_NV, NativeModel};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// Magnitude above which a number counts as bad (`mjMAXVAL`).
const MJMAXVAL: f64 = 1e10;

/// Returns a bit mask of the lanes with a bad number: NaN, or beyond [`MJMAXVAL`] (`mju_isBad`).
#[inline(always)]
pub(super) fn bad_lanes<V: Float64Lanes>(values: &[V]) -> u32 {
    lanes_beyond(values, MJMAXVAL)
}

/// Returns a bit mask of the lanes with a number that is NaN, or whose magnitude is greater than `most`.
#[inline(always)]
pub(super) fn lanes_beyond<V: Float64Lanes>(values: &[V], most: f64) -> u32 {
    let mut good = V::mask(V::ALL);
    for value in values {
        good = V::mask_and(good, value.abs().le(V::splat(most)));
    }
    !V::bits(good) & V::ALL
}

/// Integrates positions over one timestep at constant velocities, as `mj_integratePos` does.
#[inline(always)]
pub(super) fn integrate_pos<V: Float64Lanes>(model: &NativeModel, positions: &mut [V; MAX_NQ], velocities: &[V; MAX_NV]) {
    let (none, one, time) = (V::splat(0.0), V::splat(1.0), V::splat(model.timestep));
    let in_pairs = model.dialect.pairwise_quat;
    for joint in &model.joints {
        let (at, dof) = (joint.qposadr, joint.dofadr);
        if matches!(joint.kind, JointKind::Slide | JointKind::Hinge) {
            positions[at] = positions[at] + time * velocities[dof];
            continue;
        }
        let (mut at, mut dof) = (at, dof);
        if joint.kind == JointKind::Free {
            for axis in 0..3 {
                positions[at + axis] = positions[at + axis] + time * velocities[dof + axis];
            }
            (at, dof) = (at + 3, dof + 3);
        }
        let w = [velocities[dof], velocities[dof + 1], velocities[dof + 2]];
        let speed = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt();
        let is_still = speed.lt(V::splat(MJMINVAL));
        let by = one / speed;
        let axis =
            [V::select(is_still, one, w[0] * by), V::select(is_still, none, w[1] * by), V::select(is_still, none, w[2] * by)];
        let (sine, cosine) = (time * speed * V::splat(0.5)).sin_cos();
        let by = [cosine, axis[0] * sine, axis[1] * sine, axis[2] * sine];
        let turn = normalize4([positions[at], positions[at + 1], positions[at + 2], positions[at + 3]], in_pairs);
        positions[at..][..4].copy_from_slice(&mul_quat(&turn, &by, in_pairs));
    }
}

/// SIMD kernel of the integrators that advance velocities before positions: semi-implicit Euler (`mj_Euler`), and `implicitfast`
/// (`mj_implicit`), which integrates all forces that depend linearly on velocities implicitly.
pub(super) struct Euler<'a, V: Float64Lanes, F> {
    pub(super) model: &'a NativeModel,
    pub(super) fields: F,
    pub(super) motion: &'a mut NativeData<V>,
    /// Accelerations that warm-start the next step (`qacc_warmstart`).
    pub(super) qacc_warmstart: &'a mut [V; MAX_NV],
    pub(super) qacc: &'a [V; MAX_NV],
    pub(super) qfrc_constraint: &'a [V; MAX_NV],
}

impl<V: Float64Lanes, F: FieldSource<V>> SimdKernel for Euler<'_, V, F> {
    /// The kernel's output is a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { model, fields, motion, qacc_warmstart, qacc: found, qfrc_constraint } = self;
        let dofs = model.dofs.len();
        let mut qacc = *found;
        let mut left = 0;
        let is_implicit = model.integrator == Integrator::ImplicitFast;
        let damped = fields.damped_lanes(model);
        if damped != 0 || is_implicit {
            let slopes = if is_implicit { actuator_slopes(model, fields, motion) } else { [V::splat(0.0); MAX_NV] };
            let (matrix, len) = (&mut motion.qh, model.m_colind.len());
            matrix[..len].copy_from_slice(&motion.qm[..len]);
            for (number, dof) in model.dofs.iter().enumerate() {
                let at = dof.m_diagadr();
                let damping = match is_implicit {
                    false => V::splat(model.timestep) * fields.dof_damping(number, dof),
                    true => V::splat(-model.timestep) * (slopes[number] - fields.dof_damping(number, dof)),
                };
                matrix[at] = matrix[at] + damping;
            }
            let mut inverse = [V::splat(0.0); MAX_NV];
            left = factor_i(model, matrix, &mut inverse);
            for (dof, value) in qacc[..dofs].iter_mut().enumerate() {
                *value = motion.qfrc_smooth[dof] + qfrc_constraint[dof];
            }
            solve_ld(model, matrix, &inverse, &mut qacc[..dofs]);
            if F::IS_OWN && !is_implicit {
                // Lanes without damping integrate the accelerations themselves.
                left &= damped;
                for (value, found) in qacc[..dofs].iter_mut().zip(found) {
                    *value = V::select(V::mask(damped), *value, *found);
                }
            }
        }
        for motor in &model.actuators {
            if let Some(activation) = &motor.activation {
                let number = activation.actadr;
                motion.act[number] = next_activation(model.timestep, activation, motion.act[number], motion.act_dot[number]);
            }
        }
        for dof in 0..dofs {
            motion.qvel[dof] = motion.qvel[dof] + qacc[dof] * V::splat(model.timestep);
        }
        integrate_pos(model, &mut motion.qpos, &motion.qvel);
        *qacc_warmstart = *found;
        left
    }
}

/// Returns the derivatives of the actuators' forces by the velocities, as `mjd_actuator_vel` does. An actuator whose force is at
/// the bound of its range has no derivative.
#[inline(always)]
fn actuator_slopes<V: Float64Lanes, F: FieldSource<V>>(model: &NativeModel, fields: F, motion: &NativeData<V>) -> [V; MAX_NV] {
    let mut slopes = [V::splat(0.0); MAX_NV];
    for (number, motor) in model.actuators.iter().enumerate() {
        let Some(bias) = motor.bias.as_ref().filter(|bias| F::IS_OWN || bias.by_velocity != 0.0) else { continue };
        for (dof, share) in &motor.moment {
            let mut slope = if F::IS_OWN {
                V::splat(*share) * (V::splat(*share) * fields.bias(number, bias)[2])
            } else {
                V::splat(*share * (*share * bias.by_velocity))
            };
            if let Some([low, high]) = motor.forcerange {
                let force = motion.actuator_force[number];
                let is_bounded = V::mask_or(force.le(V::splat(low)), force.ge(V::splat(high)));
                slope = V::select(is_bounded, V::splat(0.0), slope);
            }
            slopes[*dof] = slopes[*dof] + slope;
        }
    }
    for joint in model.joints.iter().filter(|_| model.dialect.bounds_joint_slopes) {
        if let Some([low, high]) = joint.actfrcrange {
            let force = motion.qfrc_actuator[joint.dofadr];
            let is_bounded = V::mask_or(force.le(V::splat(low)), force.ge(V::splat(high)));
            slopes[joint.dofadr] = V::select(is_bounded, V::splat(0.0), slopes[joint.dofadr]);
        }
    }
    slopes
}

/// Values that `mj_RungeKutta` stores during a step: the initial positions, and the velocities and accelerations of each stage.
pub(super) struct Stages<V> {
    positions: [V; MAX_NQ],
    velocities: [[V; MAX_NV]; STAGES],
    qacc: [[V; MAX_NV]; STAGES],
}

impl<V: Float64Lanes> Stages<V> {
    pub(super) fn new() -> Self {
        let none = V::splat(0.0);
        Self { positions: [none; MAX_NQ], velocities: [[none; MAX_NV]; STAGES], qacc: [[none; MAX_NV]; STAGES] }
    }
}

/// Number of stages of a Runge-Kutta step.
pub(super) const STAGES: usize = 4;

/// Returns the mean of one degree of freedom's values over all stages, with the weights of the Runge-Kutta method.
#[inline(always)]
fn weighted_mean<V: Float64Lanes>(of: &[[V; MAX_NV]; STAGES], dof: usize) -> V {
    let (outer, inner) = (V::splat(1.0 / 6.0), V::splat(1.0 / 3.0));
    of[0][dof] * outer + of[1][dof] * inner + of[2][dof] * inner + of[3][dof] * outer
}

/// SIMD kernel that computes the state after the Runge-Kutta stage `after`: the input of the next stage, or the result of the
/// step.
pub(super) struct RungeKutta<'a, V: Float64Lanes> {
    pub(super) model: &'a NativeModel,
    pub(super) motion: &'a mut NativeData<V>,
    pub(super) stages: &'a mut Stages<V>,
    /// Accelerations that warm-start the next step (`qacc_warmstart`).
    pub(super) qacc_warmstart: &'a mut [V; MAX_NV],
    pub(super) qacc: &'a [V; MAX_NV],
    pub(super) after: usize,
}

impl<V: Float64Lanes> SimdKernel for RungeKutta<'_, V> {
    /// The kernel's output is a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { model, motion, stages, qacc_warmstart, qacc, after } = self;
        let dofs = model.dofs.len();
        let time = V::splat(model.timestep);
        if after == 0 {
            stages.positions = motion.qpos;
            stages.velocities[0] = motion.qvel;
        }
        stages.qacc[after] = *qacc;
        motion.qpos = stages.positions;
        let mut mean = [V::splat(0.0); MAX_NV];
        if after + 1 < STAGES {
            let share = V::splat(if after + 2 == STAGES { 1.0 } else { 0.5 });
            for dof in 0..dofs {
                mean[dof] = stages.velocities[after][dof] * share;
                let gained = stages.qacc[after][dof] * share;
                motion.qvel[dof] = stages.velocities[0][dof] + gained * time;
            }
            integrate_pos(model, &mut motion.qpos, &mean);
            let velocities = &mut stages.velocities[after + 1];
            *velocities = motion.qvel;
            let mut left = 0;
            if model.dialect.munthe_kaas {
                for joint in &model.joints {
                    let first = match joint.kind {
                        JointKind::Free => joint.dofadr + 3,
                        JointKind::Ball => joint.dofadr,
                        _ => continue,
                    };
                    left |= !dexp_inv(&mut velocities[first..][..3], &mean[first..][..3], time);
                }
            }
            return left & V::ALL;
        }
        for dof in 0..dofs {
            mean[dof] = weighted_mean(&stages.velocities, dof);
            motion.qvel[dof] = stages.velocities[0][dof] + weighted_mean(&stages.qacc, dof) * time;
        }
        integrate_pos(model, &mut motion.qpos, &mean);
        *qacc_warmstart = *qacc;
        0
    }
}

/// Polynomial coefficients of [`dexp_inv`] in the squared angle, highest power first.
const CORRECTION: [f64; 9] = [
    1.230_313_397_310_169e-14,
    3.161_551_550_077_822e-13,
    1.345_548_595_105_788_8e-11,
    5.282_849_430_384_459e-10,
    2.087_690_064_203_914_2e-8,
    8.267_194_907_152_073e-7,
    3.306_878_309_443_32e-5,
    0.001_388_888_888_885_975_5,
    0.083_333_333_333_333_38,
];

/// Squared angle, in rad², at and above which MuJoCo computes the correction of [`dexp_inv`] without the polynomial.
const MAX_SQUARED_ANGLE: f64 = 3.0625;

/// Corrects the angular velocity of a Runge-Kutta stage for the rotation that the stage applied (Munthe-Kaas).
///
/// The correction is necessary because rotations do not add up as vectors do. `mean` is the angular velocity of the applied
/// rotation. Returns a bit mask of the lanes in which the correction's polynomial was valid.
#[inline(always)]
fn dexp_inv<V: Float64Lanes>(turning: &mut [V], mean: &[V], time: V) -> u32 {
    let angle = [mean[0] * time, mean[1] * time, mean[2] * time];
    let square = angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2];
    let mut factor = V::splat(CORRECTION[0]);
    for term in 1..CORRECTION.len() {
        factor = square * factor + V::splat(CORRECTION[term]);
    }
    let across = cross(angle, [turning[0], turning[1], turning[2]]);
    let twice = cross(angle, across);
    for axis in 0..3 {
        turning[axis] = factor * twice[axis] + (V::splat(0.5) * across[axis] + turning[axis]);
    }
    V::bits(square.lt(V::splat(MAX_SQUARED_ANGLE)))
}

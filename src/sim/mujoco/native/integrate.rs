//! Integrators: `mj_integratePos`, `mj_Euler` and `mj_RungeKutta`.

use crate::native::actuation::next_activation;
use crate::native::data::NativeData;
use crate::native::inertia::{factor_i, solve_ld};
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{MJMINVAL, cross, mul_quat, normalize4};
use crate::native::model::{Integrator, JointKind, MAX_NQ, MAX_NV, NativeModel};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

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

/// Integrates positions over one timestep at constant velocities, as `mj_integratePos` (`mj_integratePosInd`,
/// `mju_quatIntegrate`) does.
#[inline(always)]
pub(super) fn integrate_pos<V: Float64Lanes>(model: &NativeModel, qpos: &mut [V; MAX_NQ], qvel: &[V; MAX_NV]) {
    let (none, one, time) = (V::splat(0.0), V::splat(1.0), V::splat(model.timestep));
    let in_pairs = model.dialect.pairwise_quat;
    for joint in &model.joints {
        let (at, dof) = (joint.qposadr, joint.dofadr);
        if matches!(joint.kind, JointKind::Slide | JointKind::Hinge) {
            qpos[at] = qpos[at] + time * qvel[dof];
            continue;
        }
        let (mut at, mut dof) = (at, dof);
        if joint.kind == JointKind::Free {
            for axis in 0..3 {
                qpos[at + axis] = qpos[at + axis] + time * qvel[dof + axis];
            }
            (at, dof) = (at + 3, dof + 3);
        }
        let w = [qvel[dof], qvel[dof + 1], qvel[dof + 2]];
        let speed = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt();
        let is_still = speed.lt(V::splat(MJMINVAL));
        let by = one / speed;
        let axis =
            [V::select(is_still, one, w[0] * by), V::select(is_still, none, w[1] * by), V::select(is_still, none, w[2] * by)];
        let (sine, cosine) = (time * speed * V::splat(0.5)).sin_cos();
        let by = [cosine, axis[0] * sine, axis[1] * sine, axis[2] * sine];
        let turn = normalize4([qpos[at], qpos[at + 1], qpos[at + 2], qpos[at + 3]], in_pairs);
        qpos[at..][..4].copy_from_slice(&mul_quat(&turn, &by, in_pairs));
    }
}

outlined!(
    /// The integrators that advance velocities before positions (`mj_advance`): semi-implicit Euler (`mj_EulerSkip`), and
    /// `implicitfast` (`mj_implicitSkip`), which integrates all forces that depend linearly on velocities implicitly. Returns a bit mask
    /// of the lanes that MuJoCo must step. `qacc_warmstart` becomes the accelerations that warm-start the next step.
    pub(super) fn euler<V: Float64Lanes, F: FieldSource<V>>(
        model: &NativeModel,
        fields: F,
        data: &mut NativeData<V>,
        qacc_warmstart: &mut [V; MAX_NV],
        qacc_forward: &[V; MAX_NV],
        qfrc_constraint: &[V; MAX_NV],
    ) -> u32 {
        let dofs = model.dofs.len();
        let mut fallback = 0;
        let mut qacc = &qacc_forward[..dofs];
        let is_implicit = model.integrator == Integrator::ImplicitFast;
        let damped = fields.damped_lanes(model);
        if damped != 0 || is_implicit {
            let qderiv = is_implicit.then(|| actuator_vel_derivatives(model, fields, data));
            let (matrix, len) = (&mut data.qh, model.m_colind.len());
            matrix[..len].copy_from_slice(&data.qm[..len]);
            for (number, dof) in model.dofs.iter().enumerate() {
                let at = dof.m_diagadr();
                let qderiv_step = match &qderiv {
                    None => V::splat(model.timestep) * fields.dof_damping(number, dof),
                    Some(qderiv) => V::splat(-model.timestep) * (qderiv[number] - fields.dof_damping(number, dof)),
                };
                matrix[at] = matrix[at] + qderiv_step;
            }
            fallback = factor_i(model, matrix, &mut data.qh_diag_inv);
            let implicit = &mut data.qacc_implicit[..dofs];
            for (dof, value) in implicit.iter_mut().enumerate() {
                *value = data.qfrc_smooth[dof] + qfrc_constraint[dof];
            }
            solve_ld(model, matrix, &data.qh_diag_inv, implicit);
            if F::IS_OWN && !is_implicit {
                // Lanes without damping integrate the accelerations themselves.
                fallback &= damped;
                for (value, qacc_forward) in implicit.iter_mut().zip(qacc_forward) {
                    *value = V::select(V::mask(damped), *value, *qacc_forward);
                }
            }
            qacc = implicit;
        }
        for actuator in &model.actuators {
            if let Some(activation) = &actuator.activation {
                let number = activation.actadr;
                data.act[number] = next_activation(model.timestep, activation, data.act[number], data.act_dot[number]);
            }
        }
        for dof in 0..dofs {
            data.qvel[dof] = data.qvel[dof] + qacc[dof] * V::splat(model.timestep);
        }
        integrate_pos(model, &mut data.qpos, &data.qvel);
        qacc_warmstart[..dofs].copy_from_slice(&qacc_forward[..dofs]);
        fallback
    }
);

/// Returns derivatives of actuators' forces by velocities (`mjd_actuator_vel`), 0 for forces at the bounds of their range.
#[inline(always)]
fn actuator_vel_derivatives<V: Float64Lanes, F: FieldSource<V>>(
    model: &NativeModel,
    fields: F,
    data: &NativeData<V>,
) -> [V; MAX_NV] {
    let mut qderiv = [V::splat(0.0); MAX_NV];
    for (number, actuator) in model.actuators.iter().enumerate() {
        let Some(bias) = actuator.bias.as_ref().filter(|bias| F::IS_OWN || bias.by_velocity != 0.0) else { continue };
        for (dof, share) in &actuator.moment {
            let mut deriv = if F::IS_OWN {
                V::splat(*share) * (V::splat(*share) * fields.bias(number, bias)[2])
            } else {
                V::splat(*share * (*share * bias.by_velocity))
            };
            if let Some([low, high]) = actuator.forcerange {
                let force = data.actuator_force[number];
                let is_bounded = V::mask_or(force.le(V::splat(low)), force.ge(V::splat(high)));
                deriv = V::select(is_bounded, V::splat(0.0), deriv);
            }
            qderiv[*dof] = qderiv[*dof] + deriv;
        }
    }
    for joint in model.joints.iter().filter(|_| model.dialect.bounds_joint_slopes) {
        if let Some([low, high]) = joint.actfrcrange {
            let force = data.qfrc_actuator[joint.dofadr];
            let is_bounded = V::mask_or(force.le(V::splat(low)), force.ge(V::splat(high)));
            qderiv[joint.dofadr] = V::select(is_bounded, V::splat(0.0), qderiv[joint.dofadr]);
        }
    }
    qderiv
}

/// Values that `mj_RungeKutta` stores during a step: the initial positions and activations, and the derivatives of each stage.
pub(super) struct Stages<V> {
    qpos: [V; MAX_NQ],
    qvel: [[V; MAX_NV]; STAGES],
    qacc: [[V; MAX_NV]; STAGES],
    /// Mean of the velocities over which the positions are integrated.
    mean: [V; MAX_NV],
    act: Vec<V>,
    act_dot: [Vec<V>; STAGES],
}

impl<V: Float64Lanes> Stages<V> {
    pub(super) fn new(model: &NativeModel) -> Self {
        let none = V::splat(0.0);
        let act = vec![none; model.na];
        let act_dot = [act.clone(), act.clone(), act.clone(), act.clone()];
        let mean = [none; MAX_NV];
        Self { qpos: [none; MAX_NQ], qvel: [mean; STAGES], qacc: [mean; STAGES], mean, act, act_dot }
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

outlined!(
    /// Computes the state after the Runge-Kutta stage `after`: the next stage's input, or the result. `qacc_warmstart` is for the next
    /// step. Returns a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    pub(super) fn runge_kutta<V: Float64Lanes>(
        model: &NativeModel,
        data: &mut NativeData<V>,
        stages: &mut Stages<V>,
        qacc_warmstart: &mut [V; MAX_NV],
        qacc: &mut [V; MAX_NV],
        after: usize,
    ) -> u32 {
        let dofs = model.dofs.len();
        let time = V::splat(model.timestep);
        if after == 0 {
            stages.qpos[..model.nq].copy_from_slice(&data.qpos[..model.nq]);
            stages.qvel[0][..dofs].copy_from_slice(&data.qvel[..dofs]);
            stages.act.copy_from_slice(&data.act);
        }
        stages.qacc[after][..dofs].copy_from_slice(&qacc[..dofs]);
        stages.act_dot[after].copy_from_slice(&data.act_dot);
        data.qpos[..model.nq].copy_from_slice(&stages.qpos[..model.nq]);
        if after + 1 < STAGES {
            let share = V::splat(if after + 2 == STAGES { 1.0 } else { 0.5 });
            for dof in 0..dofs {
                stages.mean[dof] = stages.qvel[after][dof] * share;
                let gained = stages.qacc[after][dof] * share;
                data.qvel[dof] = stages.qvel[0][dof] + gained * time;
            }
            for number in 0..model.na {
                data.act[number] = stages.act[number] + stages.act_dot[after][number] * share * time;
            }
            integrate_pos(model, &mut data.qpos, &stages.mean);
            let (qvel, mean) = (&mut stages.qvel[after + 1], &stages.mean);
            qvel[..dofs].copy_from_slice(&data.qvel[..dofs]);
            let mut fallback = 0;
            if model.dialect.munthe_kaas {
                for joint in &model.joints {
                    let first = match joint.kind {
                        JointKind::Free => joint.dofadr + 3,
                        JointKind::Ball => joint.dofadr,
                        _ => continue,
                    };
                    fallback |= !dexp_inv(&mut qvel[first..][..3], &mean[first..][..3], time);
                }
            }
            return fallback & V::ALL;
        }
        qacc_warmstart[..dofs].copy_from_slice(&qacc[..dofs]);
        for dof in 0..dofs {
            stages.mean[dof] = weighted_mean(&stages.qvel, dof);
            let mean = weighted_mean(&stages.qacc, dof);
            data.qvel[dof] = stages.qvel[0][dof] + mean * time;
            if model.dialect.leaves_mean_qacc {
                qacc[dof] = mean;
            }
        }
        for activation in model.actuators.iter().filter_map(|actuator| actuator.activation.as_ref()) {
            let number = activation.actadr;
            let rates = &stages.act_dot;
            let (outer, inner) = (V::splat(1.0 / 6.0), V::splat(1.0 / 3.0));
            let rate = rates[0][number] * outer + rates[1][number] * inner + rates[2][number] * inner + rates[3][number] * outer;
            data.act[number] = next_activation(model.timestep, activation, stages.act[number], rate);
        }
        integrate_pos(model, &mut data.qpos, &stages.mean);
        0
    }
);

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

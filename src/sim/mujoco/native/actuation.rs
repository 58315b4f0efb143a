//! Actuator forces (`mj_fwdActuation`), lengths and velocities (`mj_transmission`), and activations.

use crate::native::data::NativeData;
use crate::native::lane_fields::FieldSource;
use crate::native::mju::clip;
use crate::native::model::{Activation, Actuator, Dynamics, MAX_NV, NativeModel, Transmission};
use crate::native::muscle::{muscle_bias, muscle_dynamics, muscle_gain};
use crate::native::outlined::outlined;
use crate::native::tendon::dot_sparse;
use crate::native::transmission;
use envpool_rs_numeric::simd::Float64Lanes;

/// Computes `act_dot`, `actuator_force` and `qfrc_actuator`, as `mj_transmission` and `mj_fwdActuation` do.
#[inline(always)]
pub(super) fn fwd_actuation<V: Float64Lanes, F: FieldSource<V>>(model: &NativeModel, fields: F, data: &mut NativeData<V>) {
    data.qfrc_actuator[..model.dofs.len()].fill(V::splat(0.0));
    for (number, actuator) in model.actuators.iter().enumerate() {
        // The control is not delayed (`mj_readCtrl`).
        let ctrl = clip(data.ctrl[number], [actuator.low, actuator.high]);
        let mut act_or_ctrl = ctrl;
        if let Some(activation) = &actuator.activation {
            act_or_ctrl = activate(model.timestep, activation, ctrl, data);
        }
        let has_varying_gain = actuator.muscle_gain.is_some() || actuator.affine_gain.is_some();
        let [mut length, mut velocity] = [V::splat(0.0); 2];
        if has_varying_gain || actuator.muscle_bias.is_some() || actuator.bias.is_some() {
            length = actuator_length(model, actuator, data);
        }
        let reads_velocity = has_varying_gain || actuator.bias.as_ref().is_some_and(|bias| F::IS_OWN || bias.by_velocity != 0.0);
        if reads_velocity {
            velocity = actuator_velocity(model, actuator, data);
        }
        let gain = match (&actuator.muscle_gain, actuator.affine_gain) {
            (Some(muscle), _) => muscle_gain(muscle, length, velocity),
            (None, Some([constant, by_length, by_velocity])) => {
                V::splat(constant) + V::splat(by_length) * length + V::splat(by_velocity) * velocity
            }
            (None, None) => fields.gain(number, actuator),
        };
        let mut force = gain * act_or_ctrl;
        if let Some(muscle) = &actuator.muscle_bias {
            force = force + muscle_bias(muscle, length);
        }
        if let Some(bias) = &actuator.bias {
            let [constant, by_length, by_velocity] = fields.bias(number, bias);
            let mut offset = constant + by_length * length;
            if reads_velocity {
                offset = offset + by_velocity * velocity;
            }
            force = force + offset;
        }
        data.actuator_force[number] = force;
    }
    if model.tendons.iter().any(|tendon| tendon.actfrcrange.is_some()) {
        limit_tendon_forces(model, data);
    }
    for (number, actuator) in model.actuators.iter().enumerate() {
        let mut force = data.actuator_force[number];
        if let Some(range) = actuator.forcerange {
            force = clip(force, range);
            data.actuator_force[number] = force;
        }
        match actuator.spatial_tendon(model) {
            _ if actuator.transmission.is_posed() => {
                let mut moment = [V::splat(0.0); MAX_NV];
                transmission::moment(model, actuator, data, &mut moment);
                for ((dof, _), arm) in actuator.moment.iter().zip(moment) {
                    data.qfrc_actuator[*dof] = data.qfrc_actuator[*dof] + arm * force;
                }
            }
            Some(tendon) => {
                let (tendon, gear) = (&model.tendons[tendon], V::splat(actuator.gear));
                let jacobian = data.tendons.row(tendon);
                for (entry, dof) in tendon.colind.iter().enumerate() {
                    data.qfrc_actuator[*dof] = data.qfrc_actuator[*dof] + jacobian[entry] * gear * force;
                }
            }
            None => {
                for (dof, coef) in &actuator.moment {
                    data.qfrc_actuator[*dof] = data.qfrc_actuator[*dof] + V::splat(*coef) * force;
                }
            }
        }
    }
    for (dof, _) in model.gravcomp.iter().flat_map(|gravcomp| gravcomp.is_actuated.iter().enumerate()).filter(|(_, own)| **own) {
        data.qfrc_actuator[dof] = data.qfrc_actuator[dof] + data.qfrc_gravcomp[dof];
    }
    for joint in &model.joints {
        if let Some(range) = joint.actfrcrange {
            data.qfrc_actuator[joint.dofadr] = clip(data.qfrc_actuator[joint.dofadr], range);
        }
    }
}

/// Computes the rate of an actuator's activation (`act_dot`), and returns the activation with which the actuator acts.
#[inline(always)]
fn activate<V: Float64Lanes>(timestep: f64, activation: &Activation, ctrl: V, data: &mut NativeData<V>) -> V {
    let act = data.act[activation.actadr];
    let rate = match &activation.dynamics {
        Dynamics::Integrator => ctrl,
        Dynamics::Filter(time) | Dynamics::FilterExact(time, _) => (ctrl - act) / V::splat(*time),
        Dynamics::Muscle(prm) => muscle_dynamics(ctrl, act, prm),
    };
    data.act_dot[activation.actadr] = rate;
    if activation.is_early { next_activation(timestep, activation, act, rate) } else { act }
}

/// Returns an actuator's activation after a timestep, as `mj_nextActivation` does.
#[inline(always)]
pub(super) fn next_activation<V: Float64Lanes>(timestep: f64, activation: &Activation, act: V, act_dot: V) -> V {
    let next = match activation.dynamics {
        Dynamics::FilterExact(time, coef) => act + act_dot * V::splat(time) * V::splat(coef),
        _ => act + act_dot * V::splat(timestep),
    };
    match activation.actrange {
        Some(range) => clip(next, range),
        None => next,
    }
}

outlined!(
    /// Computes the lengths and velocities of all actuators (`actuator_length`, `actuator_velocity`).
    pub(super) fn actuator_state<V: Float64Lanes>(
        model: &NativeModel,
        data: &NativeData<V>,
        lengths: &mut [V],
        velocities: &mut [V],
    ) {
        for (number, actuator) in model.actuators.iter().enumerate() {
            lengths[number] = actuator_length(model, actuator, data);
            // MuJoCo adds the products to 0, so that no zero is negative.
            velocities[number] = V::splat(0.0) + actuator_velocity(model, actuator, data);
        }
    }
);

#[inline(always)]
fn actuator_length<V: Float64Lanes>(model: &NativeModel, actuator: &Actuator, data: &NativeData<V>) -> V {
    let length = match actuator.transmission {
        Transmission::Joint(position) => data.qpos[position],
        Transmission::Tendon(tendon) => data.tendons.ten_length[tendon],
        _ => return transmission::length(model, actuator, data),
    };
    length * V::splat(actuator.gear)
}

#[inline(always)]
fn actuator_velocity<V: Float64Lanes>(model: &NativeModel, actuator: &Actuator, data: &NativeData<V>) -> V {
    match actuator.transmission {
        Transmission::Joint(_) => {
            let (dof, gear) = actuator.moment[0];
            V::splat(gear) * data.qvel[dof]
        }
        Transmission::Tendon(tendon) if actuator.gear == 1.0 => data.tendons.ten_velocity[tendon],
        Transmission::Tendon(tendon) => {
            let (tendon, gear) = (&model.tendons[tendon], V::splat(actuator.gear));
            let mut moment = [V::splat(0.0); MAX_NV];
            for (to, entry) in moment.iter_mut().zip(data.tendons.row(tendon)) {
                *to = *entry * gear;
            }
            dot_sparse(&moment, &tendon.colind, &data.qvel)
        }
        // Its force does not depend on the velocity.
        _ if actuator.transmission.drops_zeros() => V::splat(0.0),
        _ => {
            let mut moment = [V::splat(0.0); 6];
            transmission::moment(model, actuator, data, &mut moment);
            let (first, _) = actuator.moment[0];
            let dofs = [first, first + 1, first + 2, first + 3, first + 4, first + 5];
            dot_sparse(&moment, &dofs[..actuator.moment.len()], &data.qvel)
        }
    }
}

outlined!(
    /// Limits the sum of the actuators' forces on each tendon to `tendon_actfrcrange`.
    fn limit_tendon_forces<V: Float64Lanes>(model: &NativeModel, data: &mut NativeData<V>) {
        for (number, tendon) in model.tendons.iter().enumerate() {
            let Some([low, high]) = tendon.actfrcrange else { continue };
            let (low, high) = (V::splat(low), V::splat(high));
            let acts = |actuator: &Actuator| matches!(actuator.transmission, Transmission::Tendon(own) if own == number);
            let mut sum = V::splat(0.0);
            for (actuator, force) in model.actuators.iter().zip(&data.actuator_force) {
                if acts(actuator) {
                    sum = sum + *force;
                }
            }
            let (is_below, is_above) = (sum.lt(low), sum.gt(high));
            // A sum of zero stays, although it may be outside of the range.
            let is_outside = V::mask_and(V::mask_or(is_below, is_above), sum.ne(V::splat(0.0)));
            let factor = V::select(is_below, low, high) / sum;
            for (actuator, force) in model.actuators.iter().zip(&mut data.actuator_force) {
                if acts(actuator) {
                    *force = V::select(is_outside, *force * factor, *force);
                }
            }
        }
    }
);

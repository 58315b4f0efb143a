//! Forces of the smooth dynamics: bias forces (`mj_comVel`, `mj_rne`), passive forces, and the sum `qfrc_smooth`.

use crate::native::lane_fields::FieldSource;
use crate::native::mju::{
    MJMINVAL, add6, cross, cross_force, cross_motion, dot6, first, mul_inert_vec, mul_mat_vec3, normalize4, splat4, sub_quat,
    sub3,
};
use crate::native::model::{Activation, Actuator, Body, Dynamics, Joint, JointKind, MAX_NV, NativeModel, Transmission};
use crate::native::muscle::muscle_dynamics;
use crate::native::smooth::NativeData;
use crate::native::tendon::dot_sparse;
use crate::native::transmission;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns the velocity of a body (`cvel`), given its parent's, and computes the `cdof_dot` of its joints, as `mj_comVel` does.
#[inline(always)]
fn com_vel_of<V: Float64Lanes>(model: &NativeModel, body: &Body, data: &mut NativeData<V>) -> [V; 6] {
    let none = V::splat(0.0);
    let mut velocity = data.cvel[body.parent];
    let is_free = body.joints.len() == 1 && body.dofs.len() == 6;
    if is_free {
        let first = body.dofs.start;
        let (v, m) = (&data.qvel[first..][..6], &data.cdof[first..][..6]);
        for part in 0..6 {
            velocity[part] = velocity[part] + (m[0][part] * v[0] + m[1][part] * v[1] + m[2][part] * v[2]);
        }
        let turning = [cross_motion(&velocity, &m[3]), cross_motion(&velocity, &m[4]), cross_motion(&velocity, &m[5])];
        for part in 0..6 {
            velocity[part] = velocity[part] + (m[3][part] * v[3] + m[4][part] * v[4] + m[5][part] * v[5]);
        }
        for axis in 0..3 {
            data.cdof_dot[first + axis] = [none; 6];
            data.cdof_dot[first + 3 + axis] = turning[axis];
        }
    } else if body.dofs.len() > body.joints.len() {
        return com_vel_of_balls(model, body, data);
    } else {
        for dof in body.dofs.clone() {
            data.cdof_dot[dof] = cross_motion(&velocity, &data.cdof[dof]);
            for part in 0..6 {
                velocity[part] = velocity[part] + data.cdof[dof][part] * data.qvel[dof];
            }
        }
    }
    velocity
}

/// Computes the same as [`com_vel_of`], for a body that has ball joints.
#[inline(always)]
fn com_vel_of_balls<V: Float64Lanes>(model: &NativeModel, body: &Body, data: &mut NativeData<V>) -> [V; 6] {
    let mut velocity = data.cvel[body.parent];
    for joint in &model.joints[body.joints.clone()] {
        let (first, count) = (joint.dofadr, if joint.kind == JointKind::Ball { 3 } else { 1 });
        for dof in first..first + count {
            data.cdof_dot[dof] = cross_motion(&velocity, &data.cdof[dof]);
        }
        let (v, m) = (&data.qvel[first..][..count], &data.cdof[first..][..count]);
        for part in 0..6 {
            let mut change = m[0][part] * v[0];
            for axis in 1..count {
                change = change + m[axis][part] * v[axis];
            }
            velocity[part] = velocity[part] + change;
        }
    }
    velocity
}

/// Computes `cvel` and `cdof_dot`, as `mj_comVel` does.
#[inline(always)]
pub(super) fn com_vel<V: Float64Lanes>(model: &NativeModel, data: &mut NativeData<V>) {
    data.cvel[0] = [V::splat(0.0); 6];
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        data.cvel[id] = com_vel_of(model, body, data);
    }
}

/// Computes `cvel` and `cdof_dot` as `mj_comVel`, then `cfrc_body` by recursive Newton-Euler as `mj_rne` with `flg_acc` 0.
#[inline(always)]
pub(super) fn com_vel_rne<V: Float64Lanes>(model: &NativeModel, fields: impl FieldSource<V>, data: &mut NativeData<V>) {
    let none = V::splat(0.0);
    let [x, y, z] = fields.gravity(model);
    data.cacc[0] = [none, none, none, -x, -y, -z];
    data.cvel[0] = [none; 6];
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        let velocity = com_vel_of(model, body, data);
        data.cvel[id] = velocity;
        let mut change = [none; 6];
        for (index, dof) in body.dofs.clone().enumerate() {
            for part in 0..6 {
                let product = data.cdof_dot[dof][part] * data.qvel[dof];
                change[part] = if index == 0 { product } else { change[part] + product };
            }
        }
        let above = &data.cacc[body.parent];
        let acceleration = add6(above, &change);
        data.cacc[id] = acceleration;
        let inertia = &data.cinert[id];
        let force = mul_inert_vec(inertia, &acceleration);
        let turning = cross_force(&velocity, &mul_inert_vec(inertia, &velocity));
        data.cfrc_body[id] = add6(&force, &turning);
    }
    for (id, body) in model.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let own = data.cfrc_body[id];
            for (sum, part) in data.cfrc_body[body.parent].iter_mut().zip(own) {
                *sum = *sum + part;
            }
        }
    }
}

/// Sets the forces of the spring of a ball or free joint, as `mj_passive` (`mj_springdamper`) does.
#[inline(always)]
fn add_spring_of_pose<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>, joint: &Joint, passive: &mut [V; MAX_NV]) {
    let (in_pairs, stiffness) = (model.dialect.pairwise_quat, V::splat(-joint.stiffness));
    let (mut position, mut dof, mut rest) = (joint.qposadr, joint.dofadr, &joint.qpos_spring[..]);
    if joint.kind == JointKind::Free {
        for axis in 0..3 {
            passive[dof + axis] = V::splat(0.0) + (data.qpos[position + axis] - V::splat(rest[axis])) * stiffness;
        }
        (position, dof, rest) = (position + 3, dof + 3, &rest[3..]);
    }
    let turn = normalize4(first(&data.qpos[position..]), in_pairs);
    let turned = sub_quat(&turn, &splat4(&[rest[0], rest[1], rest[2], rest[3]]), in_pairs);
    for axis in 0..3 {
        passive[dof + axis] = V::splat(0.0) + turned[axis] * stiffness;
    }
}

/// Limits a value to a range, as `mju_clip` does.
#[inline(always)]
pub(super) fn clipped<V: Float64Lanes>(value: V, [low, high]: [f64; 2]) -> V {
    let (low, high) = (V::splat(low), V::splat(high));
    V::select(value.lt(low), low, V::select(value.gt(high), high, value))
}

/// Computes `qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_actuator`, as `mj_passive` (`mj_springdamper`) does, `mj_rne` and
/// `mj_fwdActuation`.
#[inline(always)]
pub(super) fn sum_qfrc_smooth<V: Float64Lanes, F: FieldSource<V>>(model: &NativeModel, fields: F, data: &mut NativeData<V>) {
    let none = V::splat(0.0);
    let dofs = model.dofs.len();
    let mut passive = [none; MAX_NV];
    for joint in &model.joints {
        if joint.stiffness != 0.0 {
            match joint.kind {
                JointKind::Slide | JointKind::Hinge => {
                    let moved = data.qpos[joint.qposadr] - V::splat(joint.qpos_spring[0]);
                    passive[joint.dofadr] = V::splat(-joint.stiffness) * moved;
                }
                _ => add_spring_of_pose(model, data, joint, &mut passive),
            }
        }
    }
    let mut dampers = [none; MAX_NV];
    for (number, dof) in model.dofs.iter().enumerate() {
        dampers[number] = -fields.dof_damping(number, dof) * data.qvel[number];
    }
    for (number, tendon) in model.tendons.iter().enumerate() {
        if tendon.spring.is_none() && tendon.damping == 0.0 {
            continue;
        }
        let (jacobian, length) = (data.tendons.row(tendon), data.tendons.ten_length[number]);
        if let Some(spring) = &tendon.spring {
            let force = spring.force(length);
            for (entry, dof) in tendon.colind.iter().enumerate() {
                passive[*dof] = passive[*dof] + jacobian[entry] * force;
            }
        }
        if tendon.damping != 0.0 {
            let force = V::splat(-tendon.damping) * data.tendons.ten_velocity[number];
            for (entry, dof) in tendon.colind.iter().enumerate() {
                dampers[*dof] = dampers[*dof] + jacobian[entry] * force;
            }
        }
    }
    for number in 0..dofs {
        passive[number] = passive[number] + dampers[number];
    }
    if model.fluid.is_some() {
        let drag = inertia_box_fluid(model, data);
        for number in 0..dofs {
            passive[number] = passive[number] + drag[number];
        }
    }
    let actuators = fwd_actuation(model, fields, data);
    for (number, dof) in model.dofs.iter().enumerate() {
        let bias = dot6(&data.cdof[number], &data.cfrc_body[dof.body]);
        data.qfrc_smooth[number] = (passive[number] - bias) + actuators[number];
        data.qfrc_actuator[number] = actuators[number];
    }
}

/// Computes `act_dot`, `actuator_force` and `qfrc_actuator`, as `mj_transmission` and `mj_fwdActuation` do. Returns
/// `qfrc_actuator`.
#[inline(always)]
fn fwd_actuation<V: Float64Lanes, F: FieldSource<V>>(model: &NativeModel, fields: F, data: &mut NativeData<V>) -> [V; MAX_NV] {
    let mut qfrc = [V::splat(0.0); MAX_NV];
    for (number, actuator) in model.actuators.iter().enumerate() {
        let ctrl = clipped(data.ctrl[number], [actuator.low, actuator.high]);
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
            (Some(muscle), _) => muscle.gain(length, velocity),
            (None, Some([constant, by_length, by_velocity])) => {
                V::splat(constant) + V::splat(by_length) * length + V::splat(by_velocity) * velocity
            }
            (None, None) => fields.gain(number, actuator),
        };
        let mut force = gain * act_or_ctrl;
        if let Some(muscle) = &actuator.muscle_bias {
            force = force + muscle.bias(length);
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
            force = clipped(force, range);
            data.actuator_force[number] = force;
        }
        match actuator.spatial_tendon(model) {
            _ if actuator.transmission.is_posed() => {
                let mut moment = [V::splat(0.0); MAX_NV];
                transmission::moment(model, actuator, data, &mut moment);
                for ((dof, _), arm) in actuator.moment.iter().zip(moment) {
                    qfrc[*dof] = qfrc[*dof] + arm * force;
                }
            }
            Some(tendon) => {
                let (tendon, gear) = (&model.tendons[tendon], V::splat(actuator.gear));
                let jacobian = data.tendons.row(tendon);
                for (entry, dof) in tendon.colind.iter().enumerate() {
                    qfrc[*dof] = qfrc[*dof] + jacobian[entry] * gear * force;
                }
            }
            None => {
                for (dof, coef) in &actuator.moment {
                    qfrc[*dof] = qfrc[*dof] + V::splat(*coef) * force;
                }
            }
        }
    }
    for joint in &model.joints {
        if let Some(range) = joint.actfrcrange {
            qfrc[joint.dofadr] = clipped(qfrc[joint.dofadr], range);
        }
    }
    qfrc
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
        Some(range) => clipped(next, range),
        None => next,
    }
}

/// Returns the length of an actuator (`actuator_length`).
#[inline(always)]
fn actuator_length<V: Float64Lanes>(model: &NativeModel, actuator: &Actuator, data: &NativeData<V>) -> V {
    let length = match actuator.transmission {
        Transmission::Joint(position) => data.qpos[position],
        Transmission::Tendon(tendon) => data.tendons.ten_length[tendon],
        _ => return transmission::length(model, actuator, data),
    };
    length * V::splat(actuator.gear)
}

/// Returns the velocity of an actuator (`actuator_velocity`).
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

/// Limits the sum of the actuators' forces on each tendon to `tendon_actfrcrange`.
#[inline(always)]
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

/// Computes the fluid forces on the inertia box of each body, as `mj_inertiaBoxFluidModel` does. Returns the forces along the
/// degrees of freedom.
#[inline(always)]
pub(super) fn inertia_box_fluid<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>) -> [V; MAX_NV] {
    let mut drags = [V::splat(0.0); MAX_NV];
    let (viscosity, density) = model.fluid.unwrap_or_default();
    let pi = std::f64::consts::PI;
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        if body.mass < MJMINVAL {
            continue;
        }
        let (box_size, velocity, r) = (body.fluid_box, &data.cvel[id], &data.ximat[id]);
        let d = sub3(data.xipos[id], data.subtree_com[body.root]);
        let c = cross(d, [velocity[0], velocity[1], velocity[2]]);
        let at_centre = [velocity[0], velocity[1], velocity[2], velocity[3] - c[0], velocity[4] - c[1], velocity[5] - c[2]];
        let local = |first: usize, axis: usize| {
            r[axis] * at_centre[first] + r[3 + axis] * at_centre[first + 1] + r[6 + axis] * at_centre[first + 2]
        };
        let v = [local(0, 0), local(0, 1), local(0, 2), local(3, 0), local(3, 1), local(3, 2)];
        let mut force = [V::splat(0.0); 6];
        if viscosity > 0.0 {
            let diameter = (box_size[0] + box_size[1] + box_size[2]) / 3.0;
            let (turning, moving) = (-pi * diameter * diameter * diameter * viscosity, -3.0 * pi * diameter * viscosity);
            for axis in 0..3 {
                force[axis] = v[axis] * V::splat(turning);
                force[3 + axis] = v[3 + axis] * V::splat(moving);
            }
        }
        if density > 0.0 {
            let fourth = |side: f64| side * side * side * side;
            let moving = [
                0.5 * density * box_size[1] * box_size[2],
                0.5 * density * box_size[0] * box_size[2],
                0.5 * density * box_size[0] * box_size[1],
            ];
            let turning = [
                density * box_size[0] * (fourth(box_size[1]) + fourth(box_size[2])),
                density * box_size[1] * (fourth(box_size[0]) + fourth(box_size[2])),
                density * box_size[2] * (fourth(box_size[0]) + fourth(box_size[1])),
            ];
            for axis in 0..3 {
                force[3 + axis] = force[3 + axis] - V::splat(moving[axis]) * v[3 + axis].abs() * v[3 + axis];
                force[axis] = force[axis] - V::splat(turning[axis]) * v[axis].abs() * v[axis] / V::splat(64.0);
            }
        }
        let torque = mul_mat_vec3(r, [force[0], force[1], force[2]]);
        let force = mul_mat_vec3(r, [force[3], force[4], force[5]]);
        let mut next = body.last_dof;
        while let Some(dof) = next {
            let m = &data.cdof[dof];
            let c = cross([m[0], m[1], m[2]], d);
            drags[dof] = drags[dof] + ((m[3] + c[0]) * force[0] + (m[4] + c[1]) * force[1] + (m[5] + c[2]) * force[2]);
            drags[dof] = drags[dof] + (m[0] * torque[0] + m[1] * torque[1] + m[2] * torque[2]);
            next = model.dofs[dof].parent;
        }
    }
    drags
}

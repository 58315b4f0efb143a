//! Forces of the smooth dynamics: bias forces (`mj_comVel`, `mj_rne`), passive forces, and the sum `qfrc_smooth`.

use super::super::algebra::{
    MJMINVAL, add6, all4, cross, cross_force, cross_motion, dot6, first, mul_inert_vec, mul_mat_vec3, normalize4, sub, sub_quat,
};
use super::super::lane_fields::FieldSource;
use super::super::muscle::muscle_dynamics;
use super::super::tables::{Activation, Actuator, Body, Dynamics, Joint, JointKind, MAX_NV, NativeModel, Transmission};
use super::super::tendon::dot_sparse;
use super::NativeData;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns the velocity of a body (`cvel`), given its parent's, and computes the `cdof_dot` of its joints, as `mj_comVel` does.
#[inline(always)]
fn com_vel_of<V: Float64Lanes>(model: &NativeModel, body: &Body, motion: &mut NativeData<V>) -> [V; 6] {
    let none = V::splat(0.0);
    let mut velocity = motion.cvel[body.parent];
    let is_free = body.joints.len() == 1 && body.dofs.len() == 6;
    if is_free {
        let first = body.dofs.start;
        let (v, m) = (&motion.qvel[first..][..6], &motion.cdof[first..][..6]);
        for part in 0..6 {
            velocity[part] = velocity[part] + (m[0][part] * v[0] + m[1][part] * v[1] + m[2][part] * v[2]);
        }
        let turning = [cross_motion(&velocity, &m[3]), cross_motion(&velocity, &m[4]), cross_motion(&velocity, &m[5])];
        for part in 0..6 {
            velocity[part] = velocity[part] + (m[3][part] * v[3] + m[4][part] * v[4] + m[5][part] * v[5]);
        }
        for axis in 0..3 {
            motion.cdof_dot[first + axis] = [none; 6];
            motion.cdof_dot[first + 3 + axis] = turning[axis];
        }
    } else if body.dofs.len() > body.joints.len() {
        return com_vel_of_balls(model, body, motion);
    } else {
        for dof in body.dofs.clone() {
            motion.cdof_dot[dof] = cross_motion(&velocity, &motion.cdof[dof]);
            for part in 0..6 {
                velocity[part] = velocity[part] + motion.cdof[dof][part] * motion.qvel[dof];
            }
        }
    }
    velocity
}

/// Computes the same as [`com_vel_of`], for a body that has ball joints.
#[inline(always)]
fn com_vel_of_balls<V: Float64Lanes>(model: &NativeModel, body: &Body, motion: &mut NativeData<V>) -> [V; 6] {
    let mut velocity = motion.cvel[body.parent];
    for joint in &model.joints[body.joints.clone()] {
        let (first, count) = (joint.dofadr, if joint.kind == JointKind::Ball { 3 } else { 1 });
        for dof in first..first + count {
            motion.cdof_dot[dof] = cross_motion(&velocity, &motion.cdof[dof]);
        }
        let (v, m) = (&motion.qvel[first..][..count], &motion.cdof[first..][..count]);
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
pub(in super::super) fn com_vel<V: Float64Lanes>(model: &NativeModel, motion: &mut NativeData<V>) {
    motion.cvel[0] = [V::splat(0.0); 6];
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        motion.cvel[id] = com_vel_of(model, body, motion);
    }
}

/// Computes `cvel` and `cdof_dot` as `mj_comVel`, then `cfrc_body` by recursive Newton-Euler as `mj_rne` with `flg_acc` 0.
#[inline(always)]
pub(super) fn com_vel_rne<V: Float64Lanes>(model: &NativeModel, fields: impl FieldSource<V>, motion: &mut NativeData<V>) {
    let none = V::splat(0.0);
    let [x, y, z] = fields.gravity(model);
    motion.cacc[0] = [none, none, none, -x, -y, -z];
    motion.cvel[0] = [none; 6];
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        let velocity = com_vel_of(model, body, motion);
        motion.cvel[id] = velocity;
        let mut change = [none; 6];
        for (index, dof) in body.dofs.clone().enumerate() {
            for part in 0..6 {
                let product = motion.cdof_dot[dof][part] * motion.qvel[dof];
                change[part] = if index == 0 { product } else { change[part] + product };
            }
        }
        let above = &motion.cacc[body.parent];
        let acceleration = add6(above, &change);
        motion.cacc[id] = acceleration;
        let inertia = &motion.cinert[id];
        let force = mul_inert_vec(inertia, &acceleration);
        let turning = cross_force(&velocity, &mul_inert_vec(inertia, &velocity));
        motion.cfrc_body[id] = add6(&force, &turning);
    }
    for (id, body) in model.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let own = motion.cfrc_body[id];
            for (sum, part) in motion.cfrc_body[body.parent].iter_mut().zip(own) {
                *sum = *sum + part;
            }
        }
    }
}

/// Sets the forces of the spring of a ball or free joint, as `mj_passive` (`mj_springdamper`) does.
#[inline(always)]
fn add_spring_of_pose<V: Float64Lanes>(model: &NativeModel, motion: &NativeData<V>, joint: &Joint, passive: &mut [V; MAX_NV]) {
    let (in_pairs, stiffness) = (model.dialect.pairwise_quat, V::splat(-joint.stiffness));
    let (mut position, mut dof, mut rest) = (joint.qposadr, joint.dofadr, &joint.qpos_spring[..]);
    if joint.kind == JointKind::Free {
        for axis in 0..3 {
            passive[dof + axis] = V::splat(0.0) + (motion.qpos[position + axis] - V::splat(rest[axis])) * stiffness;
        }
        (position, dof, rest) = (position + 3, dof + 3, &rest[3..]);
    }
    let turn = normalize4(first(&motion.qpos[position..]), in_pairs);
    let turned = sub_quat(&turn, &all4(&[rest[0], rest[1], rest[2], rest[3]]), in_pairs);
    for axis in 0..3 {
        passive[dof + axis] = V::splat(0.0) + turned[axis] * stiffness;
    }
}

/// Limits a value to a range, as `mju_clip` does.
#[inline(always)]
pub(in super::super) fn clipped<V: Float64Lanes>(value: V, [low, high]: [f64; 2]) -> V {
    let (low, high) = (V::splat(low), V::splat(high));
    V::select(value.lt(low), low, V::select(value.gt(high), high, value))
}

/// Computes `qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_actuator`, as `mj_passive` (`mj_springdamper`) does, `mj_rne` and
/// `mj_fwdActuation`.
#[inline(always)]
pub(super) fn sum_qfrc_smooth<V: Float64Lanes, F: FieldSource<V>>(model: &NativeModel, fields: F, motion: &mut NativeData<V>) {
    let none = V::splat(0.0);
    let dofs = model.dofs.len();
    let mut passive = [none; MAX_NV];
    for joint in &model.joints {
        if joint.stiffness != 0.0 {
            match joint.kind {
                JointKind::Slide | JointKind::Hinge => {
                    let moved = motion.qpos[joint.qposadr] - V::splat(joint.qpos_spring[0]);
                    passive[joint.dofadr] = V::splat(-joint.stiffness) * moved;
                }
                _ => add_spring_of_pose(model, motion, joint, &mut passive),
            }
        }
    }
    let mut dampers = [none; MAX_NV];
    for (number, dof) in model.dofs.iter().enumerate() {
        dampers[number] = -fields.dof_damping(number, dof) * motion.qvel[number];
    }
    for (number, tendon) in model.tendons.iter().enumerate() {
        if tendon.spring.is_none() && tendon.damping == 0.0 {
            continue;
        }
        let (jacobian, length) = (motion.tendons.row(tendon), motion.tendons.ten_length[number]);
        if let Some(spring) = &tendon.spring {
            let force = spring.force(length);
            for (entry, dof) in tendon.colind.iter().enumerate() {
                passive[*dof] = passive[*dof] + jacobian[entry] * force;
            }
        }
        if tendon.damping != 0.0 {
            let force = V::splat(-tendon.damping) * motion.tendons.ten_velocity[number];
            for (entry, dof) in tendon.colind.iter().enumerate() {
                dampers[*dof] = dampers[*dof] + jacobian[entry] * force;
            }
        }
    }
    for number in 0..dofs {
        passive[number] = passive[number] + dampers[number];
    }
    if model.fluid.is_some() {
        let drag = inertia_box_fluid(model, motion);
        for number in 0..dofs {
            passive[number] = passive[number] + drag[number];
        }
    }
    let actuators = fwd_actuation(model, fields, motion);
    for (number, dof) in model.dofs.iter().enumerate() {
        let bias = dot6(&motion.cdof[number], &motion.cfrc_body[dof.body]);
        motion.qfrc_smooth[number] = (passive[number] - bias) + actuators[number];
        motion.qfrc_actuator[number] = actuators[number];
    }
}

/// Computes `act_dot`, `actuator_force` and `qfrc_actuator`, as `mj_transmission` and `mj_fwdActuation` do. Returns
/// `qfrc_actuator`.
#[inline(always)]
fn fwd_actuation<V: Float64Lanes, F: FieldSource<V>>(model: &NativeModel, fields: F, motion: &mut NativeData<V>) -> [V; MAX_NV] {
    let mut qfrc = [V::splat(0.0); MAX_NV];
    for (number, motor) in model.actuators.iter().enumerate() {
        let control = clipped(motion.ctrl[number], [motor.low, motor.high]);
        let mut drive = control;
        if let Some(activation) = &motor.activation {
            drive = activate(model.timestep, activation, control, motion);
        }
        let is_muscle = motor.muscle_gain.is_some() || motor.muscle_bias.is_some();
        let [mut length, mut velocity] = [V::splat(0.0); 2];
        if is_muscle || motor.bias.is_some() {
            length = actuator_length(motor, motion);
        }
        let reads_velocity =
            motor.muscle_gain.is_some() || motor.bias.as_ref().is_some_and(|bias| F::IS_OWN || bias.by_velocity != 0.0);
        if reads_velocity {
            velocity = actuator_velocity(model, motor, motion);
        }
        let gain = match &motor.muscle_gain {
            Some(muscle) => muscle.gain(length, velocity),
            None => fields.gain(number, motor),
        };
        let mut force = gain * drive;
        if let Some(muscle) = &motor.muscle_bias {
            force = force + muscle.bias(length);
        }
        if let Some(bias) = &motor.bias {
            let [constant, by_length, by_velocity] = fields.bias(number, bias);
            let mut offset = constant + by_length * length;
            if reads_velocity {
                offset = offset + by_velocity * velocity;
            }
            force = force + offset;
        }
        motion.actuator_force[number] = force;
    }
    if model.tendons.iter().any(|tendon| tendon.actfrcrange.is_some()) {
        limit_tendon_forces(model, motion);
    }
    for (number, motor) in model.actuators.iter().enumerate() {
        let mut force = motion.actuator_force[number];
        if let Some(range) = motor.forcerange {
            force = clipped(force, range);
            motion.actuator_force[number] = force;
        }
        match motor.spatial_tendon(model) {
            Some(tendon) => {
                let (tendon, gear) = (&model.tendons[tendon], V::splat(motor.gear));
                let jacobian = motion.tendons.row(tendon);
                for (entry, dof) in tendon.colind.iter().enumerate() {
                    qfrc[*dof] = qfrc[*dof] + jacobian[entry] * gear * force;
                }
            }
            None => {
                for (dof, share) in &motor.moment {
                    qfrc[*dof] = qfrc[*dof] + V::splat(*share) * force;
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
fn activate<V: Float64Lanes>(timestep: f64, activation: &Activation, control: V, motion: &mut NativeData<V>) -> V {
    let act = motion.act[activation.actadr];
    let rate = match &activation.dynamics {
        Dynamics::Integrator => control,
        Dynamics::Filter(time) | Dynamics::FilterExact(time, _) => (control - act) / V::splat(*time),
        Dynamics::Muscle(prm) => muscle_dynamics(control, act, prm),
    };
    motion.act_dot[activation.actadr] = rate;
    if activation.is_early { next_activation(timestep, activation, act, rate) } else { act }
}

/// Returns an actuator's activation after a timestep, as `mj_nextActivation` does.
#[inline(always)]
pub(in super::super) fn next_activation<V: Float64Lanes>(timestep: f64, activation: &Activation, act: V, act_dot: V) -> V {
    let next = match activation.dynamics {
        Dynamics::FilterExact(time, share) => act + act_dot * V::splat(time) * V::splat(share),
        _ => act + act_dot * V::splat(timestep),
    };
    match activation.actrange {
        Some(range) => clipped(next, range),
        None => next,
    }
}

/// Returns the length of an actuator (`actuator_length`).
#[inline(always)]
fn actuator_length<V: Float64Lanes>(motor: &Actuator, motion: &NativeData<V>) -> V {
    let length = match motor.transmission {
        Transmission::Joint(position) => motion.qpos[position],
        Transmission::Tendon(tendon) => motion.tendons.ten_length[tendon],
    };
    length * V::splat(motor.gear)
}

/// Returns the velocity of an actuator (`actuator_velocity`).
#[inline(always)]
fn actuator_velocity<V: Float64Lanes>(model: &NativeModel, motor: &Actuator, motion: &NativeData<V>) -> V {
    match motor.transmission {
        Transmission::Joint(_) => {
            let (dof, gear) = motor.moment[0];
            V::splat(gear) * motion.qvel[dof]
        }
        Transmission::Tendon(tendon) if motor.gear == 1.0 => motion.tendons.ten_velocity[tendon],
        Transmission::Tendon(tendon) => {
            let (tendon, gear) = (&model.tendons[tendon], V::splat(motor.gear));
            let mut moment = [V::splat(0.0); MAX_NV];
            for (to, entry) in moment.iter_mut().zip(motion.tendons.row(tendon)) {
                *to = *entry * gear;
            }
            dot_sparse(&moment, &tendon.colind, &motion.qvel)
        }
    }
}

/// Limits the sum of the actuators' forces on each tendon to `tendon_actfrcrange`.
#[inline(always)]
fn limit_tendon_forces<V: Float64Lanes>(model: &NativeModel, motion: &mut NativeData<V>) {
    for (number, tendon) in model.tendons.iter().enumerate() {
        let Some([low, high]) = tendon.actfrcrange else { continue };
        let (low, high) = (V::splat(low), V::splat(high));
        let acts = |motor: &Actuator| matches!(motor.transmission, Transmission::Tendon(own) if own == number);
        let mut sum = V::splat(0.0);
        for (motor, force) in model.actuators.iter().zip(&motion.actuator_force) {
            if acts(motor) {
                sum = sum + *force;
            }
        }
        let (is_below, is_above) = (sum.lt(low), sum.gt(high));
        // A sum of zero stays, although it may be outside of the range.
        let is_outside = V::mask_and(V::mask_or(is_below, is_above), sum.ne(V::splat(0.0)));
        let factor = V::select(is_below, low, high) / sum;
        for (motor, force) in model.actuators.iter().zip(&mut motion.actuator_force) {
            if acts(motor) {
                *force = V::select(is_outside, *force * factor, *force);
            }
        }
    }
}

/// Computes the fluid forces on the inertia box of each body, as `mj_inertiaBoxFluidModel` does. Returns the forces along the
/// degrees of freedom.
#[inline(always)]
pub(super) fn inertia_box_fluid<V: Float64Lanes>(model: &NativeModel, motion: &NativeData<V>) -> [V; MAX_NV] {
    let mut drags = [V::splat(0.0); MAX_NV];
    let (viscosity, density) = model.fluid.unwrap_or_default();
    let pi = std::f64::consts::PI;
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        if body.mass < MJMINVAL {
            continue;
        }
        let (sides, velocity, r) = (body.fluid_box, &motion.cvel[id], &motion.ximat[id]);
        let d = sub(motion.xipos[id], motion.subtree_com[body.root]);
        let c = cross(d, [velocity[0], velocity[1], velocity[2]]);
        let at_centre = [velocity[0], velocity[1], velocity[2], velocity[3] - c[0], velocity[4] - c[1], velocity[5] - c[2]];
        let local = |first: usize, axis: usize| {
            r[axis] * at_centre[first] + r[3 + axis] * at_centre[first + 1] + r[6 + axis] * at_centre[first + 2]
        };
        let v = [local(0, 0), local(0, 1), local(0, 2), local(3, 0), local(3, 1), local(3, 2)];
        let mut force = [V::splat(0.0); 6];
        if viscosity > 0.0 {
            let diameter = (sides[0] + sides[1] + sides[2]) / 3.0;
            let (turning, moving) = (-pi * diameter * diameter * diameter * viscosity, -3.0 * pi * diameter * viscosity);
            for axis in 0..3 {
                force[axis] = v[axis] * V::splat(turning);
                force[3 + axis] = v[3 + axis] * V::splat(moving);
            }
        }
        if density > 0.0 {
            let fourth = |side: f64| side * side * side * side;
            let moving =
                [0.5 * density * sides[1] * sides[2], 0.5 * density * sides[0] * sides[2], 0.5 * density * sides[0] * sides[1]];
            let turning = [
                density * sides[0] * (fourth(sides[1]) + fourth(sides[2])),
                density * sides[1] * (fourth(sides[0]) + fourth(sides[2])),
                density * sides[2] * (fourth(sides[0]) + fourth(sides[1])),
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
            let m = &motion.cdof[dof];
            let c = cross([m[0], m[1], m[2]], d);
            drags[dof] = drags[dof] + ((m[3] + c[0]) * force[0] + (m[4] + c[1]) * force[1] + (m[5] + c[2]) * force[2]);
            drags[dof] = drags[dof] + (m[0] * torque[0] + m[1] * torque[1] + m[2] * torque[2]);
            next = model.dofs[dof].parent;
        }
    }
    drags
}

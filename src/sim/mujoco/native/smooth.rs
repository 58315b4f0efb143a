//! `mj_fwdPosition`, `mj_fwdVelocity`, `mj_fwdActuation` and `mj_fwdAcceleration`, without constraints: computes `qacc_smooth`.
//! Velocities and bias forces: `mj_comVel`, `mj_rne`.

use crate::native::actuation::fwd_actuation;
use crate::native::data::NativeData;
use crate::native::inertia::{crb, factor_i, solve_ld};
use crate::native::kinematics::{com_pos, geom_kinematics, kinematics};
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{add6, cross_force, cross_motion, dot6, mul_inert_vec};
use crate::native::model::{Body, JointKind, NativeModel};
use crate::native::outlined::outlined;
use crate::native::passive::passive;
use crate::native::tendon::{bias_with_tendons, tendon, tendon_armature};
use envpool_rs_numeric::simd::Float64Lanes;

outlined!(
    /// `mj_fwdPosition` without constraints, `mj_fwdVelocity`, `mj_fwdActuation` and `mj_fwdAcceleration`. Returns a bit mask of the
    /// lanes that MuJoCo must step.
    pub(super) fn fwd_smooth<V: Float64Lanes, F: FieldSource<V>>(
        model: &NativeModel,
        fields: F,
        data: &mut NativeData<V>,
    ) -> u32 {
        kinematics::<V, F, false>(model, fields, data);
        geom_kinematics(model, fields, data);
        com_pos(model, fields, data);
        if !model.tendons.is_empty() {
            tendon(model, data);
        }
        crb(model, fields, data);
        if model.has_tendon_armature() {
            tendon_armature(model, data);
        }
        let (qld, qm) = (&mut data.qld, &data.qm);
        qld[..model.m_colind.len()].copy_from_slice(&qm[..model.m_colind.len()]);
        let fallback = factor_i(model, qld, &mut data.qld_diag_inv);
        com_vel_rne(model, fields, data);
        sum_qfrc_smooth(model, fields, data);
        let dofs = model.dofs.len();
        data.qacc_smooth[..dofs].copy_from_slice(&data.qfrc_smooth[..dofs]);
        solve_ld(model, &data.qld, &data.qld_diag_inv, &mut data.qacc_smooth[..dofs]);
        fallback
    }
);

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

/// Computes `qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_actuator`.
#[inline(always)]
fn sum_qfrc_smooth<V: Float64Lanes, F: FieldSource<V>>(model: &NativeModel, fields: F, data: &mut NativeData<V>) {
    passive(model, fields, data);
    fwd_actuation(model, fields, data);
    let with_tendons = if model.has_tendon_armature() { Some(bias_with_tendons(model, data)) } else { None };
    for (number, dof) in model.dofs.iter().enumerate() {
        let bias = match &with_tendons {
            Some(qfrc_bias) => qfrc_bias[number],
            None => dot6(&data.cdof[number], &data.cfrc_body[dof.body]),
        };
        data.qfrc_smooth[number] = (data.qfrc_passive[number] - bias) + data.qfrc_actuator[number];
    }
}

//! Passive forces (`mj_passive`): springs, dampers and the fluid.

use crate::native::constraint::{jac_point, object_velocity};
use crate::native::data::NativeData;
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{
    MJMINVAL, cross, dot3, first, mul_mat_t_vec3, mul_mat_vec3, normalize4, splat3, splat4, sub_quat, sub3,
};
use crate::native::model::{Gravcomp, Joint, JointKind, MAX_NV, NativeModel};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Computes `qfrc_passive`, as `mj_passive` (`mj_springdamper`) does: the sum of `qfrc_spring`, `qfrc_damper`, `qfrc_fluid` and
/// `qfrc_gravcomp`.
#[inline(always)]
pub(super) fn passive<V: Float64Lanes, F: FieldSource<V>>(model: &NativeModel, fields: F, data: &mut NativeData<V>) {
    let dofs = model.dofs.len();
    data.qfrc_passive[..dofs].fill(V::splat(0.0));
    for joint in &model.joints {
        if joint.stiffness != 0.0 {
            match joint.kind {
                JointKind::Slide | JointKind::Hinge => {
                    let moved = data.qpos[joint.qposadr] - V::splat(joint.qpos_spring[0]);
                    data.qfrc_passive[joint.dofadr] = V::splat(-joint.stiffness) * moved;
                }
                _ => set_spring_of_pose(model, data, joint),
            }
        }
    }
    for (number, dof) in model.dofs.iter().enumerate() {
        data.qfrc_damper[number] = -fields.dof_damping(number, dof) * data.qvel[number];
    }
    for (number, tendon) in model.tendons.iter().enumerate() {
        if tendon.spring.is_none() && tendon.damping == 0.0 {
            continue;
        }
        let (jacobian, length) = (data.tendons.row(tendon), data.tendons.ten_length[number]);
        if let Some(spring) = &tendon.spring {
            let force = spring.force(length);
            for (entry, dof) in tendon.colind.iter().enumerate() {
                data.qfrc_passive[*dof] = data.qfrc_passive[*dof] + jacobian[entry] * force;
            }
        }
        if tendon.damping != 0.0 {
            let force = V::splat(-tendon.damping) * data.tendons.ten_velocity[number];
            for (entry, dof) in tendon.colind.iter().enumerate() {
                data.qfrc_damper[*dof] = data.qfrc_damper[*dof] + jacobian[entry] * force;
            }
        }
    }
    for number in 0..dofs {
        data.qfrc_passive[number] = data.qfrc_passive[number] + data.qfrc_damper[number];
    }
    if model.fluid.is_some() {
        let drag = inertia_box_fluid(model, data);
        for number in 0..dofs {
            data.qfrc_passive[number] = data.qfrc_passive[number] + drag[number];
        }
    }
    if let Some(gravcomp) = &model.gravcomp {
        add_gravcomp(model, data, gravcomp);
    }
}

outlined!(
    /// Computes `qfrc_gravcomp`, and adds it to `qfrc_passive` along the degrees of freedom that are not actuated, as `mj_gravcomp` (`mj_jacBodyCom`) does.
    fn add_gravcomp<V: Float64Lanes>(model: &NativeModel, data: &mut NativeData<V>, gravcomp: &Gravcomp) {
        for sum in &mut data.qfrc_gravcomp {
            *sum = V::splat(0.0);
        }
        for (id, force) in &gravcomp.forces {
            let (body, force): (_, [V; 3]) = (&model.bodies[*id], splat3(force));
            let offset = sub3(data.xipos[*id], data.subtree_com[body.root]);
            let mut next = body.last_dof;
            while let Some(dof) = next {
                data.qfrc_gravcomp[dof] = data.qfrc_gravcomp[dof] + dot3(&jac_point(&data.cdof[dof], &offset), &force);
                next = model.dofs[dof].parent;
            }
        }
        for (dof, is_actuated) in gravcomp.is_actuated.iter().enumerate() {
            if !is_actuated {
                data.qfrc_passive[dof] = data.qfrc_passive[dof] + data.qfrc_gravcomp[dof];
            }
        }
    }
);

outlined!(
    /// Sets the forces of the spring of a ball or free joint, as `mj_passive` (`mj_springdamper`) does.
    fn set_spring_of_pose<V: Float64Lanes>(model: &NativeModel, data: &mut NativeData<V>, joint: &Joint) {
        let (in_pairs, stiffness) = (model.dialect.pairwise_quat, V::splat(-joint.stiffness));
        let (mut position, mut dof, mut rest) = (joint.qposadr, joint.dofadr, &joint.qpos_spring[..]);
        if joint.kind == JointKind::Free {
            for axis in 0..3 {
                data.qfrc_passive[dof + axis] = V::splat(0.0) + (data.qpos[position + axis] - V::splat(rest[axis])) * stiffness;
            }
            (position, dof, rest) = (position + 3, dof + 3, &rest[3..]);
        }
        let turn = normalize4(first(&data.qpos[position..]), in_pairs);
        let turned = sub_quat(&turn, &splat4(&[rest[0], rest[1], rest[2], rest[3]]), in_pairs);
        for axis in 0..3 {
            data.qfrc_passive[dof + axis] = V::splat(0.0) + turned[axis] * stiffness;
        }
    }
);

outlined!(
    /// Returns the fluid forces on inertia boxes along the degrees of freedom, as `mj_inertiaBoxFluidModel` does.
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
            let [turned, moved] = [[velocity[0], velocity[1], velocity[2]], object_velocity(velocity, d)];
            let [turned, moved] = [mul_mat_t_vec3(r, turned), mul_mat_t_vec3(r, moved)];
            let v = [turned[0], turned[1], turned[2], moved[0], moved[1], moved[2]];
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
            // Force and torque act at the centre of mass (`mj_applyFT`).
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
);

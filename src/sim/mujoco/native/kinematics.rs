//! Forward kinematics (`mj_fwdKinematics`): poses, centres of mass and motion axes, as `mj_kinematics` and `mj_comPos` do.

use crate::native::data::{GeomPose, NativeData};
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{
    IDENTITY_QUAT, add3, cross, first, mul_mat_vec3, mul_quat, mul_quat_axis, normalize4, quat_to_mat, rot_vec_quat,
    rot_vec_quat_axis, scl3, splat3, splat4, sub3,
};
use crate::native::model::{Frame, Geom, Joint, JointKind, NativeModel, SameFrame};
use envpool_rs_numeric::simd::Float64Lanes;

const IDENTITY_MATRIX: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// Returns the world position of a body-fixed frame, from `xpos`, `xipos` and `xmat`, as `mj_local2Global` does.
#[inline(always)]
pub(super) fn local_to_global_pos<V: Float64Lanes>(frame: &Frame, places: ([V; 3], [V; 3]), xmat: &[V; 9]) -> [V; 3] {
    local_to_global(frame, splat3(&frame.pos), places, xmat)
}

#[inline(always)]
fn local_to_global<V: Float64Lanes>(frame: &Frame, pos: [V; 3], (xpos, xipos): ([V; 3], [V; 3]), xmat: &[V; 9]) -> [V; 3] {
    match frame.same {
        SameFrame::Body => xpos,
        SameFrame::Inertia => xipos,
        _ => add3(mul_mat_vec3(xmat, pos), xpos),
    }
}

/// Returns the rotation matrix of a body-fixed frame, from `xquat`, `xmat` and `ximat`, as `mj_local2Global` does.
#[inline(always)]
pub(super) fn local_to_global_mat<V: Float64Lanes>(
    frame: &Frame,
    xquat: &[V; 4],
    [xmat, ximat]: [&[V; 9]; 2],
    in_pairs: bool,
) -> [V; 9] {
    match frame.same {
        SameFrame::Neither => quat_to_mat(&mul_quat(xquat, &splat4(&frame.quat), in_pairs), in_pairs),
        SameFrame::Body | SameFrame::BodyRotation => *xmat,
        _ => *ximat,
    }
}

/// Computes the poses of bodies and the frames of joints, from the root to the leaves (`mj_kinematics1`).
///
/// If `KEEPS_ZEROS` is false, products with exact zeros are skipped, so that zeros in `xmat` can have the other sign.
#[inline(always)]
pub(super) fn kinematics<V: Float64Lanes, F: FieldSource<V>, const KEEPS_ZEROS: bool>(
    model: &NativeModel,
    fields: F,
    data: &mut NativeData<V>,
) {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let in_pairs = model.dialect.pairwise_quat;
    data.xquat[0] = [one, none, none, none];
    data.xmat[0] = [one, none, none, none, one, none, none, none, one];
    data.xpos[0] = [none; 3];
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        let joints = &model.joints[body.joints.clone()];
        let (mut xpos, mut xquat);
        // Its orientation is its parent's, which has already been normalized.
        let mut is_aligned = false;
        if let [joint @ Joint { kind: JointKind::Free, .. }] = joints {
            let q = &data.qpos[joint.qposadr..][..7];
            xpos = [q[0], q[1], q[2]];
            xquat = normalize4([q[3], q[4], q[5], q[6]], in_pairs);
            data.xanchor[body.joints.start] = xpos;
        } else {
            let parent = body.parent;
            if let Some(mocap) = body.mocap {
                (xpos, xquat) = mocap_pose(data, mocap, in_pairs);
            } else if parent > 0 {
                xpos = add3(mul_mat_vec3(&data.xmat[parent], fields.body_pos(id, body)), data.xpos[parent]);
                xquat = data.xquat[parent];
                match fields.body_quat(id, body, KEEPS_ZEROS) {
                    Some(quat) => xquat = mul_quat(&xquat, &quat, in_pairs),
                    None => is_aligned = joints.is_empty(),
                }
            } else {
                xpos = fields.body_pos(id, body);
                xquat = fields.body_quat(id, body, true).unwrap_or([one, none, none, none]);
            }
            for (joint, number) in joints.iter().zip(body.joints.clone()) {
                let is_central = joint.pos == [0.0; 3];
                let axis_coordinate = if KEEPS_ZEROS { None } else { joint.axis_coordinate };
                let axis = match axis_coordinate {
                    Some(along) => rot_vec_quat_axis(along, &xquat),
                    None => rot_vec_quat(splat3(&joint.axis), &xquat),
                };
                let anchor = match is_central {
                    // Without the sum, a negative zero of `body_pos` would stay negative.
                    true if KEEPS_ZEROS || F::IS_OWN => add3([none; 3], xpos),
                    true => xpos,
                    false => add3(rot_vec_quat(splat3(&joint.pos), &xquat), xpos),
                };
                let moved = data.qpos[joint.qposadr] - V::splat(joint.qpos0);
                if joint.kind == JointKind::Slide {
                    xpos = [xpos[0] + axis[0] * moved, xpos[1] + axis[1] * moved, xpos[2] + axis[2] * moved];
                } else if joint.kind == JointKind::Ball {
                    xquat = mul_quat(&xquat, &normalize4(first(&data.qpos[joint.qposadr..]), in_pairs), in_pairs);
                    xpos = if is_central { anchor } else { sub3(anchor, rot_vec_quat(splat3(&joint.pos), &xquat)) };
                } else {
                    let (sine, cosine) = (moved * V::splat(0.5)).sin_cos();
                    xquat = match axis_coordinate {
                        Some((along, sign)) => mul_quat_axis(along, &xquat, cosine, V::splat(sign) * sine),
                        None => {
                            let [x, y, z] = splat3::<V>(&joint.axis);
                            let mut by = [cosine, x * sine, y * sine, z * sine];
                            if KEEPS_ZEROS {
                                // MuJoCo does not multiply the axis if the angle is zero, so that no zero is negative.
                                let is_still = moved.abs().le(none);
                                for part in 1..4 {
                                    by[part] = V::select(is_still, none, by[part]);
                                }
                            }
                            mul_quat(&xquat, &by, in_pairs)
                        }
                    };
                    xpos = if is_central { anchor } else { sub3(anchor, rot_vec_quat(splat3(&joint.pos), &xquat)) };
                }
                data.xanchor[number] = anchor;
                data.xaxis[number] = axis;
            }
        }
        data.xmat[id] = if is_aligned {
            data.xmat[body.parent]
        } else {
            xquat = normalize4(xquat, in_pairs);
            quat_to_mat(&xquat, in_pairs)
        };
        data.xpos[id] = xpos;
        data.xquat[id] = xquat;
        if KEEPS_ZEROS {
            // MuJoCo copies the identity matrix if the quaternion is the identity, so that no zero is negative.
            let are_zero = V::mask_and(xquat[1].abs().le(none), V::mask_and(xquat[2].abs().le(none), xquat[3].abs().le(none)));
            let is_identity = V::mask_and(are_zero, V::mask_and(xquat[0].le(one), xquat[0].ge(one)));
            for at in [1, 2, 3, 5, 6, 7] {
                data.xmat[id][at] = V::select(is_identity, none, data.xmat[id][at]);
            }
        }
        data.xipos[id] = match body.inertial.same {
            SameFrame::Body | SameFrame::Inertia => xpos,
            _ => add3(mul_mat_vec3(&data.xmat[id], fields.body_ipos(id, body)), xpos),
        };
        data.ximat[id] = match body.inertial.same {
            SameFrame::Neither => quat_to_mat(&mul_quat(&xquat, &splat4(&body.inertial.quat), in_pairs), in_pairs),
            _ => data.xmat[id],
        };
    }
}

/// Returns the pose of a mocap body, with a normalized quaternion.
#[inline(always)]
fn mocap_pose<V: Float64Lanes>(data: &NativeData<V>, mocap: usize, in_pairs: bool) -> ([V; 3], [V; 4]) {
    (first(&data.mocap_pos[3 * mocap..]), normalize4(first(&data.mocap_quat[4 * mocap..]), in_pairs))
}

/// Returns the poses of a model's geoms before the first step, of which those of the world body's geoms never change.
pub(super) fn initial_geom_poses<V: Float64Lanes>(model: &NativeModel) -> Vec<GeomPose<V>> {
    let pose = |geom: &Geom| {
        let pos = local_to_global_pos(&geom.frame, ([0.0; 3], [0.0; 3]), &IDENTITY_MATRIX);
        let matrix = world_geom_xmat(model, geom);
        GeomPose { pos: pos.map(V::splat), axis: [matrix[2], matrix[5], matrix[8]].map(V::splat) }
    };
    model.geoms.iter().map(pose).collect()
}

/// Returns `geom_xmat` before the first step, final for the world's geoms; none if the library computes no contacts.
pub(super) fn initial_geom_xmats<V: Float64Lanes>(model: &NativeModel) -> Vec<[V; 9]> {
    let count = if model.max_library_nefc > 0 { model.geoms.len() } else { 0 };
    model.geoms[..count].iter().map(|geom| world_geom_xmat(model, geom).map(V::splat)).collect()
}

fn world_geom_xmat(model: &NativeModel, geom: &Geom) -> [f64; 9] {
    local_to_global_mat(&geom.frame, &IDENTITY_QUAT, [&IDENTITY_MATRIX, &IDENTITY_MATRIX], model.dialect.pairwise_quat)
}

/// Computes `geom_xpos` and the z axes of all geoms except the world body's (`mj_kinematics2`).
#[inline(always)]
pub(super) fn geom_kinematics<V: Float64Lanes>(model: &NativeModel, fields: impl FieldSource<V>, data: &mut NativeData<V>) {
    for (number, geom) in model.geoms.iter().enumerate().filter(|(_, geom)| geom.body != 0) {
        let poses = (data.xpos[geom.body], data.xipos[geom.body]);
        let pos = local_to_global(&geom.frame, fields.geom_pos(geom), poses, &data.xmat[geom.body]);
        let xmat = data.compute_geom_xmat(model, number);
        data.geom_poses[number] = GeomPose { pos, axis: [xmat[2], xmat[5], xmat[8]] };
        if let Some(stored) = data.geom_xmats.get_mut(number) {
            *stored = xmat;
        }
    }
}

/// Computes `subtree_com`, `cinert` (`mju_inertCom`) and `cdof` (`mju_dofCom`), as `mj_comPos` does.
#[inline(always)]
pub(super) fn com_pos<V: Float64Lanes>(model: &NativeModel, fields: impl FieldSource<V>, data: &mut NativeData<V>) {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    for (id, body) in model.bodies.iter().enumerate() {
        data.subtree_com[id] = if id == 0 { [none; 3] } else { scl3(data.xipos[id], fields.body_mass(id, body)) };
    }
    for (id, body) in model.bodies.iter().enumerate().skip(1).rev() {
        data.subtree_com[body.parent] = add3(data.subtree_com[body.parent], data.subtree_com[id]);
    }
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        if body.root == id {
            data.subtree_com[id] = fields.by_subtreemass(id, body, data.subtree_com[id], data.xipos[id]);
        }
        let centre = data.subtree_com[body.root];
        let d = sub3(data.xipos[id], centre);
        let (r, i, mass) = (&data.ximat[id], fields.body_inertia(id, body), fields.body_mass(id, body));
        let t =
            [r[0] * i[0], r[3] * i[0], r[6] * i[0], r[1] * i[1], r[4] * i[1], r[7] * i[1], r[2] * i[2], r[5] * i[2], r[8] * i[2]];
        data.cinert[id] = [
            (r[0] * t[0] + r[1] * t[3] + r[2] * t[6]) + mass * (d[1] * d[1] + d[2] * d[2]),
            (r[3] * t[1] + r[4] * t[4] + r[5] * t[7]) + mass * (d[0] * d[0] + d[2] * d[2]),
            (r[6] * t[2] + r[7] * t[5] + r[8] * t[8]) + mass * (d[0] * d[0] + d[1] * d[1]),
            (r[0] * t[1] + r[1] * t[4] + r[2] * t[7]) - mass * d[0] * d[1],
            (r[0] * t[2] + r[1] * t[5] + r[2] * t[8]) - mass * d[0] * d[2],
            (r[3] * t[2] + r[4] * t[5] + r[5] * t[8]) - mass * d[1] * d[2],
            mass * d[0],
            mass * d[1],
            mass * d[2],
            mass,
        ];
        for (number, joint) in body.joints.clone().zip(&model.joints[body.joints.clone()]) {
            let offset = sub3(centre, data.xanchor[number]);
            let hinge = |axis: [V; 3]| {
                let moved = cross(axis, offset);
                [axis[0], axis[1], axis[2], moved[0], moved[1], moved[2]]
            };
            let dof = joint.dofadr;
            match joint.kind {
                JointKind::Free => {
                    let m = data.xmat[id];
                    for axis in 0..3 {
                        data.cdof[dof + axis] = [none; 6];
                        data.cdof[dof + axis][3 + axis] = one;
                        data.cdof[dof + 3 + axis] = hinge([m[axis], m[axis + 3], m[axis + 6]]);
                    }
                }
                JointKind::Ball => {
                    let m = data.xmat[id];
                    for axis in 0..3 {
                        data.cdof[dof + axis] = hinge([m[axis], m[axis + 3], m[axis + 6]]);
                    }
                }
                JointKind::Slide => {
                    let axis = data.xaxis[number];
                    data.cdof[dof] = [none, none, none, axis[0], axis[1], axis[2]];
                }
                JointKind::Hinge => data.cdof[dof] = hinge(data.xaxis[number]),
            }
        }
    }
}

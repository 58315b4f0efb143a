//! Forward kinematics: poses, centres of mass and motion axes, as `mj_kinematics` and `mj_comPos` do.

use super::super::algebra::{
    IDENTITY_QUAT, MJMINVAL, add, all3, all4, cross, first, mul_mat_vec3, mul_quat, mul_quat_axis, normalize4, quat_to_mat,
    rot_vec_quat, rot_vec_quat_axis, scaled, sub,
};
use super::super::lane_fields::FieldSource;
use super::super::tables::{Frame, Geom, Joint, JointKind, NativeModel, SameFrame};
use super::{GeomPose, NativeData};
use envpool_rs_numeric::simd::Float64Lanes;

const IDENTITY_MATRIX: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// Returns the world position of a body-fixed frame, from `xpos`, `xipos` and `xmat`, as `mj_local2Global` does.
#[inline(always)]
pub(super) fn local_to_global_pos<V: Float64Lanes>(frame: &Frame, (place, centre): ([V; 3], [V; 3]), matrix: &[V; 9]) -> [V; 3] {
    match frame.same {
        SameFrame::Body => place,
        SameFrame::Inertia => centre,
        _ => add(mul_mat_vec3(matrix, all3(&frame.pos)), place),
    }
}

/// Returns the rotation matrix of a body-fixed frame, from `xquat`, `xmat` and `ximat`, as `mj_local2Global` does.
#[inline(always)]
pub(super) fn local_to_global_mat<V: Float64Lanes>(
    frame: &Frame,
    turn: &[V; 4],
    [body, inertia]: [&[V; 9]; 2],
    in_pairs: bool,
) -> [V; 9] {
    match frame.same {
        SameFrame::Neither => quat_to_mat(&mul_quat(turn, &all4(&frame.quat), in_pairs), in_pairs),
        SameFrame::Body | SameFrame::BodyRotation => *body,
        _ => *inertia,
    }
}

/// Computes the poses of bodies and the frames of joints, from the root to the leaves, as `mj_kinematics` does.
///
/// If `KEEPS_ZEROS` is false, products with exact zeros are skipped, so that zeros in `xmat` can have the other sign.
#[inline(always)]
pub(in super::super) fn kinematics<V: Float64Lanes, F: FieldSource<V>, const KEEPS_ZEROS: bool>(
    model: &NativeModel,
    fields: F,
    motion: &mut NativeData<V>,
) {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let in_pairs = model.dialect.pairwise_quat;
    motion.xquat[0] = [one, none, none, none];
    motion.xmat[0] = [one, none, none, none, one, none, none, none, one];
    motion.xpos[0] = [none; 3];
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        let joints = &model.joints[body.joints.clone()];
        let (mut place, mut turn);
        if let [joint @ Joint { kind: JointKind::Free, .. }] = joints {
            let q = &motion.qpos[joint.qposadr..][..7];
            place = [q[0], q[1], q[2]];
            turn = normalize4([q[3], q[4], q[5], q[6]], in_pairs);
            motion.xanchor[body.joints.start] = place;
        } else {
            let parent = body.parent;
            if let Some(mocap) = body.mocap {
                (place, turn) = mocap_pose(motion, mocap, in_pairs);
            } else if parent > 0 {
                place = add(mul_mat_vec3(&motion.xmat[parent], fields.body_pos(id, body)), motion.xpos[parent]);
                turn = motion.xquat[parent];
                if let Some(quat) = fields.body_quat(id, body, KEEPS_ZEROS) {
                    turn = mul_quat(&turn, &quat, in_pairs);
                }
            } else {
                place = fields.body_pos(id, body);
                turn = fields.body_quat(id, body, true).unwrap_or([one, none, none, none]);
            }
            for (joint, number) in joints.iter().zip(body.joints.clone()) {
                let is_central = joint.pos == [0.0; 3];
                let axis_coordinate = if KEEPS_ZEROS { None } else { joint.axis_coordinate };
                let axis = match axis_coordinate {
                    Some(along) => rot_vec_quat_axis(along, &turn),
                    None => rot_vec_quat(all3(&joint.axis), &turn),
                };
                let anchor = if is_central { place } else { add(rot_vec_quat(all3(&joint.pos), &turn), place) };
                let moved = motion.qpos[joint.qposadr] - V::splat(joint.qpos0);
                if joint.kind == JointKind::Slide {
                    place = [place[0] + axis[0] * moved, place[1] + axis[1] * moved, place[2] + axis[2] * moved];
                } else if joint.kind == JointKind::Ball {
                    turn = mul_quat(&turn, &normalize4(first(&motion.qpos[joint.qposadr..]), in_pairs), in_pairs);
                    place = if is_central { anchor } else { sub(anchor, rot_vec_quat(all3(&joint.pos), &turn)) };
                } else {
                    let (sine, cosine) = (moved * V::splat(0.5)).sin_cos();
                    turn = match axis_coordinate {
                        Some((along, sign)) => mul_quat_axis(along, &turn, cosine, V::splat(sign) * sine),
                        None => {
                            let [x, y, z] = all3::<V>(&joint.axis);
                            let mut by = [cosine, x * sine, y * sine, z * sine];
                            if KEEPS_ZEROS {
                                // MuJoCo does not multiply the axis if the angle is zero, so that no zero is negative.
                                let is_still = moved.abs().le(none);
                                for part in 1..4 {
                                    by[part] = V::select(is_still, none, by[part]);
                                }
                            }
                            mul_quat(&turn, &by, in_pairs)
                        }
                    };
                    place = if is_central { anchor } else { sub(anchor, rot_vec_quat(all3(&joint.pos), &turn)) };
                }
                motion.xanchor[number] = anchor;
                motion.xaxis[number] = axis;
            }
        }
        turn = normalize4(turn, in_pairs);
        motion.xpos[id] = place;
        motion.xquat[id] = turn;
        motion.xmat[id] = quat_to_mat(&turn, in_pairs);
        if KEEPS_ZEROS {
            // MuJoCo copies the identity matrix if the quaternion is the identity, so that no zero is negative.
            let are_zero = V::mask_and(turn[1].abs().le(none), V::mask_and(turn[2].abs().le(none), turn[3].abs().le(none)));
            let is_identity = V::mask_and(are_zero, V::mask_and(turn[0].le(one), turn[0].ge(one)));
            for at in [1, 2, 3, 5, 6, 7] {
                motion.xmat[id][at] = V::select(is_identity, none, motion.xmat[id][at]);
            }
        }
        motion.xipos[id] = match body.inertial.same {
            SameFrame::Body | SameFrame::Inertia => place,
            _ => add(mul_mat_vec3(&motion.xmat[id], fields.body_ipos(id, body)), place),
        };
        motion.ximat[id] = match body.inertial.same {
            SameFrame::Neither => quat_to_mat(&mul_quat(&turn, &all4(&body.inertial.quat), in_pairs), in_pairs),
            _ => motion.xmat[id],
        };
    }
}

/// Returns the pose of a mocap body, with a normalized quaternion.
#[inline(always)]
fn mocap_pose<V: Float64Lanes>(motion: &NativeData<V>, mocap: usize, in_pairs: bool) -> ([V; 3], [V; 4]) {
    let (place, turn): ([V; 3], [V; 4]) = (first(&motion.mocap_pos[3 * mocap..]), first(&motion.mocap_quat[4 * mocap..]));
    // MuJoCo uses the identity in place of a quaternion without length.
    let square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3];
    let is_short = square.sqrt().lt(V::splat(MJMINVAL));
    let mut unit = normalize4(turn, in_pairs);
    for part in 0..4 {
        unit[part] = V::select(is_short, V::splat(IDENTITY_QUAT[part]), unit[part]);
    }
    (place, unit)
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

/// Returns `geom_xmat` of a model's geoms before the first step, of which those of the world body's geoms never change. Returns
/// none if the model has no contacts that the library computes.
pub(super) fn initial_geom_xmats<V: Float64Lanes>(model: &NativeModel) -> Vec<[V; 9]> {
    let count = if model.max_library_nefc > 0 { model.geoms.len() } else { 0 };
    model.geoms[..count].iter().map(|geom| world_geom_xmat(model, geom).map(V::splat)).collect()
}

/// Returns `geom_xmat` of a geom as if its body were the world body.
fn world_geom_xmat(model: &NativeModel, geom: &Geom) -> [f64; 9] {
    local_to_global_mat(&geom.frame, &IDENTITY_QUAT, [&IDENTITY_MATRIX, &IDENTITY_MATRIX], model.dialect.pairwise_quat)
}

/// Computes `geom_xpos` and the z axes of all geoms except the world body's, as `mj_kinematics` does.
#[inline(always)]
pub(super) fn geom_kinematics<V: Float64Lanes>(model: &NativeModel, motion: &mut NativeData<V>) {
    for (number, shape) in model.geoms.iter().enumerate().filter(|(_, shape)| shape.body != 0) {
        let place = motion.frame_xpos(shape.body, &shape.frame);
        let matrix = motion.compute_geom_xmat(model, number);
        motion.geom_poses[number] = GeomPose { pos: place, axis: [matrix[2], matrix[5], matrix[8]] };
        if let Some(stored) = motion.geom_xmats.get_mut(number) {
            *stored = matrix;
        }
    }
}

/// Computes `subtree_com`, `cinert` and `cdof`, as `mj_comPos` does.
#[inline(always)]
pub(in super::super) fn com_pos<V: Float64Lanes>(model: &NativeModel, fields: impl FieldSource<V>, motion: &mut NativeData<V>) {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    for (id, body) in model.bodies.iter().enumerate() {
        motion.subtree_com[id] = if id == 0 { [none; 3] } else { scaled(motion.xipos[id], fields.body_mass(id, body)) };
    }
    for (id, body) in model.bodies.iter().enumerate().skip(1).rev() {
        motion.subtree_com[body.parent] = add(motion.subtree_com[body.parent], motion.subtree_com[id]);
    }
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        if body.root == id {
            motion.subtree_com[id] = fields.by_subtreemass(id, body, motion.subtree_com[id], motion.xipos[id]);
        }
        let centre = motion.subtree_com[body.root];
        let d = sub(motion.xipos[id], centre);
        let (r, i, mass) = (&motion.ximat[id], fields.body_inertia(id, body), fields.body_mass(id, body));
        let t =
            [r[0] * i[0], r[3] * i[0], r[6] * i[0], r[1] * i[1], r[4] * i[1], r[7] * i[1], r[2] * i[2], r[5] * i[2], r[8] * i[2]];
        motion.cinert[id] = [
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
            let offset = sub(centre, motion.xanchor[number]);
            let hinge = |axis: [V; 3]| {
                let moved = cross(axis, offset);
                [axis[0], axis[1], axis[2], moved[0], moved[1], moved[2]]
            };
            let dof = joint.dofadr;
            match joint.kind {
                JointKind::Free => {
                    let m = motion.xmat[id];
                    for axis in 0..3 {
                        motion.cdof[dof + axis] = [none; 6];
                        motion.cdof[dof + axis][3 + axis] = one;
                        motion.cdof[dof + 3 + axis] = hinge([m[axis], m[axis + 3], m[axis + 6]]);
                    }
                }
                JointKind::Ball => {
                    let m = motion.xmat[id];
                    for axis in 0..3 {
                        motion.cdof[dof + axis] = hinge([m[axis], m[axis + 3], m[axis + 6]]);
                    }
                }
                JointKind::Slide => {
                    let axis = motion.xaxis[number];
                    motion.cdof[dof] = [none, none, none, axis[0], axis[1], axis[2]];
                }
                JointKind::Hinge => motion.cdof[dof] = hinge(motion.xaxis[number]),
            }
        }
    }
}

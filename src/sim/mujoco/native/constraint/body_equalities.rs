//! Rows of equality constraints of two bodies: connects (`mjEQ_CONNECT`) and welds (`mjEQ_WELD`).

use crate::native::constraint::{Constraints, RowSpec, get_impedance, jac_dot, jac_point, make_impedance, object_velocity};
use crate::native::data::{NativeData, in_lane};
use crate::native::mju::{add3, conjugate, dot, dot3, dot6, mul_mat_vec3, mul_quat, splat3, splat4, sub3};
use crate::native::model::{BodyAnchor, BodyEquality, MAX_NV, NativeModel, WeldPose};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Poses of the two bodies of a constraint.
struct AnchorPoses<V> {
    /// World positions of the anchors.
    points: [[V; 3]; 2],
    /// Orientation that the first body's prescribes for the second (`q0 * relpose`); of a weld only.
    desired: [V; 4],
    /// Conjugate of the second body's orientation (`neg(q1)`); of a weld only.
    inverse: [V; 4],
}

/// Multiplies a quaternion by a vector, as `mju_mulQuatAxis` does. `in_pairs` selects the order of sums of MuJoCo 4.0.
#[inline(always)]
fn mul_quat_vec<V: Float64Lanes>(q: &[V; 4], axis: &[V; 3], in_pairs: bool) -> [V; 4] {
    if in_pairs {
        return [
            -q[1] * axis[0] - q[2] * axis[1] - q[3] * axis[2],
            q[0] * axis[0] - q[3] * axis[1] + q[2] * axis[2],
            q[0] * axis[1] + q[3] * axis[0] - q[1] * axis[2],
            q[1] * axis[1] - q[2] * axis[0] + q[0] * axis[2],
        ];
    }
    [
        -q[1] * axis[0] - q[2] * axis[1] - q[3] * axis[2],
        q[0] * axis[0] + q[2] * axis[2] - q[3] * axis[1],
        q[0] * axis[1] + q[3] * axis[0] - q[1] * axis[2],
        q[0] * axis[2] + q[1] * axis[1] - q[2] * axis[0],
    ]
}

/// Returns the time derivative of a quaternion that turns with the angular velocity `w`, as `mju_derivQuat` does.
#[inline(always)]
fn deriv_quat<V: Float64Lanes>(q: &[V; 4], w: [V; 3]) -> [V; 4] {
    let half = V::splat(0.5);
    [
        half * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]),
        half * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]),
        half * (-w[0] * q[3] + w[1] * q[0] + w[2] * q[1]),
        half * (w[0] * q[2] - w[1] * q[1] + w[2] * q[0]),
    ]
}

/// Returns the orientation of the body or site at one end of a weld.
#[inline(always)]
fn anchor_quat<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>, equality: &BodyEquality, side: usize) -> [V; 4] {
    let xquat = data.xquat[equality.bodies[side]];
    match &equality.anchors[side] {
        BodyAnchor::Point(_) => xquat,
        BodyAnchor::Site(frame) => mul_quat(&xquat, &splat4(&frame.quat), model.dialect.pairwise_quat),
    }
}

/// Returns the product of `q` with the desired relative orientation of a weld's bodies; sites have none.
#[inline(always)]
fn times_relpose<V: Float64Lanes>(model: &NativeModel, equality: &BodyEquality, weld: &WeldPose, q: [V; 4]) -> [V; 4] {
    match &equality.anchors[0] {
        BodyAnchor::Point(_) => mul_quat(&q, &splat4(&weld.relpose), model.dialect.pairwise_quat),
        BodyAnchor::Site(_) => q,
    }
}

outlined!(
    /// Returns the poses of a constraint's bodies, as `mj_equalityAnchors` and `mj_instantiateEquality` compute them.
    fn anchor_poses<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>, equality: &BodyEquality) -> AnchorPoses<V> {
        let none = V::splat(0.0);
        let mut poses = AnchorPoses { points: [[none; 3]; 2], desired: [none; 4], inverse: [none; 4] };
        for side in 0..2 {
            let body = equality.bodies[side];
            poses.points[side] = match &equality.anchors[side] {
                BodyAnchor::Point(point) => add3(mul_mat_vec3(&data.xmat[body], splat3(point)), data.xpos[body]),
                BodyAnchor::Site(frame) => data.frame_xpos(body, frame),
            };
        }
        if let Some(weld) = &equality.weld {
            poses.desired = times_relpose(model, equality, weld, anchor_quat(model, data, equality, 0));
            poses.inverse = conjugate(anchor_quat(model, data, equality, 1));
        }
        poses
    }
);

/// Adds the rows of a constraint of two bodies (`mj_instantiateEquality`) in all lanes; `colind` is the index of their columns.
#[inline(always)]
pub(in crate::native) fn add_body_equality<V: Float64Lanes>(
    model: &NativeModel,
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (colind, equality): (usize, &BodyEquality),
) {
    let (none, dofs, in_pairs) = (V::splat(0.0), model.dofs.len(), model.dialect.pairwise_quat);
    let poses = anchor_poses(model, data, equality);
    let offsets = [0, 1].map(|side| sub3(poses.points[side], data.subtree_com[equality.roots[side]]));
    let jacobian = rows.alloc_rows(dofs, equality.rows());
    let apart = sub3(poses.points[0], poses.points[1]);
    let mut cpos = [apart[0], apart[1], apart[2], none, none, none];
    if let Some(weld) = &equality.weld {
        let error = mul_quat(&poses.inverse, &poses.desired, in_pairs);
        for axis in 0..3 {
            cpos[3 + axis] = error[1 + axis] * V::splat(weld.torquescale);
        }
    }
    for &(dof, moves) in &equality.columns {
        let cdof = &data.cdof[dof];
        let (mut jacp, mut jacr) = ([none; 3], [none; 3]);
        if moves[0] {
            (jacp, jacr) = (jac_point(cdof, &offsets[0]), [cdof[0], cdof[1], cdof[2]]);
        }
        if moves[1] {
            jacp = sub3(jacp, jac_point(cdof, &offsets[1]));
            jacr = sub3(jacr, [cdof[0], cdof[1], cdof[2]]);
        }
        for axis in 0..3 {
            jacobian[axis * dofs + dof] = jacp[axis];
        }
        if let Some(weld) = &equality.weld {
            let turned = mul_quat(&mul_quat_vec(&poses.inverse, &jacr, in_pairs), &poses.desired, in_pairs);
            for axis in 0..3 {
                jacobian[(3 + axis) * dofs + dof] = V::splat(0.5) * turned[1 + axis] * V::splat(weld.torquescale);
            }
        }
    }
    rows.fallback |= zero_lanes(&rows.efc_j[rows.nefc * dofs..][..equality.rows() * dofs]);
    let error = if equality.weld.is_some() { dot6(&cpos, &cpos) } else { dot3(&apart, &apart) }.sqrt();
    let impedance = get_impedance(&equality.sol, error);
    let changes = if model.dialect.jdotv { jdotv(model, data, equality, (&poses, &offsets)) } else { [none; 6] };
    for axis in 0..equality.rows() {
        let row = rows.nefc;
        let (lanes, sol, pos_minus_margin) = (V::mask(V::ALL), &equality.sol, cpos[axis]);
        let efc_r = make_impedance(impedance, V::splat(equality.diag_approx[axis / 3]));
        let spec = RowSpec { lanes, efc_r, impedance, sol, pos_minus_margin, single_dof: 0, colind };
        rows.add_constraint(data, (dofs, 1), equality.trees, &spec);
        if model.dialect.jdotv {
            rows.efc_aref[row] = rows.efc_aref[row] - changes[axis];
        }
    }
}

/// Returns a bit mask of the lanes in which all entries of a Jacobian are 0; `mj_addConstraint` drops such rows.
#[inline(always)]
fn zero_lanes<V: Float64Lanes>(jacobian: &[V]) -> u32 {
    let mut is_zero = V::mask(V::ALL);
    for entry in jacobian {
        is_zero = V::mask_and(is_zero, entry.abs().le(V::splat(0.0)));
    }
    V::bits(is_zero)
}

outlined!(
    /// Returns the products of the velocities with the time derivatives of a body's translational and rotational Jacobians at a
    /// point, as `mj_jacDot` does. `offset` is the vector from `subtree_com` of the body's root to the point.
    fn jac_dot_v<V: Float64Lanes>(
        model: &NativeModel,
        data: &NativeData<V>,
        equality: &BodyEquality,
        point: (usize, [V; 3]),
    ) -> [[V; 3]; 2] {
        let (side, offset) = point;
        let (none, dofs) = (V::splat(0.0), model.dofs.len());
        let velocity = object_velocity(&data.cvel[equality.bodies[side]], offset);
        let mut columns = [[none; MAX_NV]; 6];
        for &(dof, moves) in &equality.columns {
            if moves[side] {
                let [jacp, jacr] = jac_dot(model, data, dof, [offset, velocity]);
                for axis in 0..3 {
                    (columns[axis][dof], columns[3 + axis][dof]) = (jacp[axis], jacr[axis]);
                }
            }
        }
        let mut products = [[none; 3]; 2];
        for axis in 0..3 {
            products[0][axis] = dot(&columns[axis], &data.qvel, dofs);
            if equality.weld.is_some() {
                products[1][axis] = dot(&columns[3 + axis], &data.qvel, dofs);
            }
        }
        products
    }
);

/// Returns the product of the velocities with the time derivative of the constraint's Jacobian, as `mj_Jdotv` does.
#[inline(always)]
fn jdotv<V: Float64Lanes>(
    model: &NativeModel,
    data: &NativeData<V>,
    equality: &BodyEquality,
    (poses, offsets): (&AnchorPoses<V>, &[[V; 3]; 2]),
) -> [V; 6] {
    let (none, in_pairs) = (V::splat(0.0), model.dialect.pairwise_quat);
    let [one, jacr_one] = jac_dot_v(model, data, equality, (0, offsets[0]));
    let [other, jacr_other] = jac_dot_v(model, data, equality, (1, offsets[1]));
    let apart = sub3(one, other);
    let mut changes = [apart[0], apart[1], apart[2], none, none, none];
    let Some(weld) = &equality.weld else { return changes };
    let omega = |side: usize| {
        let velocity = &data.cvel[equality.bodies[side]];
        [velocity[0], velocity[1], velocity[2]]
    };
    let [first, second] = [omega(0), omega(1)];
    let relative = sub3(first, second);
    let desired_dot = times_relpose(model, equality, weld, deriv_quat(&anchor_quat(model, data, equality, 0), first));
    let inverse_dot = conjugate(deriv_quat(&anchor_quat(model, data, equality, 1), second));
    let jacobian_dot = sub3(jacr_one, jacr_other);
    let of_inverse = mul_quat(&mul_quat_vec(&inverse_dot, &relative, in_pairs), &poses.desired, in_pairs);
    let of_jacobian = mul_quat(&mul_quat_vec(&poses.inverse, &jacobian_dot, in_pairs), &poses.desired, in_pairs);
    let of_desired = mul_quat(&mul_quat_vec(&poses.inverse, &relative, in_pairs), &desired_dot, in_pairs);
    for axis in 0..3 {
        let sum = of_inverse[1 + axis] + of_jacobian[1 + axis] + of_desired[1 + axis];
        changes[3 + axis] = V::splat(0.5) * sum * V::splat(weld.torquescale);
    }
    changes
}

/// Returns the torque of rotational rows in one lane from the rows' forces, as `mj_rnePostConstraint` does.
pub(in crate::native) fn weld_torque_in<V: Float64Lanes>(
    model: &NativeModel,
    data: &NativeData<V>,
    lane: usize,
    (equality, forces): (&BodyEquality, [f64; 3]),
) -> [f64; 3] {
    let Some(weld) = equality.weld.as_ref().filter(|_| model.dialect.complete_cfrc_ext) else { return forces };
    let in_pairs = model.dialect.pairwise_quat;
    let poses = anchor_poses(model, data, equality);
    let [desired, inverse] = [poses.desired, poses.inverse].map(|xquat| in_lane(&xquat, lane));
    let turned: [f64; 4] = mul_quat(&mul_quat_vec(&conjugate(inverse), &forces, in_pairs), &conjugate(desired), in_pairs);
    [1, 2, 3].map(|part| 0.5 * turned[part] * weld.torquescale)
}

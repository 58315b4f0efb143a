//! Smooth dynamics of `mj_forward`: from `qpos`, `qvel` and `ctrl` to `qacc_smooth`.

use super::algebra::{
    IDENTITY_QUAT, MJMINVAL, add, add6, all3, all4, cross, cross_force, cross_motion, dot6, mul_inert_vec, mul_mat_vec3,
    mul_quat, mul_quat_axis, normalize4, quat_to_mat, rot_vec_quat, rot_vec_quat_axis, scaled, sub,
};
use super::tables::{
    Activation, Frame, Geom, Joint, JointKind, MAX_GEOMS, MAX_NBODY, MAX_NC, MAX_NQ, MAX_NV, NativeModel, SameFrame, Tendon,
};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// World position and z axis of a geom: `geom_xpos`, and the third column of `geom_xmat`.
#[derive(Clone, Copy)]
pub(super) struct GeomPose<V> {
    pub(super) pos: [V; 3],
    pub(super) axis: [V; 3],
}

/// The arrays of `mjData` that a step uses, for a batch of simulations.
pub(super) struct NativeData<V: Float64Lanes> {
    /// `qpos`.
    pub(super) qpos: [V; MAX_NQ],
    /// `qvel`.
    pub(super) qvel: [V; MAX_NV],
    /// `ctrl`.
    pub(super) ctrl: [V; MAX_NV],
    /// `act`.
    pub(super) act: [V; MAX_NV],
    /// `act_dot`.
    pub(super) act_dot: [V; MAX_NV],
    /// `qfrc_smooth`: all forces but those of constraints.
    pub(super) qfrc_smooth: [V; MAX_NV],
    /// `qfrc_actuator`.
    pub(super) qfrc_actuator: [V; MAX_NV],
    /// `qacc_smooth`.
    pub(super) qacc_smooth: [V; MAX_NV],
    /// `M`: inertia matrix, lower triangle in CSR format.
    pub(super) qm: [V; MAX_NC],
    /// `qLD`: factor of the inertia matrix.
    pub(super) qld: [V; MAX_NC],
    /// `qLDiagInv`: reciprocal diagonal of the factor.
    pub(super) qld_diag_inv: [V; MAX_NV],
    /// `qH`: inertia matrix with implicit damping, temporary.
    pub(super) qh: [V; MAX_NC],
    /// `xpos`.
    pub(super) xpos: [[V; 3]; MAX_NBODY],
    /// `xquat`.
    xquat: [[V; 4]; MAX_NBODY],
    /// `xmat`.
    xmat: [[V; 9]; MAX_NBODY],
    /// `xipos`.
    pub(super) xipos: [[V; 3]; MAX_NBODY],
    /// `ximat`.
    ximat: [[V; 9]; MAX_NBODY],
    pub(super) geom_poses: [GeomPose<V>; MAX_GEOMS],
    /// `xanchor`.
    xanchor: [[V; 3]; MAX_NV],
    /// `xaxis`.
    xaxis: [[V; 3]; MAX_NV],
    /// `subtree_com`, of which only the roots' entries are used.
    pub(super) subtree_com: [[V; 3]; MAX_NBODY],
    /// `cinert`.
    pub(super) cinert: [[V; 10]; MAX_NBODY],
    /// `crb`: composite rigid-body inertias.
    crb: [[V; 10]; MAX_NBODY],
    /// `cdof`.
    pub(super) cdof: [[V; 6]; MAX_NV],
    /// `cdof_dot`.
    cdof_dot: [[V; 6]; MAX_NV],
    /// `cvel`.
    pub(super) cvel: [[V; 6]; MAX_NBODY],
    /// `cacc` without `qacc`, as `mj_rne` has it with `flg_acc` 0.
    cacc: [[V; 6]; MAX_NBODY],
    /// `cfrc_body`.
    cfrc_body: [[V; 6]; MAX_NBODY],
}

impl<V: Float64Lanes> NativeData<V> {
    pub(super) fn new() -> Box<Self> {
        let none = V::splat(0.0);
        Box::new(Self {
            qpos: [none; MAX_NQ],
            qvel: [none; MAX_NV],
            ctrl: [none; MAX_NV],
            act: [none; MAX_NV],
            act_dot: [none; MAX_NV],
            qfrc_smooth: [none; MAX_NV],
            qfrc_actuator: [none; MAX_NV],
            qacc_smooth: [none; MAX_NV],
            qm: [none; MAX_NC],
            qld: [none; MAX_NC],
            qh: [none; MAX_NC],
            qld_diag_inv: [none; MAX_NV],
            xpos: [[none; 3]; MAX_NBODY],
            xquat: [[none; 4]; MAX_NBODY],
            xmat: [[none; 9]; MAX_NBODY],
            xipos: [[none; 3]; MAX_NBODY],
            ximat: [[none; 9]; MAX_NBODY],
            geom_poses: [GeomPose { pos: [none; 3], axis: [none; 3] }; MAX_GEOMS],
            xanchor: [[none; 3]; MAX_NV],
            xaxis: [[none; 3]; MAX_NV],
            subtree_com: [[none; 3]; MAX_NBODY],
            cinert: [[none; 10]; MAX_NBODY],
            crb: [[none; 10]; MAX_NBODY],
            cdof: [[none; 6]; MAX_NV],
            cdof_dot: [[none; 6]; MAX_NV],
            cvel: [[none; 6]; MAX_NBODY],
            cacc: [[none; 6]; MAX_NBODY],
            cfrc_body: [[none; 6]; MAX_NBODY],
        })
    }

    /// Returns `geom_xmat` of a geom.
    #[inline(always)]
    pub(super) fn geom_xmat(&self, tables: &NativeModel, shape: usize) -> [V; 9] {
        let Geom { body, frame } = &tables.geoms[shape];
        local_to_global_mat(frame, &self.xquat[*body], [&self.xmat[*body], &self.ximat[*body]], tables.dialect.pairwise_quat)
    }

    /// Returns the world position of a frame that is fixed to a body, such as `site_xpos`.
    #[inline(always)]
    pub(super) fn frame_xpos(&self, body: usize, frame: &Frame) -> [V; 3] {
        local_to_global_pos(frame, (self.xpos[body], self.xipos[body]), &self.xmat[body])
    }

    /// Returns the world position of a body-fixed frame in one lane, computed with scalars.
    pub(super) fn frame_xpos_in(&self, lane: usize, body: usize, frame: &Frame) -> [f64; 3] {
        let (place, centre) = (in_lane(&self.xpos[body], lane), in_lane(&self.xipos[body], lane));
        local_to_global_pos(frame, (place, centre), &in_lane(&self.xmat[body], lane))
    }

    /// Returns the rotation matrix of a body-fixed frame in one lane, such as `site_xmat`.
    pub(super) fn frame_xmat_in(&self, lane: usize, body: usize, frame: &Frame, in_pairs: bool) -> [f64; 9] {
        let (matrix, centre) = (in_lane(&self.xmat[body], lane), in_lane(&self.ximat[body], lane));
        local_to_global_mat(frame, &in_lane(&self.xquat[body], lane), [&matrix, &centre], in_pairs)
    }
}

/// Returns the numbers of one lane.
pub(super) fn in_lane<V: Float64Lanes, const N: usize>(numbers: &[V; N], lane: usize) -> [f64; N] {
    let mut own = [0.0; N];
    for (own, number) in own.iter_mut().zip(numbers) {
        *own = number.get(lane);
    }
    own
}

/// Returns the world position of a body-fixed frame, from `xpos`, `xipos` and `xmat`, as `mj_local2Global`.
#[inline(always)]
fn local_to_global_pos<V: Float64Lanes>(frame: &Frame, (place, centre): ([V; 3], [V; 3]), matrix: &[V; 9]) -> [V; 3] {
    match frame.same {
        SameFrame::Body => place,
        SameFrame::Inertia => centre,
        _ => add(mul_mat_vec3(matrix, all3(&frame.pos)), place),
    }
}

/// Returns the rotation matrix of a body-fixed frame, from `xquat`, `xmat` and `ximat`, as `mj_local2Global`.
#[inline(always)]
fn local_to_global_mat<V: Float64Lanes>(frame: &Frame, turn: &[V; 4], [body, inertia]: [&[V; 9]; 2], in_pairs: bool) -> [V; 9] {
    match frame.same {
        SameFrame::Neither => quat_to_mat(&mul_quat(turn, &all4(&frame.quat), in_pairs), in_pairs),
        SameFrame::Body | SameFrame::BodyRotation => *body,
        _ => *inertia,
    }
}

/// Smooth dynamics: `mj_fwdPosition` without collisions and constraints, `mj_fwdVelocity`, `mj_fwdActuation`, and
/// `mj_fwdAcceleration`.
pub(super) struct FwdSmooth<'a, V: Float64Lanes> {
    pub(super) tables: &'a NativeModel,
    pub(super) motion: &'a mut NativeData<V>,
}

impl<V: Float64Lanes> SimdKernel for FwdSmooth<'_, V> {
    /// Lanes that must fall back to MuJoCo, as bits.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { tables, motion } = self;
        kinematics(tables, motion);
        geom_kinematics(tables, motion);
        com_pos(tables, motion);
        crb(tables, motion);
        let (factor, mass) = (&mut motion.qld, &motion.qm);
        factor[..tables.m_colind.len()].copy_from_slice(&mass[..tables.m_colind.len()]);
        let left = factor_i(tables, factor, &mut motion.qld_diag_inv);
        com_vel_rne(tables, motion);
        sum_qfrc_smooth(tables, motion);
        let dofs = tables.dofs.len();
        motion.qacc_smooth[..dofs].copy_from_slice(&motion.qfrc_smooth[..dofs]);
        solve_ld(tables, &motion.qld, &motion.qld_diag_inv, &mut motion.qacc_smooth[..dofs]);
        left
    }
}

/// Computes poses of bodies and joint frames, from the root on, as `mj_kinematics`.
#[inline(always)]
fn kinematics<V: Float64Lanes>(tables: &NativeModel, motion: &mut NativeData<V>) {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let in_pairs = tables.dialect.pairwise_quat;
    motion.xquat[0] = [one, none, none, none];
    motion.xmat[0] = [one, none, none, none, one, none, none, none, one];
    motion.xpos[0] = [none; 3];
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
        let joints = &tables.joints[body.joints.clone()];
        let (mut place, mut turn);
        if let [joint @ Joint { kind: JointKind::Free, .. }] = joints {
            let q = &motion.qpos[joint.qposadr..][..7];
            place = [q[0], q[1], q[2]];
            turn = normalize4([q[3], q[4], q[5], q[6]], in_pairs);
            motion.xanchor[body.joints.start] = place;
        } else {
            let parent = body.parent;
            if parent > 0 {
                place = add(mul_mat_vec3(&motion.xmat[parent], all3(&body.pos)), motion.xpos[parent]);
                turn = motion.xquat[parent];
                if body.quat != IDENTITY_QUAT {
                    turn = mul_quat(&turn, &all4(&body.quat), in_pairs);
                }
            } else {
                place = all3(&body.pos);
                turn = all4(&body.quat);
            }
            for (joint, number) in joints.iter().zip(body.joints.clone()) {
                let is_central = joint.pos == [0.0; 3];
                let axis = match joint.axis_coordinate {
                    Some(along) => rot_vec_quat_axis(along, &turn),
                    None => rot_vec_quat(all3(&joint.axis), &turn),
                };
                let anchor = if is_central { place } else { add(rot_vec_quat(all3(&joint.pos), &turn), place) };
                let moved = motion.qpos[joint.qposadr] - V::splat(joint.qpos0);
                if joint.kind == JointKind::Slide {
                    place = [place[0] + axis[0] * moved, place[1] + axis[1] * moved, place[2] + axis[2] * moved];
                } else {
                    let (sine, cosine) = (moved * V::splat(0.5)).sin_cos();
                    turn = match joint.axis_coordinate {
                        Some((along, sign)) => mul_quat_axis(along, &turn, cosine, V::splat(sign) * sine),
                        None => {
                            let [x, y, z] = all3::<V>(&joint.axis);
                            mul_quat(&turn, &[cosine, x * sine, y * sine, z * sine], in_pairs)
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
        motion.xipos[id] = match body.inertial.same {
            SameFrame::Body | SameFrame::Inertia => place,
            _ => add(mul_mat_vec3(&motion.xmat[id], all3(&body.inertial.pos)), place),
        };
        motion.ximat[id] = match body.inertial.same {
            SameFrame::Neither => quat_to_mat(&mul_quat(&turn, &all4(&body.inertial.quat), in_pairs), in_pairs),
            _ => motion.xmat[id],
        };
    }
}

/// Computes `geom_xpos` and the z axes of geoms, as `mj_kinematics`.
#[inline(always)]
fn geom_kinematics<V: Float64Lanes>(tables: &NativeModel, motion: &mut NativeData<V>) {
    for (number, shape) in tables.geoms.iter().enumerate() {
        let place = motion.frame_xpos(shape.body, &shape.frame);
        let matrix = motion.geom_xmat(tables, number);
        motion.geom_poses[number] = GeomPose { pos: place, axis: [matrix[2], matrix[5], matrix[8]] };
    }
}

/// Computes `subtree_com`, `cinert` and `cdof`, as `mj_comPos`.
#[inline(always)]
fn com_pos<V: Float64Lanes>(tables: &NativeModel, motion: &mut NativeData<V>) {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    for (id, body) in tables.bodies.iter().enumerate() {
        let mass = V::splat(body.mass);
        motion.subtree_com[id] = if id == 0 { [none; 3] } else { scaled(motion.xipos[id], mass) };
    }
    for (id, body) in tables.bodies.iter().enumerate().skip(1).rev() {
        motion.subtree_com[body.parent] = add(motion.subtree_com[body.parent], motion.subtree_com[id]);
    }
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
        if body.root == id {
            motion.subtree_com[id] = scaled(motion.subtree_com[id], V::splat(body.inv_subtreemass));
        }
        let centre = motion.subtree_com[body.root];
        let d = sub(motion.xipos[id], centre);
        let (r, i, mass) = (&motion.ximat[id], all3::<V>(&body.inertia), V::splat(body.mass));
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
        for (number, joint) in body.joints.clone().zip(&tables.joints[body.joints.clone()]) {
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
                JointKind::Slide => {
                    let axis = motion.xaxis[number];
                    motion.cdof[dof] = [none, none, none, axis[0], axis[1], axis[2]];
                }
                JointKind::Hinge => motion.cdof[dof] = hinge(motion.xaxis[number]),
            }
        }
    }
}

/// Computes the inertia matrix by the composite rigid-body algorithm, as `mj_crb`.
#[inline(always)]
fn crb<V: Float64Lanes>(tables: &NativeModel, motion: &mut NativeData<V>) {
    let bodies = tables.bodies.len();
    motion.crb[1..bodies].copy_from_slice(&motion.cinert[1..bodies]);
    for (id, body) in tables.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let own = motion.crb[id];
            for (sum, part) in motion.crb[body.parent].iter_mut().zip(own) {
                *sum = *sum + part;
            }
        }
    }
    for (number, dof) in tables.dofs.iter().enumerate() {
        let mut at = dof.m_diagadr();
        if let Some(mass) = dof.m0 {
            motion.qm[at] = V::splat(mass);
            continue;
        }
        let own = &motion.cdof[number];
        let force = mul_inert_vec(&motion.crb[dof.body], own);
        motion.qm[at] = V::splat(dof.armature) + dot6(own, &force);
        let mut next = dof.parent;
        while let Some(above) = next {
            at -= 1;
            motion.qm[at] = dot6(&motion.cdof[above], &force);
            next = tables.dofs[above].parent;
        }
    }
}

/// Factors a matrix with the inertia matrix's sparsity into `L'DL` in place, as `mj_factorM` (`mj_factorI`).
///
/// Returns the lanes with a pivot below `mjMINVAL`, as bits, in which MuJoCo warns.
#[inline(always)]
pub(super) fn factor_i<V: Float64Lanes>(tables: &NativeModel, matrix: &mut [V; MAX_NC], inverse: &mut [V; MAX_NV]) -> u32 {
    let mut good = V::mask(V::ALL);
    for (number, dof) in tables.dofs.iter().enumerate().rev() {
        good = V::mask_and(good, matrix[dof.m_diagadr()].ge(V::splat(MJMINVAL)));
        let by = V::splat(1.0) / matrix[dof.m_diagadr()];
        inverse[number] = by;
        let (above, own) = matrix.split_at_mut(dof.m_rowadr);
        let row = &mut own[..dof.m_rownnz - 1];
        for (at, column) in tables.m_colind_of(number)[..dof.m_rownnz - 1].iter().enumerate().rev() {
            let scale = -row[at] * by;
            let other = &tables.dofs[*column];
            for (sum, part) in above[other.m_rowadr..][..other.m_rownnz].iter_mut().zip(row.iter()) {
                *sum = *sum + *part * scale;
            }
        }
        row.iter_mut().for_each(|part| *part = *part * by);
    }
    !V::bits(good) & V::ALL
}

/// Solves a factored system in place, as `mj_solveLD`.
#[inline(always)]
pub(super) fn solve_ld<V: Float64Lanes>(tables: &NativeModel, factor: &[V; MAX_NC], inverse: &[V; MAX_NV], x: &mut [V]) {
    for number in (1..x.len()).rev() {
        let dof = &tables.dofs[number];
        let value = x[number];
        for (part, column) in factor[dof.m_rowadr..][..dof.m_rownnz - 1].iter().zip(tables.m_colind_of(number)) {
            x[*column] = x[*column] - *part * value;
        }
    }
    for (value, by) in x.iter_mut().zip(inverse) {
        *value = *value * *by;
    }
    for number in 1..x.len() {
        let dof = &tables.dofs[number];
        let rest = dof.m_rownnz - 1;
        if rest == 0 {
            continue;
        }
        let (row, columns) = (&factor[dof.m_rowadr..][..rest], &tables.m_colind_of(number)[..rest]);
        let product = |at: usize| row[at] * x[columns[at]];
        let (mut at, mut sum);
        if rest >= 4 {
            let mut sums = [product(0), product(1), product(2), product(3)];
            at = 4;
            while at + 4 <= rest {
                for (part, sum) in sums.iter_mut().enumerate() {
                    *sum = *sum + product(at + part);
                }
                at += 4;
            }
            sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
        } else {
            sum = product(0);
            at = 1;
        }
        while at < rest {
            sum = sum + product(at);
            at += 1;
        }
        x[number] = x[number] - sum;
    }
}

/// Computes `cvel` and `cdof_dot` as `mj_comVel`, then `cfrc_body` by recursive Newton-Euler as `mj_rne` with `flg_acc` 0.
#[inline(always)]
fn com_vel_rne<V: Float64Lanes>(tables: &NativeModel, motion: &mut NativeData<V>) {
    let none = V::splat(0.0);
    let [x, y, z] = tables.gravity;
    motion.cacc[0] = [none, none, none, V::splat(-x), V::splat(-y), V::splat(-z)];
    motion.cvel[0] = [none; 6];
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
        let mut velocity = motion.cvel[body.parent];
        let is_free = body.dofs.len() == 6;
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
        } else {
            for dof in body.dofs.clone() {
                motion.cdof_dot[dof] = cross_motion(&velocity, &motion.cdof[dof]);
                for part in 0..6 {
                    velocity[part] = velocity[part] + motion.cdof[dof][part] * motion.qvel[dof];
                }
            }
        }
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
    for (id, body) in tables.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let own = motion.cfrc_body[id];
            for (sum, part) in motion.cfrc_body[body.parent].iter_mut().zip(own) {
                *sum = *sum + part;
            }
        }
    }
}

/// Computes `qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_actuator`, as `mj_passive`, `mj_rne` and `mj_fwdActuation`.
#[inline(always)]
fn sum_qfrc_smooth<V: Float64Lanes>(tables: &NativeModel, motion: &mut NativeData<V>) {
    let none = V::splat(0.0);
    let dofs = tables.dofs.len();
    let mut passive = [none; MAX_NV];
    for joint in &tables.joints {
        if joint.stiffness != 0.0 {
            passive[joint.dofadr] = V::splat(-joint.stiffness) * (motion.qpos[joint.qposadr] - V::splat(joint.qpos_spring));
        }
    }
    for tendon in &tables.tendons {
        let Tendon::Fixed(tendon) = tendon else { continue };
        let Some(spring) = &tendon.spring else { continue };
        let (low, high) = (V::splat(spring.low), V::splat(spring.high));
        let mut length = none;
        for (position, _, share) in &tendon.parts {
            length = length + V::splat(*share) * motion.qpos[*position];
        }
        let beyond = V::select(length.gt(high), high - length, V::select(length.lt(low), low - length, none));
        let force = V::splat(spring.stiffness) * beyond;
        for (_, dof, share) in &tendon.parts {
            passive[*dof] = passive[*dof] + V::splat(*share) * force;
        }
    }
    for (number, dof) in tables.dofs.iter().enumerate() {
        passive[number] = passive[number] + V::splat(-dof.damping) * motion.qvel[number];
    }
    if tables.fluid.is_some() {
        let drag = inertia_box_fluid(tables, motion);
        for number in 0..dofs {
            passive[number] = passive[number] + drag[number];
        }
    }
    let mut actuators = [none; MAX_NV];
    for (motor, control) in tables.actuators.iter().zip(&motion.ctrl) {
        let (low, high) = (V::splat(motor.low), V::splat(motor.high));
        let control = V::select(control.lt(low), low, V::select(control.gt(high), high, *control));
        let mut drive = control;
        if let Some(Activation { actadr: number, time_constant: time }) = motor.activation {
            drive = motion.act[number];
            motion.act_dot[number] = match time {
                Some(time) => (control - drive) / V::splat(time),
                None => control,
            };
        }
        let mut force = V::splat(motor.gain) * drive;
        if let Some(bias) = &motor.bias {
            let mut length = none;
            for (position, share) in &bias.length {
                length = match share {
                    None => motion.qpos[*position],
                    Some(share) => length + V::splat(*share) * motion.qpos[*position],
                };
            }
            force = force + (V::splat(bias.constant) + V::splat(bias.by_length) * (length * V::splat(bias.gear)));
        }
        for (dof, share) in &motor.moment {
            actuators[*dof] = actuators[*dof] + V::splat(*share) * force;
        }
    }
    for (number, dof) in tables.dofs.iter().enumerate() {
        let bias = dot6(&motion.cdof[number], &motion.cfrc_body[dof.body]);
        motion.qfrc_smooth[number] = (passive[number] - bias) + actuators[number];
        motion.qfrc_actuator[number] = actuators[number];
    }
}

/// Computes the fluid forces on each body's inertia box, along the degrees of freedom, as `mj_inertiaBoxFluidModel`.
#[inline(always)]
fn inertia_box_fluid<V: Float64Lanes>(tables: &NativeModel, motion: &NativeData<V>) -> [V; MAX_NV] {
    let mut drags = [V::splat(0.0); MAX_NV];
    let (viscosity, density) = tables.fluid.unwrap_or_default();
    let pi = std::f64::consts::PI;
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
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
            next = tables.dofs[dof].parent;
        }
    }
    drags
}

/// Returns the solver's cost scale: `1 / (meaninertia * nv)`, or the reciprocal trace of the inertia matrix.
#[inline(always)]
pub(super) fn cost_scale<V: Float64Lanes>(tables: &NativeModel, mass: &[V], trees: u64) -> V {
    if !tables.has_islands && !tables.dialect.scale_by_trace {
        return V::splat(1.0 / (tables.meaninertia * tables.dofs.len() as f64));
    }
    let mut sum = V::splat(0.0);
    for dof in &tables.dofs {
        if !tables.has_islands || trees >> dof.tree & 1 != 0 {
            sum = sum + mass[dof.m_diagadr()];
        }
    }
    V::splat(1.0) / sum
}

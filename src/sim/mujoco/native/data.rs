//! Arrays of `mjData` that a native step uses.

use crate::native::kinematics::{initial_geom_poses, initial_geom_xmats, local_to_global_mat, local_to_global_pos};
use crate::native::model::{Frame, Geom, MAX_NBODY, MAX_NC, MAX_NQ, MAX_NV, NativeModel};
use crate::native::tendon::TendonData;
use envpool_rs_numeric::simd::Float64Lanes;

/// World position and z axis of a geom: `geom_xpos`, and the third column of `geom_xmat`.
#[derive(Clone, Copy)]
pub(super) struct GeomPose<V> {
    pub(super) pos: [V; 3],
    pub(super) axis: [V; 3],
}

/// Arrays of `mjData` that a step uses, for a batch of simulations.
pub(super) struct NativeData<V: Float64Lanes> {
    pub(super) qpos: [V; MAX_NQ],
    pub(super) qvel: [V; MAX_NV],
    pub(super) ctrl: Vec<V>,
    pub(super) act: Vec<V>,
    pub(super) act_dot: Vec<V>,
    pub(super) tendons: TendonData<V>,
    /// Positions of mocap bodies (`mocap_pos`), three numbers each.
    pub(super) mocap_pos: Vec<V>,
    /// Quaternions of mocap bodies (`mocap_quat`), as callers set them.
    pub(super) mocap_quat: Vec<V>,
    pub(super) actuator_force: Vec<V>,
    /// Sum of all forces except constraint forces (`qfrc_smooth`).
    pub(super) qfrc_smooth: [V; MAX_NV],
    pub(super) qfrc_actuator: [V; MAX_NV],
    pub(super) qfrc_passive: [V; MAX_NV],
    /// Forces of dampers (`qfrc_damper`), used only within a step.
    pub(super) qfrc_damper: [V; MAX_NV],
    pub(super) qacc_smooth: [V; MAX_NV],
    /// Inertia matrix (`M`), as its lower triangle in CSR format.
    pub(super) qm: [V; MAX_NC],
    /// Factor `L'DL` of the inertia matrix (`qLD`).
    pub(super) qld: [V; MAX_NC],
    /// Reciprocal diagonal of the inertia matrix's factor (`qLDiagInv`).
    pub(super) qld_diag_inv: [V; MAX_NV],
    /// Inertia matrix with implicit damping (`qH`), used only within a step.
    pub(super) qh: [V; MAX_NC],
    /// Reciprocal diagonal of the factor of `qh` (`qHDiagInv`), and the accelerations that it gives.
    pub(super) qh_diag_inv: [V; MAX_NV],
    pub(super) qacc_implicit: [V; MAX_NV],
    pub(super) xpos: [[V; 3]; MAX_NBODY],
    pub(super) xquat: [[V; 4]; MAX_NBODY],
    pub(super) xmat: [[V; 9]; MAX_NBODY],
    pub(super) xipos: [[V; 3]; MAX_NBODY],
    pub(super) ximat: [[V; 9]; MAX_NBODY],
    /// Poses of the model's geoms that are part of a collision pair.
    pub(super) geom_poses: Vec<GeomPose<V>>,
    /// Rotation matrices of these geoms, stored only for models whose contacts need them.
    pub(super) geom_xmats: Vec<[V; 9]>,
    pub(super) xanchor: [[V; 3]; MAX_NV],
    pub(super) xaxis: [[V; 3]; MAX_NV],
    /// Centre of mass of each body's subtree (`subtree_com`). Only the entries of root bodies are used.
    pub(super) subtree_com: [[V; 3]; MAX_NBODY],
    pub(super) cinert: [[V; 10]; MAX_NBODY],
    /// Composite rigid-body inertias (`crb`).
    pub(super) crb: [[V; 10]; MAX_NBODY],
    pub(super) cdof: [[V; 6]; MAX_NV],
    pub(super) cdof_dot: [[V; 6]; MAX_NV],
    pub(super) cvel: [[V; 6]; MAX_NBODY],
    /// Accelerations of bodies (`cacc`) without the contribution of `qacc`, as `mj_rne` computes them with `flg_acc` 0.
    pub(super) cacc: [[V; 6]; MAX_NBODY],
    pub(super) cfrc_body: [[V; 6]; MAX_NBODY],
}

impl<V: Float64Lanes> NativeData<V> {
    pub(super) fn new(model: &NativeModel) -> Box<Self> {
        let none = V::splat(0.0);
        Box::new(Self {
            qpos: [none; MAX_NQ],
            qvel: [none; MAX_NV],
            ctrl: vec![none; model.actuators.len()],
            act: vec![none; model.na],
            act_dot: vec![none; model.na],
            tendons: TendonData::new(model),
            mocap_pos: vec![none; 3 * model.nmocap],
            mocap_quat: vec![none; 4 * model.nmocap],
            actuator_force: vec![none; model.actuators.len()],
            qfrc_smooth: [none; MAX_NV],
            qfrc_actuator: [none; MAX_NV],
            qfrc_passive: [none; MAX_NV],
            qfrc_damper: [none; MAX_NV],
            qacc_smooth: [none; MAX_NV],
            qm: [none; MAX_NC],
            qld: [none; MAX_NC],
            qh: [none; MAX_NC],
            qh_diag_inv: [none; MAX_NV],
            qacc_implicit: [none; MAX_NV],
            qld_diag_inv: [none; MAX_NV],
            xpos: [[none; 3]; MAX_NBODY],
            xquat: [[none; 4]; MAX_NBODY],
            xmat: [[none; 9]; MAX_NBODY],
            xipos: [[none; 3]; MAX_NBODY],
            ximat: [[none; 9]; MAX_NBODY],
            geom_poses: initial_geom_poses(model),
            geom_xmats: initial_geom_xmats(model),
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

    /// Returns the rotation matrix of a geom (`geom_xmat`).
    #[inline(always)]
    pub(super) fn geom_xmat(&self, model: &NativeModel, geom: usize) -> [V; 9] {
        if let Some(xmat) = self.geom_xmats.get(geom) {
            return *xmat;
        }
        self.compute_geom_xmat(model, geom)
    }

    #[inline(always)]
    pub(super) fn compute_geom_xmat(&self, model: &NativeModel, geom: usize) -> [V; 9] {
        let Geom { body, frame } = &model.geoms[geom];
        self.frame_xmat(model, *body, frame)
    }

    /// Returns the rotation matrix of a body-fixed frame, such as `geom_xmat`.
    #[inline(always)]
    pub(super) fn frame_xmat(&self, model: &NativeModel, body: usize, frame: &Frame) -> [V; 9] {
        // The inertial frame of the world body is never computed.
        let inertial = if body == 0 { &self.xmat[0] } else { &self.ximat[body] };
        local_to_global_mat(frame, &self.xquat[body], [&self.xmat[body], inertial], model.dialect.pairwise_quat)
    }

    /// Returns the world position of a body-fixed frame, such as `site_xpos`.
    #[inline(always)]
    pub(super) fn frame_xpos(&self, body: usize, frame: &Frame) -> [V; 3] {
        local_to_global_pos(frame, (self.xpos[body], self.xipos[body]), &self.xmat[body])
    }

    /// Returns the world position of a body-fixed frame in one lane, computed without SIMD.
    pub(super) fn frame_xpos_in(&self, lane: usize, body: usize, frame: &Frame) -> [f64; 3] {
        let (xpos, xipos) = (in_lane(&self.xpos[body], lane), in_lane(&self.xipos[body], lane));
        local_to_global_pos(frame, (xpos, xipos), &in_lane(&self.xmat[body], lane))
    }

    /// Returns the rotation matrix of a body-fixed frame in one lane, such as `site_xmat`, computed without SIMD.
    pub(super) fn frame_xmat_in(&self, lane: usize, body: usize, frame: &Frame, in_pairs: bool) -> [f64; 9] {
        let (xmat, ximat) = (in_lane(&self.xmat[body], lane), in_lane(&self.ximat[body], lane));
        local_to_global_mat(frame, &in_lane(&self.xquat[body], lane), [&xmat, &ximat], in_pairs)
    }
}

/// Returns the numbers of one lane, given SIMD vectors that hold the numbers of all lanes.
pub(super) fn in_lane<V: Float64Lanes, const N: usize>(numbers: &[V; N], lane: usize) -> [f64; N] {
    let mut own = [0.0; N];
    for (own, number) in own.iter_mut().zip(numbers) {
        *own = number.get(lane);
    }
    own
}

//! Arrays of `mjData` that a native step uses.

use crate::native::kinematics::{initial_geom_poses, initial_geom_xmats, local_to_global_mat, local_to_global_pos};
use crate::native::mju::mul_quat;
use crate::native::model::{Frame, Geom, MAX_NBODY, MAX_NC, MAX_NQ, MAX_NV, NativeModel, SameFrame};
use crate::native::tendon::TendonData;
use envpool_rs_numeric::simd::Float64Lanes;

/// World position and z axis of a geom: `geom_xpos`, and the third column of `geom_xmat`.
#[derive(Clone, Copy)]
pub(super) struct GeomPose<V> {
    pub(super) pos: [V; 3],
    pub(super) axis: [V; 3],
}

/// Declares a struct of arrays of a batch, with a function `new` of a model: for each field its type and its first value. The
/// block after the struct's name has statements before the values, in which `$none` is 0.
macro_rules! arrays {
    (
        $(#[$of:meta])* $visibility:vis struct $struct:ident($model:ident, $none:ident) -> $new:ty { $($first:tt)* }
        $($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)*
    ) => {
        $(#[$of])*
        $visibility struct $struct<V: Float64Lanes> {
            $($(#[$doc])* pub(in crate::native) $name: $type,)*
        }

        impl<V: Float64Lanes> $struct<V> {
            pub(in crate::native) fn new($model: &NativeModel) -> $new {
                let $none = V::splat(0.0);
                $($first)*
                <$new>::from(Self { $($name: $value,)* })
            }
        }
    };
}
pub(super) use arrays;

arrays! {
    /// Arrays of `mjData` that a step uses, for a batch of simulations.
    pub(super) struct NativeData(model, none) -> Box<Self> {}
    qpos: [V; MAX_NQ] = [none; MAX_NQ];
    qvel: [V; MAX_NV] = [none; MAX_NV];
    ctrl: Vec<V> = vec![none; model.actuators.len()];
    act: Vec<V> = vec![none; model.na];
    act_dot: Vec<V> = vec![none; model.na];
    tendons: TendonData<V> = TendonData::new(model);
    /// Positions of mocap bodies (`mocap_pos`), three numbers each.
    mocap_pos: Vec<V> = vec![none; 3 * model.nmocap];
    mocap_quat: Vec<V> = vec![none; 4 * model.nmocap];
    actuator_force: Vec<V> = vec![none; model.actuators.len()];
    qfrc_smooth: [V; MAX_NV] = [none; MAX_NV];
    qfrc_actuator: [V; MAX_NV] = [none; MAX_NV];
    qfrc_passive: [V; MAX_NV] = [none; MAX_NV];
    qfrc_gravcomp: Vec<V> = vec![none; model.gravcomp.as_ref().map_or(0, |gravcomp| gravcomp.is_actuated.len())];
    /// Forces of dampers (`qfrc_damper`), used only within a step.
    qfrc_damper: [V; MAX_NV] = [none; MAX_NV];
    qacc_smooth: [V; MAX_NV] = [none; MAX_NV];
    /// Inertia matrix (`M`), as its lower triangle in CSR format.
    qm: [V; MAX_NC] = [none; MAX_NC];
    /// Factor `L'DL` of the inertia matrix (`qLD`).
    qld: [V; MAX_NC] = [none; MAX_NC];
    /// Reciprocal diagonal of the inertia matrix's factor (`qLDiagInv`).
    qld_diag_inv: [V; MAX_NV] = [none; MAX_NV];
    /// Inertia matrix with implicit damping (`qH`), used only within a step.
    qh: [V; MAX_NC] = [none; MAX_NC];
    /// Reciprocal diagonal of the factor of `qh` (`qHDiagInv`), and the accelerations that it gives.
    qh_diag_inv: [V; MAX_NV] = [none; MAX_NV];
    qacc_implicit: [V; MAX_NV] = [none; MAX_NV];
    xpos: [[V; 3]; MAX_NBODY] = [[none; 3]; MAX_NBODY];
    xquat: [[V; 4]; MAX_NBODY] = [[none; 4]; MAX_NBODY];
    xmat: [[V; 9]; MAX_NBODY] = [[none; 9]; MAX_NBODY];
    xipos: [[V; 3]; MAX_NBODY] = [[none; 3]; MAX_NBODY];
    ximat: [[V; 9]; MAX_NBODY] = [[none; 9]; MAX_NBODY];
    /// Poses of the model's geoms that are part of a collision pair.
    geom_poses: Vec<GeomPose<V>> = initial_geom_poses(model);
    /// Rotation matrices of these geoms, stored only for models whose contacts need them.
    geom_xmats: Vec<[V; 9]> = initial_geom_xmats(model);
    xanchor: [[V; 3]; MAX_NV] = [[none; 3]; MAX_NV];
    xaxis: [[V; 3]; MAX_NV] = [[none; 3]; MAX_NV];
    /// Centre of mass of each body's subtree (`subtree_com`). Only the entries of root bodies are used.
    subtree_com: [[V; 3]; MAX_NBODY] = [[none; 3]; MAX_NBODY];
    cinert: [[V; 10]; MAX_NBODY] = [[none; 10]; MAX_NBODY];
    /// Composite rigid-body inertias (`crb`).
    crb: [[V; 10]; MAX_NBODY] = [[none; 10]; MAX_NBODY];
    cdof: [[V; 6]; MAX_NV] = [[none; 6]; MAX_NV];
    cdof_dot: [[V; 6]; MAX_NV] = [[none; 6]; MAX_NV];
    cvel: [[V; 6]; MAX_NBODY] = [[none; 6]; MAX_NBODY];
    /// Accelerations of bodies (`cacc`) without the contribution of `qacc`, as `mj_rne` computes them with `flg_acc` 0.
    cacc: [[V; 6]; MAX_NBODY] = [[none; 6]; MAX_NBODY];
    cfrc_body: [[V; 6]; MAX_NBODY] = [[none; 6]; MAX_NBODY];
}

impl<V: Float64Lanes> NativeData<V> {
    #[inline(always)]
    pub(super) fn geom_xmat(&self, model: &NativeModel, geom: usize) -> [V; 9] {
        if let Some(xmat) = self.geom_xmats.get(geom) {
            return *xmat;
        }
        self.compute_geom_xmat(model, geom)
    }

    #[inline(always)]
    pub(super) fn compute_geom_xmat(&self, model: &NativeModel, geom: usize) -> [V; 9] {
        let Geom { body, frame, .. } = &model.geoms[geom];
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

    /// Returns the orientation of a body-fixed frame in one lane, such as `site_xquat`, computed without SIMD (`get_xquat`).
    pub(super) fn frame_xquat_in(&self, lane: usize, model: &NativeModel, body: usize, frame: &Frame) -> [f64; 4] {
        let xquat = in_lane(&self.xquat[body], lane);
        let frame = match frame.same {
            SameFrame::Inertia | SameFrame::InertiaRotation => &model.bodies[body].inertial,
            _ => frame,
        };
        match frame.same {
            SameFrame::Neither => mul_quat(&xquat, &frame.quat, model.dialect.pairwise_quat),
            _ => xquat,
        }
    }

    /// Returns the rotation matrix of a body-fixed frame in one lane, such as `site_xmat`, computed without SIMD.
    pub(super) fn frame_xmat_in(&self, lane: usize, body: usize, frame: &Frame, in_pairs: bool) -> [f64; 9] {
        // The inertial frame of the world body is never computed.
        let ximat = if body == 0 { &self.xmat[0] } else { &self.ximat[body] };
        let (xmat, ximat) = (in_lane(&self.xmat[body], lane), in_lane(ximat, lane));
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

//! Smooth dynamics of planar robots: computes `qacc_smooth` from `qpos`, `qvel` and `ctrl`.

use crate::native::data::NativeData;
use crate::native::mju::quat_to_mat as whole_mat;
use crate::native::planar::data::{Kernel, PlanarData, PlanarGeomPose, StepArgs};
use crate::native::planar::kinematics::{
    BodyPose, add3, all, cdof_of, kinematics, matrix, mul_mat_vec2, mul_quat_any, mul_quat2, parent, subtree_com,
};
use crate::native::planar::model::{GeomRotation, PlanarModel, Pos2};
use crate::native::planar::tree::{MAX_PLANAR_NV, Tree, body_of, each, factor_i, solve_ld};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel of the smooth dynamics, from `mj_kinematics` to `mj_fwdAcceleration`.
pub(super) struct FwdSmooth;

/// Motion of a body (velocity `cvel`, acceleration `cacc`), and its inertial force (`cfrc_body`).
#[derive(Clone, Copy)]
struct BodyMotion<V> {
    cvel: [V; 3],
    cacc: [V; 2],
    force: [V; 3],
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Kernel<'_, '_, FwdSmooth, V, T, N, W> {
    /// The kernel's output is a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(planar, step, _) = self;
        let none = V::splat(0.0);
        let (model, planar_model, fields) = (step.model, &planar.model, &planar.fields);
        let (mut poses, mut anchors) = ([BodyPose::none(); MAX_PLANAR_NV], [[none; 2]; MAX_PLANAR_NV]);
        // `inertias` has the rotational inertia about y of each body.
        let mut inertias = [none; MAX_PLANAR_NV];
        kinematics::<V, T, N, W>(planar, step, (&mut poses, &mut anchors, &mut inertias));
        geom_kinematics(planar_model, &mut planar.geom_poses, step, &poses);
        for (site, to) in planar_model.touch_sites.iter().flatten().zip(&mut planar.site_xpos) {
            *to = local_to_global(&poses[site.body], site.pos.as_ref(), site.is_central);
        }
        let data = &*step.data;
        let subtree_com = subtree_com::<V, T, N, W>(fields, &poses);
        planar.subtree_com = subtree_com;
        // `cinert` is about `subtree_com`: the moment of inertia about y, and mass times position along x and z.
        let mut cinert = [[none; 3]; MAX_PLANAR_NV];
        each!(B < N - 1, {
            if const { B > 0 } {
                let (mass, own) = (fields.mass[B], &poses[B].xipos);
                let d = [own[0] - subtree_com[0], own[1] - subtree_com[1]];
                cinert[B] = [inertias[B] + mass * (d[0] * d[0] + d[1] * d[1]), mass * d[0], mass * d[1]];
            }
        });
        // The following loop computes the motion axes of the degrees of freedom (`cdof`) as `mj_comPos` does.
        each!(D < N, {
            planar.cdof[D] = cdof_of::<V, D>(planar_model, &anchors, &subtree_com);
        });
        // The following loops compute the inertia matrix as `mj_crb` does.
        let mut crb = cinert;
        each!(B downwards from N - 1, {
            if const { B > 1 } {
                let own = crb[B];
                let sum = &mut crb[parent::<T, N, W>(B)];
                *sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
            }
        });
        each!(D < N, {
            let (crb, mass) = (&crb[body_of(D)], fields.composite_mass[body_of(D)]);
            let own = &planar.cdof[D];
            let moved = linear_momentum(crb, mass, own);
            let force = [crb[0] * own[0] + crb[2] * own[1] - crb[1] * own[2], moved[0], moved[1]];
            planar.qm[D][D] = fields.armature[D] + dot_motion_force(own, &force);
            for &k in T::ABOVE[D] {
                planar.qm[D][k] = dot_motion_force(&planar.cdof[k], &force);
            }
        });
        planar.qld = planar.qm;
        let fallback = factor_i::<T, V, N, W>(&mut planar.qld, &mut planar.qld_diag_inv);
        // The following loops compute `cvel`, `cdof_dot` and `cfrc_body` as `mj_comVel` and `mj_rne` do.
        let mut bodies = [BodyMotion { cvel: [none; 3], cacc: [none; 2], force: [none; 3] }; MAX_PLANAR_NV];
        bodies[0].cacc = [-planar.fields.gravity[0], -planar.fields.gravity[1]];
        each!(B < N - 1, {
            if const { B > 0 } {
                let above = if const { B == 1 } { 0 } else { parent::<T, N, W>(B) };
                bodies[B] = com_vel_rne_of::<V, N, W, B>(planar, data, &bodies[above], &cinert[B]);
            }
        });
        each!(B downwards from N - 1, {
            if const { B > 1 } {
                let own = bodies[B].force;
                let sum = &mut bodies[parent::<T, N, W>(B)].force;
                *sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
            }
        });
        // The following loops compute `qfrc_smooth` as `mj_passive`, `mj_rne` and `mj_fwdActuation` do.
        let mut actuators = [none; N];
        for ((actuator, gain), control) in model.actuators.iter().zip(&planar.fields.gains).zip(&data.ctrl) {
            let (low, high) = (V::splat(actuator.low), V::splat(actuator.high));
            let control = V::select(control.lt(low), low, V::select(control.gt(high), high, *control));
            let force = *gain * control;
            for (dof, share) in &actuator.moment {
                actuators[*dof] = actuators[*dof] + V::splat(*share) * force;
            }
        }
        each!(D < N, {
            let joint = &model.joints[D];
            let mut passive = none;
            if joint.stiffness != 0.0 {
                passive = V::splat(-joint.stiffness) * (data.qpos[joint.qposadr] - V::splat(joint.qpos_spring[0]));
            }
            passive = passive + -planar.fields.damping[D] * data.qvel[D];
            let bias = dot_motion_force(&planar.cdof[D], &bodies[body_of(D)].force);
            planar.qfrc_smooth[D] = (passive - bias) + actuators[D];
        });
        planar.qacc_smooth = planar.qfrc_smooth;
        solve_ld::<T, V, N, W>(&planar.qld, &planar.qld_diag_inv, &mut planar.qacc_smooth);
        fallback
    }
}

/// Computes motion and inertial force of body `B` (`mj_comVel`, `mj_rne`) from the parent's motion and its inertia `cinert`.
#[inline(always)]
fn com_vel_rne_of<V: Float64Lanes, const N: usize, const W: usize, const B: usize>(
    planar: &PlanarData<V, N, W>,
    data: &NativeData<V>,
    above: &BodyMotion<V>,
    cinert: &[V; 3],
) -> BodyMotion<V> {
    let mut cvel = above.cvel;
    let mut change = [V::splat(0.0); 2];
    each!(D < N, {
        if const { body_of(D) == B } {
            let (m, v) = (&planar.cdof[D], data.qvel[D]);
            let turning = [cvel[0] * m[2] - cvel[2] * m[0], cvel[1] * m[0] - cvel[0] * m[1]];
            cvel = [cvel[0] + m[0] * v, cvel[1] + m[1] * v, cvel[2] + m[2] * v];
            let part = [turning[0] * v, turning[1] * v];
            change = if const { D == 0 || B > 1 } { part } else { add3(change, part) };
        }
    });
    let cacc = add3(above.cacc, change);
    let mass = planar.fields.mass[B];
    let momentum = linear_momentum(cinert, mass, &cvel);
    let force = [
        (cinert[2] * cacc[0] - cinert[1] * cacc[1]) + (cvel[2] * momentum[0] - cvel[1] * momentum[1]),
        mass * cacc[0] + cvel[0] * momentum[1],
        mass * cacc[1] - cvel[0] * momentum[0],
    ];
    BodyMotion { cvel, cacc, force }
}

/// Returns the linear momentum of a body that moves by `data`: the translational part of `mju_mulInertVec`.
#[inline(always)]
fn linear_momentum<V: Float64Lanes>(cinert: &[V; 3], mass: V, cvel: &[V; 3]) -> [V; 2] {
    [cinert[2] * cvel[0] + mass * cvel[1], mass * cvel[2] - cinert[1] * cvel[0]]
}

#[inline(always)]
fn dot_motion_force<V: Float64Lanes>(cdof: &[V; 3], force: &[V; 3]) -> V {
    (cdof[0] * force[0] + cdof[1] * force[1]) + cdof[2] * force[2]
}

/// Returns the world position of a body-fixed point, at the body's centre of mass or at the position `pos` relative to the body.
#[inline(always)]
fn local_to_global<V: Float64Lanes>(pose: &BodyPose<V>, pos: Option<&Pos2>, is_central: bool) -> [V; 2] {
    match pos {
        _ if is_central => pose.xipos,
        None => pose.xpos,
        Some(pos) => add3(mul_mat_vec2(&pose.xmat, all(pos)), pose.xpos),
    }
}

#[inline(always)]
fn geom_kinematics<V: Float64Lanes>(
    planar_model: &PlanarModel,
    geom_poses: &mut [PlanarGeomPose<V>],
    step: &mut StepArgs<'_, V>,
    poses: &[BodyPose<V>; MAX_PLANAR_NV],
) {
    let in_pairs = step.model.dialect.pairwise_quat;
    for (number, geom) in planar_model.geoms.iter().enumerate() {
        let pose = &poses[geom.body];
        let pos = local_to_global(pose, geom.pos.as_ref(), geom.is_central);
        let level = |[same, other]: [V; 2]| [other, V::splat(0.0), same];
        let axis = match geom.rotation {
            GeomRotation::Body => level(pose.xmat),
            GeomRotation::Inertia => level(pose.ximat),
            GeomRotation::Own(turn) => level(matrix(&mul_quat2(&pose.xquat, all(&turn)))),
            GeomRotation::Tilted(turn) => {
                let q = mul_quat_any(&pose.xquat, &turn);
                let matrix = whole_mat(&q, in_pairs);
                [matrix[2], matrix[5], matrix[8]]
            }
        };
        geom_poses[number] = PlanarGeomPose { pos, axis };
        // The poses of geoms of the world body never change.
        if !(geom.body == 0
            || planar_model.guarded_pairs.is_empty()
                && planar_model.library_pairs.is_empty()
                && planar_model.rounds.is_empty()
                && planar_model.out_of_plane.is_empty())
        {
            let to = &mut step.data.geom_poses[number];
            (to.pos, to.axis) = ([pos[0], V::splat(geom.across), pos[1]], axis);
        }
    }
}

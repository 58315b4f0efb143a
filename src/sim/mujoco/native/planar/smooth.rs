//! Smooth dynamics of planar robots: computes `qacc_smooth` from `qpos`, `qvel` and `ctrl`.

use std::marker::PhantomData;

use super::super::algebra::quat_to_mat as whole_matrix;
use super::super::smooth::NativeData;
use super::super::tables::MAX_NV;
use super::kinematics::{
    BodyPose, add, all, cdof_of, kinematics, matrix, mul_corners, mul_quat_any, mul_quat2, parent, subtree_com,
};
use super::plane::{Placed, PlanarData, StepArgs};
use super::tables::{GeomRotation, PlanarModel, Pos2};
use super::tree::{MAX_PLANAR_NV, Tree, body_of, each, factor_i, solve_ld};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel that computes the smooth dynamics (without constraints) of planar robots, from `mj_kinematics` to
/// `mj_fwdAcceleration`.
pub(super) struct Smooth<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut PlanarData<V, N, W>,
    pub(super) &'a mut StepArgs<'b, V>,
    pub(super) PhantomData<T>,
);

/// Motion of a body (velocity `cvel`, acceleration `cacc`), and its inertial force (`cfrc_body`).
#[derive(Clone, Copy)]
struct BodyMotion<V> {
    velocity: [V; 3],
    acceleration: [V; 2],
    force: [V; 3],
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Smooth<'_, '_, V, T, N, W> {
    /// The kernel's output is a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(plane, step, _) = self;
        let none = V::splat(0.0);
        let (model, planar_model, fields) = (step.model, &plane.model, &plane.fields);
        let (mut poses, mut anchors) = ([BodyPose::none(); MAX_PLANAR_NV], [[none; 2]; MAX_PLANAR_NV]);
        // `inertias` has the rotational inertia about y of each body.
        let mut inertias = [none; MAX_PLANAR_NV];
        kinematics::<V, T, N, W>(plane, step, (&mut poses, &mut anchors, &mut inertias));
        place_shapes(planar_model, &mut plane.shapes, step, &poses);
        for (site, to) in planar_model.touch_sites.iter().flatten().zip(&mut plane.site_places) {
            *to = world_place(&poses[site.body], site.pos.as_ref(), site.is_central);
        }
        let motion = &*step.motion;
        let centre = subtree_com::<V, T, N, W>(fields, &poses);
        plane.subtree_com = centre;
        // `moments` is `cinert` about `subtree_com`: the moment of inertia about y, and mass times position along x and z.
        let mut moments = [[none; 3]; MAX_PLANAR_NV];
        each!(B < N - 1, {
            if B > 0 {
                let (mass, own) = (fields.mass[B], &poses[B].centre);
                let d = [own[0] - centre[0], own[1] - centre[1]];
                moments[B] = [inertias[B] + mass * (d[0] * d[0] + d[1] * d[1]), mass * d[0], mass * d[1]];
            }
        });
        // The following loop computes the motion axes of the degrees of freedom (`cdof`) as `mj_comPos` does.
        each!(D < N, {
            plane.cdof[D] = cdof_of::<V, D>(planar_model, &anchors, &centre);
        });
        // The following loops compute the inertia matrix as `mj_crb` does.
        let mut composites = moments;
        each!(B downwards from N - 1, {
            if B > 1 {
                let own = composites[B];
                let sum = &mut composites[parent::<T, N, W>(B)];
                *sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
            }
        });
        each!(D < N, {
            let (composite, mass) = (&composites[body_of(D)], fields.composite_mass[body_of(D)]);
            let own = &plane.cdof[D];
            let moved = linear_momentum(composite, mass, own);
            let force = [composite[0] * own[0] + composite[2] * own[1] - composite[1] * own[2], moved[0], moved[1]];
            plane.mass[D][D] = fields.armature[D] + dot3_motion(own, &force);
            for &k in T::ABOVE[D] {
                plane.mass[D][k] = dot3_motion(&plane.cdof[k], &force);
            }
        });
        plane.qld = plane.mass;
        let left = factor_i::<T, V, N, W>(&mut plane.qld, &mut plane.qld_diag_inv);
        // The following loops compute `cvel`, `cdof_dot` and `cfrc_body` as `mj_comVel` and `mj_rne` do.
        let mut bodies = [BodyMotion { velocity: [none; 3], acceleration: [none; 2], force: [none; 3] }; MAX_PLANAR_NV];
        bodies[0].acceleration = [-plane.fields.gravity[0], -plane.fields.gravity[1]];
        each!(B < N - 1, {
            if B > 0 {
                let above = if B == 1 { 0 } else { parent::<T, N, W>(B) };
                bodies[B] = moving::<V, N, W, B>(plane, motion, &bodies[above], &moments[B]);
            }
        });
        each!(B downwards from N - 1, {
            if B > 1 {
                let own = bodies[B].force;
                let sum = &mut bodies[parent::<T, N, W>(B)].force;
                *sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
            }
        });
        // The following loops compute `qfrc_smooth` as `mj_passive`, `mj_rne` and `mj_fwdActuation` do.
        let mut actuators = [none; MAX_NV];
        for ((motor, gain), control) in model.actuators.iter().zip(&plane.fields.gains).zip(&motion.ctrl) {
            let (low, high) = (V::splat(motor.low), V::splat(motor.high));
            let control = V::select(control.lt(low), low, V::select(control.gt(high), high, *control));
            let force = *gain * control;
            for (dof, share) in &motor.moment {
                actuators[*dof] = actuators[*dof] + V::splat(*share) * force;
            }
        }
        each!(D < N, {
            let joint = &model.joints[D];
            let mut passive = none;
            if joint.stiffness != 0.0 {
                passive = V::splat(-joint.stiffness) * (motion.qpos[joint.qposadr] - V::splat(joint.qpos_spring[0]));
            }
            passive = passive + -plane.fields.damping[D] * motion.qvel[D];
            let bias = dot3_motion(&plane.cdof[D], &bodies[body_of(D)].force);
            plane.qfrc_smooth[D] = (passive - bias) + actuators[D];
        });
        plane.qacc_smooth = plane.qfrc_smooth;
        solve_ld::<T, V, N, W>(&plane.qld, &plane.qld_diag_inv, &mut plane.qacc_smooth);
        left
    }
}

/// Computes the motion and inertial force of body `B`, as `mj_comVel` and `mj_rne` do. `above` is the motion of the parent
/// body, and `moment` is the inertia of body `B`.
#[inline(always)]
fn moving<V: Float64Lanes, const N: usize, const W: usize, const B: usize>(
    plane: &PlanarData<V, N, W>,
    motion: &NativeData<V>,
    above: &BodyMotion<V>,
    moment: &[V; 3],
) -> BodyMotion<V> {
    let mut velocity = above.velocity;
    let mut change = [V::splat(0.0); 2];
    each!(D < N, {
        if body_of(D) == B {
            let (m, v) = (&plane.cdof[D], motion.qvel[D]);
            let turning = [velocity[0] * m[2] - velocity[2] * m[0], velocity[1] * m[0] - velocity[0] * m[1]];
            velocity = [velocity[0] + m[0] * v, velocity[1] + m[1] * v, velocity[2] + m[2] * v];
            let part = [turning[0] * v, turning[1] * v];
            change = if D == 0 || B > 1 { part } else { add(change, part) };
        }
    });
    let acceleration = add(above.acceleration, change);
    let mass = plane.fields.mass[B];
    let momentum = linear_momentum(moment, mass, &velocity);
    let force = [
        (moment[2] * acceleration[0] - moment[1] * acceleration[1]) + (velocity[2] * momentum[0] - velocity[1] * momentum[1]),
        mass * acceleration[0] + velocity[0] * momentum[1],
        mass * acceleration[1] - velocity[0] * momentum[0],
    ];
    BodyMotion { velocity, acceleration, force }
}

/// Returns the linear momentum of a body that moves by `motion`: the translational part of `mju_mulInertVec`.
#[inline(always)]
fn linear_momentum<V: Float64Lanes>(moment: &[V; 3], mass: V, motion: &[V; 3]) -> [V; 2] {
    [moment[2] * motion[0] + mass * motion[1], mass * motion[2] - moment[1] * motion[0]]
}

/// Returns the dot product of a force and a motion vector in the plane.
#[inline(always)]
fn dot3_motion<V: Float64Lanes>(motion: &[V; 3], force: &[V; 3]) -> V {
    (motion[0] * force[0] + motion[1] * force[1]) + motion[2] * force[2]
}

/// Returns the world position of a body-fixed point, at the body's centre of mass or at the position `place` relative to the body.
#[inline(always)]
fn world_place<V: Float64Lanes>(pose: &BodyPose<V>, place: Option<&Pos2>, is_central: bool) -> [V; 2] {
    match place {
        _ if is_central => pose.centre,
        None => pose.place,
        Some(place) => add(mul_corners(&pose.matrix, all(place)), pose.place),
    }
}

#[inline(always)]
fn place_shapes<V: Float64Lanes>(
    planar_model: &PlanarModel,
    shapes: &mut [Placed<V>],
    step: &mut StepArgs<'_, V>,
    poses: &[BodyPose<V>; MAX_PLANAR_NV],
) {
    let in_pairs = step.model.dialect.pairwise_quat;
    for (number, shape) in planar_model.shapes.iter().enumerate() {
        let pose = &poses[shape.body];
        let place = world_place(pose, shape.place.as_ref(), shape.is_central);
        let level = |[same, other]: [V; 2]| [other, V::splat(0.0), same];
        let axis = match shape.turn {
            GeomRotation::Body => level(pose.matrix),
            GeomRotation::Inertia => level(pose.centre_matrix),
            GeomRotation::Own(turn) => level(matrix(&mul_quat2(&pose.turn, all(&turn)))),
            GeomRotation::Tilted(turn) => {
                let q = mul_quat_any(&pose.turn, &turn);
                let matrix = whole_matrix(&q, in_pairs);
                [matrix[2], matrix[5], matrix[8]]
            }
        };
        shapes[number] = Placed { place, axis };
        // The poses of geoms of the world body never change.
        if !(shape.body == 0
            || planar_model.watched.is_empty()
                && planar_model.solids.is_empty()
                && planar_model.rounds.is_empty()
                && planar_model.others.is_empty())
        {
            let to = &mut step.motion.geom_poses[number];
            (to.pos, to.axis) = ([place[0], V::splat(shape.across), place[1]], axis);
        }
    }
}

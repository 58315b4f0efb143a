//! Smooth dynamics of planar robots: computes `qacc_smooth` from `qpos`, `qvel` and `ctrl`.

use std::marker::PhantomData;

use super::super::algebra::{MJMINVAL, quat_to_mat as whole_matrix};
use super::super::smooth::NativeData;
use super::super::tables::MAX_NV;
use super::plane::{Placed, PlanarData, StepArgs};
use super::tables::{GeomRotation, PlanarBody, PlanarModel, Pos2};
use super::tree::{MAX_PLANAR_NV, Tree, body_of, each, factor_i, solve_ld};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel that computes the smooth dynamics (without constraints) of planar robots, from `mj_kinematics` to
/// `mj_fwdAcceleration`.
pub(super) struct Smooth<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut PlanarData<V, N, W>,
    pub(super) &'a mut StepArgs<'b, V>,
    pub(super) PhantomData<T>,
);

/// World poses of a body and of its inertial frame.
#[derive(Clone, Copy)]
struct BodyPose<V> {
    place: [V; 2],
    turn: [V; 2],
    /// The two independent entries of the rotation matrix `xmat`, counted from 1: entry 1, which equals entry 9, and entry 3,
    /// which is the negative of entry 7.
    matrix: [V; 2],
    /// Position of the body's centre of mass (`xipos`).
    centre: [V; 2],
    /// The two independent entries of the rotation matrix `ximat`, counted from 1: entry 1, which equals entry 9, and entry
    /// 3, which is the negative of entry 7.
    centre_matrix: [V; 2],
}

/// Motion of a body (velocity `cvel`, acceleration `cacc`), and its inertial force (`cfrc_body`).
#[derive(Clone, Copy)]
struct BodyMotion<V> {
    velocity: [V; 3],
    acceleration: [V; 2],
    force: [V; 3],
}

#[inline(always)]
fn all<V: Float64Lanes>(place: &Pos2) -> [V; 2] {
    [V::splat(place[0]), V::splat(place[1])]
}

/// Multiplies a rotation matrix about y by a vector. The matrix is given by its two independent entries.
#[inline(always)]
fn mul_corners<V: Float64Lanes>([same, other]: &[V; 2], a: [V; 2]) -> [V; 2] {
    [*same * a[0] + *other * a[1], *same * a[1] - *other * a[0]]
}

#[inline(always)]
fn add<V: Float64Lanes>(a: [V; 2], b: [V; 2]) -> [V; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// Rotates a vector in the plane by a quaternion about y, as `mju_rotVecQuat` does.
#[inline(always)]
fn rot_vec_quat2<V: Float64Lanes>(v: [V; 2], q: &[V; 2]) -> [V; 2] {
    let two = V::splat(2.0);
    let t = [q[0] * v[0] + q[1] * v[1], q[0] * v[1] - q[1] * v[0]];
    [v[0] + two * (q[1] * t[1]), v[1] - two * (q[1] * t[0])]
}

/// Returns the product of two quaternions about y, as `mju_mulQuat` does.
#[inline(always)]
fn mul_quat2<V: Float64Lanes>(a: &[V; 2], b: [V; 2]) -> [V; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Returns the product of a quaternion about y and a quaternion about any axis.
#[inline(always)]
fn mul_quat_any<V: Float64Lanes>([a, b]: &[V; 2], by: &[f64; 4]) -> [V; 4] {
    let [w, x, y, z] = [V::splat(by[0]), V::splat(by[1]), V::splat(by[2]), V::splat(by[3])];
    [*a * w - *b * y, *a * x + *b * z, *a * y + *b * w, *a * z - *b * x]
}

/// Returns the two independent entries of the rotation matrix of a quaternion about y, as `mju_quat2Mat` does.
#[inline(always)]
fn matrix<V: Float64Lanes>(q: &[V; 2]) -> [V; 2] {
    [q[0] * q[0] - q[1] * q[1], V::splat(2.0) * (q[0] * q[1])]
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Smooth<'_, '_, V, T, N, W> {
    /// The kernel's output is a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(plane, step, _) = self;
        let none = V::splat(0.0);
        let (model, planar_model, fields) = (step.model, &plane.model, &plane.fields);
        let still =
            BodyPose { place: [none; 2], turn: [none; 2], matrix: [none; 2], centre: [none; 2], centre_matrix: [none; 2] };
        let mut poses = [still; MAX_PLANAR_NV];
        let mut anchors = [[none; 2]; MAX_PLANAR_NV];
        // `inertias` has the rotational inertia about y of each body.
        let mut inertias = [none; MAX_PLANAR_NV];
        // The loop over the hinges is not unrolled, so that the compiler inlines `sin_cos` only once.
        let mut turns = [[none; 2]; MAX_PLANAR_NV];
        for id in 1..N - 1 {
            let body = &planar_model.bodies[id];
            let moved = step.motion.qpos[body.qposadr] - V::splat(body.qpos0);
            let (sine, cosine) = (moved * V::splat(0.5)).sin_cos();
            turns[id] = [cosine, V::splat(body.sign) * sine];
        }
        each!(B < N - 1, {
            if B > 0 {
                let turn = turns[B];
                let found = pose::<V, T, N, W, B>((planar_model, &fields.inertia[B], step), &poses, turn);
                (poses[B], anchors[B], inertias[B]) = found;
            }
        });
        place_shapes(planar_model, &mut plane.shapes, step, &poses);
        for (site, to) in planar_model.touch_sites.iter().flatten().zip(&mut plane.site_places) {
            *to = world_place(&poses[site.body], site.pos.as_ref(), site.is_central);
        }
        let motion = &*step.motion;
        // The following loops compute the centres of mass of the subtrees (`subtree_com`) as `mj_comPos` does.
        let mut centres = [[none; 2]; MAX_PLANAR_NV];
        each!(B < N - 1, {
            let (mass, centre) = (fields.mass[B], &poses[B].centre);
            centres[B] = [centre[0] * mass, centre[1] * mass];
        });
        each!(B downwards from N - 1, {
            if B > 1 {
                let above = parent::<T, N, W>(B);
                centres[above] = add(centres[above], centres[B]);
            }
        });
        let by_mass = fields.by_tree_mass;
        let centre = [centres[1][0] * by_mass, centres[1][1] * by_mass];
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
            plane.cdof[D] = if let Some(slide) = planar_model.slides.get(D) {
                let mut motion = [none; 3];
                motion[1 + slide.axis] = V::splat(slide.sign);
                motion
            } else {
                let (anchor, sign) = (&anchors[body_of(D)], V::splat(planar_model.bodies[body_of(D)].sign));
                let offset = [centre[0] - anchor[0], centre[1] - anchor[1]];
                [sign, sign * offset[1], none - sign * offset[0]]
            };
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
                passive = V::splat(-joint.stiffness) * (motion.qpos[joint.qposadr] - V::splat(joint.qpos_spring));
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

/// Returns the pose of body `B`, the anchor of its joint, and its moment of inertia about y. `turn` is the rotation of its joint.
///
/// Each body has its own instance of this function, because LLVM's compile time is quadratic in the number of calls inlined into
/// one function.
#[inline(always)]
fn pose<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize, const B: usize>(
    (planar_model, inertia, step): (&PlanarModel, &[V; 3], &StepArgs<'_, V>),
    poses: &[BodyPose<V>; MAX_PLANAR_NV],
    by_joint: [V; 2],
) -> (BodyPose<V>, [V; 2], V) {
    let body = &planar_model.bodies[B];
    let (mut place, mut turn) = (all(&body.pos), [V::splat(1.0), V::splat(0.0)]);
    if B == 1 {
        for slide in &planar_model.slides {
            let moved = step.motion.qpos[slide.position] - V::splat(slide.rest);
            place[slide.axis] = place[slide.axis] + V::splat(slide.sign) * moved;
        }
    } else {
        let above = &poses[parent::<T, N, W>(B)];
        place = add(mul_corners(&above.matrix, place), above.place);
        turn = above.turn;
        if let Some(own) = &body.quat {
            turn = mul_quat2(&turn, all(own));
        }
    }
    let anchor = match &body.pivot {
        None => place,
        Some(pivot) => add(rot_vec_quat2(all(pivot), &turn), place),
    };
    turn = mul_quat2(&turn, by_joint);
    if let Some(pivot) = &body.pivot {
        let arm = rot_vec_quat2(all(pivot), &turn);
        place = [anchor[0] - arm[0], anchor[1] - arm[1]];
    }
    let length = (turn[0] * turn[0] + turn[1] * turn[1]).sqrt();
    let one = V::splat(1.0);
    let factor = V::select((length - one).abs().gt(V::splat(MJMINVAL)), one / length, one);
    turn = [turn[0] * factor, turn[1] * factor];
    let matrix = matrix(&turn);
    let centre = match &body.ipos {
        None => place,
        Some(centre) => add(mul_corners(&matrix, all(centre)), place),
    };
    let (centre_matrix, inertia) = inertia_of((body, inertia), &turn, &matrix, step.model.dialect.pairwise_quat);
    (BodyPose { place, turn, matrix, centre, centre_matrix }, anchor, inertia)
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

/// Returns the parent of a body other than the root.
#[inline(always)]
fn parent<T: Tree<N, W>, const N: usize, const W: usize>(body: usize) -> usize {
    let dofs = T::ABOVE[body + 1];
    body_of(dofs[dofs.len() - 1])
}

/// Returns the two independent entries of a body's `ximat`, and its moment of inertia about y.
#[inline(always)]
fn inertia_of<V: Float64Lanes>(
    (body, inertia): (&PlanarBody, &[V; 3]),
    turn: &[V; 2],
    of_body: &[V; 2],
    in_pairs: bool,
) -> ([V; 2], V) {
    let about_y = |q: &[V; 2]| q[0] * q[0] + q[1] * q[1];
    match &body.iquat {
        None => {
            let r = about_y(turn);
            (*of_body, r * (r * inertia[1]))
        }
        Some([w, x, y, z]) if *x == 0.0 && *z == 0.0 => {
            let q = mul_quat2(turn, [V::splat(*w), V::splat(*y)]);
            let r = about_y(&q);
            (matrix(&q), r * (r * inertia[1]))
        }
        Some(of_centre) => {
            let matrix = whole_matrix(&mul_quat_any(turn, of_centre), in_pairs);
            let r = [matrix[3], matrix[4], matrix[5]];
            let i = inertia;
            // The first element of the result is not used, because no geom has the rotation of an inertial frame that is not
            // about y.
            (*of_body, r[0] * (r[0] * i[0]) + r[1] * (r[1] * i[1]) + r[2] * (r[2] * i[2]))
        }
    }
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

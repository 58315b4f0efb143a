//! Forward kinematics of planar robots: poses, centre of mass and motion axes, as `mj_kinematics` and `mj_comPos` do.

use crate::native::mju::{MJMINVAL, quat_to_mat as whole_mat};
use crate::native::planar::data::{PlanarData, StepArgs};
use crate::native::planar::fields::PlanarFields;
use crate::native::planar::model::{PlanarBody, PlanarModel, Pos2};
use crate::native::planar::tree::{MAX_PLANAR_NV, Tree, body_of, each};
use envpool_rs_numeric::simd::Float64Lanes;

#[derive(Clone, Copy)]
pub(super) struct BodyPose<V> {
    pub(super) xpos: [V; 2],
    pub(super) xquat: [V; 2],
    /// Entries 1 (equal to 9) and 3 (the negative of 7) of `xmat`, counted from 1.
    pub(super) xmat: [V; 2],
    pub(super) xipos: [V; 2],
    /// Entries 1 (equal to 9) and 3 (the negative of 7) of `ximat`, counted from 1.
    pub(super) ximat: [V; 2],
}

impl<V: Float64Lanes> BodyPose<V> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        let none = V::splat(0.0);
        Self { xpos: [none; 2], xquat: [none; 2], xmat: [none; 2], xipos: [none; 2], ximat: [none; 2] }
    }
}

#[inline(always)]
pub(super) fn all<V: Float64Lanes>(xpos: &Pos2) -> [V; 2] {
    [V::splat(xpos[0]), V::splat(xpos[1])]
}

/// Multiplies a rotation matrix about y by a vector. The matrix is given by its two independent entries.
#[inline(always)]
pub(super) fn mul_mat_vec2<V: Float64Lanes>([same, other]: &[V; 2], a: [V; 2]) -> [V; 2] {
    [*same * a[0] + *other * a[1], *same * a[1] - *other * a[0]]
}

#[inline(always)]
pub(super) fn add3<V: Float64Lanes>(a: [V; 2], b: [V; 2]) -> [V; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// Rotates a vector in the plane by a quaternion about y, as `mju_rotVecQuat` does.
#[inline(always)]
pub(super) fn rot_vec_quat2<V: Float64Lanes>(v: [V; 2], q: &[V; 2]) -> [V; 2] {
    let two = V::splat(2.0);
    let t = [q[0] * v[0] + q[1] * v[1], q[0] * v[1] - q[1] * v[0]];
    [v[0] + two * (q[1] * t[1]), v[1] - two * (q[1] * t[0])]
}

/// Returns the product of two quaternions about y, as `mju_mulQuat` does.
#[inline(always)]
pub(super) fn mul_quat2<V: Float64Lanes>(a: &[V; 2], b: [V; 2]) -> [V; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Returns the product of a quaternion about y and a quaternion about any axis.
#[inline(always)]
pub(super) fn mul_quat_any<V: Float64Lanes>([a, b]: &[V; 2], by: &[f64; 4]) -> [V; 4] {
    let [w, x, y, z] = [V::splat(by[0]), V::splat(by[1]), V::splat(by[2]), V::splat(by[3])];
    [*a * w - *b * y, *a * x + *b * z, *a * y + *b * w, *a * z - *b * x]
}

/// Returns the two independent entries of the rotation matrix of a quaternion about y, as `mju_quat2Mat` does.
#[inline(always)]
pub(super) fn matrix<V: Float64Lanes>(q: &[V; 2]) -> [V; 2] {
    [q[0] * q[0] - q[1] * q[1], V::splat(2.0) * (q[0] * q[1])]
}

/// Computes the poses of all bodies, the anchors of their hinges, and their moments of inertia about y.
#[inline(always)]
pub(super) fn kinematics<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    planar: &PlanarData<V, N, W>,
    step: &StepArgs<'_, V>,
    (poses, anchors, inertias): (&mut [BodyPose<V>; MAX_PLANAR_NV], &mut [[V; 2]; MAX_PLANAR_NV], &mut [V; MAX_PLANAR_NV]),
) {
    let (planar_model, fields) = (&planar.model, &planar.fields);
    // The loop over the hinges is not unrolled, so that the compiler inlines `sin_cos` only once.
    let mut quats = [[V::splat(0.0); 2]; MAX_PLANAR_NV];
    for id in 1..N - 1 {
        let body = &planar_model.bodies[id];
        let moved = step.data.qpos[body.qposadr] - V::splat(body.qpos0);
        let (sine, cosine) = (moved * V::splat(0.5)).sin_cos();
        quats[id] = [cosine, V::splat(body.sign) * sine];
    }
    each!(B < N - 1, {
        if const { B > 0 } {
            let xquat = quats[B];
            let found = kinematics_of::<V, T, N, W, B>((planar_model, &fields.inertia[B], step), poses, xquat);
            (poses[B], anchors[B], inertias[B]) = found;
        }
    });
}

/// Returns the robot's centre of mass (`subtree_com` of the root), as `mj_comPos` does.
#[inline(always)]
pub(super) fn subtree_com<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    fields: &PlanarFields<V, N>,
    poses: &[BodyPose<V>; MAX_PLANAR_NV],
) -> [V; 2] {
    let mut centres = [[V::splat(0.0); 2]; MAX_PLANAR_NV];
    each!(B < N - 1, {
        let (mass, centre) = (fields.mass[B], &poses[B].xipos);
        centres[B] = [centre[0] * mass, centre[1] * mass];
    });
    each!(B downwards from N - 1, {
        if const { B > 1 } {
            let above = parent::<T, N, W>(B);
            centres[above] = add3(centres[above], centres[B]);
        }
    });
    let by_mass = fields.by_tree_mass;
    [centres[1][0] * by_mass, centres[1][1] * by_mass]
}

/// Returns the motion axis of the degree of freedom `D` (`cdof`) at the centre of mass, as `mj_comPos` does.
#[inline(always)]
pub(super) fn cdof_of<V: Float64Lanes, const D: usize>(
    planar_model: &PlanarModel,
    anchors: &[[V; 2]; MAX_PLANAR_NV],
    centre: &[V; 2],
) -> [V; 3] {
    let none = V::splat(0.0);
    if let Some(slide) = planar_model.slides.get(D) {
        let mut cdof = [none; 3];
        cdof[1 + slide.axis] = V::splat(slide.sign);
        return cdof;
    }
    let (anchor, sign) = (&anchors[body_of(D)], V::splat(planar_model.bodies[body_of(D)].sign));
    let offset = [centre[0] - anchor[0], centre[1] - anchor[1]];
    [sign, sign * offset[1], none - sign * offset[0]]
}

/// Returns the pose of body `B`, the anchor of its joint, and its moment of inertia about y. `xquat` is the rotation of its joint.
///
/// Each body has its own instance of this function, because LLVM's compile time is quadratic in the number of calls inlined into
/// one function.
#[inline(always)]
fn kinematics_of<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize, const B: usize>(
    (planar_model, inertia, step): (&PlanarModel, &[V; 3], &StepArgs<'_, V>),
    poses: &[BodyPose<V>; MAX_PLANAR_NV],
    by_joint: [V; 2],
) -> (BodyPose<V>, [V; 2], V) {
    let body = &planar_model.bodies[B];
    let (mut xpos, mut xquat) = (all(&body.pos), [V::splat(1.0), V::splat(0.0)]);
    if const { B == 1 } {
        for slide in &planar_model.slides {
            let moved = step.data.qpos[slide.qposadr] - V::splat(slide.qpos0);
            xpos[slide.axis] = xpos[slide.axis] + V::splat(slide.sign) * moved;
        }
    } else {
        let above = &poses[parent::<T, N, W>(B)];
        xpos = add3(mul_mat_vec2(&above.xmat, xpos), above.xpos);
        xquat = above.xquat;
        if let Some(own) = &body.quat {
            xquat = mul_quat2(&xquat, all(own));
        }
    }
    let anchor = match &body.pivot {
        None => xpos,
        Some(pivot) => add3(rot_vec_quat2(all(pivot), &xquat), xpos),
    };
    xquat = mul_quat2(&xquat, by_joint);
    if let Some(pivot) = &body.pivot {
        let arm = rot_vec_quat2(all(pivot), &xquat);
        xpos = [anchor[0] - arm[0], anchor[1] - arm[1]];
    }
    let length = (xquat[0] * xquat[0] + xquat[1] * xquat[1]).sqrt();
    let one = V::splat(1.0);
    let factor = V::select((length - one).abs().gt(V::splat(MJMINVAL)), one / length, one);
    xquat = [xquat[0] * factor, xquat[1] * factor];
    let xmat = matrix(&xquat);
    let xipos = match &body.ipos {
        None => xpos,
        Some(xipos) => add3(mul_mat_vec2(&xmat, all(xipos)), xpos),
    };
    let (ximat, inertia) = inertia_of((body, inertia), &xquat, &xmat, step.model.dialect.pairwise_quat);
    (BodyPose { xpos, xquat, xmat, xipos, ximat }, anchor, inertia)
}

/// Returns the parent of a body other than the root.
#[inline(always)]
pub(super) fn parent<T: Tree<N, W>, const N: usize, const W: usize>(body: usize) -> usize {
    let dofs = T::ABOVE[body + 1];
    body_of(dofs[dofs.len() - 1])
}

/// Returns the two independent entries of a body's `ximat`, and its moment of inertia about y.
#[inline(always)]
fn inertia_of<V: Float64Lanes>(
    (body, inertia): (&PlanarBody, &[V; 3]),
    xquat: &[V; 2],
    of_body: &[V; 2],
    in_pairs: bool,
) -> ([V; 2], V) {
    let about_y = |q: &[V; 2]| q[0] * q[0] + q[1] * q[1];
    match &body.iquat {
        None => {
            let r = about_y(xquat);
            (*of_body, r * (r * inertia[1]))
        }
        Some([w, x, y, z]) if *x == 0.0 && *z == 0.0 => {
            let q = mul_quat2(xquat, [V::splat(*w), V::splat(*y)]);
            let r = about_y(&q);
            (matrix(&q), r * (r * inertia[1]))
        }
        Some(of_centre) => {
            let matrix = whole_mat(&mul_quat_any(xquat, of_centre), in_pairs);
            let r = [matrix[3], matrix[4], matrix[5]];
            let i = inertia;
            // The first element of the result is not used, because no geom has the rotation of an inertial frame that is not
            // about y.
            (*of_body, r[0] * (r[0] * i[0]) + r[1] * (r[1] * i[1]) + r[2] * (r[2] * i[2]))
        }
    }
}

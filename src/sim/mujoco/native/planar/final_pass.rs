//! Velocity of a planar robot's centre of mass at the end of a step.

use crate::native::planar::data::Kernel;
use crate::native::planar::kinematics::{BodyPose, add3, cdof_of, kinematics, parent, subtree_com};
use crate::native::planar::tree::{MAX_PLANAR_NV, Tree, body_of, each};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel that computes `subtree_linvel` of the root body for the present state: x and z, in m/s.
///
/// It computes what `mj_kinematics`, `mj_comPos`, `mj_comVel` and `mj_subtreeVel` do. The y component is exactly zero.
pub(super) struct RootLinvel;

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Kernel<'_, '_, RootLinvel, V, T, N, W> {
    type Output = [V; 2];

    #[inline(always)]
    fn run(self) -> [V; 2] {
        let Self(planar, step, _) = self;
        let none = V::splat(0.0);
        let (mut poses, mut anchors) = ([BodyPose::none(); MAX_PLANAR_NV], [[none; 2]; MAX_PLANAR_NV]);
        kinematics::<V, T, N, W>(planar, step, (&mut poses, &mut anchors, &mut [none; MAX_PLANAR_NV]));
        let (planar_model, fields) = (&planar.model, &planar.fields);
        let subtree_com = subtree_com::<V, T, N, W>(fields, &poses);
        let mut velocities = [[none; 3]; MAX_PLANAR_NV];
        let mut sums = [[none; 2]; MAX_PLANAR_NV];
        each!(B < N - 1, {
            if const { B > 0 } {
                let mut velocity = if const { B == 1 } { [none; 3] } else { velocities[parent::<T, N, W>(B)] };
                each!(D < N, {
                    if const { body_of(D) == B } {
                        let (m, v) = (cdof_of::<V, D>(planar_model, &anchors, &subtree_com), step.data.qvel[D]);
                        velocity = [velocity[0] + m[0] * v, velocity[1] + m[1] * v, velocity[2] + m[2] * v];
                    }
                });
                velocities[B] = velocity;
            }
        });
        each!(B < N - 1, {
            if const { B > 0 } {
                let (velocity, mass, xipos) = (&velocities[B], fields.mass[B], &poses[B].xipos);
                let offset = [xipos[0] - subtree_com[0], xipos[1] - subtree_com[1]];
                let moved = [velocity[1] + offset[1] * velocity[0], velocity[2] - offset[0] * velocity[0]];
                sums[B] = [moved[0] * mass, moved[1] * mass];
            }
        });
        each!(B downwards from N - 1, {
            if const { B > 1 } {
                let above = parent::<T, N, W>(B);
                sums[above] = add3(sums[above], sums[B]);
            }
        });
        [sums[1][0] * fields.by_tree_mass, sums[1][1] * fields.by_tree_mass]
    }
}

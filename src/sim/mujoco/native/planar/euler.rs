//! Semi-implicit Euler integrator for planar robots.

use std::marker::PhantomData;

use super::super::integrate::integrate_pos;
use super::plane::{PlanarData, StepArgs};
use super::tree::{Tree, factor_i, solve_ld};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel of a semi-implicit Euler step (`mj_Euler`) of planar robots, which advances velocities before positions.
pub(super) struct Euler<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut PlanarData<V, N, W>,
    pub(super) &'a mut StepArgs<'b, V>,
    pub(super) PhantomData<T>,
);

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Euler<'_, '_, V, T, N, W> {
    /// The kernel's output is a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(plane, StepArgs { model, motion, qacc_warmstart: warm, qacc: found, qfrc_constraint: constraint_forces, .. }, _) =
            self;
        let time = V::splat(model.timestep);
        let mut accelerations = [V::splat(0.0); N];
        accelerations.copy_from_slice(&found[..N]);
        let mut left = 0;
        let damped = plane.fields.damped;
        if damped != 0 {
            let mut matrix = plane.mass;
            for number in 0..N {
                matrix[number][number] = matrix[number][number] + time * plane.fields.damping[number];
            }
            let mut inverse = [V::splat(0.0); N];
            left = factor_i::<T, V, N, W>(&mut matrix, &mut inverse);
            for dof in 0..N {
                accelerations[dof] = plane.qfrc_smooth[dof] + constraint_forces[dof];
            }
            solve_ld::<T, V, N, W>(&matrix, &inverse, &mut accelerations);
            if damped != V::ALL {
                // Lanes without damping integrate the accelerations themselves.
                left &= damped;
                for dof in 0..N {
                    accelerations[dof] = V::select(V::mask(damped), accelerations[dof], found[dof]);
                }
            }
        }
        for dof in 0..N {
            motion.qvel[dof] = motion.qvel[dof] + accelerations[dof] * time;
            warm[dof] = found[dof];
        }
        integrate_pos(model, &mut motion.qpos, &motion.qvel);
        left
    }
}

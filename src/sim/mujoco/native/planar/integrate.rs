//! Semi-implicit Euler integrator for planar robots.

use crate::native::integrate::integrate_pos;
use crate::native::planar::data::{Kernel, StepArgs};
use crate::native::planar::tree::{Tree, factor_i, solve_ld};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel of a semi-implicit Euler step (`mj_Euler`) of planar robots, which advances velocities before positions.
pub(super) struct Euler;

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Kernel<'_, '_, Euler, V, T, N, W> {
    /// The kernel's output is a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(planar, StepArgs { model, data, qacc_warmstart, qacc: qacc_forward, qfrc_constraint, .. }, _) = self;
        let time = V::splat(model.timestep);
        let mut qacc = [V::splat(0.0); N];
        qacc.copy_from_slice(&qacc_forward[..N]);
        let mut fallback = 0;
        let damped = planar.fields.damped;
        if damped != 0 {
            let mut matrix = planar.qm;
            for number in 0..N {
                matrix[number][number] = matrix[number][number] + time * planar.fields.damping[number];
            }
            let mut inverse = [V::splat(0.0); N];
            fallback = factor_i::<T, V, N, W>(&mut matrix, &mut inverse);
            for dof in 0..N {
                qacc[dof] = planar.qfrc_smooth[dof] + qfrc_constraint[dof];
            }
            solve_ld::<T, V, N, W>(&matrix, &inverse, &mut qacc);
            if damped != V::ALL {
                // Lanes without damping integrate the accelerations themselves.
                fallback &= damped;
                for dof in 0..N {
                    qacc[dof] = V::select(V::mask(damped), qacc[dof], qacc_forward[dof]);
                }
            }
        }
        for dof in 0..N {
            data.qvel[dof] = data.qvel[dof] + qacc[dof] * time;
            qacc_warmstart[dof] = qacc_forward[dof];
        }
        integrate_pos(model, &mut data.qpos, &data.qvel);
        fallback
    }
}

//! Semi-implicit Euler integrator for planar robots.

use std::marker::PhantomData;

use super::super::integrate::integrate;
use super::plane::{Plane, Step};
use super::tree::{Tree, factorize, solve};
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// Euler step, as `mj_Euler`: velocities advance before positions.
pub(super) struct Euler<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut Plane<V, N, W>,
    pub(super) &'a mut Step<'b, V>,
    pub(super) PhantomData<T>,
);

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> Work for Euler<'_, '_, V, T, N, W> {
    /// Lanes that have to fall back to MuJoCo, as bits.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(plane, Step { tables, motion, warm, accelerations: found, constraint_forces, .. }, _) = self;
        let time = V::all(tables.timestep);
        let mut accelerations = [V::all(0.0); N];
        accelerations.copy_from_slice(&found[..N]);
        let mut left = 0;
        if tables.has_damping {
            let mut matrix = plane.mass;
            for (number, dof) in tables.dofs.iter().take(N).enumerate() {
                matrix[number][number] = matrix[number][number] + V::all(tables.timestep * dof.damping);
            }
            let mut inverse = [V::all(0.0); N];
            left = factorize::<T, V, N, W>(&mut matrix, &mut inverse);
            for dof in 0..N {
                accelerations[dof] = plane.forces[dof] + constraint_forces[dof];
            }
            solve::<T, V, N, W>(&matrix, &inverse, &mut accelerations);
        }
        for dof in 0..N {
            motion.velocities[dof] = motion.velocities[dof] + accelerations[dof] * time;
            warm[dof] = found[dof];
        }
        integrate(tables, &mut motion.positions, &motion.velocities);
        left
    }
}

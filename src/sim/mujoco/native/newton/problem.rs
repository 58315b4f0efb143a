//! Primal problem of the Newton solver, for models that are not planar.

use super::super::algebra::dot;
use super::super::dialect::Dialect;
use super::super::rows::Constraints;
use super::super::smooth::{NativeData, cost_scale, solve_ld};
use super::super::tables::NativeModel;
use super::factor::update_factor;
use super::{CostAlong, Primal, SolverStats, mul_m, nv};
use envpool_rs_numeric::simd::Float64Lanes;

/// Primal problem over all degrees of freedom and all constraint rows of a model that is not planar.
pub(super) struct PrimalProblem<'a, V: Float64Lanes> {
    pub(super) model: &'a NativeModel,
    pub(super) motion: &'a NativeData<V>,
    pub(super) rows: &'a mut Constraints<V>,
}

impl<V: Float64Lanes> CostAlong<V> for PrimalProblem<'_, V> {
    #[inline(always)]
    fn cost_along(&self, masses: &[V; 3], length: V, dialect: &Dialect) -> [V; 3] {
        self.rows.cost_along(masses, length, dialect)
    }
}

impl<V: Float64Lanes> PrimalProblem<'_, V> {
    pub(super) fn mass(&self) -> &[V] {
        &self.motion.qm[..self.model.m_colind.len()]
    }
}

impl<V: Float64Lanes, const N: usize> Primal<V, N> for PrimalProblem<'_, V> {
    #[inline(always)]
    fn nv(&self) -> usize {
        nv::<N>(self.model)
    }

    #[inline(always)]
    fn lanes(&self) -> u32 {
        self.rows.lanes
    }

    #[inline(always)]
    fn cost_scale(&self) -> V {
        cost_scale(self.model, self.mass(), self.rows.trees)
    }

    #[inline(always)]
    fn mul_m(&self, v: &[V; N]) -> [V; N] {
        mul_m(self.model, self.mass(), v)
    }

    #[inline(always)]
    fn solve_m(&self, x: &mut [V; N]) {
        solve_ld(self.model, &self.motion.qld, &self.motion.qld_diag_inv, &mut x[..nv::<N>(self.model)]);
    }

    #[inline(always)]
    fn dot(&self, a: &[V; N], b: &[V; N]) -> V {
        dot(a, b, nv::<N>(self.model))
    }

    #[inline(always)]
    fn update_jaref(&mut self, accelerations: &[V; N]) {
        let (rows, accelerations) = (&mut *self.rows, &accelerations[..nv::<N>(self.model)]);
        for row in 0..rows.nefc {
            rows.jaref[row] = rows.times(row, accelerations) - rows.efc_aref[row];
        }
    }

    #[inline(always)]
    fn update_jaref_saving(&mut self, accelerations: &[V; N]) {
        let (rows, accelerations) = (&mut *self.rows, &accelerations[..nv::<N>(self.model)]);
        for row in 0..rows.nefc {
            rows.jv[row] = rows.jaref[row];
            rows.jaref[row] = rows.times(row, accelerations) - rows.efc_aref[row];
        }
    }

    #[inline(always)]
    fn restore_jaref(&mut self, but: V::Mask) {
        let rows = &mut *self.rows;
        for row in 0..rows.nefc {
            rows.jaref[row] = V::select(but, rows.jaref[row], rows.jv[row]);
        }
    }

    #[inline(always)]
    fn update_constraint(&mut self) -> V {
        self.rows.cost(&self.model.dialect)
    }

    #[inline(always)]
    fn qfrc_constraint(&self) -> [V; N] {
        self.rows.forces(self.model)
    }

    #[inline(always)]
    fn make_hessian(&self, factor: &mut [[V; N]; N], live: u32) {
        self.rows.hessian(self.model, self.mass(), factor, live);
    }

    #[inline(always)]
    fn hessian_incremental(&mut self, factor: &mut [[V; N]; N], live: u32, stats: &mut SolverStats) {
        let Self { model, motion, rows } = self;
        update_factor(model, rows, &motion.qm[..model.m_colind.len()], factor, live, stats);
    }

    #[inline(always)]
    fn mgrad(&mut self, factor: &[[V; N]; N], gradient: &[V; N], live: u32) -> [V; N] {
        self.rows.solved(factor, gradient, self.model, live)
    }

    #[inline(always)]
    fn prepare(&mut self, direction: &[V; N]) {
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let (rows, from_start) = (&mut *self.rows, self.model.dialect.relative_cost);
        let direction = &direction[..nv::<N>(self.model)];
        for row in 0..rows.nefc {
            let (excess, weight) = (rows.jaref[row], rows.efc_d[row]);
            let step = rows.times(row, direction);
            let force = weight * excess;
            rows.jv[row] = step;
            let cost = excess * force * half;
            if from_start {
                rows.quad[0][row] = V::select(rows.quadratic[row], none, cost);
                rows.quad[3][row] = cost.select_or_zero(rows.quadratic[row]);
            } else {
                rows.quad[0][row] = cost;
            }
            rows.quad[1][row] = step * force;
            rows.quad[2][row] = step * weight * step * half;
        }
        rows.prepare_cones();
    }

    #[inline(always)]
    fn advance(&mut self, length: V) {
        let rows = &mut *self.rows;
        for row in 0..rows.nefc {
            rows.jaref[row] = rows.jaref[row] + rows.jv[row] * length;
            rows.was_active[row] = rows.quadratic[row];
        }
    }
}

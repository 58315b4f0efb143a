//! Primal problem of the Newton solver, for models that are not planar.

use super::super::algebra::dot;
use super::super::rows::Constraints;
use super::super::smooth::{NativeData, cost_scale, solve_ld};
use super::super::tables::NativeModel;
use super::cone_rows::Mgrad;
use super::factor::{MakeHessian, UpdateFactor};
use super::row_kernels::{Forces, Prepare, UpdateJaref};
use super::vectors::MulM;
use super::{Primal, SolverStats};
use envpool_rs_numeric::simd::Float64Lanes;

/// Primal problem over all degrees of freedom and all constraint rows of a model that is not planar.
pub(super) struct PrimalProblem<'a, V: Float64Lanes> {
    pub(super) model: &'a NativeModel,
    pub(super) motion: &'a NativeData<V>,
    pub(super) rows: &'a mut Constraints<V>,
    /// Cholesky factor of the Hessian, row by row.
    pub(super) factor: &'a mut Vec<V>,
}

impl<V: Float64Lanes> PrimalProblem<'_, V> {
    /// Returns the number of degrees of freedom. The bound `N`, which no model exceeds, tells the compiler that indices of arrays of
    /// `N` elements are valid.
    #[inline(always)]
    pub(super) fn count<const N: usize>(&self) -> usize {
        self.model.dofs.len().min(N)
    }

    pub(super) fn mass(&self) -> &[V] {
        &self.motion.qm[..self.model.m_colind.len()]
    }
}

impl<V: Float64Lanes, const N: usize> Primal<V, N> for PrimalProblem<'_, V> {
    type Rows = Constraints<V>;

    #[inline(always)]
    fn rows(&self) -> &Constraints<V> {
        self.rows
    }

    #[inline(always)]
    fn nv(&self) -> usize {
        self.count::<N>()
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
    fn mul_m(&self, v: &[V; N], product: &mut [V; N]) {
        let n = self.count::<N>();
        V::enter(MulM { model: self.model, mass: self.mass(), v: &v[..n], to: &mut product[..n] });
    }

    #[inline(always)]
    fn solve_m(&self, x: &mut [V; N]) {
        solve_ld(self.model, &self.motion.qld, &self.motion.qld_diag_inv, &mut x[..self.count::<N>()]);
    }

    #[inline(always)]
    fn dot(&self, a: &[V; N], b: &[V; N]) -> V {
        dot(a, b, self.count::<N>())
    }

    #[inline(always)]
    fn update_jaref(&mut self, accelerations: &[V; N]) {
        let accelerations = &accelerations[..self.count::<N>()];
        V::enter(UpdateJaref { rows: self.rows, accelerations, saves: false });
    }

    #[inline(always)]
    fn update_jaref_saving(&mut self, accelerations: &[V; N]) {
        let accelerations = &accelerations[..self.count::<N>()];
        V::enter(UpdateJaref { rows: self.rows, accelerations, saves: true });
    }

    #[inline(always)]
    fn restore_jaref(&mut self, but: V::Mask) {
        let count = self.rows.nefc;
        for (jaref, saved) in self.rows.jaref[..count].iter_mut().zip(&self.rows.jv) {
            *jaref = V::select(but, *jaref, *saved);
        }
    }

    #[inline(always)]
    fn update_constraint(&mut self) -> V {
        self.rows.cost(&self.model.dialect)
    }

    #[inline(always)]
    fn qfrc_constraint(&self, forces: &mut [V; N]) {
        V::enter(Forces { rows: self.rows, model: self.model, to: &mut forces[..self.count::<N>()] });
    }

    #[inline(always)]
    fn make_hessian(&mut self, live: u32) {
        let Self { model, motion, rows, factor } = self;
        V::enter(MakeHessian { rows, model, mass: &motion.qm, hessian: factor, live });
    }

    #[inline(always)]
    fn hessian_incremental(&mut self, live: u32, stats: &mut SolverStats) {
        let Self { model, motion, rows, factor } = self;
        V::enter(UpdateFactor { rows, model, mass: &motion.qm, factor, live, stats });
    }

    #[inline(always)]
    fn mgrad(&mut self, gradient: &[V; N], step: &mut [V; N], live: u32) {
        let n = self.count::<N>();
        step[..n].copy_from_slice(&gradient[..n]);
        V::enter(Mgrad { rows: self.rows, model: self.model, factor: self.factor, x: &mut step[..n], live });
    }

    #[inline(always)]
    fn prepare(&mut self, direction: &[V; N]) {
        let direction = &direction[..self.count::<N>()];
        V::enter(Prepare { rows: self.rows, direction, from_start: self.model.dialect.relative_cost });
    }

    #[inline(always)]
    fn advance(&mut self, length: V) {
        let rows = &mut *self.rows;
        let count = rows.nefc;
        for (jaref, jv) in rows.jaref[..count].iter_mut().zip(&rows.jv) {
            *jaref = *jaref + *jv * length;
        }
        rows.was_active[..count].copy_from_slice(&rows.quadratic[..count]);
    }
}

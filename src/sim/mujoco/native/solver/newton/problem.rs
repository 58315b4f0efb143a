//! Primal problem of the Newton solver, for models that are not planar.

use crate::native::constraint::Constraints;
use crate::native::mju::dot;
use crate::native::model::NativeModel;
use crate::native::smooth::{NativeData, cost_scale, solve_ld};
use crate::native::solver::newton::hessian::{HessianIncremental, MakeHessian};
use crate::native::solver::newton::mgrad::UpdateGradient;
use crate::native::solver::newton::row_kernels::{MulJacTVec, PrimalPrepare, UpdateJaref};
use crate::native::solver::newton::vectors::MulM;
use crate::native::solver::newton::{Primal, SolverStats};
use envpool_rs_numeric::simd::Float64Lanes;

/// Primal problem over all degrees of freedom and all constraint rows of a model that is not planar.
pub(super) struct PrimalProblem<'a, V: Float64Lanes> {
    pub(super) model: &'a NativeModel,
    pub(super) data: &'a NativeData<V>,
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

    pub(super) fn qm(&self) -> &[V] {
        &self.data.qm[..self.model.m_colind.len()]
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
        cost_scale(self.model, self.qm(), self.rows.trees)
    }

    #[inline(always)]
    fn mul_m(&self, v: &[V; N], product: &mut [V; N]) {
        let n = self.count::<N>();
        V::enter(MulM { model: self.model, qm: self.qm(), v: &v[..n], product: &mut product[..n] });
    }

    #[inline(always)]
    fn solve_m(&self, x: &mut [V; N]) {
        solve_ld(self.model, &self.data.qld, &self.data.qld_diag_inv, &mut x[..self.count::<N>()]);
    }

    #[inline(always)]
    fn dot(&self, a: &[V; N], b: &[V; N]) -> V {
        dot(a, b, self.count::<N>())
    }

    #[inline(always)]
    fn update_jaref(&mut self, qacc: &[V; N]) {
        let qacc = &qacc[..self.count::<N>()];
        V::enter(UpdateJaref { rows: self.rows, qacc, saves: false });
    }

    #[inline(always)]
    fn update_jaref_saving(&mut self, qacc: &[V; N]) {
        let qacc = &qacc[..self.count::<N>()];
        V::enter(UpdateJaref { rows: self.rows, qacc, saves: true });
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
    fn qfrc_constraint(&self, qfrc_constraint: &mut [V; N]) {
        V::enter(MulJacTVec { rows: self.rows, model: self.model, to: &mut qfrc_constraint[..self.count::<N>()] });
    }

    #[inline(always)]
    fn make_hessian(&mut self, live: u32) {
        let Self { model, data, rows, factor } = self;
        V::enter(MakeHessian { rows, model, qm: &data.qm, hessian: factor, live });
    }

    #[inline(always)]
    fn hessian_incremental(&mut self, live: u32, stats: &mut SolverStats) {
        let Self { model, data, rows, factor } = self;
        V::enter(HessianIncremental { rows, model, qm: &data.qm, factor, live, stats });
    }

    #[inline(always)]
    fn mgrad(&mut self, grad: &[V; N], mgrad: &mut [V; N], live: u32) {
        let n = self.count::<N>();
        mgrad[..n].copy_from_slice(&grad[..n]);
        V::enter(UpdateGradient { rows: self.rows, model: self.model, factor: self.factor, x: &mut mgrad[..n], live });
    }

    #[inline(always)]
    fn prepare(&mut self, search: &[V; N]) {
        let search = &search[..self.count::<N>()];
        V::enter(PrimalPrepare { rows: self.rows, search, relative_cost: self.model.dialect.relative_cost });
    }

    #[inline(always)]
    fn advance(&mut self, alpha: V) {
        let rows = &mut *self.rows;
        let count = rows.nefc;
        for (jaref, jv) in rows.jaref[..count].iter_mut().zip(&rows.jv) {
            *jaref = *jaref + *jv * alpha;
        }
        rows.was_quadratic[..count].copy_from_slice(&rows.quadratic[..count]);
    }
}

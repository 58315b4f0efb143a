//! Newton solver for planar robots: the method of [`crate::native::solver::newton`], along kinematic trees that are known at compile time.

mod rows;

use std::marker::PhantomData;

use crate::native::mju::{dot as dot_first, first};
use crate::native::model::NativeModel;
use crate::native::planar::constraint::{EqualRows, FrictionlessContact, PlanarConstraints, RowId, RowState, each_row};
use crate::native::planar::data::Kernel;
use crate::native::planar::tree::{Matrix, Tree, dot, dot_leg, each, mul_m, solve_ld};
use crate::native::solver::hessian::{ROWS_AT_ONCE, chol_updates};
use crate::native::solver::newton::{Primal, SolverStats, Start, sol_primal};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel of the Newton solver (`mj_solNewton`) for planar robots.
pub(super) struct Newton;

impl<V: Float64Lanes> RowState<V> {
    #[inline(always)]
    fn cost(&mut self, efc_d: V) -> V {
        self.quadratic = self.jaref.lt(V::splat(0.0));
        (V::splat(0.5) * efc_d * self.jaref * self.jaref).select_or_zero(self.quadratic)
    }

    #[inline(always)]
    pub(super) fn force(&self, efc_d: V) -> V {
        (-efc_d * self.jaref).select_or_zero(self.quadratic)
    }

    /// Prepares the constraint row for a line search: sets `Jv` and the coefficients of the row's cost along the search line.
    #[inline(always)]
    fn prepare(&mut self, step: V, efc_d: V, relative_cost: bool) {
        let half = V::splat(0.5);
        let force = efc_d * self.jaref;
        let cost = self.jaref * force * half;
        self.jv = step;
        if relative_cost {
            self.quad[0] = V::select(self.quadratic, V::splat(0.0), cost);
            self.quad[3] = cost.select_or_zero(self.quadratic);
        } else {
            self.quad[0] = cost;
        }
        self.quad[1] = step * force;
        self.quad[2] = step * efc_d * step * half;
    }

    #[inline(always)]
    fn advance(&mut self, alpha: V) {
        self.jaref = self.jaref + self.jv * alpha;
        self.was_quadratic = self.quadratic;
    }
}

/// Partial sums of the cost along a search line and of the cost's derivatives, as in `PrimalEval`.
struct Along<V> {
    alpha: V,
    sums: [V; 3],
    cost_dif: V,
}

impl<V: Float64Lanes> Along<V> {
    /// Adds the cost of a constraint row, and the cost's derivatives, to the sums; adds them twice if `is_twice` is set.
    #[inline(always)]
    fn add(&mut self, line: &RowState<V>, relative_cost: bool, is_twice: bool) {
        let none = V::splat(0.0);
        let is_active = (line.jaref + self.alpha * line.jv).lt(none);
        let parts = [
            line.quad[0].select_or_zero(is_active),
            line.quad[1].select_or_zero(is_active),
            line.quad[2].select_or_zero(is_active),
        ];
        let saved = V::select(is_active, none, line.quad[3]);
        self.add_parts(parts, saved, relative_cost);
        if is_twice {
            self.add_parts(parts, saved, relative_cost);
        }
    }

    #[inline(always)]
    fn add_parts(&mut self, parts: [V; 3], saved: V, relative_cost: bool) {
        self.sums = [self.sums[0] + parts[0], self.sums[1] + parts[1], self.sums[2] + parts[2]];
        if relative_cost {
            self.cost_dif = self.cost_dif - saved;
        }
    }
}

/// Solves a system as `mju_cholSolve` does; the back substitution runs column by column since MuJoCo 4.0.
#[inline(always)]
fn chol_solve<V: Float64Lanes, const N: usize>(factor: &Matrix<V, N>, right: &[V; N], by_columns: bool) -> [V; N] {
    let mut x = *right;
    each!(I < N, {
        if I > 0 {
            x[I] = x[I] - dot_first(&factor[I], &x, I);
        }
        x[I] = x[I] / factor[I][I];
    });
    if by_columns {
        each!(I downwards from N, {
            x[I] = x[I] / factor[I][I];
            for j in 0..I {
                x[j] = x[j] - factor[I][j] * x[I];
            }
        });
    } else {
        each!(I downwards from N, {
            for j in I + 1..N {
                x[I] = x[I] - factor[j][I] * x[j];
            }
            x[I] = x[I] / factor[I][I];
        });
    }
    x
}

/// Primal problem of a planar robot, over all its degrees of freedom and constraint rows.
struct PlanarProblem<'a, V: Float64Lanes, T, const N: usize, const W: usize> {
    model: &'a NativeModel,
    qm: &'a Matrix<V, N>,
    factor: &'a Matrix<V, N>,
    inverse: &'a [V; N],
    rows: &'a mut PlanarConstraints<V, W>,
    /// Cholesky factor of the Hessian.
    hessian: Matrix<V, N>,
    tree: PhantomData<T>,
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> Primal<V, N> for PlanarProblem<'_, V, T, N, W> {
    type Rows = PlanarConstraints<V, W>;

    #[inline(always)]
    fn rows(&self) -> &PlanarConstraints<V, W> {
        self.rows
    }

    #[inline(always)]
    fn nv(&self) -> usize {
        N
    }

    #[inline(always)]
    fn lanes(&self) -> u32 {
        self.rows.lanes
    }

    #[inline(always)]
    fn cost_scale(&self) -> V {
        cost_scale(self.model, self.qm)
    }

    #[inline(always)]
    fn mul_m(&self, v: &[V; N], product: &mut [V; N]) {
        *product = mul_m::<T, V, N, W>(self.qm, v);
    }

    #[inline(always)]
    fn solve_m(&self, x: &mut [V; N]) {
        solve_ld::<T, V, N, W>(self.factor, self.inverse, x);
    }

    #[inline(always)]
    fn dot(&self, a: &[V; N], b: &[V; N]) -> V {
        dot(a, b)
    }

    #[inline(always)]
    fn update_jaref(&mut self, qacc: &[V; N]) {
        self.rows.update_jaref::<T, N>(qacc);
    }

    #[inline(always)]
    fn update_jaref_saving(&mut self, qacc: &[V; N]) {
        self.rows.save_jaref();
        self.rows.update_jaref::<T, N>(qacc);
    }

    #[inline(always)]
    fn restore_jaref(&mut self, but: V::Mask) {
        self.rows.restore_jaref(but);
    }

    #[inline(always)]
    fn update_constraint(&mut self) -> V {
        self.rows.constraint_update()
    }

    #[inline(always)]
    fn qfrc_constraint(&self, qfrc_constraint: &mut [V; N]) {
        *qfrc_constraint = self.rows.qfrc_constraint::<T, N>();
    }

    #[inline(always)]
    fn make_hessian(&mut self, live: u32) {
        self.rows.make_hessian::<T, N>(self.model, self.qm, &mut self.hessian, live);
    }

    #[inline(always)]
    fn hessian_incremental(&mut self, live: u32, stats: &mut SolverStats) {
        hessian_incremental::<V, T, N, W>(self.model, self.rows, self.qm, &mut self.hessian, live, stats);
    }

    #[inline(always)]
    fn mgrad(&mut self, grad: &[V; N], step: &mut [V; N], _live: u32) {
        *step = chol_solve(&self.hessian, grad, self.model.dialect.solves_by_columns);
    }

    #[inline(always)]
    fn prepare(&mut self, search: &[V; N]) {
        let (rows, relative_cost) = (&mut *self.rows, self.model.dialect.relative_cost);
        for limit in &mut rows.limits {
            limit.line.prepare(limit.sign * search[limit.dof], limit.efc_d, relative_cost);
        }
        for contact in &mut rows.contacts {
            each_row!(contact, |ROW, _is_twice| {
                let step = dot_leg::<T, V, N, W>(contact.leg, &contact.efc_j[ROW], search);
                contact.lines[ROW].prepare(step, contact.efc_d, relative_cost);
            });
        }
        for FrictionlessContact { leg, efc_j: jacobian, efc_d, line, .. } in &mut rows.singles {
            line.prepare(dot_leg::<T, V, N, W>(*leg, jacobian, search), *efc_d, relative_cost);
        }
    }

    #[inline(always)]
    fn advance(&mut self, alpha: V) {
        self.rows.advance(alpha);
    }
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Kernel<'_, '_, Newton, V, T, N, W> {
    /// Bit mask of the lanes in which MuJoCo's solver would warn, which MuJoCo must step.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(planar, step, _) = self;
        let model = step.model;
        let (qacc_smooth, qfrc_smooth, qacc_warmstart): ([V; N], [V; N], [V; N]) =
            (planar.qacc_smooth, planar.qfrc_smooth, first(step.qacc_warmstart));
        let (qm, factor, inverse) = (&planar.qm, &planar.qld, &planar.qld_diag_inv);
        let hessian = [[V::splat(0.0); N]; N];
        let mut problem = PlanarProblem { model, qm, factor, inverse, rows: &mut planar.rows, hessian, tree: PhantomData::<T> };
        let start = Start {
            qfrc_smooth: &qfrc_smooth,
            qacc_warmstart: &qacc_warmstart,
            qacc_smooth: &qacc_smooth,
            skips_warmstart: false,
        };
        let (solution, qfrc_constraint, fallback) = sol_primal(&mut problem, model, start, step.stats);
        let lanes = V::mask(planar.rows.lanes);
        for i in 0..N {
            step.qacc[i] = V::select(lanes, solution[i], qacc_smooth[i]);
            step.qfrc_constraint[i] = qfrc_constraint[i].select_or_zero(lanes);
        }
        fallback
    }
}

/// Returns the scale of changes of the cost: `1 / (meaninertia * nv)`, or `1 / trace(M)` since MuJoCo 3.17.
#[inline(always)]
fn cost_scale<V: Float64Lanes, const N: usize>(model: &NativeModel, qm: &Matrix<V, N>) -> V {
    if !model.has_islands && !model.dialect.scale_by_trace {
        return V::splat(1.0 / (model.meaninertia * N as f64));
    }
    let mut sum = V::splat(0.0);
    for dof in 0..N {
        sum = sum + qm[dof][dof];
    }
    V::splat(1.0) / sum
}

/// Updates the factor as `HessianIncremental` does: in each iteration, each lane processes its next changed row.
#[inline(always)]
fn hessian_incremental<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    model: &NativeModel,
    rows: &mut PlanarConstraints<V, W>,
    qm: &Matrix<V, N>,
    factor: &mut Matrix<V, N>,
    live: u32,
    stats: &mut SolverStats,
) {
    let PlanarConstraints { limits, contacts, singles, changed, .. } = rows;
    changed.iter_mut().for_each(Vec::clear);
    let mut note = |line: &RowState<V>, number: RowId| {
        let mut left = live & V::bits(V::mask_xor(line.was_quadratic, line.quadratic));
        while left != 0 {
            changed[left.trailing_zeros() as usize].push(number);
            left &= left - 1;
        }
    };
    for (at, limit) in limits.iter().enumerate() {
        note(&limit.line, RowId::Limit(at as u16));
    }
    for (at, contact) in contacts.iter().enumerate() {
        let [second, last] = [EqualRows::First, EqualRows::Last].map(|equal| usize::from(contact.equal_rows != equal));
        for row in [0, second, 2, 2 + last] {
            note(&contact.lines[row], RowId::Contact(at as u16, row as u16));
        }
    }
    for (at, single) in singles.iter().enumerate() {
        note(&single.line, RowId::Single(at as u16));
    }
    let (mut lost, mut next, mut is_done) = (0, 0, false);
    let (mut xs, mut own_lanes, mut own_adds) =
        ([[V::splat(0.0); N]; ROWS_AT_ONCE], [V::mask(0); ROWS_AT_ONCE], [V::mask(0); ROWS_AT_ONCE]);
    let mut count = 0;
    while !is_done {
        let (mut lanes, mut adds, mut efc_d, mut x) = (0, V::mask(0), V::splat(0.0), [V::splat(0.0); N]);
        for lane in 0..V::COUNT {
            let Some(number) = changed[lane].get(next) else { continue };
            if lanes >> lane & 1 != 0 {
                continue;
            }
            let mut own = 0;
            for other in lane..V::COUNT {
                own |= u32::from(changed[other].get(next) == Some(number)) << other;
            }
            lanes |= own;
            let own = V::mask(own);
            let line = match *number {
                RowId::Limit(at) => {
                    let limit = &limits[usize::from(at)];
                    efc_d = V::select(own, limit.efc_d, efc_d);
                    x[limit.dof] = V::select(own, limit.sign, x[limit.dof]);
                    &limit.line
                }
                RowId::Contact(at, row) => {
                    let contact = &contacts[usize::from(at)];
                    efc_d = V::select(own, contact.efc_d, efc_d);
                    let row = usize::from(row);
                    let leg = if T::LEGS.len() == 1 { 0 } else { contact.leg };
                    each!(K < W, {
                        let to = &mut x[T::LEGS[leg][K]];
                        *to = V::select(own, contact.efc_j[row][K], *to);
                    });
                    &contact.lines[row]
                }
                RowId::Single(at) => {
                    let single = &singles[usize::from(at)];
                    efc_d = V::select(own, single.efc_d, efc_d);
                    for (dof, value) in T::LEGS[single.leg].iter().zip(&single.efc_j) {
                        x[*dof] = V::select(own, *value, x[*dof]);
                    }
                    &single.line
                }
            };
            adds = V::mask_or(adds, V::mask_and(own, line.quadratic));
        }
        is_done = lanes == 0;
        stats.updates[0] += u64::from(u32::count_ones(lanes));
        let root = efc_d.sqrt();
        for part in &mut x {
            *part = *part * root;
        }
        if !is_done {
            (xs[count], own_lanes[count], own_adds[count]) = (x, V::mask(lanes), adds);
            count += 1;
        }
        if is_done || count == ROWS_AT_ONCE {
            lost |= chol_updates(factor, (N, &mut xs[..count]), &own_lanes[..count], &own_adds[..count]);
            count = 0;
        }
        next += 1;
    }
    if lost != 0 {
        stats.updates[1] += u64::from(lost.count_ones());
        let mut hessian = [[V::splat(0.0); N]; N];
        rows.make_hessian::<T, N>(model, qm, &mut hessian, lost);
        let lanes = V::mask(lost);
        for i in 0..N {
            for k in 0..=i {
                factor[i][k] = V::select(lanes, hessian[i][k], factor[i][k]);
            }
        }
    }
}

//! `mj_solNewton`: Newton's method on the primal problem, with MuJoCo's exact results in each lane.

use crate::native::constraint::Constraints;
use crate::native::data::NativeData;
use crate::native::inertia::{mul_m, solve_ld};
use crate::native::mju::{MJMINVAL, dot};
use crate::native::model::{MAX_NV, NativeModel};
use crate::native::outlined::outlined;
use crate::native::solver::constraint_update::{mul_jac_t_vec, primal_prepare, update_jaref};
use crate::native::solver::cost_scale;
use crate::native::solver::hessian::{hessian_incremental, make_hessian, update_gradient};
use crate::native::solver::line_search::{LineCost, PrimalSearch};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel of the Newton solver (`mj_solNewton`) for up to `N` degrees of freedom.
pub(in crate::native) struct Newton<'a, V: Float64Lanes, const N: usize> {
    pub(in crate::native) model: &'a NativeModel,
    pub(in crate::native) data: &'a NativeData<V>,
    pub(in crate::native) rows: &'a mut Constraints<V>,
    pub(in crate::native) qacc_warmstart: &'a [V; MAX_NV],
    /// Whether the solver starts from `qacc_warmstart` without comparing its cost with that of `qacc_smooth`.
    pub(in crate::native) skips_warmstart: bool,
    pub(in crate::native) qacc: &'a mut [V; MAX_NV],
    pub(in crate::native) qfrc_constraint: &'a mut [V; MAX_NV],
    pub(in crate::native) stats: &'a mut SolverStats,
}

/// Operations of a primal problem that the Newton solver minimizes, for up to `N` degrees of freedom.
pub(in crate::native) trait Primal<V: Float64Lanes, const N: usize> {
    /// Type of the constraint rows.
    type Rows: LineCost<V>;
    /// Returns the constraint rows.
    fn rows(&self) -> &Self::Rows;
    /// Returns the number of degrees of freedom, at most `N`.
    fn nv(&self) -> usize;
    /// Returns a bit mask of the lanes that have constraint rows.
    fn lanes(&self) -> u32;
    /// Returns the factor by which the change of the cost is multiplied before it is compared with the tolerance.
    fn cost_scale(&self) -> V;
    /// Multiplies the inertia matrix by the vector `v`, as `mj_mulM` does.
    fn mul_m(&self, v: &[V; N], product: &mut [V; N]);
    /// Solves a system with the inertia matrix in place, as `mj_solveM` does.
    fn solve_m(&self, x: &mut [V; N]);
    /// Returns MuJoCo's dense dot product, `mju_dot`.
    fn dot(&self, a: &[V; N], b: &[V; N]) -> V;
    /// Computes `Jaref = J * qacc - aref` of all rows for the given accelerations.
    fn update_jaref(&mut self, qacc: &[V; N]);
    /// Computes `Jaref` of all rows for the given accelerations, and saves the previous values of `Jaref`.
    fn update_jaref_saving(&mut self, qacc: &[V; N]);
    /// Restores the saved `Jaref` of all rows, except in the lanes of the mask `but`.
    fn restore_jaref(&mut self, but: V::Mask);
    /// As `Constraints::cost`: determines the active rows, and returns the cost of all rows.
    fn update_constraint(&mut self) -> V;
    /// Computes the constraint force along each degree of freedom (`qfrc_constraint`).
    fn qfrc_constraint(&self, qfrc_constraint: &mut [V; N]);
    /// Computes the Cholesky factor of the Hessian in the lanes of the bit mask `live`, as `MakeHessian` and `FactorizeHessian`
    /// do. The problem keeps the factor.
    fn make_hessian(&mut self, live: u32);
    /// Updates the factored Hessian for rows that became active or inactive, as `HessianIncremental` does.
    fn hessian_incremental(&mut self, live: u32, stats: &mut SolverStats);
    /// Computes `Mgrad`, the inverse Hessian times the gradient, as `PrimalUpdateGradient` does.
    fn mgrad(&mut self, grad: &[V; N], mgrad: &mut [V; N], live: u32);
    /// Prepares the line search along a direction, as `PrimalPrepare` does: computes `Jv`, and each row's cost as a quadratic
    /// polynomial in the step length.
    fn prepare(&mut self, search: &[V; N]);
    /// Adds `alpha * Jv` to `Jaref` of all constraint rows, which moves the solver's point along the search direction.
    fn advance(&mut self, alpha: V);
}

/// Inputs of the Newton solver: `qfrc_smooth`, and the candidates for its initial accelerations.
pub(in crate::native) struct Start<'a, V, const N: usize> {
    pub(in crate::native) qfrc_smooth: &'a [V; N],
    pub(in crate::native) qacc_warmstart: &'a [V; N],
    pub(in crate::native) qacc_smooth: &'a [V; N],
    /// Whether the solver starts from `qacc_warmstart` without comparing its cost with that of `qacc_smooth`.
    pub(in crate::native) skips_warmstart: bool,
}

/// Minimizes the primal cost, as `mj_solPrimal` does. Returns `qacc`, `qfrc_constraint`, and a bit mask of the lanes in which MuJoCo
/// would warn.
#[inline(always)]
pub(in crate::native) fn sol_primal<V: Float64Lanes, const N: usize, P: Primal<V, N>>(
    problem: &mut P,
    model: &NativeModel,
    start: Start<'_, V, N>,
    stats: &mut SolverStats,
) -> ([V; N], [V; N], u32) {
    let Start { qfrc_smooth, qacc_warmstart, qacc_smooth, skips_warmstart } = start;
    let (none, dialect, n) = (V::splat(0.0), &model.dialect, problem.nv());
    problem.update_jaref(qacc_warmstart);
    let (mut ma, mut mv) = ([none; N], [none; N]);
    problem.mul_m(qacc_warmstart, &mut ma);
    let mut qacc = *qacc_warmstart;
    // The solver starts from `qacc_warmstart` or `qacc_smooth`, whichever costs less (`warmstart`).
    if !skips_warmstart {
        let rows_cost = problem.update_constraint();
        let warmstart_cost = if dialect.warmstart_by_mass {
            let apart = without(qacc_warmstart, qacc_smooth);
            problem.mul_m(&apart, &mut mv);
            rows_cost + V::splat(0.5) * problem.dot(&apart, &mv)
        } else {
            add_gauss_cost(rows_cost, n, [&ma, qfrc_smooth], [qacc_warmstart, qacc_smooth])
        };
        problem.update_jaref_saving(qacc_smooth);
        let is_smooth = warmstart_cost.gt(problem.update_constraint());
        for i in 0..n {
            qacc[i] = V::select(is_smooth, qacc_smooth[i], qacc_warmstart[i]);
        }
        if V::bits(is_smooth) != V::ALL {
            problem.restore_jaref(is_smooth);
        }
        if V::any(is_smooth) {
            problem.mul_m(&qacc, &mut ma);
        }
    }
    let rows_cost = problem.update_constraint();
    let mut qfrc_constraint = [none; N];
    problem.qfrc_constraint(&mut qfrc_constraint);
    let mut gauss_cost = add_gauss_cost(none, n, [&ma, qfrc_smooth], [&qacc, qacc_smooth]);
    let mut cost = rows_cost + gauss_cost;
    let mut grad = [none; N];
    for i in 0..n {
        grad[i] = ma[i] - qfrc_smooth[i] - qfrc_constraint[i];
    }
    let scale = problem.cost_scale();
    let mut live = problem.lanes();
    let tolerance = V::splat(model.tolerance);
    let mut is_level = V::mask(0);
    if dialect.relative_cost {
        is_level = (scale * problem.dot(&grad, &grad).sqrt()).lt(tolerance);
        let mut mgrad = grad;
        problem.solve_m(&mut mgrad);
        live &= !V::bits(V::mask_and(is_level, decrement(problem.dot(&grad, &mgrad), scale).lt(tolerance)));
    }
    let mut search = [none; N];
    if live != 0 {
        problem.make_hessian(live);
        problem.mgrad(&grad, &mut search, live);
        if dialect.relative_cost {
            live &= !V::bits(V::mask_and(is_level, decrement(problem.dot(&grad, &search), scale).lt(tolerance)));
        }
        negate(&mut search, n);
    }
    let (mut iteration, mut fallback) = (0, 0);
    while iteration < model.iterations && live != 0 {
        let snorm = problem.dot(&search, &search).sqrt();
        let is_short = snorm.lt(V::splat(MJMINVAL));
        let search_tolerance = V::splat(model.tolerance * model.ls_tolerance) * snorm / scale;
        problem.mul_m(&search, &mut mv);
        let slope = problem.dot(&search, &ma) - problem.dot(qfrc_smooth, &search);
        let bend = V::splat(0.5) * problem.dot(&search, &mv);
        problem.prepare(&search);
        let searching = V::mask(live & !V::bits(is_short));
        let gauss_start = if dialect.relative_cost { none } else { gauss_cost };
        let quad_gauss = [gauss_start, slope, bend];
        let (mut alpha, cost_dif, warned) = V::enter(PrimalSearch {
            model,
            rows: problem.rows(),
            quad_gauss,
            tolerance: search_tolerance,
            lanes: searching,
            stats,
        });
        fallback |= warned;
        alpha = alpha.select_or_zero(searching);
        live &= V::bits(alpha.ne(none));
        if live == 0 {
            break;
        }
        // The mask `going` excludes finished lanes, because adding 0 to their `qacc` could change the sign of a zero.
        let going = V::mask(live);
        for i in 0..n {
            qacc[i] = V::select(going, qacc[i] + search[i] * alpha, qacc[i]);
            ma[i] = ma[i] + mv[i] * alpha;
        }
        problem.advance(alpha);
        let old_cost = cost;
        let rows_cost = problem.update_constraint();
        problem.qfrc_constraint(&mut qfrc_constraint);
        gauss_cost = add_gauss_cost(none, n, [&ma, qfrc_smooth], [&qacc, qacc_smooth]);
        cost = rows_cost + gauss_cost;
        for i in 0..n {
            grad[i] = ma[i] - qfrc_smooth[i] - qfrc_constraint[i];
        }
        let is_little = if dialect.relative_cost {
            let improvement = scale * cost_dif;
            V::mask_and(none.lt(improvement), improvement.lt(tolerance))
        } else {
            (scale * (old_cost - cost)).lt(tolerance)
        };
        let steepness = scale * problem.dot(&grad, &grad).sqrt();
        iteration += 1;
        live &= !V::bits(V::mask_or(is_little, steepness.lt(tolerance)));
        if live == 0 || iteration >= model.iterations {
            break;
        }
        problem.hessian_incremental(live, stats);
        problem.mgrad(&grad, &mut search, live);
        if dialect.relative_cost {
            live &= !V::bits(decrement(problem.dot(&grad, &search), scale).lt(tolerance));
            if live == 0 {
                break;
            }
        }
        negate(&mut search, n);
    }
    (qacc, qfrc_constraint, fallback)
}

impl<V: Float64Lanes, const N: usize> SimdKernel for Newton<'_, V, N> {
    /// Bit mask of the lanes in which MuJoCo's solver would warn, which MuJoCo must step.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { model, data, rows, qacc_warmstart, skips_warmstart, qacc, qfrc_constraint, stats } = self;
        let (qfrc_smooth, qacc_warmstart, qacc_smooth) = (head(&data.qfrc_smooth), head(qacc_warmstart), head(&data.qacc_smooth));
        let start = Start { qfrc_smooth, qacc_warmstart, qacc_smooth, skips_warmstart };
        let mut factor = std::mem::take(&mut rows.memory.factor);
        let mut problem = PrimalProblem::<V> { model, data, rows, factor: &mut factor };
        let (solution, constraint_forces, fallback) = sol_primal::<V, N, _>(&mut problem, model, start, stats);
        let n = problem.count::<N>();
        rows.memory.factor = factor;
        rows.count_zones(&mut stats.zones);
        let lanes = V::mask(rows.lanes);
        for i in 0..n {
            qacc[i] = V::select(lanes, solution[i], qacc_smooth[i]);
            qfrc_constraint[i] = constraint_forces[i].select_or_zero(lanes);
        }
        fallback
    }
}

/// Returns the first `N` elements of an array with an element for each degree of freedom.
#[inline(always)]
fn head<V, const N: usize>(values: &[V; MAX_NV]) -> &[V; N] {
    values.first_chunk().expect("no instance is larger than MAX_NV")
}

/// Returns the scaled Newton decrement: the improvement of a Newton step if the cost were quadratic. `product` is the dot
/// product of the gradient and `Mgrad`.
#[inline(always)]
fn decrement<V: Float64Lanes>(product: V, scale: V) -> V {
    V::splat(0.0).larger(V::splat(0.5) * scale * product)
}

/// Primal problem over all degrees of freedom and all constraint rows of a model that is not planar (`mjPrimalContext`,
/// whose inputs `PrimalPointers` sets).
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
        multiply_m(self.model, self.qm(), &v[..n], &mut product[..n]);
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
        update_jaref(self.rows, qacc, false);
    }

    #[inline(always)]
    fn update_jaref_saving(&mut self, qacc: &[V; N]) {
        let qacc = &qacc[..self.count::<N>()];
        update_jaref(self.rows, qacc, true);
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
        mul_jac_t_vec(self.rows, self.model, &mut qfrc_constraint[..self.count::<N>()]);
    }

    #[inline(always)]
    fn make_hessian(&mut self, live: u32) {
        let Self { model, data, rows, factor } = self;
        make_hessian(rows, model, &data.qm, factor, live);
    }

    #[inline(always)]
    fn hessian_incremental(&mut self, live: u32, stats: &mut SolverStats) {
        let Self { model, data, rows, factor } = self;
        hessian_incremental(rows, model, &data.qm, factor, live, stats);
    }

    #[inline(always)]
    fn mgrad(&mut self, grad: &[V; N], mgrad: &mut [V; N], live: u32) {
        let n = self.count::<N>();
        mgrad[..n].copy_from_slice(&grad[..n]);
        update_gradient(self.rows, self.model, self.factor, &mut mgrad[..n], live);
    }

    #[inline(always)]
    fn prepare(&mut self, search: &[V; N]) {
        let search = &search[..self.count::<N>()];
        primal_prepare(self.rows, search, self.model.dialect.relative_cost);
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

/// Event counters of the Newton solver, which tests read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::native) struct SolverStats {
    /// Number of updates of the factored Hessian (`mju_cholUpdate`), and the number of these updates after which the factor
    /// no longer had full rank.
    pub(in crate::native) updates: [u64; 2],
    /// Number of line searches that needed more than their first step.
    pub(in crate::native) searches: u64,
    /// Number of constraint rows in each zone when the solver ended: elliptic cones in the top, middle and bottom zone; friction
    /// loss at its lower bound, at its upper bound and in between.
    pub(in crate::native) zones: [u64; 6],
    /// Number of constraint islands that were solved in a single lane, without SIMD.
    pub(in crate::native) single_lanes: u64,
    /// Number of lanes in which all contacts of MuJoCo were searched, because contacts of two geoms were uncertain.
    pub(in crate::native) searched_lanes: u64,
}

impl SolverStats {
    /// Adds the counts of `other`.
    pub(in crate::native) fn add(&mut self, other: &Self) {
        self.updates.iter_mut().zip(other.updates).for_each(|(sum, count)| *sum += count);
        self.searches += other.searches;
        self.zones.iter_mut().zip(other.zones).for_each(|(sum, count)| *sum += count);
        self.single_lanes += other.single_lanes;
        self.searched_lanes += other.searched_lanes;
    }
}

outlined!(
    /// Multiplies the inertia matrix by a vector, as `mj_mulM` does.
    pub(super) fn multiply_m<V: Float64Lanes>(model: &NativeModel, qm: &[V], v: &[V], product: &mut [V]) {
        mul_m(model, qm, v, product)
    }
);

/// Returns the difference `one - other` of two vectors.
#[inline(always)]
pub(super) fn without<V: Float64Lanes, const N: usize>(one: &[V; N], other: &[V; N]) -> [V; N] {
    let mut apart = *one;
    for (part, other) in apart.iter_mut().zip(other) {
        *part = *part - *other;
    }
    apart
}

/// Multiplies the first `n` elements of a vector by -1 (`mju_scl`).
#[inline(always)]
pub(super) fn negate<V: Float64Lanes, const N: usize>(x: &mut [V; N], n: usize) {
    for part in &mut x[..n] {
        *part = *part * V::splat(-1.0);
    }
}

/// Adds the Gauss cost `(Ma - qfrc_smooth)' * (qacc - qacc_smooth) / 2` of `n` degrees of freedom to `sum`.
#[inline(always)]
pub(super) fn add_gauss_cost<V: Float64Lanes, const N: usize>(
    mut sum: V,
    n: usize,
    forces: [&[V; N]; 2],
    qacc: [&[V; N]; 2],
) -> V {
    for i in 0..n {
        sum = sum + V::splat(0.5) * (forces[0][i] - forces[1][i]) * (qacc[0][i] - qacc[1][i]);
    }
    sum
}

/// Copies one lane of `from` to the same lane of `product`. It is compiled once for all solvers, which would otherwise contain copies
/// of this loop for each lane.
#[inline(never)]
pub(super) fn copy_lane<V: Float64Lanes>(product: &mut [V], from: &[V], lane: usize) {
    assert!(lane < V::COUNT, "lane {lane} of {}", V::COUNT);
    let numbers = V::numbers(from).chunks_exact(V::COUNT);
    for (product, from) in V::numbers_mut(product).chunks_exact_mut(V::COUNT).zip(numbers) {
        product[lane] = from[lane];
    }
}

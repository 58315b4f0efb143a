//! `mj_solNewton`: Newton's method on the primal problem, with MuJoCo's exact results in each lane.

mod cone_rows;
mod factor;
mod problem;
mod row_kernels;
mod search;
mod stats;
mod vectors;

pub(super) use self::cone_rows::SolverMemory;
pub(super) use self::factor::{ROWS_AT_ONCE, chol_updates};
use self::problem::PrimalProblem;
pub(super) use self::search::CostAlong;
use self::search::PrimalSearch;
pub(super) use self::stats::SolverStats;
use self::vectors::{add_gauss_cost, negate, without};
use super::algebra::MJMINVAL;
use super::rows::Constraints;
use super::smooth::NativeData;
use super::tables::{MAX_NV, NativeModel};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel of the Newton solver (`mj_solNewton`) for up to `N` degrees of freedom.
pub(super) struct Newton<'a, V: Float64Lanes, const N: usize> {
    pub(super) model: &'a NativeModel,
    pub(super) motion: &'a NativeData<V>,
    pub(super) rows: &'a mut Constraints<V>,
    pub(super) qacc_warmstart: &'a [V; MAX_NV],
    /// Whether the solver starts from `qacc_warmstart` without comparing its cost with that of `qacc_smooth`.
    pub(super) skips_warmstart: bool,
    pub(super) qacc: &'a mut [V; MAX_NV],
    pub(super) qfrc_constraint: &'a mut [V; MAX_NV],
    pub(super) stats: &'a mut SolverStats,
}

/// Operations of a primal problem that the Newton solver minimizes, for up to `N` degrees of freedom.
pub(super) trait Primal<V: Float64Lanes, const N: usize> {
    /// Type of the constraint rows.
    type Rows: CostAlong<V>;
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
    fn update_jaref(&mut self, accelerations: &[V; N]);
    /// Computes `Jaref` of all rows for the given accelerations, and saves the previous values of `Jaref`.
    fn update_jaref_saving(&mut self, accelerations: &[V; N]);
    /// Restores the saved `Jaref` of all rows, except in the lanes of the mask `but`.
    fn restore_jaref(&mut self, but: V::Mask);
    /// Determines which constraint rows are active, and returns the cost of all rows, as `mj_constraintUpdate`
    /// (`PrimalUpdateConstraint`) does.
    fn update_constraint(&mut self) -> V;
    /// Computes the constraint force along each degree of freedom (`qfrc_constraint`).
    fn qfrc_constraint(&self, forces: &mut [V; N]);
    /// Computes the Cholesky factor of the Hessian in the lanes of the bit mask `live`, as `MakeHessian` and `FactorizeHessian`
    /// do. The problem keeps the factor.
    fn make_hessian(&mut self, live: u32);
    /// Updates the factored Hessian for rows that became active or inactive, as `HessianIncremental` does.
    fn hessian_incremental(&mut self, live: u32, stats: &mut SolverStats);
    /// Computes `Mgrad`, the inverse Hessian times the gradient, as `PrimalUpdateGradient` does.
    fn mgrad(&mut self, gradient: &[V; N], step: &mut [V; N], live: u32);
    /// Prepares the line search along a direction, as `PrimalPrepare` does: computes `Jv`, and each row's cost as a quadratic
    /// polynomial in the step length.
    fn prepare(&mut self, direction: &[V; N]);
    /// Adds `length * Jv` to `Jaref` of all constraint rows, which moves the solver's point along the search direction.
    fn advance(&mut self, length: V);
}

/// Inputs of the Newton solver: `qfrc_smooth`, and the candidates for its initial accelerations.
pub(super) struct Start<'a, V, const N: usize> {
    pub(super) qfrc_smooth: &'a [V; N],
    pub(super) qacc_warmstart: &'a [V; N],
    pub(super) qacc_smooth: &'a [V; N],
    /// Whether the solver starts from `qacc_warmstart` without comparing its cost with that of `qacc_smooth`.
    pub(super) skips_warmstart: bool,
}

/// Minimizes the primal cost, as `mj_solPrimal` does. Returns `qacc`, `qfrc_constraint`, and a bit mask of the lanes in which MuJoCo
/// would warn.
#[inline(always)]
pub(super) fn sol_primal<V: Float64Lanes, const N: usize, P: Primal<V, N>>(
    problem: &mut P,
    model: &NativeModel,
    beginning: Start<'_, V, N>,
    stats: &mut SolverStats,
) -> ([V; N], [V; N], u32) {
    let Start { qfrc_smooth: applied, qacc_warmstart: warm, qacc_smooth: smooth, skips_warmstart } = beginning;
    let (none, dialect, n) = (V::splat(0.0), &model.dialect, problem.nv());
    // The solver starts from `qacc_warmstart` or `qacc_smooth`, whichever costs less (`warmstart`).
    problem.update_jaref(warm);
    let rows_cost = problem.update_constraint();
    let (mut inertia, mut change) = ([none; N], [none; N]);
    problem.mul_m(warm, &mut inertia);
    let warm_cost = if dialect.warmstart_by_mass {
        let apart = without(warm, smooth);
        problem.mul_m(&apart, &mut change);
        rows_cost + V::splat(0.5) * problem.dot(&apart, &change)
    } else {
        add_gauss_cost(rows_cost, n, [&inertia, applied], [warm, smooth])
    };
    problem.update_jaref_saving(smooth);
    let is_smooth = if skips_warmstart { V::mask(0) } else { warm_cost.gt(problem.update_constraint()) };
    let mut result = *smooth;
    if V::bits(is_smooth) != V::ALL {
        for i in 0..n {
            result[i] = V::select(is_smooth, smooth[i], warm[i]);
        }
        problem.restore_jaref(is_smooth);
    }
    if V::any(is_smooth) {
        problem.mul_m(&result, &mut inertia);
    }
    let rows_cost = problem.update_constraint();
    let mut forces = [none; N];
    problem.qfrc_constraint(&mut forces);
    let mut mass_cost = add_gauss_cost(none, n, [&inertia, applied], [&result, smooth]);
    let mut cost = rows_cost + mass_cost;
    let mut gradient = [none; N];
    for i in 0..n {
        gradient[i] = inertia[i] - applied[i] - forces[i];
    }
    let scale = problem.cost_scale();
    let mut live = problem.lanes();
    let tolerance = V::splat(model.tolerance);
    let mut is_level = V::mask(0);
    if dialect.relative_cost {
        is_level = (scale * problem.dot(&gradient, &gradient).sqrt()).lt(tolerance);
        let mut step = gradient;
        problem.solve_m(&mut step);
        live &= !V::bits(V::mask_and(is_level, decrement(problem.dot(&gradient, &step), scale).lt(tolerance)));
    }
    let mut direction = [none; N];
    if live != 0 {
        problem.make_hessian(live);
        problem.mgrad(&gradient, &mut direction, live);
        if dialect.relative_cost {
            live &= !V::bits(V::mask_and(is_level, decrement(problem.dot(&gradient, &direction), scale).lt(tolerance)));
        }
        negate(&mut direction, n);
    }
    let (mut iteration, mut alarms) = (0, 0);
    while iteration < model.iterations && live != 0 {
        let length = problem.dot(&direction, &direction).sqrt();
        let is_short = length.lt(V::splat(MJMINVAL));
        let search_tolerance = V::splat(model.tolerance * model.ls_tolerance) * length / scale;
        problem.mul_m(&direction, &mut change);
        let slope = problem.dot(&direction, &inertia) - problem.dot(applied, &direction);
        let bend = V::splat(0.5) * problem.dot(&direction, &change);
        problem.prepare(&direction);
        let searching = V::mask(live & !V::bits(is_short));
        let start = if dialect.relative_cost { none } else { mass_cost };
        let masses = [start, slope, bend];
        let (mut alpha, gained, warned) = V::enter(PrimalSearch {
            tables: model,
            rows: problem.rows(),
            masses,
            tolerance: search_tolerance,
            lanes: searching,
            stats,
        });
        alarms |= warned;
        alpha = alpha.select_or_zero(searching);
        live &= V::bits(alpha.ne(none));
        if live == 0 {
            break;
        }
        // The mask `going` excludes finished lanes, because adding 0 to their `qacc` could change the sign of a zero.
        let going = V::mask(live);
        for i in 0..n {
            result[i] = V::select(going, result[i] + direction[i] * alpha, result[i]);
            inertia[i] = inertia[i] + change[i] * alpha;
        }
        problem.advance(alpha);
        let old_cost = cost;
        let rows_cost = problem.update_constraint();
        problem.qfrc_constraint(&mut forces);
        mass_cost = add_gauss_cost(none, n, [&inertia, applied], [&result, smooth]);
        cost = rows_cost + mass_cost;
        for i in 0..n {
            gradient[i] = inertia[i] - applied[i] - forces[i];
        }
        let is_little = if dialect.relative_cost {
            let improvement = scale * gained;
            V::mask_and(none.lt(improvement), improvement.lt(tolerance))
        } else {
            (scale * (old_cost - cost)).lt(tolerance)
        };
        let steepness = scale * problem.dot(&gradient, &gradient).sqrt();
        iteration += 1;
        live &= !V::bits(V::mask_or(is_little, steepness.lt(tolerance)));
        if live == 0 || iteration >= model.iterations {
            break;
        }
        problem.hessian_incremental(live, stats);
        problem.mgrad(&gradient, &mut direction, live);
        if dialect.relative_cost {
            live &= !V::bits(decrement(problem.dot(&gradient, &direction), scale).lt(tolerance));
            if live == 0 {
                break;
            }
        }
        negate(&mut direction, n);
    }
    (result, forces, alarms)
}

impl<V: Float64Lanes, const N: usize> SimdKernel for Newton<'_, V, N> {
    /// The kernel's output is a bit mask of the lanes in which MuJoCo's solver would warn. MuJoCo must step these lanes
    /// instead of the native stepper.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { model, motion, rows, qacc_warmstart: warm, skips_warmstart, qacc: accelerations, qfrc_constraint, stats } =
            self;
        let (qfrc_smooth, qacc_warmstart, qacc_smooth) = (head(&motion.qfrc_smooth), head(warm), head(&motion.qacc_smooth));
        let beginning = Start { qfrc_smooth, qacc_warmstart, qacc_smooth, skips_warmstart };
        let mut factor = std::mem::take(&mut rows.memory.factor);
        let mut problem = PrimalProblem::<V> { model, motion, rows, factor: &mut factor };
        let (result, forces, alarms) = sol_primal::<V, N, _>(&mut problem, model, beginning, stats);
        let n = problem.count::<N>();
        rows.memory.factor = factor;
        rows.count_zones(&mut stats.zones);
        let lanes = V::mask(rows.lanes);
        for i in 0..n {
            accelerations[i] = V::select(lanes, result[i], qacc_smooth[i]);
            qfrc_constraint[i] = forces[i].select_or_zero(lanes);
        }
        alarms
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

//! `mj_solNewton`: Newton's method on the primal problem, with MuJoCo's exact results in each lane.

mod cone_rows;
mod factor;
mod problem;
mod search;
mod stats;
mod vectors;

use self::factor::MAX_UPDATES;
use self::factor::solved;
pub(super) use self::factor::{ROWS_AT_ONCE, chol_updates};
use self::problem::PrimalProblem;
pub(super) use self::search::CostAlong;
use self::search::primal_search;
pub(super) use self::stats::SolverStats;
use self::vectors::{add_gauss_cost, mul_m, negated, nv, square, without};
use super::algebra::{MJMINVAL, chol_factor, dot, first};
use super::cone_turns::cone_turns;
use super::cones::with_condim;
use super::dialect::Dialect;
use super::rows::Constraints;
use super::smooth::NativeData;
use super::tables::{MAX_NV, NativeModel};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel of the Newton solver (`mj_solNewton`) for `N` degrees of freedom, or for any number of them if `N` is `MAX_NV`.
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

impl<V: Float64Lanes> Constraints<V> {
    /// Returns a row of the constraint Jacobian `efc_J`, whose rows have `n` elements.
    #[inline(always)]
    fn jacobian_row(&self, row: usize, n: usize) -> &[V] {
        &self.efc_j[row * n..][..n]
    }

    /// Multiplies a row of `efc_J` by a vector, as `mj_mulJacVec` does.
    #[inline(always)]
    fn times(&self, row: usize, v: &[V]) -> V {
        match self.single_dof[row] {
            0 => dot(self.jacobian_row(row, v.len()), v, v.len()),
            dof => self.jacobian_row(row, v.len())[dof as usize - 1] * v[dof as usize - 1],
        }
    }

    /// Determines which constraint rows are active, and returns the cost of all rows, as `mj_constraintUpdate`
    /// (`PrimalUpdateConstraint`) does.
    #[inline(always)]
    pub(super) fn cost(&mut self, dialect: &Dialect) -> V {
        if self.is_mixed() {
            return self.constraint_update(dialect);
        }
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let mut cost = none;
        for row in 0..self.nefc {
            let excess = self.jaref[row];
            let is_active = if row < self.ne { V::mask(V::ALL) } else { excess.lt(none) };
            self.quadratic[row] = is_active;
            cost = cost + (half * self.efc_d[row] * excess * excess).select_or_zero(is_active);
        }
        cost
    }

    /// Returns the constraint force of a row (`efc_force`).
    #[inline(always)]
    pub(super) fn force(&self, row: usize) -> V {
        if self.is_mixed() {
            return self.efc_force[row];
        }
        (-self.efc_d[row] * self.jaref[row]).select_or_zero(self.quadratic[row])
    }

    /// Computes `qfrc_constraint = J' * efc_force`, as `mj_mulJacTVec` does.
    #[inline(always)]
    fn forces<const N: usize>(&self, model: &NativeModel) -> [V; N] {
        let mut forces = [V::splat(0.0); N];
        for row in 0..self.nefc {
            let (force, jacobian) = (self.force(row), self.jacobian_row(row, nv::<N>(model)));
            match self.single_dof[row] {
                0 => {
                    for &i in self.columns(model, row) {
                        forces[i] = forces[i] + jacobian[i] * force;
                    }
                }
                dof => forces[dof as usize - 1] = forces[dof as usize - 1] + jacobian[dof as usize - 1] * force,
            }
        }
        forces
    }

    /// Returns `Mgrad`, the inverse Hessian times the gradient; the Hessian is given by its Cholesky factor. In the lanes of
    /// `live`, the Hessian includes the cones that are in their middle zone (`HessianCone`).
    #[inline(always)]
    fn solved<const N: usize>(&mut self, factor: &[[V; N]; N], gradient: &[V; N], model: &NativeModel, live: u32) -> [V; N] {
        let (dialect, n) = (&model.dialect, nv::<N>(model));
        let mut turns = std::mem::take(&mut self.cone_turns);
        cone_turns(&self.cones, live, &mut turns);
        if turns.is_empty() {
            self.cone_turns = turns;
            return solved(factor, gradient, (n, dialect.solves_by_columns));
        }
        let mut matrix = std::mem::take(&mut self.matrices[1]);
        let all = square::<V, N>(&mut matrix);
        for i in 0..n {
            all[i][..=i].copy_from_slice(&factor[i][..=i]);
        }
        for turn in &turns {
            let mut xs = [[V::splat(0.0); N]; MAX_UPDATES];
            // One call of `chol_updates` for all dimensions, because each is compiled by itself.
            let condim = with_condim!(self.cones[turn.first_cone()], DIM => {
                let (cone, excess, weight, jacobian) = self.cones_of::<DIM, N>(turn, n);
                let bent = cone.cone_hessian::<DIM>(&excess, weight, dialect);
                for part in 0..DIM {
                    for row in part..DIM {
                        for i in 0..n {
                            xs[part][i] = xs[part][i] + jacobian[row][i] * bent[row][part];
                        }
                    }
                }
                DIM
            });
            let lanes = [V::mask(turn.lanes); MAX_UPDATES];
            chol_updates(all, (n, &mut xs[..condim]), &lanes[..condim], &lanes[..condim]);
        }
        self.cone_turns = turns;
        let step = solved(all, gradient, (n, dialect.solves_by_columns));
        self.matrices[1] = matrix;
        step
    }

    /// Returns the degrees of freedom with non-zero entries in a row of `efc_J` (`efc_J_colind`).
    #[inline(always)]
    fn columns<'a>(&self, model: &'a NativeModel, row: usize) -> &'a [usize] {
        &model.efc_colind[usize::from(self.colind[row])]
    }

    /// Computes the Cholesky factor (lower triangle) of the Hessian `M + J' * D * J`.
    ///
    /// Rows that are inactive in all lanes of the bit mask `live` are skipped.
    #[inline(always)]
    fn hessian<const N: usize>(&self, model: &NativeModel, mass: &[V], hessian: &mut [[V; N]; N], live: u32) {
        let n = nv::<N>(model);
        for i in 0..n {
            hessian[i][..=i].fill(V::splat(0.0));
        }
        for row in 0..self.nefc {
            if V::bits(self.quadratic[row]) & live == 0 {
                continue;
            }
            let weight = self.efc_d[row].select_or_zero(self.quadratic[row]);
            let jacobian = self.jacobian_row(row, n);
            match self.single_dof[row] {
                0 => {
                    let columns = self.columns(model, row);
                    for (at, &i) in columns.iter().enumerate() {
                        let scaled = jacobian[i] * weight;
                        let line = &mut hessian[i];
                        for &k in &columns[..=at] {
                            line[k] = line[k] + jacobian[k] * scaled;
                        }
                    }
                }
                dof => {
                    let (i, value) = (dof as usize - 1, jacobian[dof as usize - 1]);
                    hessian[i][i] = hessian[i][i] + value * (value * weight);
                }
            }
        }
        for i in 0..n {
            for (column, value) in model.m_colind_of(i).iter().zip(&mass[model.dofs[i].m_rowadr..]) {
                hessian[i][*column] = hessian[i][*column] + *value;
            }
        }
        chol_factor(hessian, n, model.dialect.clears_columns);
    }
}

/// Operations of a primal problem that the Newton solver minimizes, for up to `N` degrees of freedom.
pub(super) trait Primal<V: Float64Lanes, const N: usize>: CostAlong<V> {
    /// Returns the number of degrees of freedom, at most `N`.
    fn nv(&self) -> usize;
    /// Returns a bit mask of the lanes that have constraint rows.
    fn lanes(&self) -> u32;
    /// Returns the factor by which the change of the cost is multiplied before it is compared with the tolerance.
    fn cost_scale(&self) -> V;
    /// Multiplies the inertia matrix by a vector, as `mj_mulM` does.
    fn mul_m(&self, v: &[V; N]) -> [V; N];
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
    /// Returns the constraint force along each degree of freedom (`qfrc_constraint`).
    fn qfrc_constraint(&self) -> [V; N];
    /// Computes the Cholesky factor (lower triangle) of the Hessian in the lanes of the bit mask `live`, as `MakeHessian` and
    /// `FactorizeHessian` do.
    fn make_hessian(&self, factor: &mut [[V; N]; N], live: u32);
    /// Updates the factored Hessian for rows that became active or inactive, as `HessianIncremental` does.
    fn hessian_incremental(&mut self, factor: &mut [[V; N]; N], live: u32, stats: &mut SolverStats);
    /// Returns `Mgrad`, the inverse Hessian times the gradient, as `PrimalUpdateGradient` does; the Hessian is given by its
    /// Cholesky factor.
    fn mgrad(&mut self, factor: &[[V; N]; N], gradient: &[V; N], live: u32) -> [V; N];
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

/// Minimizes the primal cost, as `mj_solPrimal` does. `factor` is memory for the factored Hessian. Returns `qacc`, `qfrc_constraint`, and a bit mask of the lanes in which
/// MuJoCo would warn.
#[inline(always)]
pub(super) fn sol_primal<V: Float64Lanes, const N: usize, P: Primal<V, N>>(
    problem: &mut P,
    model: &NativeModel,
    beginning: Start<'_, V, N>,
    factor: &mut [[V; N]; N],
    stats: &mut SolverStats,
) -> ([V; N], [V; N], u32) {
    let Start { qfrc_smooth: applied, qacc_warmstart: warm, qacc_smooth: smooth, skips_warmstart } = beginning;
    let (none, dialect, n) = (V::splat(0.0), &model.dialect, problem.nv());
    // The solver starts from `qacc_warmstart` or `qacc_smooth`, whichever costs less (`warmstart`).
    problem.update_jaref(warm);
    let rows_cost = problem.update_constraint();
    let warm_inertia = problem.mul_m(warm);
    let warm_cost = if dialect.warmstart_by_mass {
        let apart = without(warm, smooth);
        rows_cost + V::splat(0.5) * problem.dot(&apart, &problem.mul_m(&apart))
    } else {
        add_gauss_cost(rows_cost, n, [&warm_inertia, applied], [warm, smooth])
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
    let mut inertia = if V::any(is_smooth) { problem.mul_m(&result) } else { warm_inertia };
    let rows_cost = problem.update_constraint();
    let mut forces = problem.qfrc_constraint();
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
    if dialect.newton_decrement {
        is_level = (scale * problem.dot(&gradient, &gradient).sqrt()).lt(tolerance);
        let mut step = gradient;
        problem.solve_m(&mut step);
        live &= !V::bits(V::mask_and(is_level, decrement(problem.dot(&gradient, &step), scale).lt(tolerance)));
    }
    let mut direction = [none; N];
    if live != 0 {
        problem.make_hessian(factor, live);
        let step = problem.mgrad(factor, &gradient, live);
        if dialect.newton_decrement {
            live &= !V::bits(V::mask_and(is_level, decrement(problem.dot(&gradient, &step), scale).lt(tolerance)));
        }
        direction = negated(step);
    }
    let (mut iteration, mut alarms) = (0, 0);
    while iteration < model.iterations && live != 0 {
        let length = problem.dot(&direction, &direction).sqrt();
        let is_short = length.lt(V::splat(MJMINVAL));
        let search_tolerance = V::splat(model.tolerance * model.ls_tolerance) * length / scale;
        let change = problem.mul_m(&direction);
        let slope = problem.dot(&direction, &inertia) - problem.dot(applied, &direction);
        let bend = V::splat(0.5) * problem.dot(&direction, &change);
        problem.prepare(&direction);
        let searching = V::mask(live & !V::bits(is_short));
        let start = if dialect.relative_cost { none } else { mass_cost };
        let (mut alpha, gained, warned) = primal_search(model, problem, [start, slope, bend], search_tolerance, searching, stats);
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
        forces = problem.qfrc_constraint();
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
        problem.hessian_incremental(factor, live, stats);
        let step = problem.mgrad(factor, &gradient, live);
        if dialect.newton_decrement {
            live &= !V::bits(decrement(problem.dot(&gradient, &step), scale).lt(tolerance));
            if live == 0 {
                break;
            }
        }
        direction = negated(step);
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
        let (applied, warm, smooth): ([V; N], [V; N], [V; N]) =
            (first(&motion.qfrc_smooth), first(warm), first(&motion.qacc_smooth));
        let beginning = Start { qfrc_smooth: &applied, qacc_warmstart: &warm, qacc_smooth: &smooth, skips_warmstart };
        let mut matrix = std::mem::take(&mut rows.matrices[0]);
        let mut problem = PrimalProblem { model, motion, rows };
        let (result, forces, alarms) = sol_primal(&mut problem, model, beginning, square(&mut matrix), stats);
        let (rows, n) = (problem.rows, nv::<N>(model));
        rows.matrices[0] = matrix;
        rows.count_zones(&mut stats.zones);
        let lanes = V::mask(rows.lanes);
        for i in 0..n {
            accelerations[i] = V::select(lanes, result[i], smooth[i]);
            qfrc_constraint[i] = forces[i].select_or_zero(lanes);
        }
        alarms
    }
}

/// Returns the scaled Newton decrement: the improvement of a Newton step if the cost were quadratic. `product` is the dot
/// product of the gradient and `Mgrad`.
#[inline(always)]
fn decrement<V: Float64Lanes>(product: V, scale: V) -> V {
    V::splat(0.0).larger(V::splat(0.5) * scale * product)
}

//! States, costs and forces of constraint rows: `mj_constraintUpdate`, `primal_prepare` (`frictionCost`), and products with the
//! Jacobian.
//!
//! Kernels are compiled once for each vector type, for any number of degrees of freedom: Newton's method, which is compiled for
//! several capacities, calls them.

use crate::native::constraint::Constraints;
use crate::native::dialect::Dialect;
use crate::native::mju::{MJMINVAL, dot, first};
use crate::native::model::NativeModel;
use crate::native::outlined::outlined;
use crate::native::solver::cones::{not, with_condim};
use crate::native::solver::hessian::with_count;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns the elements of `numbers` that belong to the constraint row `row` and the next `D - 1` rows.
#[inline(always)]
pub(in crate::native) fn rows_from<V: Float64Lanes, const D: usize>(numbers: &[V], row: usize) -> [V; D] {
    first(&numbers[row..])
}

impl<V: Float64Lanes> Constraints<V> {
    /// Returns whether any constraint row belongs to friction loss or to an elliptic cone.
    #[inline(always)]
    pub(in crate::native) fn is_mixed(&self) -> bool {
        !(self.friction_rows.is_empty() && self.cones.is_empty())
    }

    /// Computes states and forces of all rows, and returns their total cost, as `mj_constraintUpdate_impl` does.
    #[inline(always)]
    pub(in crate::native) fn constraint_update(&mut self, dialect: &Dialect) -> V {
        let by_direction = dialect.slips_by_direction;
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let (mut cost, mut row, mut next) = (none, 0, 0);
        while row < self.nefc {
            let (jaref, efc_d) = (self.jaref[row], self.efc_d[row]);
            if next < self.cones.len() && self.cones[next].row == row {
                with_condim!(self.cones[next], DIM => {
                    let (jaref, efc_d) = (rows_from::<V, DIM>(&self.jaref, row), rows_from::<V, DIM>(&self.efc_d, row));
                    let (sum, forces, bottom) = self.cones[next].state(cost, jaref, efc_d, by_direction);
                    cost = sum;
                    for axis in 0..DIM {
                        self.efc_force[row + axis] = forces[axis];
                        self.quadratic[row + axis] = bottom;
                    }
                    (row, next) = (row + DIM, next + 1);
                });
                continue;
            }
            if row >= self.ne && row - self.ne < self.friction_rows.len() {
                let (own, force, holds) = self.friction_rows[row - self.ne].state(jaref, efc_d);
                cost = cost + own;
                (self.efc_force[row], self.quadratic[row]) = (force, holds);
            } else {
                let is_active = if row < self.ne { V::mask(V::ALL) } else { jaref.lt(none) };
                cost = cost + (half * efc_d * jaref * jaref).select_or_zero(is_active);
                (self.efc_force[row], self.quadratic[row]) = ((-efc_d * jaref).select_or_zero(is_active), is_active);
            }
            row += 1;
        }
        cost
    }

    /// Prepares the elliptic cones for a line search. The rows that belong to no elliptic cone must be prepared before this
    /// call.
    #[inline(always)]
    pub(in crate::native) fn prepare_cones(&mut self) {
        for cone in &mut self.cones {
            let row = cone.row;
            let powers = with_condim!(cone, DIM => {
                cone.prepare::<DIM>(rows_from(&self.jaref, row), rows_from(&self.jv, row), rows_from(&self.efc_d, row))
            });
            for (costs, power) in self.quad.iter_mut().zip(powers) {
                costs[row] = power;
            }
        }
    }

    /// Returns the cost of all rows at a step length, and its first two derivatives by the step length, as `PrimalEval` does.
    #[inline(always)]
    pub(in crate::native) fn primal_eval(&self, quad_gauss: &[V; 3], alpha: V, dialect: &Dialect) -> [V; 3] {
        let (none, two, relative_cost) = (V::splat(0.0), V::splat(2.0), dialect.relative_cost);
        let [mut constant, mut linear, mut square] = *quad_gauss;
        let [mut row_costs, mut deriv0, mut deriv1] = [none; 3];
        let [constants, linears, squares, at_start] = &self.quad;
        let (mut row, mut next) = (0, 0);
        while row < self.nefc {
            let powers = [constants[row], linears[row], squares[row]];
            if next < self.cones.len() && self.cones[next].row == row {
                let cone = &self.cones[next];
                let (bottom, costs) = cone.primal_eval(alpha, dialect.slips_by_direction);
                if relative_cost {
                    row_costs = row_costs + cone.cost_dif(alpha, powers, dialect.slips_by_direction);
                    deriv0 = deriv0 + V::select(bottom, two * alpha * powers[2] + powers[1], costs[1]);
                    deriv1 = deriv1 + V::select(bottom, two * powers[2], costs[2]);
                } else {
                    constant = constant + powers[0].select_or_zero(bottom);
                    linear = linear + powers[1].select_or_zero(bottom);
                    square = square + powers[2].select_or_zero(bottom);
                    row_costs = row_costs + costs[0];
                    deriv0 = deriv0 + costs[1];
                    deriv1 = deriv1 + costs[2];
                }
                (row, next) = (row + cone.condim, next + 1);
                continue;
            }
            let (jaref, jv, efc_d) = (self.jaref[row], self.jv[row], self.efc_d[row]);
            if row >= self.ne && row - self.ne < self.friction_rows.len() {
                let (friction_row, line) = (&self.friction_rows[row - self.ne], LinePoint { alpha, jaref, jv, efc_d });
                if relative_cost {
                    let [cost, row_deriv0, row_deriv1] = friction_row.cost_dif(&line);
                    row_costs = row_costs + cost;
                    deriv0 = deriv0 + row_deriv0;
                    deriv1 = deriv1 + row_deriv1;
                } else {
                    let powers = friction_row.powers(&line, powers);
                    constant = constant + powers[0];
                    linear = linear + powers[1];
                    square = square + powers[2];
                }
            } else {
                let is_active = if row < self.ne { V::mask(V::ALL) } else { (jaref + alpha * jv).lt(none) };
                constant = constant + powers[0].select_or_zero(is_active);
                linear = linear + powers[1].select_or_zero(is_active);
                square = square + powers[2].select_or_zero(is_active);
                if relative_cost {
                    row_costs = row_costs - V::select(is_active, none, at_start[row]);
                }
            }
            row += 1;
        }
        let cost = row_costs + (alpha * alpha * square + alpha * linear + constant);
        let deriv0 = deriv0 + (two * alpha * square + linear);
        let deriv1 = deriv1 + two * square;
        [cost, deriv0, V::select(deriv1.le(none), V::splat(MJMINVAL), deriv1)]
    }

    /// Adds to `zones` the number of lanes in each zone, summed over constraint rows. The zones are: elliptic cones in the top,
    /// middle and bottom zone; friction loss at its lower bound, at its upper bound and in between.
    #[inline(always)]
    pub(in crate::native) fn count_zones(&self, zones: &mut [u64; 6]) {
        let count = |lanes: u32| u64::from((lanes & self.lanes).count_ones());
        for cone in &self.cones {
            let (lanes, middle, bottom) = (self.tree_edges[cone.row].1, V::bits(cone.middle), V::bits(self.quadratic[cone.row]));
            zones[0] += count(lanes & !middle & !bottom);
            zones[1] += count(lanes & middle);
            zones[2] += count(lanes & bottom);
        }
        for (at, friction_row) in self.friction_rows.iter().enumerate() {
            let [low, high] = friction_row.zones(self.jaref[self.ne + at]);
            zones[3] += count(V::bits(low));
            zones[4] += count(V::bits(high));
            zones[5] += count(V::bits(self.quadratic[self.ne + at]));
        }
    }
}

/// Step length on a search line, with the values of one constraint row that determine the row's cost at this step length.
#[derive(Clone, Copy)]
pub(in crate::native) struct LinePoint<V> {
    pub(in crate::native) alpha: V,
    /// The row's `Jaref` at the start of the line.
    pub(in crate::native) jaref: V,
    /// The row's `Jv`, the change of `Jaref` per unit step length.
    pub(in crate::native) jv: V,
    /// The row's constraint mass, `efc_D`.
    pub(in crate::native) efc_d: V,
}

/// Constraint row of `dof_frictionloss` (`mjCNSTR_FRICTION_DOF`), with constants of its cost.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct FrictionRow<V> {
    /// Largest force of the row (`efc_frictionloss`).
    frictionloss: V,
    /// `Jaref` at which the force reaches its bound: `efc_R * frictionloss`.
    reach: V,
    /// `-0.5 * efc_R * frictionloss`
    half: V,
    /// `-0.5 * efc_R * frictionloss * frictionloss`
    held: V,
}

impl<V: Float64Lanes> FrictionRow<V> {
    /// Creates the row, given `efc_frictionloss` and `efc_R`.
    #[inline(always)]
    pub(in crate::native) fn new(frictionloss: V, efc_r: V) -> Self {
        let (reach, minus) = (efc_r * frictionloss, V::splat(-0.5));
        Self { frictionloss, reach, half: minus * reach, held: minus * efc_r * frictionloss * frictionloss }
    }

    /// Converts the row's numbers by `pick`, to a row of an island (`iefc_frictionloss`, `iefc_R`) for example.
    #[inline(always)]
    pub(in crate::native) fn map<W>(&self, pick: impl Fn(&V) -> W) -> FrictionRow<W> {
        let Self { frictionloss, reach, half, held } = self;
        FrictionRow { frictionloss: pick(frictionloss), reach: pick(reach), half: pick(half), held: pick(held) }
    }

    /// Returns two masks: the lanes in which the row's state is `mjCNSTRSTATE_LINEARNEG`, and the lanes in which the state is
    /// `mjCNSTRSTATE_LINEARPOS`.
    #[inline(always)]
    pub(in crate::native) fn zones(&self, jaref: V) -> [V::Mask; 2] {
        [jaref.le(-self.reach), jaref.ge(self.reach)]
    }

    /// Returns the row's cost, its force, and a mask of the lanes in which the row is in the zone `mjCNSTRSTATE_QUADRATIC`.
    #[inline(always)]
    pub(in crate::native) fn state(&self, jaref: V, efc_d: V) -> (V, V, V::Mask) {
        let [low, high] = self.zones(jaref);
        let (frictionloss, held) = (self.frictionloss, self.held);
        let cost = V::splat(0.5) * efc_d * jaref * jaref;
        let cost = V::select(low, held - frictionloss * jaref, V::select(high, held + frictionloss * jaref, cost));
        let force = V::select(low, frictionloss, V::select(high, -frictionloss, -efc_d * jaref));
        (cost, force, not::<V>(V::mask_or(low, high)))
    }

    /// Returns the coefficients of the row's cost on a search line, which is a polynomial in the step length.
    #[inline(always)]
    pub(in crate::native) fn powers(&self, line: &LinePoint<V>, costs: [V; 3]) -> [V; 3] {
        let LinePoint { alpha, jaref, jv, .. } = *line;
        let (frictionloss, half) = (self.frictionloss, self.half);
        let [low, high] = self.zones(jaref + alpha * jv);
        let none = V::splat(0.0);
        [
            V::select(low, frictionloss * (half - jaref), V::select(high, frictionloss * (half + jaref), costs[0])),
            V::select(low, -frictionloss * jv, V::select(high, frictionloss * jv, costs[1])),
            V::select(low, none, V::select(high, none, costs[2])),
        ]
    }

    /// Returns the row's cost minus its cost at the start of the search line (`frictionCostDif`), and its first two derivatives
    /// by the step length.
    #[inline(always)]
    pub(in crate::native) fn cost_dif(&self, line: &LinePoint<V>) -> [V; 3] {
        let LinePoint { alpha, jaref, jv, efc_d } = *line;
        let (frictionloss, none, half) = (self.frictionloss, V::splat(0.0), V::splat(0.5));
        let x = jaref + alpha * jv;
        let ([low, high], [was_low, was_high]) = (self.zones(x), self.zones(jaref));
        let (holds, held) = (not::<V>(V::mask_or(low, high)), not::<V>(V::mask_or(was_low, was_high)));
        let cost = self.whole_cost(x, efc_d) - self.whole_cost(jaref, efc_d);
        let cost = V::select(V::mask_and(held, holds), half * efc_d * (x - jaref) * (x + jaref), cost);
        let cost = V::select(V::mask_and(was_low, low), frictionloss * (jaref - x), cost);
        let cost = V::select(V::mask_and(was_high, high), frictionloss * (x - jaref), cost);
        let deriv0 = V::select(low, -frictionloss * jv, V::select(high, frictionloss * jv, efc_d * x * jv));
        let deriv1 = V::select(holds, efc_d * jv * jv, none);
        [cost, deriv0, deriv1]
    }

    /// Returns the row's total cost if its `Jaref` is `x`.
    #[inline(always)]
    fn whole_cost(&self, x: V, efc_d: V) -> V {
        let (frictionloss, half) = (self.frictionloss, self.half);
        let [low, high] = self.zones(x);
        V::select(low, frictionloss * (half - x), V::select(high, frictionloss * (half + x), V::splat(0.5) * efc_d * x * x))
    }
}

impl<V: Float64Lanes> Constraints<V> {
    /// Returns a row of the constraint Jacobian `efc_J`, whose rows have `n` elements.
    #[inline(always)]
    pub(super) fn jacobian_row(&self, row: usize, n: usize) -> &[V] {
        &self.efc_j[row * n..][..n]
    }

    /// Determines which constraint rows are active, and returns the cost of all rows, as `mj_constraintUpdate`
    /// (`PrimalUpdateConstraint`) does.
    #[inline(always)]
    pub(in crate::native) fn cost(&mut self, dialect: &Dialect) -> V {
        primal_update_constraint(self, dialect)
    }

    /// Returns the constraint force of a row (`efc_force`).
    #[inline(always)]
    pub(in crate::native) fn force(&self, row: usize) -> V {
        if self.is_mixed() {
            return self.efc_force[row];
        }
        (-self.efc_d[row] * self.jaref[row]).select_or_zero(self.quadratic[row])
    }

    /// Returns the degrees of freedom with non-zero entries in a row of `efc_J` (`efc_J_colind`).
    #[inline(always)]
    pub(super) fn columns<'a>(&self, model: &'a NativeModel, row: usize) -> &'a [usize] {
        &model.efc_colind[usize::from(self.colind[row])]
    }
}

/// Multiplies a row of `efc_J` by a vector, as `mj_mulJacVec` does. `single_dof` is the row's element of that array.
#[inline(always)]
fn mul_jac_vec<V: Float64Lanes>(jacobian: &[V], single_dof: u8, v: &[V]) -> V {
    match single_dof {
        0 => dot(jacobian, v, v.len()),
        dof => jacobian[dof as usize - 1] * v[dof as usize - 1],
    }
}

outlined!(
    /// Determines which rows are active, and returns the cost of all rows.
    fn primal_update_constraint<V: Float64Lanes>(rows: &mut Constraints<V>, dialect: &Dialect) -> V {
        if rows.is_mixed() {
            return rows.constraint_update(dialect);
        }
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let (mut cost, count) = (none, rows.nefc);
        let (jaref, efc_d, quadratic) = (&rows.jaref[..count], &rows.efc_d[..count], &mut rows.quadratic[..count]);
        for row in 0..count {
            let jaref = jaref[row];
            let is_active = if row < rows.ne { V::mask(V::ALL) } else { jaref.lt(none) };
            quadratic[row] = is_active;
            cost = cost + (half * efc_d[row] * jaref * jaref).select_or_zero(is_active);
        }
        cost
    }
);

outlined!(
    /// Computes `Jaref = J * qacc - aref` of all rows (`mj_mulJacVec`, then `mju_subFrom`), and saves the previous values in `jv`
    /// if `saves` is set.
    pub(super) fn update_jaref<V: Float64Lanes>(rows: &mut Constraints<V>, qacc: &[V], saves: bool) {
        let (count, n) = (rows.nefc, qacc.len());
        let (jaref, efc_aref, single_dof) = (&mut rows.jaref[..count], &rows.efc_aref[..count], &rows.single_dof[..count]);
        if saves {
            rows.jv[..count].copy_from_slice(jaref);
        }
        for row in 0..count {
            jaref[row] = mul_jac_vec(&rows.efc_j[row * n..][..n], single_dof[row], qacc) - efc_aref[row];
        }
    }
);

outlined!(
    /// Computes `qfrc_constraint = J' * efc_force`, as `mj_mulJacTVec` does.
    pub(super) fn mul_jac_t_vec<V: Float64Lanes>(rows: &Constraints<V>, model: &NativeModel, to: &mut [V]) {
        to.fill(V::splat(0.0));
        let (mut row, n) = (0, to.len());
        while row < rows.nefc {
            let count = usize::from(rows.alike[row]);
            match rows.single_dof[row] {
                // Rows that add 0 are not left out: their branches would be hard to predict.
                0 => with_count!(count, COUNT => {
                    let (mut lines, mut forces) = ([rows.jacobian_row(row, n); COUNT], [V::splat(0.0); COUNT]);
                    for at in 0..COUNT {
                        (lines[at], forces[at]) = (rows.jacobian_row(row + at, n), rows.force(row + at));
                    }
                    for &i in rows.columns(model, row) {
                        let mut sum = to[i];
                        for at in 0..COUNT {
                            sum = sum + lines[at][i] * forces[at];
                        }
                        to[i] = sum;
                    }
                }),
                dof => {
                    let i = dof as usize - 1;
                    to[i] = to[i] + rows.jacobian_row(row, n)[i] * rows.force(row);
                }
            }
            row += count;
        }
    }
);

outlined!(
    /// Prepares the line search along a direction, as `PrimalPrepare` does.
    pub(super) fn primal_prepare<V: Float64Lanes>(rows: &mut Constraints<V>, search: &[V], relative_cost: bool) {
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let (count, n) = (rows.nefc, search.len());
        let (jaref, efc_d, quadratic) = (&rows.jaref[..count], &rows.efc_d[..count], &rows.quadratic[..count]);
        let (jv, single_dof) = (&mut rows.jv[..count], &rows.single_dof[..count]);
        let [constants, linears, squares, at_start] = &mut rows.quad;
        let (constants, linears) = (&mut constants[..count], &mut linears[..count]);
        let (squares, at_start) = (&mut squares[..count], &mut at_start[..count]);
        for row in 0..count {
            let (jaref, efc_d) = (jaref[row], efc_d[row]);
            let row_jv = mul_jac_vec(&rows.efc_j[row * n..][..n], single_dof[row], search);
            let force = efc_d * jaref;
            jv[row] = row_jv;
            let cost = jaref * force * half;
            if relative_cost {
                constants[row] = V::select(quadratic[row], none, cost);
                at_start[row] = cost.select_or_zero(quadratic[row]);
            } else {
                constants[row] = cost;
            }
            linears[row] = row_jv * force;
            squares[row] = row_jv * efc_d * row_jv * half;
        }
        rows.prepare_cones();
    }
);

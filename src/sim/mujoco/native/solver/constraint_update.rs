//! `mj_constraintUpdate` and the line search for constraints that include friction loss (`dof_frictionloss`), whose force is
//! bounded, or elliptic cones.

use crate::native::constraint::Constraints;
use crate::native::dialect::Dialect;
use crate::native::mju::{MJMINVAL, first};
use crate::native::solver::cones::with_condim;
use crate::native::solver::friction_row::LinePoint;
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

    /// Computes states and forces of all rows, and returns their total cost, as `mj_constraintUpdate` does.
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

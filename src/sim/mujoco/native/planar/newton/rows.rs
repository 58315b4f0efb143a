//! Costs, forces and Hessian of the constraint rows of planar robots.

use crate::native::dialect::Dialect;
use crate::native::mju::{MJMINVAL, dot as dot_first};
use crate::native::model::NativeModel;
use crate::native::planar::constraint::{EqualRows, FrictionlessContact, PlanarConstraints, PyramidContact, each_row};
use crate::native::planar::newton::Along;
use crate::native::planar::tree::{Matrix, Tree, dot_leg, each};
use crate::native::solver::line_search::LineCost;
use envpool_rs_numeric::simd::Float64Lanes;

impl<V: Float64Lanes, const W: usize> PlanarConstraints<V, W> {
    /// Determines which constraint rows are active, and returns the cost of all rows, as `mj_constraintUpdate` does.
    #[inline(always)]
    pub(super) fn constraint_update(&mut self) -> V {
        let mut cost = V::splat(0.0);
        for limit in &mut self.limits {
            cost = cost + limit.line.cost(limit.efc_d);
        }
        for contact in &mut self.contacts {
            each_row!(contact, |ROW, is_twice| {
                let part = contact.lines[ROW].cost(contact.efc_d);
                cost = cost + part;
                if is_twice {
                    cost = cost + part;
                }
            });
        }
        for single in &mut self.singles {
            cost = cost + single.line.cost(single.efc_d);
        }
        cost
    }

    /// Computes `Jaref = J * qacc - aref` of all rows.
    #[inline(always)]
    pub(super) fn update_jaref<T: Tree<N, W>, const N: usize>(&mut self, qacc: &[V; N]) {
        for limit in &mut self.limits {
            limit.line.jaref = limit.sign * qacc[limit.dof] - limit.line.efc_aref;
        }
        for contact in &mut self.contacts {
            each_row!(contact, |ROW, _is_twice| {
                let line = &mut contact.lines[ROW];
                line.jaref = dot_leg::<T, V, N, W>(contact.leg, &contact.efc_j[ROW], qacc) - line.efc_aref;
            });
        }
        for FrictionlessContact { leg, efc_j, line, .. } in &mut self.singles {
            line.jaref = dot_leg::<T, V, N, W>(*leg, efc_j, qacc) - line.efc_aref;
        }
    }

    /// Saves `Jaref` of all rows in [`RowState::jv`].
    #[inline(always)]
    pub(super) fn save_jaref(&mut self) {
        for limit in &mut self.limits {
            limit.line.jv = limit.line.jaref;
        }
        for contact in &mut self.contacts {
            for line in &mut contact.lines {
                line.jv = line.jaref;
            }
        }
        for single in &mut self.singles {
            single.line.jv = single.line.jaref;
        }
    }

    #[inline(always)]
    pub(super) fn restore_jaref(&mut self, but: V::Mask) {
        for limit in &mut self.limits {
            limit.line.jaref = V::select(but, limit.line.jaref, limit.line.jv);
        }
        for contact in &mut self.contacts {
            for line in &mut contact.lines {
                line.jaref = V::select(but, line.jaref, line.jv);
            }
        }
        for single in &mut self.singles {
            single.line.jaref = V::select(but, single.line.jaref, single.line.jv);
        }
    }

    /// Adds `length * Jv` to `Jaref` of all rows, which moves the solver's point along the search line.
    #[inline(always)]
    pub(super) fn advance(&mut self, alpha: V) {
        for limit in &mut self.limits {
            limit.line.advance(alpha);
        }
        for contact in &mut self.contacts {
            for line in &mut contact.lines {
                line.advance(alpha);
            }
        }
        for single in &mut self.singles {
            single.line.advance(alpha);
        }
    }

    /// Returns the constraint force along each degree of freedom (`qfrc_constraint`).
    #[inline(always)]
    pub(super) fn qfrc_constraint<T: Tree<N, W>, const N: usize>(&self) -> [V; N] {
        let mut qfrc_constraint = [V::splat(0.0); N];
        for limit in &self.limits {
            qfrc_constraint[limit.dof] = qfrc_constraint[limit.dof] + limit.sign * limit.line.force(limit.efc_d);
        }
        for contact in &self.contacts {
            if const { T::LEGS.len() == 1 } || contact.leg == 0 {
                add_forces::<T, V, N, W, 0>(contact, &mut qfrc_constraint);
            } else {
                add_forces::<T, V, N, W, 1>(contact, &mut qfrc_constraint);
            }
        }
        for FrictionlessContact { leg, efc_j, efc_d, line, .. } in &self.singles {
            let force = line.force(*efc_d);
            for (dof, value) in T::LEGS[*leg].iter().zip(efc_j) {
                qfrc_constraint[*dof] = qfrc_constraint[*dof] + *value * force;
            }
        }
        qfrc_constraint
    }

    /// Computes the Cholesky factor (lower triangle) of the Hessian `M + J' * D * J` in the lanes of the bit mask `live`.
    #[inline(always)]
    pub(super) fn make_hessian<T: Tree<N, W>, const N: usize>(
        &self,
        model: &NativeModel,
        qm: &Matrix<V, N>,
        hessian: &mut Matrix<V, N>,
        live: u32,
    ) {
        each!(I < N, {
            for k in 0..=I {
                hessian[I][k] = V::splat(0.0);
            }
        });
        for limit in &self.limits {
            let efc_d = limit.efc_d.select_or_zero(limit.line.quadratic);
            hessian[limit.dof][limit.dof] = hessian[limit.dof][limit.dof] + limit.sign * (limit.sign * efc_d);
        }
        for contact in &self.contacts {
            if const { T::LEGS.len() == 1 } || contact.leg == 0 {
                add_squares::<T, V, N, W, 0>(contact, hessian, live);
            } else {
                add_squares::<T, V, N, W, 1>(contact, hessian, live);
            }
        }
        for FrictionlessContact { leg, efc_j, efc_d, line, .. } in &self.singles {
            let (efc_d, dofs) = (efc_d.select_or_zero(line.quadratic), &T::LEGS[*leg]);
            for (at, i) in dofs.iter().enumerate() {
                let scaled = efc_j[at] * efc_d;
                for (k, value) in dofs.iter().zip(efc_j).take(at + 1) {
                    hessian[*i][*k] = hessian[*i][*k] + *value * scaled;
                }
            }
        }
        each!(I < N, {
            for &k in T::ABOVE[I] {
                hessian[I][k] = hessian[I][k] + qm[I][k];
            }
            hessian[I][I] = hessian[I][I] + qm[I][I];
        });
        each!(J < N, {
            let row = hessian[J];
            let square = if J > 0 { row[J] - dot_first(&row, &row, J) } else { row[J] };
            let is_lost = square.lt(V::splat(MJMINVAL));
            let diagonal = V::select(is_lost, V::splat(MJMINVAL), square).sqrt();
            hessian[J][J] = diagonal;
            let by = V::splat(1.0) / diagonal;
            for i in J + 1..N {
                let value = if J > 0 { hessian[i][J] - dot_first(&hessian[i], &row, J) } else { hessian[i][J] };
                hessian[i][J] = value * by;
            }
            if model.dialect.clears_columns && V::any(is_lost) {
                for i in J + 1..N {
                    hessian[i][J] = V::select(is_lost, V::splat(0.0), hessian[i][J]);
                }
            }
        });
    }
}

impl<V: Float64Lanes, const W: usize> LineCost<V> for PlanarConstraints<V, W> {
    #[inline(always)]
    fn primal_eval(&self, quad_gauss: &[V; 3], alpha: V, dialect: &Dialect) -> [V; 3] {
        let relative_cost = dialect.relative_cost;
        let (none, two) = (V::splat(0.0), V::splat(2.0));
        let mut along = Along { alpha, sums: *quad_gauss, cost_dif: none };
        for limit in &self.limits {
            along.add(&limit.line, relative_cost, false);
        }
        for contact in &self.contacts {
            each_row!(contact, |ROW, is_twice| { along.add(&contact.lines[ROW], relative_cost, is_twice) });
        }
        for single in &self.singles {
            along.add(&single.line, relative_cost, false);
        }
        let Along { sums: [constant, linear, square], cost_dif, .. } = along;
        let cost = alpha * alpha * square + alpha * linear + constant;
        let cost = if relative_cost { cost_dif + cost } else { cost };
        let deriv0 = two * alpha * square + linear;
        let deriv1 = two * square;
        [cost, deriv0, V::select(deriv1.le(none), V::splat(MJMINVAL), deriv1)]
    }
}

#[inline(always)]
pub(super) fn add_forces<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize, const LEG: usize>(
    contact: &PyramidContact<V, W>,
    qfrc_constraint: &mut [V; N],
) {
    each_row!(contact, |ROW, is_twice| {
        let (line, row) = (&contact.lines[ROW], &contact.efc_j[ROW]);
        let force = line.force(contact.efc_d);
        each!(K < W, {
            let sum = &mut qfrc_constraint[T::LEGS[LEG][K]];
            let part = row[K] * force;
            *sum = *sum + part;
            if is_twice {
                *sum = *sum + part;
            }
        });
    });
}

#[inline(always)]
pub(super) fn add_squares<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize, const LEG: usize>(
    contact: &PyramidContact<V, W>,
    hessian: &mut Matrix<V, N>,
    live: u32,
) {
    each_row!(contact, |ROW, is_twice| {
        let (line, row) = (&contact.lines[ROW], &contact.efc_j[ROW]);
        if V::bits(line.quadratic) & live != 0 {
            let efc_d = contact.efc_d.select_or_zero(line.quadratic);
            each!(I < W, {
                let scaled = row[I] * efc_d;
                for k in 0..=I {
                    let sum = &mut hessian[T::LEGS[LEG][I]][T::LEGS[LEG][k]];
                    let part = row[k] * scaled;
                    *sum = *sum + part;
                    if is_twice {
                        *sum = *sum + part;
                    }
                }
            });
        }
    });
}

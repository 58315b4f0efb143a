//! Costs, forces and Hessian of the constraint rows of planar robots.

use super::super::super::algebra::{MJMINVAL, dot as dot_first};
use super::super::super::dialect::Dialect;
use super::super::super::newton::CostAlong;
use super::super::super::tables::NativeModel;
use super::super::lines::{EqualRows, FrictionlessContact, PlanarConstraints, PyramidContact, each_row};
use super::super::tree::{Matrix, Tree, dot_leg, each};
use super::Along;
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
    pub(super) fn update_jaref<T: Tree<N, W>, const N: usize>(&mut self, accelerations: &[V; N]) {
        for limit in &mut self.limits {
            limit.line.jaref = limit.sign * accelerations[limit.dof] - limit.line.efc_aref;
        }
        for contact in &mut self.contacts {
            each_row!(contact, |ROW, _is_twice| {
                let line = &mut contact.lines[ROW];
                line.jaref = dot_leg::<T, V, N, W>(contact.leg, &contact.efc_j[ROW], accelerations) - line.efc_aref;
            });
        }
        for FrictionlessContact { leg, efc_j: jacobian, line, .. } in &mut self.singles {
            line.jaref = dot_leg::<T, V, N, W>(*leg, jacobian, accelerations) - line.efc_aref;
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

    /// Restores the `Jaref` that [`PlanarConstraints::save_jaref`] saved, except in the lanes of the mask `but`.
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
    pub(super) fn advance(&mut self, length: V) {
        for limit in &mut self.limits {
            limit.line.advance(length);
        }
        for contact in &mut self.contacts {
            for line in &mut contact.lines {
                line.advance(length);
            }
        }
        for single in &mut self.singles {
            single.line.advance(length);
        }
    }

    /// Returns the constraint force along each degree of freedom (`qfrc_constraint`).
    #[inline(always)]
    pub(super) fn qfrc_constraint<T: Tree<N, W>, const N: usize>(&self) -> [V; N] {
        let mut forces = [V::splat(0.0); N];
        for limit in &self.limits {
            forces[limit.dof] = forces[limit.dof] + limit.sign * limit.line.force(limit.efc_d);
        }
        for contact in &self.contacts {
            if T::LEGS.len() == 1 || contact.leg == 0 {
                add_forces::<T, V, N, W, 0>(contact, &mut forces);
            } else {
                add_forces::<T, V, N, W, 1>(contact, &mut forces);
            }
        }
        for FrictionlessContact { leg, efc_j: jacobian, efc_d: weight, line, .. } in &self.singles {
            let force = line.force(*weight);
            for (dof, value) in T::LEGS[*leg].iter().zip(jacobian) {
                forces[*dof] = forces[*dof] + *value * force;
            }
        }
        forces
    }

    /// Computes the Cholesky factor (lower triangle) of the Hessian `M + J' * D * J` in the lanes of the bit mask `live`.
    #[inline(always)]
    pub(super) fn make_hessian<T: Tree<N, W>, const N: usize>(
        &self,
        model: &NativeModel,
        mass: &Matrix<V, N>,
        hessian: &mut Matrix<V, N>,
        live: u32,
    ) {
        each!(I < N, {
            for k in 0..=I {
                hessian[I][k] = V::splat(0.0);
            }
        });
        for limit in &self.limits {
            let weight = limit.efc_d.select_or_zero(limit.line.quadratic);
            hessian[limit.dof][limit.dof] = hessian[limit.dof][limit.dof] + limit.sign * (limit.sign * weight);
        }
        for contact in &self.contacts {
            if T::LEGS.len() == 1 || contact.leg == 0 {
                add_squares::<T, V, N, W, 0>(contact, hessian, live);
            } else {
                add_squares::<T, V, N, W, 1>(contact, hessian, live);
            }
        }
        for FrictionlessContact { leg, efc_j: jacobian, efc_d: weight, line, .. } in &self.singles {
            let (weight, dofs) = (weight.select_or_zero(line.quadratic), &T::LEGS[*leg]);
            for (at, i) in dofs.iter().enumerate() {
                let scaled = jacobian[at] * weight;
                for (k, value) in dofs.iter().zip(jacobian).take(at + 1) {
                    hessian[*i][*k] = hessian[*i][*k] + *value * scaled;
                }
            }
        }
        each!(I < N, {
            for &k in T::ABOVE[I] {
                hessian[I][k] = hessian[I][k] + mass[I][k];
            }
            hessian[I][I] = hessian[I][I] + mass[I][I];
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

impl<V: Float64Lanes, const W: usize> CostAlong<V> for PlanarConstraints<V, W> {
    #[inline(always)]
    fn cost_along(&self, masses: &[V; 3], length: V, dialect: &Dialect) -> [V; 3] {
        let counts_from_start = dialect.relative_cost;
        let (none, two) = (V::splat(0.0), V::splat(2.0));
        let mut along = Along { length, sums: *masses, gained: none };
        for limit in &self.limits {
            along.add(&limit.line, counts_from_start, false);
        }
        for contact in &self.contacts {
            each_row!(contact, |ROW, is_twice| { along.add(&contact.lines[ROW], counts_from_start, is_twice) });
        }
        for single in &self.singles {
            along.add(&single.line, counts_from_start, false);
        }
        let Along { sums: [constant, linear, square], gained, .. } = along;
        let cost = length * length * square + length * linear + constant;
        let cost = if counts_from_start { gained + cost } else { cost };
        let slope = two * length * square + linear;
        let bend = two * square;
        [cost, slope, V::select(bend.le(none), V::splat(MJMINVAL), bend)]
    }
}

#[inline(always)]
pub(super) fn add_forces<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize, const LEG: usize>(
    contact: &PyramidContact<V, W>,
    forces: &mut [V; N],
) {
    each_row!(contact, |ROW, is_twice| {
        let (line, row) = (&contact.lines[ROW], &contact.efc_j[ROW]);
        let force = line.force(contact.efc_d);
        each!(K < W, {
            let sum = &mut forces[T::LEGS[LEG][K]];
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
            let weight = contact.efc_d.select_or_zero(line.quadratic);
            each!(I < W, {
                let scaled = row[I] * weight;
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

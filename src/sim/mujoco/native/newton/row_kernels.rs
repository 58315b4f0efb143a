//! SIMD kernels over the constraint rows of a model that is not planar.
//!
//! Each is compiled once for each vector type, for any number of degrees of freedom: Newton's method, which is compiled for several
//! capacities, calls them.

use super::super::algebra::dot;
use super::super::dialect::Dialect;
use super::super::rows::Constraints;
use super::super::tables::NativeModel;
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

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
        V::enter(ConstraintUpdate { rows: self, dialect })
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
fn times<V: Float64Lanes>(jacobian: &[V], single_dof: u8, v: &[V]) -> V {
    match single_dof {
        0 => dot(jacobian, v, v.len()),
        dof => jacobian[dof as usize - 1] * v[dof as usize - 1],
    }
}

/// Determines which rows are active, and returns the cost of all rows.
struct ConstraintUpdate<'a, V: Float64Lanes> {
    rows: &'a mut Constraints<V>,
    dialect: &'a Dialect,
}

impl<V: Float64Lanes> SimdKernel for ConstraintUpdate<'_, V> {
    type Output = V;

    #[inline(always)]
    fn run(self) -> V {
        let Self { rows, dialect } = self;
        if rows.is_mixed() {
            return rows.constraint_update(dialect);
        }
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let (mut cost, count) = (none, rows.nefc);
        let (jaref, efc_d, quadratic) = (&rows.jaref[..count], &rows.efc_d[..count], &mut rows.quadratic[..count]);
        for row in 0..count {
            let excess = jaref[row];
            let is_active = if row < rows.ne { V::mask(V::ALL) } else { excess.lt(none) };
            quadratic[row] = is_active;
            cost = cost + (half * efc_d[row] * excess * excess).select_or_zero(is_active);
        }
        cost
    }
}

/// Computes `Jaref = J * qacc - aref` of all rows, and saves the previous values in `jv` if `saves` is set.
pub(super) struct UpdateJaref<'a, V: Float64Lanes> {
    pub(super) rows: &'a mut Constraints<V>,
    pub(super) accelerations: &'a [V],
    pub(super) saves: bool,
}

impl<V: Float64Lanes> SimdKernel for UpdateJaref<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { rows, accelerations, saves } = self;
        let (count, n) = (rows.nefc, accelerations.len());
        let (jaref, efc_aref, single_dof) = (&mut rows.jaref[..count], &rows.efc_aref[..count], &rows.single_dof[..count]);
        if saves {
            rows.jv[..count].copy_from_slice(jaref);
        }
        for row in 0..count {
            jaref[row] = times(&rows.efc_j[row * n..][..n], single_dof[row], accelerations) - efc_aref[row];
        }
    }
}

/// Computes `qfrc_constraint = J' * efc_force`, as `mj_mulJacTVec` does.
pub(super) struct Forces<'a, V: Float64Lanes> {
    pub(super) rows: &'a Constraints<V>,
    pub(super) model: &'a NativeModel,
    pub(super) to: &'a mut [V],
}

impl<V: Float64Lanes> SimdKernel for Forces<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { rows, model, to } = self;
        to.fill(V::splat(0.0));
        for row in 0..rows.nefc {
            let (force, jacobian) = (rows.force(row), rows.jacobian_row(row, to.len()));
            match rows.single_dof[row] {
                0 => {
                    for &i in rows.columns(model, row) {
                        to[i] = to[i] + jacobian[i] * force;
                    }
                }
                dof => to[dof as usize - 1] = to[dof as usize - 1] + jacobian[dof as usize - 1] * force,
            }
        }
    }
}

/// Prepares the line search along a direction, as `PrimalPrepare` does.
pub(super) struct Prepare<'a, V: Float64Lanes> {
    pub(super) rows: &'a mut Constraints<V>,
    pub(super) direction: &'a [V],
    pub(super) from_start: bool,
}

impl<V: Float64Lanes> SimdKernel for Prepare<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { rows, direction, from_start } = self;
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let (count, n) = (rows.nefc, direction.len());
        let (jaref, efc_d, quadratic) = (&rows.jaref[..count], &rows.efc_d[..count], &rows.quadratic[..count]);
        let (jv, single_dof) = (&mut rows.jv[..count], &rows.single_dof[..count]);
        let [constants, linears, squares, at_start] = &mut rows.quad;
        let (constants, linears) = (&mut constants[..count], &mut linears[..count]);
        let (squares, at_start) = (&mut squares[..count], &mut at_start[..count]);
        for row in 0..count {
            let (excess, weight) = (jaref[row], efc_d[row]);
            let step = times(&rows.efc_j[row * n..][..n], single_dof[row], direction);
            let force = weight * excess;
            jv[row] = step;
            let cost = excess * force * half;
            if from_start {
                constants[row] = V::select(quadratic[row], none, cost);
                at_start[row] = cost.select_or_zero(quadratic[row]);
            } else {
                constants[row] = cost;
            }
            linears[row] = step * force;
            squares[row] = step * weight * step * half;
        }
        rows.prepare_cones();
    }
}

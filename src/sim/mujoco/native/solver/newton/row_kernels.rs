//! SIMD kernels over the constraint rows of a model that is not planar.
//!
//! Each is compiled once for each vector type, for any number of degrees of freedom: Newton's method, which is compiled for several
//! capacities, calls them.

use crate::native::constraint::Constraints;
use crate::native::dialect::Dialect;
use crate::native::mju::dot;
use crate::native::model::NativeModel;
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
fn mul_jac_vec<V: Float64Lanes>(jacobian: &[V], single_dof: u8, v: &[V]) -> V {
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
            let jaref = jaref[row];
            let is_active = if row < rows.ne { V::mask(V::ALL) } else { jaref.lt(none) };
            quadratic[row] = is_active;
            cost = cost + (half * efc_d[row] * jaref * jaref).select_or_zero(is_active);
        }
        cost
    }
}

/// Computes `Jaref = J * qacc - aref` of all rows, and saves the previous values in `jv` if `saves` is set.
pub(super) struct UpdateJaref<'a, V: Float64Lanes> {
    pub(super) rows: &'a mut Constraints<V>,
    pub(super) qacc: &'a [V],
    pub(super) saves: bool,
}

impl<V: Float64Lanes> SimdKernel for UpdateJaref<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { rows, qacc, saves } = self;
        let (count, n) = (rows.nefc, qacc.len());
        let (jaref, efc_aref, single_dof) = (&mut rows.jaref[..count], &rows.efc_aref[..count], &rows.single_dof[..count]);
        if saves {
            rows.jv[..count].copy_from_slice(jaref);
        }
        for row in 0..count {
            jaref[row] = mul_jac_vec(&rows.efc_j[row * n..][..n], single_dof[row], qacc) - efc_aref[row];
        }
    }
}

/// Computes `qfrc_constraint = J' * efc_force`, as `mj_mulJacTVec` does.
pub(super) struct MulJacTVec<'a, V: Float64Lanes> {
    pub(super) rows: &'a Constraints<V>,
    pub(super) model: &'a NativeModel,
    pub(super) to: &'a mut [V],
}

impl<V: Float64Lanes> SimdKernel for MulJacTVec<'_, V> {
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
pub(super) struct PrimalPrepare<'a, V: Float64Lanes> {
    pub(super) rows: &'a mut Constraints<V>,
    pub(super) search: &'a [V],
    pub(super) relative_cost: bool,
}

impl<V: Float64Lanes> SimdKernel for PrimalPrepare<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { rows, search, relative_cost } = self;
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
}

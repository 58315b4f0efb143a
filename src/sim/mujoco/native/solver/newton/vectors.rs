//! Operations on vectors with one value per degree of freedom: product with the inertia matrix, difference, Gauss cost.

use crate::native::model::NativeModel;
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel that multiplies the inertia matrix by a vector, as `mj_mulM` does.
pub(super) struct MulM<'a, V> {
    pub(super) model: &'a NativeModel,
    pub(super) qm: &'a [V],
    pub(super) v: &'a [V],
    pub(super) product: &'a mut [V],
}

impl<V: Float64Lanes> SimdKernel for MulM<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { model, qm, v, product } = self;
        product.fill(V::splat(0.0));
        for (i, dof) in model.dofs.iter().enumerate() {
            let mut sum = qm[dof.m_diagadr()] * v[i];
            for (value, column) in qm[dof.m_rowadr..][..dof.m_rownnz - 1].iter().zip(model.m_colind_of(i)).rev() {
                sum = sum + *value * v[*column];
                product[*column] = product[*column] + *value * v[i];
            }
            product[i] = sum;
        }
    }
}

/// Returns the difference `one - other` of two vectors.
#[inline(always)]
pub(super) fn without<V: Float64Lanes, const N: usize>(one: &[V; N], other: &[V; N]) -> [V; N] {
    let mut apart = *one;
    for (part, other) in apart.iter_mut().zip(other) {
        *part = *part - *other;
    }
    apart
}

/// Multiplies the first `n` elements of a vector by -1.
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
    for (product, from) in product.iter_mut().zip(from) {
        product.set(lane, from.get(lane));
    }
}

//! Operations on vectors with one value per degree of freedom: product with the inertia matrix, difference, Gauss cost.

use super::super::tables::{MAX_NV, NativeModel};
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns the number of degrees of freedom of a solver instance for `N` of them: the constant `N`, or the model's number for
/// `MAX_NV`, the capacity of the instance that solves all models without an instance of their own.
#[inline(always)]
pub(super) fn nv<const N: usize>(model: &NativeModel) -> usize {
    if N == MAX_NV { model.dofs.len() } else { N }
}

/// Returns the first `N * N` elements of `numbers`, which is extended if it is too short, as a square matrix.
#[inline(always)]
pub(super) fn square<V: Float64Lanes, const N: usize>(numbers: &mut Vec<V>) -> &mut [[V; N]; N] {
    if numbers.len() < N * N {
        numbers.resize(N * N, V::splat(0.0));
    }
    numbers.as_chunks_mut().0.first_chunk_mut().expect("there are at least N * N elements")
}

/// Multiplies the inertia matrix by a vector, as `mj_mulM` does.
#[inline(always)]
pub(super) fn mul_m<V: Float64Lanes, const N: usize>(model: &NativeModel, mass: &[V], v: &[V; N]) -> [V; N] {
    let mut result = [V::splat(0.0); N];
    for i in 0..nv::<N>(model) {
        let dof = &model.dofs[i];
        let mut sum = mass[dof.m_diagadr()] * v[i];
        for (value, column) in mass[dof.m_rowadr..][..dof.m_rownnz - 1].iter().zip(model.m_colind_of(i)).rev() {
            sum = sum + *value * v[*column];
            result[*column] = result[*column] + *value * v[i];
        }
        result[i] = sum;
    }
    result
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

#[inline(always)]
pub(super) fn negated<V: Float64Lanes, const N: usize>(mut x: [V; N]) -> [V; N] {
    for part in &mut x {
        *part = *part * V::splat(-1.0);
    }
    x
}

/// Adds the Gauss cost `(Ma - qfrc_smooth)' * (qacc - qacc_smooth) / 2` of `n` degrees of freedom to `sum`.
#[inline(always)]
pub(super) fn add_gauss_cost<V: Float64Lanes, const N: usize>(
    mut sum: V,
    n: usize,
    forces: [&[V; N]; 2],
    accelerations: [&[V; N]; 2],
) -> V {
    for i in 0..n {
        sum = sum + V::splat(0.5) * (forces[0][i] - forces[1][i]) * (accelerations[0][i] - accelerations[1][i]);
    }
    sum
}

/// Copies one lane of `from` to the same lane of `to`. It is compiled once for all solvers, which would otherwise contain copies
/// of this loop for each lane.
#[inline(never)]
pub(super) fn copy_lane<V: Float64Lanes>(to: &mut [V], from: &[V], lane: usize) {
    for (to, from) in to.iter_mut().zip(from) {
        to.set(lane, from.get(lane));
    }
}

//! Solves systems with the Cholesky factor of the Hessian, and applies rank-one updates to the factor.

use super::super::algebra::{MJMINVAL, dot};
use super::super::rows::Constraints;
use super::super::tables::NativeModel;
use super::SolverStats;
use super::vectors::{nv, square};
use envpool_rs_numeric::simd::Float64Lanes;

/// Solves a system of `n` unknowns with a Cholesky factor, as `mju_cholSolve` does. The back substitution computes one unknown at a time, or
/// runs column by column as in MuJoCo 4.0 and later.
#[inline(always)]
pub(in crate::native) fn solved<V: Float64Lanes, const N: usize>(
    factor: &[[V; N]; N],
    right: &[V; N],
    (n, by_columns): (usize, bool),
) -> [V; N] {
    let mut x = *right;
    for i in 0..n {
        if i > 0 {
            x[i] = x[i] - dot(&factor[i], &x, i);
        }
        x[i] = x[i] / factor[i][i];
    }
    for i in (0..n).rev() {
        if !by_columns {
            for j in i + 1..n {
                x[i] = x[i] - factor[j][i] * x[j];
            }
        }
        x[i] = x[i] / factor[i][i];
        if by_columns {
            for j in 0..i {
                x[j] = x[j] - factor[i][j] * x[i];
            }
        }
    }
    x
}

/// Updates the Cholesky factor of the Hessian, of `n` rows, in some lanes, as `mju_cholUpdate` does: adds or subtracts a
/// constraint row.
/// Returns a bit mask of the lanes in which the updated Hessian no longer has full rank.
#[inline(always)]
pub(in crate::native) fn chol_update<V: Float64Lanes, const N: usize>(
    factor: &mut [[V; N]; N],
    (n, mut x): (usize, [V; N]),
    lanes: V::Mask,
    adds: V::Mask,
) -> u32 {
    let (none, mut lost) = (V::splat(0.0), 0);
    for k in 0..n {
        let is_changed = V::mask_and(lanes, x[k].ne(none));
        if !V::any(is_changed) {
            continue;
        }
        let diagonal = factor[k][k];
        let square = x[k] * x[k];
        let sum = diagonal * diagonal + V::select(adds, square, -square);
        let is_low = V::mask_and(is_changed, sum.lt(V::splat(MJMINVAL)));
        lost |= V::bits(is_low);
        let root = V::select(is_low, V::splat(MJMINVAL), sum).sqrt();
        let cosine = root / diagonal;
        let by = V::splat(1.0) / cosine;
        let sine = x[k] / diagonal;
        let signed = V::select(adds, sine, -sine);
        factor[k][k] = V::select(is_changed, root, diagonal);
        for i in k + 1..n {
            let value = (factor[i][k] + signed * x[i]) * by;
            factor[i][k] = V::select(is_changed, value, factor[i][k]);
            x[i] = V::select(is_changed, cosine * x[i] - sine * factor[i][k], x[i]);
        }
    }
    lost
}

/// Updates the factored Hessian for rows that became active or inactive, as `HessianIncremental` does. In each iteration,
/// each lane processes its next changed row.
///
/// In lanes in which the updated Hessian no longer has full rank, the Hessian is computed and factored again.
#[inline(always)]
pub(in crate::native) fn update_factor<V: Float64Lanes, const N: usize>(
    model: &NativeModel,
    rows: &mut Constraints<V>,
    mass: &[V],
    factor: &mut [[V; N]; N],
    live: u32,
    stats: &mut SolverStats,
) {
    let n = nv::<N>(model);
    rows.changed.iter_mut().for_each(Vec::clear);
    for row in 0..rows.nefc {
        let mut left = live & V::bits(V::mask_xor(rows.was_active[row], rows.quadratic[row]));
        while left != 0 {
            rows.changed[left.trailing_zeros() as usize].push(row as u16);
            left &= left - 1;
        }
    }
    let (mut lost, mut next) = (0, 0);
    loop {
        let (mut lanes, mut adds, mut weight, mut x) = (0, 0, V::splat(0.0), [V::splat(0.0); N]);
        for lane in 0..V::COUNT {
            let Some(row) = rows.changed[lane].get(next) else { continue };
            let row = usize::from(*row);
            lanes |= 1 << lane;
            adds |= V::bits(rows.quadratic[row]) & 1 << lane;
            weight.set(lane, rows.efc_d[row].get(lane));
            let jacobian = rows.jacobian_row(row, n);
            for i in 0..n {
                x[i].set(lane, jacobian[i].get(lane));
            }
        }
        if lanes == 0 {
            break;
        }
        stats.updates[0] += u64::from(u32::count_ones(lanes));
        let root = weight.sqrt();
        for part in &mut x {
            *part = *part * root;
        }
        lost |= chol_update(factor, (n, x), V::mask(lanes), V::mask(adds));
        next += 1;
    }
    if lost != 0 {
        stats.updates[1] += u64::from(lost.count_ones());
        let mut matrix = std::mem::take(&mut rows.matrices[1]);
        let hessian = square::<V, N>(&mut matrix);
        rows.hessian(model, mass, hessian, lost);
        let lanes = V::mask(lost);
        for i in 0..n {
            for k in 0..=i {
                factor[i][k] = V::select(lanes, hessian[i][k], factor[i][k]);
            }
        }
        rows.matrices[1] = matrix;
    }
}

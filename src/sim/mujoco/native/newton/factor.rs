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

/// Number of rank-one updates that [`chol_updates`] computes at once.
pub(in crate::native) const MAX_UPDATES: usize = 3;

/// Rank-one update of the Hessian: a constraint row that some lanes add or subtract.
#[derive(Clone, Copy)]
pub(in crate::native) struct RankOne<V: Float64Lanes, const N: usize> {
    /// Row of the Jacobian, times the square root of its weight.
    pub(in crate::native) x: [V; N],
    /// Lanes in which the row changes the Hessian.
    pub(in crate::native) lanes: V::Mask,
    /// Lanes that add the row; the others subtract it.
    pub(in crate::native) adds: V::Mask,
}

impl<V: Float64Lanes, const N: usize> RankOne<V, N> {
    /// Returns an update that changes nothing.
    #[inline(always)]
    pub(in crate::native) fn none() -> Self {
        Self { x: [V::splat(0.0); N], lanes: V::mask(0), adds: V::mask(0) }
    }

    /// Updates column `k` of the factor, of `n` rows. Returns a bit mask of the lanes that lost their full rank.
    #[inline(always)]
    fn column(&mut self, factor: &mut [[V; N]; N], n: usize, k: usize) -> u32 {
        let Self { x, lanes, adds } = self;
        let none = V::splat(0.0);
        let is_changed = V::mask_and(*lanes, x[k].ne(none));
        if !V::any(is_changed) {
            return 0;
        }
        let diagonal = factor[k][k];
        let square = x[k] * x[k];
        let sum = diagonal * diagonal + V::select(*adds, square, -square);
        let is_low = V::mask_and(is_changed, sum.lt(V::splat(MJMINVAL)));
        let root = V::select(is_low, V::splat(MJMINVAL), sum).sqrt();
        let cosine = root / diagonal;
        let by = V::splat(1.0) / cosine;
        let sine = x[k] / diagonal;
        let signed = V::select(*adds, sine, -sine);
        factor[k][k] = V::select(is_changed, root, diagonal);
        for i in k + 1..n {
            let value = (factor[i][k] + signed * x[i]) * by;
            factor[i][k] = V::select(is_changed, value, factor[i][k]);
            x[i] = V::select(is_changed, cosine * x[i] - sine * factor[i][k], x[i]);
        }
        V::bits(is_low)
    }
}

/// Updates the Cholesky factor of the Hessian, of `n` rows, by rank-one updates in their order, as `mju_cholUpdate` does.
/// Returns a bit mask of the lanes in which the updated Hessian no longer has full rank.
///
/// Each update is one column behind the update before it. Its divisions and square roots therefore do not wait for those of the
/// other updates, and the results are those of updates one after the other.
#[inline(always)]
pub(in crate::native) fn chol_updates<V: Float64Lanes, const N: usize>(
    factor: &mut [[V; N]; N],
    n: usize,
    updates: &mut [RankOne<V, N>],
) -> u32 {
    let mut lost = 0;
    for front in 0..(n + updates.len()).saturating_sub(1) {
        for (behind, update) in updates.iter_mut().enumerate() {
            if front >= behind && front - behind < n {
                lost |= update.column(factor, n, front - behind);
            }
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
    let (mut lost, mut next, mut is_done) = (0, 0, false);
    while !is_done {
        let (mut updates, mut count) = ([RankOne::none(); MAX_UPDATES], 0);
        while count < MAX_UPDATES && !is_done {
            let lanes = next_update(rows, (n, next), &mut updates[count]);
            stats.updates[0] += u64::from(lanes.count_ones());
            is_done = lanes == 0;
            count += usize::from(!is_done);
            next += 1;
        }
        lost |= chol_updates(factor, n, &mut updates[..count]);
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

/// Computes the update of each lane's changed row number `next`. Returns a bit mask of the lanes that have such a row.
#[inline(always)]
fn next_update<V: Float64Lanes, const N: usize>(
    rows: &Constraints<V>,
    (n, next): (usize, usize),
    update: &mut RankOne<V, N>,
) -> u32 {
    let (mut lanes, mut adds, mut weight) = (0, V::mask(0), V::splat(0.0));
    let x = &mut update.x;
    for lane in 0..V::COUNT {
        let Some(row) = rows.changed[lane].get(next) else { continue };
        if lanes >> lane & 1 != 0 {
            continue;
        }
        // Lanes with the same row are processed together.
        let mut own = 0;
        for other in lane..V::COUNT {
            own |= u32::from(rows.changed[other].get(next) == Some(row)) << other;
        }
        lanes |= own;
        let (own, row) = (V::mask(own), usize::from(*row));
        adds = V::mask_or(adds, V::mask_and(own, rows.quadratic[row]));
        weight = V::select(own, rows.efc_d[row], weight);
        let jacobian = rows.jacobian_row(row, n);
        for i in 0..n {
            x[i] = V::select(own, jacobian[i], x[i]);
        }
    }
    let root = weight.sqrt();
    for part in x {
        *part = *part * root;
    }
    (update.lanes, update.adds) = (V::mask(lanes), adds);
    lanes
}

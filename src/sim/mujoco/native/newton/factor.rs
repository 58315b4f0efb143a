//! Solves systems with the Cholesky factor of the Hessian, and applies rank-one updates to the factor.

use super::super::algebra::{MJMINVAL, dot};
use super::super::rows::Constraints;
use super::super::tables::NativeModel;
use super::SolverStats;
use super::vectors::{copy_lane, nv, square};
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

/// Maximum number of updates that [`chol_updates`] applies in one call: the largest dimension of a contact.
pub(in crate::native) const MAX_UPDATES: usize = 6;

/// Adds or subtracts constraint rows, at most [`MAX_UPDATES`], to the Cholesky factor of the Hessian, as a call of `mju_cholUpdate`
/// with each of the vectors `xs` does. `lanes` and `adds` are the lanes that each vector changes, and those that add it. Returns a
/// bit mask of the lanes in which an updated Hessian no longer has full rank.
///
/// All updates of a column follow one another, before those of the next column: an update of a column reads the results of the
/// previous updates of this column only. So the divisions of different updates overlap.
#[inline(always)]
pub(in crate::native) fn chol_updates<V: Float64Lanes, const N: usize>(
    factor: &mut [[V; N]; N],
    (n, xs): (usize, &mut [[V; N]]),
    lanes: &[V::Mask],
    adds: &[V::Mask],
) -> u32 {
    let (none, one, mut lost) = (V::splat(0.0), V::splat(1.0), 0);
    let count = xs.len().min(MAX_UPDATES);
    let (mut cosines, mut inverses, mut sines, mut signed) =
        ([none; MAX_UPDATES], [none; MAX_UPDATES], [none; MAX_UPDATES], [none; MAX_UPDATES]);
    let mut changed = [V::mask(0); MAX_UPDATES];
    for k in 0..n {
        let mut any = 0;
        for update in 0..count {
            changed[update] = V::mask_and(lanes[update], xs[update][k].ne(none));
            any |= V::bits(changed[update]);
        }
        if any == 0 {
            continue;
        }
        let mut diagonal = factor[k][k];
        for update in 0..count {
            let (part, is_changed) = (xs[update][k], changed[update]);
            let square = part * part;
            let sum = diagonal * diagonal + V::select(adds[update], square, -square);
            let is_low = V::mask_and(is_changed, sum.lt(V::splat(MJMINVAL)));
            lost |= V::bits(is_low);
            let root = V::select(is_low, V::splat(MJMINVAL), sum).sqrt();
            let (cosine, sine) = (root / diagonal, part / diagonal);
            (cosines[update], inverses[update], sines[update]) = (cosine, one / cosine, sine);
            signed[update] = V::select(adds[update], sine, -sine);
            diagonal = V::select(is_changed, root, diagonal);
        }
        factor[k][k] = diagonal;
        for i in k + 1..n {
            let mut value = factor[i][k];
            for update in 0..count {
                let (part, is_changed) = (xs[update][i], changed[update]);
                value = V::select(is_changed, (value + signed[update] * part) * inverses[update], value);
                xs[update][i] = V::select(is_changed, cosines[update] * part - sines[update] * value, part);
            }
            factor[i][k] = value;
        }
    }
    lost
}

/// Number of changed rows of a lane with which a solver updates the factor at once.
pub(in crate::native) const ROWS_AT_ONCE: usize = 4;

/// Updates the factored Hessian for rows that became active or inactive, as `HessianIncremental` does. In each iteration,
/// each lane processes its next changed rows.
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
    let (none, mut lost, mut next) = (V::splat(0.0), 0, 0);
    let most = rows.changed.iter().map(Vec::len).max().unwrap_or(0);
    while next < most {
        let count = (most - next).min(ROWS_AT_ONCE);
        let (mut xs, mut lanes, mut adds) = ([[none; N]; ROWS_AT_ONCE], [V::mask(0); ROWS_AT_ONCE], [V::mask(0); ROWS_AT_ONCE]);
        for at in 0..count {
            let (mut own, mut added, mut weight, x) = (0, 0, none, &mut xs[at]);
            for lane in 0..V::COUNT {
                let Some(row) = rows.changed[lane].get(next + at) else { continue };
                let row = usize::from(*row);
                own |= 1 << lane;
                added |= V::bits(rows.quadratic[row]) & 1 << lane;
                weight.set(lane, rows.efc_d[row].get(lane));
                copy_lane(x, rows.jacobian_row(row, n), lane);
            }
            stats.updates[0] += u64::from(u32::count_ones(own));
            let root = weight.sqrt();
            for part in x {
                *part = *part * root;
            }
            (lanes[at], adds[at]) = (V::mask(own), V::mask(added));
        }
        lost |= chol_updates(factor, (n, &mut xs[..count]), &lanes[..count], &adds[..count]);
        next += count;
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

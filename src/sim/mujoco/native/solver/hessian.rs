//! Hessian of the Newton solver: its Cholesky factor, rank-one updates (`mju_cholUpdate`), elliptic cones (`HessianCone`), and
//! solutions of systems (`mju_cholSolve`).

use crate::native::constraint::Constraints;
use crate::native::mju::{MJMINVAL, chol_factor, dot};
use crate::native::model::{MAX_NV, NativeModel};
use crate::native::outlined::outlined;
use crate::native::solver::cones::{ConeTurn, cone_turns};
use crate::native::solver::cones::{EllipticCone, with_condim};
use crate::native::solver::constraint_update::rows_from;
use crate::native::solver::newton::SolverStats;
use crate::native::solver::newton::copy_lane;
use envpool_rs_numeric::simd::Float64Lanes;

/// Number of constraint rows that a solver adds to a sum, or with which it updates the factored Hessian, at once.
pub(in crate::native) const ROWS_AT_ONCE: usize = 4;

/// Evaluates `$body` with the constant `$constant`, which is `$count`, a number of rows up to [`ROWS_AT_ONCE`]. The compiler then
/// unrolls loops over rows.
macro_rules! with_count {
    ($count:expr, $constant:ident => $body:expr) => {
        match $count {
            1 => {
                const $constant: usize = 1;
                $body
            }
            2 => {
                const $constant: usize = 2;
                $body
            }
            3 => {
                const $constant: usize = 3;
                $body
            }
            _ => {
                const $constant: usize = $crate::native::solver::hessian::ROWS_AT_ONCE;
                $body
            }
        }
    };
}
pub(in crate::native) use with_count;

/// Solves a system with a Cholesky factor, given row by row, in place, as `mju_cholSolve` does. The back substitution computes one
/// unknown at a time, or runs column by column as in MuJoCo 4.0 and later.
#[inline(always)]
pub(super) fn chol_solve<V: Float64Lanes>(factor: &[V], x: &mut [V], by_columns: bool) {
    let n = x.len();
    for i in 0..n {
        let row = &factor[i * n..][..n];
        let value = if i > 0 { x[i] - dot(row, x, i) } else { x[i] };
        x[i] = value / row[i];
    }
    for i in (0..n).rev() {
        let row = &factor[i * n..][..n];
        // A sum in memory would wait for the previous store of each term.
        let mut value = x[i];
        if !by_columns {
            for j in i + 1..n {
                value = value - factor[j * n + i] * x[j];
            }
        }
        value = value / row[i];
        x[i] = value;
        if by_columns {
            for j in 0..i {
                x[j] = x[j] - row[j] * value;
            }
        }
    }
}

/// Square matrix of the solver.
pub(in crate::native) trait SquareMatrix<V> {
    /// Returns an element.
    fn at(&mut self, row: usize, column: usize) -> &mut V;
}

impl<V, const N: usize> SquareMatrix<V> for [[V; N]; N] {
    #[inline(always)]
    fn at(&mut self, row: usize, column: usize) -> &mut V {
        &mut self[row][column]
    }
}

/// Square matrix whose size is known at run time only.
pub(super) struct DenseMatrix<'a, V> {
    /// Elements, row by row.
    pub(super) elements: &'a mut [V],
    pub(super) size: usize,
}

impl<V> SquareMatrix<V> for DenseMatrix<'_, V> {
    #[inline(always)]
    fn at(&mut self, row: usize, column: usize) -> &mut V {
        &mut self.elements[row * self.size + column]
    }
}

/// Maximum number of updates that [`chol_updates`] applies in one call: the largest dimension of a contact.
pub(in crate::native) const MAX_UPDATES: usize = 6;

/// Adds or subtracts constraint rows, at most [`MAX_UPDATES`], to the Cholesky factor of the Hessian, as a call of `mju_cholUpdate`
/// with each of the vectors `xs`, of `n` elements, does. `lanes` and `adds` are the lanes that each vector changes, and those that add it. Returns a bit mask of the lanes in which an updated Hessian no longer has full rank.
///
/// All updates of a column follow one another, before those of the next column: an update of a column reads the results of the
/// previous updates of this column only. So the divisions of different updates overlap.
#[inline(always)]
pub(in crate::native) fn chol_updates<V: Float64Lanes, const N: usize>(
    factor: &mut impl SquareMatrix<V>,
    (n, xs): (usize, &mut [[V; N]]),
    lanes: &[V::Mask],
    adds: &[V::Mask],
) -> u32 {
    let (none, one, mut lost) = (V::splat(0.0), V::splat(1.0), 0);
    // The bounds tell the compiler that indices are valid.
    let (n, count) = (n.min(N), xs.len().min(MAX_UPDATES));
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
        let mut diagonal = *factor.at(k, k);
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
        *factor.at(k, k) = diagonal;
        for i in k + 1..n {
            let mut value = *factor.at(i, k);
            for update in 0..count {
                let (part, is_changed) = (xs[update][i], changed[update]);
                value = V::select(is_changed, (value + signed[update] * part) * inverses[update], value);
                xs[update][i] = V::select(is_changed, cosines[update] * part - sines[update] * value, part);
            }
            *factor.at(i, k) = value;
        }
    }
    lost
}

outlined!(
    /// Computes the Cholesky factor (lower triangle) of the Hessian `M + J' * D * J`.
    ///
    /// Rows that are inactive in all lanes of the bit mask `live` are skipped. `hessian` is extended if it is too short.
    pub(super) fn make_hessian<V: Float64Lanes>(
        rows: &Constraints<V>,
        model: &NativeModel,
        qm: &[V],
        hessian: &mut Vec<V>,
        live: u32,
    ) {
        let n = model.dofs.len();
        hessian.resize(n * n, V::splat(0.0));
        for i in 0..n {
            hessian[i * n..][..=i].fill(V::splat(0.0));
        }
        let mut next = 0;
        while next < rows.nefc {
            let (row, count) = (next, usize::from(rows.alike[next]));
            next += count;
            let mut lanes = 0;
            for quadratic in &rows.quadratic[row..next] {
                lanes |= V::bits(*quadratic);
            }
            if lanes & live == 0 {
                continue;
            }
            match rows.single_dof[row] {
                0 => with_count!(count, COUNT => {
                    let (mut lines, mut efc_d) = ([rows.jacobian_row(row, n); COUNT], [V::splat(0.0); COUNT]);
                    for at in 0..COUNT {
                        lines[at] = rows.jacobian_row(row + at, n);
                        efc_d[at] = rows.efc_d[row + at].select_or_zero(rows.quadratic[row + at]);
                    }
                    let columns = rows.columns(model, row);
                    for (last, &i) in columns.iter().enumerate() {
                        let mut scaled = efc_d;
                        for at in 0..COUNT {
                            scaled[at] = lines[at][i] * efc_d[at];
                        }
                        let line = &mut hessian[i * n..][..n];
                        for &k in &columns[..=last] {
                            let mut sum = line[k];
                            for at in 0..COUNT {
                                sum = sum + lines[at][k] * scaled[at];
                            }
                            line[k] = sum;
                        }
                    }
                }),
                dof => {
                    let i = dof as usize - 1;
                    let value = rows.jacobian_row(row, n)[i];
                    let efc_d = rows.efc_d[row].select_or_zero(rows.quadratic[row]);
                    hessian[i * n + i] = hessian[i * n + i] + value * (value * efc_d);
                }
            }
        }
        for i in 0..n {
            let line = &mut hessian[i * n..][..n];
            for (column, value) in model.m_colind_of(i).iter().zip(&qm[model.dofs[i].m_rowadr..]) {
                line[*column] = line[*column] + *value;
            }
        }
        chol_factor(hessian, n, model.dialect.clears_columns);
    }
);

outlined!(
    /// Updates the factored Hessian for rows that became active or inactive, as `HessianIncremental` does. In each
    /// iteration, each lane processes its next changed rows.
    ///
    /// In lanes in which the updated Hessian no longer has full rank, the Hessian is computed and factored again.
    pub(super) fn hessian_incremental<V: Float64Lanes>(
        rows: &mut Constraints<V>,
        model: &NativeModel,
        qm: &[V],
        factor: &mut [V],
        live: u32,
        stats: &mut SolverStats,
    ) {
        let n = model.dofs.len();
        rows.changed.iter_mut().for_each(Vec::clear);
        for row in 0..rows.nefc {
            let mut left = live & V::bits(V::mask_xor(rows.was_quadratic[row], rows.quadratic[row]));
            while left != 0 {
                rows.changed[left.trailing_zeros() as usize].push(row as u16);
                left &= left - 1;
            }
        }
        let (none, mut lost, mut next) = (V::splat(0.0), 0, 0);
        let most = rows.changed.iter().map(Vec::len).max().unwrap_or(0);
        let mut updates = std::mem::take(&mut rows.memory.updates);
        updates.resize(MAX_UPDATES, [none; MAX_NV]);
        while next < most {
            let count = (most - next).min(ROWS_AT_ONCE);
            let (mut lanes, mut adds) = ([V::mask(0); ROWS_AT_ONCE], [V::mask(0); ROWS_AT_ONCE]);
            for at in 0..count {
                let (mut own, mut added, mut efc_d, x) = (0, 0, none, &mut updates[at][..n]);
                for lane in 0..V::COUNT {
                    let Some(row) = rows.changed[lane].get(next + at).filter(|_| own >> lane & 1 == 0) else { continue };
                    // Lanes with the same row are copied together.
                    let mut alike = 1 << lane;
                    for other in lane + 1..V::COUNT {
                        alike |= u32::from(rows.changed[other].get(next + at) == Some(row)) << other;
                    }
                    let (row, mask) = (usize::from(*row), V::mask(alike));
                    own |= alike;
                    added |= V::bits(rows.quadratic[row]) & alike;
                    efc_d = V::select(mask, rows.efc_d[row], efc_d);
                    for (part, from) in x.iter_mut().zip(rows.jacobian_row(row, n)) {
                        *part = V::select(mask, *from, *part);
                    }
                }
                stats.updates[0] += u64::from(u32::count_ones(own));
                let root = efc_d.sqrt();
                for part in x {
                    *part = *part * root;
                }
                (lanes[at], adds[at]) = (V::mask(own), V::mask(added));
            }
            let mut matrix = DenseMatrix { elements: factor, size: n };
            lost |= with_count!(count, COUNT => {
                chol_updates(&mut matrix, (n, &mut updates[..COUNT]), &lanes[..COUNT], &adds[..COUNT])
            });
            next += count;
        }
        rows.memory.updates = updates;
        if lost != 0 {
            stats.updates[1] += u64::from(lost.count_ones());
            let mut hessian = std::mem::take(&mut rows.memory.whole);
            make_hessian(rows, model, qm, &mut hessian, lost);
            let lanes = V::mask(lost);
            for (to, from) in factor.iter_mut().zip(&hessian) {
                *to = V::select(lanes, *from, *to);
            }
            rows.memory.whole = hessian;
        }
    }
);

/// Memory of the Newton solver (`PrimalAllocate`), which its kernels extend to the sizes that they need.
pub(in crate::native) struct SolverMemory<V> {
    /// Cholesky factor of the Hessian.
    pub(super) factor: Vec<V>,
    /// Copy of the factor that includes elliptic cones, or the factor of a Hessian that lost its rank.
    pub(super) whole: Vec<V>,
    /// Vectors by which the factor is updated at once.
    pub(super) updates: Vec<[V; MAX_NV]>,
    /// Order in which the Hessians of elliptic cones are added.
    turns: Vec<ConeTurn>,
    /// Rows of `efc_J` of a turn.
    jacobian: Vec<V>,
}

impl<V> Default for SolverMemory<V> {
    fn default() -> Self {
        Self { factor: Vec::new(), whole: Vec::new(), updates: Vec::new(), turns: Vec::new(), jacobian: Vec::new() }
    }
}

outlined!(
    /// Replaces the gradient `x` by `Mgrad`, the inverse Hessian times the gradient; the Hessian is given by its
    /// Cholesky factor. In the lanes of `live`, the Hessian includes the cones that are in their middle zone (`HessianCone`).
    pub(super) fn update_gradient<V: Float64Lanes>(
        rows: &mut Constraints<V>,
        model: &NativeModel,
        factor: &[V],
        x: &mut [V],
        live: u32,
    ) {
        let (dialect, n) = (&model.dialect, x.len());
        if rows.cones.is_empty() {
            chol_solve(factor, x, dialect.solves_by_columns);
            return;
        }
        let mut memory = std::mem::take(&mut rows.memory);
        cone_turns(&rows.cones, live, &mut memory.turns);
        let SolverMemory { turns, whole: all, jacobian, updates, .. } = &mut memory;
        let mut whole = factor;
        if !turns.is_empty() {
            all.clear();
            all.extend_from_slice(factor);
            jacobian.resize(MAX_UPDATES * n, V::splat(0.0));
            updates.resize(MAX_UPDATES, [V::splat(0.0); MAX_NV]);
            for turn in &*turns {
                with_condim!(rows.cones[turn.first_cone()], DIM => {
                    let (cone, jaref, efc_d) = rows.cones_of::<DIM>(turn, n, jacobian);
                    let cone_hessian = cone.cone_hessian::<DIM>(&jaref, efc_d, dialect);
                    for part in 0..DIM {
                        let x = &mut updates[part][..n];
                        x.fill(V::splat(0.0));
                        for row in part..DIM {
                            for (sum, value) in x.iter_mut().zip(&jacobian[row * n..]) {
                                *sum = *sum + *value * cone_hessian[row][part];
                            }
                        }
                    }
                    let lanes = [V::mask(turn.lanes); DIM];
                    let mut matrix = DenseMatrix { elements: all, size: n };
                    chol_updates(&mut matrix, (n, &mut updates[..DIM]), &lanes, &lanes);
                });
            }
            whole = all;
        }
        chol_solve(whole, x, dialect.solves_by_columns);
        rows.memory = memory;
    }
);

impl<V: Float64Lanes> Constraints<V> {
    /// Gathers the cones of a turn, each from its own lane: the cone, `Jaref` of its rows, and `efc_D` of its first row. Its rows of
    /// `efc_J` are written into `jacobian`.
    #[inline(always)]
    fn cones_of<const D: usize>(&self, turn: &ConeTurn, n: usize, jacobian: &mut [V]) -> (EllipticCone<V>, [V; D], V) {
        let first = turn.first_cone();
        let mut gathered = self.cones[first];
        let row = gathered.row;
        let (mut jaref, mut efc_d) = (rows_from::<V, D>(&self.jaref, row), self.efc_d[row]);
        jacobian[..D * n].copy_from_slice(&self.efc_j[row * n..][..D * n]);
        for lane in 0..V::COUNT {
            let number = usize::from(turn.cones[lane]);
            if turn.lanes >> lane & 1 == 0 || number == first {
                continue;
            }
            let (cone, row) = (&self.cones[number], self.cones[number].row);
            gathered.copy_friction(cone, lane);
            efc_d.set(lane, self.efc_d[row].get(lane));
            for part in 0..D {
                jaref[part].set(lane, self.jaref[row + part].get(lane));
            }
            copy_lane(jacobian, &self.efc_j[row * n..][..D * n], lane);
        }
        (gathered, jaref, efc_d)
    }
}

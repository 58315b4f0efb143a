//! Computes and factors the inertia matrix, and solves linear systems with it: `mj_crb`, `mj_factorI` and `mj_solveLD`.

use crate::native::data::NativeData;
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{MJMINVAL, dot6, mul_inert_vec};
use crate::native::model::{MAX_NC, MAX_NV, NativeModel};
use envpool_rs_numeric::simd::Float64Lanes;

/// Computes the inertia matrix by the composite rigid-body algorithm, as `mj_crb` (called by `mj_makeM`).
#[inline(always)]
pub(super) fn crb<V: Float64Lanes>(model: &NativeModel, fields: impl FieldSource<V>, data: &mut NativeData<V>) {
    let bodies = model.bodies.len();
    data.crb[1..bodies].copy_from_slice(&data.cinert[1..bodies]);
    for (id, body) in model.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let own = data.crb[id];
            for (sum, part) in data.crb[body.parent].iter_mut().zip(own) {
                *sum = *sum + part;
            }
        }
    }
    for (number, dof) in model.dofs.iter().enumerate() {
        let mut at = dof.m_diagadr();
        if let Some(mass) = dof.m0 {
            data.qm[at] = fields.dof_m0(number, mass);
            continue;
        }
        let own = &data.cdof[number];
        let force = mul_inert_vec(&data.crb[dof.body], own);
        data.qm[at] = fields.dof_armature(number, dof) + dot6(own, &force);
        let mut next = dof.parent;
        while let Some(above) = next {
            at -= 1;
            data.qm[at] = dot6(&data.cdof[above], &force);
            next = model.dofs[above].parent;
        }
    }
}

/// Factors a matrix with the inertia matrix's sparsity into `L'DL` in place, as `mj_factorM` (`mj_factorI`, whose rows are
/// updated by `mju_addToScl`) does.
///
/// Returns a bit mask of the lanes with a pivot below `mjMINVAL`, in which MuJoCo would warn.
#[inline(always)]
pub(super) fn factor_i<V: Float64Lanes>(model: &NativeModel, matrix: &mut [V; MAX_NC], inverse: &mut [V; MAX_NV]) -> u32 {
    let mut good = V::mask(V::ALL);
    for (number, dof) in model.dofs.iter().enumerate().rev() {
        good = V::mask_and(good, matrix[dof.m_diagadr()].ge(V::splat(MJMINVAL)));
        let by = V::splat(1.0) / matrix[dof.m_diagadr()];
        inverse[number] = by;
        let (above, own) = matrix.split_at_mut(dof.m_rowadr);
        let row = &mut own[..dof.m_rownnz - 1];
        for (at, column) in model.m_colind_of(number)[..dof.m_rownnz - 1].iter().enumerate().rev() {
            let scale = -row[at] * by;
            let other = &model.dofs[*column];
            for (sum, part) in above[other.m_rowadr..][..other.m_rownnz].iter_mut().zip(row.iter()) {
                *sum = *sum + *part * scale;
            }
        }
        row.iter_mut().for_each(|part| *part = *part * by);
    }
    !V::bits(good) & V::ALL
}

/// Multiplies the inertia matrix by the vector `v`, as `mj_mulM` does.
#[inline(always)]
pub(super) fn mul_m<V: Float64Lanes>(model: &NativeModel, qm: &[V], v: &[V], product: &mut [V]) {
    let mut start = 0;
    for (product, &end) in product.iter_mut().zip(&model.full_m.ends) {
        let row = &model.full_m.entries[start..end];
        start = end;
        let [at, column] = row[0];
        let mut sum = qm[at] * v[column];
        for &[at, column] in &row[1..] {
            sum = sum + qm[at] * v[column];
        }
        *product = sum;
    }
}

/// Solves `ROWS` systems with the transpose of the factor `L` of the inertia matrix in place, the first step of `mj_solveLD` and
/// `mj_solveM2`. If `SKIPS_ZEROS` is set, numbers that are zero in all lanes and systems take no time.
#[inline(always)]
pub(super) fn solve_l_transposed<V: Float64Lanes, const ROWS: usize, const SKIPS_ZEROS: bool>(
    model: &NativeModel,
    factor: &[V; MAX_NC],
    x: &mut [[V; ROWS]],
) {
    // The next turn often needs the nearest ancestor's numbers, which `value` passes on: a load would wait for the store.
    let Some(mut value) = x.last().copied() else { return };
    for number in (1..x.len()).rev() {
        let mut next = None;
        if !SKIPS_ZEROS || any_differs(&value) {
            let dof = &model.dofs[number];
            let row = &factor[dof.m_rowadr..][..dof.m_rownnz - 1];
            if let ([parts @ .., part], [columns @ .., column]) = (row, &model.m_colind_of(number)[..row.len()]) {
                subtract(&mut x[*column], *part, &value);
                next = (column + 1 == number).then_some(x[*column]);
                for (part, column) in parts.iter().zip(columns) {
                    subtract(&mut x[*column], *part, &value);
                }
            }
        }
        value = match next {
            Some(near) => near,
            None => x[number - 1],
        };
    }
}

/// Returns whether any number is not zero in any lane.
#[inline(always)]
pub(super) fn any_differs<V: Float64Lanes, const ROWS: usize>(values: &[V; ROWS]) -> bool {
    let mut lanes = 0;
    for value in values {
        lanes |= V::bits(value.ne(V::splat(0.0)));
    }
    lanes != 0
}

/// Subtracts `part * values` from `x`.
#[inline(always)]
fn subtract<V: Float64Lanes, const ROWS: usize>(x: &mut [V; ROWS], part: V, values: &[V; ROWS]) {
    for (x, value) in x.iter_mut().zip(values) {
        *x = *x - part * *value;
    }
}

/// Solves a system with the factored inertia matrix in place, as `mj_solveLD` (`mj_solveM`) does.
#[inline(always)]
pub(super) fn solve_ld<V: Float64Lanes>(model: &NativeModel, factor: &[V; MAX_NC], inverse: &[V; MAX_NV], x: &mut [V]) {
    if x.is_empty() {
        return;
    }
    solve_l_transposed::<V, 1, false>(model, factor, x.as_chunks_mut().0);
    for (value, by) in x.iter_mut().zip(inverse) {
        *value = *value * *by;
    }
    let mut value = x[0];
    for number in 1..x.len() {
        let dof = &model.dofs[number];
        let rest = dof.m_rownnz - 1;
        if rest == 0 {
            value = x[number];
            continue;
        }
        let (row, columns) = (&factor[dof.m_rowadr..][..rest], &model.m_colind_of(number)[..rest]);
        let last = if columns[rest - 1] + 1 == number { value } else { x[columns[rest - 1]] };
        // A closure would be compiled without the vectors' instructions.
        macro_rules! product {
            ($at:expr) => {
                row[$at] * if $at + 1 == rest { last } else { x[columns[$at]] }
            };
        }
        let (mut at, mut sum);
        if rest >= 4 {
            let mut sums = [product!(0), product!(1), product!(2), product!(3)];
            at = 4;
            while at + 4 <= rest {
                for (part, sum) in sums.iter_mut().enumerate() {
                    *sum = *sum + product!(at + part);
                }
                at += 4;
            }
            sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
        } else {
            sum = product!(0);
            at = 1;
        }
        while at < rest {
            sum = sum + product!(at);
            at += 1;
        }
        value = x[number] - sum;
        x[number] = value;
    }
}

//! Computes and factors the inertia matrix, and solves linear systems with it: `mj_crb`, `mj_factorI` and `mj_solveLD`.

use crate::native::data::NativeData;
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{MJMINVAL, dot6, first, mul_inert_vec};
use crate::native::model::{MAX_NC, MAX_NV, NativeModel};
use crate::native::solver::hessian::{ROWS_AT_ONCE, with_count};
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
        let (len, below) = (dof.m_rownnz, &model.dofs[number + 1..][..dof.descendants]);
        // The sums of some columns at a time are in registers until all descendants have been added.
        for first_column in (0..if below.is_empty() { 0 } else { len }).step_by(ROWS_AT_ONCE) {
            with_count!((len - first_column).min(ROWS_AT_ONCE), COUNT => {
                let own = dof.m_rowadr + first_column..dof.m_rowadr + first_column + COUNT;
                let mut sums: [V; COUNT] = first(&matrix[own.clone()]);
                for (other, by) in below.iter().zip(&inverse[number + 1..]).rev() {
                    let row = &matrix[other.m_rowadr..][..len];
                    let (scale, parts) = (-row[len - 1] * *by, &row[first_column..][..COUNT]);
                    for at in 0..COUNT {
                        sums[at] = sums[at] + parts[at] * scale;
                    }
                }
                matrix[own].copy_from_slice(&sums);
            });
        }
        good = V::mask_and(good, matrix[dof.m_diagadr()].ge(V::splat(MJMINVAL)));
        inverse[number] = V::splat(1.0) / matrix[dof.m_diagadr()];
    }
    for (dof, by) in model.dofs.iter().zip(inverse.iter()) {
        for part in &mut matrix[dof.m_rowadr..dof.m_diagadr()] {
            *part = *part * *by;
        }
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
/// `mj_solveM2`. `used` is a bit mask of the degrees of freedom with numbers that are not zero; returns that of the solution.
#[inline(always)]
pub(super) fn solve_l_transposed<V: Float64Lanes, const ROWS: usize>(
    model: &NativeModel,
    factor: &[V; MAX_NC],
    x: &mut [[V; ROWS]],
    mut used: u64,
) -> u64 {
    for (number, dof) in model.dofs[..x.len()].iter().enumerate().rev() {
        let (mut value, column) = (x[number], dof.m_rownnz - 1);
        let mut left = used & ((1 << dof.descendants) - 1) << (number + 1);
        used |= u64::from(left != 0) << number;
        while left != 0 {
            let other = left.ilog2() as usize;
            left ^= 1 << other;
            let part = factor[model.dofs[other].m_rowadr + column];
            for (value, other) in value.iter_mut().zip(&x[other]) {
                *value = *value - part * *other;
            }
        }
        x[number] = value;
    }
    used
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

/// Solves a system with the factored inertia matrix in place, as `mj_solveLD` (`mj_solveM`) does.
#[inline(always)]
pub(super) fn solve_ld<V: Float64Lanes>(model: &NativeModel, factor: &[V; MAX_NC], inverse: &[V; MAX_NV], x: &mut [V]) {
    if x.is_empty() {
        return;
    }
    solve_l_transposed::<V, 1>(model, factor, x.as_chunks_mut().0, u64::MAX);
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

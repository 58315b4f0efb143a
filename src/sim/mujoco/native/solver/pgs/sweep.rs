//! `mj_solPGS`: computes the matrix of the dual problem, and sweeps over its rows.

use crate::native::mju::dot;
use crate::native::model::{MAX_NV, NativeModel};
use crate::native::smooth::NativeData;
use crate::native::solver::pgs::{DualRows, dot_rows, put};
use crate::native::solver::pgs_shuffled::MAX_COST_GROWTH;
use envpool_rs_numeric::simd::Float64Lanes;

/// Computes `efc_AR`, the matrix of the dual problem, as `mj_projectConstraint` does.
#[inline(always)]
pub(super) fn make_ar<V: Float64Lanes, const N: usize>(model: &NativeModel, data: &NativeData<V>, rows: &mut DualRows<V>) {
    let none = V::splat(0.0);
    let slots = rows.slots;
    let stride = (slots + 3) & !3;
    let mut roots = [none; N];
    for (root, dof) in roots.iter_mut().zip(&model.dofs) {
        *root = V::splat(1.0) / data.qld[dof.m_diagadr()].sqrt();
    }
    for row in 0..slots {
        let mut x = [none; N];
        x.copy_from_slice(&rows.efc_j[row * N..][..N]);
        for number in (1..N).rev() {
            let (dof, value) = (&model.dofs[number], x[number]);
            if !V::any(value.ne(none)) {
                continue;
            }
            for (part, column) in data.qld[dof.m_rowadr..][..dof.m_rownnz - 1].iter().zip(model.m_colind_of(number)) {
                x[*column] = x[*column] - *part * value;
            }
        }
        let mut used = 0;
        for dof in 0..N {
            rows.efc_y[dof * stride + row] = x[dof] * roots[dof];
            used |= u32::from(V::any(x[dof].ne(none))) << dof;
        }
        rows.used[row] = used;
    }
    for row in slots..stride {
        for dof in 0..N {
            rows.efc_y[dof * stride + row] = none;
        }
    }
    // The loop computes a block of two rows and four columns of the matrix at a time.
    let mut row = 0;
    while row < slots {
        let next = if row + 1 < slots { row + 1 } else { row };
        let mut column = 0;
        while column <= next {
            let (mut sums, mut others) = ([none; 4], [none; 4]);
            let mut left = rows.used[row] | rows.used[next];
            while left != 0 {
                let line = &rows.efc_y[left.trailing_zeros() as usize * stride..][..stride];
                left &= left - 1;
                let (one, other) = (line[row], line[next]);
                let block = &line[column..column + 4];
                for part in 0..4 {
                    sums[part] = sums[part] + block[part] * one;
                    others[part] = others[part] + block[part] * other;
                }
            }
            rows.efc_ar[row * stride + column..][..4].copy_from_slice(&sums);
            rows.efc_ar[next * stride + column..][..4].copy_from_slice(&others);
            column += 4;
        }
        row += 2;
    }
    for row in 0..slots {
        for column in row + 1..slots {
            rows.efc_ar[row * stride + column] = rows.efc_ar[column * stride + row];
        }
    }
    for row in 0..slots {
        let at = row * stride + row;
        rows.efc_ar[at] = rows.efc_ar[at] + rows.efc_r[row];
    }
}

/// Computes `efc_b` and the PGS solver's initial forces. The initial forces follow from `qacc_warmstart`, unless zero forces
/// have a lower cost.
#[inline(always)]
pub(super) fn warmstart<V: Float64Lanes, const N: usize>(
    data: &NativeData<V>,
    rows: &mut DualRows<V>,
    qacc_warmstart: &[V; MAX_NV],
) {
    let (none, one, half) = (V::splat(0.0), V::splat(1.0), V::splat(0.5));
    let (slots, whole) = (rows.slots, rows.whole);
    let stride = (slots + 3) & !3;
    for row in 0..slots {
        let jacobian = &rows.efc_j[row * N..][..N];
        let efc_aref = rows.minus_b[row] * dot(jacobian, &data.qvel, N) - rows.k_imp[row] * rows.pos_minus_margin[row];
        rows.efc_b[row] = dot(jacobian, &data.qacc_smooth, N) - efc_aref;
        let jaref = dot(jacobian, qacc_warmstart, N) - efc_aref;
        let efc_d = one / rows.efc_r[row];
        rows.efc_force[row] = (-efc_d * jaref).select_or_zero(jaref.lt(none));
        rows.ar_inv[row] = one / rows.efc_ar[row * stride + row];
        rows.ar_diag[row] = one / rows.ar_inv[row];
    }
    let DualRows { efc_ar, efc_b, efc_force, products, .. } = rows;
    for row in 0..slots {
        products[row] = dot_rows(&efc_ar[row * stride..][..slots], efc_force, whole);
    }
    let cost = dot_rows(&efc_force[..slots], efc_b, whole);
    let cost = cost + half * dot_rows(&efc_force[..slots], products, whole);
    let is_worse = cost.gt(none);
    if V::any(is_worse) {
        for value in &mut efc_force[..slots] {
            *value = V::select(is_worse, none, *value);
        }
    }
}

/// Sweeps over all constraint rows in the order of their indices, and updates each row's force, until a sweep improves the
/// cost by less than the tolerance.
#[inline(always)]
pub(super) fn sweep<V: Float64Lanes>(model: &NativeModel, rows: &mut DualRows<V>, lanes: u32, scale: V) {
    let (none, half) = (V::splat(0.0), V::splat(0.5));
    let (slots, whole) = (rows.slots, rows.whole);
    let stride = (slots + 3) & !3;
    let (tolerance, growth) = (V::splat(model.tolerance), V::splat(MAX_COST_GROWTH));
    let DualRows { efc_ar, efc_b, efc_force, ar_inv, ar_diag, .. } = rows;
    let efc_force = &mut efc_force[..slots];
    let mut live = lanes;
    let mut iteration = 0;
    while iteration < model.iterations && live != 0 {
        let going = V::mask(live);
        let mut improvement = none;
        for row in 0..slots {
            let rest = efc_b[row] + dot_rows(&efc_ar[row * stride..][..slots], efc_force, whole);
            let old = efc_force[row];
            let new = old - rest * ar_inv[row];
            let mut new = V::select(new.lt(none), none, new);
            let change = new - old;
            let mut cost = half * change * change * ar_diag[row] + change * rest;
            let is_worse = cost.gt(growth);
            if V::any(is_worse) {
                new = V::select(is_worse, old, new);
                cost = V::select(is_worse, none, cost);
            }
            improvement = improvement - cost;
            efc_force[row] = V::select(going, new, old);
        }
        iteration += 1;
        live &= !V::bits((improvement * scale).lt(tolerance));
    }
}

/// Sweeps over the constraint rows of each lane separately, in a shuffled order, and updates each row's force.
#[inline(always)]
pub(super) fn sweep_each<V: Float64Lanes>(model: &NativeModel, rows: &mut DualRows<V>, lanes: u32, scale: V) {
    let stride = (rows.slots + 3) & !3;
    let mut shuffled = std::mem::take(&mut rows.shuffled);
    for lane in 0..V::COUNT {
        if lanes >> lane & 1 == 0 {
            continue;
        }
        let problem = &mut shuffled.problems[lane];
        let count = rows.counts[lane];
        problem.begin(count, scale.get(lane));
        for row in 0..count {
            let slot = rows.slot(row, lane);
            problem.efc_b[row] = rows.efc_b[slot].get(lane);
            problem.efc_force[row] = rows.efc_force[slot].get(lane);
            problem.ar_inv[row] = rows.ar_inv[slot].get(lane);
            problem.ar_diag[row] = rows.ar_diag[slot].get(lane);
            for column in 0..count {
                problem.efc_ar[row * count + column] = rows.efc_ar[slot * stride + rows.slot(column, lane)].get(lane);
            }
        }
    }
    shuffled.sweep(model, lanes);
    for lane in 0..V::COUNT {
        if lanes >> lane & 1 == 0 {
            continue;
        }
        for row in 0..rows.counts[lane] {
            let slot = rows.slot(row, lane);
            put(&mut rows.efc_force, slot, lane, shuffled.problems[lane].efc_force[row]);
        }
    }
    rows.shuffled = shuffled;
}

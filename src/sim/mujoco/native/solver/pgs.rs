//! `mj_solPGS`: projected Gauss-Seidel, on constraint rows that are stored without gaps in each lane.
//!
//! The solver's sums over rows are dense dot products (`mju_dot`), which add blocks of four separately from the remaining rows.
//! So the order of a sum depends on the number of rows in the lane. The rows after a lane's last full block are stored after
//! the blocks of all lanes; unused slots are zero.

use crate::native::data::NativeData;
use crate::native::dialect::SweepOrder;
use crate::native::inertia::solve_ld;
use crate::native::mju::dot;
use crate::native::model::{MAX_NV, NativeModel};
use crate::native::solver::cost_scale;
use crate::native::solver::pgs_shuffled::{MAX_COST_GROWTH, ShuffledPgs};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// Maximum number of constraint rows of a lane. MuJoCo must step lanes with more rows.
const MAX_ROWS: usize = 128;
/// Maximum number of slots, each of which holds one constraint row of every lane. Full blocks of four come first, then the rows
/// that remain.
const MAX_SLOTS: usize = MAX_ROWS + 4;

/// Constraint rows of all lanes for PGS, the dual solver.
pub(in crate::native) struct DualRows<V: Float64Lanes> {
    /// Number of constraint rows in each lane.
    pub(in crate::native) counts: [usize; 8],
    /// Number of slots that hold full blocks of four rows, a multiple of four.
    whole: usize,
    /// Number of slots in use: the slots of full blocks, and the slots of the rows that remain after the full blocks.
    slots: usize,
    efc_j: Vec<V>,
    /// Regularizer (`efc_R`), stiffness, distance and damping of each constraint row. The last three determine `efc_aref`.
    efc_r: Vec<V>,
    k_imp: Vec<V>,
    pos_minus_margin: Vec<V>,
    minus_b: Vec<V>,
    /// Jacobian rows times the inverse square root of the inertia matrix (`J * M^(-1/2)`), stored by degree of freedom.
    efc_y: Vec<V>,
    /// Matrix of the dual problem, row by row: `efc_AR = J * inv(M) * J' + R`.
    efc_ar: Vec<V>,
    /// Linear term of the dual problem, by row: `efc_b = J * qacc_smooth - aref`.
    efc_b: Vec<V>,
    efc_force: Vec<V>,
    /// Reciprocal of the diagonal of `efc_AR` (`ARdiaginv` in MuJoCo).
    ar_inv: Vec<V>,
    /// Diagonal of `efc_AR`: the reciprocal of `ar_inv`.
    ar_diag: Vec<V>,
    products: Vec<V>,
    /// Bit mask of the degrees of freedom at which each row has non-zero entries.
    used: Vec<u32>,
    /// PGS problem of each lane, for MuJoCo versions that visit the rows in a shuffled order.
    shuffled: ShuffledPgs,
}

/// Writes a number into one lane of an element of `values`.
#[inline(always)]
fn put<V: Float64Lanes>(values: &mut [V], at: usize, lane: usize, value: f64) {
    values[at].set(lane, value);
}

impl<V: Float64Lanes> DualRows<V> {
    pub(in crate::native) fn new(model: &NativeModel) -> Self {
        let numbers = |count: usize| vec![V::splat(0.0); count];
        let slots = || vec![V::splat(0.0); MAX_SLOTS];
        Self {
            counts: [0; 8],
            whole: 0,
            slots: 0,
            efc_j: numbers(MAX_SLOTS * model.dofs.len()),
            efc_r: slots(),
            k_imp: slots(),
            pos_minus_margin: slots(),
            minus_b: slots(),
            efc_y: numbers((MAX_SLOTS + 4) * model.dofs.len()),
            efc_ar: numbers((MAX_SLOTS + 4) * (MAX_SLOTS + 4)),
            efc_b: slots(),
            efc_force: slots(),
            ar_inv: slots(),
            ar_diag: slots(),
            products: slots(),
            used: vec![0; MAX_SLOTS],
            shuffled: ShuffledPgs::default(),
        }
    }

    /// Appends a constraint row in the lanes of the bit mask `lanes`. Returns a bit mask of the lanes that already have the
    /// maximum number of rows.
    #[inline(always)]
    pub(in crate::native) fn push(
        &mut self,
        lanes: u32,
        row: &[V],
        [efc_r, k_imp, pos_minus_margin]: [V; 3],
        minus_b: f64,
    ) -> u32 {
        let dofs = row.len();
        let first = self.counts[0];
        if lanes == V::ALL && first < MAX_ROWS && self.counts[..V::COUNT].iter().all(|count| *count == first) {
            self.efc_j[first * dofs..][..dofs].copy_from_slice(row);
            self.efc_r[first] = efc_r;
            self.k_imp[first] = k_imp;
            self.pos_minus_margin[first] = pos_minus_margin;
            self.minus_b[first] = V::splat(minus_b);
            self.counts[..V::COUNT].fill(first + 1);
            return 0;
        }
        let (mut left, mut full) = (lanes, 0);
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let slot = self.counts[lane];
            if slot >= MAX_ROWS {
                full |= 1 << lane;
                continue;
            }
            self.counts[lane] = slot + 1;
            for (to, from) in self.efc_j[slot * dofs..][..dofs].iter_mut().zip(row) {
                to.set(lane, from.get(lane));
            }
            put(&mut self.efc_r, slot, lane, efc_r.get(lane));
            put(&mut self.k_imp, slot, lane, k_imp.get(lane));
            put(&mut self.pos_minus_margin, slot, lane, pos_minus_margin.get(lane));
            put(&mut self.minus_b, slot, lane, minus_b);
        }
        full
    }

    /// Returns the index of the slot that holds a row of a lane.
    #[inline(always)]
    fn slot(&self, row: usize, lane: usize) -> usize {
        let whole = self.counts[lane] & !3;
        if row < whole { row } else { self.whole + row - whole }
    }

    /// Returns the constraint force (`efc_force`) of a row in a lane.
    pub(in crate::native) fn force_in(&self, row: usize, lane: usize) -> f64 {
        self.efc_force[self.slot(row, lane)].get(lane)
    }

    /// Moves the rows that remain after each lane's last full block behind the blocks of all lanes, and clears unused slots.
    #[inline(always)]
    fn arrange(&mut self, dofs: usize) {
        let counts = self.counts;
        let whole = counts[..V::COUNT].iter().map(|count| count & !3).max().unwrap_or(0);
        let rest = counts[..V::COUNT].iter().map(|count| count & 3).max().unwrap_or(0);
        (self.whole, self.slots) = (whole, whole + rest);
        for (lane, count) in counts[..V::COUNT].iter().copied().enumerate() {
            let (own, rest) = (count & !3, count & 3);
            let mut empty = count;
            if own != whole {
                for row in 0..rest {
                    let (from, to) = (own + row, whole + row);
                    for dof in 0..dofs {
                        let value = self.efc_j[from * dofs + dof].get(lane);
                        put(&mut self.efc_j, to * dofs + dof, lane, value);
                    }
                    for values in [&mut self.efc_r, &mut self.k_imp, &mut self.pos_minus_margin, &mut self.minus_b] {
                        let value = values[from].get(lane);
                        put(values, to, lane, value);
                    }
                }
                empty = own;
            }
            let blocks = if own == whole { whole..whole } else { empty..whole };
            for slot in blocks.chain(whole + rest..self.slots) {
                for dof in 0..dofs {
                    put(&mut self.efc_j, slot * dofs + dof, lane, 0.0);
                }
                put(&mut self.efc_r, slot, lane, 1.0);
                put(&mut self.k_imp, slot, lane, 0.0);
                put(&mut self.pos_minus_margin, slot, lane, 0.0);
                put(&mut self.minus_b, slot, lane, 0.0);
            }
        }
    }
}

/// PGS solver (`mj_solPGS`) for `N` degrees of freedom.
pub(in crate::native) struct Pgs<'a, V: Float64Lanes, const N: usize> {
    pub(in crate::native) model: &'a NativeModel,
    pub(in crate::native) data: &'a NativeData<V>,
    pub(in crate::native) rows: &'a mut DualRows<V>,
    /// Bit mask of the lanes that have constraint rows.
    pub(in crate::native) lanes: u32,
    pub(in crate::native) qacc_warmstart: &'a [V; MAX_NV],
    pub(in crate::native) qacc: &'a mut [V; MAX_NV],
    pub(in crate::native) qfrc_constraint: &'a mut [V; MAX_NV],
}

impl<V: Float64Lanes, const N: usize> SimdKernel for Pgs<'_, V, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { model, data, rows, lanes, qacc_warmstart, qacc, qfrc_constraint } = self;
        rows.arrange(N);
        make_ar::<V, N>(model, data, rows);
        warmstart::<V, N>(data, rows, qacc_warmstart);
        let scale = if model.dialect.scale_by_trace {
            cost_scale(model, &data.qm, u64::MAX)
        } else {
            V::splat(1.0 / (model.meaninertia * N as f64))
        };
        match model.dialect.order {
            SweepOrder::Rows => sweep(model, rows, lanes, scale),
            SweepOrder::Shuffled => sweep_each(model, rows, lanes, scale),
        }
        let none = V::splat(0.0);
        qfrc_constraint[..N].fill(none);
        for slot in 0..rows.slots {
            let efc_force = rows.efc_force[slot];
            if !V::any(efc_force.ne(none)) {
                continue;
            }
            for (sum, part) in qfrc_constraint[..N].iter_mut().zip(&rows.efc_j[slot * N..][..N]) {
                *sum = *sum + *part * efc_force;
            }
        }
        let mut gained = [none; N];
        gained.copy_from_slice(&qfrc_constraint[..N]);
        solve_ld(model, &data.qld, &data.qld_diag_inv, &mut gained);
        let has = V::mask(lanes);
        for dof in 0..N {
            let smooth = data.qacc_smooth[dof];
            qacc[dof] = V::select(has, gained[dof] + smooth, smooth);
            qfrc_constraint[dof] = V::select(has, qfrc_constraint[dof], none);
        }
    }
}

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
    let slots = rows.slots;
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
        products[row] = dot(&efc_ar[row * stride..], efc_force, slots);
    }
    let cost = dot(efc_force, efc_b, slots);
    let cost = cost + half * dot(efc_force, products, slots);
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
    let slots = rows.slots;
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
            let rest = efc_b[row] + dot(&efc_ar[row * stride..], efc_force, slots);
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

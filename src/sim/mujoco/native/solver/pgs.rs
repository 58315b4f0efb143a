//! `mj_solPGS` (`mj_dualFinish`): projected Gauss-Seidel, on constraint rows that are stored without gaps in each lane.
//!
//! The solver's sums over rows are dense dot products (`mju_dot`), which add blocks of four separately from the remaining rows.
//! So the order of a sum depends on the number of rows in the lane. The rows after a lane's last full block are stored after
//! the blocks of all lanes; unused slots are zero.

use std::cmp::Reverse;

use crate::native::data::NativeData;
use crate::native::dialect::SweepOrder;
use crate::native::inertia::{any_differs, solve_l_transposed, solve_ld};
use crate::native::mju::dot;
use crate::native::model::{MAX_NV, NativeModel};
use crate::native::solver::constraint_update::rows_from;
use crate::native::solver::cost_scale;
use crate::native::solver::newton::copy_lane;
use crate::native::solver::pgs_shuffled::{
    AR_DIAG, AR_INV, BlocksByCount, EFC_B, EFC_FORCE, LaneMemory, MAX_COST_GROWTH, Orders, blocks_by_count, slot_of,
    sweep_shuffled,
};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// Maximum number of constraint rows of a lane. MuJoCo must step lanes with more rows.
pub(super) const MAX_ROWS: usize = 128;
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
    /// Bit mask of the degrees of freedom at which four rows have non-zero entries.
    used: Vec<u32>,
    /// PGS problem of each lane, for MuJoCo versions that visit the rows in a shuffled order.
    problems: [LaneMemory; 8],
    /// Shuffled row orders, for each number of rows.
    orders: Vec<Orders>,
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
            problems: Default::default(),
            orders: Vec::new(),
        }
    }

    /// Appends a constraint row in the lanes of the bit mask `lanes`; `own` has its `efc_r`, `k_imp` and `pos_minus_margin`. Returns
    /// a bit mask of the lanes that already have the maximum number of rows.
    #[inline(always)]
    pub(in crate::native) fn push(&mut self, lanes: u32, row: &[V], own: [V; 3], minus_b: f64) -> u32 {
        let dofs = row.len();
        let first = self.counts[0];
        if lanes == V::ALL && first < MAX_ROWS && self.counts[..V::COUNT].iter().all(|count| *count == first) {
            self.efc_j[first * dofs..][..dofs].copy_from_slice(row);
            [self.efc_r[first], self.k_imp[first], self.pos_minus_margin[first]] = own;
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
            copy_lane(&mut self.efc_j[slot * dofs..][..dofs], row, lane);
            let own = V::numbers(&own).chunks_exact(V::COUNT);
            for (values, own) in [&mut self.efc_r, &mut self.k_imp, &mut self.pos_minus_margin].into_iter().zip(own) {
                put(values, slot, lane, own[lane]);
            }
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

    /// Returns the number of columns of `efc_ar`, a multiple of four.
    #[inline(always)]
    fn stride(&self) -> usize {
        (self.slots + 3) & !3
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
                    let (above, below) = self.efc_j.split_at_mut(to * dofs);
                    copy_lane(&mut below[..dofs], &above[from * dofs..][..dofs], lane);
                    for values in [&mut self.efc_r, &mut self.k_imp, &mut self.pos_minus_margin, &mut self.minus_b] {
                        let value = V::numbers(values)[from * V::COUNT + lane];
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

/// PGS solver (`mj_solPGS`) for `N` degrees of freedom. In versions of MuJoCo that visit the rows in a shuffled order, it prepares
/// the problems of the lanes for [`SweepShuffled`].
pub(in crate::native) struct Pgs<'a, V: Float64Lanes, const N: usize> {
    pub(in crate::native) prepared: PreparedPgs<'a, V>,
    pub(in crate::native) qacc_warmstart: &'a [V; MAX_NV],
}

impl<V: Float64Lanes, const N: usize> SimdKernel for Pgs<'_, V, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { mut prepared, qacc_warmstart } = self;
        let PreparedPgs { model, data, rows, lanes, .. } = &mut prepared;
        rows.arrange(N);
        make_ar::<V, N>(model, data, rows);
        warmstart::<V, N>(data, rows, qacc_warmstart);
        if model.dialect.order == SweepOrder::Rows {
            sweep(model, rows, *lanes, pgs_scale(model, data));
            prepared.finish::<N>();
        }
    }
}

/// PGS problem of the lanes of a batch that have constraint rows.
pub(in crate::native) struct PreparedPgs<'a, V: Float64Lanes> {
    pub(in crate::native) model: &'a NativeModel,
    pub(in crate::native) data: &'a NativeData<V>,
    pub(in crate::native) rows: &'a mut DualRows<V>,
    /// Bit mask of the lanes that have constraint rows.
    pub(in crate::native) lanes: u32,
    pub(in crate::native) qacc: &'a mut [V; MAX_NV],
    pub(in crate::native) qfrc_constraint: &'a mut [V; MAX_NV],
}

impl<V: Float64Lanes> PreparedPgs<'_, V> {
    /// Computes `qacc` and `qfrc_constraint` from the forces of the constraint rows (`mj_dualFinish`).
    #[inline(always)]
    fn finish<const N: usize>(&mut self) {
        let Self { model, data, rows, lanes, qacc, qfrc_constraint } = self;
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
        let has = V::mask(*lanes);
        for dof in 0..N {
            let smooth = data.qacc_smooth[dof];
            qacc[dof] = V::select(has, gained[dof] + smooth, smooth);
            qfrc_constraint[dof] = V::select(has, qfrc_constraint[dof], none);
        }
    }

    /// Returns the number of constraint rows of each lane that is solved.
    #[inline(always)]
    fn counts(&self) -> [usize; 8] {
        let own = |lane: usize| if self.lanes >> lane & 1 == 0 { 0 } else { self.rows.counts[lane] };
        [0, 1, 2, 3, 4, 5, 6, 7].map(own)
    }

    /// Copies the problem of each lane to the lane's own memory.
    #[inline(always)]
    fn gather(&mut self, blocks: &BlocksByCount) {
        let (counts, scale) = (self.counts(), pgs_scale(self.model, self.data));
        let (stride, slots, whole) = (self.rows.stride(), self.rows.slots, self.rows.whole);
        let mut problems = std::mem::take(&mut self.rows.problems);
        let rows = &*self.rows;
        for (lane, problem) in problems.iter_mut().enumerate() {
            let count = counts[lane];
            problem.begin(count, usize::from(blocks[count]), if count > 0 { scale.get(lane) } else { 0.0 });
            for row in 0..count {
                let (from, to) = (rows.slot(row, lane), slot_of(row, count));
                let lists =
                    [(EFC_FORCE, &rows.efc_force), (EFC_B, &rows.efc_b), (AR_INV, &rows.ar_inv), (AR_DIAG, &rows.ar_diag)];
                for (list, values) in lists {
                    problem.list(list)[to] = V::numbers(values)[from * V::COUNT + lane];
                }
                let from = V::numbers(&rows.efc_ar[from * stride..][..slots]);
                let (rest, line) = problem.ar_row(to).split_at_mut(4);
                let (line, unused) = line.split_at_mut(count & !3);
                for (to, from) in line.iter_mut().zip(from[lane..].iter().step_by(V::COUNT)) {
                    *to = *from;
                }
                rest.fill(0.0);
                for (to, from) in rest.iter_mut().zip(from[whole * V::COUNT..].iter().skip(lane).step_by(V::COUNT)) {
                    *to = *from;
                }
                unused.fill(0.0);
            }
        }
        self.rows.problems = problems;
    }

    /// Copies the forces of each lane back.
    #[inline(always)]
    fn scatter(&mut self) {
        for (lane, count) in self.counts().into_iter().enumerate() {
            for row in 0..count {
                let slot = self.rows.slot(row, lane);
                let force = self.rows.problems[lane].list(EFC_FORCE)[slot_of(row, count)];
                put(&mut self.rows.efc_force, slot, lane, force);
            }
        }
    }
}

/// Kernel that sweeps over the constraint rows of each lane of several batches separately, in a shuffled order, and updates each row's
/// force.
pub(in crate::native) struct SweepShuffled<'a, 'b, V: Float64Lanes, const N: usize>(
    pub(in crate::native) &'a mut [PreparedPgs<'b, V>],
);

impl<V: Float64Lanes, const N: usize> SimdKernel for SweepShuffled<'_, '_, V, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(batches) = self;
        let mut counts: Vec<_> = batches.iter().flat_map(PreparedPgs::counts).collect();
        counts.sort_unstable_by_key(|count| Reverse(*count));
        let blocks = blocks_by_count(&counts);
        for batch in &mut *batches {
            batch.gather(&blocks);
        }
        let Some(PreparedPgs { model, rows, .. }) = batches.first_mut() else { return };
        let (model, mut orders) = (*model, std::mem::take(&mut rows.orders));
        let mut problems: Vec<_> = batches.iter_mut().flat_map(|batch| &mut batch.rows.problems).collect();
        sweep_shuffled::<V>(&mut orders, &mut problems, model);
        batches[0].rows.orders = orders;
        for batch in batches {
            batch.scatter();
            batch.finish::<N>();
        }
    }
}

/// Returns the factor by which changes of the cost are multiplied before they are compared with the tolerance.
#[inline(always)]
fn pgs_scale<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>) -> V {
    match model.dialect.scale_by_trace {
        true => cost_scale(model, &data.qm, u64::MAX),
        false => V::splat(1.0 / (model.meaninertia * model.dofs.len() as f64)),
    }
}

/// Computes `efc_AR`, the matrix of the dual problem, as `mj_projectConstraint` (`mj_makeY`, `computeY_backsub`, and
/// `mju_sqrMatTD` for the product `Y * Y'`) does.
#[inline(always)]
pub(super) fn make_ar<V: Float64Lanes, const N: usize>(model: &NativeModel, data: &NativeData<V>, rows: &mut DualRows<V>) {
    let none = V::splat(0.0);
    let (slots, stride) = (rows.slots, rows.stride());
    let mut roots = [none; N];
    for (root, dof) in roots.iter_mut().zip(&model.dofs) {
        *root = V::splat(1.0) / data.qld[dof.m_diagadr()].sqrt();
    }
    // Four rows at a time: each step of a row's solution waits for the previous one.
    for first in (0..stride).step_by(4) {
        let mut x = [[none; 4]; N];
        for (at, row) in rows.efc_j[first * N..slots * N].chunks_exact(N).take(4).enumerate() {
            for (x, part) in x.iter_mut().zip(row) {
                x[at] = *part;
            }
        }
        let mut used = 0;
        for (dof, x) in x.iter().enumerate() {
            used |= u64::from(any_differs(x)) << dof;
        }
        let used = solve_l_transposed(model, &data.qld, &mut x, used) as u32;
        for dof in 0..N {
            for (to, part) in rows.efc_y[dof * stride + first..][..4].iter_mut().zip(x[dof]) {
                *to = part * roots[dof];
            }
        }
        rows.used[first / 4] = used;
        for column in (0..=first).step_by(4) {
            let (mut sums, mut left) = ([[none; 4]; 4], used & rows.used[column / 4]);
            while left != 0 {
                let line = &rows.efc_y[left.trailing_zeros() as usize * stride..][..stride];
                left &= left - 1;
                let (own, other): ([V; 4], [V; 4]) = (rows_from(line, first), rows_from(line, column));
                for row in 0..4 {
                    for part in 0..4 {
                        sums[row][part] = sums[row][part] + other[part] * own[row];
                    }
                }
            }
            for row in 0..4 {
                rows.efc_ar[(first + row) * stride + column..][..4].copy_from_slice(&sums[row]);
                for part in 0..4 {
                    rows.efc_ar[(column + part) * stride + first + row] = sums[row][part];
                }
            }
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
    let (slots, stride) = (rows.slots, rows.stride());
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
///
/// A row's update waits for that of the previous row, so the forces of four rows at a time are in registers. Lanes that have
/// finished keep their forces of that time in `products`, and go on without effect.
#[inline(always)]
pub(super) fn sweep<V: Float64Lanes>(model: &NativeModel, rows: &mut DualRows<V>, lanes: u32, scale: V) {
    let (slots, tolerance) = (rows.slots, V::splat(model.tolerance));
    rows.products[..slots].copy_from_slice(&rows.efc_force[..slots]);
    let mut live = lanes;
    let mut iteration = 0;
    while iteration < model.iterations && live != 0 {
        let mut improvement = V::splat(0.0);
        let mut first = 0;
        while first < slots {
            let count = (slots - first).min(4);
            // Slots that are not in use follow the used ones.
            let mut own: [V; 4] = rows_from(&rows.efc_force, first);
            update_row::<V, 0>(rows, first, &mut own, &mut improvement);
            if count > 1 {
                update_row::<V, 1>(rows, first, &mut own, &mut improvement);
            }
            if count > 2 {
                update_row::<V, 2>(rows, first, &mut own, &mut improvement);
            }
            if count > 3 {
                update_row::<V, 3>(rows, first, &mut own, &mut improvement);
            }
            rows.efc_force[first..][..4].copy_from_slice(&own);
            first += 4;
        }
        iteration += 1;
        let is_last = iteration == model.iterations;
        let finished = live & if is_last { V::ALL } else { V::bits((improvement * scale).lt(tolerance)) };
        if finished != 0 {
            let mask = V::mask(finished);
            for (kept, force) in rows.products[..slots].iter_mut().zip(&rows.efc_force) {
                *kept = V::select(mask, *force, *kept);
            }
        }
        live &= !finished;
    }
    rows.efc_force[..slots].copy_from_slice(&rows.products[..slots]);
}

#[inline(always)]
fn products<V: Float64Lanes>(a: &[V; 4], b: &[V; 4]) -> [V; 4] {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

#[inline(always)]
fn add<V: Float64Lanes>(a: &[V; 4], b: &[V; 4]) -> [V; 4] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

/// Minimizes the cost over the force of one constraint row, `first + PART`, while the forces of all other rows are fixed. The
/// force is at least 0 (`projectCone`). `own` has the current forces of the four rows from `first`.
#[inline(always)]
fn update_row<V: Float64Lanes, const PART: usize>(rows: &DualRows<V>, first: usize, own: &mut [V; 4], improvement: &mut V) {
    let (none, half) = (V::splat(0.0), V::splat(0.5));
    let DualRows { whole, slots, efc_ar, efc_b, efc_force, ar_inv, ar_diag, .. } = rows;
    let (whole, stride, row) = (*whole, rows.stride(), first + PART);
    let line = &efc_ar[row * stride..][..stride];
    let mut product = none;
    if whole > 0 {
        let (lines, forces) = (line[..whole].as_chunks::<4>().0, efc_force[..whole].as_chunks::<4>().0);
        let before = (first / 4).min(lines.len());
        let mut sums = if before == 0 { products(&lines[0], own) } else { products(&lines[0], &forces[0]) };
        for block in 1..before {
            sums = add(&sums, &products(&lines[block], &forces[block]));
        }
        if before > 0 && before < lines.len() {
            sums = add(&sums, &products(&lines[before], own));
        }
        for block in before + 1..lines.len() {
            sums = add(&sums, &products(&lines[block], &forces[block]));
        }
        product = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
    let line = &line[whole..];
    let [a, b, c] = match first < whole {
        true => [efc_force[whole], efc_force[whole + 1], efc_force[whole + 2]],
        false => [own[0], own[1], own[2]],
    };
    product = match slots - whole {
        1 => product + line[0] * a,
        2 => product + (line[0] * a + line[1] * b),
        3 => product + (line[0] * a + line[1] * b + line[2] * c),
        _ => product,
    };
    let rest = efc_b[row] + product;
    let old = own[PART];
    let mut new = none.max(old - rest * ar_inv[row]);
    let change = new - old;
    let mut cost = half * change * change * ar_diag[row] + change * rest;
    let is_worse = cost.gt(V::splat(MAX_COST_GROWTH));
    if V::any(is_worse) {
        new = V::select(is_worse, old, new);
        cost = V::select(is_worse, none, cost);
    }
    *improvement = *improvement - cost;
    own[PART] = new;
}

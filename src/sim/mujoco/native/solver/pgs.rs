//! `mj_solPGS`: projected Gauss-Seidel, on constraint rows that are stored without gaps in each lane.
//!
//! The solver's sums over rows are dense dot products (`mju_dot`), which add blocks of four separately from the remaining rows.
//! So the order of a sum depends on the number of rows in the lane. The rows after a lane's last full block are stored after
//! the blocks of all lanes; unused slots are zero.

mod sweep;

use self::sweep::{make_ar, sweep, sweep_each, warmstart};
use crate::native::dialect::SweepOrder;
use crate::native::model::{MAX_NV, NativeModel};
use crate::native::smooth::{NativeData, cost_scale, solve_ld};
use crate::native::solver::pgs_shuffled::ShuffledPgs;
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

/// Returns the dense dot product of two vectors with one element per row slot. The first `whole` elements are full blocks of
/// four.
#[inline(always)]
fn dot_rows<V: Float64Lanes>(a: &[V], b: &[V], whole: usize) -> V {
    let rest = a.len() - whole;
    let b = &b[..a.len()];
    let mut sum = V::splat(0.0);
    if whole > 0 {
        let mut sums = [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]];
        let mut at = 4;
        while at < whole {
            sums = [
                sums[0] + a[at] * b[at],
                sums[1] + a[at + 1] * b[at + 1],
                sums[2] + a[at + 2] * b[at + 2],
                sums[3] + a[at + 3] * b[at + 3],
            ];
            at += 4;
        }
        sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
    let product = |at: usize| a[whole + at] * b[whole + at];
    match rest {
        1 => sum + product(0),
        2 => sum + (product(0) + product(1)),
        3 => sum + (product(0) + product(1) + product(2)),
        _ => sum,
    }
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

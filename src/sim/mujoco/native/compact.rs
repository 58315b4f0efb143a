//! `mj_solPGS`: projected Gauss-Seidel, on constraint rows that are stored without gaps in each lane.
//!
//! The solver's sums over rows are dense dot products (`mju_dot`), which add blocks of four separately from the remaining rows.
//! So the order of a sum depends on the number of rows in the lane. The rows after a lane's last full block are stored after
//! the blocks of all lanes; unused slots are zero.

mod sweep;

use self::sweep::{begin, make_ar, sweep, sweep_each};
use super::dialect::SweepOrder;
use super::drawn::ShuffledPgs;
use super::smooth::{NativeData, cost_scale, solve_ld};
use super::tables::{MAX_NV, NativeModel};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// Maximum number of constraint rows of a lane. MuJoCo must step lanes with more rows.
const MAX_ROWS: usize = 128;
/// Maximum number of slots, each of which holds one constraint row of every lane. Full blocks of four come first, then the rows
/// that remain.
const MAX_SLOTS: usize = MAX_ROWS + 4;

/// Constraint rows of all lanes for PGS, the dual solver.
pub(super) struct DualRows<V: Float64Lanes> {
    /// Number of constraint rows in each lane.
    pub(super) counts: [usize; 8],
    /// Number of slots that hold full blocks of four rows, a multiple of four.
    whole: usize,
    /// Number of slots in use: the slots of full blocks, and the slots of the rows that remain after the full blocks.
    slots: usize,
    jacobian: Vec<V>,
    /// Regularizer (`efc_R`), stiffness, distance and damping of each constraint row. The last three determine `efc_aref`.
    efc_r: Vec<V>,
    stiffness: Vec<V>,
    distance: Vec<V>,
    damping: Vec<V>,
    /// Jacobian rows times the inverse square root of the inertia matrix (`J * M^(-1/2)`), stored by degree of freedom.
    efc_y: Vec<V>,
    /// Matrix of the dual problem, row by row: `efc_AR = J * inv(M) * J' + R`.
    efc_ar: Vec<V>,
    /// Linear term of the dual problem, by row: `efc_b = J * qacc_smooth - aref`.
    efc_b: Vec<V>,
    force: Vec<V>,
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
    pub(super) fn new(model: &NativeModel) -> Self {
        let numbers = |count: usize| vec![V::splat(0.0); count];
        let slots = || vec![V::splat(0.0); MAX_SLOTS];
        Self {
            counts: [0; 8],
            whole: 0,
            slots: 0,
            jacobian: numbers(MAX_SLOTS * model.dofs.len()),
            efc_r: slots(),
            stiffness: slots(),
            distance: slots(),
            damping: slots(),
            efc_y: numbers((MAX_SLOTS + 4) * model.dofs.len()),
            efc_ar: numbers((MAX_SLOTS + 4) * (MAX_SLOTS + 4)),
            efc_b: slots(),
            force: slots(),
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
    pub(super) fn push(&mut self, lanes: u32, row: &[V], [resistance, stiffness, distance]: [V; 3], damping: f64) -> u32 {
        let dofs = row.len();
        let first = self.counts[0];
        if lanes == V::ALL && first < MAX_ROWS && self.counts[..V::COUNT].iter().all(|count| *count == first) {
            self.jacobian[first * dofs..][..dofs].copy_from_slice(row);
            self.efc_r[first] = resistance;
            self.stiffness[first] = stiffness;
            self.distance[first] = distance;
            self.damping[first] = V::splat(damping);
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
            for (to, from) in self.jacobian[slot * dofs..][..dofs].iter_mut().zip(row) {
                to.set(lane, from.get(lane));
            }
            put(&mut self.efc_r, slot, lane, resistance.get(lane));
            put(&mut self.stiffness, slot, lane, stiffness.get(lane));
            put(&mut self.distance, slot, lane, distance.get(lane));
            put(&mut self.damping, slot, lane, damping);
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
    pub(super) fn force_in(&self, row: usize, lane: usize) -> f64 {
        self.force[self.slot(row, lane)].get(lane)
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
                        let value = self.jacobian[from * dofs + dof].get(lane);
                        put(&mut self.jacobian, to * dofs + dof, lane, value);
                    }
                    for values in [&mut self.efc_r, &mut self.stiffness, &mut self.distance, &mut self.damping] {
                        let value = values[from].get(lane);
                        put(values, to, lane, value);
                    }
                }
                empty = own;
            }
            let blocks = if own == whole { whole..whole } else { empty..whole };
            for slot in blocks.chain(whole + rest..self.slots) {
                for dof in 0..dofs {
                    put(&mut self.jacobian, slot * dofs + dof, lane, 0.0);
                }
                put(&mut self.efc_r, slot, lane, 1.0);
                put(&mut self.stiffness, slot, lane, 0.0);
                put(&mut self.distance, slot, lane, 0.0);
                put(&mut self.damping, slot, lane, 0.0);
            }
        }
    }
}

/// PGS solver (`mj_solPGS`) for `N` degrees of freedom.
pub(super) struct Pgs<'a, V: Float64Lanes, const N: usize> {
    pub(super) model: &'a NativeModel,
    pub(super) motion: &'a NativeData<V>,
    pub(super) rows: &'a mut DualRows<V>,
    /// Bit mask of the lanes that have constraint rows.
    pub(super) lanes: u32,
    pub(super) qacc_warmstart: &'a [V; MAX_NV],
    pub(super) qacc: &'a mut [V; MAX_NV],
    pub(super) qfrc_constraint: &'a mut [V; MAX_NV],
}

impl<V: Float64Lanes, const N: usize> SimdKernel for Pgs<'_, V, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { model, motion, rows, lanes, qacc_warmstart, qacc, qfrc_constraint } = self;
        rows.arrange(N);
        make_ar::<V, N>(model, motion, rows);
        begin::<V, N>(motion, rows, qacc_warmstart);
        let scale = if model.dialect.scale_by_trace {
            cost_scale(model, &motion.qm, u64::MAX)
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
            let force = rows.force[slot];
            if !V::any(force.ne(none)) {
                continue;
            }
            for (sum, part) in qfrc_constraint[..N].iter_mut().zip(&rows.jacobian[slot * N..][..N]) {
                *sum = *sum + *part * force;
            }
        }
        let mut gained = [none; N];
        gained.copy_from_slice(&qfrc_constraint[..N]);
        solve_ld(model, &motion.qld, &motion.qld_diag_inv, &mut gained);
        let has = V::mask(lanes);
        for dof in 0..N {
            let smooth = motion.qacc_smooth[dof];
            qacc[dof] = V::select(has, gained[dof] + smooth, smooth);
            qfrc_constraint[dof] = V::select(has, qfrc_constraint[dof], none);
        }
    }
}

//! `mj_solPGS` of MuJoCo 3.16 and later, in which each sweep visits the constraint rows in a shuffled order (`shuffle_int`).
//!
//! Lanes with different row counts have different orders, so each lane is solved separately. A SIMD vector holds adjacent
//! columns of one row of `efc_AR`.

// The hot loops of this module use no closures, for the reason that the module `mju` gives.

use crate::native::model::NativeModel;
use crate::native::solver::pgs::MAX_ROWS;
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};
use std::cmp::Reverse;
use std::marker::PhantomData;

/// Largest accepted increase of the cost when the force of one row is updated.
pub(in crate::native) const MAX_COST_GROWTH: f64 = 1e-10;

/// PCG-XSH-RR random number generator with 32-bit output, on the stream that MuJoCo uses to shuffle rows.
struct Pcg32(u64);

impl Pcg32 {
    const INCREMENT: u64 = 1;

    /// Creates the generator in the state that MuJoCo gives it at the start of each solve.
    fn new() -> Self {
        let mut generator = Self(0);
        generator.next();
        generator
    }

    fn next(&mut self) -> u32 {
        let old = self.0;
        self.0 = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(Self::INCREMENT);
        ((((old >> 18) ^ old) >> 27) as u32).rotate_right((old >> 59) as u32)
    }
}

/// Shuffled orders of the sweeps of a solve with a given number of rows.
pub(in crate::native) struct Orders {
    generator: Pcg32,
    /// Generated orders, concatenated. Each order has the slots of all rows.
    generated: Vec<u8>,
}

/// Returns the slot of a row of a lane with `count` rows. The first block of four slots has the rows that remain after full blocks
/// of four.
#[inline(always)]
pub(in crate::native) fn slot_of(row: usize, count: usize) -> usize {
    let whole = count & !3;
    if row < whole { row + 4 } else { row - whole }
}

impl Orders {
    /// Generates shuffled row orders until the order for the sweep with the index `number` exists.
    fn generate(&mut self, rows: usize, number: usize) {
        while self.generated.len() < rows * (number + 1) {
            let start = self.generated.len();
            if start == 0 {
                self.generated.extend((0..rows).map(|row| slot_of(row, rows) as u8));
            } else {
                self.generated.extend_from_within(start - rows..);
            }
            // As in MuJoCo, each order is a shuffle of the previous one.
            let order = &mut self.generated[start..];
            for last in (1..rows).rev() {
                let other = self.generator.next() % (last as u32 + 1);
                order.swap(last, other as usize);
            }
        }
    }
}

/// Numbers of the rows of a lane, by their slots ([`slot_of`]); unused slots are 0.
type Slots<const BLOCKS: usize> = [[f64; 4]; BLOCKS];

/// Lists of numbers of a lane's rows; the caller of [`sweep_shuffled`] fills the first four.
pub(in crate::native) const EFC_FORCE: usize = 0;
pub(in crate::native) const EFC_B: usize = 1;
/// Reciprocal of the diagonal of `efc_AR` (`ARdiaginv` in MuJoCo).
pub(in crate::native) const AR_INV: usize = 2;
/// Diagonal of `efc_AR`: the reciprocal of `ar_inv`.
pub(in crate::native) const AR_DIAG: usize = 3;
/// Constraint forces before the last PGS iteration.
const FORCE_PREV: usize = 4;
/// Constraint forces after extrapolation by Nesterov momentum.
const FORCE_MOMENTUM: usize = 5;
/// Derivative of the cost by the force of each row, at its last update.
const RESIDUAL: usize = 6;
const LISTS: usize = 7;

/// PGS problem of one lane, whose lists have `BLOCKS` blocks of slots.
struct LanePgs<'a, const BLOCKS: usize> {
    /// Number of rows.
    count: usize,
    /// Factor by which the change of the cost is multiplied before it is compared with the tolerance.
    scale: f64,
    lists: &'a mut [Slots<BLOCKS>; LISTS],
    /// Matrix of the dual problem: blocks of four rows.
    efc_ar: &'a [[Slots<BLOCKS>; 4]; BLOCKS],
    /// Number of completed PGS iterations.
    iteration: usize,
    /// Number of PGS iterations since the Nesterov momentum was last reset.
    nesterov_k: i32,
}

/// Memory of the PGS problem of one lane: the lists, then `efc_AR`.
#[derive(Default)]
pub(in crate::native) struct LaneMemory {
    count: usize,
    scale: f64,
    blocks: usize,
    values: Vec<[f64; 4]>,
}

impl LaneMemory {
    /// Resizes the memory to a problem of `count` rows, and clears the forces.
    pub(in crate::native) fn begin(&mut self, count: usize, blocks: usize, scale: f64) {
        (self.count, self.blocks, self.scale) = (count, blocks, scale);
        self.values.resize((LISTS + 4 * blocks) * blocks, [0.0; 4]);
        self.list(EFC_FORCE).fill(0.0);
    }

    /// Returns a list of numbers, by slot.
    #[inline(always)]
    pub(in crate::native) fn list(&mut self, list: usize) -> &mut [f64] {
        self.values[list * self.blocks..][..self.blocks].as_flattened_mut()
    }

    /// Returns the row of `efc_AR` in a slot.
    #[inline(always)]
    pub(in crate::native) fn ar_row(&mut self, slot: usize) -> &mut [f64] {
        self.list(LISTS + slot)
    }

    fn problem<const BLOCKS: usize>(&mut self) -> LanePgs<'_, BLOCKS> {
        let lists = self.values.as_chunks_mut().0;
        let (lists, rows) = lists.split_first_chunk_mut().expect("begin() resizes the memory");
        let efc_ar = rows.as_chunks().0.first_chunk().expect("begin() resizes the memory");
        LanePgs { count: self.count, scale: self.scale, lists, efc_ar, iteration: 0, nesterov_k: 0 }
    }
}

impl<const BLOCKS: usize> LanePgs<'_, BLOCKS> {
    /// Extrapolates the constraint forces by Nesterov momentum, before a sweep.
    #[inline(always)]
    fn extrapolate(&mut self) {
        let share = if self.iteration == 0 { 0.0 } else { f64::from(self.nesterov_k - 1) / f64::from(self.nesterov_k + 2) };
        let (old, prev) = (self.lists[EFC_FORCE], self.lists[FORCE_PREV]);
        let mut new = old;
        if share > 0.0 {
            for block in 0..BLOCKS {
                for part in 0..4 {
                    let force = old[block][part] + share * (old[block][part] - prev[block][part]);
                    new[block][part] = if force < 0.0 { 0.0 } else { force };
                }
            }
            self.lists[EFC_FORCE] = new;
        }
        (self.lists[FORCE_PREV], self.lists[FORCE_MOMENTUM]) = (old, new);
    }

    /// Minimizes the cost over the force of one constraint row, while the forces of all other rows are fixed (`residual`).
    #[inline(always)]
    fn update_row<V: Float64Lanes>(&mut self, slot: usize) {
        let (line, force) = (&self.efc_ar.as_flattened()[slot], &self.lists[EFC_FORCE]);
        let sums = V::sum_products(&line[1..], &force[1..]);
        let rest = V::sum_products(&line[..1], &force[..1]);
        let product = ((sums[0] + sums[2]) + (sums[1] + sums[3])) + ((rest[0] + rest[1]) + rest[2]);
        let residual = self.lists[EFC_B].as_flattened()[slot] + product;
        self.lists[RESIDUAL].as_flattened_mut()[slot] = residual;
        let new = self.lists[FORCE_MOMENTUM].as_flattened()[slot] - residual * self.lists[AR_INV].as_flattened()[slot];
        self.lists[EFC_FORCE].as_flattened_mut()[slot] = if new < 0.0 { 0.0 } else { new };
    }

    /// Returns the change of the cost by the last update of a row (`costChange`).
    #[inline(always)]
    fn cost_change(&self, block: usize, part: usize) -> f64 {
        let number = |list: usize| self.lists[list][block][part];
        let change = number(EFC_FORCE) - number(FORCE_MOMENTUM);
        0.5 * change * change * number(AR_DIAG) + change * number(RESIDUAL)
    }

    /// Repeats a sweep in which an update increased the cost. Such updates are reverted. Returns the improvement of the cost.
    #[cold]
    #[inline(never)]
    fn repeat_sweep(&mut self, order: &[u8]) -> f64 {
        self.lists[EFC_FORCE] = self.lists[FORCE_MOMENTUM];
        let mut improvement = 0.0;
        for slot in order.iter().map(|slot| usize::from(*slot)) {
            self.update_row::<f64>(slot);
            let cost = self.cost_change(slot / 4, slot % 4);
            if cost > MAX_COST_GROWTH {
                self.lists[EFC_FORCE].as_flattened_mut()[slot] = self.lists[FORCE_MOMENTUM].as_flattened()[slot];
            } else {
                improvement -= cost;
            }
        }
        improvement
    }

    /// Returns the improvement of the cost by a sweep that has updated all rows.
    ///
    /// Updates do not compute costs, because the lane's next update waits for the previous one.
    #[inline(always)]
    fn improvement(&mut self, order: &[u8]) -> f64 {
        let (mut costs, mut is_worse) = ([[0.0; 4]; BLOCKS], false);
        for block in 0..BLOCKS {
            for part in 0..4 {
                costs[block][part] = self.cost_change(block, part);
                is_worse |= costs[block][part] > MAX_COST_GROWTH;
            }
        }
        if is_worse {
            return self.repeat_sweep(order);
        }
        let mut improvement = 0.0;
        for slot in order {
            improvement -= costs.as_flattened()[usize::from(*slot)];
        }
        improvement
    }

    /// Restarts the momentum if the last sweep changed the forces in the direction opposite to the momentum.
    #[inline(always)]
    fn restart_check(&mut self) {
        let [efc_force, _, _, _, force_prev, force_momentum, _] = &self.lists;
        let mut products = [[0.0; 4]; BLOCKS];
        for block in 0..BLOCKS {
            for part in 0..4 {
                let momentum = force_momentum[block][part];
                products[block][part] = (efc_force[block][part] - momentum) * (momentum - force_prev[block][part]);
            }
        }
        let mut agreement = 0.0;
        for [a, b, c, d] in &products[1..self.count / 4 + 1] {
            agreement = agreement + a + b + c + d;
        }
        agreement = agreement + products[0][0] + products[0][1] + products[0][2];
        self.nesterov_k = if self.iteration > 0 && agreement < 0.0 { 0 } else { self.nesterov_k + 1 };
    }
}

/// For each number of rows, the number of blocks of problems with so many rows.
pub(in crate::native) type BlocksByCount = [u8; MAX_ROWS + 1];

/// Numbers of blocks for which [`sweep_shuffled`] is compiled.
const BLOCKS: [usize; 8] = [2, 3, 4, 5, 6, 8, 16, 33];

/// Returns the numbers of blocks for problems with these numbers of rows, which must not increase along the list. Problems with equal
/// numbers of blocks are solved together: at least [`ALTERNATING`] problems, if there are so many.
pub(in crate::native) fn blocks_by_count(counts: &[usize]) -> BlocksByCount {
    let (mut found, mut size) = ([0; MAX_ROWS + 1], 0);
    let mut together = 0;
    for &count in counts {
        let least = *BLOCKS.iter().find(|blocks| count < 4 * **blocks).expect("a problem has at most MAX_ROWS rows");
        if size == 0 || (size >= ALTERNATING && least != together) {
            (together, size) = (least, 0);
        }
        size += 1;
        found[count] = together as u8;
    }
    found
}

/// Sweeps over all constraint rows of the problems, and updates each row's force, until a sweep improves the cost by less than the
/// tolerance. `orders` are the row orders for each number of rows.
#[inline(always)]
pub(in crate::native) fn sweep_shuffled<V: Float64Lanes>(
    orders: &mut Vec<Orders>,
    problems: &mut [&mut LaneMemory],
    model: &NativeModel,
) {
    problems.sort_unstable_by_key(|problem| Reverse(problem.count));
    for problems in problems.chunk_by_mut(|one, next| one.blocks == next.blocks) {
        match problems[0].blocks {
            2 => V::enter(Sweep::<V, 2>(orders, problems, model, PhantomData)),
            3 => V::enter(Sweep::<V, 3>(orders, problems, model, PhantomData)),
            4 => V::enter(Sweep::<V, 4>(orders, problems, model, PhantomData)),
            5 => V::enter(Sweep::<V, 5>(orders, problems, model, PhantomData)),
            6 => V::enter(Sweep::<V, 6>(orders, problems, model, PhantomData)),
            8 => V::enter(Sweep::<V, 8>(orders, problems, model, PhantomData)),
            16 => V::enter(Sweep::<V, 16>(orders, problems, model, PhantomData)),
            _ => V::enter(Sweep::<V, 33>(orders, problems, model, PhantomData)),
        }
    }
}

/// Number of problems whose updates alternate: with fewer, an update waits for the previous one of the same problem.
const ALTERNATING: usize = 8;

/// SIMD kernel of [`sweep_shuffled`].
struct Sweep<'a, 'b, V, const BLOCKS: usize>(&'a mut Vec<Orders>, &'a mut [&'b mut LaneMemory], &'a NativeModel, PhantomData<V>);

impl<V: Float64Lanes, const BLOCKS: usize> SimdKernel for Sweep<'_, '_, V, BLOCKS> {
    type Output = ();

    /// An update depends on the previous update of the same problem, but not on other problems. Therefore updates of different
    /// problems alternate, and the next problem takes the place of one that is solved.
    #[inline(always)]
    fn run(self) {
        let Self(orders, problems, model, _) = self;
        let mut problems: Vec<_> = problems.iter_mut().map(|problem| problem.problem::<BLOCKS>()).collect();
        problems.retain(|problem| problem.count > 0 && model.iterations > 0);
        for problem in &problems {
            while orders.len() <= problem.count {
                orders.push(Orders { generator: Pcg32::new(), generated: Vec::new() });
            }
        }
        let (mut live, mut next) = (0, 0);
        loop {
            // The numbers of rows do not increase along the list.
            while live < ALTERNATING && next < problems.len() {
                problems.swap(live, next);
                (live, next) = (live + 1, next + 1);
            }
            if live == 0 {
                return;
            }
            for problem in &mut problems[..live] {
                orders[problem.count].generate(problem.count, problem.iteration);
                problem.extrapolate();
            }
            let mut sweeps: [&[u8]; ALTERNATING] = [&[]; ALTERNATING];
            for (order, problem) in sweeps.iter_mut().zip(&problems[..live]) {
                *order = &orders[problem.count].generated[problem.count * problem.iteration..][..problem.count];
            }
            let mut left = live;
            for turn in 0..sweeps[0].len() {
                while sweeps[left - 1].len() <= turn {
                    left -= 1;
                }
                for (problem, order) in problems[..left].iter_mut().zip(&sweeps) {
                    problem.update_row::<V>(usize::from(order[turn]));
                }
            }
            let mut kept = 0;
            for number in 0..live {
                let problem = &mut problems[number];
                let improvement = problem.improvement(sweeps[number]);
                problem.restart_check();
                problem.iteration += 1;
                if problem.iteration == model.iterations || improvement * problem.scale < model.tolerance {
                    continue;
                }
                if kept != number {
                    problems.swap(kept, number);
                }
                kept += 1;
            }
            live = kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders() -> Orders {
        Orders { generator: Pcg32::new(), generated: Vec::new() }
    }

    #[test]
    fn each_sweep_visits_each_row_once_in_a_new_order() {
        for rows in [1, 2, 7, 83, 128] {
            let mut orders = orders();
            orders.generate(rows, 49);
            let mut all: Vec<_> = orders.generated.chunks(rows).map(<[u8]>::to_vec).collect();
            assert_eq!(all.len(), 50);
            for order in &all {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                let mut slots: Vec<_> = (0..rows).map(|row| slot_of(row, rows) as u8).collect();
                slots.sort_unstable();
                assert_eq!(sorted, slots, "{order:?}");
            }
            all.dedup();
            assert!(rows < 7 || all.len() == 50, "{rows} rows: {} orders", all.len());
        }
    }

    #[test]
    fn orders_do_not_depend_on_the_order_of_requests() {
        let (mut forwards, mut at_once) = (orders(), orders());
        at_once.generate(9, 20);
        for number in [0, 3, 3, 20, 7] {
            forwards.generate(9, number);
        }
        assert_eq!(forwards.generated, at_once.generated);
    }
}

//! Runs the items of one block of a [`ForeignBatchEnv`](super::ForeignBatchEnv), and writes their rows.
//!
//! A block goes through these steps, each for all its items: find the due operations, reset, step, update the lane table, autoreset
//! in same-step mode, write rows. The environment is called once in each step, unless rows or lanes have gaps.

use std::cell::Cell;
use std::ops::Range;

use crate::contract::config::AutoresetMode;
use crate::contract::error::Error;
use crate::contract::foreign::{ForeignActions, LaneSet, lane_end};
use crate::contract::row::{ActionColumn, Row};
use crate::exec::chunk::{Chunk, ChunkGuard};
use crate::exec::episode_tracker::{ItemKind, next_elapsed};
use crate::exec::foreign_batch_env::ForeignBatchEnv;
use crate::exec::foreign_batch_env::resets::GatheredResets;
use crate::exec::foreign_batch_env::rows::OutputBuffers;
use crate::exec::lane_table::Phase;
use crate::exec::per_lane::LaneMut;
use crate::exec::request_kind::RequestKind;
use crate::results::row_span::{RowPart, TransitionSpan};

/// Working memory of one thread while it runs a block.
#[derive(Default)]
pub struct BlockScratch {
    /// Lane number of each item, counted from the environment's first lane.
    pub numbers: Vec<u32>,
    pub(super) transitions: TransitionSpan,
    phases: Vec<Phase>,
    /// Positions in the block of the items that are stepped.
    stepped: Vec<u32>,
    /// Positions in the block of the items that are not stepped, each with its due operation.
    pub(super) others: Vec<(u32, ItemKind)>,
    /// For each item, whether it failed; empty if no item failed.
    pub(super) failed: Vec<bool>,
    /// Bits of `lane_end` that the environment set for each item.
    ends: Vec<u8>,
    gathered: GatheredSteps,
    pub(super) resets: GatheredResets,
    pub(super) outputs: OutputBuffers,
}

/// Lanes, actions and results of the items that are stepped, stored without gaps.
#[derive(Default)]
struct GatheredSteps {
    numbers: Vec<u32>,
    /// Action rows of the items for each action key, in words of 8 bytes, so that every element type is aligned.
    actions: Vec<Vec<u64>>,
    data: Vec<*const u8>,
    rewards: Vec<f64>,
    ends: Vec<u8>,
}

/// Block: items of a chunk whose lanes are run together.
pub struct ForeignBlock<'b, 'c> {
    pub env: &'b ForeignBatchEnv,
    pub chunk: &'b Chunk<'c>,
    pub items: Range<usize>,
    /// Lane number of each item, counted from the environment's first lane.
    pub numbers: &'b [u32],
    /// Whether each lane number is its predecessor plus 1.
    pub is_consecutive: bool,
}

impl ForeignBlock<'_, '_> {
    /// Runs all items and writes their rows. Failures are reported by `work.failed`.
    pub fn run(&self, guard: &mut ChunkGuard<'_>, scratch: &mut BlockScratch) {
        scratch.transitions.start(self.items.len(), self.env.players);
        scratch.failed.clear();
        scratch.ends.clear();
        scratch.ends.resize(self.items.len(), 0);
        let first = self.env.first as u32;
        scratch.transitions.lanes.iter_mut().zip(self.numbers).for_each(|(lane, number)| *lane = first + number);
        self.classify(guard, scratch);
        if !scratch.others.is_empty() {
            self.reset_due(guard, scratch);
        }
        if !scratch.stepped.is_empty() {
            self.step(scratch);
        }
        let is_any_done = self.apply(guard, scratch);
        if is_any_done && self.chunk.rules.autoreset == AutoresetMode::SameStep {
            self.autoreset(guard, scratch);
        }
        self.write(guard, scratch);
    }

    /// Finds the due operation of each item, and the number of elapsed steps after this operation.
    fn classify(&self, guard: &ChunkGuard<'_>, scratch: &mut BlockScratch) {
        let BlockScratch { transitions, phases, stepped, others, .. } = scratch;
        let (episodes, table, count) = (self.chunk.episodes(), self.chunk.table, self.items.len());
        others.clear();
        stepped.clear();
        if let (RequestKind::Step, Some(current), Some(before)) = (
            self.chunk.kind,
            guard.lanes.cells(self.items.clone(), &table.phase),
            guard.lanes.cells(self.items.clone(), &table.elapsed),
        ) {
            phases.clear();
            phases.extend(current.iter().map(Cell::get));
            let elapsed = transitions.elapsed.iter_mut().zip(before);
            elapsed.for_each(|(elapsed, before)| *elapsed = next_elapsed(before.get()));
            stepped.resize(count, 0);
            let mut running = 0;
            for (position, phase) in phases.iter().enumerate() {
                stepped[running] = position as u32; // the next position overwrites it unless the lane runs
                running += usize::from(*phase == Phase::Running);
            }
            stepped.truncate(running);
            if running < count {
                let due = |position| episodes.classify(self.chunk.kind, self.items.start + position, self.id(guard, position));
                let is_other = |position: &usize| phases[*position] != Phase::Running;
                others.extend((0..count).filter(is_other).map(|position| (position as u32, due(position))));
            }
            return;
        }
        for position in 0..count {
            match episodes.classify(self.chunk.kind, self.items.start + position, self.id(guard, position)) {
                ItemKind::Step { elapsed, .. } => {
                    stepped.push(position as u32);
                    transitions.elapsed[position] = elapsed;
                }
                due => others.push((position as u32, due)),
            }
        }
    }

    pub(super) fn id<'g>(&self, guard: &'g ChunkGuard<'_>, position: usize) -> crate::exec::per_lane::LaneId<'g> {
        guard.lanes.id(self.items.start + position)
    }

    /// Returns access to all lanes of the block.
    fn lanes(&self) -> LaneSet<'_> {
        // SAFETY: `ForeignBatchEnv::run` holds the `ChunkGuard` of these items, whose lanes are different.
        unsafe { LaneSet::new(self.numbers, self.is_consecutive) }
    }

    /// Steps the items at the positions in `stepped`.
    fn step(&self, scratch: &mut BlockScratch) {
        let BlockScratch { transitions, stepped, failed, ends, gathered, .. } = scratch;
        let GatheredSteps { numbers, actions, data, rewards, ends: some_ends } = gathered;
        data.clear();
        if stepped.len() == self.items.len() {
            data.extend(
                self.chunk
                    .actions
                    .iter()
                    .zip(&self.env.action_bytes)
                    .map(|(column, bytes)| rows_of(column, *bytes, self.items.clone())),
            );
            // SAFETY: `rows_of` checked that the columns have a row for each item of the block, and the request keeps the columns
            // alive.
            let actions = unsafe { ForeignActions::new(data, &self.env.action_strides) };
            match self.env.lanes.step(&self.lanes(), &actions, &mut transitions.rewards, ends) {
                Ok(error) => self.fail_marked(failed, stepped, ends, error),
                Err(error) => self.fail_all(failed, stepped.iter().copied(), &error),
            }
            return;
        }
        numbers.clear();
        numbers.extend(stepped.iter().map(|position| self.numbers[*position as usize]));
        actions.resize_with(self.chunk.actions.len(), Vec::new);
        for ((to, column), bytes) in actions.iter_mut().zip(self.chunk.actions).zip(&self.env.action_bytes) {
            gather(to, rows_of(column, *bytes, self.items.clone()), *bytes, stepped);
            data.push(to.as_ptr().cast());
        }
        let (count, players) = (stepped.len(), self.env.players);
        rewards.clear();
        rewards.resize(count * players, 0.0);
        some_ends.clear();
        some_ends.resize(count, 0);
        // SAFETY: `ForeignBlock::run` has the `ChunkGuard` of these items; the lanes are different, because positions in
        // `stepped` ascend.
        let lanes = unsafe { LaneSet::new(numbers, false) };
        // SAFETY: `gather` wrote a row for each of these lanes.
        let actions = unsafe { ForeignActions::new(data, &self.env.action_strides) };
        match self.env.lanes.step(&lanes, &actions, rewards, some_ends) {
            Ok(error) => self.fail_marked(failed, stepped, some_ends, error),
            Err(error) => self.fail_all(failed, stepped.iter().copied(), &error),
        }
        if players == 1 {
            for (position, (reward, end)) in stepped.iter().zip(rewards.iter().zip(some_ends.iter())) {
                transitions.rewards[*position as usize] = *reward;
                ends[*position as usize] = *end;
            }
            return;
        }
        for ((position, end), rewards) in stepped.iter().zip(some_ends.iter()).zip(rewards.chunks_exact(players)) {
            transitions.rewards[*position as usize * players..][..players].copy_from_slice(rewards);
            ends[*position as usize] = *end;
        }
    }

    /// Computes the episode flags (such as terminated and truncated) of all items' rows, and updates the lane table. Returns
    /// whether an episode ended.
    fn apply(&self, guard: &ChunkGuard<'_>, scratch: &mut BlockScratch) -> bool {
        let BlockScratch { transitions, stepped, failed, ends, .. } = scratch;
        let (most, wins, count) = (self.chunk.rules.max_episode_steps, u8::from(self.env.truncation_wins), self.items.len());
        let TransitionSpan { elapsed, terminated, truncated, done, begins_episode, did_act, zero_discount, .. } = transitions;
        let mut any_done = 0;
        for i in 0..count {
            let at_limit = u8::from(elapsed[i] >= most) & did_act[i] & (begins_episode[i] ^ 1);
            let cut = (ends[i] & lane_end::TRUNCATED) >> 1 | at_limit;
            let over = (ends[i] & lane_end::TERMINATED) & !(wins & cut);
            truncated[i] = cut;
            terminated[i] = over;
            done[i] = cut | over;
            zero_discount[i] = (ends[i] & lane_end::ZERO_DISCOUNT) >> 2;
            any_done |= cut | over;
        }
        let table = self.chunk.table;
        match guard.lanes.cells(self.items.clone(), &table.elapsed) {
            Some(cells) => cells.iter().zip(elapsed.iter()).for_each(|(cell, elapsed)| cell.set(*elapsed)),
            None => (0..count).for_each(|i| table.elapsed.set(self.id(guard, i), elapsed[i])),
        }
        if any_done == 0 {
            return false;
        }
        for position in stepped.iter().map(|position| *position as usize) {
            if done[position] != 0 && !is_failed(failed, position) {
                table.set_phase(self.id(guard, position), Phase::Finished);
            }
        }
        true
    }

    /// Writes the rows of all items that did not fail.
    fn write(&self, guard: &mut ChunkGuard<'_>, scratch: &mut BlockScratch) {
        let mut start = 0;
        while start < self.items.len() {
            let end = match scratch.failed.is_empty() {
                true => self.items.len(),
                false if scratch.failed[start] => {
                    start += 1;
                    continue;
                }
                false => {
                    scratch.failed[start..].iter().position(|failed| *failed).map_or(self.items.len(), |count| start + count)
                }
            };
            start = self.write_run(guard, scratch, start..end);
        }
    }

    /// Writes consecutive rows, starting at position `range.start`, and returns the position after the last written row.
    fn write_run(&self, guard: &mut ChunkGuard<'_>, scratch: &mut BlockScratch, range: Range<usize>) -> usize {
        let BlockScratch { transitions, failed, outputs, .. } = scratch;
        let ChunkGuard { lanes: ids, rows } = guard;
        let mut rows = rows.run(self.items.start + range.start..self.items.start + range.end);
        let range = range.start..range.start + rows.len();
        let lanes = self.lanes();
        let lanes = lanes.part(range.clone());
        let observed = outputs
            .write(self.env, &lanes, &mut rows, RowPart::Observation)
            .and_then(|()| outputs.write(self.env, &lanes, &mut rows, RowPart::Info));
        if let Err(error) = observed {
            self.fail_all(failed, range.clone().map(|position| position as u32), &error);
            return range.end;
        }
        rows.write(transitions, range.clone());
        if self.env.options.has_infos() {
            for (row, position) in range.clone().enumerate() {
                self.write_options(ids.lane(self.items.start + position), &mut rows.slot(row).info());
            }
        }
        if rows.has_conditional_infos() {
            (0..rows.len()).for_each(|i| rows.slot(i).clear_absent_infos(&transitions.transition(range.start + i)));
        }
        if self.chunk.table.episode.is_some() {
            for position in range.clone() {
                let (lane, transition) = (ids.id(self.items.start + position), transitions.transition(position));
                let (mut slot, reward) = (rows.slot(position - range.start), transitions.rewards[position * self.env.players]);
                self.chunk.episodes().record_statistics(lane, &mut slot, &transition, reward, || self.chunk.now());
            }
        }
        range.end
    }

    /// Writes the reported options of a lane's episode as infos.
    pub(super) fn write_options(&self, lane: LaneMut<'_>, out: &mut Row<'_>) {
        if let Some(own) = self.env.options.own(lane) {
            own.info(out);
        }
    }

    /// Records the failure of the items whose `lane_end` bits include `FAILED`.
    #[inline]
    pub(super) fn fail_marked(&self, failed: &mut Vec<bool>, positions: &[u32], ends: &[u8], error: Option<Error>) {
        if let Some(error) = error {
            let marked = positions.iter().zip(ends).filter(|(_, end)| **end & lane_end::FAILED != 0);
            self.fail_all(failed, marked.map(|(position, _)| *position), &error);
        }
    }

    /// Records the failure of the items at `positions` with the error `error`.
    #[cold]
    pub(super) fn fail_all(&self, failed: &mut Vec<bool>, positions: impl Iterator<Item = u32>, error: &Error) {
        failed.resize(self.items.len(), false);
        for position in positions {
            if !std::mem::replace(&mut failed[position as usize], true) {
                self.chunk.failed.borrow_mut().push((self.items.start + position as usize, error.clone()));
            }
        }
    }
}

/// Returns whether the item at a position has failed.
#[inline]
pub(super) fn is_failed(failed: &[bool], position: usize) -> bool {
    failed.get(position).copied().unwrap_or(false)
}

/// Returns a lane set that contains one lane of the block.
pub(super) fn single(number: &[u32]) -> LaneSet<'_> {
    // SAFETY: `number` is one lane of the block, whose `ChunkGuard` the caller has.
    unsafe { LaneSet::new(number, true) }
}

/// Returns the address of the first row in the range `rows` of an action column with `bytes` bytes per row.
///
/// # Panics
/// If the column has fewer than `rows.end` rows.
fn rows_of(column: &ActionColumn, bytes: usize, rows: Range<usize>) -> *const u8 {
    let (data, size): (*const u8, usize) = match column {
        ActionColumn::I32(values) => (values.as_ptr().cast(), size_of_val(&values[..])),
        ActionColumn::F32(values) => (values.as_ptr().cast(), size_of_val(&values[..])),
        ActionColumn::F64(values) => (values.as_ptr().cast(), size_of_val(&values[..])),
        ActionColumn::Raw(_) | ActionColumn::Payloads { .. } => unreachable!("actions of native environments are numbers"),
    };
    assert!(rows.end * bytes <= size, "an action column of fewer rows");
    data.wrapping_add(rows.start * bytes)
}

/// Copies the rows of `data` at `positions` into `to`, without gaps.
fn gather(to: &mut Vec<u64>, data: *const u8, bytes: usize, positions: &[u32]) {
    to.clear();
    to.resize((positions.len() * bytes).div_ceil(8), 0);
    let target = to.as_mut_ptr().cast::<u8>();
    if bytes == 4 {
        for (i, position) in positions.iter().enumerate() {
            // SAFETY: `rows_of` checked that each position has a row; `to` has room for all positions.
            unsafe { *target.cast::<u32>().add(i) = *data.cast::<u32>().add(*position as usize) };
        }
        return;
    }
    for (i, position) in positions.iter().enumerate() {
        // SAFETY: `rows_of` checked that each position has a row; `to` has room for all positions.
        unsafe { target.add(i * bytes).copy_from_nonoverlapping(data.add(*position as usize * bytes), bytes) };
    }
}

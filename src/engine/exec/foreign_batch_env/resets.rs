//! Resets of the lanes of a [`ForeignBlock`]: requested resets, resets of failed lanes, and same-step autoreset.

use crate::contract::env::EpisodeEnd;
use crate::contract::foreign::{ForeignResets, LaneSet, reset_cause};
use crate::contract::options::ResetOptions;
use crate::contract::value::Value;
use crate::exec::chunk::ChunkGuard;
use crate::exec::episode_tracker::ItemKind;
use crate::exec::foreign_batch_env::block::{BlockScratch, ForeignBlock, is_failed, single};
use crate::exec::request_kind::RequestKind;
use crate::results::row_span::RowPart;

/// Lanes that are reset together, and the arguments of their resets.
#[derive(Default)]
pub struct GatheredResets {
    pub positions: Vec<u32>,
    numbers: Vec<u32>,
    causes: Vec<u8>,
    seeds: Vec<u64>,
    elapsed: Vec<i64>,
    /// Reset options of the lanes that took them out of their queue; `None` for those of the request.
    queued: Vec<Option<ResetOptions>>,
    ends: Vec<u8>,
}

impl GatheredResets {
    fn clear(&mut self) {
        self.positions.clear();
        self.numbers.clear();
        self.causes.clear();
        self.seeds.clear();
        self.elapsed.clear();
        self.queued.clear();
    }

    fn push(&mut self, position: u32, number: u32, (cause, seed): (u8, u64), elapsed: i32, queued: Option<ResetOptions>) {
        self.positions.push(position);
        self.numbers.push(number);
        self.causes.push(cause);
        self.seeds.push(seed);
        self.elapsed.push(i64::from(elapsed));
        self.queued.push(queued);
    }
}

impl ForeignBlock<'_, '_> {
    /// Runs all due operations of the block except steps.
    pub(super) fn reset_due(&self, guard: &mut ChunkGuard<'_>, scratch: &mut BlockScratch) {
        let BlockScratch { transitions, others, resets, .. } = scratch;
        let episodes = self.chunk.episodes();
        let (mut recreated, none) = (Vec::new(), ResetOptions::default());
        let options = if let RequestKind::Reset { options, .. } = self.chunk.kind { options } else { &none };
        resets.clear();
        for (position, due) in others.iter() {
            let (index, recreate) = (*position as usize, *due == ItemKind::Recreate);
            match due {
                ItemKind::Peek => {
                    transitions.elapsed[index] = self.chunk.table.elapsed.get(self.id(guard, index));
                    transitions.did_act[index] = 0;
                }
                ItemKind::NextEpisode(ended) => self.push_next_episode(guard, resets, *position, *ended),
                _ => {
                    if recreate {
                        recreated.push(*position);
                    }
                    let given = self.chunk.kind.seed(self.items.start + index);
                    let queued = if given.is_none() && options.is_empty() { self.take_queued(guard, index) } else { None };
                    self.push_reset(guard, resets, *position, given, options, queued, recreate);
                }
            }
        }
        if !recreated.is_empty() {
            self.recreate(scratch, &recreated);
        }
        self.reset(scratch, options);
        let BlockScratch { transitions, resets, failed, .. } = scratch;
        for (position, elapsed) in resets.positions.iter().zip(&resets.elapsed) {
            let index = *position as usize;
            transitions.begins_episode[index] = 1;
            transitions.elapsed[index] = i32::try_from(*elapsed).unwrap_or(0).max(0);
            if !is_failed(failed, index) {
                episodes.start_episode(self.id(guard, index), transitions.elapsed[index]);
            }
        }
    }

    /// Takes the next reset out of the queue of the lane at a position.
    fn take_queued(&self, guard: &mut ChunkGuard<'_>, index: usize) -> Option<ResetOptions> {
        self.env.options.own(guard.lanes.lane(self.items.start + index))?.lane.take_queued()
    }

    /// Adds the reset of the lane at `position` with the seed `given`, or else that of its `queued` reset, and starts an episode
    /// with its options.
    #[expect(clippy::too_many_arguments, reason = "the parts of a reset")]
    fn push_reset(
        &self,
        guard: &mut ChunkGuard<'_>,
        resets: &mut GatheredResets,
        position: u32,
        given: Option<u64>,
        options: &ResetOptions,
        queued: Option<ResetOptions>,
        recreate: bool,
    ) {
        let index = position as usize;
        let given = given.or_else(|| queued.as_ref().and_then(ResetOptions::seed));
        if let Some(seed) = given {
            self.env.lanes.seed(&single(&self.numbers[index..=index]), seed);
        }
        let seed = self.chunk.episodes().take_seed(self.id(guard, index), given, recreate);
        self.begin_episode(guard, index, queued.as_ref().unwrap_or(options).values());
        let cause = if seed.is_some() { reset_cause::SEEDED } else { 0 };
        let queued = queued.filter(|queued| queued.names().next().is_some());
        resets.push(position, self.numbers[index], (cause, seed.unwrap_or(0)), 0, queued);
    }

    /// Adds the next episode of the lane at `position`: a reset from the lane's queue or, if that is empty, an autoreset.
    fn push_next_episode(&self, guard: &mut ChunkGuard<'_>, resets: &mut GatheredResets, position: u32, ended: EpisodeEnd) {
        let index = position as usize;
        match self.take_queued(guard, index) {
            Some(queued) => self.push_reset(guard, resets, position, None, &ResetOptions::default(), Some(queued), false),
            None => {
                self.begin_episode(guard, index, &[]);
                resets.push(position, self.numbers[index], (cause_of(ended.at_limit), 0), ended.elapsed, None);
            }
        }
    }

    /// Draws and sets the options of the episode that begins in the lane at a position.
    fn begin_episode(&self, guard: &mut ChunkGuard<'_>, index: usize, values: &[(String, Value)]) {
        if self.env.options.has_own() {
            self.env.begin_episode(guard.lanes.lane(self.items.start + index), values);
        }
    }

    /// Replaces the states of the failed lanes at `positions`.
    fn recreate(&self, scratch: &mut BlockScratch, positions: &[u32]) {
        let numbers: Vec<_> = positions.iter().map(|position| self.numbers[*position as usize]).collect();
        // SAFETY: `ForeignBlock::run` has the `ChunkGuard` of the block's items; the lanes differ from each other, because their
        // positions differ.
        let lanes = unsafe { LaneSet::new(&numbers, numbers.len() == 1) };
        if let Err(error) = self.env.lanes.recreate(&lanes) {
            let has_succeeded = |position: &u32| !positions.contains(position);
            let GatheredResets { positions: resets, numbers, causes, seeds, elapsed, queued, .. } = &mut scratch.resets;
            let succeeded: Vec<_> = resets.iter().map(has_succeeded).collect();
            retain(resets, &succeeded);
            retain(numbers, &succeeded);
            retain(causes, &succeeded);
            retain(seeds, &succeeded);
            retain(elapsed, &succeeded);
            retain(queued, &succeeded);
            self.fail_all(&mut scratch.failed, positions.iter().copied(), &error);
        }
    }

    /// Resets the lanes that are listed in `scratch.resets`.
    fn reset(&self, scratch: &mut BlockScratch, options: &ResetOptions) {
        let BlockScratch { resets, failed, .. } = scratch;
        let GatheredResets { positions, numbers, causes, seeds, elapsed, queued, ends } = resets;
        ends.clear();
        ends.resize(positions.len(), 0);
        let mut start = 0;
        for alike in queued.chunk_by(|one, other| one == other) {
            let part = start..start + alike.len();
            start = part.end;
            let (numbers, positions) = (&numbers[part.clone()], &positions[part.clone()]);
            let is_consecutive = numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
            // SAFETY: `ForeignBlock::run` has the `ChunkGuard` of the block's items; the lanes differ from each other, because each
            // position was added once.
            let lanes = unsafe { LaneSet::new(numbers, is_consecutive) };
            let resets = ForeignResets {
                causes: &causes[part.clone()],
                seeds: &seeds[part.clone()],
                elapsed: &mut elapsed[part.clone()],
                options: alike[0].as_ref().unwrap_or(options),
                ends: &mut ends[part.clone()],
            };
            match self.env.lanes.reset(&lanes, resets) {
                Ok(error) => self.fail_marked(failed, positions, &ends[part], error),
                Err(error) => self.fail_all(failed, positions.iter().copied(), &error),
            }
        }
    }

    /// Writes the final observations and infos of ended episodes, and starts the next episodes.
    #[cold]
    pub(super) fn autoreset(&self, guard: &mut ChunkGuard<'_>, scratch: &mut BlockScratch) {
        let most = self.chunk.rules.max_episode_steps;
        scratch.resets.clear();
        for position in 0..self.items.len() {
            if scratch.transitions.done[position] == 0 || is_failed(&scratch.failed, position) {
                continue;
            }
            let index = self.items.start + position;
            let numbers = &self.numbers[position..=position];
            let mut rows = guard.rows.run(index..index + 1);
            let written = scratch
                .outputs
                .write(self.env, &single(numbers), &mut rows, RowPart::FinalObservation)
                .and_then(|()| scratch.outputs.write(self.env, &single(numbers), &mut rows, RowPart::FinalInfo));
            if let Err(error) = written {
                self.fail_all(&mut scratch.failed, [position as u32].into_iter(), &error);
                continue;
            }
            if self.env.options.has_infos() {
                self.write_options(guard.lanes.lane(index), &mut rows.slot(0).final_info());
            }
            rows.slot(0).clear_absent_final_infos(scratch.transitions.terminated[position] != 0);
            let elapsed = scratch.transitions.elapsed[position];
            let ended = EpisodeEnd { elapsed, at_limit: elapsed >= most };
            self.push_next_episode(guard, &mut scratch.resets, position as u32, ended);
        }
        self.reset(scratch, &ResetOptions::default());
        for (position, elapsed) in scratch.resets.positions.iter().zip(&scratch.resets.elapsed) {
            if !is_failed(&scratch.failed, *position as usize) {
                let elapsed = i32::try_from(*elapsed).unwrap_or(0).max(0);
                self.chunk.episodes().start_episode(self.id(guard, *position as usize), elapsed);
            }
        }
    }
}

/// Returns the `reset_cause` bits of an autoreset. `at_limit`: whether the ended episode reached the time limit.
fn cause_of(at_limit: bool) -> u8 {
    reset_cause::NEXT_EPISODE | if at_limit { reset_cause::AFTER_LIMIT } else { 0 }
}

/// Keeps the elements of `values` whose flag is set, and removes the others.
fn retain<T>(values: &mut Vec<T>, flags: &[bool]) {
    let mut flags = flags.iter();
    values.retain(|_| *flags.next().expect("a flag for each element"));
}

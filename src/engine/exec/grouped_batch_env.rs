//! [`BatchEnv`] for pools of different environments: passes the items of each group of lanes to the group's own `BatchEnv`.

use std::cell::Cell;

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderParams, RenderSpec};
use crate::contract::options::ResetOptions;
use crate::exec::batch_env::BatchEnv;
use crate::exec::chunk::{Chunk, ChunkGuard};
use crate::exec::episode_tracker::EpisodeRules;
use crate::exec::lane_options::LaneOptionTable;
use crate::exec::per_lane::LaneMut;
use envpool_rs_numeric::random::Pcg64;

/// Group of consecutive lanes that run the same environment.
pub struct LaneGroup {
    /// Environment of the group. Its lane numbers are those of the pool.
    pub env: Box<dyn BatchEnv>,
    /// Number of lanes.
    pub lanes: usize,
    /// Number of steps after which episodes of the group are truncated; `i32::MAX` for no limit.
    pub max_episode_steps: i32,
}

/// [`BatchEnv`] of lanes in groups that differ in task, options or time limit.
pub struct GroupedBatchEnv {
    groups: Vec<LaneGroup>,
    /// Group number of each lane.
    group_of: Box<[u32]>,
    reset_options: Vec<&'static str>,
}

impl GroupedBatchEnv {
    /// Combines groups of consecutive lanes into one `BatchEnv`.
    pub fn new(groups: Vec<LaneGroup>) -> Self {
        let numbers = groups.iter().enumerate().flat_map(|(number, group)| std::iter::repeat_n(number as u32, group.lanes));
        let is_common = |name: &&'static str| groups.iter().all(|group| group.env.reset_options().contains(name));
        let reset_options = groups[0].env.reset_options().iter().copied().filter(is_common).collect();
        Self { group_of: numbers.collect(), reset_options, groups }
    }

    /// Returns the environment of a lane's group.
    fn env_of(&self, lane: usize) -> &dyn BatchEnv {
        &*self.groups[self.group_of[lane] as usize].env
    }

    /// Runs the items of `chunk` from `start` up to the first item whose lane belongs to another group.
    fn run_group(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>, start: usize) {
        let number = self.group_of[chunk.lanes.get(start)];
        let end = (start + 1..chunk.end).find(|index| self.group_of[chunk.lanes.get(*index)] != number).unwrap_or(chunk.end);
        if (start, end) != (chunk.start, chunk.end) {
            guard.rows.claim(); // claims the rows of all groups in the order of the items
        }
        let group = &self.groups[number as usize];
        let own = Chunk {
            end,
            rules: EpisodeRules { max_episode_steps: group.max_episode_steps, ..chunk.rules },
            progress: Cell::new(start),
            span: Cell::new(1),
            clock: Cell::new(chunk.clock.get()),
            ..*chunk
        };
        let _report = ProgressReport { own: &own, whole: chunk };
        group.env.run(&own, guard);
    }
}

/// Guard that copies the progress of a group's chunk to the chunk of all groups on drop, even if the environment panics.
struct ProgressReport<'a> {
    own: &'a Chunk<'a>,
    whole: &'a Chunk<'a>,
}

impl Drop for ProgressReport<'_> {
    fn drop(&mut self) {
        self.whole.progress.set(self.own.progress.get());
        self.whole.span.set(self.own.span.get().min(self.own.end - self.own.progress.get()).max(1));
    }
}

impl BatchEnv for GroupedBatchEnv {
    fn run(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>) {
        while chunk.progress.get() < chunk.end {
            self.run_group(chunk, guard, chunk.progress.get());
        }
    }

    /// Returns the scheduling of the groups if all groups have the same one. Otherwise returns `Batched` with the largest number
    /// of lanes of any batched group, or `OneByOne` if no group is batched.
    fn scheduling(&self) -> Scheduling {
        let common = |one, other| match (one, other) {
            (Scheduling::Batched(one), Scheduling::Batched(other)) => Scheduling::Batched(one.max(other)),
            (Scheduling::Batched(lanes), _) | (_, Scheduling::Batched(lanes)) => Scheduling::Batched(lanes),
            (one, other) => {
                if one == other {
                    one
                } else {
                    Scheduling::OneByOne
                }
            }
        };
        self.groups.iter().map(|group| group.env.scheduling()).reduce(common).unwrap_or(Scheduling::OneByOne)
    }

    fn stack_bytes(&self) -> usize {
        self.groups.iter().map(|group| group.env.stack_bytes()).max().unwrap_or(0)
    }

    fn reset_options(&self) -> &[&'static str] {
        &self.reset_options
    }

    fn takes_reset_rows(&self) -> bool {
        self.groups.iter().all(|group| group.env.takes_reset_rows())
    }

    fn check_reset(&self, options: &ResetOptions, lanes: &[usize]) -> Result<()> {
        let is_checked = |group: usize| lanes.is_empty() || lanes.iter().any(|lane| self.group_of[*lane] as usize == group);
        let mut checked = self.groups.iter().enumerate().filter(|(group, _)| is_checked(*group));
        checked.try_for_each(|(_, group)| group.env.check_reset(options, &[]))
    }

    fn seed(&self, lane: LaneMut<'_>, seed: u64) {
        self.env_of(lane.number()).seed(lane, seed);
    }

    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64> {
        self.env_of(lane.number()).pcg64(lane)
    }

    fn save(&self, lane: LaneMut<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        self.env_of(lane.number()).save(lane, bytes)
    }

    fn load(&self, lane: LaneMut<'_>, bytes: &[u8]) -> Result<()> {
        self.env_of(lane.number()).load(lane, bytes)
    }

    fn lane_options(&self, lane: usize) -> &LaneOptionTable {
        self.env_of(lane).lane_options(lane)
    }

    fn loaded_bytes(&self, len: usize) -> usize {
        self.groups.iter().map(|group| group.env.loaded_bytes(len)).max().unwrap_or(0)
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::common(self.groups.iter().map(|group| group.env.render_spec()))
    }

    fn render_view(&self, lane: LaneMut<'_>, params: &RenderParams) -> Result<Frame> {
        self.env_of(lane.number()).render_view(lane, params)
    }

    fn render_text(&self, lane: LaneMut<'_>) -> String {
        self.env_of(lane.number()).render_text(lane)
    }
}

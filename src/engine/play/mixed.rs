//! [`BatchEnv`] for pools of different environments: one `BatchEnv` for each group of the pool.

use std::cell::Cell;

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::contract::options::ResetOptions;
use crate::contract::picture::{Picture, Rendering, View};
use crate::play::batch_env::BatchEnv;
use crate::play::episodes::Rules;
use crate::play::lanes::LaneMut;
use crate::play::work::{ChunkGuard, Work};
use envpool_rs_numeric::random::Pcg64;

/// Group of consecutive lanes with one environment.
pub struct LanesAlike {
    /// Environment of the group. It uses the lane numbers of the pool.
    pub env: Box<dyn BatchEnv>,
    /// Number of lanes.
    pub lanes: usize,
    /// Steps after which episodes of the group are truncated, as in [`Rules`].
    pub max_episode_steps: i32,
}

/// Lanes of a pool in groups that differ in task, options or time limit.
pub struct Mixed {
    groups: Vec<LanesAlike>,
    /// Group number of each lane.
    group_of: Box<[u32]>,
    reset_options: Vec<&'static str>,
}

impl Mixed {
    /// Creates the environment from consecutive groups.
    pub fn new(groups: Vec<LanesAlike>) -> Self {
        let numbers = groups.iter().enumerate().flat_map(|(number, group)| std::iter::repeat_n(number as u32, group.lanes));
        let known_to_all = |name: &&'static str| groups.iter().all(|group| group.env.reset_options().contains(name));
        let reset_options = groups[0].env.reset_options().iter().copied().filter(known_to_all).collect();
        Self { group_of: numbers.collect(), reset_options, groups }
    }

    /// Returns the environment of a lane.
    fn of(&self, lane: usize) -> &dyn BatchEnv {
        &*self.groups[self.group_of[lane] as usize].env
    }

    /// Runs items of `work` from `start` on, up to the first lane of another group.
    fn run_group(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>, start: usize) {
        let number = self.group_of[work.lanes.get(start)];
        let end = (start + 1..work.end).find(|index| self.group_of[work.lanes.get(*index)] != number).unwrap_or(work.end);
        if (start, end) != (work.start, work.end) {
            guard.rows.claim(); // rows of all groups; a single group claims its rows after the computation
        }
        let group = &self.groups[number as usize];
        let own = Work {
            end,
            rules: Rules { max_episode_steps: group.max_episode_steps, ..work.rules },
            progress: Cell::new(start),
            span: Cell::new(1),
            clock: Cell::new(work.clock.get()),
            ..*work
        };
        let _report = ProgressReport { own: &own, whole: work };
        group.env.run(&own, guard);
    }
}

/// Copies the progress of a group to its chunk on drop, so that a panic is reported, too.
struct ProgressReport<'a> {
    own: &'a Work<'a>,
    whole: &'a Work<'a>,
}

impl Drop for ProgressReport<'_> {
    fn drop(&mut self) {
        self.whole.progress.set(self.own.progress.get());
        self.whole.span.set(self.own.span.get().min(self.own.end - self.own.progress.get()).max(1));
    }
}

impl BatchEnv for Mixed {
    fn run(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        while work.progress.get() < work.end {
            self.run_group(work, guard, work.progress.get());
        }
    }

    /// Returns the common scheduling: uniform if all groups are uniform; otherwise together if any group gains from it, with the
    /// largest number of lanes.
    fn scheduling(&self) -> Scheduling {
        let common = |one, other| match (one, other) {
            (Scheduling::Together(one), Scheduling::Together(other)) => Scheduling::Together(one.max(other)),
            (Scheduling::Together(lanes), _) | (_, Scheduling::Together(lanes)) => Scheduling::Together(lanes),
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

    fn reset_options(&self) -> &[&'static str] {
        &self.reset_options
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.groups.iter().try_for_each(|group| group.env.check_reset(options))
    }

    fn seed(&self, lane: LaneMut<'_>, seed: u64) {
        self.of(lane.number()).seed(lane, seed);
    }

    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64> {
        self.of(lane.number()).pcg64(lane)
    }

    fn save(&self, lane: LaneMut<'_>, bytes: &mut Vec<u8>) {
        self.of(lane.number()).save(lane, bytes);
    }

    fn load(&self, lane: LaneMut<'_>, bytes: &[u8]) -> Result<()> {
        self.of(lane.number()).load(lane, bytes)
    }

    fn rendering(&self) -> Rendering {
        Rendering::common(self.groups.iter().map(|group| group.env.rendering()))
    }

    fn show(&self, lane: LaneMut<'_>, view: &View) -> Result<Picture> {
        self.of(lane.number()).show(lane, view)
    }

    fn text(&self, lane: LaneMut<'_>) -> String {
        self.of(lane.number()).text(lane)
    }
}

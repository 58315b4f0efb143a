//! [`BatchEnv`] for pools whose environments are not all alike: one for each group of the pool.

use std::cell::Cell;

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::contract::options::ResetOptions;
use crate::contract::picture::{Picture, Rendering, View};
use crate::play::batch_env::BatchEnv;
use crate::play::episodes::Rules;
use crate::play::work::Work;
use envpool_rs_numeric::random::Pcg64;

/// Consecutive lanes of a pool with an environment of their own.
pub struct LanesAlike {
    /// Plays them, by the numbers that they have in the pool.
    pub env: Box<dyn BatchEnv>,
    /// How many they are.
    pub lanes: usize,
    /// Steps after which their episodes are truncated, as [`Rules`] has it.
    pub max_episode_steps: i32,
}

/// The lanes of a pool in groups that differ in task, options or time limit.
pub struct Mixed {
    groups: Vec<LanesAlike>,
    /// The group of each lane.
    group_of: Box<[u32]>,
    reset_options: Vec<&'static str>,
}

impl Mixed {
    /// These groups, one after the other.
    pub fn new(groups: Vec<LanesAlike>) -> Self {
        let numbers = groups.iter().enumerate().flat_map(|(number, group)| std::iter::repeat_n(number as u32, group.lanes));
        let known_to_all = |name: &&'static str| groups.iter().all(|group| group.env.reset_options().contains(name));
        let reset_options = groups[0].env.reset_options().iter().copied().filter(known_to_all).collect();
        Self { group_of: numbers.collect(), reset_options, groups }
    }

    /// The environment that plays a lane.
    fn of(&self, lane: usize) -> &dyn BatchEnv {
        &*self.groups[self.group_of[lane] as usize].env
    }

    /// Plays items of `work` from `start` on, as far as their lanes are of the same group.
    ///
    /// # Safety
    /// The lanes of the chunk, and the rows of its sink, must belong to the caller alone.
    unsafe fn run_group(&self, work: &Work<'_>, start: usize) {
        let number = self.group_of[work.lanes.get(start)];
        let end = (start + 1..work.end).find(|index| self.group_of[work.lanes.get(*index)] != number).unwrap_or(work.end);
        if (start, end) != (work.start, work.end) {
            work.claim(); // the rows of all groups; where there is one only, it takes its row when it has computed
        }
        let group = &self.groups[number as usize];
        let own = Work {
            end,
            rules: Rules { max_episode_steps: group.max_episode_steps, ..work.rules },
            progress: Cell::new(start),
            span: Cell::new(1),
            claimed: Cell::new(work.claimed.get()),
            clock: Cell::new(work.clock.get()),
            ..*work
        };
        let _report = ProgressReport { own: &own, whole: work };
        // SAFETY: these are items of the caller's chunk.
        unsafe { group.env.run(&own) };
    }
}

/// Lets a chunk know how far a group of it has come, also where that ends in a panic.
struct ProgressReport<'a> {
    own: &'a Work<'a>,
    whole: &'a Work<'a>,
}

impl Drop for ProgressReport<'_> {
    fn drop(&mut self) {
        self.whole.progress.set(self.own.progress.get());
        self.whole.span.set(self.own.span.get().min(self.own.end - self.own.progress.get()).max(1));
        self.whole.claimed.set(self.own.claimed.get());
    }
}

impl BatchEnv for Mixed {
    unsafe fn run(&self, work: &Work<'_>) {
        while work.progress.get() < work.end {
            // SAFETY: passed on to the caller.
            unsafe { self.run_group(work, work.progress.get()) };
        }
    }

    /// Uniform where all are; else as many at a time as gain from it in any.
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

    unsafe fn seed(&self, lane: usize, seed: u64) {
        // SAFETY: passed on to the caller.
        unsafe { self.of(lane).seed(lane, seed) };
    }

    unsafe fn pcg64(&self, lane: usize) -> Option<Pcg64> {
        // SAFETY: passed on to the caller.
        unsafe { self.of(lane).pcg64(lane) }
    }

    unsafe fn save(&self, lane: usize, bytes: &mut Vec<u8>) {
        // SAFETY: passed on to the caller.
        unsafe { self.of(lane).save(lane, bytes) };
    }

    unsafe fn load(&self, lane: usize, bytes: &[u8]) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.of(lane).load(lane, bytes) }
    }

    fn rendering(&self) -> Rendering {
        Rendering::common(self.groups.iter().map(|group| group.env.rendering()))
    }

    unsafe fn show(&self, lane: usize, view: &View) -> Result<Picture> {
        // SAFETY: passed on to the caller.
        unsafe { self.of(lane).show(lane, view) }
    }

    unsafe fn text(&self, lane: usize) -> String {
        // SAFETY: passed on to the caller.
        unsafe { self.of(lane).text(lane) }
    }
}

//! Episode rules of lanes: phases, time limits, autoreset, statistics, and failures.
//!
//! An item (one lane's row of a request) is handled in three parts. [`EpisodeTracker::classify`] determines the *due operation*:
//! a step, a reset or a new episode. The environment runs this operation, on the engine's threads or in a backend.
//! [`EpisodeTracker::apply`] applies the outcome to the lane and returns the data of the lane's row. The lane's state changes
//! only in the last part, so an item that is never completed leaves the lane unchanged.

use std::time::Instant;

use crate::contract::config::AutoresetMode;
use crate::contract::env::EpisodeEnd;
use crate::exec::lane_table::{Episode, LaneTable, Phase, Seed};
use crate::exec::per_lane::{LaneCells, LaneId};
use crate::exec::request_kind::RequestKind;
use crate::results::row_slot::{RowSlot, Transition};

/// Rules that apply to all lanes of a pool.
#[derive(Debug, Clone, Copy)]
pub struct EpisodeRules {
    /// Number of steps after which an episode is truncated; `i32::MAX` for no limit.
    pub max_episode_steps: i32,
    pub autoreset: AutoresetMode,
}

/// Due operation: the operation that a lane must run for an item of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// No operation: the row repeats the lane's last observation.
    Peek,
    /// A step. `truncate`: whether the time limit truncates the episode at this step. `elapsed`: number of steps including this
    /// one.
    Step { truncate: bool, elapsed: i32 },
    /// A reset, requested or because the lane was never reset.
    Reset,
    /// A reset of a failed lane, whose environment is recreated first.
    Recreate,
    /// Start of the next episode by autoreset.
    NextEpisode(EpisodeEnd),
}

/// Outcome of a due operation, reported by the environment. A reset sets only `elapsed`; a step sets all other fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ItemOutcome {
    /// Whether the episode terminated by the environment's rules.
    pub terminated: bool,
    /// Whether the step reached a limit that the environment checks itself.
    pub truncated: bool,
    /// Whether later rewards have discount 0, although the episode may continue.
    pub zero_discount: bool,
    /// Number of steps that a new episode starts with.
    pub elapsed: i32,
}

/// Returns `elapsed + 1`, but at most `i32::MAX - 1`, because `i32::MAX` stands for no time limit.
#[inline(always)]
pub fn next_elapsed(elapsed: i32) -> i32 {
    elapsed.saturating_add(1).min(i32::MAX - 1)
}

/// Episode rules, together with the data of the lanes that they apply to.
#[derive(Clone, Copy)]
pub struct EpisodeTracker<'a> {
    pub table: &'a LaneTable,
    pub rules: EpisodeRules,
}

impl EpisodeTracker<'_> {
    /// Returns the due operation of lane `lane` for item number `item` of a request.
    #[inline(always)]
    pub fn classify(&self, kind: &RequestKind, item: usize, lane: LaneId<'_>) -> ItemKind {
        let phase = self.table.phase.get(lane);
        match (kind, phase) {
            (RequestKind::Step, Phase::Running) => {
                let elapsed = next_elapsed(self.table.elapsed.get(lane));
                ItemKind::Step { truncate: elapsed >= self.rules.max_episode_steps, elapsed }
            }
            (RequestKind::Step, Phase::Finished) => ItemKind::NextEpisode(self.episode_end(lane)),
            (RequestKind::Reset { .. }, Phase::Recreating) => ItemKind::Recreate,
            (RequestKind::Reset { .. }, _) if kind.is_peek(item) => ItemKind::Peek,
            (RequestKind::Step | RequestKind::Reset { .. }, _) => ItemKind::Reset,
        }
    }

    /// Applies the outcome of the due operation to the lane, and returns the data that the engine writes into the lane's row.
    #[inline(always)]
    pub fn apply(&self, lane: LaneId<'_>, due: ItemKind, played: ItemOutcome) -> Transition {
        match due {
            ItemKind::Peek => Transition::peeked(lane.number(), self.table.elapsed.get(lane)),
            ItemKind::Step { truncate, elapsed } => self.apply_step(lane, truncate, elapsed, played),
            ItemKind::Reset | ItemKind::Recreate | ItemKind::NextEpisode(_) => {
                self.start_episode(lane, played.elapsed);
                Transition::started(lane.number(), played.elapsed)
            }
        }
    }

    #[inline(always)]
    fn apply_step(&self, lane: LaneId<'_>, truncate: bool, elapsed: i32, played: ItemOutcome) -> Transition {
        let ItemOutcome { terminated, zero_discount, .. } = played;
        let truncated = truncate || played.truncated;
        if terminated || truncated {
            self.table.set_phase(lane, Phase::Finished);
        }
        self.table.elapsed.set(lane, elapsed);
        let lane = lane.number() as u32;
        Transition { lane, elapsed, terminated, truncated, zero_discount, begins_episode: false, did_act: true }
    }

    /// Returns whether same-step autoreset starts the next episode after this transition.
    ///
    /// The caller then writes the final observation and infos, passes [`EpisodeTracker::episode_end`] to the environment's
    /// `next_episode`, and calls [`EpisodeTracker::start_episode`].
    #[inline(always)]
    pub fn should_autoreset(&self, transition: &Transition) -> bool {
        self.rules.autoreset == AutoresetMode::SameStep && transition.is_done()
    }

    /// Returns the number of steps of the lane's ended episode, and whether it reached the time limit.
    #[inline]
    pub fn episode_end(&self, lane: LaneId<'_>) -> EpisodeEnd {
        let elapsed = self.table.elapsed.get(lane);
        EpisodeEnd { elapsed, at_limit: elapsed >= self.rules.max_episode_steps }
    }

    /// Returns the seed for the lane's next reset; `None` continues the random stream.
    ///
    /// The seed is `given` if the request has a seed. Otherwise, it is the lane's last seed if the environment has not received
    /// that seed yet or is recreated (`recreate`).
    #[inline]
    pub fn take_seed(&self, lane: LaneId<'_>, given: Option<u64>, recreate: bool) -> Option<u64> {
        let seed = self.table.seed.get(lane);
        let number = given.unwrap_or(seed.number);
        self.table.seed.set(lane, Seed { number, is_pending: false });
        (seed.is_pending || recreate || given.is_some()).then_some(number)
    }

    /// Records the start of an episode to which `elapsed` steps already count.
    #[inline]
    pub fn start_episode(&self, lane: LaneId<'_>, elapsed: i32) {
        self.table.set_phase(lane, Phase::Running);
        self.table.elapsed.set(lane, elapsed);
        if let Some(statistics) = self.table.statistics.get() {
            statistics.record_reset(lane.number());
        }
    }

    /// Records the number of elapsed steps that a backend counted.
    pub fn record_elapsed(&self, lane: LaneId<'_>, elapsed: i32) {
        self.table.elapsed.set(lane, elapsed);
    }

    /// Records a failure of the environment and returns the data that the engine writes into the lane's row; all other values of
    /// the row are zero.
    #[cold]
    pub fn record_failure(&self, lane: LaneId<'_>) -> Transition {
        self.table.set_phase(lane, Phase::Failed);
        Transition { did_act: false, ..Transition::started(lane.number(), 0) }
    }

    /// Updates a lane's episode statistics and writes them, if they are enabled. `now` returns the time of the transition.
    #[inline(always)]
    pub fn record_statistics(
        &self,
        lane: LaneId<'_>,
        row: &mut RowSlot<'_>,
        transition: &Transition,
        reward: f64,
        now: impl FnOnce() -> Instant,
    ) {
        if let Some(episodes) = &self.table.episode
            && transition.did_act
        {
            self.record_in(episodes, (lane, row), transition, reward, now());
        }
    }

    #[inline(never)]
    fn record_in(
        &self,
        episodes: &LaneCells<Episode>,
        (lane, row): (LaneId<'_>, &mut RowSlot<'_>),
        transition: &Transition,
        reward: f64,
        now: Instant,
    ) {
        let fresh = Episode { episode_return: 0.0, length: 0, start: now };
        let mut episode = episodes.get(lane);
        if transition.begins_episode {
            episode = fresh;
        } else {
            episode.episode_return += reward;
            episode.length = next_elapsed(episode.length);
        }
        let (total, length, seconds) = match transition.is_done() {
            true => (episode.episode_return, episode.length, now.duration_since(episode.start).as_secs_f64()),
            false => (0.0, 0, 0.0), // rows in the middle of an episode report no statistics
        };
        row.write_episode(total, i64::from(length), seconds);
        episodes.set(lane, if self.should_autoreset(transition) { fresh } else { episode });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::config::FirstStepPolicy;
    use crate::exec::per_lane::LanesGuard;
    use crate::exec::request_kind::LaneList;

    fn table(autoreset: AutoresetMode) -> LaneTable {
        LaneTable::new(&[7, 8], false, autoreset, FirstStepPolicy::default())
    }

    /// Calls `act` with the access right to lane 0 of a test's lane table.
    fn with_lane<T>(act: impl FnOnce(LaneId<'_>) -> T) -> T {
        // SAFETY: the lane id is only used with tables that are local to a test, so no other thread accesses the lane.
        act(unsafe { LanesGuard::new(&LaneList::All(1), 0..1) }.id(0))
    }

    /// Determines the due operation of one item of lane 0, and applies the outcome `played`.
    fn turn(table: &LaneTable, autoreset: AutoresetMode, played: ItemOutcome) -> (ItemKind, Transition) {
        let episodes = EpisodeTracker { table, rules: EpisodeRules { max_episode_steps: 3, autoreset } };
        with_lane(|lane| {
            let due = episodes.classify(&RequestKind::Step, 0, lane);
            (due, episodes.apply(lane, due, played))
        })
    }

    #[test]
    fn a_lane_is_reset_stepped_truncated_at_the_limit_and_reset() {
        let mode = AutoresetMode::NextStep;
        let table = table(mode);
        let turns: Vec<_> = (0..5).map(|_| turn(&table, mode, ItemOutcome::default())).collect();
        let dues: Vec<_> = turns.iter().map(|(due, _)| *due).collect();
        let step = |elapsed| ItemKind::Step { truncate: elapsed == 3, elapsed };
        assert_eq!(
            dues,
            [ItemKind::Reset, step(1), step(2), step(3), ItemKind::NextEpisode(EpisodeEnd { elapsed: 3, at_limit: true })]
        );
        let reported: Vec<_> = turns.iter().map(|(_, row)| (row.elapsed, row.truncated, row.begins_episode)).collect();
        assert_eq!(reported, [(0, false, true), (1, false, false), (2, false, false), (3, true, false), (0, false, true)]);
    }

    #[test]
    fn an_unfinished_step_leaves_the_lane_unchanged() {
        let mode = AutoresetMode::NextStep;
        let table = table(mode);
        let episodes = EpisodeTracker { table: &table, rules: EpisodeRules { max_episode_steps: 3, autoreset: mode } };
        let twice =
            with_lane(|lane| [episodes.classify(&RequestKind::Step, 0, lane), episodes.classify(&RequestKind::Step, 0, lane)]);
        assert_eq!(twice, [ItemKind::Reset; 2]);
        assert_eq!(turn(&table, mode, ItemOutcome::default()).0, ItemKind::Reset);
    }

    #[test]
    fn a_seed_is_reported_once_per_environment() {
        let table = table(AutoresetMode::NextStep);
        let episodes =
            EpisodeTracker { table: &table, rules: EpisodeRules { max_episode_steps: 3, autoreset: AutoresetMode::NextStep } };
        let turns = [(None, false), (None, false), (Some(9), false), (None, false), (None, true)];
        let reported = turns.map(|(given, recreate)| with_lane(|lane| episodes.take_seed(lane, given, recreate)));
        assert_eq!(reported, [Some(7), None, Some(9), None, Some(9)]);
    }

    #[test]
    fn a_step_of_a_lane_that_was_never_reset_depends_on_the_autoreset_mode() {
        for (first_step, unready, due) in [
            (FirstStepPolicy::Reset, [0, 2, 2], ItemKind::Reset),
            (FirstStepPolicy::Reject, [2, 2, 2], ItemKind::Reset),
            (FirstStepPolicy::Allow, [0, 0, 0], ItemKind::Step { truncate: false, elapsed: 1 }),
        ] {
            for (mode, unready) in
                [AutoresetMode::NextStep, AutoresetMode::SameStep, AutoresetMode::Disabled].into_iter().zip(unready)
            {
                let table = LaneTable::new(&[7, 8], false, mode, first_step);
                assert_eq!(table.unready(), unready, "{mode:?}, {first_step:?}");
                assert_eq!(turn(&table, mode, ItemOutcome::default()).0, due, "{mode:?}, {first_step:?}");
                assert_eq!(table.unready(), unready.saturating_sub(1), "{mode:?}, {first_step:?}");
            }
        }
    }

    #[test]
    fn lanes_that_cannot_be_stepped_are_counted_in_every_mode() {
        for (mode, fresh, finished) in
            [(AutoresetMode::NextStep, 0, 0), (AutoresetMode::SameStep, 2, 1), (AutoresetMode::Disabled, 2, 2)]
        {
            let table = table(mode);
            assert_eq!(table.unready(), fresh, "{mode:?}: neither of two has been reset");
            turn(&table, mode, ItemOutcome::default());
            assert_eq!(table.unready(), fresh.min(1), "{mode:?}: one has");
            turn(&table, mode, ItemOutcome { terminated: true, ..ItemOutcome::default() });
            assert_eq!(table.unready(), finished, "{mode:?}: its episode is over");
            let episodes = EpisodeTracker { table: &table, rules: EpisodeRules { max_episode_steps: 3, autoreset: mode } };
            with_lane(|lane| episodes.record_failure(lane));
            assert_eq!(table.unready(), fresh.min(1) + 1, "{mode:?}: it has failed");
        }
    }
}

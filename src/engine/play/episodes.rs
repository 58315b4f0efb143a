//! The rules of episodes, whoever plays them: phases, time limits, autoreset, statistics, and what a failure leaves.
//!
//! A lane's turn has two halves. [`Episodes::before`] says what is due; then the environment is played, here or elsewhere, now or
//! over a while; [`Episodes::after`] takes in what came of it and says what the lane's row is to tell. Nothing changes between the two,
//! so that a turn which is never finished leaves the lane as it was.

use std::time::Instant;

use crate::contract::config::AutoresetMode;
use crate::contract::env::Ended;
use crate::play::kind::Kind;
use crate::play::lane_table::{Episode, LaneTable, Phase, Seed};
use crate::play::lanes::{LaneCells, LaneId};
use crate::results::row_slot::{RowSlot, Transition};

/// Rules that hold for all lanes of a pool.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Steps after which an episode is truncated; `i32::MAX` for never.
    pub max_episode_steps: i32,
    pub autoreset: AutoresetMode,
}

/// What a lane has to do in its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Nothing: its row shows it as it is.
    Show,
    /// A step, at which the time limit cuts the episode off where it is `cut`; then so many have elapsed.
    Step { cut: bool, elapsed: i32 },
    /// A reset: one that was asked for, or the first.
    Reset,
    /// A reset of a lane that has failed and is created anew before.
    Recreate,
    /// The episode after one that has ended, which nobody asked for.
    NextEpisode(Ended),
}

/// What an environment did that was due. Of a reset, all but `elapsed` are left at their defaults; of a step, `elapsed` is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Played {
    /// Whether the episode ended by the environment's rules.
    pub terminated: bool,
    /// Whether it ended by a limit that the environment watches itself.
    pub truncated: bool,
    /// Whether nothing that follows counts, although the episode may go on.
    pub zero_discount: bool,
    /// Steps that an episode has behind it where it begins.
    pub elapsed: i32,
}

/// The count of elapsed steps after `elapsed`: it stops short of `i32::MAX`, the time limit of episodes that have none.
#[inline(always)]
pub fn next_step(elapsed: i32) -> i32 {
    elapsed.saturating_add(1).min(i32::MAX - 1)
}

/// The rules, over what is known of each lane.
#[derive(Clone, Copy)]
pub struct Episodes<'a> {
    pub table: &'a LaneTable,
    pub rules: Rules,
}

impl Episodes<'_> {
    /// What item number `item` of a request has to do, whose lane is `lane`.
    #[inline(always)]
    pub fn before(&self, kind: &Kind, item: usize, lane: LaneId<'_>) -> Due {
        let phase = self.table.phase.get(lane);
        match (kind, phase) {
            (Kind::Step, Phase::Running) => {
                let elapsed = next_step(self.table.elapsed.get(lane));
                Due::Step { cut: elapsed >= self.rules.max_episode_steps, elapsed }
            }
            (Kind::Step, Phase::Finished) => Due::NextEpisode(self.ended(lane)),
            (Kind::Reset { .. }, Phase::Revived) => Due::Recreate,
            (Kind::Reset { .. }, _) if kind.only_shows(item) => Due::Show,
            (Kind::Step | Kind::Reset { .. }, _) => Due::Reset,
        }
    }

    /// Takes in what came of what was due: what the row is to say of the lane.
    #[inline(always)]
    pub fn after(&self, lane: LaneId<'_>, due: Due, played: Played) -> Transition {
        match due {
            Due::Show => Transition::shown(lane.number(), self.table.elapsed.get(lane)),
            Due::Step { cut, elapsed } => self.after_step(lane, cut, elapsed, played),
            Due::Reset | Due::Recreate | Due::NextEpisode(_) => {
                self.begin(lane, played.elapsed);
                Transition::begun(lane.number(), played.elapsed)
            }
        }
    }

    #[inline(always)]
    fn after_step(&self, lane: LaneId<'_>, cut: bool, elapsed: i32, played: Played) -> Transition {
        let Played { terminated, zero_discount, .. } = played;
        let truncated = cut || played.truncated;
        if terminated || truncated {
            self.table.set_phase(lane, Phase::Finished);
        }
        self.table.elapsed.set(lane, elapsed);
        let lane = lane.number() as u32;
        Transition { lane, elapsed, terminated, truncated, zero_discount, begins_episode: false, is_news: true }
    }

    /// Whether an episode that ended so is followed by the next in the same turn, after its last observation and infos were written:
    /// by what [`Episodes::ended`] says, and [`Episodes::begin`] afterwards.
    #[inline(always)]
    pub fn begins_anew(&self, transition: &Transition) -> bool {
        self.rules.autoreset == AutoresetMode::SameStep && transition.is_done()
    }

    /// How the lane's episode came to its end.
    #[inline]
    pub fn ended(&self, lane: LaneId<'_>) -> Ended {
        let elapsed = self.table.elapsed.get(lane);
        Ended { elapsed, at_limit: elapsed >= self.rules.max_episode_steps }
    }

    /// The seed that the reset of a lane has to tell its environment, if any: `given` for this reset, or the one before where the
    /// environment has not been told yet, or is `anew` and has forgotten.
    #[inline]
    pub fn take_seed(&self, lane: LaneId<'_>, given: Option<u64>, anew: bool) -> Option<u64> {
        let seed = self.table.seed.get(lane);
        let number = given.unwrap_or(seed.number);
        self.table.seed.set(lane, Seed { number, is_new: false });
        (seed.is_new || anew || given.is_some()).then_some(number)
    }

    /// Notes that an episode has begun which has so many steps behind it.
    #[inline]
    pub fn begin(&self, lane: LaneId<'_>, elapsed: i32) {
        self.table.set_phase(lane, Phase::Running);
        self.table.elapsed.set(lane, elapsed);
    }

    /// Notes how many steps have elapsed, where somebody else counts them.
    pub fn count(&self, lane: LaneId<'_>, elapsed: i32) {
        self.table.elapsed.set(lane, elapsed);
    }

    /// Notes that the environment failed, whatever it was at: what its row, all zeros otherwise, says of it.
    #[cold]
    pub fn fail(&self, lane: LaneId<'_>) -> Transition {
        self.table.set_phase(lane, Phase::Failed);
        Transition { is_news: false, ..Transition::begun(lane.number(), 0) }
    }

    /// Brings a lane's episode statistics up to date and writes them, where there are any. `now` is when that was.
    #[inline(always)]
    pub fn record(
        &self,
        lane: LaneId<'_>,
        row: &mut RowSlot<'_>,
        transition: &Transition,
        reward: f64,
        now: impl FnOnce() -> Instant,
    ) {
        if let Some(episodes) = &self.table.episode
            && transition.is_news
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
        let fresh = Episode { total: 0.0, length: 0, start: now };
        let mut episode = episodes.get(lane);
        if transition.begins_episode {
            episode = fresh;
        } else {
            episode.total += reward;
            episode.length = next_step(episode.length);
        }
        let (total, length, seconds) = match transition.is_done() {
            true => (episode.total, episode.length, now.duration_since(episode.start).as_secs_f64()),
            false => (0.0, 0, 0.0), // statistics are of ended episodes
        };
        row.write_episode(total, i64::from(length), seconds);
        episodes.set(lane, if self.begins_anew(transition) { fresh } else { episode });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::config::FirstStep;
    use crate::play::kind::LaneList;
    use crate::play::lanes::LanesGuard;

    fn table(autoreset: AutoresetMode) -> LaneTable {
        LaneTable::new(&[7, 8], false, autoreset, FirstStep::default())
    }

    /// Does something with lane 0.
    fn with_lane<T>(act: impl FnOnce(LaneId<'_>) -> T) -> T {
        // SAFETY: there is no other thread.
        act(unsafe { LanesGuard::new(&LaneList::All(1), 0..1) }.id(0))
    }

    /// Plays one turn of lane 0 by itself.
    fn turn(table: &LaneTable, autoreset: AutoresetMode, played: Played) -> (Due, Transition) {
        let episodes = Episodes { table, rules: Rules { max_episode_steps: 3, autoreset } };
        with_lane(|lane| {
            let due = episodes.before(&Kind::Step, 0, lane);
            (due, episodes.after(lane, due, played))
        })
    }

    #[test]
    fn a_lane_is_reset_stepped_cut_off_at_the_limit_and_reset_again() {
        let mode = AutoresetMode::NextStep;
        let table = table(mode);
        let turns: Vec<_> = (0..5).map(|_| turn(&table, mode, Played::default())).collect();
        let dues: Vec<_> = turns.iter().map(|(due, _)| *due).collect();
        let step = |elapsed| Due::Step { cut: elapsed == 3, elapsed };
        assert_eq!(dues, [Due::Reset, step(1), step(2), step(3), Due::NextEpisode(Ended { elapsed: 3, at_limit: true })]);
        let told: Vec<_> = turns.iter().map(|(_, row)| (row.elapsed, row.truncated, row.begins_episode)).collect();
        assert_eq!(told, [(0, false, true), (1, false, false), (2, false, false), (3, true, false), (0, false, true)]);
    }

    #[test]
    fn a_turn_that_is_never_finished_leaves_the_lane_as_it_was() {
        let mode = AutoresetMode::NextStep;
        let table = table(mode);
        let episodes = Episodes { table: &table, rules: Rules { max_episode_steps: 3, autoreset: mode } };
        let twice = with_lane(|lane| [episodes.before(&Kind::Step, 0, lane), episodes.before(&Kind::Step, 0, lane)]);
        assert_eq!(twice, [Due::Reset; 2]);
        assert_eq!(turn(&table, mode, Played::default()).0, Due::Reset);
    }

    #[test]
    fn a_seed_is_told_once_and_again_where_the_environment_is_new() {
        let table = table(AutoresetMode::NextStep);
        let episodes = Episodes { table: &table, rules: Rules { max_episode_steps: 3, autoreset: AutoresetMode::NextStep } };
        let turns = [(None, false), (None, false), (Some(9), false), (None, false), (None, true)];
        let told = turns.map(|(given, anew)| with_lane(|lane| episodes.take_seed(lane, given, anew)));
        assert_eq!(told, [Some(7), None, Some(9), None, Some(9)]);
    }

    #[test]
    fn a_lane_that_nobody_has_reset_is_begun_or_refused_or_played() {
        for (first_step, unready, due) in [
            (FirstStep::Begins, [0, 2, 2], Due::Reset),
            (FirstStep::Refused, [2, 2, 2], Due::Reset),
            (FirstStep::Played, [0, 0, 0], Due::Step { cut: false, elapsed: 1 }),
        ] {
            for (mode, unready) in
                [AutoresetMode::NextStep, AutoresetMode::SameStep, AutoresetMode::Disabled].into_iter().zip(unready)
            {
                let table = LaneTable::new(&[7, 8], false, mode, first_step);
                assert_eq!(table.unready(), unready, "{mode:?}, {first_step:?}");
                assert_eq!(turn(&table, mode, Played::default()).0, due, "{mode:?}, {first_step:?}");
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
            turn(&table, mode, Played::default());
            assert_eq!(table.unready(), fresh.min(1), "{mode:?}: one has");
            turn(&table, mode, Played { terminated: true, ..Played::default() });
            assert_eq!(table.unready(), finished, "{mode:?}: its episode is over");
            let episodes = Episodes { table: &table, rules: Rules { max_episode_steps: 3, autoreset: mode } };
            with_lane(|lane| episodes.fail(lane));
            assert_eq!(table.unready(), fresh.min(1) + 1, "{mode:?}: it has failed");
        }
    }
}

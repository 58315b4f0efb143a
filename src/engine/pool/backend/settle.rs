//! Settling: applies a reply to its lane and row.

use std::time::Instant;

use crate::contract::config::AutoresetMode;
use crate::contract::fault::Fault;
use crate::outside::exchange::{Answer, Answered};
use crate::outside::row_out::RowOut;
use crate::outside::traits::finished;
use crate::play::episodes::{Due, Played};
use crate::play::lane_table::Phase;
use crate::play::lanes::LaneId;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::{BackendLedger, RowExtras, Scratch};
use crate::pool::core::PoolCore;
use crate::pool::ledger::LaneState;
use crate::pool::revivals::Revivals;
use crate::pool::turn::Tells;
use crate::results::row_slot::{RowSlot, Transition};

/// Applies replies to lanes and rows.
pub struct Settler<'a> {
    pub core: &'a PoolCore,
    pub revivals: &'a mut Option<Revivals>,
}

impl Settler<'_> {
    /// Marks a lane's row as written, and returns access to the lane.
    ///
    /// # Panics
    /// If the lane is not in state `Sent`.
    #[inline]
    fn claim(&mut self, lane: usize) -> LaneId<'_> {
        assert!(self.core.ledger.state(lane) == LaneState::Sent, "lane {lane} is not in state Sent");
        self.core.ledger.set_state(lane, LaneState::Written);
        // SAFETY: the lane is sent (asserted above), and a sent lane belongs to the thread that has locked the backend's ledger.
        // Every `Settler` is created with a `&mut BackendLedger` at hand (`take`, `take_rows`).
        unsafe { LaneId::new(lane) }
    }

    /// Applies a lane's reply to a step or reset, whose arrays are already in the row. Returns the reply's other data.
    #[inline]
    pub fn settle(
        &mut self,
        lane: usize,
        due: Due,
        reply: Answer,
        mut row: RowSlot<'_>,
        rewards: &mut [f64],
        missing: &[u32],
    ) -> RowExtras {
        let tells = record_reply(self.revivals, lane, due != Due::Show, matches!(reply, Answer::Row(_)));
        let (core, lane) = (self.core, self.claim(lane));
        let fault = match reply {
            Answer::Row(answered) => {
                match tells {
                    Tells::InStep => report_loss(core, lane, row, rewards),
                    _ => apply_step(core, (lane, due), &answered, row, rewards, missing),
                }
                return RowExtras {
                    message: answered.message,
                    restarted: matches!(tells, Tells::InReset | Tells::InStep),
                    resumed: tells == Tells::Return,
                };
            }
            Answer::Failed(fault) => fault,
            Answer::Value(_) => wrong_reply(),
        };
        rewards.fill(0.0);
        row.write(core.episodes().fail(lane), rewards);
        core.ledger.record_failure(lane.number(), fault);
        RowExtras::default()
    }

    /// Writes the engine's columns of a repeated row, whose arrays the backend has written.
    fn repeat(&mut self, lane: usize, mut row: RowSlot<'_>, rewards: &mut [f64]) {
        rewards.fill(0.0);
        let (core, lane) = (self.core, self.claim(lane));
        row.write(core.episodes().after(lane, Due::Show, Played::default()), rewards);
    }
}

/// Applies the result of a step or reset to its lane, and writes the engine's columns.
fn apply_step(
    core: &PoolCore,
    (lane, due): (LaneId<'_>, Due),
    answered: &Answered,
    mut row: RowSlot<'_>,
    rewards: &[f64],
    missing: &[u32],
) {
    let Answered { terminated, truncated, ended_anew, zero_discount, .. } = *answered;
    let episodes = core.episodes();
    let elapsed = answered.elapsed.max(0);
    let begun = if matches!(due, Due::Step { .. }) { 0 } else { elapsed };
    let played = Played { terminated, truncated, zero_discount, elapsed: begun };
    let mut transition = episodes.after(lane, due, played);
    if let Some(counted) = answered.counted {
        transition.elapsed = counted.max(0);
        episodes.count(lane, transition.elapsed);
    }
    row.write(transition, rewards);
    row.leave_out(missing);
    match answered.statistics.filter(|_| core.table.episode.is_some()) {
        Some((total, length, seconds)) => row.write_episode(total, length, seconds),
        None => episodes.record(lane, &mut row, &transition, rewards[0], Instant::now),
    }
    if ended_anew && transition.is_done() {
        episodes.begin(lane, elapsed);
    }
}

/// Writes the row of a step whose episode was lost: truncated, with the next episode's first observation.
fn report_loss(core: &PoolCore, lane: LaneId<'_>, mut row: RowSlot<'_>, rewards: &mut [f64]) {
    rewards.fill(0.0);
    let episodes = core.episodes();
    episodes.begin(lane, 0);
    let begun = Transition::begun(lane.number(), 0);
    episodes.record(lane, &mut row, &begun, 0.0, Instant::now);
    if core.rules.autoreset != AutoresetMode::SameStep {
        core.table.set_phase(lane, Phase::Finished);
    }
    row.write(Transition { truncated: true, begins_episode: false, ..begun }, rewards);
}

/// Records a lane's reply; `is_logged` says whether the replay log has an open item for it. Returns how its row reports a loss.
#[inline]
pub fn record_reply(revivals: &mut Option<Revivals>, lane: usize, is_logged: bool, is_well: bool) -> Tells {
    revivals.as_mut().map_or(Tells::Nothing, |revivals| revivals.note_answer(lane, is_logged, is_well))
}

/// Returns the fault of a lane whose reply does not match its operation.
pub fn wrong_reply() -> Fault {
    Fault::raised("reply does not match the pending operation", Vec::new())
}

impl BackendExecutor {
    /// Writes the reply of a sent lane into its row. Returns the reply's other data.
    pub(super) fn take(&self, ledger: &mut BackendLedger, lane: usize, mut row: RowSlot<'_>) -> RowExtras {
        let due = ledger.lanes[lane].due;
        let fault = ledger.take_fault(lane);
        let BackendLedger { scratch: Scratch { rewards, missing, .. }, revivals, .. } = ledger;
        let mut settler = Settler { core: &self.core, revivals };
        rewards.fill(0.0);
        missing.clear();
        if due == Due::Show {
            let message = self.backend.show(lane, &mut RowOut { rewards, row: row.reborrow(), missing });
            settler.repeat(lane, row, rewards);
            return RowExtras { message, ..RowExtras::default() };
        }
        let reply = match fault {
            Some(fault) => Answer::Failed(fault),
            None => finished(&*self.backend, lane, &mut RowOut { rewards, row: row.reborrow(), missing }),
        };
        settler.settle(lane, due, reply, row, rewards, missing)
    }

    /// Takes and discards a reply.
    pub(super) fn drop_reply(&self, ledger: &mut BackendLedger, lane: usize) {
        let state = self.core.ledger.state(lane);
        let was_called = matches!(state, LaneState::Called | LaneState::Abandoned);
        if was_called {
            self.core.ledger.set_state(lane, LaneState::Idle);
            ledger.abandoned -= usize::from(state == LaneState::Abandoned);
        }
        // A lost lane has a fault instead of a reply, and a fault does not prove that its host works.
        if ledger.take_fault(lane).is_none() {
            let is_well = !matches!(finished(&*self.backend, lane, &mut ledger.scratch.unread_row()), Answer::Failed(_));
            if was_called {
                record_reply(&mut ledger.revivals, lane, false, is_well);
            }
        }
    }

    /// Discards replies that match no operation, or that no caller awaits any more.
    pub(super) fn drop_unasked(&self, ledger: &mut BackendLedger) {
        let mut found = std::mem::take(&mut ledger.scratch.lanes);
        found.clear();
        self.backend.first_answered(self.core.config.num_envs, &mut found);
        for lane in found.iter().map(|lane| *lane as usize) {
            let is_unasked = !matches!(self.core.ledger.state(lane), LaneState::Sent | LaneState::Called);
            if is_unasked && self.is_completed(ledger, lane) {
                self.drop_reply(ledger, lane);
            }
        }
        ledger.scratch.lanes = found;
        if ledger.abandoned > 0 {
            let is_lost =
                |lane: &usize| self.core.ledger.state(*lane) == LaneState::Abandoned && ledger.lanes[*lane].fault.is_some();
            let lost: Vec<_> = (0..ledger.lanes.len()).filter(is_lost).collect();
            lost.into_iter().for_each(|lane| self.drop_reply(ledger, lane));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::config::PoolConfig;
    use crate::contract::error::Error;
    use crate::contract::fault::Message;
    use crate::play::kind::LaneList;
    use crate::pool::backend::test_backend::{Fixture, step_of};
    use crate::results::layout::Role;

    /// Steps one lane whose backend sends `reply`; returns the result of `recv`.
    fn step(fixture: &mut Fixture, reply: Answer) -> Result<Box<crate::results::batch::Batch>, Error> {
        fixture.send(step_of(LaneList::All(1))).unwrap();
        fixture.script.reply(0, reply);
        fixture.recv(None)
    }

    #[test]
    fn a_reply_to_another_question_is_its_lanes_failure() {
        let mut fixture = Fixture::reset(1);
        let failed = step(&mut fixture, Answer::Value(Message::default())).err();
        let Some(Error::Failed(failed)) = failed else { panic!("expected a failure") };
        assert_eq!(failed.fault.to_string(), "reply does not match the pending operation");
        assert_eq!(fixture.states(), [LaneState::Idle]);
    }

    #[test]
    fn rewards_are_written_with_rows_and_not_with_failures() {
        let mut fixture = Fixture::reset(1);
        let batch = step(&mut fixture, Answer::Row(Answered::default())).unwrap();
        assert_eq!(batch.values::<f32>(Role::Reward), Some(&[7.0][..]));
        let failed = step(&mut fixture, Answer::Failed(Fault::raised("it was asked to", Vec::new()))).err();
        assert!(matches!(failed, Some(Error::Failed(failed)) if failed.kept == 0));
        assert_eq!(fixture.core.table.unready(), 1, "it is to be reset");
    }

    #[test]
    fn steps_that_somebody_else_counts_are_not_counted_here() {
        let mut fixture = Fixture::reset(1);
        let batch = step(&mut fixture, Answer::Row(Answered { counted: Some(41), ..Answered::default() })).unwrap();
        assert_eq!(batch.values::<i32>(Role::ElapsedStep), Some(&[41][..]));
        let batch = step(&mut fixture, Answer::Row(Answered::default())).unwrap();
        assert_eq!(batch.values::<i32>(Role::ElapsedStep), Some(&[42][..]));
    }

    #[test]
    fn the_next_episode_begins_in_the_reply_only_where_one_has_ended() {
        let mode = AutoresetMode::SameStep;
        let mut fixture = Fixture::new(PoolConfig { autoreset_mode: mode, ..PoolConfig::new(1).unwrap() }, |_| {});
        // SAFETY: no other thread accesses the fixture.
        fixture.core.table.set_phase(unsafe { LaneId::new(0) }, Phase::Running);
        for (terminated, elapsed) in [(false, 1), (true, 2), (false, 1)] {
            let answered = Answered { terminated, ended_anew: true, ..Answered::default() };
            let batch = step(&mut fixture, Answer::Row(answered)).unwrap();
            assert_eq!(batch.values::<i32>(Role::ElapsedStep), Some(&[elapsed][..]));
        }
    }
}

//! Settles replies of the backend: applies each to its lane's state, and writes the lane's row.

use std::time::Instant;

use crate::backend::lane_op::{LaneReply, StepReply};
use crate::backend::row_writer::RowWriter;
use crate::backend::traits::collect_caught;
use crate::contract::config::AutoresetMode;
use crate::contract::lane_error::LaneError;
use crate::exec::episode_tracker::{ItemKind, ItemOutcome};
use crate::exec::lane_table::Phase;
use crate::exec::per_lane::LaneId;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::{BackendLedger, RowExtras, Scratch};
use crate::pool::ledger::LaneState;
use crate::pool::pool_core::PoolCore;
use crate::pool::recovery_state::RecoveryState;
use crate::pool::request_item::LossReport;
use crate::results::row_slot::{RowSlot, Transition};

/// Applies replies of the backend to the lanes' state and rows.
pub struct Settler<'a> {
    pub core: &'a PoolCore,
    pub revivals: &'a mut Option<RecoveryState>,
}

impl Settler<'_> {
    /// Marks a lane's row as written in the pool's ledger, and returns access to the lane.
    ///
    /// # Panics
    /// If the lane is not in state [`LaneState::Sent`].
    #[inline]
    fn claim(&mut self, lane: usize) -> LaneId<'_> {
        assert!(self.core.ledger.state(lane) == LaneState::Sent, "lane {lane} is not in state Sent");
        self.core.ledger.set_state(lane, LaneState::Written);
        // SAFETY: the lane is sent (asserted above), and a sent lane belongs to the thread that has locked the backend's ledger.
        // The functions that create a `Settler` (`take`, `take_rows`) hold a `&mut BackendLedger`.
        unsafe { LaneId::new(lane) }
    }

    /// Applies a lane's reply to a step or reset. The reply's arrays are already in the row. Returns the reply's payload, and
    /// whether the row reports a lost host.
    #[inline]
    pub fn settle(
        &mut self,
        lane: usize,
        due: ItemKind,
        reply: LaneReply,
        mut row: RowSlot<'_>,
        rewards: &mut [f64],
        missing: &[u32],
    ) -> RowExtras {
        let loss_report = record_reply(self.revivals, lane, due != ItemKind::Peek, matches!(reply, LaneReply::Row(_)));
        if let Some(statistics) = self.core.table.statistics.get() {
            statistics.record_reply(lane);
            if matches!(loss_report, LossReport::InReset | LossReport::InStep | LossReport::Resumed) {
                statistics.record_restart(lane);
            }
        }
        let (core, lane) = (self.core, self.claim(lane));
        let fault = match reply {
            LaneReply::Row(answered) => {
                match loss_report {
                    LossReport::InStep => report_loss(core, lane, row, rewards),
                    _ => apply_step(core, (lane, due), &answered, row, rewards, missing),
                }
                return RowExtras {
                    message: answered.payload,
                    restarted: matches!(loss_report, LossReport::InReset | LossReport::InStep),
                    resumed: loss_report == LossReport::Resumed,
                };
            }
            LaneReply::Failed(fault) => fault,
            LaneReply::Value(_) => mismatched_reply(),
        };
        rewards.fill(0.0);
        row.write(core.episodes().record_failure(lane), rewards);
        core.ledger.record_failure(lane.number(), fault);
        RowExtras::default()
    }

    /// Writes the engine's columns of a row that repeats the last observation; the backend has already written the arrays.
    fn repeat(&mut self, lane: usize, mut row: RowSlot<'_>, rewards: &mut [f64]) {
        rewards.fill(0.0);
        let (core, lane) = (self.core, self.claim(lane));
        row.write(core.episodes().apply(lane, ItemKind::Peek, ItemOutcome::default()), rewards);
    }
}

/// Applies the result of a step or reset to its lane, and writes the engine's columns.
fn apply_step(
    core: &PoolCore,
    (lane, due): (LaneId<'_>, ItemKind),
    answered: &StepReply,
    mut row: RowSlot<'_>,
    rewards: &[f64],
    missing: &[u32],
) {
    let StepReply { terminated, truncated, did_autoreset, zero_discount, .. } = *answered;
    let episodes = core.episodes();
    let elapsed = answered.elapsed.max(0);
    let elapsed = if matches!(due, ItemKind::Step { .. }) { 0 } else { elapsed };
    let played = ItemOutcome { terminated, truncated, zero_discount, elapsed };
    let mut transition = episodes.apply(lane, due, played);
    if let Some(counted) = answered.backend_elapsed {
        transition.elapsed = counted.max(0);
        episodes.record_elapsed(lane, transition.elapsed);
    }
    row.write(transition, rewards);
    row.mark_infos_absent(missing);
    match answered.statistics.filter(|_| core.table.episode.is_some()) {
        Some((total, length, seconds)) => row.write_episode(total, length, seconds),
        None => episodes.record_statistics(lane, &mut row, &transition, rewards[0], Instant::now),
    }
    if did_autoreset && transition.is_done() {
        episodes.start_episode(lane, elapsed);
    }
}

/// Writes the row of a lane whose episode was lost with its host: truncated, with the first observation of the next episode.
fn report_loss(core: &PoolCore, lane: LaneId<'_>, mut row: RowSlot<'_>, rewards: &mut [f64]) {
    rewards.fill(0.0);
    let episodes = core.episodes();
    episodes.start_episode(lane, 0);
    let started = Transition::started(lane.number(), 0);
    episodes.record_statistics(lane, &mut row, &started, 0.0, Instant::now);
    if core.rules.autoreset != AutoresetMode::SameStep {
        core.table.set_phase(lane, Phase::Finished);
    }
    row.write(Transition { truncated: true, begins_episode: false, ..started }, rewards);
}

/// Records a lane's reply. `is_logged`: whether the replay log contains the operation. Returns how the row must report a loss of
/// the lane's host.
#[inline]
pub fn record_reply(revivals: &mut Option<RecoveryState>, lane: usize, is_logged: bool, has_succeeded: bool) -> LossReport {
    revivals.as_mut().map_or(LossReport::None, |revivals| revivals.record_reply(lane, is_logged, has_succeeded))
}

/// Returns the error of a lane whose reply does not fit its operation, such as a value in reply to a step.
pub fn mismatched_reply() -> LaneError {
    LaneError::raised("reply does not match the pending operation", Vec::new())
}

impl BackendExecutor {
    /// Writes the reply of a sent lane into its row. Returns the reply's payload, and whether the row reports a lost host.
    pub(super) fn take(&self, ledger: &mut BackendLedger, lane: usize, mut row: RowSlot<'_>) -> RowExtras {
        let due = ledger.lanes[lane].kind;
        let fault = ledger.take_fault(lane);
        let BackendLedger { backend, scratch: Scratch { rewards, missing, .. }, recovery: revivals, .. } = ledger;
        let mut settler = Settler { core: &self.core, revivals };
        rewards.fill(0.0);
        missing.clear();
        if due == ItemKind::Peek {
            let message = backend.peek(lane, &mut RowWriter { rewards, row: row.reborrow(), absent_infos: missing });
            settler.repeat(lane, row, rewards);
            return RowExtras { message, ..RowExtras::default() };
        }
        let reply = match fault {
            Some(fault) => LaneReply::Failed(fault),
            None => collect_caught(&mut **backend, lane, &mut RowWriter { rewards, row: row.reborrow(), absent_infos: missing }),
        };
        settler.settle(lane, due, reply, row, rewards, missing)
    }

    /// Takes a lane's reply and discards it.
    pub(super) fn discard_reply(&self, ledger: &mut BackendLedger, lane: usize) {
        let state = self.core.ledger.state(lane);
        let was_called = matches!(state, LaneState::Called | LaneState::Abandoned);
        if was_called {
            self.core.ledger.set_state(lane, LaneState::Idle);
            ledger.abandoned -= usize::from(state == LaneState::Abandoned);
        }
        // A lane of a lost host has a fault instead of a reply. A fault, unlike a reply, does not prove that the host works.
        if ledger.take_fault(lane).is_none() {
            let has_succeeded = !matches!(ledger.collect_unread(lane), LaneReply::Failed(_));
            if was_called {
                record_reply(&mut ledger.recovery, lane, false, has_succeeded);
            }
        }
    }

    /// Discards replies that belong to no pending operation, or that no caller awaits any more.
    pub(super) fn discard_stray_replies(&self, ledger: &mut BackendLedger) {
        let mut found = std::mem::take(&mut ledger.scratch.lanes);
        found.clear();
        ledger.backend.completed_lanes(self.core.config.num_envs, &mut found);
        for lane in found.iter().map(|lane| *lane as usize) {
            let is_unasked = !matches!(self.core.ledger.state(lane), LaneState::Sent | LaneState::Called);
            if is_unasked && self.is_completed(ledger, lane) {
                self.discard_reply(ledger, lane);
            }
        }
        ledger.scratch.lanes = found;
        if ledger.abandoned > 0 {
            let is_lost =
                |lane: &usize| self.core.ledger.state(*lane) == LaneState::Abandoned && ledger.lanes[*lane].fault.is_some();
            let lost: Vec<_> = (0..ledger.lanes.len()).filter(is_lost).collect();
            lost.into_iter().for_each(|lane| self.discard_reply(ledger, lane));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::config::PoolConfig;
    use crate::contract::error::Error;
    use crate::contract::lane_error::Payload;
    use crate::exec::request_kind::LaneList;
    use crate::pool::backend::test_backend::{Fixture, step_of};
    use crate::results::layout::Role;

    /// Steps one lane, to which the backend replies with `reply`. Returns the result of `recv`.
    fn step(fixture: &mut Fixture, reply: LaneReply) -> Result<Box<crate::results::batch::Batch>, Error> {
        fixture.send(step_of(LaneList::All(1))).unwrap();
        fixture.script.reply(0, reply);
        fixture.recv(None)
    }

    #[test]
    fn a_mismatched_reply_fails_its_lane() {
        let mut fixture = Fixture::reset(1);
        let failed = step(&mut fixture, LaneReply::Value(Payload::default())).err();
        let Some(Error::Failed(failed)) = failed else { panic!("expected a failure") };
        assert_eq!(failed.fault.to_string(), "reply does not match the pending operation");
        assert_eq!(fixture.states(), [LaneState::Idle]);
    }

    #[test]
    fn rewards_are_written_with_rows_and_not_for_failed_lanes() {
        let mut fixture = Fixture::reset(1);
        let batch = step(&mut fixture, LaneReply::Row(StepReply::default())).unwrap();
        assert_eq!(batch.values::<f32>(Role::Reward), Some(&[7.0][..]));
        let failed = step(&mut fixture, LaneReply::Failed(LaneError::raised("it was asked to", Vec::new()))).err();
        assert!(matches!(failed, Some(Error::Failed(failed)) if failed.rows_pending == 0));
        assert_eq!(fixture.core.table.unready(), 1, "it is to be reset");
    }

    #[test]
    fn steps_counted_by_the_backend_are_not_counted_twice() {
        let mut fixture = Fixture::reset(1);
        let batch = step(&mut fixture, LaneReply::Row(StepReply { backend_elapsed: Some(41), ..StepReply::default() })).unwrap();
        assert_eq!(batch.values::<i32>(Role::ElapsedStep), Some(&[41][..]));
        let batch = step(&mut fixture, LaneReply::Row(StepReply::default())).unwrap();
        assert_eq!(batch.values::<i32>(Role::ElapsedStep), Some(&[42][..]));
    }

    #[test]
    fn a_reply_starts_the_next_episode_only_if_an_episode_ended() {
        let mode = AutoresetMode::SameStep;
        let mut fixture = Fixture::new(PoolConfig { autoreset_mode: mode, ..PoolConfig::new(1).unwrap() }, |_| {});
        // SAFETY: the fixture is local to this test, so no other thread accesses its lanes.
        fixture.core.table.set_phase(unsafe { LaneId::new(0) }, Phase::Running);
        for (terminated, elapsed) in [(false, 1), (true, 2), (false, 1)] {
            let answered = StepReply { terminated, did_autoreset: true, ..StepReply::default() };
            let batch = step(&mut fixture, LaneReply::Row(answered)).unwrap();
            assert_eq!(batch.values::<i32>(Role::ElapsedStep), Some(&[elapsed][..]));
        }
    }
}

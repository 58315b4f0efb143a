//! Waits for replies and collects them lane by lane, instead of as batches.

use std::time::Instant;

use crate::backend::lane_op::LaneOp;
use crate::backend::traits::WaitTarget;
use crate::contract::error::{Error, Result};
use crate::exec::lane_table::Phase;
use crate::exec::per_lane::LaneId;
use crate::exec::request_kind::LaneList;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::{BackendLedger, BatchExtras};
use crate::pool::ledger::LaneState;
use crate::pool::per_lane::LaneReplies;
use crate::pool::sender::Sender;
use crate::results::batch::Batch;
use crate::threads::interrupt_poller::InterruptPoller;

impl BackendExecutor {
    /// Sends the request that the sender has built. Its replies are collected lane by lane.
    ///
    /// # Errors
    /// The backend's error, if it refuses the request; nothing is sent then.
    pub fn submit(&self, sender: &mut Sender) -> Result<()> {
        self.stage_and_submit(sender).map(|_| ())
    }

    /// Sends calls to these lanes. Their replies are collected lane by lane. The caller must hold the sender guard.
    ///
    /// # Errors
    /// The backend's error, if it refuses a call; nothing is sent then.
    pub fn submit_calls_of<'a>(&self, lanes: &[u32], op: impl Fn(usize) -> LaneOp<'a>) -> Result<()> {
        self.submit_calls(lanes, op, true)
    }

    /// Returns whether a lane has a pending operation whose reply is to be collected.
    fn is_collectable(&self, lane: usize) -> bool {
        matches!(self.core.ledger.state(lane), LaneState::Sent | LaneState::Called)
    }

    /// Appends to `unreplied` each lane of `lanes` that has a pending operation without a reply. Returns the number of lanes that
    /// have replied.
    fn unreplied(&self, ledger: &mut BackendLedger, lanes: &LaneList, unreplied: &mut Vec<u32>) -> usize {
        let mut replied = 0;
        for lane in lanes.iter().filter(|lane| self.is_collectable(*lane)) {
            match self.is_completed(ledger, lane) {
                true => replied += 1,
                false => unreplied.push(lane as u32),
            }
        }
        replied
    }

    /// Waits until `count` of the lanes `lanes` have replied. If fewer than `count` have a pending operation, waits for all that
    /// have one. With `usize::MAX`, it also waits for abandoned calls, after which their lanes are idle.
    ///
    /// # Errors
    /// `Closed`, `Interrupted`, or an error of the backend.
    pub fn wait_lanes(&self, lanes: &LaneList, count: usize, interrupts: &mut InterruptPoller<'_>) -> Result<()> {
        if interrupts.check_deadline().is_err() {
            // After the deadline, the backend is polled once, so that a backend that runs lanes in the waiting thread makes
            // progress.
            let mut waiting = Vec::new();
            self.unreplied(&mut *self.lock_open()?, lanes, &mut waiting);
            if !waiting.is_empty() {
                self.waiter.wait(WaitTarget { lanes: Some(&waiting), count: waiting.len().min(count) }, Instant::now())?;
            }
        }
        let waited = self.wait_for(interrupts, |ledger, among| {
            if count == usize::MAX && ledger.abandoned > 0 {
                self.discard_stray_replies(ledger);
                let is_abandoned = |lane: &usize| self.core.ledger.state(*lane) == LaneState::Abandoned;
                among.extend(lanes.iter().filter(is_abandoned).map(|lane| lane as u32));
            }
            let replied = self.unreplied(ledger, lanes, among);
            count.min(replied + among.len()).saturating_sub(replied)
        });
        match waited {
            Err(Error::Timeout { .. }) => Ok(()),
            waited => waited,
        }
    }

    /// Returns the lanes among `lanes` whose replies can be collected, in order of completion.
    ///
    /// # Errors
    /// `Closed`.
    pub fn completed_lanes(&self, lanes: &LaneList) -> Result<Vec<u32>> {
        let ledger = &mut *self.lock_open()?;
        let mut left = vec![false; self.core.config.num_envs];
        for lane in lanes.iter().filter(|lane| self.is_collectable(*lane)) {
            left[lane] = self.is_completed(ledger, lane);
        }
        let mut found = Vec::new();
        ledger.backend.completed_lanes(self.core.config.num_envs, &mut found);
        found.retain(|lane| std::mem::take(&mut left[*lane as usize]));
        // Lanes of lost hosts come last, because the backend does not list them as completed.
        found.extend((0..).zip(left).filter(|(_, is_left)| *is_left).map(|(lane, _)| lane));
        Ok(found)
    }

    /// Returns the lanes whose pending operation prevents them from accepting another one.
    ///
    /// # Errors
    /// `Closed`.
    pub fn pending_lanes(&self) -> Result<Vec<u32>> {
        let ledger = &mut *self.lock_open()?;
        if ledger.abandoned > 0 {
            self.discard_stray_replies(ledger);
        }
        let is_idle = |lane: &u32| self.core.ledger.state(*lane as usize) == LaneState::Idle;
        Ok(ledger.all_lanes.iter().copied().filter(|lane| !is_idle(lane)).collect())
    }

    /// Collects the replies of the lanes `lanes` into `batch`, which has room for them, or into new memory. Rows of lanes without a
    /// row hold any values. The caller must hold the receiver guard.
    ///
    /// # Errors
    /// `State` if a lane has not replied; no reply is collected then. `Closed`.
    pub fn collect_lanes(&self, lanes: &LaneList, batch: Option<Box<Batch>>) -> Result<LaneReplies> {
        let new = || Batch::recycled(&self.core.layout, lanes.len(), 0, &self.core.spares).map(Box::new);
        let mut batch = batch.map_or_else(new, Ok)?;
        let (mut values, mut faults, mut extras) = (Vec::new(), Vec::new(), BatchExtras::default());
        let mut sent = Vec::with_capacity(lanes.len());
        let mut guard = self.lock_open()?;
        let ledger = &mut *guard;
        for lane in lanes.iter() {
            if !(self.is_collectable(lane) && self.is_completed(ledger, lane)) {
                return Err(Error::State(format!("env_id {lane} has no result to be taken")));
            }
        }
        for (row, lane) in lanes.iter().enumerate() {
            if self.core.ledger.state(lane) == LaneState::Called {
                ledger.called = ledger.called.saturating_sub(1);
                match self.take_value(ledger, lane) {
                    Some(Ok(value)) => values.push((row, value)),
                    Some(Err(fault)) => faults.push((row, fault)),
                    None => {}
                }
                continue;
            }
            extras.record(row, self.take(ledger, lane, batch.row(row)));
            // SAFETY: the lane is sent (`is_collectable`, and not `Called`, above), so it belongs to the receiver that has locked
            // the ledger.
            let id = unsafe { LaneId::new(lane) };
            // Lanes whose replies are collected lane by lane accept any operation next, including after a failure.
            self.core.table.set_phase(id, Phase::Running);
            sent.push(lane);
        }
        drop(guard);
        batch.set_lanes(lanes.iter());
        extras.move_to(&mut batch);
        if self.core.ledger.has_failures() {
            let mut rows: Vec<_> = batch.lanes().iter().copied().zip(0..).collect();
            rows.sort_unstable();
            for failure in self.core.ledger.take_failures(batch.lanes()) {
                let found = rows.binary_search_by_key(&failure.lane, |(lane, _)| *lane);
                faults.extend(found.map(|index| (rows[index].1, failure.fault)));
            }
        }
        self.core.ledger.mark_received(sent.into_iter());
        Ok(LaneReplies { batch, values, failures: faults })
    }

    /// Makes the next step or reset of each lane report that the lane's host was lost, if the row that reported this was
    /// discarded.
    pub fn defer_loss_reports(&self, lanes: impl Iterator<Item = usize>) {
        if let Some(revivals) = &mut self.lock().recovery {
            lanes.for_each(|lane| revivals.defer_loss_report(lane));
        }
    }

    /// Records a lane's seed. If the lane's host is lost, the next episode's seed is derived from this seed.
    pub fn record_seed(&self, lane: usize, seed: u64) {
        if let Some(revivals) = &mut self.lock().recovery {
            revivals.record_seed(lane, seed);
        }
    }
}

//! Takes replies from the backend, writes them as rows, and returns batches of rows.

use std::sync::Arc;
use std::time::Instant;

use crate::backend::row_writer::BatchRowWriter;
use crate::backend::traits::WaitTarget;
use crate::contract::error::{Error, Result};
use crate::exec::request_kind::{LaneList, RequestKind};
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::{BackendLedger, SentRequest};
use crate::pool::backend::settle::Settler;
use crate::pool::ledger::LaneState;
use crate::pool::receiver::{Receiver, SpareBatches};
use crate::pool::request::Request;
use crate::pool::sync_executor::nothing_sent_error;
use crate::results::batch::Batch;
use crate::results::batch_ring::BatchRing;
use crate::results::row_slot::RowSlot;
use crate::threads::interrupt_poller::InterruptPoller;

impl BackendExecutor {
    /// Receives the next batch.
    ///
    /// # Errors
    /// `State` if fewer lanes are in flight than a batch needs, or if an environment failed; `Closed`; `Interrupted`, `Timeout`;
    /// errors of the backend.
    pub fn recv(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        if let Some(ring) = &self.ring {
            return self.recv_first(ring, receiver, spare, interrupts);
        }
        let front = self.lock().sent.pop_front();
        self.recv_request(front.ok_or_else(nothing_sent_error)?, receiver, spare, interrupts)
    }

    /// Receives the results of a synchronous request.
    pub(super) fn recv_request(
        &self,
        sent: SentRequest,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        let mut sent = RequeueGuard { executor: self, sent: Some(sent) };
        let all = matches!(sent.get().request.lanes, LaneList::All(_));
        self.wait_for(interrupts, |ledger, among| {
            let sent = sent.get();
            self.take_rows(ledger, sent);
            if sent.left > 0 && !all {
                let is_left = |lane: &usize| self.core.ledger.state(*lane).is_pending();
                among.extend(sent.request.lanes.iter().filter(is_left).map(|lane| lane as u32));
            }
            sent.left
        })?;
        let SentRequest { request, mut batch, mut extras, .. } = sent.sent.take().expect("it is requeued only when dropped");
        batch.set_lanes(request.lanes.iter());
        extras.move_to(&mut batch);
        self.core.ledger.receive(receiver, batch, spare)
    }

    /// Writes the rows of those lanes of a synchronous request that have replied.
    fn take_rows(&self, ledger: &mut BackendLedger, sent: &mut SentRequest) {
        let SentRequest { request, batch, extras, left } = sent;
        let repeats = matches!(request.kind, RequestKind::Reset { mask: Some(_), .. });
        if repeats || ledger.faults > 0 || !ledger.is_replay_free() {
            for (item, lane) in request.lanes.iter().enumerate() {
                if self.core.ledger.state(lane).is_pending() && self.is_completed(ledger, lane) {
                    extras.record(item, self.take(ledger, lane, batch.row(item)));
                    *left -= 1;
                }
            }
            return;
        }
        let BackendLedger { backend, lanes: entries, recovery: revivals, scratch, .. } = ledger;
        let list = &request.lanes;
        let row_of = |lane: usize| {
            let row = entries.get(lane)?.item as usize;
            let is_of_these = match list {
                LaneList::All(_) => true,
                LaneList::Some(list) => list.get(row) == Some(&(lane as u32)),
            };
            (is_of_these && self.core.ledger.state(lane) == LaneState::Sent).then_some(row)
        };
        let mut settler = Settler { core: &self.core, revivals };
        backend.collect_rows(&mut BatchRowWriter {
            lanes: list,
            batch,
            row_of: &row_of,
            on_reply: &mut |lane, row, slot, reply, rewards, missing| {
                let extra = settler.settle(lane, entries[lane].kind, reply, slot, rewards, missing);
                extras.record(row, extra);
                *left -= 1;
            },
            rewards: &mut scratch.rewards,
            absent_infos: &mut scratch.missing,
        });
    }

    /// Receives one batch of the results that arrive first.
    fn recv_first(
        &self,
        ring: &BatchRing,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        let size = self.core.config.batch_size;
        self.core.ledger.check_enough_in_flight(0, size)?;
        self.wait_for(interrupts, |ledger, _| {
            self.take_first(ring, ledger, size);
            size - ledger.rows
        })?;
        let next = self.core.batch_or_new(spare.take())?;
        // SAFETY: the caller holds the receiver guard (`&mut Receiver`), and releases the batch's lanes only after this call.
        let mut taken = unsafe { ring.take(next) }.unwrap_or_else(|_| unreachable!("it was complete"));
        let mut ledger = self.lock();
        ledger.rows = 0;
        ledger.extras.move_to(&mut taken);
        drop(ledger);
        self.core.ledger.receive(receiver, taken, spare)
    }

    /// Writes replies that have arrived into the current batch, up to `size` rows.
    fn take_first(&self, ring: &BatchRing, ledger: &mut BackendLedger, size: usize) {
        let mut found = std::mem::take(&mut ledger.scratch.lanes);
        found.clear();
        found.append(&mut ledger.replied);
        ledger.backend.completed_lanes(size - ledger.rows, &mut found);
        for lane in found.iter().map(|lane| *lane as usize) {
            if self.core.ledger.state(lane) != LaneState::Sent {
                if self.is_completed(ledger, lane) {
                    self.discard_reply(ledger, lane);
                }
                continue;
            }
            if ledger.rows == size {
                if ledger.has_local_reply(lane, LaneState::Sent) && !ledger.replied.contains(&(lane as u32)) {
                    ledger.replied.push(lane as u32);
                }
                continue; // the next batch takes this reply
            }
            if !self.is_completed(ledger, lane) {
                continue; // the lane has replied to an operation of its replay queue
            }
            let row = ring.claim(1);
            let (pointers, index) = ring.locate(row);
            // SAFETY: `claim` reserved the row for this thread, and this thread commits the row only afterwards.
            let slot = unsafe { RowSlot::new(pointers, index) };
            let extras = self.take(ledger, lane, slot);
            ring.commit(row, 1);
            ledger.extras.record(ledger.rows, extras);
            ledger.rows += 1;
        }
        ledger.scratch.lanes = found;
    }

    /// Calls `round` until no reply is missing. `round` takes replies, returns the number of missing replies, and lists the lanes
    /// that they may come from (none listed: any lane).
    ///
    /// # Errors
    /// `Closed`; `Interrupted`, `Timeout`; errors of the backend.
    pub(super) fn wait_for(
        &self,
        interrupts: &mut InterruptPoller<'_>,
        mut round: impl FnMut(&mut BackendLedger, &mut Vec<u32>) -> usize,
    ) -> Result<()> {
        let (mut among, mut before) = (Vec::new(), usize::MAX);
        loop {
            self.core.check_not_forked()?; // the replies belong to the parent
            self.probe_if_due();
            let (missing, count) = {
                let ledger = &mut *self.lock_open()?;
                among.clear();
                let missing = round(ledger, &mut among);
                if missing > 0 && missing == before {
                    self.discard_stray_replies(ledger); // stray replies would end every wait at once
                }
                // If a lane replays operations, the wait ends after one reply, because that lane's next operation must be sent at
                // once. With statistics, each reply is recorded when it arrives.
                let waits_for_all = ledger.is_replay_free() && self.core.table.statistics.get().is_none();
                (missing, if waits_for_all { missing } else { 1 })
            };
            if missing == 0 {
                // Interrupts are checked before the batch is returned, while the results can still be requeued. A later interrupt
                // would lose the results.
                return interrupts.check_now();
            }
            if self.core.is_closed() {
                return Err(Error::Closed);
            }
            interrupts.check_deadline().map_err(|_| Error::Timeout { lanes: self.unreplied_lanes(&among) })?;
            if interrupts.next_poll() <= Instant::now() {
                self.probe();
                interrupts.check()?;
                continue; // lost lanes may have a fault now, or may have been restarted
            }
            before = missing;
            let lanes = (!among.is_empty()).then_some(&among[..]);
            let clock = self.core.table.statistics.get().map(|statistics| (statistics, Instant::now()));
            let waited = self.waiter.wait(WaitTarget { lanes, count }, interrupts.wait_limit());
            if let Some((statistics, clock)) = clock {
                statistics.record_wait(clock);
            }
            waited?;
        }
    }

    /// Returns the lanes in `among` that have a pending operation without a reply. If `among` is empty, considers all lanes.
    fn unreplied_lanes(&self, among: &[u32]) -> Vec<u32> {
        let ledger = &mut *self.lock();
        let mut lanes = if among.is_empty() { ledger.all_lanes.clone() } else { among.to_vec() };
        lanes.retain(|lane| {
            let lane = *lane as usize;
            let state = self.core.ledger.state(lane);
            let is_awaited = matches!(state, LaneState::Sent | LaneState::Called);
            let is_before =
                |ledger: &BackendLedger| ledger.recovery.as_ref().is_some_and(|revivals| revivals.next_replay_op(lane).is_some());
            is_awaited && !ledger.has_local_reply(lane, state) && (!ledger.backend.is_completed(lane) || is_before(ledger))
        });
        lanes
    }

    /// Returns the oldest synchronous request that was not received.
    pub fn next_request(&self) -> Option<Arc<Request>> {
        self.lock().sent.front().map(|sent| Arc::clone(&sent.request))
    }

    /// Waits for all results in flight, then discards them.
    ///
    /// # Errors
    /// `Closed`; `Interrupted`, `Timeout`; errors of the backend. If one occurs, no result has been discarded.
    pub fn drain(&self, thrown: &mut SpareBatches, interrupts: &mut InterruptPoller<'_>) -> Result<()> {
        let is_awaited = |lane: &u32| self.core.ledger.state(*lane as usize) == LaneState::Sent;
        self.wait_for(interrupts, |ledger, among| {
            let lanes: Vec<_> = ledger.all_lanes.iter().copied().filter(is_awaited).collect();
            // The list excludes lanes whose replies have arrived but were not taken, because these replies would end every wait
            // at once.
            among.extend(lanes.into_iter().filter(|lane| !self.is_completed(ledger, *lane as usize)));
            among.len()
        })?;
        let mut unread = Batch::new(&self.core.layout, 1, usize::MAX)?;
        let ledger = &mut *self.lock_open()?;
        for lane in (0..ledger.lanes.len()).filter(|lane| is_awaited(&(*lane as u32))) {
            self.take(ledger, lane, unread.row(0));
        }
        thrown.extend(ledger.sent.drain(..).map(|sent| sent.batch));
        ledger.extras.clear();
        ledger.rows = 0;
        if let Some(ring) = &self.ring {
            // SAFETY: every reserved row is committed, and the caller holds the sender and receiver guards.
            unsafe { ring.reset() };
        }
        Ok(())
    }
}

/// Guard that requeues a synchronous request for the next `recv` on drop, when its receiver stops waiting or the interrupt hook
/// panics.
struct RequeueGuard<'a> {
    executor: &'a BackendExecutor,
    sent: Option<SentRequest>,
}

impl RequeueGuard<'_> {
    fn get(&mut self) -> &mut SentRequest {
        self.sent.as_mut().expect("it is taken out once it is complete")
    }
}

impl Drop for RequeueGuard<'_> {
    fn drop(&mut self) {
        if let Some(sent) = self.sent.take().filter(|_| !self.executor.core.is_forked()) {
            self.executor.lock().sent.push_front(sent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::lane_op::{LaneReply, StepReply};
    use crate::backend::traits::LaneBackend as _;
    use crate::pool::backend::test_backend::{Fixture, step_of};

    #[test]
    fn an_interrupted_wait_leaves_the_request_for_the_next_wait() {
        let mut fixture = Fixture::reset(2);
        fixture.send(step_of(LaneList::All(2))).unwrap();
        fixture.script.reply_rows(&[1]);
        assert_eq!(fixture.recv_unless(&mut InterruptPoller::new(&mut || true)).err(), Some(Error::Interrupted));
        assert_eq!(fixture.states(), [LaneState::Sent, LaneState::Written]);
        assert_eq!(fixture.executor.next_request().map(|request| request.lanes.len()), Some(2));
        fixture.script.state().coming.push((0, LaneReply::Row(StepReply::default())));
        assert_eq!(fixture.recv(None).unwrap().rows(), 2);
        assert_eq!(fixture.states(), [LaneState::Idle; 2]);
    }

    #[test]
    fn a_deadline_names_the_lanes_of_the_request_that_have_not_replied() {
        let mut fixture = Fixture::reset(4);
        fixture.send(step_of(LaneList::Some(vec![3, 1]))).unwrap();
        fixture.send(step_of(LaneList::Some(vec![0]))).unwrap();
        fixture.script.reply_rows(&[1]);
        assert_eq!(fixture.recv(Some(Instant::now())).err(), Some(Error::Timeout { lanes: vec![3] }));
    }

    #[test]
    fn a_stray_reply_changes_nothing() {
        let mut fixture = Fixture::reset(2);
        fixture.send(step_of(LaneList::All(2))).unwrap();
        fixture.script.reply_rows(&[1, 1]);
        let mut looks = 0;
        let mut twice = || {
            looks += 1;
            looks == 2
        };
        assert_eq!(fixture.recv_unless(&mut InterruptPoller::new(&mut twice)).err(), Some(Error::Interrupted));
        assert_eq!(fixture.states(), [LaneState::Sent, LaneState::Written], "its row is kept");
        assert!(!fixture.script.is_completed(1), "the other reply is dropped");
        fixture.script.reply_rows(&[0]);
        assert_eq!(fixture.recv(None).unwrap().rows(), 2);
    }

    #[test]
    fn draining_waits_for_replies_and_frees_their_lanes() {
        let mut fixture = Fixture::reset(2);
        fixture.send(step_of(LaneList::All(2))).unwrap();
        fixture.script.state().coming.extend([0, 1].map(|lane| (lane, LaneReply::Row(StepReply::default()))));
        let mut thrown = SpareBatches::new();
        fixture.executor.drain(&mut thrown, &mut InterruptPoller::new(&mut || false)).unwrap();
        fixture.core.ledger.mark_all_received();
        assert_eq!((thrown.len(), fixture.states()), (1, vec![LaneState::Idle; 2]));
        assert_eq!(fixture.executor.next_request().map(|request| request.lanes.len()), None);
    }
}

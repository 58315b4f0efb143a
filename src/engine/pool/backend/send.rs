//! Stages requests and sends them to the backend.

use std::sync::Arc;

use crate::contract::error::Result;
use crate::exec::episode_tracker::ItemKind;
use crate::exec::lane_table::Phase;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::{BackendLedger, Scratch, SentRequest};
use crate::pool::receiver::Receiver;
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::results::batch::Batch;
use crate::threads::interrupt_poller::InterruptPoller;

impl BackendExecutor {
    /// Sends the request that the sender has built. The results of a synchronous request go into `batch`.
    ///
    /// # Errors
    /// The backend's error, if it refuses the request; nothing is sent then.
    pub fn send(&self, sender: &mut Sender, batch: Option<Box<Batch>>) -> Result<()> {
        let batch = if self.ring.is_none() { Some(self.core.batch_or_new(batch)?) } else { None };
        let request = self.stage_and_submit(sender)?;
        if let Some(batch) = batch {
            self.lock().sent.push_back(SentRequest::new(request, batch));
        }
        Ok(())
    }

    /// Sends the request that the sender of a synchronous pool has built, and receives its results. No lane is in flight.
    ///
    /// # Errors
    /// `State` if an environment failed; `Closed`; `Interrupted`, `Timeout`; errors of the backend.
    pub fn run(
        &self,
        sender: &mut Sender,
        receiver: &mut Receiver,
        batch: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        let memory = self.core.batch_or_new(batch.take())?;
        let request = match self.stage_and_submit(sender) {
            Ok(request) => request,
            Err(error) => {
                *batch = Some(memory);
                return Err(error);
            }
        };
        self.recv_request(SentRequest::new(request, memory), receiver, batch, interrupts)
    }

    /// Stages and submits the request that the sender has built, and returns it.
    pub(super) fn stage_and_submit(&self, sender: &mut Sender) -> Result<Arc<Request>> {
        let (core, ledger) = (&*self.core, &mut *self.lock_open()?);
        let is_plain = self.stage(sender, ledger)?;
        sender.clear_failures(&core.table, Phase::Fresh); // the backend recreates failed environments
        let lanes = &sender.request().lanes;
        // Lanes are marked as sent before the request is submitted. Otherwise, a receiver in another thread could find a reply of
        // a lane that is not in flight.
        core.ledger.mark_sent(lanes.iter());
        if let Some(statistics) = core.table.statistics.get() {
            let is_step = |(_, kind): &(usize, &ItemKind)| matches!(kind, ItemKind::Step { .. });
            statistics.record_sent(lanes.iter().zip(&ledger.scratch.kinds).filter(is_step).map(|(lane, _)| lane));
        }
        for (item, (lane, due)) in (0..).zip(lanes.iter().zip(&ledger.scratch.kinds)) {
            let entry = &mut ledger.lanes[lane];
            (entry.kind, entry.item) = (*due, item);
            if *due == ItemKind::Reset {
                ledger.first_seeds[lane] = None;
            }
        }
        match is_plain {
            true => {
                let BackendLedger { backend, all_lanes, scratch, .. } = ledger;
                backend.submit_steps(&self.steps_of(sender.request(), all_lanes, &scratch.kinds));
            }
            false => self.submit_planned(sender.request(), ledger),
        }
        let request = sender.publish(&core.keys);
        if let Some(revivals) = &mut ledger.recovery {
            let plans = &ledger.scratch.plans;
            revivals.record_items(&request, &ledger.scratch.kinds, plans);
            let waiting = request.lanes.iter().zip(plans).filter(|(_, plan)| plan.replays_first).map(|(lane, _)| lane as u32);
            let waiting: Vec<_> = waiting.collect();
            self.dispatch_next(ledger, &waiting);
        }
        Ok(request)
    }

    /// Submits the operations of a request that is not staged as batched steps: [`stage`](Self::stage) has staged each operation
    /// separately.
    fn submit_planned(&self, request: &Request, ledger: &mut BackendLedger) {
        let BackendLedger { backend, scratch: Scratch { kinds: dues, plans, lanes, .. }, replied, .. } = ledger;
        lanes.clear();
        for (lane, (due, plan)) in request.lanes.iter().zip(dues.iter().zip(plans.iter())) {
            match due {
                ItemKind::Peek if self.ring.is_some() => replied.push(lane as u32),
                ItemKind::Peek => {}
                _ if !plan.replays_first => lanes.push(lane as u32),
                _ => {}
            }
        }
        if !lanes.is_empty() {
            backend.submit(lanes);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::contract::options::ResetOptions;
    use crate::exec::request_kind::{LaneList, RequestKind};
    use crate::pool::backend::test_backend::{Fixture, request_of, step_of};
    use crate::pool::ledger::LaneState;

    #[test]
    fn lanes_are_in_flight_before_anything_is_submitted() {
        let mut fixture = Fixture::reset(3);
        fixture.send(step_of(LaneList::Some(vec![2, 1]))).unwrap();
        assert_eq!(fixture.script.state().submitted, [2, 1]);
        assert_eq!(fixture.script.state().at_submit, [LaneState::Sent; 2]);
        assert_eq!(fixture.states(), [LaneState::Idle, LaneState::Sent, LaneState::Sent]);
    }

    #[test]
    fn repeated_rows_are_not_submitted() {
        let mut fixture = Fixture::reset(2);
        let kind = RequestKind::Reset { seeds: vec![None; 2], options: ResetOptions::default(), mask: Some(vec![false, true]) };
        fixture.send(request_of(LaneList::All(2), kind)).unwrap();
        assert_eq!(fixture.script.state().submitted, [1]);
        fixture.script.reply_rows(&[1]);
        let batch = fixture.recv(None).unwrap();
        assert_eq!((batch.rows(), batch.payloads.len()), (2, 1), "the payload of the row is kept");
    }
}

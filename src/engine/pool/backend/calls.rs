//! Calls of backend lanes: operations without a row, such as method calls, saves and loads.

use crate::backend::lane_op::{LaneOp, LaneReply};
use crate::contract::error::Result;
use crate::contract::lane_error::{LaneError, Payload};
use crate::exec::request_kind::LaneList;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::BackendLedger;
use crate::pool::backend::settle::{mismatched_reply, record_reply};
use crate::pool::ledger::LaneState;
use crate::pool::recovery_state::ReplayOp;
use crate::threads::interrupt_poller::InterruptPoller;

impl BackendExecutor {
    /// Calls the lanes `lanes`, none of which is in flight, and waits for their replies.
    ///
    /// # Errors
    /// An error of the backend; `Closed`, `Interrupted`, `Timeout`.
    pub fn call<'a>(
        &self,
        lanes: &LaneList,
        op: impl Fn(usize) -> LaneOp<'a>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Vec<Result<Payload, LaneError>>> {
        let mut replies = Vec::new();
        self.call_collecting(&mut replies, lanes, op, interrupts)?;
        Ok(replies.into_iter().flatten().collect())
    }

    /// Calls lanes as [`call`](Self::call) does. After an error, `replies` holds the replies that have arrived. A lane without a
    /// reply is idle if its call could be cancelled.
    ///
    /// # Errors
    /// An error of the backend; `Closed`, `Interrupted`, `Timeout`.
    pub fn call_collecting<'a>(
        &self,
        replies: &mut Vec<Option<Result<Payload, LaneError>>>,
        lanes: &LaneList,
        op: impl Fn(usize) -> LaneOp<'a>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<()> {
        let list: Vec<u32> = lanes.iter().map(|lane| lane as u32).collect();
        self.submit_calls(&list, op, false)?;
        replies.resize(list.len(), None);
        let abandons = AbandonGuard { executor: self, lanes: &list };
        self.wait_for(interrupts, |ledger, among| {
            for (lane, reply) in list.iter().zip(replies.iter_mut()).filter(|(_, reply)| reply.is_none()) {
                *reply = self.take_value(ledger, *lane as usize);
                if reply.is_none() {
                    among.push(*lane);
                }
            }
            among.len()
        })?;
        std::mem::forget(abandons);
        Ok(())
    }

    /// Sends calls to these lanes. `is_collected`: whether their replies are collected lane by lane.
    ///
    /// # Errors
    /// The backend's error, if it refuses a call; nothing is sent then.
    pub(super) fn submit_calls<'a>(&self, lanes: &[u32], op: impl Fn(usize) -> LaneOp<'a>, is_collected: bool) -> Result<()> {
        let ledger = &mut *self.lock_open()?;
        for (index, lane) in lanes.iter().enumerate() {
            ledger.backend.stage(*lane as usize, op(index))?;
        }
        lanes.iter().for_each(|lane| self.core.ledger.set_state(*lane as usize, LaneState::Called));
        // Counted while the ledger is locked, because another thread may collect the replies at once.
        ledger.called += if is_collected { lanes.len() } else { 0 };
        match &mut ledger.recovery {
            None => ledger.backend.submit(lanes),
            Some(revivals) => {
                for (index, lane) in lanes.iter().enumerate() {
                    if let Some(todo) = ReplayOp::from_op(&op(index)) {
                        revivals.record_call(*lane as usize, todo);
                    }
                }
                self.dispatch_next(ledger, lanes);
            }
        }
        Ok(())
    }

    /// Takes a lane's reply to a call; `None` if it has not arrived.
    pub(super) fn take_value(&self, ledger: &mut BackendLedger, lane: usize) -> Option<Result<Payload, LaneError>> {
        if !self.is_completed(ledger, lane) {
            return None;
        }
        self.core.ledger.set_state(lane, LaneState::Idle);
        if let Some(fault) = ledger.take_fault(lane) {
            return Some(Err(fault));
        }
        let reply = match ledger.collect_unread(lane) {
            LaneReply::Value(message) => Ok(message),
            LaneReply::Failed(fault) => Err(fault),
            LaneReply::Row(_) => Err(mismatched_reply()),
        };
        record_reply(&mut ledger.recovery, lane, false, reply.is_ok());
        Some(reply)
    }
}

/// Guard that, on drop, cancels calls without a reply. Replies to calls that cannot be cancelled are discarded when they arrive.
struct AbandonGuard<'a> {
    executor: &'a BackendExecutor,
    lanes: &'a [u32],
}

impl Drop for AbandonGuard<'_> {
    fn drop(&mut self) {
        if self.executor.core.is_forked() {
            return; // the calls belong to the parent
        }
        let ledger = &mut *self.executor.lock();
        for lane in self.lanes.iter().map(|lane| *lane as usize) {
            if self.executor.core.ledger.state(lane) != LaneState::Called {
                continue;
            }
            // With recovery enabled, the call is not cancelled, because recovery needs the reply for its log of the lane's
            // operations.
            let is_idle = ledger.recovery.is_none() && ledger.backend.cancel(lane);
            ledger.abandoned += usize::from(!is_idle);
            self.executor.core.ledger.set_state(lane, if is_idle { LaneState::Idle } else { LaneState::Abandoned });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::error::Error;
    use crate::pool::backend::test_backend::Fixture;

    /// Calls both lanes of a fixture with a deadline that has already passed. Only lane 0 replies. Returns the replies.
    fn call_with_passed_deadline(fixture: &Fixture) -> Vec<Option<Result<Payload, LaneError>>> {
        fixture.script.reply(0, LaneReply::Value(Payload::from(vec![5])));
        let (mut replies, payload) = (Vec::new(), Payload::default());
        let lanes = LaneList::All(2);
        let mut never = || false;
        let interrupts = &mut InterruptPoller::with_deadline(&mut never, Some(std::time::Instant::now()));
        let op = |_| LaneOp::Call(&payload);
        let called = fixture.executor.call_collecting(&mut replies, &lanes, op, interrupts);
        assert_eq!(called, Err(Error::Timeout { lanes: vec![1] }));
        replies
    }

    #[test]
    fn an_abandoned_call_keeps_its_lane_until_it_replies() {
        let fixture = Fixture::reset(2);
        assert_eq!(call_with_passed_deadline(&fixture), [Some(Ok(Payload::from(vec![5]))), None]);
        assert_eq!(fixture.states(), [LaneState::Idle, LaneState::Abandoned]);
        let refused = fixture.executor.check_free(&LaneList::All(2));
        assert_eq!(refused, Err(Error::InFlight { lane: 1 }));
        fixture.script.reply(1, LaneReply::Value(Payload::default()));
        assert_eq!(fixture.executor.check_free(&LaneList::All(2)), Ok(()));
        assert_eq!(fixture.states(), [LaneState::Idle; 2]);
    }

    #[test]
    fn a_cancelled_call_frees_its_lane_at_once() {
        let fixture = Fixture::reset(2);
        fixture.script.state().cancels = true;
        call_with_passed_deadline(&fixture);
        assert_eq!(fixture.states(), [LaneState::Idle; 2]);
    }
}

//! Calls: lane operations that are neither steps nor resets, and whose replies have no rows.

use crate::contract::error::Result;
use crate::contract::fault::{Fault, Message};
use crate::outside::exchange::{Answer, Asked};
use crate::outside::traits::finished;
use crate::play::kind::LaneList;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::BackendLedger;
use crate::pool::backend::settle::{record_reply, wrong_reply};
use crate::pool::ledger::LaneState;
use crate::pool::revivals::Todo;
use crate::threads::interrupts::Interrupts;

impl BackendExecutor {
    /// Calls each of these lanes, none of which is in flight, and waits for their replies.
    ///
    /// # Errors
    /// Those of [`Outside::begin`](crate::outside::traits::Outside::begin) and [`wait_for`](Self::wait_for).
    pub fn call<'a>(
        &self,
        lanes: &LaneList,
        op: impl Fn(usize) -> Asked<'a>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<Vec<Result<Message, Fault>>> {
        let mut replies = Vec::new();
        self.call_into(&mut replies, lanes, op, interrupts)?;
        Ok(replies.into_iter().flatten().collect())
    }

    /// Calls lanes as [`call`](Self::call) does. After an error, `replies` has those that arrived. Lanes without a reply are idle
    /// if their call could be cancelled.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub fn call_into<'a>(
        &self,
        replies: &mut Vec<Option<Result<Message, Fault>>>,
        lanes: &LaneList,
        op: impl Fn(usize) -> Asked<'a>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<()> {
        let list: Vec<u32> = lanes.iter().map(|lane| lane as u32).collect();
        self.submit_calls(&list, op)?;
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

    pub(super) fn submit_calls<'a>(&self, lanes: &[u32], op: impl Fn(usize) -> Asked<'a>) -> Result<()> {
        let ledger = &mut *self.lock_open()?;
        for (index, lane) in lanes.iter().enumerate() {
            self.backend.begin(*lane as usize, op(index))?;
        }
        lanes.iter().for_each(|lane| self.core.ledger.set_state(*lane as usize, LaneState::Called));
        match &mut ledger.revivals {
            None => self.backend.ring(lanes),
            Some(revivals) => {
                for (index, lane) in lanes.iter().enumerate() {
                    if let Some(todo) = Todo::of(&op(index)) {
                        revivals.note_other(*lane as usize, todo);
                    }
                }
                self.dispatch_next(ledger, lanes);
            }
        }
        Ok(())
    }

    /// Takes a lane's reply to a call, if it has arrived.
    pub(super) fn take_value(&self, ledger: &mut BackendLedger, lane: usize) -> Option<Result<Message, Fault>> {
        if !self.is_completed(ledger, lane) {
            return None;
        }
        self.core.ledger.set_state(lane, LaneState::Idle);
        if let Some(fault) = ledger.take_fault(lane) {
            return Some(Err(fault));
        }
        let reply = match finished(&*self.backend, lane, &mut ledger.scratch.unread_row()) {
            Answer::Value(message) => Ok(message),
            Answer::Failed(fault) => Err(fault),
            Answer::Row(_) => Err(wrong_reply()),
        };
        record_reply(&mut ledger.revivals, lane, false, reply.is_ok());
        Some(reply)
    }
}

/// On drop, cancels the calls without a reply. Replies to calls that cannot be cancelled are dropped when they arrive.
struct AbandonGuard<'a> {
    executor: &'a BackendExecutor,
    lanes: &'a [u32],
}

impl Drop for AbandonGuard<'_> {
    fn drop(&mut self) {
        let ledger = &mut *self.executor.lock();
        for lane in self.lanes.iter().map(|lane| *lane as usize) {
            if self.executor.core.ledger.state(lane) != LaneState::Called {
                continue;
            }
            // Recovery needs the reply to keep its record of the lane's operations, so the call is not cancelled.
            let is_idle = ledger.revivals.is_none() && self.executor.backend.cancel(lane);
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

    /// Calls both lanes of a fixture, of which only lane 0 replies, with a deadline that has passed.
    fn give_up(fixture: &Fixture) -> Vec<Option<Result<Message, Fault>>> {
        fixture.script.reply(0, Answer::Value(Message::from(vec![5])));
        let (mut replies, payload) = (Vec::new(), Message::default());
        let lanes = LaneList::All(2);
        let mut never = || false;
        let interrupts = &mut Interrupts::until(&mut never, Some(std::time::Instant::now()));
        let op = |_| Asked::Call(&payload);
        let called = fixture.executor.call_into(&mut replies, &lanes, op, interrupts);
        assert_eq!(called, Err(Error::Late { lanes: vec![1] }));
        replies
    }

    #[test]
    fn a_call_that_nobody_waits_for_any_more_keeps_its_lane_until_it_replies() {
        let fixture = Fixture::reset(2);
        assert_eq!(give_up(&fixture), [Some(Ok(Message::from(vec![5]))), None]);
        assert_eq!(fixture.states(), [LaneState::Idle, LaneState::Abandoned]);
        let refused = fixture.executor.check_free(&LaneList::All(2));
        assert_eq!(refused, Err(Error::InFlight { lane: 1 }));
        fixture.script.reply(1, Answer::Value(Message::default()));
        assert_eq!(fixture.executor.check_free(&LaneList::All(2)), Ok(()));
        assert_eq!(fixture.states(), [LaneState::Idle; 2]);
    }

    #[test]
    fn a_call_that_can_be_called_back_frees_its_lane_at_once() {
        let fixture = Fixture::reset(2);
        fixture.script.inner().cancels = true;
        give_up(&fixture);
        assert_eq!(fixture.states(), [LaneState::Idle; 2]);
    }
}

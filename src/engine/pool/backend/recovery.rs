//! Handles lost hosts: restarts them and resends operations, or fails their lanes.

use crate::backend::lane_op::{LaneOp, LaneReply};
use crate::backend::traits::{HostLoss, LostLanes};
use crate::contract::error::Result;
use crate::contract::lane_error::LaneError;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::backend::ledger::BackendLedger;
use crate::pool::ledger::LaneState;
use crate::pool::loss_tracker::LossDecision;
use crate::pool::recovery_state::ReplayOp;

impl BackendExecutor {
    /// Restarts a lost host. If it was lost too often, stops restarting it and fails its lanes.
    pub(super) fn handle_loss(&self, ledger: &mut BackendLedger, HostLoss { host, mut fault }: HostLoss) {
        let lanes = ledger.backend.lose_host(host);
        let fate = ledger.recovery.as_mut().map(|revivals| revivals.record_loss(host, &lanes.lanes));
        let given_up = match fate {
            None => true,
            Some(LossDecision::GiveUp(in_a_row)) => {
                if let LaneError::HostLost { consecutive_losses: deaths, .. } = &mut fault {
                    *deaths = in_a_row;
                }
                true
            }
            Some(LossDecision::Restart) => match ledger.backend.restart_host(host) {
                Ok(()) => false,
                Err(error) => {
                    fault = error;
                    true
                }
            },
        };
        match given_up {
            true => self.mark_host_lost(ledger, &lanes, &fault),
            false => self.restart_lanes(ledger, &lanes, &fault),
        }
    }

    /// Fails the pending operations of a lost host, and makes the pool reject new operations of its lanes.
    fn mark_host_lost(&self, ledger: &mut BackendLedger, lanes: &LostLanes, fault: &LaneError) {
        for lane in &lanes.lost {
            self.reply_with(ledger, *lane, fault);
        }
        ledger.lost_hosts += 1;
        for lane in &lanes.lanes {
            ledger.lanes[*lane as usize].host_loss = Some(Box::new(fault.clone()));
        }
    }

    /// Restarts the host of a lane if the pool has stopped restarting that host and the recovery policy is `Retry`. If the
    /// restart fails, its error becomes the `host_loss` of the host's lanes.
    pub(super) fn retry_host(&self, ledger: &mut BackendLedger, lane: usize) {
        let Some((host, lanes)) = ledger.recovery.as_mut().and_then(|revivals| revivals.allow_retry(lane)) else { return };
        match ledger.backend.restart_host(host) {
            Ok(()) => {
                ledger.lost_hosts -= 1;
                lanes.into_iter().for_each(|lane| ledger.lanes[lane].host_loss = None);
            }
            Err(fault) => lanes.into_iter().for_each(|lane| ledger.lanes[lane].host_loss = Some(Box::new(fault.clone()))),
        }
    }

    /// Returns whether a lane has a pending operation to which only the backend can reply.
    fn is_awaited(&self, ledger: &BackendLedger, lane: usize) -> bool {
        let state = self.core.ledger.state(lane);
        state.is_pending() && !ledger.has_local_reply(lane, state)
    }

    /// Fails a lane's pending operation with the error `fault`.
    fn reply_with(&self, ledger: &mut BackendLedger, lane: u32, fault: &LaneError) {
        if self.is_awaited(ledger, lane as usize) {
            ledger.set_fault(lane as usize, fault.clone());
            if let Some(revivals) = &mut ledger.recovery {
                revivals.drop_replay(lane as usize);
            }
            if self.ring.is_some() && self.core.ledger.state(lane as usize) != LaneState::Abandoned {
                ledger.replied.push(lane);
            }
        }
    }

    /// Resends the pending operations of the lanes of a restarted host.
    fn restart_lanes(&self, ledger: &mut BackendLedger, lanes: &LostLanes, fault: &LaneError) {
        let mut restarted = Vec::new();
        for lane in lanes.lanes.iter().filter(|lane| lanes.lost.contains(lane)) {
            if !self.is_awaited(ledger, *lane as usize) {
                continue; // the lane's next operation recovers the lane
            }
            let is_logged = ledger.is_logged(*lane as usize, self.core.ledger.state(*lane as usize));
            let Some(revivals) = &mut ledger.recovery else { return };
            match revivals.prepare_resend(*lane as usize, is_logged) {
                true => restarted.push(*lane),
                false => self.reply_with(ledger, *lane, fault),
            }
        }
        self.dispatch_next(ledger, &restarted);
    }

    /// Submits the next operation of each lane: the first operation of its replay queue, or the pending operation if that queue
    /// is empty.
    pub(super) fn dispatch_next(&self, ledger: &mut BackendLedger, lanes: &[u32]) {
        let mut staged = Vec::with_capacity(lanes.len());
        for lane in lanes {
            match self.stage_next(ledger, *lane as usize) {
                Ok(()) => staged.push(*lane),
                Err(error) => self.reply_with(ledger, *lane, &LaneError::raised(error.to_string(), Vec::new())),
            }
        }
        if !staged.is_empty() {
            ledger.backend.submit(&staged);
        }
    }

    fn stage_next(&self, ledger: &mut BackendLedger, lane: usize) -> Result<()> {
        let is_logged = ledger.is_logged(lane, self.core.ledger.state(lane));
        let BackendLedger { backend, recovery: Some(revivals), .. } = ledger else { return Ok(()) };
        let turn = revivals.pending_item(lane, is_logged).map(ReplayOp::Item);
        match revivals.next_replay_op(lane).or(turn.as_ref()).or(revivals.pending_call(lane)) {
            Some(ReplayOp::Save) => backend.stage(lane, LaneOp::Save),
            Some(ReplayOp::Load(state)) => backend.stage(lane, LaneOp::Load(state.bytes())),
            Some(ReplayOp::Call(payload)) => backend.stage(lane, LaneOp::Call(payload)),
            Some(ReplayOp::Item(turn)) => match self.op_of(&turn.request, turn.index, turn.kind, turn.plan) {
                Some(op) => backend.stage(lane, op),
                None => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// Returns whether a lane has replied to its pending operation. Also takes replies to operations of the replay queue, and
    /// submits the queue's next operation.
    pub(super) fn is_completed(&self, ledger: &mut BackendLedger, lane: usize) -> bool {
        loop {
            let state = self.core.ledger.state(lane);
            if ledger.has_local_reply(lane, state) {
                return true;
            }
            if !ledger.backend.is_completed(lane) {
                return false;
            }
            let prelude = ledger.recovery.as_ref().and_then(|revivals| revivals.next_replay_op(lane));
            let Some(prelude) = prelude else { return true };
            let is_load = matches!(prelude, ReplayOp::Load(_));
            let saved = match ledger.collect_unread(lane) {
                LaneReply::Value(state) => Some(state),
                LaneReply::Failed(fault) if is_load => {
                    self.reply_with(ledger, lane as u32, &fault);
                    return true;
                }
                _ => None, // the environment has no state to save, or the replayed operation fails again
            };
            let is_logged = ledger.is_logged(lane, state);
            if let Some(revivals) = &mut ledger.recovery {
                revivals.finish_replay_op(lane, is_logged, saved);
            }
            self.dispatch_next(ledger, &[lane as u32]);
        }
    }
}

//! Recovery state: what a backend pool needs to restore lanes after their host is lost.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::backend::lane_op::LaneOp;
use crate::contract::backend_spec::{RecoveryConfig, RecoveryPolicy};
use crate::contract::lane_error::Payload;
use crate::exec::episode_tracker::ItemKind;
use crate::exec::request_kind::{LaneList, RequestKind};
use crate::pool::loss_tracker::{LossDecision, LossTracker};
use crate::pool::replay_log::ReplayLog;
use crate::pool::request::Request;
use crate::pool::request_item::{ItemPlan, LossReport, RequestItem};

/// Data with which lost environments are recovered: lost hosts, snapshots and logs of requests, for all lanes of a pool.
///
/// Pools with [`RecoveryPolicy::Raise`] have none.
pub struct RecoveryState {
    recovery: RecoveryConfig,
    losses: LossTracker,
    lanes: Vec<LaneRecovery>,
    /// Log of request items; with [`RecoveryPolicy::Resume`], all items since each lane's last snapshot. A lane whose next item
    /// needs recovery work is flagged in the log, so that all other lanes take the fast path.
    log: ReplayLog,
    /// Number of lanes with a replay queue (operations to execute before the pending operation).
    pub replaying: usize,
}

/// Recovery state of one lane.
#[derive(Default)]
struct LaneRecovery {
    /// Whether the lane was restored after its host was lost, which the lane's next row must report.
    is_restored: bool,
    /// Seed of the episode whose first observation was in the row that reported a lost host. The next reset repeats that episode.
    repeat_seed: Option<u64>,
    /// Pending operation that is a call, save or load.
    pending_call: Option<ReplayOp>,
    /// Snapshot to load before the logged items are replayed. `None`: the items start from a newly created environment.
    snapshot: Option<Payload>,
    /// Operations that the lane must execute again before its pending operation. The first of them is in flight.
    replay_queue: VecDeque<ReplayOp>,
}

/// An operation that a lane executes again after its host was lost.
pub enum ReplayOp {
    Item(RequestItem),
    Call(Payload),
    Save,
    Load(Payload),
}

impl ReplayOp {
    /// Copies a call, save or load. Returns `None` for steps and resets, which are logged as items.
    pub fn from_op(asked: &LaneOp<'_>) -> Option<Self> {
        match asked {
            LaneOp::Call(payload) => Some(Self::Call((*payload).clone())),
            LaneOp::Save => Some(Self::Save),
            LaneOp::Load(state) => Some(Self::Load(Payload::from(*state))),
            _ => None,
        }
    }
}

impl RecoveryState {
    /// Creates the recovery state of lanes whose first resets use `seeds`; `None` if the policy restarts no host.
    pub fn new(recovery: RecoveryConfig, seeds: impl Iterator<Item = Option<u64>>) -> Option<Self> {
        if recovery.policy == RecoveryPolicy::Raise {
            return None;
        }
        let seeds: Vec<_> = seeds.collect();
        let lives: Vec<_> = seeds.iter().map(|_| LaneRecovery::default()).collect();
        let history = ReplayLog::new(lives.len());
        Some(Self { recovery, losses: LossTracker::new(recovery, seeds.into_iter()), lanes: lives, log: history, replaying: 0 })
    }

    /// Returns whether recovered lanes continue from their state before their host was lost.
    fn resumes(&self) -> bool {
        matches!(self.recovery.policy, RecoveryPolicy::Resume { .. })
    }

    /// Returns whether operations that were lost with a host are sent again unchanged.
    fn retries(&self) -> bool {
        self.recovery.policy == RecoveryPolicy::Retry
    }

    /// Returns the number of completed items (steps and resets) of a lane after which a snapshot of the lane is saved.
    fn snapshot_interval(&self) -> usize {
        match self.recovery.policy {
            RecoveryPolicy::Resume { snapshot_interval: every } => every.max(1) as usize,
            RecoveryPolicy::Raise | RecoveryPolicy::NewEpisode | RecoveryPolicy::Retry => usize::MAX,
        }
    }

    /// Returns whether the log flags none of these lanes, so that their next items need no recovery work.
    pub fn are_unflagged(&self, lanes: &LaneList) -> bool {
        let interval = self.snapshot_interval();
        lanes.iter().all(|lane| self.log.is_unflagged(lane, interval))
    }

    /// Decides how to execute an item with the due operation `due`. `given` is the seed that the request contains; `first_seed`
    /// is the seed for the lane's first reset.
    pub fn plan(&self, lane: usize, kind: &RequestKind, due: ItemKind, given: Option<u64>, first_seed: Option<u64>) -> ItemPlan {
        let life = &self.lanes[lane];
        let seed = given.or(first_seed);
        if self.resumes() {
            let is_due = self.log.closed(lane) >= self.snapshot_interval()
                && matches!(due, ItemKind::Step { .. } | ItemKind::NextEpisode(_));
            return ItemPlan { seed, replays_first: self.losses.needs_recovery(lane) || is_due, ..ItemPlan::default() };
        }
        if self.retries() {
            return ItemPlan { seed, ..ItemPlan::default() };
        }
        if self.losses.needs_recovery(lane) {
            let loss_report = LossReport::of_loss(kind, due);
            return ItemPlan {
                seed: seed.or_else(|| self.losses.next_seed(lane)),
                forces_reset: true,
                report: loss_report,
                replays_first: false,
            };
        }
        match life.repeat_seed {
            Some(again) if !matches!(due, ItemKind::Step { .. }) => {
                ItemPlan { seed: seed.or(Some(again)), forces_reset: true, ..ItemPlan::default() }
            }
            _ => ItemPlan { seed, ..ItemPlan::default() },
        }
    }

    /// Records the items of a request and their plans (see [`ReplayLog::open`]). A lane whose plan has `replays_first` gets a
    /// replay queue, whose first operation must be submitted next.
    pub fn record_items(&mut self, request: &Arc<Request>, dues: &[ItemKind], plans: &[ItemPlan]) {
        self.log.open(request, dues, plans);
        let items = request.lanes.iter().zip(dues).zip(plans).enumerate();
        for (index, ((lane, due), plan)) in items.filter(|(_, ((_, due), _))| **due != ItemKind::Peek) {
            self.record_item(lane, *due, *plan, request.kind.seed(index));
        }
    }

    fn record_item(&mut self, lane: usize, due: ItemKind, plan: ItemPlan, given: Option<u64>) {
        if let Some(seed) = given {
            self.losses.record_seed(lane, seed);
        }
        if !matches!(due, ItemKind::Step { .. }) {
            self.lanes[lane].repeat_seed = None;
        }
        if plan.replays_first {
            match self.losses.needs_recovery(lane) {
                true => self.queue_replay(lane, true),
                false => self.lanes[lane].replay_queue.push_back(ReplayOp::Save),
            }
            self.replaying += usize::from(!self.lanes[lane].replay_queue.is_empty());
        }
        if !self.resumes() || plan.replays_first {
            self.losses.set_needs_recovery(lane, false);
        }
    }

    /// Records a pending call, save or load. The lane may have to replay operations first, because the call needs the lane's
    /// state before its host was lost.
    pub fn record_call(&mut self, lane: usize, other: ReplayOp) {
        self.lanes[lane].pending_call = Some(other);
        if self.losses.needs_recovery(lane) && self.recovery.policy != RecoveryPolicy::NewEpisode {
            self.losses.set_needs_recovery(lane, false);
            self.queue_replay(lane, false);
            self.replaying += usize::from(!self.lanes[lane].replay_queue.is_empty());
        }
    }

    /// Returns the first operation of a lane's replay queue, if it has one.
    pub fn next_replay_op(&self, lane: usize) -> Option<&ReplayOp> {
        self.lanes[lane].replay_queue.front()
    }

    /// Returns the pending item of a lane; `None` unless the lane's newest item is open, which means without a reply (`is_open`).
    pub fn pending_item(&self, lane: usize, is_open: bool) -> Option<RequestItem> {
        is_open.then(|| self.log.newest(lane))
    }

    /// Returns the pending call, save or load of a lane.
    pub fn pending_call(&self, lane: usize) -> Option<&ReplayOp> {
        self.lanes[lane].pending_call.as_ref()
    }

    /// Applies the reply to the first operation of a lane's replay queue. `is_open`: whether the lane's newest item is open.
    pub fn finish_replay_op(&mut self, lane: usize, is_open: bool, saved: Option<Payload>) {
        let life = &mut self.lanes[lane];
        let done = life.replay_queue.pop_front();
        self.replaying -= usize::from(done.is_some() && life.replay_queue.is_empty());
        if let (Some(ReplayOp::Save), Some(state)) = (&done, saved) {
            life.snapshot = Some(state);
            self.log.remove_closed(lane, is_open);
        }
    }

    /// Discards the replay queue of a lane after a failure. The next operation recovers the lane again.
    pub fn drop_replay(&mut self, lane: usize) {
        let life = &mut self.lanes[lane];
        if !life.replay_queue.is_empty() {
            life.replay_queue.clear();
            self.replaying -= 1;
            self.losses.set_needs_recovery(lane, true);
            self.log.set_flagged(lane, true);
        }
    }

    /// Records the reply to a lane's pending operation. `was_open`: whether the reply belongs to the newest item;
    /// `has_succeeded`: whether the operation succeeded. Returns how the row reports a lost host.
    #[inline]
    pub fn record_reply(&mut self, lane: usize, was_open: bool, has_succeeded: bool) -> LossReport {
        if was_open && self.log.is_newest_unflagged(lane) {
            self.log.close(lane, self.resumes());
            return LossReport::None;
        }
        self.record_flagged_reply(lane, was_open, has_succeeded)
    }

    #[inline(never)]
    fn record_flagged_reply(&mut self, lane: usize, was_open: bool, has_succeeded: bool) -> LossReport {
        let (resumes, turn) = (self.resumes(), self.pending_item(lane, was_open));
        self.losses.record_reply(lane);
        let life = &mut self.lanes[lane];
        let mut loss_report = LossReport::None;
        match (turn, life.pending_call.take()) {
            (Some(RequestItem { plan, .. }), _) => {
                loss_report = match plan.report {
                    LossReport::None if has_succeeded && std::mem::take(&mut life.is_restored) => LossReport::Resumed,
                    loss_report => loss_report,
                };
                if !resumes && plan.report == LossReport::InStep && self.recovery.repeats_episode {
                    life.repeat_seed = plan.seed;
                }
                self.log.close(lane, resumes);
            }
            (None, Some(ReplayOp::Load(state))) if has_succeeded => {
                (life.snapshot, life.repeat_seed) = (Some(state), None);
                self.losses.set_needs_recovery(lane, false);
                self.log.remove_closed(lane, false);
            }
            _ => {}
        }
        let life = &self.lanes[lane];
        self.log.set_flagged(lane, self.losses.needs_recovery(lane) || life.is_restored || life.repeat_seed.is_some());
        loss_report
    }

    /// Records a lane's seed. If the lane's host is lost, the next episode's seed is derived from this seed.
    pub fn record_seed(&mut self, lane: usize, seed: u64) {
        self.losses.record_seed(lane, seed);
    }

    /// Makes the next item of a lane report that its host was lost, because the row that reported this was discarded.
    pub fn defer_loss_report(&mut self, lane: usize) {
        self.losses.set_needs_recovery(lane, true);
        self.log.set_flagged(lane, true);
    }

    /// Records the loss of a host that ran `lanes`.
    pub fn record_loss(&mut self, host: usize, lanes: &[u32]) -> LossDecision {
        let resumes = self.resumes();
        for lane in lanes {
            let life = &mut self.lanes[*lane as usize];
            life.is_restored = resumes;
            self.replaying -= usize::from(!life.replay_queue.is_empty());
            life.replay_queue.clear();
            self.log.set_flagged(*lane as usize, true);
        }
        self.losses.record_loss(host, lanes)
    }

    /// Prepares a lane's lost operation to be sent again to the restarted host. Returns false if it cannot be sent again.
    /// Policies other than [`RecoveryPolicy::Retry`] send only the newest item again, if it is open (`is_open`).
    pub fn prepare_resend(&mut self, lane: usize, is_open: bool) -> bool {
        if self.retries() {
            self.losses.set_needs_recovery(lane, false);
            return is_open || self.lanes[lane].pending_call.is_some();
        }
        let Some(RequestItem { request, index, kind: due, plan }) = self.pending_item(lane, is_open) else {
            self.lanes[lane].pending_call = None;
            return false;
        };
        self.losses.set_needs_recovery(lane, false);
        if self.resumes() {
            self.queue_replay(lane, true);
            self.replaying += usize::from(!self.lanes[lane].replay_queue.is_empty());
            return true;
        }
        let loss_report = LossReport::of_loss(&request.kind, due);
        // Seed of the repeated reset: the request's seed if it has one. Otherwise the plan's seed, if the lost item was a reset
        // whose host had not been lost before. Otherwise the lane's next seed.
        let own = plan.seed.filter(|_| loss_report == LossReport::InReset && plan.report == LossReport::None);
        let seed = request.kind.seed(index).or(own).or(self.losses.next_seed(lane));
        self.log.replace_plan(lane, ItemPlan { seed, forces_reset: true, report: loss_report, replays_first: false });
        true
    }

    /// Allows another restart of a lane's host if the pool has stopped restarting it and the policy permits this. Returns the
    /// host and all its lanes.
    pub fn allow_retry(&mut self, lane: usize) -> Option<(usize, Vec<usize>)> {
        let host = if self.retries() { self.losses.allow_retry(lane)? } else { return None };
        Some((host, (0..self.lanes.len()).filter(|lane| self.losses.host(*lane) == Some(host)).collect()))
    }

    /// Queues the operations that restore a lane's state before its pending operation. `is_open`: whether the newest item is the
    /// pending operation, which is not queued.
    fn queue_replay(&mut self, lane: usize, is_open: bool) {
        let life = &mut self.lanes[lane];
        life.replay_queue.clear();
        life.replay_queue.extend(life.snapshot.clone().map(ReplayOp::Load));
        life.replay_queue.extend(self.log.closed_items(lane, is_open).into_iter().map(ReplayOp::Item));
    }
}

//! Methods of [`RemoteLedger`] that assemble requests to hosts and store the hosts' replies.

use super::super::host_reply::HostReply;
use super::{HostQueues, OpState, RemoteLedger, RowRef, StagedOp, StoredReply};

impl RemoteLedger {
    /// Returns the host whose next request should not be sent yet, because operations of more lanes will be added to this
    /// request. Returns `None` if all requests should be sent now.
    ///
    /// Lanes that replay operations are submitted one by one, as their replies are taken. Their operations are collected in
    /// one request, which the next waiting thread sends.
    pub(super) fn batching_host(&mut self, lanes: &[u32], queues: &HostQueues) -> Option<usize> {
        let [lane] = lanes else {
            let mut before = u32::MAX;
            for index in lanes.iter().map(|lane| self.lanes[*lane as usize].host) {
                let host_lanes = &mut self.hosts[index as usize];
                if index != before && host_lanes.untaken == 0 && queues.outboxes[index as usize].unanswered.is_empty() {
                    host_lanes.replay_rounds = host_lanes.replay_rounds.saturating_sub(1);
                }
                before = index;
            }
            return None;
        };
        let lane = &self.lanes[*lane as usize];
        let host_lanes = &self.hosts[lane.host as usize];
        (host_lanes.untaken > 0 && (lane.is_replaying || host_lanes.replay_rounds > 0)).then_some(lane.host as usize)
    }

    /// Adds a lane's staged operation to the next request for its host.
    pub(super) fn add_to_request(&mut self, index: usize, width: usize, queues: &mut HostQueues) {
        let lane = &mut self.lanes[index];
        let staged = &mut self.staged[index];
        let request = &mut queues.outboxes[lane.host as usize].request;
        let local = (index - self.hosts[lane.host as usize].first) as u32;
        match std::mem::replace(staged, StagedOp::None) {
            StagedOp::Step => {
                request.steps.push(local);
                request.actions.extend_from_slice(&self.actions[index * width..][..width]);
            }
            StagedOp::Reset(reset) => request.reset(local, reset.0, reset.1),
            StagedOp::Save => request.saves.push(local),
            StagedOp::Load(state) => request.loads.push((local, state.into_vec())),
            StagedOp::None => return,
        }
        lane.state = OpState::InFlight;
    }

    /// Stores a section of a host's reply. The section is ignored unless all lanes of the section have a pending operation.
    pub(super) fn store_reply(&mut self, host: usize, reply: HostReply) {
        let host_lanes = &mut self.hosts[host];
        let HostReply { mut lanes, body } = reply;
        let asked = |local: &u32| {
            (*local as usize) < host_lanes.lanes && self.lanes[host_lanes.first + *local as usize].state == OpState::InFlight
        };
        if lanes.is_empty() || !lanes.iter().all(asked) {
            return;
        }
        lanes.iter_mut().for_each(|lane| *lane += host_lanes.first as u32);
        let index = self.free.pop().unwrap_or(self.replies.len() as u32);
        for (row, lane) in (0..).zip(&lanes) {
            let lane = &mut self.lanes[*lane as usize];
            (lane.state, lane.reply) = (OpState::Completed, RowRef { reply: index, row });
        }
        host_lanes.untaken += lanes.len();
        self.untaken += lanes.len();
        self.answers += 1;
        let is_stale = |stored: &[Option<StoredReply>], (index, number): (u32, u64)| {
            stored.get(index as usize).and_then(Option::as_ref).is_none_or(|stored| stored.number != number)
        };
        while self.order.front().is_some_and(|front| is_stale(&self.replies, *front)) {
            self.order.pop_front();
        }
        self.order.push_back((index, self.answers));
        let stored = Some(StoredReply { users: lanes.len(), untaken: lanes.len(), lanes, body, number: self.answers });
        match self.replies.get_mut(index as usize) {
            Some(free) => *free = stored,
            None => self.replies.push(stored),
        }
    }

    pub(super) fn record_taken(&mut self, host: u32, count: usize) {
        self.hosts[host as usize].untaken -= count;
        self.untaken -= count;
        if self.untaken == 0 {
            self.order.clear();
        }
    }

    /// Records that `count` lanes no longer use a stored reply, and removes a reply that no lane uses.
    pub(super) fn discard(&mut self, answer: u32, count: usize) {
        let Some(host) = self.replies.get_mut(answer as usize) else { return };
        let Some(stored) = host else { return };
        stored.users -= count;
        if stored.users == 0 {
            *host = None;
            self.free.push(answer);
        }
    }

    /// Sets the reference to a lane's last observation. The lane must already be counted as a user of the reply that
    /// `row_ref` refers to.
    pub(super) fn set_last_row(&mut self, lane: usize, row_ref: RowRef) {
        let before = std::mem::replace(&mut self.lanes[lane].last_row, row_ref);
        self.discard(before.reply, 1);
    }

    /// Returns the stored reply at the index `answer`; `None` if the reply's sequence number is not `number`.
    pub(super) fn answer(&self, (answer, number): (u32, u64)) -> Option<&StoredReply> {
        self.replies[answer as usize].as_ref().filter(|stored| stored.number == number)
    }

    /// Returns whether the lane's result is in the stored reply `answer`, and the pool has not taken this result yet.
    pub(super) fn is_untaken(&self, lane: u32, answer: u32) -> bool {
        let lane = &self.lanes[lane as usize];
        lane.state == OpState::Completed && lane.reply.reply == answer
    }
}

impl HostQueues {
    /// Ends and encodes the next request to each host, except to the host `waiting`.
    pub(super) fn close_requests(&mut self, waiting: Option<usize>) {
        for (index, outbox) in self.outboxes.iter_mut().enumerate() {
            if outbox.request.is_empty() || waiting == Some(index) {
                continue;
            }
            let request = std::mem::take(&mut outbox.request);
            outbox.requests += 1;
            outbox.unsent.push_back((outbox.requests, request.encode()));
            outbox.unanswered.push_back((outbox.requests, request.into_lanes()));
        }
    }
}

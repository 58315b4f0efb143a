//! Methods of [`RemoteLedger`] that assemble requests to hosts and store the hosts' replies.

use super::super::host_reply::HostReply;
use super::{HostQueues, OpState, RemoteLedger, RowRef, StagedOp, StoredReply};

impl RemoteLedger {
    /// Returns the host whose next request should not be sent yet, because this request will contain operations of more lanes.
    /// Returns `None` if all requests should be sent now.
    ///
    /// Lanes that replay operations are submitted one by one, as their replies are taken. Their operations are collected in one
    /// request, which the next waiting thread sends.
    pub(super) fn batching_host(&mut self, lanes: &[u32], mail: &HostQueues) -> Option<usize> {
        let [lane] = lanes else {
            let mut before = u32::MAX;
            for index in lanes.iter().map(|lane| self.lanes[*lane as usize].host) {
                let share = &mut self.hosts[index as usize];
                if index != before && share.untaken == 0 && mail.outboxes[index as usize].unanswered.is_empty() {
                    share.replay_rounds = share.replay_rounds.saturating_sub(1);
                }
                before = index;
            }
            return None;
        };
        let lane = &self.lanes[*lane as usize];
        let share = &self.hosts[lane.host as usize];
        (share.untaken > 0 && (lane.is_replaying || share.replay_rounds > 0)).then_some(lane.host as usize)
    }

    /// Adds a lane's staged operation to the next request for its host.
    pub(super) fn add_to_request(&mut self, index: usize, width: usize, mail: &mut HostQueues) {
        let lane = &mut self.lanes[index];
        let staged = &mut self.staged[index];
        let request = &mut mail.outboxes[lane.host as usize].request;
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

    /// Stores a host's reply to some lanes. The reply is ignored unless all these lanes have a pending operation.
    pub(super) fn store_reply(&mut self, place: usize, reply: HostReply) {
        let share = &mut self.hosts[place];
        let HostReply { mut lanes, body } = reply;
        let asked =
            |local: &u32| (*local as usize) < share.lanes && self.lanes[share.first + *local as usize].state == OpState::InFlight;
        if lanes.is_empty() || !lanes.iter().all(asked) {
            return;
        }
        lanes.iter_mut().for_each(|lane| *lane += share.first as u32);
        let answer = self.free.pop().unwrap_or(self.replies.len() as u32);
        for (row, lane) in (0..).zip(&lanes) {
            let lane = &mut self.lanes[*lane as usize];
            (lane.state, lane.reply) = (OpState::Completed, RowRef { reply: answer, row });
        }
        share.untaken += lanes.len();
        self.untaken += lanes.len();
        self.answers += 1;
        let is_gone = |kept: &[Option<StoredReply>], (answer, number): (u32, u64)| {
            kept.get(answer as usize).and_then(Option::as_ref).is_none_or(|kept| kept.number != number)
        };
        while self.order.front().is_some_and(|front| is_gone(&self.replies, *front)) {
            self.order.pop_front();
        }
        self.order.push_back((answer, self.answers));
        let kept = Some(StoredReply { users: lanes.len(), untaken: lanes.len(), lanes, body, number: self.answers });
        match self.replies.get_mut(answer as usize) {
            Some(free) => *free = kept,
            None => self.replies.push(kept),
        }
    }

    pub(super) fn record_taken(&mut self, place: u32, count: usize) {
        self.hosts[place as usize].untaken -= count;
        self.untaken -= count;
        if self.untaken == 0 {
            self.order.clear();
        }
    }

    /// Records that `count` lanes no longer use a stored reply, and removes a reply that no lane uses.
    pub(super) fn discard(&mut self, answer: u32, count: usize) {
        let Some(place) = self.replies.get_mut(answer as usize) else { return };
        let Some(kept) = place else { return };
        kept.users -= count;
        if kept.users == 0 {
            *place = None;
            self.free.push(answer);
        }
    }

    /// Sets the reference to a lane's last observation. The lane must already be counted as a user of this reply.
    pub(super) fn set_last_row(&mut self, lane: usize, place: RowRef) {
        let before = std::mem::replace(&mut self.lanes[lane].last_row, place);
        self.discard(before.reply, 1);
    }

    /// Returns the stored reply with this index. Returns `None` if its sequence number differs.
    pub(super) fn answer(&self, (answer, number): (u32, u64)) -> Option<&StoredReply> {
        self.replies[answer as usize].as_ref().filter(|kept| kept.number == number)
    }

    /// Returns whether a lane's reply is `answer`, and the pool has not taken it yet.
    pub(super) fn is_untaken(&self, lane: u32, answer: u32) -> bool {
        let lane = &self.lanes[lane as usize];
        lane.state == OpState::Completed && lane.reply.reply == answer
    }
}

impl HostQueues {
    /// Ends and encodes the next request to each host, except to the host `waiting`.
    pub(super) fn close_requests(&mut self, waiting: Option<usize>) {
        for (index, way) in self.outboxes.iter_mut().enumerate() {
            if way.request.is_empty() || waiting == Some(index) {
                continue;
            }
            let request = std::mem::take(&mut way.request);
            way.requests += 1;
            way.unsent.push_back((way.requests, request.encode()));
            way.unanswered.push_back((way.requests, request.into_lanes()));
        }
    }
}

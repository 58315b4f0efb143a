//! Implements the traits of backends for [`RemoteBackend`] and [`RemoteHosts`].

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::super::host_reply::ReplyBody;
use super::super::request::{HostRequest, plain_options};
use super::{HostLanes, OpState, RemoteBackend, RemoteHosts, StagedOp};
use envpool_rs_engine::{
    BackendWaiter, BatchRowWriter, Error, HostLoss, LaneBackend, LaneError, LaneOp, LaneReply, LostLanes, Payload, Result,
    RowWriter, StagedSteps, WaitTarget,
};

impl LaneBackend for RemoteBackend {
    fn waiter(&self) -> Arc<dyn BackendWaiter> {
        Arc::<RemoteHosts>::clone(&self.hosts)
    }

    fn stage(&mut self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        let Self { format, ledger, .. } = self;
        let action = &mut ledger.actions[lane * format.width..][..format.width];
        ledger.staged[lane] = match asked {
            LaneOp::Step { action: given, .. } => {
                format.write_action(action, given);
                StagedOp::Step
            }
            LaneOp::Next { .. } => {
                // The lane's episode has ended. The host starts the next episode and ignores the action, so the action is zeroed.
                action.fill(0);
                StagedOp::Step
            }
            LaneOp::Reset { seed, options, item, .. } => {
                StagedOp::Reset(Box::new((seed, plain_options(&options.for_item(item)))))
            }
            LaneOp::Save => StagedOp::Save,
            LaneOp::Load(state) => StagedOp::Load(state.into()),
            LaneOp::Call(_) => return Err(Error::State("environments of remote hosts accept no calls".into())),
        };
        Ok(())
    }

    fn submit(&mut self, lanes: &[u32]) {
        let Self { format, ledger, hosts } = self;
        let mut queues = hosts.queues();
        let waiting = ledger.batching_host(lanes, &queues);
        lanes.iter().for_each(|lane| ledger.add_to_request(*lane as usize, format.width, &mut queues));
        queues.close_requests(waiting);
        // If a request cannot be sent now, the thread that waits for replies sends it again and reports the error.
        let _reported_later = hosts.send(&mut queues);
    }

    fn stage_steps(&mut self, _steps: &StagedSteps<'_>) -> Result<()> {
        Ok(()) // Steps need no staging: every step fits into a request, and `submit_steps` writes them.
    }

    fn submit_steps(&mut self, steps: &StagedSteps<'_>) {
        let Self { format, ledger, hosts } = self;
        let mut queues = hosts.queues();
        let waiting = ledger.batching_host(steps.lanes(), &queues);
        let mut item = 0;
        for lanes in steps.lanes().chunk_by(|one, next| ledger.lanes[*one as usize].host == ledger.lanes[*next as usize].host) {
            let host = ledger.lanes[lanes[0] as usize].host as usize;
            let (first, request) = (ledger.hosts[host].first as u32, &mut queues.outboxes[host].request);
            request.steps.extend(lanes.iter().map(|lane| lane - first));
            format.append_actions(&mut request.actions, steps.actions(), item..item + lanes.len());
            item += lanes.len();
        }
        steps.lanes().iter().for_each(|lane| ledger.lanes[*lane as usize].state = OpState::InFlight);
        queues.close_requests(waiting);
        // If a request cannot be sent now, the thread that waits for replies sends it again and reports the error.
        let _reported_later = hosts.send(&mut queues);
    }

    fn is_completed(&mut self, lane: usize) -> bool {
        self.store_arrived_replies();
        self.ledger.lanes[lane].state == OpState::Completed
    }

    fn completed_lanes(&mut self, most: usize, found: &mut Vec<u32>) {
        self.store_arrived_replies();
        let ledger = &self.ledger;
        let arrived = ledger.order.iter().filter_map(|entry| Some((entry.0, ledger.answer(*entry)?)));
        let lanes = arrived.flat_map(|(answer, stored)| stored.lanes.iter().map(move |lane| (answer, *lane)));
        found.extend(lanes.filter(|(answer, lane)| ledger.is_untaken(*lane, *answer)).map(|(_, lane)| lane).take(most));
    }

    fn collect(&mut self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        self.format.take(&mut self.ledger, lane, out)
    }

    fn collect_rows(&mut self, rows: &mut BatchRowWriter<'_>) {
        self.store_arrived_replies();
        let Self { format, ledger, .. } = self;
        let arrived: Vec<_> = ledger.order.iter().filter(|entry| ledger.answer(**entry).is_some()).map(|entry| entry.0).collect();
        for answer in arrived {
            if format.take_run(ledger, answer, rows) {
                continue;
            }
            let stored = ledger.replies[answer as usize].as_ref().filter(|stored| stored.untaken > 0);
            let lanes: Vec<_> = stored.into_iter().flat_map(|stored| &stored.lanes).copied().collect();
            for lane in lanes.into_iter().filter(|lane| ledger.is_untaken(*lane, answer)).collect::<Vec<_>>() {
                rows.collect(lane as usize, |out| format.take(ledger, lane as usize, out));
            }
        }
    }

    fn peek(&mut self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        let Self { format, ledger, .. } = self;
        let row_ref = ledger.lanes[lane].last_row;
        let stored = ledger.replies.get(row_ref.reply as usize)?.as_ref()?;
        if let ReplyBody::Rows(rows) | ReplyBody::Peeked(rows) = &stored.body {
            format.columns.copy(rows.bytes(), stored.lanes.len(), row_ref.row as usize, out);
        }
        None
    }

    fn lose_host(&mut self, host: usize) -> LostLanes {
        self.store_arrived_replies();
        let ledger = &mut self.ledger;
        let HostLanes { first, lanes, .. } = ledger.hosts[host];
        let lanes: Vec<_> = (first..first + lanes).map(|lane| lane as u32).collect();
        let lost = lanes.iter().copied().filter(|lane| ledger.lanes[*lane as usize].state == OpState::InFlight);
        let lost: Vec<_> = lost.collect();
        lost.iter().for_each(|lane| ledger.lanes[*lane as usize].state = OpState::Idle);
        let outbox = &mut self.hosts.queues().outboxes[host];
        outbox.request = HostRequest::default();
        outbox.unsent.clear();
        outbox.unanswered.clear();
        LostLanes { lanes, lost }
    }

    fn restart_host(&mut self, host: usize) -> Result<(), LaneError> {
        let next = self.hosts.queues().outboxes[host].requests + 1;
        self.hosts.transport.restart(host, next)?;
        self.ledger.hosts[host].replay_rounds = 2;
        Ok(())
    }
}

impl BackendWaiter for RemoteHosts {
    fn wait(&self, _wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        {
            let mut queues = self.queues();
            queues.close_requests(None);
            self.send(&mut queues)?;
        }
        let arrivals = self.transport.wait(until)?;
        if !arrivals.is_empty() {
            self.queues().deliveries.extend(arrivals);
            self.has_arrivals.store(true, Ordering::Release);
        }
        Ok(())
    }

    fn next_loss(&self) -> Option<HostLoss> {
        self.transport.next_loss()
    }

    fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError> {
        self.transport.close(until, by_force)
    }
}

//! The backend that runs lanes on remote hosts.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::bytes::{append, write};
use super::externally_locked::{ExternallyLocked, ExternallyLockedGuard};
use super::host::bytes_of;
use super::host_reply::{HostReply, ReplyBody, decode_reply};
use super::host_transport::{Delivery, HostTransport};
use super::request::{HostRequest, plain_options};
use super::wire_columns::{ReplyRows, WireColumns};
use envpool_rs_engine::{
    Action, ActionColumn, ActionKey, BackendSpec, BatchRowWriter, Error, HostLoss, LaneBackend, LaneError, LaneOp, LaneReply,
    Outputs, Payload, Pool, PoolConfig, Result, RowWriter, StagedSteps, StepReply, WaitTarget,
};

/// A lane's staged operation, until it is added to its host's request.
enum StagedOp {
    None,
    /// A step. Its action is in `RemoteLedger::actions`.
    Step,
    Reset(Box<Reset>),
    Save,
    Load(Box<[u8]>),
}

/// Seed and options of a reset.
type Reset = (Option<u64>, Vec<(String, f64)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum OpState {
    Idle,
    /// The operation is in the host's request, or will be.
    InFlight,
    Completed,
}

/// A row of a stored reply.
#[derive(Clone, Copy)]
struct RowRef {
    reply: u32,
    row: u32,
}

const NO_ROW: RowRef = RowRef { reply: u32::MAX, row: 0 };

struct RemoteLane {
    state: OpState,
    /// Whether the lane's last reply was not a row. Its next operation then follows at once.
    is_replaying: bool,
    host: u32,
    /// Reply to the lane's pending operation.
    reply: RowRef,
    /// Row of the lane's last observation.
    last_row: RowRef,
}

/// A reply, stored until all its lanes are taken and none refers to it for its last observation.
struct StoredReply {
    lanes: Vec<u32>,
    body: ReplyBody,
    users: usize,
    /// Number of lanes not yet taken.
    untaken: usize,
    /// Sequence number of the reply.
    number: u64,
}

/// The lanes of one host.
struct HostLanes {
    first: usize,
    lanes: usize,
    /// Number of lanes whose replies were not taken.
    untaken: usize,
    /// Set when the host is restarted: while positive, its lanes may be replaying. Decremented by requests that start while the
    /// host is idle.
    replay_rounds: u32,
}

/// The ledger of all remote lanes.
struct RemoteLedger {
    lanes: Vec<RemoteLane>,
    /// Staged operation of each lane.
    staged: Vec<StagedOp>,
    hosts: Vec<HostLanes>,
    /// Action of each lane: all its arrays, concatenated.
    actions: Vec<u8>,
    replies: Vec<Option<StoredReply>>,
    /// Indices of unused entries of `kept`.
    free: Vec<u32>,
    /// Indices and sequence numbers of replies, in order of arrival. An entry whose sequence number differs from the stored
    /// reply's is stale.
    order: VecDeque<(u32, u64)>,
    answers: u64,
    untaken: usize,
}

/// Outgoing requests of one host.
#[derive(Default)]
struct HostOutbox {
    /// The next request, being assembled.
    request: HostRequest,
    /// Encoded requests that have not been sent.
    unsent: VecDeque<(u64, Vec<u8>)>,
    /// Lanes of each request without a reply, numbered within the host.
    unanswered: VecDeque<(u64, Vec<u32>)>,
    requests: u64,
}

/// Outgoing requests and incoming replies of all hosts.
struct HostQueues {
    outboxes: Vec<HostOutbox>,
    deliveries: Vec<Delivery>,
}

/// Creates a pool whose lanes run on the hosts that `transport` reaches. Host `k` has `shares[k]` idle environments, and its
/// replies have `columns`.
///
/// # Errors
/// As [`Pool::with_backend`]; `State` if the hosts' environments do not add up to `config.num_envs`.
pub fn pool(
    transport: Box<dyn HostTransport>,
    shares: &[usize],
    columns: WireColumns,
    form: BackendSpec,
    config: PoolConfig,
    outputs: Outputs,
) -> Result<Pool> {
    if shares.iter().sum::<usize>() != config.num_envs {
        return Err(Error::State("the hosts' environments do not add up to num_envs".into()));
    }
    let lanes = RemoteBackend::new(transport, shares, form.actions.clone(), columns, config.has_final_columns());
    Pool::with_backend(Box::new(lanes), form, config, outputs)
}

/// Backend for the environments of hosts that a [`HostTransport`] reaches. It relies on the pool's lock, so only a pool may own it.
struct RemoteBackend {
    transport: Box<dyn HostTransport>,
    keys: Vec<ActionKey>,
    /// Bytes of an action.
    width: usize,
    columns: WireColumns,
    /// Whether the next episode starts in the row that ends an episode.
    autoresets: bool,
    /// Accessed under the pool's lock.
    ledger: ExternallyLocked<RemoteLedger>,
    /// Also accessed by the waiting thread.
    mail: Mutex<HostQueues>,
    has_arrivals: AtomicBool,
    /// Hosts whose loss was detected and not yet reported.
    unreported_losses: Mutex<Vec<(usize, LaneError)>>,
}

impl RemoteBackend {
    fn new(
        transport: Box<dyn HostTransport>,
        lanes: &[usize],
        keys: Vec<ActionKey>,
        columns: WireColumns,
        autoresets: bool,
    ) -> Self {
        let mut all = Vec::with_capacity(lanes.iter().sum());
        let mut hosts = Vec::with_capacity(lanes.len());
        for (host, count) in (0..).zip(lanes) {
            hosts.push(HostLanes { first: all.len(), lanes: *count, untaken: 0, replay_rounds: 0 });
            all.extend((0..*count).map(|_| RemoteLane {
                state: OpState::Idle,
                is_replaying: false,
                host,
                reply: NO_ROW,
                last_row: NO_ROW,
            }));
        }
        let width = keys.iter().map(bytes_of).sum();
        let actions = vec![0; width * all.len()];
        let staged = all.iter().map(|_| StagedOp::None).collect();
        let outboxes = lanes.iter().map(|_| HostOutbox::default()).collect();
        let (replies, free, order) = (Vec::new(), Vec::new(), VecDeque::new());
        Self {
            transport,
            keys,
            width,
            columns,
            autoresets,
            ledger: ExternallyLocked::new(RemoteLedger {
                lanes: all,
                staged,
                hosts,
                actions,
                replies,
                free,
                order,
                answers: 0,
                untaken: 0,
            }),
            mail: Mutex::new(HostQueues { outboxes, deliveries: Vec::new() }),
            has_arrivals: AtomicBool::new(false),
            unreported_losses: Mutex::default(),
        }
    }

    /// Returns access to the ledger.
    #[inline(always)]
    fn access_ledger(&self) -> ExternallyLockedGuard<'_, RemoteLedger> {
        // SAFETY: only a pool owns this value (see `pool`). The pool calls all methods that get here one at a time, under its
        // lock, and none of these methods calls another one.
        unsafe { self.ledger.enter() }
    }

    fn queues(&self) -> MutexGuard<'_, HostQueues> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends all encoded requests.
    fn send(&self, mail: &mut HostQueues) -> Result<()> {
        for (place, way) in mail.outboxes.iter_mut().enumerate() {
            while let Some((number, request)) = way.unsent.front() {
                self.transport.send(place, *number, request)?;
                way.unsent.pop_front();
            }
        }
        Ok(())
    }

    /// Stores the replies that have arrived.
    #[cold]
    fn store_replies(&self, ledger: &mut RemoteLedger) {
        let mut mail = self.queues();
        self.has_arrivals.store(false, Ordering::Relaxed);
        for arrival in std::mem::take(&mut mail.deliveries) {
            let Delivery { host: place, number, reply: answer } = arrival;
            let way = &mut mail.outboxes[place];
            let Some(asked) = way.unanswered.iter().position(|(asked, _)| *asked == number) else { continue };
            let (_, lanes) = way.unanswered.remove(asked).expect("it was found there");
            let unreadable = || LaneError::raised("its host sent a malformed reply", Vec::new());
            let (fault, replies) = match answer {
                Ok(bytes) => (unreadable(), decode_reply(bytes, &self.columns).unwrap_or_default()),
                Err(fault) => (fault, Vec::new()),
            };
            replies.into_iter().for_each(|reply| ledger.store_reply(place, reply));
            // Lanes without a reply now will never get one.
            let share = &ledger.hosts[place];
            let lanes = lanes.into_iter().filter(|lane| ledger.lanes[share.first + *lane as usize].state == OpState::InFlight);
            let lanes: Vec<_> = lanes.collect();
            for lane in lanes {
                ledger.store_reply(place, HostReply { lanes: vec![lane], body: ReplyBody::Failed(fault.clone()) });
            }
        }
    }

    #[inline]
    fn store_arrived_replies(&self, ledger: &mut RemoteLedger) {
        if self.has_arrivals.load(Ordering::Acquire) {
            self.store_replies(ledger);
        }
    }

    fn write_action(&self, to: &mut [u8], action: Action<'_>) {
        let mut place = 0;
        for (index, key) in self.keys.iter().enumerate() {
            let width = key.values_per_row();
            let bytes = &mut to[place..place + bytes_of(key)];
            place += bytes.len();
            match (key.discrete, key.is_f64) {
                (Some(_), _) => write(bytes, action.discretes(index, width), |value| value.to_ne_bytes()),
                (None, true) => write(bytes, action.doubles(index, width), |value| value.to_ne_bytes()),
                (None, false) => write(bytes, action.continuous(index, width), |value| value.to_ne_bytes()),
            }
        }
    }

    /// Appends rows of action arrays, each row's arrays concatenated.
    fn append_actions(&self, to: &mut Vec<u8>, columns: &[ActionColumn], rows: Range<usize>) {
        let mut append_rows = |key: usize, rows: Range<usize>| {
            let (column, width) = (&columns[key], self.keys[key].values_per_row());
            let range = rows.start * width..rows.end * width;
            match column {
                ActionColumn::I32(values) => append(to, &values[range], i32::to_ne_bytes),
                ActionColumn::F32(values) => append(to, &values[range], f32::to_ne_bytes),
                ActionColumn::F64(values) => append(to, &values[range], f64::to_ne_bytes),
                ActionColumn::Raw(bytes) => to.extend_from_slice(&bytes[range]),
                ActionColumn::Payloads { .. } => {}
            }
        };
        match &self.keys[..] {
            [_] => append_rows(0, rows),
            keys => rows.for_each(|row| (0..keys.len()).for_each(|key| append_rows(key, row..row + 1))),
        }
    }

    /// Takes the reply of a lane.
    fn take(&self, ledger: &mut RemoteLedger, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        let RemoteLane { state, reply: place, host: share, .. } = ledger.lanes[lane];
        let kept = ledger.replies.get_mut(place.reply as usize).and_then(Option::as_mut).filter(|_| state == OpState::Completed);
        let Some(kept) = kept else {
            return LaneReply::Failed(LaneError::raised(format!("env_id {lane} has no result to be taken"), Vec::new()));
        };
        let answer = match &kept.body {
            ReplyBody::Rows(rows) => {
                let (bytes, count, row) = (rows.bytes(), kept.lanes.len(), place.row as usize);
                self.columns.copy(bytes, count, row, out);
                self.row(&self.columns.rows(bytes, count), row, out)
            }
            ReplyBody::Peeked(_) => LaneReply::Value(Payload::default()),
            ReplyBody::Value(value) => LaneReply::Value(value[..].into()),
            ReplyBody::Failed(fault) => LaneReply::Failed(fault.clone()),
        };
        kept.untaken -= 1;
        let shows = matches!(kept.body, ReplyBody::Rows(_) | ReplyBody::Peeked(_));
        ledger.lanes[lane].is_replaying = !matches!(kept.body, ReplyBody::Rows(_));
        ledger.lanes[lane].state = OpState::Idle;
        match shows {
            true => ledger.set_last_row(lane, place),
            false => ledger.discard(place.reply, 1),
        }
        ledger.record_taken(share, 1);
        answer
    }

    /// Reads the flags, counters and rewards of a row.
    #[inline]
    fn row(&self, rows: &ReplyRows<'_>, row: usize, out: &mut RowWriter<'_>) -> LaneReply {
        let answered = rows.step_reply(row, out.rewards);
        let did_autoreset = self.autoresets && (answered.terminated || answered.truncated);
        LaneReply::Row(StepReply { did_autoreset, ..answered })
    }

    /// Takes all rows of a reply at once, if none was taken and the pool awaits them in order. Returns whether it
    /// did.
    fn take_run(&self, ledger: &mut RemoteLedger, answer: u32, rows: &mut BatchRowWriter<'_>) -> bool {
        let kept = &mut ledger.replies[answer as usize];
        let is_whole = |kept: &&mut StoredReply| kept.untaken == kept.lanes.len() && matches!(kept.body, ReplyBody::Rows(_));
        let Some(StoredReply { lanes, body: ReplyBody::Rows(bytes), untaken, .. }) = kept.as_mut().filter(is_whole) else {
            return false;
        };
        let Some(run) = rows.row_range(lanes) else { return false };
        *untaken = 0;
        let (bytes, count) = (bytes.bytes(), lanes.len());
        self.columns.copy_all(bytes, count, run, rows);
        let decoded = self.columns.rows(bytes, count);
        // Replies that held the lanes' previous observations, mostly rows of one reply.
        let (mut before, mut left) = (NO_ROW.reply, Vec::new());
        let (mut same, share) = (0, ledger.lanes[lanes[0] as usize].host);
        for (row, lane) in lanes.iter().enumerate() {
            rows.collect(*lane as usize, |out| self.row(&decoded, row, out));
            let lane = &mut ledger.lanes[*lane as usize];
            (lane.state, lane.is_replaying) = (OpState::Idle, false);
            let shown = std::mem::replace(&mut lane.last_row, RowRef { reply: answer, row: row as u32 });
            if shown.reply != before {
                left.push((before, std::mem::take(&mut same)));
                before = shown.reply;
            }
            same += 1;
        }
        left.push((before, same));
        left.into_iter().for_each(|(answer, count)| ledger.discard(answer, count));
        ledger.record_taken(share, count);
        true
    }
}

impl RemoteLedger {
    /// Returns the host whose request should wait for more of its lanes. Lanes that replay operations come one by one, as their
    /// replies are taken, and their operations are sent together. The next waiting thread sends them.
    fn batching_host(&mut self, lanes: &[u32], mail: &HostQueues) -> Option<usize> {
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

    /// Adds a lane's staged operation to its host's next request.
    fn add_to_request(&mut self, index: usize, width: usize, mail: &mut HostQueues) {
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

    /// Stores the reply of some lanes of a host; ignored unless all of them have a pending operation.
    fn store_reply(&mut self, place: usize, reply: HostReply) {
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

    fn record_taken(&mut self, place: u32, count: usize) {
        self.hosts[place as usize].untaken -= count;
        self.untaken -= count;
        if self.untaken == 0 {
            self.order.clear();
        }
    }

    /// Releases a stored reply for `count` lanes, and removes it after the last one.
    fn discard(&mut self, answer: u32, count: usize) {
        let Some(place) = self.replies.get_mut(answer as usize) else { return };
        let Some(kept) = place else { return };
        kept.users -= count;
        if kept.users == 0 {
            *place = None;
            self.free.push(answer);
        }
    }

    /// Sets the row of a lane's last observation. The lane is already counted as a user of the row's reply.
    fn set_last_row(&mut self, lane: usize, place: RowRef) {
        let before = std::mem::replace(&mut self.lanes[lane].last_row, place);
        self.discard(before.reply, 1);
    }

    /// Returns the stored reply with this index, if it still has this sequence number.
    fn answer(&self, (answer, number): (u32, u64)) -> Option<&StoredReply> {
        self.replies[answer as usize].as_ref().filter(|kept| kept.number == number)
    }

    /// Whether a lane's reply is `answer`, and has not been taken.
    fn is_untaken(&self, lane: u32, answer: u32) -> bool {
        let lane = &self.lanes[lane as usize];
        lane.state == OpState::Completed && lane.reply.reply == answer
    }
}

impl HostQueues {
    /// Encodes the requests of all hosts except the one that `waiting` names.
    fn close_requests(&mut self, waiting: Option<usize>) {
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

impl LaneBackend for RemoteBackend {
    fn stage(&self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        let ledger = &mut *self.access_ledger();
        let action = &mut ledger.actions[lane * self.width..][..self.width];
        ledger.staged[lane] = match asked {
            LaneOp::Step { action: given, .. } => {
                self.write_action(action, given);
                StagedOp::Step
            }
            LaneOp::Next { .. } => {
                // The host knows that the episode has ended, and ignores the action.
                action.fill(0);
                StagedOp::Step
            }
            LaneOp::Reset { seed, options } => StagedOp::Reset(Box::new((seed, plain_options(options)))),
            LaneOp::Save => StagedOp::Save,
            LaneOp::Load(state) => StagedOp::Load(state.into()),
            LaneOp::Call(_) => return Err(Error::State("environments of remote hosts accept no calls".into())),
        };
        Ok(())
    }

    fn submit(&self, lanes: &[u32]) {
        let ledger = &mut *self.access_ledger();
        let mut mail = self.queues();
        let waiting = ledger.batching_host(lanes, &mail);
        lanes.iter().for_each(|lane| ledger.add_to_request(*lane as usize, self.width, &mut mail));
        mail.close_requests(waiting);
        // The waiting thread retries requests that cannot be sent.
        let _reported_later = self.send(&mut mail);
    }

    fn stage_steps(&self, _steps: &StagedSteps<'_>) -> Result<()> {
        Ok(()) // no step is too long, and `submit_steps` writes the steps
    }

    fn submit_steps(&self, steps: &StagedSteps<'_>) {
        let ledger = &mut *self.access_ledger();
        let mut mail = self.queues();
        let waiting = ledger.batching_host(steps.lanes(), &mail);
        let mut item = 0;
        for lanes in steps.lanes().chunk_by(|one, next| ledger.lanes[*one as usize].host == ledger.lanes[*next as usize].host) {
            let place = ledger.lanes[lanes[0] as usize].host as usize;
            let (first, request) = (ledger.hosts[place].first as u32, &mut mail.outboxes[place].request);
            request.steps.extend(lanes.iter().map(|lane| lane - first));
            self.append_actions(&mut request.actions, steps.actions(), item..item + lanes.len());
            item += lanes.len();
        }
        steps.lanes().iter().for_each(|lane| ledger.lanes[*lane as usize].state = OpState::InFlight);
        mail.close_requests(waiting);
        // The waiting thread retries requests that cannot be sent.
        let _reported_later = self.send(&mut mail);
    }

    fn is_completed(&self, lane: usize) -> bool {
        let ledger = &mut *self.access_ledger();
        self.store_arrived_replies(ledger);
        ledger.lanes[lane].state == OpState::Completed
    }

    fn completed_lanes(&self, most: usize, found: &mut Vec<u32>) {
        let ledger = &mut *self.access_ledger();
        self.store_arrived_replies(ledger);
        let there = ledger.order.iter().filter_map(|place| Some((place.0, ledger.answer(*place)?)));
        let lanes = there.flat_map(|(answer, kept)| kept.lanes.iter().map(move |lane| (answer, *lane)));
        found.extend(lanes.filter(|(answer, lane)| ledger.is_untaken(*lane, *answer)).map(|(_, lane)| lane).take(most));
    }

    fn wait(&self, _wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        {
            let mut mail = self.queues();
            mail.close_requests(None);
            self.send(&mut mail)?;
        }
        let arrivals = self.transport.wait(until)?;
        if !arrivals.is_empty() {
            self.queues().deliveries.extend(arrivals);
            self.has_arrivals.store(true, Ordering::Release);
        }
        Ok(())
    }

    fn collect(&self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        self.take(&mut self.access_ledger(), lane, out)
    }

    fn collect_rows(&self, rows: &mut BatchRowWriter<'_>) {
        let ledger = &mut *self.access_ledger();
        self.store_arrived_replies(ledger);
        let there: Vec<_> = ledger.order.iter().filter(|place| ledger.answer(**place).is_some()).map(|place| place.0).collect();
        for answer in there {
            if self.take_run(ledger, answer, rows) {
                continue;
            }
            let kept = ledger.replies[answer as usize].as_ref().filter(|kept| kept.untaken > 0);
            let lanes: Vec<_> = kept.into_iter().flat_map(|kept| &kept.lanes).copied().collect();
            for lane in lanes.into_iter().filter(|lane| ledger.is_untaken(*lane, answer)).collect::<Vec<_>>() {
                rows.collect(lane as usize, |out| self.take(ledger, lane as usize, out));
            }
        }
    }

    fn peek(&self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        let ledger = &*self.access_ledger();
        let place = ledger.lanes[lane].last_row;
        let kept = ledger.replies.get(place.reply as usize)?.as_ref()?;
        if let ReplyBody::Rows(rows) | ReplyBody::Peeked(rows) = &kept.body {
            self.columns.copy(rows.bytes(), kept.lanes.len(), place.row as usize, out);
        }
        None
    }

    fn probe_hosts(&self) {
        while let Some(lost) = self.transport.next_loss() {
            self.unreported_losses.lock().unwrap_or_else(PoisonError::into_inner).push(lost);
        }
    }

    fn next_loss(&self) -> Option<HostLoss> {
        let (place, fault) = self.unreported_losses.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
        let ledger = &mut *self.access_ledger();
        self.store_arrived_replies(ledger);
        let HostLanes { first, lanes, .. } = ledger.hosts[place];
        let lanes: Vec<_> = (first..first + lanes).map(|lane| lane as u32).collect();
        let lost = lanes.iter().copied().filter(|lane| ledger.lanes[*lane as usize].state == OpState::InFlight);
        let lost: Vec<_> = lost.collect();
        lost.iter().for_each(|lane| ledger.lanes[*lane as usize].state = OpState::Idle);
        let way = &mut self.queues().outboxes[place];
        way.request = HostRequest::default();
        way.unsent.clear();
        way.unanswered.clear();
        Some(HostLoss { host: place, lanes, lost, fault })
    }

    fn restart_host(&self, place: usize) -> Result<(), LaneError> {
        let next = self.queues().outboxes[place].requests + 1;
        self.transport.restart(place, next)?;
        self.access_ledger().hosts[place].replay_rounds = 2;
        Ok(())
    }

    fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError> {
        self.transport.close(until, by_force)
    }
}

//! Backend that runs the lanes (environments) of a pool on remote hosts.

mod lane_backend;
mod ledger;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::bytes::{append, write};
use super::host::bytes_of;
use super::host_reply::{HostReply, ReplyBody, decode_reply};
use super::host_transport::{Delivery, HostTransport};
use super::request::HostRequest;
use super::wire_columns::{ReplyRows, WireColumns};
use envpool_rs_engine::{
    Action, ActionColumn, ActionKey, BackendSpec, BatchRowWriter, Error, LaneError, LaneReply, Outputs, Payload, Pool,
    PoolConfig, Result, RowWriter, StepReply,
};

/// Operation of a lane that will be added to the next request to the lane's host.
enum StagedOp {
    None,
    /// A step. `RemoteLedger::actions` holds its action.
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
    /// The lane's operation is in a request to the lane's host that has not been answered, or will be added to such a
    /// request.
    InFlight,
    Completed,
}

/// Reference to one row of a stored reply.
#[derive(Clone, Copy)]
struct RowRef {
    reply: u32,
    row: u32,
}

const NO_ROW: RowRef = RowRef { reply: u32::MAX, row: 0 };

struct RemoteLane {
    state: OpState,
    /// Whether the environment's last reply had no results, such as the reply to the loading of a state. Such replies occur only
    /// while the environment's operations since its last snapshot are repeated; the next of them is sent immediately.
    is_replaying: bool,
    host: u32,
    /// Reply to the lane's pending operation.
    reply: RowRef,
    /// Row that holds the lane's last observation.
    last_row: RowRef,
}

/// Reply of a host. The reply is stored until the pool has taken the results of all lanes in the reply, and as long as it
/// contains the last observation of any lane.
struct StoredReply {
    lanes: Vec<u32>,
    body: ReplyBody,
    users: usize,
    /// Number of lanes in this reply whose results the pool has not yet taken.
    untaken: usize,
    /// Sequence number that distinguishes this reply from earlier replies that were stored at the same index.
    number: u64,
}

/// Range of the pool's lanes that run on one host.
struct HostLanes {
    first: usize,
    lanes: usize,
    /// Number of the host's lanes whose replies have arrived but have not been taken by the pool.
    untaken: usize,
    /// Number of further requests during which lanes of a restarted host may replay operations. The number is set when the host
    /// is restarted. Each request that starts while the host is idle decrements it.
    replay_rounds: u32,
}

/// State of all lanes, hosts and stored replies of a remote backend.
struct RemoteLedger {
    lanes: Vec<RemoteLane>,
    /// Staged operation of each lane.
    staged: Vec<StagedOp>,
    hosts: Vec<HostLanes>,
    /// Action of each lane: the lane's action arrays, concatenated.
    actions: Vec<u8>,
    replies: Vec<Option<StoredReply>>,
    /// Indices of the free entries of `replies`.
    free: Vec<u32>,
    /// Index and sequence number of each reply, in order of arrival. An entry is stale if its sequence number differs from the
    /// stored reply's.
    order: VecDeque<(u32, u64)>,
    answers: u64,
    untaken: usize,
}

/// Requests to one host that have not been answered.
#[derive(Default)]
struct HostOutbox {
    /// Request to which operations are being added, and which is sent to the host next.
    request: HostRequest,
    /// Encoded requests that have not been sent, with their numbers.
    unsent: VecDeque<(u64, Vec<u8>)>,
    /// Lanes of each request that has no reply yet, with the number of the request. Lanes are numbered within the host.
    unanswered: VecDeque<(u64, Vec<u32>)>,
    requests: u64,
}

/// Requests to all hosts, and replies that have arrived.
struct HostQueues {
    outboxes: Vec<HostOutbox>,
    deliveries: Vec<Delivery>,
}

/// Creates a pool whose environments run on the hosts that `transport` reaches. Host `k` has `shares[k]` idle environments.
/// Replies contain the columns `columns`.
///
/// # Errors
/// The errors of [`Pool::with_backend`]; `State` if the hosts' numbers of environments do not add up to `config.num_envs`.
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

/// Backend for environments on hosts that a [`HostTransport`] reaches.
struct RemoteBackend {
    format: LaneFormat,
    ledger: RemoteLedger,
    hosts: Arc<RemoteHosts>,
}

/// Format of the actions and results of a lane.
struct LaneFormat {
    keys: Vec<ActionKey>,
    /// Number of bytes of one lane's actions in a step.
    width: usize,
    columns: WireColumns,
    /// Whether a row that ends an episode also starts the next episode (same-step autoreset).
    autoresets: bool,
}

/// The hosts, and queues of requests and replies, which the thread that waits for replies uses, too.
struct RemoteHosts {
    transport: Box<dyn HostTransport>,
    mail: Mutex<HostQueues>,
    has_arrivals: AtomicBool,
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
            format: LaneFormat { keys, width, columns, autoresets },
            ledger: RemoteLedger { lanes: all, staged, hosts, actions, replies, free, order, answers: 0, untaken: 0 },
            hosts: Arc::new(RemoteHosts {
                transport,
                mail: Mutex::new(HostQueues { outboxes, deliveries: Vec::new() }),
                has_arrivals: AtomicBool::new(false),
            }),
        }
    }

    /// Stores in the ledger the replies that have arrived from hosts.
    #[cold]
    fn store_replies(&mut self) {
        let ledger = &mut self.ledger;
        let mut mail = self.hosts.queues();
        self.hosts.has_arrivals.store(false, Ordering::Relaxed);
        for arrival in std::mem::take(&mut mail.deliveries) {
            let Delivery { host: place, number, reply: answer } = arrival;
            let way = &mut mail.outboxes[place];
            let Some(asked) = way.unanswered.iter().position(|(asked, _)| *asked == number) else { continue };
            let (_, lanes) = way.unanswered.remove(asked).expect("it was found there");
            let unreadable = || LaneError::raised("its host sent a malformed reply", Vec::new());
            let (fault, replies) = match answer {
                Ok(bytes) => (unreadable(), decode_reply(bytes, &self.format.columns).unwrap_or_default()),
                Err(fault) => (fault, Vec::new()),
            };
            replies.into_iter().for_each(|reply| ledger.store_reply(place, reply));
            // A lane of the request that is missing in the reply to this request will never get a reply.
            let share = &ledger.hosts[place];
            let lanes = lanes.into_iter().filter(|lane| ledger.lanes[share.first + *lane as usize].state == OpState::InFlight);
            let lanes: Vec<_> = lanes.collect();
            for lane in lanes {
                ledger.store_reply(place, HostReply { lanes: vec![lane], body: ReplyBody::Failed(fault.clone()) });
            }
        }
    }

    #[inline]
    fn store_arrived_replies(&mut self) {
        if self.hosts.has_arrivals.load(Ordering::Acquire) {
            self.store_replies();
        }
    }
}

impl RemoteHosts {
    fn queues(&self) -> MutexGuard<'_, HostQueues> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends all encoded requests that have not been sent yet.
    fn send(&self, mail: &mut HostQueues) -> Result<()> {
        for (place, way) in mail.outboxes.iter_mut().enumerate() {
            while let Some((number, request)) = way.unsent.front() {
                self.transport.send(place, *number, request)?;
                way.unsent.pop_front();
            }
        }
        Ok(())
    }
}

impl LaneFormat {
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

    /// Appends the actions of the given rows to `to`, row by row. The action arrays of each row are concatenated.
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

    /// Takes the stored reply of a lane, and writes its row to `out`.
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

    /// Reads the flags, counters and rewards of a row, and returns them as the reply of its lane.
    #[inline]
    fn row(&self, rows: &ReplyRows<'_>, row: usize, out: &mut RowWriter<'_>) -> LaneReply {
        let answered = rows.step_reply(row, out.rewards);
        let did_autoreset = self.autoresets && (answered.terminated || answered.truncated);
        LaneReply::Row(StepReply { did_autoreset, ..answered })
    }

    /// Takes all rows of a stored reply at once, if no row of the reply was taken before and the pool waits for all rows of
    /// the reply in order. Returns whether the rows were taken.
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
        // `same` counts consecutive lanes whose previous observations are in the stored reply `before`. Usually all lanes of a
        // request refer to the same stored reply.
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

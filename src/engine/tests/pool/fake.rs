//! Fake backend that runs [`super::envs::Counter`]s in this process. Tests decide when, and how often, each operation completes.

mod batched;
mod control;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use envpool_rs_engine::{
    ActionEncoding, ActionKey, BackendSpec, BackendWaiter, Dtype, Error, HostLoss, LaneBackend, LaneError, LaneOp, LaneReply,
    LeafSpec, LostLanes, Payload, Result, RowWriter, StepReply, WaitTarget,
};
use envpool_rs_numeric::random::{Generator, RandomStream};

use super::envs::{COUNT, END, LINGER, PANIC, WAIT};

/// Order and delay of replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Each reply is complete as soon as the operation is sent.
    AtOnce,
    /// One or a few replies arrive during each wait, in an order that this seed determines.
    OutOfOrder(u64),
    /// Replies arrive out of order, as this seed determines. Each may arrive a second time, when no operation is pending.
    Twice(u64),
}

/// Handle with which a test controls the fake backend.
#[derive(Clone)]
pub struct FakeControl(Arc<(Mutex<Inner>, Condvar)>);

struct Inner {
    lanes: Vec<FakeLane>,
    /// Lanes that have completed, in the order of completion.
    answered: VecDeque<u32>,
    /// Lanes whose replies have not arrived yet.
    in_transit: Vec<u32>,
    /// Lanes whose step is blocked because of the action [`WAIT`](super::envs::WAIT).
    at_gate: Vec<u32>,
    is_open: bool,
    pace: Pace,
    random: Generator,
    losses: VecDeque<HostLoss>,
    /// Lanes of each lost host.
    hosts: HashMap<usize, Vec<u32>>,
    /// Lanes of each loss that was not handled, with the number of the host.
    lost: VecDeque<(usize, LostLanes)>,
    restarts: Vec<usize>,
    /// Lane whose host is lost at each of its operations, and the number of times that the host will still be lost.
    doomed: Option<(u32, usize)>,
    is_renewable: bool,
    closed: Vec<bool>,
    refused: Option<u32>,
    /// Number of bytes by which saved states are longer than necessary.
    padding: usize,
    /// Lane that rejects states.
    rejecting: Option<u32>,
    /// Lane for which collecting the next reply panics.
    panics: Option<u32>,
    /// Lanes whose operations were sent, in order.
    submitted: Vec<u32>,
}

#[derive(Clone, Default)]
struct FakeLane {
    drawn: f64,
    count: u32,
    random: Option<Generator>,
    pending: Option<PendingOp>,
    reply: Option<Reply>,
}

#[derive(Clone)]
enum PendingOp {
    Step { action: i32, truncate: bool, autoreset: bool },
    Reset { seed: Option<u64>, options: Option<Payload> },
    Next,
    Call(Vec<u8>),
    Save,
    Load(Vec<u8>),
}

#[derive(Clone)]
struct Reply {
    answer: LaneReply,
    shown: [f64; 2],
    last: Option<[f64; 2]>,
    reward: f64,
}

/// The fake backend that the engine uses; its state belongs to the [`FakeControl`].
pub struct FakeBackend(FakeControl);

/// Action of a step to whose reply the backend adds a payload.
pub const TELL: i32 = 5;

/// Returns the spec of [`Counter`](super::envs::Counter)s in a backend.
pub fn backend_spec(num_envs: usize) -> BackendSpec {
    let key = ActionKey {
        name: "action".into(),
        shape: vec![],
        rows: 1,
        discrete: Some((0, 6)),
        counts: vec![],
        is_f64: false,
        encoding: ActionEncoding::Numbers,
        hint: "",
    };
    BackendSpec {
        infos: vec![LeafSpec::new(Dtype::I64, &[])],
        seeds: (0..num_envs as u64).map(|lane| Some(42 + lane)).collect(),
        task: "Fake-v0()".into(),
        ..BackendSpec::new(vec![LeafSpec::new(Dtype::F64, &[2])], vec![key])
    }
}

impl Inner {
    fn play(&mut self, lane: u32) {
        let FakeLane { drawn, count, random, pending, reply } = &mut self.lanes[lane as usize];
        let Some(op) = pending.take() else { return };
        let (mut reward, mut last, mut is_held) = (0.0, None, false);
        let random = random.get_or_insert_with(|| Generator::from_seed(0));
        let mut answered = StepReply::default();
        let answer = match op {
            PendingOp::Step { action: PANIC, .. } => LaneReply::Failed(LaneError::raised("it was asked to", vec![lane as u8])),
            PendingOp::Step { action, truncate, autoreset } => {
                let _moves_the_stream_on = random.random();
                *count += 1;
                reward = f64::from(*count);
                answered.terminated = action == END;
                is_held = action == WAIT && !self.is_open;
                answered.payload = (action == TELL).then(|| Payload::from(vec![lane as u8, *count as u8]));
                assert!([COUNT, END, LINGER, WAIT, TELL].contains(&action));
                if (answered.terminated || truncate) && autoreset {
                    last = Some([*drawn, f64::from(*count)]);
                    (*drawn, *count) = (random.random(), 0);
                    answered.did_autoreset = true;
                }
                LaneReply::Row(answered)
            }
            PendingOp::Reset { seed, options } => {
                if let Some(seed) = seed {
                    *random = Generator::from_seed(seed);
                }
                (*drawn, *count) = (random.random(), 0);
                answered.payload = options;
                LaneReply::Row(answered)
            }
            PendingOp::Next => {
                (*drawn, *count) = (random.random(), 0);
                LaneReply::Row(answered)
            }
            PendingOp::Call(bytes) if bytes == b"fail" => LaneReply::Failed(LaneError::raised("it was asked to", bytes)),
            PendingOp::Call(bytes) => {
                is_held = bytes == b"wait" && !self.is_open;
                LaneReply::Value(Payload::from([&bytes[..], &[lane as u8]].concat()))
            }
            PendingOp::Save => {
                let mut state = postcard::to_stdvec(&(*drawn, *count, &*random)).unwrap();
                state.resize(state.len() + self.padding, 0);
                LaneReply::Value(state.into())
            }
            PendingOp::Load(_) if self.rejecting == Some(lane) => {
                LaneReply::Failed(LaneError::raised("it rejects states", Vec::new()))
            }
            PendingOp::Load(bytes) => match postcard::from_bytes::<(f64, u32, Generator)>(&bytes) {
                Ok(state) => {
                    (*drawn, *count, *random) = state;
                    LaneReply::Value(Payload::default())
                }
                Err(error) => LaneReply::Failed(LaneError::raised(error.to_string(), Vec::new())),
            },
        };
        *reply = Some(Reply { answer, shown: [*drawn, f64::from(*count)], last, reward });
        match self.pace {
            _ if is_held => self.at_gate.push(lane),
            Pace::AtOnce => self.answered.push_back(lane),
            _ => self.in_transit.push(lane),
        }
    }

    /// Completes one to three of the lanes whose replies have not arrived yet.
    fn deliver(&mut self) {
        let count = 1 + (self.random.random() * 3.0) as usize;
        for _ in 0..count.min(self.in_transit.len()) {
            let which = (self.random.random() * self.in_transit.len() as f64) as usize;
            let lane = self.in_transit.swap_remove(which);
            self.answered.push_back(lane);
        }
    }

    /// Records the loss of a host, and of the operations of the lanes `lost`.
    fn record_loss(&mut self, host: usize, lanes: Vec<u32>, lost: Vec<u32>, fault: LaneError) {
        self.hosts.insert(host, lanes.clone());
        self.lost.push_back((host, LostLanes { lanes, lost }));
        self.losses.push_back(HostLoss { host, fault });
    }

    fn is_there(&self, wanted: &WaitTarget<'_>) -> bool {
        let is_wanted = |lane: &&u32| wanted.lanes.is_none_or(|lanes| lanes.contains(lane));
        self.answered.iter().filter(is_wanted).count() >= wanted.count
    }
}

impl Inner {
    /// Returns an error if the test has requested that the lane's next operation is rejected.
    fn check(&mut self, lane: u32) -> Result<()> {
        if self.refused == Some(lane) {
            self.refused = None;
            return Err(Error::Value("action: too long".into()));
        }
        assert!(!self.answered.contains(&lane) || matches!(self.pace, Pace::Twice(_)), "an answer of it is not taken");
        Ok(())
    }

    /// Removes and returns a lane's reply.
    fn take(&mut self, lane: u32) -> Reply {
        assert!(self.answered.contains(&lane), "lane {lane} has not answered");
        self.answered.retain(|other| *other != lane);
        if matches!(self.pace, Pace::Twice(_)) && self.random.random() < 0.5 {
            self.answered.push_back(lane);
        }
        assert!(self.panics.take_if(|panics| *panics == lane).is_none(), "it was asked to");
        self.lanes[lane as usize].reply.clone().expect("it was played")
    }
}

impl LaneBackend for FakeBackend {
    fn waiter(&self) -> Arc<dyn BackendWaiter> {
        Arc::new(self.0.clone())
    }

    fn stage(&mut self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        let mut inner = self.0.lock();
        inner.check(lane as u32)?;
        inner.lanes[lane].pending = Some(match asked {
            LaneOp::Step { action, truncate, autoreset } => PendingOp::Step { action: action.discrete(), truncate, autoreset },
            LaneOp::Reset { seed, options, .. } => PendingOp::Reset { seed, options: options.message().cloned() },
            LaneOp::Next { .. } => PendingOp::Next,
            LaneOp::Call(payload) => PendingOp::Call(payload.bytes().to_vec()),
            LaneOp::Save => PendingOp::Save,
            LaneOp::Load(bytes) => PendingOp::Load(bytes.to_vec()),
        });
        Ok(())
    }

    fn submit(&mut self, lanes: &[u32]) {
        let mut inner = self.0.lock();
        inner.submitted.extend(lanes);
        for lane in lanes {
            // A late reply to an earlier operation of the lane is discarded.
            inner.answered.retain(|other| other != lane);
            if let Some((_, times)) = inner.doomed.as_mut().filter(|(doomed, times)| doomed == lane && *times > 0) {
                *times -= 1;
                let fault = LaneError::host_lost("it is doomed", Vec::new());
                inner.record_loss(5, vec![*lane], vec![*lane], fault);
            } else {
                inner.play(*lane);
            }
        }
        self.0.0.1.notify_all();
    }

    fn is_completed(&mut self, lane: usize) -> bool {
        self.0.lock().answered.contains(&(lane as u32))
    }

    fn completed_lanes(&mut self, most: usize, found: &mut Vec<u32>) {
        found.extend(self.0.lock().answered.iter().take(most));
    }

    fn collect(&mut self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        let Reply { answer, shown, last, reward } = self.0.lock().take(lane as u32);
        out.rewards[0] = reward;
        out.observation().write(0, &shown);
        out.infos().scalar(0, shown[1]);
        if let Some(last) = last {
            out.final_observation().write(0, &last);
            out.final_infos().scalar(0, last[1]);
        }
        answer
    }

    fn peek(&mut self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        let inner = self.0.lock();
        let FakeLane { drawn, count, .. } = inner.lanes[lane];
        out.observation().write(0, &[drawn, f64::from(count)]);
        out.infos().scalar(0, i64::from(count));
        None
    }

    fn lose_host(&mut self, host: usize) -> LostLanes {
        let mut inner = self.0.lock();
        let first = inner.lost.iter().position(|(other, _)| *other == host).expect("it was lost");
        inner.lost.remove(first).expect("it was found there").1
    }

    fn restart_host(&mut self, host: usize) -> Result<(), LaneError> {
        let mut inner = self.0.lock();
        if !inner.is_renewable {
            return Err(LaneError::host_lost("it would not come back", vec![host as u8]));
        }
        inner.restarts.push(host);
        for lane in inner.hosts[&host].clone() {
            // Replies that were complete before the host was lost can still be collected.
            let reply = inner.lanes[lane as usize].reply.take();
            inner.lanes[lane as usize] = FakeLane { reply, ..FakeLane::default() };
        }
        Ok(())
    }
}

impl BackendWaiter for FakeControl {
    fn wait(&self, wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        let mut inner = self.lock();
        inner.deliver();
        while !inner.is_there(&wanted) && inner.in_transit.is_empty() && inner.losses.is_empty() && inner.closed.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            inner = self.0.1.wait_timeout(inner, left).unwrap().0;
        }
        Ok(())
    }

    fn next_loss(&self) -> Option<HostLoss> {
        self.lock().losses.pop_front()
    }

    fn close(&self, _until: Instant, by_force: bool) -> Vec<LaneError> {
        let mut inner = self.lock();
        inner.closed.push(by_force);
        // Each environment replies to the call of `close`, as environments in worker processes do.
        for lane in 0..inner.lanes.len() {
            let answer = LaneReply::Value(Payload::default());
            inner.lanes[lane].reply = Some(Reply { answer, shown: [0.0; 2], last: None, reward: 0.0 });
            inner.answered.retain(|other| *other != lane as u32);
            inner.answered.push_back(lane as u32);
        }
        drop(inner);
        self.0.1.notify_all();
        vec![LaneError::raised("it would not end", Vec::new())]
    }
}

/// Returns the payload of each environment in a batch.
pub fn payloads(batch: &envpool_rs_engine::Batch) -> HashMap<usize, Vec<u8>> {
    let ids = super::ids(batch);
    batch.payloads.iter().map(|(row, message)| (ids[*row as usize] as usize, message.bytes().to_vec())).collect()
}

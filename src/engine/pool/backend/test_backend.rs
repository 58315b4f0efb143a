//! Backend for unit tests whose replies the test sets, and a pool core that uses it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use crate::backend::lane_op::{LaneOp, LaneReply, StepReply};
use crate::backend::row_writer::RowWriter;
use crate::backend::steps::StagedSteps;
use crate::backend::traits::{BackendWaiter, LaneBackend, WaitTarget};
use crate::contract::backend_spec::{BackendSpec, LeafSpec};
use crate::contract::config::PoolConfig;
use crate::contract::error::{Error, Result};
use crate::contract::frame::RenderSpec;
use crate::contract::lane_error::{LaneError, Payload};
use crate::contract::options::ResetOptions;
use crate::contract::space::Dtype;
use crate::exec::request_kind::{LaneList, RequestKind};
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::ledger::LaneState;
use crate::pool::pool_core::PoolCore;
use crate::pool::receiver::Receiver;
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::results::batch::Batch;
use crate::results::layout::{Dialect, Format, Layout, Outputs};
use crate::tasks::lane_tasks::LaneTasks;
use crate::threads::interrupt_poller::InterruptPoller;

/// Handle with which a test controls the backend; clones share its state.
#[derive(Clone, Default)]
pub struct Script(Arc<Mutex<ScriptState>>);

#[derive(Default)]
pub struct ScriptState {
    /// Operations that were staged, each with its lane, in order.
    pub staged: Vec<(u32, String)>,
    /// Number of requests that were staged with one call of `stage_steps`.
    pub staged_together: usize,
    /// Lanes whose operations were submitted, in order.
    pub submitted: Vec<u32>,
    /// Replies that can be collected, each with its lane, in order of arrival.
    replies: VecDeque<(u32, LaneReply)>,
    /// Replies that arrive during the next wait, each with its lane.
    pub coming: Vec<(u32, LaneReply)>,
    /// Lane for which staging returns an error; `None` for no lane.
    pub refused: Option<u32>,
    /// Whether the backend can cancel calls.
    pub cancels: bool,
    /// State of each lane at the time it was submitted.
    pub at_submit: Vec<LaneState>,
    watched: Option<Arc<PoolCore>>,
}

impl Script {
    pub fn state(&self) -> MutexGuard<'_, ScriptState> {
        self.0.lock().unwrap()
    }

    /// Makes `reply` available as the lane's reply.
    pub fn reply(&self, lane: u32, reply: LaneReply) {
        self.state().replies.push_back((lane, reply));
    }

    /// Makes a reply to a step or reset arrive for each of the lanes.
    pub fn reply_rows(&self, lanes: &[u32]) {
        lanes.iter().for_each(|lane| self.reply(*lane, LaneReply::Row(StepReply::default())));
    }

    /// Returns the operations staged since the last call of this method.
    pub fn take_staged(&self) -> Vec<(u32, String)> {
        std::mem::take(&mut self.state().staged)
    }
}

impl LaneBackend for Script {
    fn waiter(&self) -> Arc<dyn BackendWaiter> {
        Arc::new(self.clone())
    }

    fn stage(&mut self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        if self.state().refused == Some(lane as u32) {
            return Err(Error::Value("too long".into()));
        }
        let op = match asked {
            LaneOp::Step { truncate, autoreset, .. } => format!("step truncate={truncate} autoreset={autoreset}"),
            LaneOp::Reset { seed, .. } => format!("reset {seed:?}"),
            LaneOp::Next { ended } => format!("next after {}", ended.elapsed),
            LaneOp::Call(payload) => format!("call {:?}", payload.bytes()),
            LaneOp::Save => "save".to_owned(),
            LaneOp::Load(state) => format!("load {state:?}"),
        };
        self.state().staged.push((lane as u32, op));
        Ok(())
    }

    fn stage_steps(&mut self, steps: &StagedSteps<'_>) -> Result<()> {
        self.state().staged_together += 1;
        (0..steps.lanes().len()).try_for_each(|item| self.stage(steps.lanes()[item] as usize, steps.op(item)))
    }

    fn submit(&mut self, lanes: &[u32]) {
        let mut inner = self.state();
        inner.submitted.extend(lanes);
        if let Some(core) = inner.watched.clone() {
            inner.at_submit.extend(lanes.iter().map(|lane| core.ledger.state(*lane as usize)));
        }
    }

    fn is_completed(&mut self, lane: usize) -> bool {
        self.state().replies.iter().any(|(other, _)| *other as usize == lane)
    }

    fn completed_lanes(&mut self, most: usize, found: &mut Vec<u32>) {
        found.extend(self.state().replies.iter().map(|(lane, _)| *lane).take(most));
    }

    fn collect(&mut self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        let mut inner = self.state();
        let place = inner.replies.iter().position(|(other, _)| *other as usize == lane).expect("it has replied");
        out.rewards[0] = 7.0;
        inner.replies.remove(place).expect("it was found there").1
    }

    fn cancel(&mut self, _lane: usize) -> bool {
        self.state().cancels
    }

    fn peek(&mut self, _lane: usize, _out: &mut RowWriter<'_>) -> Option<Payload> {
        Some(Payload::from(vec![1]))
    }
}

impl BackendWaiter for Script {
    fn wait(&self, _wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        let mut inner = self.state();
        let coming = std::mem::take(&mut inner.coming);
        if coming.is_empty() {
            drop(inner);
            std::thread::sleep(until.saturating_duration_since(Instant::now()));
            return Ok(());
        }
        inner.replies.extend(coming);
        Ok(())
    }

    fn close(&self, _until: Instant, _by_force: bool) -> Vec<LaneError> {
        Vec::new()
    }
}

/// Pool core and executor whose backend is a [`Script`].
pub struct Fixture {
    pub core: Arc<PoolCore>,
    pub executor: BackendExecutor,
    pub script: Script,
    pub receiver: Receiver,
    sender: Sender,
}

impl Fixture {
    /// Creates a fixture whose lanes have never been reset; their first seeds are 40, 41 and so on. `change` modifies the
    /// backend's spec.
    pub fn new(config: PoolConfig, change: impl FnOnce(&mut BackendSpec)) -> Self {
        let mut form = BackendSpec::new(vec![LeafSpec::new(Dtype::F64, &[1])], Vec::new());
        form.seeds = (40..40 + config.num_envs as u64).map(Some).collect();
        change(&mut form);
        let layout =
            Arc::new(Layout::from_backend_spec(&form, Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium }, &config));
        let script = Script::default();
        let tasks = LaneTasks::from_runs(vec![(config.num_envs, form.task.clone())]);
        let core = PoolCore::new(config, layout, form.actions.clone(), form.players, tasks, RenderSpec::default());
        let core = Arc::new(core);
        let executor = BackendExecutor::new(Arc::clone(&core), Box::new(script.clone()), &form, None).unwrap();
        script.state().watched = Some(Arc::clone(&core));
        let sender = Sender::new(core.config.num_envs, &core.keys, None);
        Self { core, executor, script, receiver: Receiver::new(None, None), sender }
    }

    /// Creates a synchronous pool of `lanes` lanes, without recovery.
    pub fn sync(lanes: i64) -> Self {
        Self::new(PoolConfig::new(lanes).unwrap(), |_| {})
    }

    /// Creates a synchronous pool of `lanes` lanes, and resets it.
    pub fn reset(lanes: i64) -> Self {
        let mut fixture = Self::sync(lanes);
        let all: Vec<_> = (0..lanes as u32).collect();
        fixture.send(reset_of(LaneList::All(lanes as usize))).unwrap();
        fixture.script.reply_rows(&all);
        fixture.recv(None).unwrap();
        let mut inner = fixture.script.state();
        *inner = ScriptState { watched: inner.watched.take(), ..ScriptState::default() };
        drop(inner);
        fixture
    }

    /// Sends a request to the backend through the executor.
    pub fn send(&mut self, request: Request) -> Result<()> {
        *self.sender.request_mut() = request;
        self.executor.send(&mut self.sender, None)
    }

    /// Receives a batch; waits until `deadline` if there is one.
    pub fn recv(&mut self, deadline: Option<Instant>) -> Result<Box<Batch>> {
        self.recv_unless(&mut InterruptPoller::with_deadline(&mut || false, deadline))
    }

    /// Receives a batch, and uses `interrupts` to check for signals and the deadline.
    pub fn recv_unless(&mut self, interrupts: &mut InterruptPoller<'_>) -> Result<Box<Batch>> {
        self.executor.recv(&mut self.receiver, &mut None, interrupts)
    }

    /// Returns each lane's state in the pool's ledger.
    pub fn states(&self) -> Vec<LaneState> {
        (0..self.core.config.num_envs).map(|lane| self.core.ledger.state(lane)).collect()
    }
}

/// Returns a request that steps some lanes, without actions.
pub fn step_of(lanes: LaneList) -> Request {
    request_of(lanes, RequestKind::Step)
}

/// Returns a request that resets some lanes.
pub fn reset_of(lanes: LaneList) -> Request {
    request_of(lanes, RequestKind::Reset { seeds: Vec::new(), options: ResetOptions::default(), mask: None })
}

/// Returns a request for some lanes, without actions.
pub fn request_of(lanes: LaneList, kind: RequestKind) -> Request {
    let mut request = Request::new(Vec::new());
    (request.lanes, request.kind) = (lanes, kind);
    request
}

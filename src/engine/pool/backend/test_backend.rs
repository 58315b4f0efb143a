//! A scripted backend for unit tests, and a pool core over it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use crate::contract::config::PoolConfig;
use crate::contract::error::{Error, Result};
use crate::contract::fault::{Fault, Message};
use crate::contract::form::{Form, LeafForm};
use crate::contract::options::ResetOptions;
use crate::contract::picture::Rendering;
use crate::contract::space::Dtype;
use crate::outside::exchange::{Answer, Answered, Asked};
use crate::outside::row_out::RowOut;
use crate::outside::steps::Steps;
use crate::outside::traits::{Outside, Wanted};
use crate::play::kind::{Kind, LaneList};
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::core::PoolCore;
use crate::pool::ledger::LaneState;
use crate::pool::receiver::Receiver;
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::results::batch::Batch;
use crate::results::layout::{Dialect, Format, Layout, Outputs};
use crate::tasks::lane_tasks::LaneTasks;
use crate::threads::interrupts::Interrupts;

/// The test's handle of the backend; clones share its state.
#[derive(Clone, Default)]
pub struct Script(Arc<Mutex<Inner>>);

#[derive(Default)]
pub struct Inner {
    /// Operations that were staged, in order.
    pub staged: Vec<(u32, String)>,
    /// Number of requests that were staged as a whole.
    pub staged_together: usize,
    /// Lanes that were submitted, in order.
    pub submitted: Vec<u32>,
    /// Replies that can be taken, in order of arrival.
    replies: VecDeque<(u32, Answer)>,
    /// Replies that arrive with the next wait.
    pub coming: Vec<(u32, Answer)>,
    /// A lane for which staging fails.
    pub refused: Option<u32>,
    /// Whether calls can be cancelled.
    pub cancels: bool,
    /// States of lanes when they are submitted.
    pub at_submit: Vec<LaneState>,
    watched: Option<Arc<PoolCore>>,
}

impl Script {
    pub fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap()
    }

    /// Adds a lane's reply.
    pub fn reply(&self, lane: u32, reply: Answer) {
        self.inner().replies.push_back((lane, reply));
    }

    /// Adds a row reply for each lane.
    pub fn reply_rows(&self, lanes: &[u32]) {
        lanes.iter().for_each(|lane| self.reply(*lane, Answer::Row(Answered::default())));
    }

    /// Takes the operations staged since the last call.
    pub fn take_staged(&self) -> Vec<(u32, String)> {
        std::mem::take(&mut self.inner().staged)
    }
}

impl Outside for Script {
    fn begin(&self, lane: usize, asked: Asked<'_>) -> Result<()> {
        if self.inner().refused == Some(lane as u32) {
            return Err(Error::Value("too long".into()));
        }
        let op = match asked {
            Asked::Step { cut, anew, .. } => format!("step cut={cut} anew={anew}"),
            Asked::Reset { seed, .. } => format!("reset {seed:?}"),
            Asked::Next { ended } => format!("next after {}", ended.elapsed),
            Asked::Call(payload) => format!("call {:?}", payload.bytes()),
            Asked::Save => "save".to_owned(),
            Asked::Load(state) => format!("load {state:?}"),
        };
        self.inner().staged.push((lane as u32, op));
        Ok(())
    }

    fn begin_steps(&self, steps: &Steps<'_>) -> Result<()> {
        self.inner().staged_together += 1;
        (0..steps.lanes().len()).try_for_each(|item| self.begin(steps.lanes()[item] as usize, steps.asked(item)))
    }

    fn ring(&self, lanes: &[u32]) {
        let mut inner = self.inner();
        inner.submitted.extend(lanes);
        if let Some(core) = inner.watched.clone() {
            inner.at_submit.extend(lanes.iter().map(|lane| core.ledger.state(*lane as usize)));
        }
    }

    fn has_answered(&self, lane: usize) -> bool {
        self.inner().replies.iter().any(|(other, _)| *other as usize == lane)
    }

    fn first_answered(&self, most: usize, found: &mut Vec<u32>) {
        found.extend(self.inner().replies.iter().map(|(lane, _)| *lane).take(most));
    }

    fn wait(&self, _wanted: Wanted<'_>, until: Instant) -> Result<()> {
        let mut inner = self.inner();
        let coming = std::mem::take(&mut inner.coming);
        if coming.is_empty() {
            drop(inner);
            std::thread::sleep(until.saturating_duration_since(Instant::now()));
            return Ok(());
        }
        inner.replies.extend(coming);
        Ok(())
    }

    fn finish(&self, lane: usize, out: &mut RowOut<'_>) -> Answer {
        let mut inner = self.inner();
        let place = inner.replies.iter().position(|(other, _)| *other as usize == lane).expect("it has replied");
        out.rewards[0] = 7.0;
        inner.replies.remove(place).expect("it was found there").1
    }

    fn cancel(&self, _lane: usize) -> bool {
        self.inner().cancels
    }

    fn show(&self, _lane: usize, _out: &mut RowOut<'_>) -> Option<Message> {
        Some(Message::from(vec![1]))
    }

    fn close(&self, _until: Instant, _by_force: bool) -> Vec<Fault> {
        Vec::new()
    }
}

/// Core and executor of a pool over a [`Script`].
pub struct Fixture {
    pub core: Arc<PoolCore>,
    pub executor: BackendExecutor,
    pub script: Script,
    pub receiver: Receiver,
    sender: Sender,
}

impl Fixture {
    /// Creates idle lanes that have never been reset; their first seeds are 40, 41 and so on.
    pub fn new(config: PoolConfig, change: impl FnOnce(&mut Form)) -> Self {
        let mut form = Form::new(vec![LeafForm::new(Dtype::F64, &[1])], Vec::new());
        form.seeds = (40..40 + config.num_envs as u64).map(Some).collect();
        change(&mut form);
        let layout = Arc::new(Layout::of_form(&form, Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium }, &config));
        let script = Script::default();
        let tasks = LaneTasks::of_runs(vec![(config.num_envs, form.task.clone())]);
        let core = PoolCore::new(config, layout, form.keys.clone(), form.players, tasks, Rendering::default());
        let core = Arc::new(core);
        let executor = BackendExecutor::new(Arc::clone(&core), Box::new(script.clone()), &form, None);
        script.inner().watched = Some(Arc::clone(&core));
        let sender = Sender::new(core.config.num_envs, &core.keys);
        Self { core, executor, script, receiver: Receiver::default(), sender }
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
        let mut inner = fixture.script.inner();
        *inner = Inner { watched: inner.watched.take(), ..Inner::default() };
        drop(inner);
        fixture
    }

    /// Sends a request.
    pub fn send(&mut self, request: Request) -> Result<()> {
        *self.sender.request_mut() = request;
        self.executor.send(&mut self.sender, None)
    }

    /// Receives a batch, until a deadline if there is one.
    pub fn recv(&mut self, deadline: Option<Instant>) -> Result<Box<Batch>> {
        self.recv_unless(&mut Interrupts::until(&mut || false, deadline))
    }

    /// Receives a batch, unless interrupted.
    pub fn recv_unless(&mut self, interrupts: &mut Interrupts<'_>) -> Result<Box<Batch>> {
        self.executor.recv(&mut self.receiver, &mut None, interrupts)
    }

    /// Returns the state of each lane.
    pub fn states(&self) -> Vec<LaneState> {
        (0..self.core.config.num_envs).map(|lane| self.core.ledger.state(lane)).collect()
    }
}

/// Returns a step of some lanes, without actions.
pub fn step_of(lanes: LaneList) -> Request {
    request_of(lanes, Kind::Step)
}

/// Returns a reset of some lanes.
pub fn reset_of(lanes: LaneList) -> Request {
    request_of(lanes, Kind::Reset { seeds: Vec::new(), options: ResetOptions::default(), only: None })
}

/// Returns a request for some lanes, without actions.
pub fn request_of(lanes: LaneList, kind: Kind) -> Request {
    let mut request = Request::new(Vec::new());
    (request.lanes, request.kind) = (lanes, kind);
    request
}

//! The pool: what callers see of the engine.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::exclusive::{Exclusive, Turn};
use super::lanes::{Episode, Phase};
use super::layout::{Layout, LayoutOptions};
use super::memory;
use super::request::{Job, Request};
use super::ring::Ring;
use super::shared::{Failure, Shared};
use super::snapshot::{Snapshot, refused};
use super::work::{AutoresetMode, Kind, LaneList, Sink};
use super::{ActionColumn, ActionKey, Error, Options, PoolConfig, ResetOptions, Result, Task, Value};

/// Work below this is done on the spot: handing some of it over would cost more than it saves.
const WORTH_SHARING: Duration = Duration::from_micros(3);

/// Work above this is worth waking a sleeping worker for.
const WORTH_WAKING: Duration = Duration::from_micros(30);

/// A single step above this is left to a worker, so that its caller goes on noticing signals.
const TOO_LONG_FOR_CALLERS: Duration = Duration::from_millis(1);

/// Steps in a row, without a pause between them, after which a worker is woken for less: it will find more to do.
const STREAK: u32 = 16;

/// Many environments of one task, stepped in parallel.
///
/// Sync pools (`batch_size == num_envs`) answer each request with its own rows, in the order asked. Async pools collect results of
/// whatever finishes first into batches of `batch_size`.
pub struct Pool {
    shared: Arc<Shared>,
    sender: Exclusive<Sender>,
    receiver: Exclusive<Receiver>,
    /// Synchronous requests sent and not yet received, in order.
    pending: Mutex<VecDeque<Arc<Request>>>,
}

struct Sender {
    /// A request whose buffers can be used again.
    spare: Option<Box<Request>>,
    /// Requests that were queued, to be used again once nobody else holds them.
    queued_requests: VecDeque<Arc<Request>>,
    /// `mark[lane] == epoch`: seen in the ids at hand.
    mark: Vec<u32>,
    epoch: u32,
    last_call: Instant,
    streak: u32,
    /// Lanes queued in all, in an async pool.
    queued: u64,
    calls: u32,
}

struct Receiver {
    /// Results that are left after an environment of their batch failed.
    ready: VecDeque<Box<Batch>>,
}

/// A step or reset that is being prepared: fill in the actions, then [`Call::run`] or [`Call::send`] it.
pub struct Call<'a> {
    pool: &'a Pool,
    sender: Turn<'a, Sender>,
    /// Taken out when it is queued.
    request: Option<Box<Request>>,
}

/// Called every 20 milliseconds or so while waiting; returning true ends the wait with [`Error::Interrupted`].
pub type Interrupt<'a> = &'a mut dyn FnMut() -> bool;

fn busy() -> Error {
    Error::State("this pool is in use by another thread".into())
}

impl Pool {
    /// `config.num_envs` environments of a task, not yet reset.
    ///
    /// # Errors
    /// `Value` or `Type` where the environment refuses its options or they do not go together; `Memory` where so many environments
    /// do not fit the machine.
    pub fn new(task: &Task, options: &Options, config: PoolConfig, outputs: LayoutOptions) -> Result<Self> {
        let blueprint = task.blueprint(options)?;
        let spec = blueprint.spec();
        let layout = Arc::new(Layout::new(&spec, outputs));
        check_memory(&config, &layout, blueprint.lane_bytes())?;
        let seeds = config.seeds.clone();
        let env = blueprint.build(config.num_envs);
        for (lane, seed) in seeds.into_iter().enumerate() {
            // SAFETY: nobody else has the environments yet.
            unsafe { env.seed(lane, seed) };
        }
        let ring = config.is_async().then(|| {
            let places = Ring::places(config.num_envs, config.batch_size);
            let batches = (0..places).map(|tag| Box::new(Batch::new(&layout, config.batch_size, tag))).collect();
            Ring::new(batches, config.batch_size)
        });
        let lanes = config.num_envs;
        let keys = ActionKey::of(&spec);
        let shared = Shared::new(env, config, layout, keys, spec.players, describe(task.id, options), ring);
        let sender = Sender {
            spare: None,
            queued_requests: VecDeque::new(),
            mark: vec![0; lanes],
            epoch: 0,
            last_call: Instant::now(),
            streak: 0,
            queued: 0,
            calls: 0,
        };
        Ok(Self {
            shared: Arc::new(shared),
            sender: Exclusive::new(sender),
            receiver: Exclusive::new(Receiver { ready: VecDeque::new() }),
            pending: Mutex::default(),
        })
    }

    /// The pool's size and behaviour.
    pub fn config(&self) -> &PoolConfig {
        &self.shared.config
    }

    /// The arrays of its batches.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.shared.layout
    }

    /// The action arrays it expects.
    pub fn action_keys(&self) -> &[ActionKey] {
        &self.shared.keys
    }

    /// Batches that an async pool holds from the start, tagged `0..`; 0 for a sync pool.
    pub fn ring_places(&self) -> usize {
        if self.is_async() { Ring::places(self.shared.config.num_envs, self.shared.config.batch_size) } else { 0 }
    }

    /// Calls `look` with each batch that an async pool holds from the start.
    pub fn for_each_ring_batch(&mut self, look: impl FnMut(&Batch)) {
        let shared = Arc::get_mut(&mut self.shared).expect("called before workers are started");
        if let Some(ring) = &mut shared.ring {
            ring.batches().for_each(look);
        }
    }

    /// Memory for one batch.
    pub fn batch(&self, tag: usize) -> Box<Batch> {
        Box::new(Batch::new(&self.shared.layout, self.shared.config.batch_size, tag))
    }

    /// Whether results come in the order of completion.
    pub fn is_async(&self) -> bool {
        self.shared.ring.is_some()
    }

    /// Whether a step of `lanes` lanes may take long enough to let other threads have an interpreter's lock meanwhile.
    pub fn is_heavy(&self, lanes: usize) -> bool {
        const RELEASE: Duration = Duration::from_micros(20);
        !self.shared.is_uniform() || self.shared.cost.of(lanes) > RELEASE
    }

    /// Refuses use after `close` and in a forked child.
    ///
    /// # Errors
    /// `State`.
    pub fn check_usable(&self) -> Result<()> {
        self.shared.check_usable()
    }

    /// Prepares a step of the environments `ids`, in this order (all of them for `None`).
    ///
    /// # Errors
    /// `Index` or `Value` for ids out of range, repeated or in flight; `State` where the pool or one of the environments cannot be
    /// stepped.
    #[inline]
    pub fn step(&self, ids: Option<&[i64]>) -> Result<Call<'_>> {
        let mut call = self.prepare(ids)?;
        call.request_mut().kind = Kind::Step;
        self.check_steppable(&call.request().lanes)?;
        Ok(call)
    }

    /// Prepares a reset of the environments `ids`, in this order (all of them for `None`), with a seed for each (or none at all,
    /// or `None` for those that go on drawing).
    ///
    /// # Errors
    /// As [`Pool::step`]; `Value` for seeds of another number and for reset options that the environment refuses.
    pub fn reset(&self, ids: Option<&[i64]>, seeds: Vec<Option<u64>>, options: ResetOptions) -> Result<Call<'_>> {
        self.check_reset_options(&options)?;
        let mut call = self.prepare(ids)?;
        let lanes = call.request().lanes.len();
        if !seeds.is_empty() && seeds.len() != lanes {
            let got = format!("[{} values]", seeds.len());
            return Err(Error::value("seed", got, format_args!("one for each of the {lanes} environments")));
        }
        for lane in call.request().lanes.iter() {
            self.revive(lane);
        }
        let only = None;
        call.request_mut().kind = Kind::Reset { seeds, options, only };
        Ok(call)
    }

    /// Prepares a reset of the environments that `only` marks, with a row for every environment: those of the others show what
    /// they last showed.
    ///
    /// # Errors
    /// As [`Pool::reset`]; `State` where one of the others has never been reset or has failed.
    pub fn reset_masked(&self, only: Vec<bool>, seeds: Vec<Option<u64>>, options: ResetOptions) -> Result<Call<'_>> {
        self.check_reset_options(&options)?;
        let mut call = self.prepare(None)?;
        for (lane, marked) in only.iter().enumerate() {
            match (*marked, self.phase(lane)) {
                (true, _) => self.revive(lane),
                (false, Phase::Running | Phase::Finished) => {}
                (false, _) => {
                    return Err(Error::State(format!("environment {lane} shows nothing yet: the reset has to include it")));
                }
            }
        }
        let only = Some(only);
        call.request_mut().kind = Kind::Reset { seeds, options, only };
        Ok(call)
    }

    fn check_reset_options(&self, options: &ResetOptions) -> Result<()> {
        let known = self.shared.env.reset_options();
        if let Some(name) = options.names().find(|name| !known.contains(name)) {
            let suggestion = super::suggestion(name, known);
            return Err(Error::Value(format!("unknown reset option {name:?}{suggestion}")));
        }
        self.shared.env.check_reset(options)
    }

    /// A request for these lanes, none of which is in flight.
    #[inline]
    fn prepare(&self, ids: Option<&[i64]>) -> Result<Call<'_>> {
        self.check_usable()?;
        let mut sender = self.sender.try_enter().ok_or_else(busy)?;
        let mut request = sender.request(&self.shared.keys);
        // Those of an earlier request must not pass for this one's.
        request.actions.iter_mut().for_each(ActionColumn::clear);
        sender.collect_lanes(&mut request.lanes, ids)?;
        self.check_not_in_flight(&request.lanes)?;
        Ok(Call { pool: self, sender, request: Some(request) })
    }

    fn check_not_in_flight(&self, lanes: &LaneList) -> Result<()> {
        if self.shared.flying.load(Ordering::Acquire) == 0 {
            return Ok(());
        }
        match lanes.iter().find(|lane| self.shared.in_flight[*lane].load(Ordering::Acquire)) {
            None => Ok(()),
            Some(lane) => Err(Error::State(format!("env_id {lane} is in flight: its result has to be received first"))),
        }
    }

    /// Refuses to step environments that have failed or that the autoreset mode wants reset first.
    #[inline]
    fn check_steppable(&self, lanes: &LaneList) -> Result<()> {
        let strict = self.shared.rules.autoreset != AutoresetMode::NextStep;
        if !strict && self.shared.failed_lanes.load(Ordering::Acquire) == 0 {
            return Ok(());
        }
        lanes.iter().try_for_each(|lane| self.check_lane_steppable(lane))
    }

    fn check_lane_steppable(&self, lane: usize) -> Result<()> {
        // SAFETY: the lane is not in flight and this is the only sender, so nobody else is at it.
        let phase = unsafe { *self.shared.table.phase.get(lane) };
        let why = match (phase, self.shared.rules.autoreset) {
            (Phase::Failed, _) => "has failed",
            (Phase::Fresh, AutoresetMode::SameStep | AutoresetMode::Disabled) => "has never been reset",
            (Phase::Finished, AutoresetMode::Disabled) => "has finished its episode (autoreset is disabled)",
            _ => return Ok(()),
        };
        Err(Error::State(format!("environment {lane} {why}: reset it before the next step")))
    }

    /// Puts a lane that failed back to where it was created.
    fn revive(&self, lane: usize) {
        if self.phase(lane) == Phase::Failed {
            // SAFETY: the lane is not in flight and this is the only sender, so nobody else is at it.
            unsafe { self.shared.env.recreate(lane) };
            self.set_phase(lane, Phase::Fresh);
        }
    }

    /// Sets a lane's phase, and counts those that have failed.
    fn set_phase(&self, lane: usize, phase: Phase) {
        // SAFETY: the lane is not in flight and this is the only sender, so nobody else is at it.
        let before = unsafe { std::mem::replace(self.shared.table.phase.get(lane), phase) };
        match (before == Phase::Failed, phase == Phase::Failed) {
            (true, false) => _ = self.shared.failed_lanes.fetch_sub(1, Ordering::SeqCst),
            (false, true) => _ = self.shared.failed_lanes.fetch_add(1, Ordering::SeqCst),
            _ => {}
        }
    }

    /// Receives the next results: of the oldest request (sync), or the first `batch_size` to finish (async, where the pool takes
    /// `spare` as memory for later results).
    ///
    /// # Errors
    /// `State` where nothing or too little is in flight, where another thread is receiving, and where an environment failed: the
    /// results of the others then come with the next call. `Interrupted`: nothing is lost, call again.
    pub fn recv(&self, spare: &mut Option<Box<Batch>>, interrupt: Interrupt<'_>) -> Result<Box<Batch>> {
        self.check_usable()?;
        let mut receiver = self.receiver.try_enter().ok_or_else(busy)?;
        if let Some(ready) = self.take_ready(&mut receiver) {
            return Ok(ready);
        }
        match &self.shared.ring {
            Some(ring) => self.recv_from_ring(ring, &mut receiver, spare, interrupt),
            None => self.recv_pending(&mut receiver, spare, interrupt),
        }
    }

    /// What is left of the oldest batch in which an environment failed.
    fn take_ready(&self, receiver: &mut Receiver) -> Option<Box<Batch>> {
        let ready = receiver.ready.pop_front()?;
        self.land(ready.lanes().iter().map(|lane| *lane as usize));
        Some(ready)
    }

    /// Refuses to wait for a batch that cannot become complete, even with `more` lanes.
    fn check_enough_in_flight(&self, more: usize) -> Result<()> {
        let (flying, needed) = (self.shared.flying.load(Ordering::Acquire) + more, self.shared.config.batch_size);
        if flying >= needed {
            return Ok(());
        }
        Err(Error::State(format!("recv: {flying} environments are in flight, fewer than batch_size={needed}: send first")))
    }

    fn recv_from_ring(
        &self,
        ring: &Ring,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
    ) -> Result<Box<Batch>> {
        self.check_enough_in_flight(0)?;
        self.shared.wait_until(self.shared.is_uniform(), interrupt, || ring.is_complete())?;
        let next = spare.take().unwrap_or_else(|| self.batch(usize::MAX));
        // SAFETY: the receiver's turn is ours, and lanes are released only below.
        let taken = unsafe { ring.take(next) }.unwrap_or_else(|_| unreachable!("it was complete"));
        self.report_failures(receiver, taken, spare)
    }

    fn recv_pending(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
    ) -> Result<Box<Batch>> {
        let front = self.lock_pending().front().cloned();
        let request = front.ok_or_else(|| Error::State("recv: nothing has been sent".into()))?;
        self.shared.complete(&request, interrupt)?;
        self.lock_pending().pop_front();
        // SAFETY: it is done, and the receiver's turn is ours.
        let mut done = unsafe { request.take_batch() }.expect("a queued request has its batch");
        done.set_lanes(request.lanes.iter());
        self.report_failures(receiver, done, spare)
    }

    fn lock_pending(&self) -> std::sync::MutexGuard<'_, VecDeque<Arc<Request>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks lanes as received.
    fn land(&self, lanes: impl Iterator<Item = usize>) {
        let mut count = 0;
        for lane in lanes {
            self.shared.in_flight[lane].store(false, Ordering::Release);
            count += 1;
        }
        self.shared.flying.fetch_sub(count, Ordering::SeqCst);
    }

    /// Marks lanes as not yet received.
    fn launch(&self, lanes: impl Iterator<Item = usize>) {
        let mut count = 0;
        for lane in lanes {
            self.shared.in_flight[lane].store(true, Ordering::Relaxed);
            count += 1;
        }
        self.shared.flying.fetch_add(count, Ordering::SeqCst);
    }

    /// Marks the lanes of a batch as received and returns it. Where environments of it failed, tells of them instead, and keeps
    /// the rows of the others, still in flight, for the next `recv`.
    #[inline]
    fn report_failures(&self, receiver: &mut Receiver, batch: Box<Batch>, spare: &mut Option<Box<Batch>>) -> Result<Box<Batch>> {
        if self.shared.has_failures.load(Ordering::SeqCst) {
            return self.take_failures(receiver, batch, spare);
        }
        self.land(batch.lanes().iter().map(|lane| *lane as usize));
        Ok(batch)
    }

    /// As [`Pool::report_failures`]; the lanes have to be marked as in flight. `spare`, empty, gets a batch of which nothing is left.
    #[cold]
    fn take_failures(&self, receiver: &mut Receiver, mut rest: Box<Batch>, spare: &mut Option<Box<Batch>>) -> Result<Box<Batch>> {
        let mut failures = self.shared.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let (here, elsewhere): (Vec<_>, Vec<_>) = failures.drain(..).partition(|failure| rest.lanes().contains(&failure.lane));
        self.shared.has_failures.store(!elsewhere.is_empty(), Ordering::SeqCst);
        *failures = elsewhere;
        let Some(first) = here.first() else {
            self.land(rest.lanes().iter().map(|lane| *lane as usize));
            return Ok(rest);
        };
        let lanes = rest.lanes().to_vec();
        rest.compact(|row| here.iter().all(|failure| failure.lane != lanes[row]));
        let kept = rest.rows();
        // The others' lanes stay in flight throughout: a sender in another thread must never see them as free.
        match kept {
            0 => *spare = Some(rest),
            _ => receiver.ready.push_back(rest),
        }
        self.land(here.iter().map(|failure| failure.lane as usize));
        let others = if here.len() > 1 { format!(" (and {} more)", here.len() - 1) } else { String::new() };
        let rest = if kept > 0 { format!("; recv() gives the results of the other {kept}") } else { String::new() };
        let Failure { lane, message } = first;
        Err(Error::State(format!("environment {lane} panicked{others}: {message}. Reset it to go on with it{rest}")))
    }

    /// Waits for all that is in flight and throws it away; `spares` gets the memory.
    ///
    /// # Errors
    /// `Interrupted`, `State`: as [`Pool::recv`].
    pub fn drain(&self, interrupt: Interrupt<'_>) -> Result<Vec<Box<Batch>>> {
        self.check_usable()?;
        let mut sender = self.sender.try_enter().ok_or_else(busy)?;
        let mut receiver = self.receiver.try_enter().ok_or_else(busy)?;
        if self.shared.flying.load(Ordering::Acquire) == 0 {
            return Ok(receiver.ready.drain(..).collect());
        }
        // Everything is waited for before anything is thrown away, so that an interrupted drain changes nothing.
        let pending: Vec<_> = self.lock_pending().iter().cloned().collect();
        pending.iter().try_for_each(|request| self.shared.complete(request, interrupt))?;
        if let Some(ring) = &self.shared.ring {
            self.shared.wait_until(true, interrupt, || ring.committed() >= sender.queued)?;
            // SAFETY: everything queued has been played, and both turns are ours.
            unsafe { ring.restart() };
            sender.queued = 0;
        }
        let mut thrown: Vec<_> = receiver.ready.drain(..).collect();
        for request in self.lock_pending().drain(..) {
            // SAFETY: it is done, and the receiver's turn is ours.
            thrown.extend(unsafe { request.take_batch() });
        }
        self.shared.failures.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.shared.has_failures.store(false, Ordering::SeqCst);
        self.shared.in_flight.iter().for_each(|lane| lane.store(false, Ordering::Release));
        self.shared.flying.store(0, Ordering::SeqCst);
        Ok(thrown)
    }

    /// The environments `ids` as bytes, each with its random stream and episode.
    ///
    /// # Errors
    /// As [`Pool::step`] for the ids.
    pub fn get_state(&self, ids: Option<&[i64]>) -> Result<Vec<Vec<u8>>> {
        let call = self.prepare(ids)?;
        if let Some(lane) = call.request().lanes.iter().find(|lane| self.phase(*lane) == Phase::Failed) {
            return Err(Error::State(format!("environment {lane} has failed: reset it before taking its state")));
        }
        Ok(call.request().lanes.iter().map(|lane| self.save(lane).encode()).collect())
    }

    fn phase(&self, lane: usize) -> Phase {
        // SAFETY: callers hold the sender's turn, and the lane is not in flight.
        unsafe { *self.shared.table.phase.get(lane) }
    }

    fn save(&self, lane: usize) -> Snapshot {
        let table = &self.shared.table;
        // SAFETY: callers hold the sender's turn, and the lane is not in flight.
        unsafe {
            let mut state = Vec::new();
            self.shared.env.save(lane, &mut state);
            let episode = table.episode.as_ref().map(|episodes| *episodes.get(lane));
            Snapshot {
                task: self.shared.task.clone(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                phase: *table.phase.get(lane) as u8,
                elapsed: *table.elapsed.get(lane),
                episode: episode.map_or((0, 0, 0), |Episode { total, length, start }| {
                    (total.to_bits(), length, start.elapsed().as_secs_f64().to_bits())
                }),
                state,
            }
        }
    }

    /// Puts the environments `ids` into these states; what was in progress there is forgotten.
    ///
    /// # Errors
    /// `Value` where a state is of another task, options or version, or damaged, or their number is not that of the ids; none of the
    /// environments is changed then. As [`Pool::step`] for the ids.
    pub fn set_state(&self, states: &[impl AsRef<[u8]>], ids: Option<&[i64]>) -> Result<()> {
        let call = self.prepare(ids)?;
        let lanes = &call.request().lanes;
        if states.len() != lanes.len() {
            let got = format!("[{} states]", states.len());
            return Err(Error::value("state", got, format_args!("one for each of the {} environments", lanes.len())));
        }
        let decoded: Result<Vec<_>> = states.iter().map(|bytes| Snapshot::decode(bytes.as_ref(), &self.shared.task)).collect();
        let decoded = decoded?;
        let before: Vec<_> = lanes.iter().map(|lane| (self.phase(lane) != Phase::Failed).then(|| self.save(lane))).collect();
        let restored = decoded.iter().zip(lanes.iter()).try_for_each(|(snapshot, lane)| self.load(lane, snapshot));
        if restored.is_err() {
            for (snapshot, lane) in before.iter().zip(lanes.iter()) {
                match snapshot {
                    Some(snapshot) => self.load(lane, snapshot)?,
                    None => self.set_phase(lane, Phase::Failed),
                }
            }
        }
        restored
    }

    fn load(&self, lane: usize, snapshot: &Snapshot) -> Result<()> {
        let phase = Phase::from_byte(snapshot.phase).filter(|phase| *phase != Phase::Failed);
        let phase = phase.ok_or_else(|| refused("its phase is none"))?;
        let table = &self.shared.table;
        // SAFETY: callers hold the sender's turn, and the lane is not in flight.
        unsafe {
            self.shared.env.load(lane, &snapshot.state)?;
            *table.elapsed.get(lane) = snapshot.elapsed.max(0);
            if let Some(episodes) = &table.episode {
                let (total, length, seconds) = snapshot.episode;
                let age = Duration::try_from_secs_f64(f64::from_bits(seconds)).unwrap_or_default();
                let start = Instant::now().checked_sub(age).unwrap_or_else(Instant::now);
                *episodes.get(lane) = Episode { total: f64::from_bits(total), length, start };
            }
        }
        self.set_phase(lane, phase);
        Ok(())
    }

    /// Ends the workers. Later calls are refused; what is in flight is lost.
    pub fn close(&self) {
        self.shared.close();
    }

    /// Whether it has been closed.
    pub fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Acquire)
    }
}

impl Drop for Pool {
    /// Does not wait: a worker in the middle of a step finishes it on memory that it shares the ownership of.
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl Sender {
    /// A request to be filled, with buffers of an earlier one where there is one.
    #[inline]
    fn request(&mut self, keys: &[ActionKey]) -> Box<Request> {
        self.spare.take().unwrap_or_else(|| self.reclaim(keys))
    }

    #[cold]
    fn reclaim(&mut self, keys: &[ActionKey]) -> Box<Request> {
        let fresh = || Request::new(keys.iter().map(ActionKey::column).collect());
        let Some(oldest) = self.queued_requests.pop_front() else { return Box::new(fresh()) };
        Box::new(Arc::try_unwrap(oldest).unwrap_or_else(|busy| {
            self.queued_requests.push_back(busy); // looked at again when its turn comes
            fresh()
        }))
    }

    /// Checks ids and turns them into lanes.
    #[inline]
    fn collect_lanes(&mut self, lanes: &mut LaneList, ids: Option<&[i64]>) -> Result<()> {
        let count = self.mark.len();
        let Some(ids) = ids else {
            *lanes = LaneList::All(count);
            return Ok(());
        };
        if ids.len() == count && ids.iter().enumerate().all(|(index, id)| *id == index as i64) {
            *lanes = LaneList::All(count);
            return Ok(());
        }
        let mut list = match std::mem::replace(lanes, LaneList::All(0)) {
            LaneList::Some(mut list) => {
                list.clear();
                list
            }
            LaneList::All(_) => Vec::with_capacity(ids.len()),
        };
        self.next_epoch();
        for (index, id) in ids.iter().enumerate() {
            let lane = usize::try_from(*id).ok().filter(|lane| *lane < count);
            let lane = lane.ok_or_else(|| Error::Index(format!("env_id[{index}]={id}: expected 0 to {}", count - 1)))?;
            if std::mem::replace(&mut self.mark[lane], self.epoch) == self.epoch {
                return Err(Error::value(&format!("env_id[{index}]"), id, "each id once at most"));
            }
            list.push(lane as u32);
        }
        *lanes = LaneList::Some(list);
        Ok(())
    }

    fn next_epoch(&mut self) {
        if self.epoch == u32::MAX {
            self.mark.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
    }
}

impl<'a> Call<'a> {
    #[inline]
    fn request(&self) -> &Request {
        self.request.as_ref().expect("a call has its request until it is queued")
    }

    #[inline]
    fn request_mut(&mut self) -> &mut Request {
        self.request.as_mut().expect("a call has its request until it is queued")
    }

    /// Environments that it is for.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.request().lanes.len()
    }

    /// Ids of the environments, in the order of the rows.
    pub fn env_ids(&self) -> impl Iterator<Item = usize> + '_ {
        self.request().lanes.iter()
    }

    /// The action arrays, one for each of [`Pool::action_keys`], to be filled with a row for each environment (and player).
    #[inline]
    pub fn actions(&mut self) -> &mut [ActionColumn] {
        &mut self.request_mut().actions
    }

    /// Fills one action array.
    ///
    /// # Errors
    /// `Value` where a value does not lie in the action space or their number is wrong.
    #[inline]
    pub fn set_action<T: super::ActionScalar>(&mut self, key: usize, values: &[T]) -> Result<()> {
        let spec = &self.pool.shared.keys[key];
        let expected = self.request().lanes.len() * spec.width();
        if values.len() != expected {
            return Err(Error::value(&spec.name, format_args!("[{} values]", values.len()), format_args!("{expected} values")));
        }
        self.actions()[key].fill(spec, values)
    }

    fn check_filled(&self) -> Result<()> {
        if self.request().kind != Kind::Step {
            return Ok(());
        }
        let lanes = self.request().lanes.len();
        let filled = |(key, column): (&ActionKey, &ActionColumn)| column.len() == lanes * key.width();
        match self.pool.shared.keys.iter().zip(&self.request().actions).all(filled) {
            true => Ok(()),
            false => Err(Error::State("a step needs all its action arrays filled".into())),
        }
    }

    /// Queues it and returns at once. A sync pool needs `batch`, the memory for its results; an async pool has its own.
    ///
    /// # Errors
    /// `State` where an action array was not filled.
    pub fn send(mut self, batch: Option<Box<Batch>>) -> Result<()> {
        self.check_filled()?;
        self.pool.launch(self.request().lanes.iter());
        if self.pool.is_async() {
            self.enqueue_chunks();
        } else {
            let request = self.enqueue_shared(batch.unwrap_or_else(|| self.pool.batch(usize::MAX)));
            self.pool.lock_pending().push_back(request);
        }
        Ok(())
    }

    /// Plays it and receives results: its own in a sync pool (in the memory of `batch`), the first to finish in an async one
    /// (which takes `batch` as memory for later results).
    ///
    /// # Errors
    /// As [`Pool::recv`]; `State` in a sync pool where results of an earlier `send` are waiting.
    #[inline]
    pub fn run(mut self, batch: &mut Option<Box<Batch>>, interrupt: Interrupt<'_>) -> Result<Box<Batch>> {
        self.check_filled()?;
        let pool = self.pool;
        let mut receiver = pool.receiver.try_enter().ok_or_else(busy)?;
        if let Some(ring) = &pool.shared.ring {
            pool.check_enough_in_flight(self.lanes())?;
            self.send(None)?;
            return match pool.take_ready(&mut receiver) {
                Some(ready) => Ok(ready),
                None => pool.recv_from_ring(ring, &mut receiver, batch, interrupt),
            };
        }
        if pool.shared.flying.load(Ordering::Acquire) > 0 {
            return Err(Error::State("results of an earlier send are waiting: recv them first".into()));
        }
        let mut out = batch.take().unwrap_or_else(|| pool.batch(usize::MAX));
        if self.is_worth_sharing() {
            return self.run_shared(&mut receiver, out, batch, interrupt);
        }
        let lanes = self.request().lanes.len();
        self.sender.calls = self.sender.calls.wrapping_add(1);
        let (request, sink) = (self.request(), Sink::Rows(&out.pointers));
        if self.sender.calls % 64 == 1 {
            let clock = Instant::now();
            pool.shared.play_untimed(request, 0, lanes, sink);
            pool.shared.cost.record(clock, lanes);
        } else {
            pool.shared.play(request, 0, lanes, sink);
        }
        out.rows = lanes;
        if pool.shared.has_failures.load(Ordering::SeqCst) {
            out.set_lanes(self.request().lanes.iter());
            pool.launch(self.request().lanes.iter());
            return pool.take_failures(&mut receiver, out, batch);
        }
        Ok(out)
    }

    /// Whether other threads should have a part of it.
    #[inline]
    fn is_worth_sharing(&mut self) -> bool {
        let shared = &self.pool.shared;
        let lanes = self.request().lanes.len();
        let work = shared.cost.of(lanes);
        if !shared.is_uniform() {
            return lanes > 1 || work > TOO_LONG_FOR_CALLERS;
        }
        if work < WORTH_SHARING || lanes == 1 || shared.config.num_threads == 0 || shared.cpus == 1 {
            return false;
        }
        self.count_streak(work);
        shared.workers.spinning() > 0 || self.is_worth_waking(work)
    }

    /// Notes whether the caller steps without a pause.
    fn count_streak(&mut self, work: Duration) {
        let now = Instant::now();
        let gap = now.duration_since(std::mem::replace(&mut self.sender.last_call, now));
        self.sender.streak = if gap < 3 * work + Duration::from_micros(20) { self.sender.streak.saturating_add(1) } else { 0 };
    }

    fn is_worth_waking(&self, work: Duration) -> bool {
        work > WORTH_WAKING || self.sender.streak >= STREAK
    }

    /// Threads besides the caller that should take part in a synchronous step.
    fn helpers(&self) -> usize {
        let shared = &self.pool.shared;
        let cpus = if shared.is_uniform() { shared.cpus - 1 } else { usize::MAX };
        shared.config.num_threads.min(cpus)
    }

    /// Takes the request out, for other threads to see.
    fn publish(&mut self, request: Box<Request>) -> Arc<Request> {
        let request: Arc<Request> = Arc::from(request);
        self.sender.queued_requests.push_back(Arc::clone(&request));
        self.pool.shared.start_workers();
        request
    }

    fn take_request(&mut self) -> Box<Request> {
        self.request.take().expect("a call has its request until it is queued")
    }

    /// Lanes per chunk of an asynchronous request.
    fn chunk_size(&self) -> usize {
        let grain = self.pool.shared.env.grain();
        let share = self.lanes().div_ceil(4 * (self.helpers() + 1));
        if grain == 1 { 1 } else { share.clamp(grain, 1024).next_multiple_of(grain) }
    }

    /// Cuts an asynchronous request into chunks, queues them and wakes whoever is needed.
    fn enqueue_chunks(&mut self) {
        let (lanes, size) = (self.lanes(), self.chunk_size());
        let request = self.take_request();
        let request = self.publish(request);
        self.sender.queued += lanes as u64;
        let shared = &self.pool.shared;
        for start in (0..lanes).step_by(size) {
            let (start, end) = (start as u32, lanes.min(start + size) as u32);
            let pushed = shared.queue.push(Job::Chunk { request: Arc::clone(&request), start, end });
            assert!(pushed.is_ok(), "the queue has room for every lane");
        }
        // For less the receiver does it all by itself: at 1,024 CartPoles in batches of 256 that gives 43 million steps per second,
        // and a worker beside it, each time taking lanes out of the other's cache, 39 million at best and 20 million as a rule.
        let pending = shared.cost.of(shared.flying.load(Ordering::Relaxed));
        if !shared.is_uniform() || (shared.workers.spinning() == 0 && pending > WORTH_WAKING) {
            shared.workers.wake(self.helpers().min(lanes.div_ceil(size)));
        }
    }

    /// Invites workers to a synchronous request, and wakes them where that is worth it.
    fn enqueue_shared(&mut self, batch: Box<Batch>) -> Arc<Request> {
        let shared = &self.pool.shared;
        let lanes = self.lanes();
        let helpers = self.helpers().min(lanes);
        let (grain, threads) = (shared.env.grain(), helpers + 1);
        let grain = match grain {
            1 if shared.cost.of(1) > WORTH_SHARING => 1,
            1 => lanes.div_ceil(8 * threads),
            _ => lanes.div_ceil(8 * threads).clamp(grain, 1024).next_multiple_of(grain),
        };
        let mut request = self.take_request();
        request.share(threads, grain, batch);
        let request = self.publish(request);
        let work = shared.cost.of(lanes);
        for _ in 0..helpers {
            // A queue without room is full of invitations to what is over: each request invites for its own lanes at most.
            if let Err(invitation) = shared.queue.push(Job::Join(Arc::clone(&request))) {
                shared.forget_invitations();
                drop(shared.queue.push(invitation));
            }
        }
        if !shared.is_uniform() || (shared.workers.spinning() == 0 && self.is_worth_waking(work)) {
            shared.workers.wake(helpers);
        }
        request
    }

    /// Plays it together with the workers.
    fn run_shared(
        mut self,
        receiver: &mut Receiver,
        batch: Box<Batch>,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
    ) -> Result<Box<Batch>> {
        let pool = self.pool;
        let request = self.enqueue_shared(batch);
        if let Err(error) = pool.shared.complete(&request, interrupt) {
            pool.launch(request.lanes.iter());
            pool.lock_pending().push_back(request);
            return Err(error);
        }
        pool.shared.forget_invitations();
        // SAFETY: it is done, and the receiver's turn is ours.
        let mut done = unsafe { request.take_batch() }.expect("a queued request has its batch");
        done.rows = request.lanes.len();
        if pool.shared.has_failures.load(Ordering::SeqCst) {
            done.set_lanes(request.lanes.iter());
            pool.launch(request.lanes.iter());
            return pool.take_failures(receiver, done, spare);
        }
        Ok(done)
    }
}

impl Drop for Call<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(request) = self.request.take() {
            self.sender.spare = Some(request);
        }
    }
}

/// Refuses a pool whose environments and first batches do not fit the machine.
fn check_memory(config: &PoolConfig, layout: &Layout, lane_bytes: usize) -> Result<()> {
    // Beside environment and stream: phase, elapsed steps, seed, marks, and a place in the queue.
    const BOOKKEEPING: usize = 64;
    let row: u128 = layout.columns.iter().map(|column| column.stride() as u128).sum();
    let batches = if config.is_async() { Ring::places(config.num_envs, config.batch_size) } else { 1 };
    let bytes = config.num_envs as u128 * (lane_bytes + BOOKKEEPING) as u128 + row * (config.batch_size * batches) as u128;
    memory::check_fits(bytes, &format!("a pool of num_envs={}", config.num_envs))
}

/// Task and options, spelled out.
fn describe(id: &str, options: &Options) -> String {
    let values: Vec<_> = options.iter().map(|(name, value): (_, &Value)| format!("{name}={value}")).collect();
    format!("{id}({})", values.join(", "))
}

//! A step or reset on its way from the caller into the pool.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::engine::contract::actions::{ActionKey, ActionScalar};
use crate::engine::contract::error::{Error, Result};
use crate::engine::contract::row::ActionColumn;
use crate::engine::play::work::{Kind, Sink};
use crate::engine::pool::pool::{Pool, busy};
use crate::engine::pool::receiver::Receiver;
use crate::engine::pool::request::{Job, Request};
use crate::engine::pool::sender::Sender;
use crate::engine::pool::shared::WORTH_WAKING;
use crate::engine::results::batch::Batch;
use crate::engine::threads::exclusive::Turn;
use crate::engine::threads::interrupts::Interrupt;

/// Work below this is done on the spot: handing some of it over would cost more than it saves.
const WORTH_SHARING: Duration = Duration::from_micros(3);

/// A single step above this is left to a worker, so that its caller goes on noticing signals.
const TOO_LONG_FOR_CALLERS: Duration = Duration::from_millis(1);

/// Steps in a row, without a pause between them, after which a worker is woken for less: it will find more to do.
const STREAK: u32 = 16;

/// A step or reset that is being prepared: fill in the actions, then [`Call::run`] or [`Call::send`] it.
pub struct Call<'a> {
    pub(in crate::engine) pool: &'a Pool,
    pub(in crate::engine) sender: Turn<'a, Sender>,
    /// Taken out when it is queued.
    pub(in crate::engine) request: Option<Box<Request>>,
}

impl<'a> Call<'a> {
    #[inline]
    pub(in crate::engine) fn request(&self) -> &Request {
        self.request.as_ref().expect("a call has its request until it is queued")
    }

    #[inline]
    pub(in crate::engine) fn request_mut(&mut self) -> &mut Request {
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
    pub fn set_action<T: ActionScalar>(&mut self, key: usize, values: &[T]) -> Result<()> {
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

    /// Puts environments that failed back to where they were created, where this is their reset. Done last, so that a reset which is
    /// refused leaves them failed.
    #[inline]
    fn revive(&self) {
        let Kind::Reset { only, .. } = &self.request().kind else { return };
        for (index, lane) in self.request().lanes.iter().enumerate() {
            if only.as_ref().is_none_or(|only| only[index]) {
                self.pool.revive(lane);
            }
        }
    }

    /// Queues it and returns at once. A sync pool needs `batch`, the memory for its results; an async pool has its own.
    ///
    /// # Errors
    /// `State` where an action array was not filled, and where `batch` is another pool's.
    pub fn send(mut self, batch: Option<Box<Batch>>) -> Result<()> {
        self.check_filled()?;
        self.pool.check_own(batch.as_deref())?;
        self.revive();
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
        pool.check_own(batch.as_deref())?;
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
        self.revive();
        let mut out = batch.take().unwrap_or_else(|| pool.batch(usize::MAX));
        if self.is_worth_sharing() {
            return self.run_shared(&mut receiver, out, batch, interrupt);
        }
        let lanes = self.request().lanes.len();
        self.sender.calls = self.sender.calls.wrapping_add(1);
        let (request, sink) = (self.request(), Sink::Rows(&out.pointers));
        pool.shared.play(request, 0, lanes, sink, self.sender.calls % 64 == 1);
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
        if shared.wants_workers() {
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
        let unfinished = Unfinished { pool, request: &request };
        pool.shared.complete(&request, interrupt)?;
        std::mem::forget(unfinished);
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

/// Leaves a shared request to the next `recv` when dropped: its caller gave up waiting (or its hook panicked), and workers may be at
/// its lanes.
struct Unfinished<'a> {
    pool: &'a Pool,
    request: &'a Arc<Request>,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.pool.launch(self.request.lanes.iter());
        self.pool.lock_pending().push_back(Arc::clone(self.request));
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

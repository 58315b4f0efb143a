//! Executor of synchronous pools: each request has its own rows, in the order of its ids.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::contract::env::Scheduling;
use crate::contract::error::{Error, Result};
use crate::exec::batch_env::BatchEnv;
use crate::exec::chunk::RowSink;
use crate::exec::lane_table::Phase;
use crate::exec::request_kind::RequestKind;
use crate::exec::statistics::WORTH_RECORDING;
use crate::pool::pool_core::PoolCore;
use crate::pool::receiver::{Receiver, SpareBatches};
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::pool::workers::{LONG_CHUNK, LocalEnv, Workers, uniform_chunk};
use crate::results::batch::Batch;
use crate::threads::interrupt_poller::InterruptPoller;
use crate::threads::stack::has_stack_left;
use crate::threads::wait_queue::{JOINED_SPIN, RECEIVER_SPIN};

/// Estimated duration of work below which the caller executes it alone, because sharing it would cost more time than it saves.
const WORTH_SHARING: Duration = Duration::from_micros(3);

/// Estimated duration of a chunk above which only workers execute it, so that the caller can check for signals meanwhile.
const TOO_LONG_FOR_CALLERS: Duration = Duration::from_millis(1);

/// Maximum number of lanes of a chunk if each step is estimated to take at most [`WORTH_SHARING`], so that the chunk takes at most
/// [`TOO_LONG_FOR_CALLERS`].
const MAX_CHEAP_LANES: usize = 256;

/// Executor that runs the requests of a synchronous pool.
pub struct SyncExecutor {
    workers: Arc<Workers>,
    /// Requests that were sent and not yet received, oldest first.
    pending: Mutex<VecDeque<Arc<Request>>>,
}

impl Workers {
    /// Executes remaining items of a request, as thread number `thread` of that request.
    ///
    /// # Errors
    /// `Interrupted` or `Timeout`, if a check of `interrupts` after long work fails. The other threads then execute the remaining
    /// items.
    pub fn join(&self, env: &dyn BatchEnv, request: &Request, thread: usize, interrupts: &mut InterruptPoller<'_>) -> Result<()> {
        let statistics = self.core.table.statistics.get();
        // Short steps of uniform environments are measured together, because reading the clock after each chunk would take too long.
        let is_short = self.is_uniform() && self.cost.estimate(1) < WORTH_RECORDING;
        let (mut clock, mut played) = (Instant::now(), 0);
        let mut last = clock;
        interrupts.start(clock);
        let mut items = request.items(thread);
        while !self.core.is_closed()
            && let Some(Range { start, end }) = items.next()
        {
            let batch = request.batch().expect("synchronous requests carry their batch");
            self.execute_untimed(env, request, start..end, RowSink::Rows(&batch.pointers));
            played += end - start;
            if !is_short {
                let now = Instant::now();
                if let Some(statistics) = statistics {
                    statistics.record_chunk(thread, (&request.kind, &request.lanes), start..end, now - last);
                }
                last = now;
            }
            if self.cost.estimate(end - start) > LONG_CHUNK || last - clock > LONG_CHUNK {
                // The items are counted before the interrupt hook, which may panic. Otherwise, the receiver would wait forever
                // for items that were taken and never counted.
                self.count_played(request, (thread, is_short), clock, last, std::mem::take(&mut played));
                if thread == 0 {
                    // Workers may have been left asleep, because the work seemed short.
                    self.threads.idle.wake(request.free_seats());
                }
                interrupts.check_deadline()?;
                interrupts.check()?;
                self.core.check_not_forked()?;
                clock = Instant::now();
                last = clock;
            }
        }
        self.count_played(request, (thread, is_short), clock, last, played);
        Ok(())
    }

    /// Records the items that the thread has executed from `clock` to `last`, or to this moment if their steps are short, and wakes
    /// the receiver if no item is left.
    #[inline]
    fn count_played(&self, request: &Request, (thread, is_short): (usize, bool), clock: Instant, last: Instant, played: usize) {
        if played > 0 {
            let taken = if is_short { clock.elapsed() } else { last - clock };
            self.record_cost(request, taken, played);
            if is_short && let Some(statistics) = self.core.table.statistics.get() {
                statistics.record_run(thread, &request.kind, played, taken);
            }
            if request.record_executed(played) {
                self.threads.callers.wake(usize::MAX);
            }
        }
    }

    /// Waits until a request is complete. Executes a part of it if `joins` is true or no worker was started.
    ///
    /// # Errors
    /// `Interrupted`, `Timeout`, `Closed`; the workers then execute the remaining items.
    fn run_to_completion(
        &self,
        env: &dyn BatchEnv,
        request: &Request,
        joins: bool,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<()> {
        let (joined, spin) = match joins || self.has_no_workers() {
            true => (self.join(env, request, 0, interrupts), JOINED_SPIN),
            false => (Ok(()), RECEIVER_SPIN),
        };
        let played = joined.and_then(|()| self.wait_until(None, spin, interrupts, || request.is_done()));
        if played.is_err() && !self.core.is_forked() {
            self.threads.idle.wake(usize::MAX);
        }
        played
    }
}

impl SyncExecutor {
    /// Creates the executor of the lanes of `env`.
    pub fn new(core: Arc<PoolCore>, env: &dyn BatchEnv) -> Self {
        Self { workers: Arc::new(Workers::new(core, env)), pending: Mutex::default() }
    }

    /// Returns the threads that run the environments.
    #[inline]
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    fn lock_pending(&self) -> MutexGuard<'_, VecDeque<Arc<Request>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues the request that the sender has built. The results go into `batch`.
    ///
    /// # Errors
    /// `Memory` if there is no batch and the system refuses its memory; nothing is sent then.
    pub fn send(&self, sender: &mut Sender, batch: Option<Box<Batch>>) -> Result<()> {
        let core = &self.workers.core;
        let batch = core.batch_or_new(batch)?;
        sender.clear_failures(&core.table, Phase::Recreating);
        core.ledger.mark_sent(sender.request().lanes.iter());
        let request = self.enqueue(sender, batch, self.workers.is_uniform());
        self.lock_pending().push_back(request);
        Ok(())
    }

    /// Executes the request that the sender has built, and returns the results in the memory of `batch`. When called, no lane is
    /// in flight.
    ///
    /// # Errors
    /// `State` if an environment failed; `Memory`, if there is no `batch`; `Closed`; `Interrupted`, `Timeout`.
    #[inline]
    pub fn run(
        &self,
        sender: &mut Sender,
        receiver: &mut Receiver,
        batch: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        let core = &*self.workers.core;
        let mut out = core.batch_or_new(batch.take())?;
        sender.clear_failures(&core.table, Phase::Recreating);
        if self.is_worth_sharing(sender) {
            let Request { kind, lanes, .. } = sender.request();
            let joins = self.caller_joins(lanes.len(), kind, interrupts);
            return self.run_shared(sender, receiver, out, batch, joins, interrupts);
        }
        sender.calls = sender.calls.wrapping_add(1);
        let (is_sample, request) = (sender.calls % 64 == 1, sender.request());
        let lanes = request.lanes.len();
        self.workers.execute(&*sender.local().env, request, 0..lanes, 0, RowSink::Rows(&out.pointers), is_sample);
        out.rows = lanes;
        if core.ledger.has_failures() {
            out.set_lanes(request.lanes.iter());
            core.ledger.mark_sent(request.lanes.iter());
            return core.ledger.receive_with_failures(receiver, out, batch);
        }
        Ok(out)
    }

    /// Executes the request that the sender has built with the workers, and in the caller's thread if `joins` is true.
    fn run_shared(
        &self,
        sender: &mut Sender,
        receiver: &mut Receiver,
        batch: Box<Batch>,
        spare: &mut Option<Box<Batch>>,
        joins: bool,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        let request = self.enqueue(sender, batch, joins);
        let ledger = &self.workers.core.ledger;
        let unfinished = RequeueGuard { executor: self, request: &request };
        self.workers.run_to_completion(&*sender.local().env, &request, joins, interrupts)?;
        std::mem::forget(unfinished);
        // SAFETY: `run_to_completion` returned once the request was done, and the caller holds the receiver guard (`&mut
        // Receiver`).
        let mut done = unsafe { request.take_batch() }.expect("a queued request has its batch");
        done.rows = request.lanes.len();
        if ledger.has_failures() {
            done.set_lanes(request.lanes.iter());
            ledger.mark_sent(request.lanes.iter());
            return ledger.receive_with_failures(receiver, done, spare);
        }
        Ok(done)
    }

    /// Receives the results of the oldest request.
    ///
    /// # Errors
    /// `State` if nothing was sent or an environment failed; `Closed`; `Interrupted`, `Timeout`.
    pub fn recv(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        let front = self.lock_pending().front().cloned();
        let request = front.ok_or_else(nothing_sent_error)?;
        self.workers.run_to_completion(&*receiver.local().env, &request, self.workers.is_uniform(), interrupts)?;
        self.lock_pending().pop_front();
        // SAFETY: `run_to_completion` returned once the request was done, and the caller holds the receiver guard (`&mut
        // Receiver`).
        let mut done = unsafe { request.take_batch() }.expect("a queued request has its batch");
        done.set_lanes(request.lanes.iter());
        self.workers.core.ledger.receive(receiver, done, spare)
    }

    /// Releases all requests and results of a closed pool. The threads that execute a request free it when they finish.
    pub fn release(&self) {
        self.lock_pending().clear();
        self.workers.threads.clear();
    }

    /// Returns the oldest request that was not received.
    pub fn next_request(&self) -> Option<Arc<Request>> {
        self.lock_pending().front().cloned()
    }

    /// Waits until all requests sent so far are executed, then discards their results. Only the receiver may call this method.
    ///
    /// # Errors
    /// `Interrupted`, `Timeout`, `Closed`; if one occurs, no result has been discarded.
    pub fn drain(&self, local: &LocalEnv, thrown: &mut SpareBatches, interrupts: &mut InterruptPoller<'_>) -> Result<()> {
        let pending: Vec<_> = self.lock_pending().iter().cloned().collect();
        let joins = self.workers.is_uniform();
        pending.iter().try_for_each(|request| self.workers.run_to_completion(&*local.env, request, joins, interrupts))?;
        for request in self.lock_pending().drain(..) {
            // SAFETY: `run_to_completion` returned for every pending request, and the caller holds the receiver guard.
            thrown.extend(unsafe { request.take_batch() });
        }
        Ok(())
    }

    /// Publishes the request that the sender has built, and wakes workers if there is enough work. `joins` is whether the caller will
    /// execute a part of it.
    fn enqueue(&self, sender: &mut Sender, batch: Box<Batch>, joins: bool) -> Arc<Request> {
        let workers = &self.workers;
        let lanes = sender.request().lanes.len();
        let helpers = workers.helpers(joins).min(lanes);
        let threads = (helpers + usize::from(joins)).max(1);
        let grain = match workers.scheduling {
            Scheduling::Uniform => uniform_chunk(lanes.div_ceil(8 * threads)),
            Scheduling::OneByOne if workers.cost.estimate(1) > WORTH_SHARING => 1,
            Scheduling::OneByOne => lanes.div_ceil(8 * threads).min(MAX_CHEAP_LANES),
            Scheduling::Batched(together) => workers.batched_chunk(lanes, together),
        };
        sender.request_mut().divide(threads, grain, helpers, Some(batch));
        let request = sender.publish(&workers.core.keys);
        workers.start(sender.shared_local(), helpers.max(1));
        let work = workers.cost.estimate(lanes);
        if helpers > 0 {
            workers.threads.publish(Arc::clone(&request));
        }
        let spinning = workers.threads.idle.spinning();
        let asleep = match workers.is_uniform() {
            true if spinning > 0 => 0,
            false if joins => helpers.saturating_sub(spinning),
            _ => helpers,
        };
        if !joins || workers.is_worth_waking(work, sender.streak) {
            workers.threads.idle.wake(asleep);
        }
        request
    }

    /// Returns whether the caller executes a part of a request of this kind: its steps are short. It does not execute steps that
    /// a deadline could end, that are pinned to CPUs, or for which its stack may be too small.
    #[inline]
    fn caller_joins(&self, lanes: usize, kind: &RequestKind, interrupts: &InterruptPoller<'_>) -> bool {
        let workers = &*self.workers;
        let Some(chunk) = self.min_chunk(lanes) else { return true };
        matches!(kind, RequestKind::Step)
            && !interrupts.has_deadline()
            && workers.core.config.thread_affinity_offset.is_none()
            && workers.cost.estimate(chunk) <= TOO_LONG_FOR_CALLERS
            && has_stack_left(workers.stack_bytes)
    }

    /// Returns the number of lanes of the smallest chunk of a request for `lanes` lanes; `None` if steps are uniform.
    #[inline]
    fn min_chunk(&self, lanes: usize) -> Option<usize> {
        match self.workers.scheduling {
            Scheduling::Uniform => None,
            Scheduling::OneByOne => Some(1),
            Scheduling::Batched(together) => Some(self.workers.batched_chunk(lanes, together)),
        }
    }

    /// Returns whether the sender's request is executed in chunks, of which workers execute some or all. Threads check for signals
    /// between chunks.
    #[inline]
    fn is_worth_sharing(&self, sender: &mut Sender) -> bool {
        let workers = &*self.workers;
        let lanes = sender.request().lanes.len();
        let work = workers.cost.estimate(lanes);
        if let Some(chunk) = self.min_chunk(lanes) {
            let is_shared = lanes > chunk || work > TOO_LONG_FOR_CALLERS || !has_stack_left(workers.stack_bytes);
            if is_shared {
                count_streak(sender, work);
            }
            return is_shared;
        }
        if work < WORTH_SHARING || lanes == 1 || workers.core.config.num_threads == 0 || workers.cpus == 1 {
            return false;
        }
        count_streak(sender, work);
        workers.threads.idle.spinning() > 0 || workers.is_worth_waking(work, sender.streak)
    }
}

/// Returns the error for a `recv` when no request was sent.
pub fn nothing_sent_error() -> Error {
    Error::State("recv: nothing has been sent".into())
}

/// Counts the steps that the caller has made one after another without a pause.
fn count_streak(sender: &mut Sender, work: Duration) {
    let now = Instant::now();
    let gap = now.duration_since(std::mem::replace(&mut sender.last_call, now));
    sender.streak = if gap < 3 * work + Duration::from_micros(20) { sender.streak.saturating_add(1) } else { 0 };
}

/// Guard that, on drop, requeues a shared request for the next `recv`. It is dropped when the caller stops waiting or the
/// interrupt hook panics. Workers then execute the remaining items.
struct RequeueGuard<'a> {
    executor: &'a SyncExecutor,
    request: &'a Arc<Request>,
}

impl Drop for RequeueGuard<'_> {
    fn drop(&mut self) {
        if self.executor.workers.core.is_forked() {
            return; // a worker of the parent may have held the locks during the fork
        }
        self.executor.workers.core.ledger.mark_sent(self.request.lanes.iter());
        self.executor.lock_pending().push_back(Arc::clone(self.request));
        self.request.add_seat(); // a worker takes the place of the caller
        self.executor.workers.threads.publish(Arc::clone(self.request));
        self.executor.workers.threads.idle.wake(usize::MAX);
    }
}

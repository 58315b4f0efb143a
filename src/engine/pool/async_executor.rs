//! Executor of asynchronous pools, which return batches of the lanes that finish first.

use std::ops::Range;
use std::sync::Arc;

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::exec::batch_env::BatchEnv;
use crate::exec::chunk::RowSink;
use crate::exec::lane_table::Phase;
use crate::pool::pool_core::PoolCore;
use crate::pool::receiver::Receiver;
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::pool::workers::{LocalEnv, MIN_WAKE_COST, Workers, uniform_chunk};
use crate::results::batch::Batch;
use crate::results::batch_ring::BatchRing;
use crate::threads::interrupt_poller::InterruptPoller;
use crate::threads::wait_queue::RECEIVER_SPIN;

impl Workers {
    /// Returns whether workers should take chunks. Small numbers of steps of cheap environments are left to the receiver. Without
    /// workers, the receiver executes 43 million steps per second at 1,024 CartPoles in batches of 256. With a worker, the two
    /// threads move lanes out of each other's cache, and execute 39 million steps per second at best, and usually 20 million.
    pub fn wants_chunks(&self) -> bool {
        !self.is_uniform() || self.cost.estimate(self.core.ledger.count_in_flight()) > MIN_WAKE_COST
    }

    /// Runs chunks of a request in the worker of this thread number, until none is left or workers should take none.
    pub fn run_chunks(&self, env: &dyn BatchEnv, ring: &BatchRing, request: &Request, thread: usize) {
        while !self.core.is_closed()
            && self.wants_chunks()
            && let Some(items) = request.items(0).next()
        {
            self.execute_chunk(env, ring, request, items, thread);
        }
    }

    /// Takes a chunk of `task` or, if it has none left, of the oldest request that has one, which replaces `task`. `seen` is for
    /// [`ThreadPool::has_news`](crate::threads::thread_pool::ThreadPool::has_news).
    pub fn take_chunk<'a>(&self, task: &'a mut Option<Arc<Request>>, seen: &mut u64) -> Option<(&'a Request, Range<usize>)> {
        loop {
            let taken = task.as_ref().and_then(|request| request.items(0).next());
            if let Some(items) = taken {
                return Some((task.as_deref()?, items));
            }
            *task = None; // so that the sender can reuse its memory
            *task = Some(self.threads.find(seen, |_| true)?);
        }
    }

    /// Executes a chunk in thread number `thread`, and wakes the receiver if that completes a batch.
    pub fn execute_chunk(&self, env: &dyn BatchEnv, ring: &BatchRing, request: &Request, items: Range<usize>, thread: usize) {
        let (is_first, count) = (items.start == 0, items.len());
        let first = self.execute(env, request, items, thread, RowSink::BatchRing(ring), is_first);
        if ring.commit(first.expect("a chunk claims rows"), count) {
            self.threads.callers.wake(usize::MAX);
        }
    }
}

/// Executor that runs the requests of an asynchronous pool.
pub struct AsyncExecutor {
    workers: Arc<Workers>,
}

impl AsyncExecutor {
    /// Creates the executor of the lanes of `env`.
    pub fn new(core: Arc<PoolCore>, env: &dyn BatchEnv) -> Self {
        Self { workers: Arc::new(Workers::new(core, env)) }
    }

    /// Returns the threads that run the environments.
    #[inline]
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Publishes the sender's request, and wakes as many workers as needed.
    pub fn send(&self, sender: &mut Sender) {
        let workers = &self.workers;
        sender.clear_failures(&workers.core.table, Phase::Recreating);
        workers.core.ledger.mark_sent(sender.request().lanes.iter());
        let lanes = sender.request().lanes.len();
        let size = self.chunk_size(lanes);
        sender.request_mut().divide(1, size, usize::MAX, None);
        let request = sender.publish(&workers.core.keys);
        sender.queued += lanes as u64;
        workers.start(sender.shared_local(), workers.core.config.num_threads);
        workers.threads.publish(request);
        if workers.wants_chunks() {
            workers.threads.idle.wake(workers.helpers(false).min(lanes.div_ceil(size)));
        }
    }

    /// Returns the environments that a receiver helps to run while it waits, and the ring buffer. If the time of a step is unknown,
    /// the receiver runs no steps, because it could not check signals during a step.
    fn helped<'a>(&self, local: &'a LocalEnv) -> (Option<(&'a dyn BatchEnv, &'a BatchRing)>, &'a BatchRing) {
        let ring = local.ring().expect("an asynchronous pool has a ring buffer");
        let helps = self.workers.is_uniform() || self.workers.has_no_workers();
        (helps.then_some((&*local.env, ring)), ring)
    }

    /// Returns the number of lanes per chunk, for a request for `lanes` lanes.
    fn chunk_size(&self, lanes: usize) -> usize {
        match self.workers.scheduling {
            Scheduling::Uniform => uniform_chunk(lanes.div_ceil(4 * (self.workers.helpers(false) + 1))),
            Scheduling::OneByOne => 1,
            Scheduling::Batched(together) => together.max(1),
        }
    }

    /// Receives the next batch, and reuses the memory of `spare` for a later one.
    ///
    /// # Errors
    /// `State` if fewer lanes are in flight than a batch needs, or if an environment failed; `Closed`; `Interrupted`, `Timeout`.
    pub fn recv(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        let (workers, core) = (&*self.workers, &*self.workers.core);
        core.ledger.check_enough_in_flight(0, core.config.batch_size)?;
        let (helped, ring) = self.helped(receiver.local());
        workers.wait_until(helped, RECEIVER_SPIN, interrupts, || ring.is_complete())?;
        let next = core.batch_or_new(spare.take())?;
        // SAFETY: the caller holds the receiver guard (`&mut Receiver`), and releases the batch's lanes only after this call.
        let taken = unsafe { ring.take(next) }.unwrap_or_else(|_| unreachable!("it was complete"));
        core.ledger.receive(receiver, taken, spare)
    }

    /// Waits until all requests sent so far are executed, then discards their results. The caller must hold the sender and
    /// receiver guards.
    ///
    /// # Errors
    /// `Interrupted`, `Timeout`, `Closed`; if one occurs, no result has been discarded.
    pub fn drain(&self, sender: &mut Sender, interrupts: &mut InterruptPoller<'_>) -> Result<()> {
        let (helped, ring) = self.helped(sender.local());
        self.workers.wait_until(helped, RECEIVER_SPIN, interrupts, || ring.committed() >= sender.queued)?;
        // SAFETY: all sent chunks have committed their rows, and the caller holds the sender and receiver guards.
        unsafe { ring.reset() };
        sender.queued = 0;
        Ok(())
    }
}

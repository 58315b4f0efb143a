//! Executor of asynchronous pools, which return batches of the lanes that finish first.

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
use crate::pool::workers::{JobKind, LONG_CHUNK, LocalEnv, MIN_WAKE_COST, Workers, uniform_chunk};
use crate::results::batch::Batch;
use crate::results::batch_ring::BatchRing;
use crate::threads::interrupt_poller::InterruptPoller;

/// Job of a worker: items `start..end` of a request.
pub struct RequestChunk {
    request: Arc<Request>,
    start: u32,
    end: u32,
}

impl JobKind for BatchRing {
    type Job = RequestChunk;

    fn run(workers: &Workers<Self>, local: &LocalEnv, chunk: RequestChunk, _number: usize) {
        workers.execute_chunk(local, &chunk);
    }

    fn help(workers: &Workers<Self>, local: &LocalEnv, chunk: RequestChunk) -> bool {
        workers.execute_chunk(local, &chunk);
        workers.cost.estimate((chunk.end - chunk.start) as usize) > LONG_CHUNK
    }

    /// Returns whether workers should take jobs. Small numbers of steps of cheap environments are left to the receiver. Without
    /// workers, the receiver executes 43 million steps per second at 1,024 CartPoles in batches of 256. With a worker, the two
    /// threads move lanes out of each other's cache, and execute 39 million steps per second at best, and usually 20 million.
    fn wants_workers(workers: &Workers<Self>) -> bool {
        !workers.is_uniform() || workers.cost.estimate(workers.core.ledger.count_in_flight()) > MIN_WAKE_COST
    }
}

impl Workers<BatchRing> {
    /// Executes a chunk, and wakes the receiver if that completes a batch.
    fn execute_chunk(&self, local: &LocalEnv, chunk: &RequestChunk) {
        let (ring, start, end) = (local.ring(), chunk.start as usize, chunk.end as usize);
        let first = self.execute(&*local.env, &chunk.request, start..end, RowSink::BatchRing(ring), start == 0);
        if ring.commit(first.expect("a chunk claims rows"), end - start) {
            self.receivers.wake(usize::MAX);
        }
    }
}

/// Executor that runs the requests of an asynchronous pool.
pub struct AsyncExecutor {
    workers: Arc<Workers<BatchRing>>,
}

impl AsyncExecutor {
    /// Creates the executor of the lanes of `env`.
    pub fn new(core: Arc<PoolCore>, env: &dyn BatchEnv) -> Self {
        Self { workers: Arc::new(Workers::new(core, env)) }
    }

    /// Returns the threads that run the environments.
    #[inline]
    pub fn workers(&self) -> &Workers<BatchRing> {
        &self.workers
    }

    /// Divides the sender's request into chunks, queues them, and wakes as many workers as needed.
    pub fn send(&self, sender: &mut Sender) {
        let workers = &self.workers;
        sender.clear_failures(&workers.core.table, Phase::Recreating);
        workers.core.ledger.mark_sent(sender.request().lanes.iter());
        let lanes = sender.request().lanes.len();
        let size = self.chunk_size(lanes);
        let request = sender.publish(&workers.core.keys);
        sender.queued += lanes as u64;
        workers.start(sender.shared_local());
        for start in (0..lanes).step_by(size) {
            let (start, end) = (start as u32, lanes.min(start + size) as u32);
            let pushed = workers.queue.push(RequestChunk { request: Arc::clone(&request), start, end });
            assert!(pushed.is_ok(), "the queue has room for every lane");
        }
        if BatchRing::wants_workers(workers) {
            workers.idle.wake(workers.helpers(false).min(lanes.div_ceil(size)));
        }
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
        let (local, ring) = (receiver.local(), receiver.local().ring());
        workers.wait_until(local, workers.is_uniform(), interrupts, || ring.is_complete())?;
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
        let (workers, local, ring) = (&*self.workers, sender.local(), sender.local().ring());
        // If the time of a step is unknown, the caller does not help to run steps, because it could not check signals during a
        // step.
        workers.wait_until(local, workers.is_uniform(), interrupts, || ring.committed() >= sender.queued)?;
        // SAFETY: all queued chunks have committed their rows, and the caller holds the sender and receiver guards.
        unsafe { ring.reset() };
        sender.queued = 0;
        Ok(())
    }
}

//! The executor of asynchronous pools: batches of whoever finishes first.

use std::sync::Arc;

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::play::batch_env::BatchEnv;
use crate::play::lane_table::Phase;
use crate::play::work::Sink;
use crate::pool::core::PoolCore;
use crate::pool::receiver::Receiver;
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::pool::workers::{LONG, Rows, WORTH_WAKING, Workers, uniform_chunk};
use crate::results::batch::Batch;
use crate::results::ring::Ring;
use crate::threads::interrupts::Interrupts;

/// Items `start..end` of a request.
pub struct RequestChunk {
    request: Arc<Request>,
    start: u32,
    end: u32,
}

impl Rows for Ring {
    type Job = RequestChunk;

    fn run(workers: &Workers<Self>, chunk: RequestChunk, _number: usize) {
        workers.play_chunk(&chunk);
    }

    fn help(workers: &Workers<Self>, chunk: RequestChunk) -> bool {
        workers.play_chunk(&chunk);
        workers.cost.of((chunk.end - chunk.start) as usize) > LONG
    }

    /// Little asynchronous work of cheap environments is left to the receiver: at 1,024 CartPoles in batches of 256 it does 43 million
    /// steps per second alone, and with a worker beside it, each time taking lanes out of the other's cache, 39 million at best and 20
    /// million as a rule.
    fn wants_workers(workers: &Workers<Self>) -> bool {
        !workers.is_uniform() || workers.cost.of(workers.core.ledger.count_in_flight()) > WORTH_WAKING
    }
}

impl Workers<Ring> {
    /// Plays a chunk and wakes the receiver where that completes a batch.
    fn play_chunk(&self, chunk: &RequestChunk) {
        let (ring, start, end) = (self.rows(), chunk.start as usize, chunk.end as usize);
        let first = self.play(&chunk.request, start, end, Sink::Ring(ring), start == 0);
        if ring.commit(first.expect("a chunk claims rows"), end - start) {
            self.receivers.wake(usize::MAX);
        }
    }
}

/// Runs the requests of an asynchronous pool.
pub struct AsyncExecutor {
    workers: Arc<Workers<Ring>>,
}

impl AsyncExecutor {
    /// Runs the lanes of `env`, whose rows go into `ring`.
    pub fn new(core: Arc<PoolCore>, env: Box<dyn BatchEnv>, ring: Ring) -> Self {
        Self { workers: Arc::new(Workers::new(core, env, ring)) }
    }

    /// The environments, and the threads that run them.
    #[inline]
    pub fn workers(&self) -> &Workers<Ring> {
        &self.workers
    }

    /// Cuts the sender's request into chunks, queues them and wakes whoever is needed.
    pub fn send(&self, sender: &mut Sender) {
        let workers = &self.workers;
        sender.revive(&workers.core.table, Phase::Revived);
        workers.core.ledger.mark_sent(sender.request().lanes.iter());
        let lanes = sender.request().lanes.len();
        let size = self.chunk_size(lanes);
        let request = sender.publish(&workers.core.keys);
        sender.queued += lanes as u64;
        workers.start();
        for start in (0..lanes).step_by(size) {
            let (start, end) = (start as u32, lanes.min(start + size) as u32);
            let pushed = workers.queue.push(RequestChunk { request: Arc::clone(&request), start, end });
            assert!(pushed.is_ok(), "the queue has room for every lane");
        }
        if Ring::wants_workers(workers) {
            workers.idle.wake(workers.helpers().min(lanes.div_ceil(size)));
        }
    }

    /// Lanes per chunk of a request for so many.
    fn chunk_size(&self, lanes: usize) -> usize {
        match self.workers.scheduling {
            Scheduling::Uniform => uniform_chunk(lanes.div_ceil(4 * (self.workers.helpers() + 1))),
            Scheduling::OneByOne => 1,
            Scheduling::Together(together) => together.max(1),
        }
    }

    /// Receives the next batch; takes `spare` as memory for a later one.
    ///
    /// # Errors
    /// `State` where too little is in flight or an environment failed; `Closed`; `Interrupted`, `Late`.
    pub fn recv(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<Box<Batch>> {
        let (workers, core) = (&*self.workers, &*self.workers.core);
        core.ledger.check_enough_in_flight(0, core.config.batch_size)?;
        let ring = workers.rows();
        workers.wait_until(workers.is_uniform(), interrupts, || ring.is_complete())?;
        let next = spare.take().unwrap_or_else(|| core.batch(usize::MAX));
        // SAFETY: the receiver's turn is ours, and lanes are released only below.
        let taken = unsafe { ring.take(next) }.unwrap_or_else(|_| unreachable!("it was complete"));
        core.ledger.receive(receiver, taken, spare)
    }

    /// Waits until all that was ever sent is played, then forgets it. For whoever has both turns.
    ///
    /// # Errors
    /// `Interrupted`, `Late`, `Closed`; nothing has been forgotten then.
    pub fn drain(&self, sender: &mut Sender, interrupts: &mut Interrupts<'_>) -> Result<()> {
        let (workers, ring) = (&*self.workers, self.workers.rows());
        // A step of unknown length is a trap for a caller who wants to notice signals.
        workers.wait_until(workers.is_uniform(), interrupts, || ring.committed() >= sender.queued)?;
        // SAFETY: everything queued has been played, and both turns are the caller's.
        unsafe { ring.restart() };
        sender.queued = 0;
        Ok(())
    }
}

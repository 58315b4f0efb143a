//! Worker threads, and the environments that they run in this process.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use crate::contract::config::usable_cpus;
use crate::contract::env::Scheduling;
use crate::contract::error::{Error, Result};
use crate::contract::lane_error::{LaneError, Payload};
use crate::exec::batch_env::BatchEnv;
use crate::exec::chunk::{Chunk, ChunkGuard, RowSink, panic_message};
use crate::exec::request_kind::RequestKind;
use crate::pool::pool_core::PoolCore;
use crate::pool::request::Request;
use crate::results::batch_ring::BatchRing;
use crate::threads::cost::Cost;
use crate::threads::interrupt_poller::InterruptPoller;
use crate::threads::thread_pool::{ThreadCpus, ThreadPool, ThreadSettings, Worker};
use crate::threads::wait_queue::spin_once;

/// Estimated cost of a chunk below which its time is not measured, because reading the clock would take too long in comparison.
const MIN_TIMED_COST: Duration = Duration::from_micros(2);

/// Estimated duration of the work above which a sleeping worker is woken.
pub const MIN_WAKE_COST: Duration = Duration::from_micros(30);

/// Estimated duration of a chunk above which signals are checked after the chunk.
pub const LONG_CHUNK: Duration = Duration::from_micros(100);

/// Number of consecutive steps without a pause after which workers are woken for less work, because more steps will follow.
const WAKE_STREAK: u32 = 16;

/// Minimum chunk size in lanes if steps have uniform cost; chunk sizes are multiples of this number.
const UNIFORM_CHUNK: usize = 32;

/// Minimum estimated duration of a chunk of lanes that are stepped together, if the chunk has fewer lanes than possible. Other
/// threads need a part of this time to start.
const MIN_BATCHED_CHUNK: Duration = Duration::from_micros(30);

/// Maximum number of items that a thread takes at once, unless the minimum chunk size is larger.
const MAX_TAKE: usize = 1024;

/// Environments in this process, and the ring buffer of an asynchronous pool. The workers own them together, and so do the sender
/// and the receiver until the pool is closed.
pub struct LocalEnv {
    pub env: Box<dyn BatchEnv>,
    ring: Option<BatchRing>,
}

impl LocalEnv {
    /// Creates the environments of a pool; `ring` is the ring buffer of an asynchronous pool.
    pub fn new(env: Box<dyn BatchEnv>, ring: Option<BatchRing>) -> Self {
        Self { env, ring }
    }

    /// Returns the ring buffer of an asynchronous pool.
    #[inline]
    pub fn ring(&self) -> Option<&BatchRing> {
        self.ring.as_ref()
    }
}

/// The threads that run the lanes of a pool.
pub struct Workers {
    pub core: Arc<PoolCore>,
    /// Policy by which lanes are distributed among threads.
    pub scheduling: Scheduling,
    /// Bytes of stack that a thread needs to step any lane.
    pub stack_bytes: usize,
    /// Measured cost of steps, in cache lines of its own because all threads change it.
    pub cost: CachePadded<Cost>,
    pub threads: Arc<ThreadPool<Request>>,
    pub cpus: usize,
}

/// A worker thread of a pool.
struct PoolWorker {
    workers: Arc<Workers>,
    local: Arc<LocalEnv>,
}

impl Worker for PoolWorker {
    type Task = Request;

    fn run(&self, _pool: &ThreadPool<Request>, request: &Request, number: usize) {
        let thread = number + 1; // thread 0 is the request's caller
        match self.local.ring() {
            Some(ring) => self.workers.run_chunks(&*self.local.env, ring, request, thread),
            None => drop(self.workers.join(&*self.local.env, request, thread, &mut InterruptPoller::new(&mut || false))),
        }
    }

    fn wants_tasks(&self) -> bool {
        self.local.ring().is_none() || self.workers.wants_chunks()
    }

    fn abandon(&self) {
        self.workers.core.mark_closed();
    }
}

impl Workers {
    /// Creates the state that the threads share; [`start`](Self::start) starts the threads.
    pub fn new(core: Arc<PoolCore>, env: &dyn BatchEnv) -> Self {
        let (scheduling, stack_bytes) = (env.scheduling(), env.stack_bytes());
        Self {
            scheduling,
            stack_bytes,
            cost: CachePadded::new(Cost::new(scheduling == Scheduling::Uniform)),
            threads: Arc::default(),
            cpus: usable_cpus(),
            core,
        }
    }

    /// Returns whether all steps cost about the same, so that a caller can help without the risk of a long step.
    #[inline]
    pub fn is_uniform(&self) -> bool {
        self.scheduling == Scheduling::Uniform
    }

    /// Returns the number of workers that should execute a step. `joins` is whether the caller executes a part of it; unless steps
    /// are uniform, the caller is then one of the `num_threads` threads.
    pub fn helpers(&self, joins: bool) -> usize {
        let threads = self.core.config.num_threads;
        match self.is_uniform() {
            true => threads.min(self.cpus - 1),
            false => threads.saturating_sub(usize::from(joins)),
        }
    }

    /// Returns the number of lanes per chunk of a synchronous request for `lanes` lanes, if `together` lanes can be stepped together.
    pub fn batched_chunk(&self, lanes: usize, together: usize) -> usize {
        let threads = self.core.config.num_threads.min(self.cpus);
        if threads < 2 {
            return together.max(1);
        }
        let least = MIN_BATCHED_CHUNK.as_nanos().div_ceil(self.cost.estimate(1).as_nanos().max(1));
        balanced_chunk(lanes.div_ceil(threads), together.max(1), least as usize)
    }

    /// Returns whether to wake a sleeping worker for `work`, after `streak` consecutive steps without a pause.
    pub fn is_worth_waking(&self, work: Duration, streak: u32) -> bool {
        work > MIN_WAKE_COST || streak >= WAKE_STREAK
    }

    /// Returns whether no worker was started, so that callers must execute everything.
    pub fn has_no_workers(&self) -> bool {
        self.threads.started() == 0
    }

    /// Starts workers until `count` workers run, but at most as many as the pool has threads. Only the sender may call this method.
    #[inline]
    pub fn start(self: &Arc<Self>, local: &Arc<LocalEnv>, count: usize) {
        let config = &self.core.config;
        let cpus = config.thread_affinity_offset.map_or(ThreadCpus::Any, ThreadCpus::From);
        let settings = ThreadSettings { name: "envpool", cpus, spinners: self.cpus - 1 };
        let worker = || PoolWorker { workers: Arc::clone(self), local: Arc::clone(local) };
        self.threads.start(count.min(config.num_threads), settings, worker);
    }

    /// Records the cost of `lanes` items of a request. Resets are not recorded, because their cost differs from that of steps.
    pub fn record_cost(&self, request: &Request, taken: Duration, lanes: usize) {
        if matches!(request.kind, RequestKind::Step) {
            self.cost.record(taken, lanes);
        }
    }

    /// Executes items of a request in thread number `thread`. Returns the first row that was claimed in a ring buffer. Measures the
    /// cost if it is expected to exceed the cost of reading the clock, if `sample` is true, or for statistics.
    #[inline]
    pub fn execute(
        &self,
        env: &dyn BatchEnv,
        request: &Request,
        items: Range<usize>,
        thread: usize,
        sink: RowSink<'_>,
        sample: bool,
    ) -> Option<u64> {
        let statistics = self.core.table.statistics.get();
        let timed = sample || statistics.is_some() || self.cost.estimate(items.len()) > MIN_TIMED_COST;
        let clock = timed.then(Instant::now);
        let first = self.execute_untimed(env, request, items.clone(), sink);
        if let Some(clock) = clock {
            let taken = clock.elapsed();
            self.record_cost(request, taken, items.len());
            if let Some(statistics) = statistics {
                statistics.record_chunk(thread, (&request.kind, &request.lanes), items, taken);
            }
        }
        first
    }

    /// Executes items of a request without measuring their cost.
    #[inline]
    pub fn execute_untimed(&self, env: &dyn BatchEnv, request: &Request, items: Range<usize>, sink: RowSink<'_>) -> Option<u64> {
        let (failed, Range { start, end }) = (RefCell::default(), items);
        let work = Chunk {
            failed: &failed,
            lanes: &request.lanes,
            actions: &request.actions,
            kind: &request.kind,
            start,
            end,
            table: &self.core.table,
            rules: self.core.rules,
            progress: Cell::new(start),
            span: Cell::new(1),
            clock: Cell::new(None),
        };
        // SAFETY: a lane is in flight at most once (the sender checks in `start`), and this thread alone took the items. The rows
        // are the rows of its items, or rows of the ring buffer that this chunk has reserved.
        let mut guard = unsafe { ChunkGuard::new(&request.lanes, start..end, sink) };
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| env.run(&work, &mut guard))) {
            self.fail(&work, &mut guard, &fault_of(&*panic));
        }
        for (index, failure) in failed.take() {
            self.fail_one(&work, &mut guard, index, &fault_of(&failure));
        }
        guard.rows.claim() // claims the rows even if the panic occurred before any access
    }

    /// Marks the lanes that a panic affects as failed, writes empty rows for them, and skips them.
    #[cold]
    fn fail(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>, fault: &LaneError) {
        let first = chunk.progress.get();
        let last = chunk.end.min(first + chunk.span.get());
        (first..last).for_each(|index| self.fail_one(chunk, guard, index, fault));
        chunk.progress.set(last);
        chunk.span.set(1);
    }

    /// Marks a lane as failed, and writes an empty row for it.
    #[cold]
    fn fail_one(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>, index: usize, fault: &LaneError) {
        let lane = guard.lanes.id(index);
        guard.rows.row(index).write(chunk.episodes().record_failure(lane), &vec![0.0; self.core.players]);
        self.core.ledger.record_failure(lane.number(), fault.clone());
    }

    /// Waits until `done` returns true. Meanwhile runs chunks that were sent to `helped`, the environments of an asynchronous pool,
    /// unless it is `None`. Spins for `spin` before each sleep.
    ///
    /// # Errors
    /// `Interrupted` or `Timeout` if a check of `interrupts` fails; `Closed` if the pool was closed; `State` in a child that the
    /// interrupt hook forked.
    pub fn wait_until(
        &self,
        helped: Option<(&dyn BatchEnv, &BatchRing)>,
        spin: Duration,
        interrupts: &mut InterruptPoller<'_>,
        done: impl Fn() -> bool,
    ) -> Result<()> {
        let closed = || self.core.is_closed();
        let (mut task, mut seen) = (None, 0);
        while !done() {
            let chunk = helped.and_then(|helped| Some((helped, self.take_chunk(&mut task, &mut seen)?)));
            let look = match chunk {
                Some(((env, ring), (request, items))) => {
                    let lanes = items.len();
                    self.execute_chunk(env, ring, request, items, 0);
                    self.cost.estimate(lanes) > LONG_CHUNK
                }
                None => {
                    let is_ready = || done() || closed() || (helped.is_some() && self.threads.has_news(seen));
                    !(spin_once(&is_ready) || self.wait_recorded(spin, is_ready))
                }
            };
            if closed() && !done() {
                return Err(Error::Closed);
            }
            if look {
                interrupts.check_all()?;
                self.core.check_not_forked()?;
            }
        }
        Ok(())
    }

    /// Waits for a short time until `is_ready` returns true, and records the wait. Returns the last result of `is_ready`.
    fn wait_recorded(&self, spin: Duration, is_ready: impl Fn() -> bool) -> bool {
        let clock = self.core.table.statistics.get().map(|statistics| (statistics, Instant::now()));
        let is_ready = self.threads.callers.wait_briefly(spin, is_ready);
        if let Some((statistics, clock)) = clock {
            statistics.record_wait(clock);
        }
        is_ready
    }
}

/// Returns the number of items that a thread takes at once, if it expects to execute `share` items. `grain` is the smallest
/// chunk.
fn take_size(share: usize, grain: usize) -> usize {
    share.min(MAX_TAKE).max(grain).next_multiple_of(grain)
}

/// Returns the size of equal chunks of at most `together` and, if possible, at least `least` items, if a thread expects to execute
/// `share` items.
fn balanced_chunk(share: usize, together: usize, least: usize) -> usize {
    let share = share.max(1);
    share.div_ceil(share.div_ceil(together)).max(least).min(together)
}

/// Returns the chunk size, if steps have uniform cost and a thread expects to execute `share` items.
pub fn uniform_chunk(share: usize) -> usize {
    take_size(share, UNIFORM_CHUNK)
}

/// Converts the payload of a caught panic to the error that the environment raised, or to an error with the panic's message.
fn fault_of(panic: &(dyn std::any::Any + Send)) -> LaneError {
    match panic.downcast_ref::<Error>() {
        Some(error) => LaneError::raised(error.to_string(), Payload::default()),
        None => LaneError::Panicked(panic_message(panic)),
    }
}

#[cfg(test)]
mod tests {
    use super::{balanced_chunk, take_size};

    #[test]
    fn chunks_of_lanes_that_are_stepped_together_are_equal() {
        let chunks = [(8, 1), (16, 1), (17, 1), (24, 1), (128, 1), (0, 1), (8, 9), (8, 20)];
        assert_eq!(chunks.map(|(share, least)| balanced_chunk(share, 16, least)), [8, 16, 9, 12, 16, 1, 9, 16]);
    }

    #[test]
    fn pieces_consist_of_whole_chunks_of_any_size() {
        assert_eq!([take_size(5, 32), take_size(70, 32), take_size(5000, 32), take_size(5000, 48)], [32, 96, 1024, 1056]);
        assert_eq!([take_size(5, 2000), take_size(5000, 2000)], [2000, 2000], "a chunk of more than is taken at once as a rule");
    }
}

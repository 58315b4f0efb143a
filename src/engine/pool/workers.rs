//! Worker threads, and the environments that they run in this process.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use crossbeam_queue::ArrayQueue;

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
use crate::threads::float_mode::FloatModeGuard;
use crate::threads::interrupt_poller::InterruptPoller;
use crate::threads::wait_queue::WaitQueue;
use crate::threads::worker_thread::worker_thread;

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

/// Maximum number of items that a thread takes at once, unless the minimum chunk size is larger.
const MAX_TAKE: usize = 1024;

/// Kind of pool: the type of its jobs, and the destination of the rows.
pub trait JobKind: Send + Sync + Sized + 'static {
    type Job: Send + 'static;

    /// Runs a job in worker thread `number`.
    fn run(workers: &Workers<Self>, local: &LocalEnv, job: Self::Job, number: usize);

    /// Runs a job in a thread that waits for results. Returns whether the job may have taken long.
    fn help(workers: &Workers<Self>, local: &LocalEnv, job: Self::Job) -> bool;

    /// Returns whether workers should take queued jobs.
    fn wants_workers(_workers: &Workers<Self>) -> bool {
        true
    }
}

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
    pub fn ring(&self) -> &BatchRing {
        self.ring.as_ref().expect("an asynchronous pool has a ring buffer")
    }
}

/// The threads that run the lanes of a pool, and their jobs.
pub struct Workers<R: JobKind> {
    pub core: Arc<PoolCore>,
    /// Policy by which lanes are distributed among threads.
    pub scheduling: Scheduling,
    /// Bytes of stack that a thread needs to step any lane.
    pub stack_bytes: usize,
    /// Measured cost of steps.
    pub cost: Cost,
    /// Jobs waiting for a thread. Its capacity is the number of lanes, each of which is queued at most once.
    pub queue: ArrayQueue<R::Job>,
    /// Workers waiting for jobs.
    pub idle: WaitQueue,
    /// Receivers waiting for results.
    pub receivers: WaitQueue,
    started: Once,
    /// Number of workers that were started.
    running: AtomicUsize,
    pub cpus: usize,
}

impl<R: JobKind> Workers<R> {
    /// Creates the state that the threads share; [`start`](Self::start) starts the threads.
    pub fn new(core: Arc<PoolCore>, env: &dyn BatchEnv) -> Self {
        let (scheduling, stack_bytes) = (env.scheduling(), env.stack_bytes());
        Self {
            queue: ArrayQueue::new(core.config.num_envs),
            scheduling,
            stack_bytes,
            cost: Cost::new(scheduling == Scheduling::Uniform),
            idle: WaitQueue::default(),
            receivers: WaitQueue::default(),
            started: Once::new(),
            running: AtomicUsize::new(0),
            cpus: usable_cpus(),
            core,
        }
    }

    /// Discards all jobs of a closed pool.
    pub fn clear_queue(&self) {
        while self.queue.pop().is_some() {}
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

    /// Returns whether to wake a sleeping worker for `work`, after `streak` consecutive steps without a pause.
    pub fn is_worth_waking(&self, work: Duration, streak: u32) -> bool {
        work > MIN_WAKE_COST || streak >= WAKE_STREAK
    }

    /// Returns whether no worker was started, so that callers must execute everything.
    pub fn has_no_workers(&self) -> bool {
        self.running.load(Ordering::Relaxed) == 0
    }

    /// Starts the workers, unless they are running. If the system refuses a thread, the pool uses the threads that were started.
    pub fn start(self: &Arc<Self>, local: &Arc<LocalEnv>) {
        self.started.call_once(|| {
            let offset = self.core.config.thread_affinity_offset;
            let cpus = offset.and_then(|_| core_affinity::get_core_ids()).unwrap_or_default();
            for number in 0..self.core.config.num_threads {
                let cpu = match offset {
                    Some(offset) if !cpus.is_empty() => Some(cpus[(offset + number) % cpus.len()]),
                    _ => None,
                };
                let (workers, local) = (Arc::clone(self), Arc::clone(local));
                let worker = move || {
                    if let Some(cpu) = cpu {
                        core_affinity::set_for_current(cpu);
                    }
                    let worker = WorkerGuard(workers);
                    worker.0.run_jobs(&local, number);
                };
                let named = worker_thread(&format!("envpool-{number}"));
                if named.spawn(worker).is_err() {
                    break;
                }
                self.running.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// Runs jobs as worker `number` until the pool is closed.
    fn run_jobs(&self, local: &LocalEnv, number: usize) {
        let _standard = FloatModeGuard::enter();
        let spinners = self.cpus - 1;
        let is_closed = || self.core.is_closed();
        while !is_closed() {
            match if R::wants_workers(self) { self.queue.pop() } else { None } {
                Some(job) => R::run(self, local, job, number),
                None => {
                    let ready = || (!self.queue.is_empty() && R::wants_workers(self)) || is_closed();
                    self.idle.wait_for_work(spinners, ready);
                }
            }
        }
    }

    /// Wakes all waiting threads, after the pool was marked as closed.
    pub fn close(&self) {
        self.idle.wake(usize::MAX);
        self.receivers.wake(usize::MAX);
    }

    /// Records the cost of a request whose execution started at `clock`. Resets are not recorded, because their cost differs from
    /// that of steps.
    pub fn record_cost(&self, request: &Request, clock: Instant, lanes: usize) {
        if matches!(request.kind, RequestKind::Step) {
            self.cost.record(clock, lanes);
        }
    }

    /// Executes items of a request. Returns the first row that was claimed in a ring buffer. Measures the cost if it is expected to exceed the cost of reading the clock, or if `sample` is true.
    #[inline]
    pub fn execute(
        &self,
        env: &dyn BatchEnv,
        request: &Request,
        items: Range<usize>,
        sink: RowSink<'_>,
        sample: bool,
    ) -> Option<u64> {
        let count = items.len();
        let timed = sample || self.cost.estimate(count) > MIN_TIMED_COST;
        let clock = timed.then(Instant::now);
        let first = self.execute_untimed(env, request, items, sink);
        if let Some(clock) = clock {
            self.record_cost(request, clock, count);
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
        // SAFETY: a lane is queued at most once (the sender checks in `start`), and this chunk was popped by one thread. The rows
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

    /// Waits until `done` returns true. Runs jobs meanwhile if `help` is true or no worker was started.
    ///
    /// # Errors
    /// `Interrupted` or `Timeout` if a check of `interrupts` fails; `Closed` if the pool was closed.
    pub fn wait_until(
        &self,
        local: &LocalEnv,
        help: bool,
        interrupts: &mut InterruptPoller<'_>,
        done: impl Fn() -> bool,
    ) -> Result<()> {
        let closed = || self.core.is_closed();
        let help = help || self.has_no_workers();
        while !done() {
            let look = match if help { self.queue.pop() } else { None } {
                Some(job) => R::help(self, local, job),
                None => !self.receivers.wait_briefly(|| done() || closed() || (help && !self.queue.is_empty())),
            };
            if closed() && !done() {
                return Err(Error::Closed);
            }
            if look {
                interrupts.check_all()?;
            }
        }
        Ok(())
    }
}

/// Guard that a worker thread holds while it runs. If a panic ends the thread, the guard closes the pool: the items that the
/// thread has taken are never completed, and callers would wait for them forever.
struct WorkerGuard<R: JobKind>(Arc<Workers<R>>);

impl<R: JobKind> Drop for WorkerGuard<R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.core.mark_closed();
            self.0.close();
        }
    }
}

/// Returns the number of items that a thread takes at once, if it expects to execute `share` items. `grain` is the smallest
/// chunk.
fn take_size(share: usize, grain: usize) -> usize {
    share.min(MAX_TAKE).max(grain).next_multiple_of(grain)
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
    use super::take_size;

    #[test]
    fn pieces_consist_of_whole_chunks_of_any_size() {
        assert_eq!([take_size(5, 32), take_size(70, 32), take_size(5000, 32), take_size(5000, 48)], [32, 96, 1024, 1056]);
        assert_eq!([take_size(5, 2000), take_size(5000, 2000)], [2000, 2000], "a chunk of more than is taken at once as a rule");
    }
}

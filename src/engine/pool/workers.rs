//! Threads that run lanes in this process, and the environments that they run.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use crossbeam_queue::ArrayQueue;

use crate::contract::config::usable_cpus;
use crate::contract::env::Scheduling;
use crate::contract::error::{Error, Result};
use crate::contract::fault::{Fault, Message};
use crate::play::batch_env::BatchEnv;
use crate::play::kind::Kind;
use crate::play::work::{ChunkGuard, Sink, Work, panic_message};
use crate::pool::core::PoolCore;
use crate::pool::request::Request;
use crate::threads::cost::Cost;
use crate::threads::float_mode::StandardFloats;
use crate::threads::idle::Idle;
use crate::threads::interrupts::Interrupts;
use crate::threads::until_left::UntilLeft;

/// Below this, timing a call would cost more than it tells.
const WORTH_TIMING: Duration = Duration::from_micros(2);

/// Work above this is worth waking a sleeping worker for.
pub const WORTH_WAKING: Duration = Duration::from_micros(30);

/// A chunk of this much work is followed by a look for signals.
pub const LONG: Duration = Duration::from_micros(100);

/// Steps in a row, without a pause between them, after which a worker is woken for less: it will find more to do.
const STREAK: u32 = 16;

/// Lanes of a chunk where steps are uniform: at least so many, and a multiple of it.
const UNIFORM_CHUNK: usize = 32;

/// Beyond this a thread takes no more items at a time, unless a chunk has to be larger.
const MAX_PIECE: usize = 1024;

/// Where a kind of pool has its rows, and what jobs its threads find in their queue.
pub trait Rows: Send + Sync + Sized + 'static {
    type Job: Send + 'static;

    /// Runs a job in worker number `number`.
    fn run(workers: &Workers<Self>, job: Self::Job, number: usize);

    /// Runs a job in a thread that waits for results; says whether that may have taken long.
    fn help(workers: &Workers<Self>, job: Self::Job) -> bool;

    /// Whether workers should take what is queued.
    fn wants_workers(_workers: &Workers<Self>) -> bool {
        true
    }
}

/// What is freed once nobody plays any more.
struct Inside<R> {
    env: Box<dyn BatchEnv>,
    rows: R,
}

/// Environments in this process, and threads that run their lanes.
pub struct Workers<R: Rows> {
    pub core: Arc<PoolCore>,
    /// Inside are the workers, and the pool until it is closed and nobody has a turn any more.
    inside: UntilLeft<Inside<R>>,
    /// How lanes are handed out.
    pub scheduling: Scheduling,
    /// What steps cost.
    pub cost: Cost,
    /// Jobs waiting for a thread. Bounded by the number of lanes, each of which is queued once at most.
    pub queue: ArrayQueue<R::Job>,
    /// Workers waiting for jobs.
    pub idle: Idle,
    /// Receivers waiting for results.
    pub receivers: Idle,
    started: Once,
    /// Workers that could be started.
    running: AtomicUsize,
    pub cpus: usize,
}

impl<R: Rows> Workers<R> {
    /// Creates the threads' shared state; they are started by [`start`](Self::start).
    pub fn new(core: Arc<PoolCore>, env: Box<dyn BatchEnv>, rows: R) -> Self {
        let scheduling = env.scheduling();
        Self {
            queue: ArrayQueue::new(core.config.num_envs),
            inside: UntilLeft::new(Inside { env, rows }),
            scheduling,
            cost: Cost::new(scheduling == Scheduling::Uniform),
            idle: Idle::default(),
            receivers: Idle::default(),
            started: Once::new(),
            running: AtomicUsize::new(0),
            cpus: usable_cpus(),
            core,
        }
    }

    /// What runs the lanes. For workers and for whoever has a turn.
    #[inline]
    pub fn env(&self) -> &dyn BatchEnv {
        &*self.inside().env
    }

    /// Where asynchronous rows go. For workers and for whoever has a turn.
    #[inline]
    pub fn rows(&self) -> &R {
        &self.inside().rows
    }

    #[inline]
    fn inside(&self) -> &Inside<R> {
        // SAFETY: workers are inside, and so is the pool, which leaves with both turns in its hands and never gives them back.
        unsafe { self.inside.get() }
    }

    /// Lets go of environments and rows, which are dropped as soon as the workers have left, too.
    ///
    /// # Safety
    /// For whoever has both turns and never gives them back.
    pub unsafe fn leave(&self) {
        while self.queue.pop().is_some() {}
        // SAFETY: the pool is inside, by its turns; nobody has one any more.
        unsafe { self.inside.leave() };
    }

    /// Whether all steps cost about the same, so that helping with any of them is never a trap.
    #[inline]
    pub fn is_uniform(&self) -> bool {
        self.scheduling == Scheduling::Uniform
    }

    /// Threads besides the caller that should take part in a step.
    pub fn helpers(&self) -> usize {
        let cpus = if self.is_uniform() { self.cpus - 1 } else { usize::MAX };
        self.core.config.num_threads.min(cpus)
    }

    /// Whether so much work is worth waking a sleeping worker for, after a `streak` of steps without a pause.
    pub fn is_worth_waking(&self, work: Duration, streak: u32) -> bool {
        work > WORTH_WAKING || streak >= STREAK
    }

    /// Whether no worker runs, so that callers have to do everything.
    pub fn is_alone(&self) -> bool {
        self.running.load(Ordering::Relaxed) == 0
    }

    /// Starts the workers, if they are not running yet. Where the system refuses threads, those that it gave must do.
    pub fn start(self: &Arc<Self>) {
        self.started.call_once(|| {
            let offset = self.core.config.thread_affinity_offset;
            let cpus = offset.and_then(|_| core_affinity::get_core_ids()).unwrap_or_default();
            for number in 0..self.core.config.num_threads {
                let cpu = match offset {
                    Some(offset) if !cpus.is_empty() => Some(cpus[(offset + number) % cpus.len()]),
                    _ => None,
                };
                let workers = Arc::clone(self);
                let worker = move || {
                    if let Some(cpu) = cpu {
                        core_affinity::set_for_current(cpu);
                    }
                    workers.work(number);
                    // SAFETY: it was let in below, and does not come back.
                    unsafe { workers.inside.leave() };
                };
                let named = std::thread::Builder::new().name(format!("envpool-{number}"));
                self.inside.let_in();
                if named.spawn(worker).is_err() {
                    // SAFETY: the worker that never was.
                    unsafe { self.inside.leave() };
                    break;
                }
                self.running.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// What worker number `number` does until the pool is closed.
    fn work(&self, number: usize) {
        let _standard = StandardFloats::enter();
        let spinners = self.cpus - 1;
        let is_closed = || self.core.is_closed();
        while !is_closed() {
            match if R::wants_workers(self) { self.queue.pop() } else { None } {
                Some(job) => R::run(self, job, number),
                None => {
                    let ready = || (!self.queue.is_empty() && R::wants_workers(self)) || is_closed();
                    self.idle.wait_for_work(spinners, ready);
                }
            }
        }
    }

    /// Wakes everybody who waits, after the pool was marked as closed.
    pub fn close(&self) {
        self.idle.wake(usize::MAX);
        self.receivers.wake(usize::MAX);
    }

    /// Learns from a request that has been played since `clock` what steps cost. Resets cost something else.
    pub fn record_cost(&self, request: &Request, clock: Instant, lanes: usize) {
        if matches!(request.kind, Kind::Step) {
            self.cost.record(clock, lanes);
        }
    }

    /// Plays items `start..end` of a request; returns the first row claimed of a ring. Learns what that costs where it takes longer than
    /// looking at the clock, or where it is a `sample`.
    #[inline]
    pub fn play(&self, request: &Request, start: usize, end: usize, sink: Sink<'_>, sample: bool) -> Option<u64> {
        let timed = sample || self.cost.of(end - start) > WORTH_TIMING;
        let clock = timed.then(Instant::now);
        let first = self.play_untimed(request, start, end, sink);
        if let Some(clock) = clock {
            self.record_cost(request, clock, end - start);
        }
        first
    }

    /// As `play`, without a look at the clock.
    #[inline]
    pub fn play_untimed(&self, request: &Request, start: usize, end: usize, sink: Sink<'_>) -> Option<u64> {
        let failed = RefCell::default();
        let work = Work {
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
        let env = self.env();
        // SAFETY: a lane is queued once at most (the sender checks), and this chunk is popped by one thread; rows are either
        // those of its items or claimed from the ring.
        let mut guard = unsafe { ChunkGuard::new(&request.lanes, start..end, sink) };
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| env.run(&work, &mut guard))) {
            self.fail(&work, &mut guard, &fault_of(&*panic));
        }
        for (index, failure) in failed.take() {
            self.fail_one(&work, &mut guard, index, &fault_of(&failure));
        }
        guard.rows.claim() // also in case a panic struck before any row was asked for
    }

    /// Marks the lanes at which a panic struck as failed, gives them empty rows, and goes past them.
    #[cold]
    fn fail(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>, fault: &Fault) {
        let first = work.progress.get();
        let last = work.end.min(first + work.span.get());
        (first..last).for_each(|index| self.fail_one(work, guard, index, fault));
        work.progress.set(last);
        work.span.set(1);
    }

    /// Marks a lane as failed, and gives it an empty row.
    #[cold]
    fn fail_one(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>, index: usize, fault: &Fault) {
        let lane = guard.lanes.id(index);
        guard.rows.row(index).write(work.episodes().fail(lane), &vec![0.0; self.core.players]);
        self.core.ledger.record_failure(lane.number(), fault.clone());
    }

    /// Waits until `done`, running jobs meanwhile where `help` allows it.
    ///
    /// # Errors
    /// Those of `interrupts`, and `Closed`.
    pub fn wait_until(&self, help: bool, interrupts: &mut Interrupts<'_>, done: impl Fn() -> bool) -> Result<()> {
        let closed = || self.core.is_closed();
        let help = help || self.is_alone();
        while !done() {
            let look = match if help { self.queue.pop() } else { None } {
                Some(job) => R::help(self, job),
                None => !self.receivers.wait_a_while(|| done() || closed() || (help && !self.queue.is_empty())),
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

/// Items that a thread takes at a time of a share of so many, where chunks of `grain` items are the smallest.
fn piece(share: usize, grain: usize) -> usize {
    share.min(MAX_PIECE).max(grain).next_multiple_of(grain)
}

/// The same where steps are uniform.
pub fn uniform_chunk(share: usize) -> usize {
    piece(share, UNIFORM_CHUNK)
}

/// What ended an environment's turn: an error that it raised, or a panic.
fn fault_of(panic: &(dyn std::any::Any + Send)) -> Fault {
    match panic.downcast_ref::<Error>() {
        Some(error) => Fault::raised(error.to_string(), Message::default()),
        None => Fault::Panicked(panic_message(panic)),
    }
}

#[cfg(test)]
mod tests {
    use super::piece;

    #[test]
    fn pieces_are_whole_chunks_however_large_those_are() {
        assert_eq!([piece(5, 32), piece(70, 32), piece(5000, 32), piece(5000, 48)], [32, 96, 1024, 1056]);
        assert_eq!([piece(5, 2000), piece(5000, 2000)], [2000, 2000], "a chunk of more than is taken at once as a rule");
    }
}

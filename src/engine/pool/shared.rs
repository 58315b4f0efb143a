//! What the workers and the callers of a pool share, and how a chunk is played.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use crossbeam_queue::ArrayQueue;

use crate::contract::actions::ActionKey;
use crate::contract::config::{PoolConfig, usable_cpus};
use crate::contract::env::Scheduling;
use crate::contract::error::{Error, Result};
use crate::contract::fault::{Fault, Message};
use crate::contract::picture::Rendering;
use crate::play::batch_env::BatchEnv;
use crate::play::episodes::Rules;
use crate::play::kind::Kind;
use crate::play::lanes::{LaneTable, Phase};
use crate::play::work::{Sink, Work, panic_message};
use crate::pool::ledger::Ledger;
use crate::pool::request::{Job, Request};
use crate::results::batch::Batch;
use crate::results::layout::Layout;
use crate::results::ring::Ring;
use crate::tasks::lane_tasks::LaneTasks;
use crate::threads::cost::Cost;
use crate::threads::float_mode::StandardFloats;
use crate::threads::fork;
use crate::threads::idle::Idle;
use crate::threads::interrupts::Interrupts;
use crate::threads::until_left::UntilLeft;

/// Below this, timing a call would cost more than it tells.
const WORTH_TIMING: Duration = Duration::from_micros(2);

/// Work above this is worth waking a sleeping worker for.
pub const WORTH_WAKING: Duration = Duration::from_micros(30);

/// A chunk of this much work is followed by a look for signals.
const LONG: Duration = Duration::from_micros(100);

/// What plays lanes in this process, and where results go meanwhile.
struct Here {
    /// Absent where lanes are played outside of the engine.
    env: Option<Box<dyn BatchEnv>>,
    /// Where the rows of asynchronous chunks go.
    ring: Option<Ring>,
}

/// The inside of a pool.
pub struct Shared {
    /// What plays the lanes in this process. Inside are the workers, and the pool until it is closed and nobody has a turn any more.
    here: UntilLeft<Here>,
    /// What the environments can show of themselves.
    pub rendering: Rendering,
    /// How its lanes are handed out.
    pub scheduling: Scheduling,
    pub table: LaneTable,
    pub rules: Rules,
    pub config: PoolConfig,
    pub layout: Arc<Layout>,
    pub keys: Vec<ActionKey>,
    pub players: usize,
    /// Task and options of the lanes, spelled out; what snapshots are checked against.
    pub tasks: LaneTasks,
    /// Jobs waiting for a thread. Bounded by the number of lanes, each of which is queued once at most.
    pub queue: ArrayQueue<Job>,
    /// Workers waiting for chunks.
    pub workers: Idle,
    /// Receivers waiting for results.
    pub receivers: Idle,
    pub ledger: Ledger,
    pub cost: Cost,
    pub closed: AtomicBool,
    started: Once,
    /// Workers that could be started.
    running: AtomicUsize,
    /// The process that made the pool, as `fork::generation`.
    generation: u32,
    pub cpus: usize,
}

impl Shared {
    pub fn new(
        env: Option<Box<dyn BatchEnv>>,
        config: PoolConfig,
        layout: Arc<Layout>,
        keys: Vec<ActionKey>,
        players: usize,
        tasks: LaneTasks,
        ring: Option<Ring>,
    ) -> Self {
        fork::watch();
        let lanes = config.num_envs;
        let limit = time_limit(config.max_episode_steps);
        let scheduling = env.as_ref().map_or(Scheduling::OneByOne, |env| env.scheduling());
        Self {
            table: LaneTable::new(&config.seeds, config.episode_statistics, config.autoreset_mode, config.first_step),
            rules: Rules { max_episode_steps: limit, autoreset: config.autoreset_mode },
            layout,
            keys,
            players,
            tasks,
            queue: ArrayQueue::new(lanes),
            workers: Idle::default(),
            receivers: Idle::default(),
            ledger: Ledger::new(lanes),
            cost: Cost::new(scheduling == Scheduling::Uniform),
            closed: AtomicBool::new(false),
            started: Once::new(),
            running: AtomicUsize::new(0),
            generation: fork::generation(),
            cpus: usable_cpus(),
            rendering: env.as_ref().map_or_else(Rendering::default, |env| env.rendering()),
            here: UntilLeft::new(Here { env, ring }),
            scheduling,
            config,
        }
    }

    /// Whether the process was forked since the pool was made.
    #[inline]
    pub fn is_forked(&self) -> bool {
        self.generation != fork::generation()
    }

    /// Refuses use after `close` and in a forked child.
    ///
    /// # Errors
    /// `State`.
    #[inline]
    pub fn check_usable(&self) -> Result<()> {
        if self.is_forked() {
            return Err(Error::State("this pool belongs to the parent process: make another one after the fork".into()));
        }
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::Closed);
        }
        Ok(())
    }

    /// Whether all steps cost about the same, so that helping with any of them is never a trap.
    #[inline]
    pub fn is_uniform(&self) -> bool {
        self.scheduling == Scheduling::Uniform
    }

    /// Memory for one batch.
    pub fn batch(&self, tag: usize) -> Box<Batch> {
        Box::new(Batch::new(&self.layout, self.config.batch_size, tag))
    }

    /// The phase of a lane that has failed and whose reset is on its way. Where it is played elsewhere, it is created anew there.
    pub fn phase_of_the_revived(&self) -> Phase {
        if self.here().env.is_some() { Phase::Revived } else { Phase::Fresh }
    }

    /// What plays the lanes in this process.
    ///
    /// # Panics
    /// Where they are played outside of the engine.
    #[inline]
    pub fn env(&self) -> &dyn BatchEnv {
        self.here().env.as_deref().expect("its lanes are played in this process")
    }

    /// Where the rows of an asynchronous pool go that is played in this process.
    ///
    /// # Panics
    /// For any other pool.
    #[inline]
    pub fn ring(&self) -> &Ring {
        self.here().ring.as_ref().expect("its results come in the order of completion")
    }

    /// For workers and for whoever has a turn.
    #[inline]
    fn here(&self) -> &Here {
        // SAFETY: workers are inside, and so is the pool, which leaves with both turns in its hands and never gives them back.
        unsafe { self.here.get() }
    }

    /// Lets go of environments and batches, which are dropped as soon as the workers have left, too.
    ///
    /// # Safety
    /// For whoever has both turns and never gives them back.
    pub unsafe fn leave(&self) {
        while self.queue.pop().is_some() {}
        // SAFETY: the pool is inside, by its turns; nobody has one any more.
        unsafe { self.here.leave() };
    }

    /// Starts the workers, if they are not running yet. Where the system refuses threads, those that it gave must do.
    pub fn start_workers(self: &Arc<Self>) {
        self.started.call_once(|| {
            let cpus = self.config.thread_affinity_offset.and_then(|_| core_affinity::get_core_ids()).unwrap_or_default();
            for number in 0..self.config.num_threads {
                let cpu = match self.config.thread_affinity_offset {
                    Some(offset) if !cpus.is_empty() => Some(cpus[(offset + number) % cpus.len()]),
                    _ => None,
                };
                let shared = Arc::clone(self);
                let worker = move || {
                    if let Some(cpu) = cpu {
                        core_affinity::set_for_current(cpu);
                    }
                    shared.work(number);
                    // SAFETY: it was let in below, and does not come back.
                    unsafe { shared.here.leave() };
                };
                let named = std::thread::Builder::new().name(format!("envpool-{number}"));
                self.here.let_in();
                if named.spawn(worker).is_err() {
                    // SAFETY: the worker that never was.
                    unsafe { self.here.leave() };
                    break;
                }
                self.running.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// Whether workers should take what is queued. Little asynchronous work of cheap environments is left to the receiver: at 1,024
    /// CartPoles in batches of 256 it does 43 million steps per second alone, and with a worker beside it, each time taking lanes out
    /// of the other's cache, 39 million at best and 20 million as a rule.
    pub fn wants_workers(&self) -> bool {
        !self.config.is_async() || !self.is_uniform() || self.cost.of(self.ledger.count_in_flight()) > WORTH_WAKING
    }

    /// What worker number `number` does until the pool is closed.
    fn work(&self, number: usize) {
        let _standard = StandardFloats::enter();
        let spinners = self.cpus - 1;
        let is_closed = || self.closed.load(Ordering::SeqCst); // as `Idle` wants it of what is waited for
        while !is_closed() {
            match if self.wants_workers() { self.queue.pop() } else { None } {
                Some(Job::Chunk { request, start, end }) => self.play_chunk(&request, start as usize, end as usize),
                // Thread 0 of a shared request is its caller.
                Some(Job::Join(request)) => drop(self.join(&request, number + 1, &mut Interrupts::new(&mut || false))),
                None => {
                    self.workers.wait_for_work(spinners, || (!self.queue.is_empty() && self.wants_workers()) || is_closed());
                }
            }
        }
    }

    /// Plays a chunk of an asynchronous request and tells the receiver where that completes a batch.
    fn play_chunk(&self, request: &Request, start: usize, end: usize) {
        let ring = self.ring();
        let first = self.play(request, start, end, Sink::Ring(ring), start == 0);
        if ring.commit(first.expect("a chunk claims rows"), end - start) {
            self.receivers.wake(usize::MAX);
        }
    }

    /// Plays what is left of a synchronous request as thread number `thread` of those that do.
    ///
    /// # Errors
    /// Those of `interrupts`, asked between long pieces; the rest is then left to the others.
    pub fn join(&self, request: &Request, thread: usize, interrupts: &mut Interrupts<'_>) -> Result<()> {
        let (mut clock, mut played) = (Instant::now(), 0);
        while !self.closed.load(Ordering::Acquire)
            && let Some((start, end)) = request.take(thread)
        {
            let batch = request.batch().expect("synchronous requests carry their batch");
            self.play_untimed(request, start, end, Sink::Rows(&batch.pointers));
            played += end - start;
            if self.cost.of(end - start) > LONG {
                // Before the hook, which may panic: what is taken but never counted would be waited for in vain.
                self.count_played(request, clock, std::mem::take(&mut played));
                interrupts.check_all()?;
                clock = Instant::now();
            }
        }
        self.count_played(request, clock, played);
        Ok(())
    }

    /// Counts items of a synchronous request as played, which took since `clock`, and tells the receiver where those were the last.
    #[inline]
    fn count_played(&self, request: &Request, clock: Instant, played: usize) {
        if played > 0 {
            self.record_cost(request, clock, played);
            if request.played(played) {
                self.receivers.wake(usize::MAX);
            }
        }
    }

    /// Learns from a request that has been played since `clock` what steps cost. Resets cost something else.
    fn record_cost(&self, request: &Request, clock: Instant, lanes: usize) {
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
    fn play_untimed(&self, request: &Request, start: usize, end: usize, sink: Sink<'_>) -> Option<u64> {
        let failed = RefCell::default();
        let work = Work {
            failed: &failed,
            lanes: &request.lanes,
            actions: &request.actions,
            kind: &request.kind,
            start,
            end,
            table: &self.table,
            rules: self.rules,
            sink,
            progress: Cell::new(start),
            span: Cell::new(1),
            claimed: Cell::new(None),
            clock: Cell::new(None),
        };
        let env = self.env();
        // SAFETY: a lane is queued once at most (the sender checks), and this chunk is popped by one thread; rows are either
        // those of its items or claimed from the ring.
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| unsafe { env.run(&work) })) {
            self.fail(&work, &fault_of(&*panic));
        }
        for (index, failure) in failed.take() {
            self.fail_one(&work, index, &fault_of(&failure));
        }
        if matches!(work.sink, Sink::Ring(_)) {
            work.place(start); // claims, in case a panic struck before any row was asked for
        }
        work.claimed.get()
    }

    /// Marks the lanes at which a panic struck as failed, gives them empty rows, and goes past them.
    #[cold]
    fn fail(&self, work: &Work<'_>, fault: &Fault) {
        let first = work.progress.get();
        let last = work.end.min(first + work.span.get());
        (first..last).for_each(|index| self.fail_one(work, index, fault));
        work.progress.set(last);
        work.span.set(1);
    }

    /// Marks a lane as failed, and gives it an empty row.
    #[cold]
    fn fail_one(&self, work: &Work<'_>, index: usize, fault: &Fault) {
        let lane = work.lanes.get(index);
        let place = work.place(index);
        // SAFETY: lane and row belong to this chunk.
        unsafe {
            let transition = work.episodes().fail(lane);
            place.pointers.write_row(place.row, transition, &vec![0.0; self.players]);
        }
        self.ledger.record_failure(lane, fault.clone());
    }

    /// Waits until `done`, playing chunks meanwhile where `help` allows it.
    ///
    /// # Errors
    /// Those of `interrupts`, and `Closed`.
    pub fn wait_until(&self, help: bool, interrupts: &mut Interrupts<'_>, done: impl Fn() -> bool) -> Result<()> {
        let closed = || self.closed.load(Ordering::SeqCst);
        let help = help || self.running.load(Ordering::Relaxed) == 0;
        while !done() {
            let mut look = true;
            match if help { self.queue.pop() } else { None } {
                Some(Job::Chunk { request, start, end }) => {
                    look = self.cost.of((end - start) as usize) > LONG;
                    self.play_chunk(&request, start as usize, end as usize);
                }
                Some(Job::Join(_)) => {} // of a request that its own caller plays
                None => look = !self.receivers.wait_a_while(|| done() || closed() || (help && !self.queue.is_empty())),
            }
            if closed() && !done() {
                return Err(Error::Closed);
            }
            if look {
                interrupts.check_all()?;
            }
        }
        Ok(())
    }

    /// Sees to a synchronous request as its caller until all of it is played, taking part where steps are known to be short.
    ///
    /// # Errors
    /// As `wait_until`; whatever is left goes on in the background.
    pub fn complete(&self, request: &Request, interrupts: &mut Interrupts<'_>) -> Result<()> {
        let alone = self.running.load(Ordering::Relaxed) == 0;
        // A step of unknown length is a trap for a caller who wants to notice signals.
        let joined = if self.is_uniform() || alone { self.join(request, 0, interrupts) } else { Ok(()) };
        let played = joined.and_then(|()| self.wait_until(false, interrupts, || request.is_done()));
        if played.is_err() {
            self.workers.wake(usize::MAX);
        }
        played
    }

    /// Takes invitations to requests that are over out of the queue, all of them: those that are left are as many as there are
    /// lanes in flight at most, so that there is room for one for each lane to come. For the sender alone.
    pub fn forget_invitations(&self) {
        for _ in 0..self.queue.len() {
            match self.queue.pop() {
                Some(Job::Join(request)) if request.is_done() => {}
                Some(job) => assert!(self.queue.push(job).is_ok(), "it was there before, and nobody else pushes"),
                None => break,
            }
        }
    }

    /// Ends the workers; what is in flight is dropped.
    pub fn close(&self) {
        if self.is_forked() {
            return; // the locks may be held by threads that do not exist here
        }
        self.closed.store(true, Ordering::SeqCst);
        self.workers.wake(usize::MAX);
        self.receivers.wake(usize::MAX);
    }
}

/// A time limit as [`Rules`] has it.
pub fn time_limit(max_episode_steps: Option<u32>) -> i32 {
    max_episode_steps.map_or(i32::MAX, |steps| i32::try_from(steps).unwrap_or(i32::MAX))
}

/// What ended an environment's turn: an error that it raised, or a panic.
fn fault_of(panic: &(dyn std::any::Any + Send)) -> Fault {
    match panic.downcast_ref::<Error>() {
        Some(error) => Fault::raised(error.to_string(), Message::default()),
        None => Fault::Panicked(panic_message(panic)),
    }
}

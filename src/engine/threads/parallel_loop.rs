//! Loops whose iterations run on several threads, usually including the caller's thread.

use std::any::Any;
use std::mem::transmute;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::contract::error::{Error, Result};
use crate::threads::interrupt_poller::{Interrupt, InterruptPoller};
use crate::threads::stack::has_stack_left;
use crate::threads::thread_pool::{SharedTask, ThreadCpus, ThreadPool, ThreadSettings, Worker};
use crate::threads::wait_queue::RECEIVER_SPIN;
use envpool_rs_sync::fork;

/// Body of a loop: runs a range of iterations. A long iteration periodically calls the second argument, the interrupt check, and
/// returns early if the check returns true.
pub type LoopBody<'a> = &'a (dyn Fn(Range<usize>, &mut dyn FnMut() -> bool) + Sync);

/// Threads that run the iterations of a loop together. The first loop that needs the threads starts them; dropping this value
/// ends them.
#[derive(Debug)]
pub struct ParallelLoop {
    pool: Arc<ThreadPool<LoopTask>>,
    threads: usize,
    /// Bytes of stack that an iteration may use.
    stack_bytes: usize,
    /// CPUs of the threads, in turns; empty for any.
    cpus: Vec<usize>,
    /// Lock that one caller holds during a loop.
    caller: Mutex<()>,
    generation: u32,
}

/// One loop.
struct LoopTask {
    /// Body of the loop, borrowed from the caller of `run`. Workers call it only while `joined` counts them, and `run` waits until
    /// `joined` is 0.
    body: LoopBody<'static>,
    count: usize,
    chunk: usize,
    /// Number of the first iteration that no thread has taken.
    next: AtomicUsize,
    /// Number of workers that were admitted and have not left the loop.
    joined: AtomicUsize,
    is_cancelled: AtomicBool,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl std::fmt::Debug for LoopTask {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LoopTask").field("count", &self.count).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ParallelLoop {
    /// Creates a value whose loops run on up to `threads` threads. The caller's thread is one of them, unless it has less than
    /// `stack_bytes` of its stack left, which an iteration may use.
    pub fn new(threads: usize, stack_bytes: usize) -> Self {
        fork::install_handler();
        let (pool, caller) = (Arc::default(), Mutex::default());
        let threads = threads.max(1);
        Self { pool, threads, stack_bytes, cpus: Vec::new(), caller, generation: fork::generation() }
    }

    /// Lets the threads run on these CPUs, in turns; the caller's thread stays where it is.
    #[must_use]
    pub fn on_cpus(mut self, cpus: Vec<usize>) -> Self {
        self.cpus = cpus;
        self
    }

    /// Returns the maximum number of threads of a loop.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns whether the process was forked since the creation of this value.
    fn is_forked(&self) -> bool {
        fork::generation() != self.generation
    }

    fn check_not_forked(&self) -> Result<()> {
        match self.is_forked() {
            true => Err(Error::State("this process was forked, which copies no threads: create another batch here".into())),
            false => Ok(()),
        }
    }

    /// Runs the iterations `0..count` in pieces of `chunk` iterations, and returns when all have run.
    ///
    /// The caller's thread calls `interrupt` about every 20 milliseconds: between pieces, while it waits, and when `body` calls
    /// its second argument.
    ///
    /// # Errors
    /// `Interrupted` if `interrupt` returned true: some iterations have then not run, or returned early. `State` if another
    /// thread runs a loop of this value, or the process was forked since its creation, possibly by `interrupt`.
    ///
    /// # Panics
    /// If `body` panics, after all threads have left it.
    pub fn run(&self, count: usize, chunk: usize, body: LoopBody<'_>, interrupt: Interrupt<'_>) -> Result<()> {
        self.check_not_forked()?;
        let Ok(caller) = self.caller.try_lock() else {
            return Err(Error::State("it is in use by another thread: use one thread, or a batch for each".into()));
        };
        let chunk = chunk.max(1);
        // SAFETY: the caller's closure outlives this call. Only this call and workers that `joined` counts use the
        // reference. Before this call returns or unwinds, `finish` retires the task, so that no worker joins later, and waits
        // until all workers have left. In a forked child, no worker exists.
        let body = unsafe { transmute::<LoopBody<'_>, LoopBody<'static>>(body) };
        let task = Arc::new(LoopTask {
            body,
            count,
            chunk,
            next: AtomicUsize::new(0),
            joined: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
            panic: Mutex::new(None),
        });
        let own = usize::from(has_stack_left(self.stack_bytes));
        let helpers = (self.threads - own).min(count.div_ceil(chunk).saturating_sub(own));
        let cpus = if self.cpus.is_empty() { ThreadCpus::Any } else { ThreadCpus::Listed(&self.cpus) };
        let settings = ThreadSettings { name: "envpool-batch", cpus, spinners: usize::from(self.threads > 1) };
        self.pool.start(helpers, settings, || LoopWorker);
        if helpers > 0 {
            self.pool.publish(Arc::clone(&task));
            self.pool.idle.wake(helpers);
        }
        let mut poller = InterruptPoller::new(interrupt);
        let mut is_interrupted = || {
            if poller.check().is_err() || self.is_forked() {
                task.is_cancelled.store(true, Ordering::Relaxed);
            }
            task.is_cancelled.load(Ordering::Relaxed)
        };
        let ran = catch_unwind(AssertUnwindSafe(|| match own == 0 && self.pool.started() > 0 {
            true => self.wait_until_taken(&task, &mut is_interrupted),
            false => task.run(&mut is_interrupted),
        }));
        let finished = catch_unwind(AssertUnwindSafe(|| self.finish(&task, &mut is_interrupted)));
        if finished.is_err() {
            self.finish(&task, &mut || true);
        }
        drop(caller);
        self.check_not_forked()?;
        let panicked = lock(&task.panic).take();
        if let Some(panic) = ran.err().or(finished.err()).or(panicked) {
            resume_unwind(panic);
        }
        if task.is_cancelled.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Waits until workers have taken all iterations of the task, or `is_interrupted` returns true.
    fn wait_until_taken(&self, task: &LoopTask, is_interrupted: &mut dyn FnMut() -> bool) {
        while !task.is_taken() && !is_interrupted() {
            self.pool.callers.wait_briefly(RECEIVER_SPIN, || task.is_taken());
        }
    }

    /// Removes the task, so that no worker can join it, and waits until no worker runs it. In a forked child, which has no workers,
    /// does neither: a worker of the parent may have held the lock or run the task during the fork.
    fn finish(&self, task: &Arc<LoopTask>, is_interrupted: &mut dyn FnMut() -> bool) {
        if self.is_forked() {
            return;
        }
        self.pool.retire(task);
        while task.joined.load(Ordering::SeqCst) > 0 && !self.is_forked() {
            is_interrupted();
            self.pool.callers.wait_briefly(RECEIVER_SPIN, || task.joined.load(Ordering::SeqCst) == 0);
        }
    }
}

impl Drop for ParallelLoop {
    fn drop(&mut self) {
        // A forked child has no workers, and a worker of the parent may have held these locks during the fork.
        if self.is_forked() {
            return;
        }
        self.pool.close();
    }
}

impl SharedTask for LoopTask {
    fn is_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.count || self.is_cancelled.load(Ordering::Relaxed)
    }

    fn admit(&self) -> bool {
        let is_open = !self.is_taken();
        self.joined.fetch_add(usize::from(is_open), Ordering::SeqCst);
        is_open
    }
}

/// Worker of a [`ParallelLoop`].
struct LoopWorker;

impl Worker for LoopWorker {
    type Task = LoopTask;

    fn run(&self, pool: &ThreadPool<LoopTask>, task: &LoopTask, _number: usize) {
        let ran = catch_unwind(AssertUnwindSafe(|| task.run(&mut || task.is_cancelled.load(Ordering::Relaxed))));
        if let Err(panic) = ran {
            task.is_cancelled.store(true, Ordering::Relaxed);
            *lock(&task.panic) = Some(panic);
        }
        task.joined.fetch_sub(1, Ordering::SeqCst);
        pool.callers.wake(1);
    }
}

impl LoopTask {
    /// Takes pieces of the loop and runs them, until no iteration is left or `is_cancelled` returns true.
    fn run(&self, is_cancelled: &mut dyn FnMut() -> bool) {
        loop {
            let start = self.next.fetch_add(self.chunk, Ordering::Relaxed);
            if start >= self.count || is_cancelled() {
                return;
            }
            (self.body)(start..(start + self.chunk).min(self.count), is_cancelled);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Number of bytes that no stack has left.
    const TOO_MANY: usize = usize::MAX;

    /// Returns numbers of bytes: one that the stack has left and, if the size of the stack is known, one that it has not.
    fn sizes() -> Vec<usize> {
        if has_stack_left(TOO_MANY) { vec![0] } else { vec![0, TOO_MANY] }
    }

    #[test]
    fn each_iteration_runs_once_with_any_number_of_threads() {
        for (threads, stack_bytes) in
            [1, 2, 5].into_iter().flat_map(|threads| sizes().into_iter().map(move |size| (threads, size)))
        {
            let loops = ParallelLoop::new(threads, stack_bytes);
            let caller = thread::current().id();
            for count in [0, 1, 7, 100] {
                let counts: Vec<_> = (0..count).map(|_| AtomicUsize::new(0)).collect();
                let body = |range: Range<usize>, _: &mut dyn FnMut() -> bool| {
                    let is_caller = thread::current().id() == caller;
                    assert!(if is_caller { stack_bytes == 0 } else { threads > 1 || stack_bytes == TOO_MANY });
                    for at in range {
                        counts[at].fetch_add(1, Ordering::Relaxed);
                    }
                };
                loops.run(count, 3, &body, &mut || false).unwrap();
                assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{threads} threads, {count} iterations");
            }
        }
    }

    #[test]
    fn an_interrupt_ends_long_iterations_of_all_threads() {
        for (threads, stack_bytes) in [1, 3].into_iter().flat_map(|threads| sizes().into_iter().map(move |size| (threads, size)))
        {
            let loops = ParallelLoop::new(threads, stack_bytes);
            let body = |_: Range<usize>, is_cancelled: &mut dyn FnMut() -> bool| {
                while !is_cancelled() {
                    thread::sleep(Duration::from_millis(1));
                }
            };
            assert_eq!(loops.run(6, 1, &body, &mut || true), Err(Error::Interrupted));
            loops.run(2, 1, &|_, _| (), &mut || false).unwrap();
        }
    }

    #[test]
    fn a_panic_of_any_thread_reaches_the_caller() {
        for stack_bytes in sizes() {
            let loops = ParallelLoop::new(2, stack_bytes);
            let body = |range: Range<usize>, _: &mut dyn FnMut() -> bool| {
                thread::sleep(Duration::from_millis(2));
                assert!(range.start != 9, "nine");
            };
            let panic = catch_unwind(AssertUnwindSafe(|| loops.run(10, 1, &body, &mut || false))).unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"nine"));
        }
    }

    #[test]
    fn a_loop_inside_a_loop_is_an_error() {
        let loops = ParallelLoop::new(1, 0);
        let inner = Mutex::new(None);
        let body = |_: Range<usize>, _: &mut dyn FnMut() -> bool| {
            *lock(&inner) = Some(loops.run(1, 1, &|_, _| (), &mut || false));
        };
        loops.run(1, 1, &body, &mut || false).unwrap();
        assert!(matches!(*lock(&inner), Some(Err(Error::State(_)))));
    }
}

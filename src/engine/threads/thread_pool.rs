//! Worker threads that run published tasks, each task by several threads together.
//!
//! Invariants
//! - A worker is admitted to a task while it holds the lock of the tasks. So after [`ThreadPool::retire`] has returned, no further
//!   worker is admitted to the task.
//! - The number of published tasks grows after the task was added. A worker notes the number under the lock under which it looks
//!   for a task, and waits only while the number is unchanged and no task that it saw has work for it. So no task is missed.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_utils::CachePadded;

use crate::threads::float_mode::FloatModeGuard;
use crate::threads::wait_queue::WaitQueue;
use crate::threads::worker_thread::worker_thread;
use envpool_rs_sync::fork;

/// Work that several threads share.
pub trait SharedTask: Send + Sync + 'static {
    /// Returns whether no work is left to take. Never changes from true to false.
    fn is_taken(&self) -> bool;

    /// Admits a worker. Returns false if no work is left to take, or enough workers were admitted.
    fn admit(&self) -> bool;
}

/// The code that a worker runs. Each worker owns one value.
pub trait Worker: Send + 'static {
    type Task: SharedTask;

    /// Runs a part of a task to which worker `number` was admitted.
    fn run(&self, pool: &ThreadPool<Self::Task>, task: &Self::Task, number: usize);

    /// Returns whether workers should take tasks.
    fn wants_tasks(&self) -> bool {
        true
    }

    /// Prepares the end of the pool, which is closed because [`run`](Self::run) panicked.
    fn abandon(&self) {}
}

/// CPUs on which threads run.
#[derive(Debug, Clone, Copy)]
pub enum ThreadCpus<'a> {
    /// The system chooses.
    Any,
    /// Thread `number` runs on CPU `offset + number` of those that the process may use.
    From(usize),
    /// Thread `number` runs on the CPU at this place of the list, which starts again at its end.
    Listed(&'a [usize]),
}

impl ThreadCpus<'_> {
    /// Returns the CPU of each of the first threads; later threads start at the first one again.
    pub fn in_turns(self) -> Vec<core_affinity::CoreId> {
        match self {
            Self::Any => Vec::new(),
            Self::From(offset) => {
                let mut usable = core_affinity::get_core_ids().unwrap_or_default();
                let count = usable.len().max(1);
                usable.rotate_left(offset % count);
                usable
            }
            Self::Listed(cpus) => cpus.iter().map(|id| core_affinity::CoreId { id: *id }).collect(),
        }
    }
}

/// Properties of a pool's threads.
#[derive(Debug, Clone, Copy)]
pub struct ThreadSettings<'a> {
    /// Start of the threads' names; the number of the thread follows.
    pub name: &'static str,
    pub cpus: ThreadCpus<'a>,
    /// Number of idle threads that spin before they sleep.
    pub spinners: usize,
}

/// Worker threads, and the tasks that they take. The threads run until the pool is closed.
///
/// Parts that workers change are in cache lines of their own, because spinning workers read the other fields.
#[derive(Debug)]
pub struct ThreadPool<T> {
    /// Tasks that may have work left, oldest first.
    tasks: CachePadded<Mutex<VecDeque<Arc<T>>>>,
    /// Number of tasks that were published.
    published: AtomicU64,
    is_closed: AtomicBool,
    /// Number of threads that were started.
    started: AtomicUsize,
    /// Whether the system refused a thread. The pool then uses the threads that were started.
    is_refused: AtomicBool,
    /// Workers waiting for tasks.
    pub idle: CachePadded<WaitQueue>,
    /// Threads waiting for results of tasks.
    pub callers: CachePadded<WaitQueue>,
}

impl<T> Default for ThreadPool<T> {
    fn default() -> Self {
        Self {
            tasks: CachePadded::default(),
            published: AtomicU64::new(0),
            is_closed: AtomicBool::new(false),
            started: AtomicUsize::new(0),
            is_refused: AtomicBool::new(false),
            idle: CachePadded::default(),
            callers: CachePadded::default(),
        }
    }
}

impl<T: SharedTask> ThreadPool<T> {
    fn lock_tasks(&self) -> MutexGuard<'_, VecDeque<Arc<T>>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of threads that were started.
    #[inline]
    pub fn started(&self) -> usize {
        self.started.load(Ordering::Relaxed)
    }

    /// Starts workers until `count` workers run, or until the system refuses a thread. Only one thread at a time may call this
    /// method.
    #[inline]
    pub fn start<W: Worker<Task = T>>(self: &Arc<Self>, count: usize, settings: ThreadSettings<'_>, worker: impl Fn() -> W) {
        if self.started() < count && !self.is_refused.load(Ordering::Relaxed) {
            self.start_threads(count, settings, worker);
        }
    }

    #[cold]
    fn start_threads<W: Worker<Task = T>>(self: &Arc<Self>, count: usize, settings: ThreadSettings<'_>, worker: impl Fn() -> W) {
        let ThreadSettings { name, cpus, spinners } = settings;
        let cpus = cpus.in_turns();
        for number in self.started()..count {
            let cpu = (!cpus.is_empty()).then(|| cpus[number % cpus.len()]);
            let (pool, worker) = (Arc::clone(self), worker());
            let work = move || {
                if let Some(cpu) = cpu {
                    core_affinity::set_for_current(cpu);
                }
                // Work that the thread has taken is never completed after a panic, and callers would wait for it forever.
                if catch_unwind(AssertUnwindSafe(|| pool.work(&worker, number, spinners))).is_err() {
                    worker.abandon();
                    pool.close();
                }
            };
            if fork::without_forks(|| worker_thread(&format!("{name}-{number}")).spawn(work)).is_err() {
                self.is_refused.store(true, Ordering::Relaxed);
                return;
            }
            self.started.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Runs tasks as worker `number` until the pool is closed.
    fn work<W: Worker<Task = T>>(&self, worker: &W, number: usize, spinners: usize) {
        let _standard = FloatModeGuard::enter();
        let mut seen = 0;
        loop {
            let is_closed = || self.is_closed.load(Ordering::SeqCst);
            let ready = || is_closed() || (self.has_news(seen) && worker.wants_tasks());
            if !ready() {
                self.idle.wait_for_work(spinners, ready);
            }
            if is_closed() {
                return;
            }
            let before = seen;
            if let Some(task) = self.find(&mut seen, T::admit) {
                worker.run(self, &task, number);
                if !task.is_taken() {
                    seen = before; // the worker wants no more of the task for now
                }
            }
        }
    }

    /// Returns whether tasks were published since [`find`](Self::find) has set `seen`.
    #[inline]
    pub fn has_news(&self, seen: u64) -> bool {
        self.published.load(Ordering::SeqCst) != seen
    }

    /// Returns the oldest task that has work left and that `admit` accepts. Sets `seen` to the number of published tasks if no newer
    /// task is left to look at.
    pub fn find(&self, seen: &mut u64, admit: impl Fn(&T) -> bool) -> Option<Arc<T>> {
        let mut tasks = self.lock_tasks();
        discard_taken(&mut tasks);
        let found = tasks.iter().position(|task| admit(task));
        if found.is_none_or(|place| place + 1 == tasks.len()) {
            *seen = self.published.load(Ordering::SeqCst);
        }
        found.map(|place| Arc::clone(&tasks[place]))
    }

    /// Publishes a task to workers that spin, and to those that the caller wakes afterwards.
    #[inline]
    pub fn publish(&self, task: Arc<T>) {
        let mut tasks = self.lock_tasks();
        discard_taken(&mut tasks);
        tasks.push_back(task);
        drop(tasks);
        self.published.fetch_add(1, Ordering::SeqCst);
    }

    /// Removes a task, so that no further worker is admitted to it.
    pub fn retire(&self, task: &Arc<T>) {
        self.lock_tasks().retain(|other| !Arc::ptr_eq(other, task));
    }

    /// Removes all tasks.
    pub fn clear(&self) {
        self.lock_tasks().clear();
    }

    /// Ends the workers after their current tasks, and wakes all waiting threads.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        self.idle.wake(usize::MAX);
        self.callers.wake(usize::MAX);
    }
}

/// Removes the oldest tasks, up to the first one that has work left.
#[inline]
fn discard_taken<T: SharedTask>(tasks: &mut VecDeque<Arc<T>>) {
    while tasks.front().is_some_and(|task| task.is_taken()) {
        tasks.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::wait_queue::RECEIVER_SPIN;

    /// A task for one worker.
    #[derive(Debug, Default)]
    struct Once(AtomicBool);

    impl SharedTask for Once {
        fn is_taken(&self) -> bool {
            self.0.load(Ordering::SeqCst)
        }

        fn admit(&self) -> bool {
            !self.0.swap(true, Ordering::SeqCst)
        }
    }

    /// A worker that panics.
    struct Broken(Arc<AtomicBool>);

    impl Worker for Broken {
        type Task = Once;

        fn run(&self, _pool: &ThreadPool<Once>, _task: &Once, _number: usize) {
            panic!("broken");
        }

        fn abandon(&self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_panic_of_a_worker_closes_the_pool() {
        let (pool, is_abandoned) = (Arc::new(ThreadPool::default()), Arc::new(AtomicBool::new(false)));
        pool.start(1, ThreadSettings { name: "broken", cpus: ThreadCpus::Any, spinners: 0 }, || {
            Broken(Arc::clone(&is_abandoned))
        });
        pool.publish(Arc::new(Once::default()));
        pool.idle.wake(1);
        let is_closed = || pool.is_closed.load(Ordering::SeqCst);
        while !is_closed() {
            pool.callers.wait_briefly(RECEIVER_SPIN, is_closed);
        }
        assert!(is_abandoned.load(Ordering::SeqCst));
    }

    #[test]
    fn tasks_without_work_are_discarded_and_the_others_keep_their_order() {
        let pool = ThreadPool::default();
        let tasks = [(); 3].map(|()| Arc::new(Once::default()));
        tasks.iter().for_each(|task| pool.publish(Arc::clone(task)));
        let mut seen = 0;
        assert!(Arc::ptr_eq(&pool.find(&mut seen, Once::admit).unwrap(), &tasks[0]));
        assert!(pool.has_news(seen));
        pool.retire(&tasks[1]);
        assert!(Arc::ptr_eq(&pool.find(&mut seen, Once::admit).unwrap(), &tasks[2]));
        assert!(!pool.has_news(seen), "the last task was found");
        assert!(pool.find(&mut seen, Once::admit).is_none());
        assert!(tasks.iter().all(|task| Arc::strong_count(task) == 1));
    }
}

//! Wait queue of threads: workers wait for work, receivers for results. Waiting threads first spin for a short time, then sleep.
//!
//! Invariants
//! - A sleeper announces itself (sequentially consistent) and reads the number of wake-ups before its last check; a waker publishes
//!   its change before it checks for sleepers, and then changes the number. So at least one of them sees the other, and no wake-up
//!   is lost.
//! - The number of spinning workers is at most the number of CPUs minus one, so that the caller always has a CPU to run on.

use std::time::{Duration, Instant};

use crate::results::sync::{AtomicUsize, Ordering};
use crate::threads::wake_counter::WakeCounter;

/// Time for which an idle worker spins: longer than a training loop needs between two cheap steps, but too short to waste much
/// CPU time.
const SPIN: Duration = Duration::from_micros(100);

/// Time for which a receiver that executed a part of the request spins: its CPU has nothing else to do for the request.
pub const JOINED_SPIN: Duration = SPIN;

/// Time for which another receiver spins before it sleeps.
pub const RECEIVER_SPIN: Duration = Duration::from_micros(30);

/// Time for which a receiver sleeps between two checks for signals.
const RECEIVER_SLEEP: Duration = Duration::from_millis(20);

/// Queue of waiting threads.
#[derive(Debug, Default)]
pub struct WaitQueue {
    /// Number of threads asleep, or about to sleep. A thread increments the number before its last check.
    sleeping: AtomicUsize,
    /// Number of spinning threads; a hint that may be outdated.
    spinning: AtomicUsize,
    /// Number of wake-ups. A sleeper reads it before its last check, and a waker changes it after its own change.
    wakes: WakeCounter,
}

impl WaitQueue {
    /// Returns the number of spinning workers, which detect new work without a wake-up.
    #[inline]
    pub fn spinning(&self) -> usize {
        self.spinning.load(Ordering::Relaxed)
    }

    /// Returns the number of sleeping threads, which need a wake-up.
    #[inline]
    pub fn sleeping(&self) -> usize {
        self.sleeping.load(Ordering::SeqCst)
    }

    /// Wakes up to `count` sleeping threads.
    #[inline]
    pub fn wake(&self, count: usize) {
        let sleeping = self.sleeping();
        if count > 0 && sleeping > 0 {
            self.wakes.wake(count.min(sleeping));
        }
    }

    /// Waits until `ready` returns true. Spins first, unless `spinners` threads already spin, then sleeps.
    pub fn wait_for_work(&self, spinners: usize, ready: impl Fn() -> bool) {
        let others = self.spinning.fetch_add(1, Ordering::Relaxed);
        let found = others < spinners && spin(SPIN, &ready);
        self.spinning.fetch_sub(1, Ordering::Relaxed);
        if !found {
            while !self.sleep_unless(&ready, None) {}
        }
    }

    /// Waits until `ready` returns true or a time limit passes (`limit` of spinning and 20 ms of sleep). Returns the last result of
    /// `ready`.
    pub fn wait_briefly(&self, limit: Duration, ready: impl Fn() -> bool) -> bool {
        spin(limit, &ready) || self.sleep_unless(&ready, Some(RECEIVER_SLEEP)) || ready()
    }

    /// Returns true if `ready` does. Otherwise sleeps until a wake-up, or until `limit` has passed.
    fn sleep_unless(&self, ready: impl Fn() -> bool, limit: Option<Duration>) -> bool {
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        let seen = self.wakes.get();
        let is_ready = ready();
        if !is_ready {
            self.wakes.sleep(seen, limit);
        }
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
        is_ready
    }
}

fn spin(limit: Duration, ready: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    loop {
        if spin_once(&ready) {
            return true;
        }
        if start.elapsed() > limit {
            return false;
        }
    }
}

/// Spins until `ready` returns true, but at most for about a microsecond, without reading the clock. Returns whether `ready` did.
#[inline]
pub fn spin_once(ready: &impl Fn() -> bool) -> bool {
    (0..32).any(|_| {
        let is_ready = ready();
        if !is_ready {
            std::hint::spin_loop();
        }
        is_ready
    })
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::sync::atomic::fence;

    use super::*;

    /// Waits and wake-ups of two threads. loom weakens sequentially consistent accesses to acquire and release; the fences restore
    /// their order.
    #[test]
    fn loom_no_wake_up_of_two_sleepers_is_lost() {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(|| {
            let shared = Arc::new((WaitQueue::default(), AtomicUsize::new(0)));
            let sleepers = [1, 2].map(|change| {
                let (queue, shared) = (Arc::clone(&shared), Arc::clone(&shared));
                let is_ready = move || {
                    fence(Ordering::SeqCst);
                    shared.1.load(Ordering::SeqCst) >= change
                };
                loom::thread::spawn(move || queue.0.wait_for_work(0, is_ready))
            });
            for change in [1, 2] {
                shared.1.store(change, Ordering::SeqCst);
                fence(Ordering::SeqCst);
                shared.0.wake(2);
            }
            for sleeper in sleepers {
                sleeper.join().unwrap();
            }
            assert_eq!(shared.0.sleeping(), 0);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};

    use super::*;

    /// Runs `wait` in a separate thread, and returns its result. If that thread never returns, the test fails instead of
    /// blocking.
    fn run_with_timeout<T: Send + 'static>(wait: impl FnOnce() -> T + Send + 'static) -> T {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || sender.send(wait()));
        receiver.recv_timeout(Duration::from_secs(300)).expect("a sleeper was never woken")
    }

    #[test]
    fn a_sleeping_worker_is_woken_by_the_change_it_waits_for() {
        let shared = Arc::new((WaitQueue::default(), AtomicUsize::new(0)));
        let waker = Arc::clone(&shared);
        std::thread::spawn(move || {
            while waker.0.sleeping() == 0 {
                std::thread::yield_now();
            }
            waker.1.store(1, Ordering::SeqCst);
            waker.0.wake(1);
        });
        let sleeping = run_with_timeout(move || {
            shared.0.wait_for_work(0, || shared.1.load(Ordering::SeqCst) == 1);
            shared.0.sleeping()
        });
        assert_eq!(sleeping, 0);
    }

    #[test]
    fn no_wake_up_is_lost_before_a_thread_sleeps() {
        let shared = Arc::new((WaitQueue::default(), AtomicUsize::new(0), AtomicUsize::new(0)));
        let waker = Arc::clone(&shared);
        const ROUNDS: usize = 50_000;
        std::thread::spawn(move || {
            let (idle, work, done) = &*waker;
            for round in 1..=ROUNDS {
                let ready = || done.load(Ordering::SeqCst) == round - 1;
                while !spin(SPIN, ready) {
                    std::thread::yield_now();
                }
                // The delay grows by about a nanosecond per round. So some wake-ups fall between the other thread's check and its
                // sleep.
                (0..round % 512).for_each(|turn| _ = std::hint::black_box(turn));
                work.store(round, Ordering::SeqCst);
                idle.wake(1);
            }
        });
        run_with_timeout(move || {
            let (idle, work, done) = &*shared;
            for round in 1..=ROUNDS {
                idle.wait_for_work(0, || work.load(Ordering::SeqCst) == round);
                done.store(round, Ordering::SeqCst);
            }
        });
    }

    #[test]
    fn a_receivers_wait_ends_at_its_timeout() {
        assert!(!run_with_timeout(|| WaitQueue::default().wait_briefly(RECEIVER_SPIN, || false)));
    }
}

//! How threads wait: workers for something to do, receivers for something to be done. Both spin shortly, then sleep.
//!
//! Invariants
//! - A sleeper announces itself (sequentially consistent) before it looks once more; a waker makes its change visible before
//!   it looks for sleepers. So at least one of them sees the other, and no wake-up is lost.
//! - At most one worker fewer than there are CPUs spins, so that the caller always has a CPU to run on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long an idle worker spins: longer than a trainer's loop needs between two cheap steps, shorter than anyone notices.
const SPIN: Duration = Duration::from_micros(100);

/// How long a receiver spins before it sleeps.
const RECEIVER_SPIN: Duration = Duration::from_micros(30);

/// How long a receiver sleeps before it looks for signals.
const NAP: Duration = Duration::from_millis(20);

/// Where threads wait.
#[derive(Debug, Default)]
pub struct Idle {
    /// Threads asleep, or about to be. Added to by the sleeper before its last look, under the mutex.
    sleeping: AtomicUsize,
    /// Threads spinning. Only a hint.
    spinning: AtomicUsize,
    mutex: Mutex<()>,
    condvar: Condvar,
}

impl Idle {
    /// Workers that would notice new work by themselves.
    #[inline]
    pub fn spinning(&self) -> usize {
        self.spinning.load(Ordering::Relaxed)
    }

    /// Threads that need to be woken to notice anything.
    #[inline]
    pub fn sleeping(&self) -> usize {
        self.sleeping.load(Ordering::SeqCst)
    }

    /// Wakes up to `count` sleepers.
    #[inline]
    pub fn wake(&self, count: usize) {
        if count > 0 && self.sleeping() > 0 {
            self.wake_sleepers(count);
        }
    }

    #[cold]
    fn wake_sleepers(&self, count: usize) {
        let _guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..count.min(self.sleeping()) {
            self.condvar.notify_one();
        }
    }

    /// Returns when `ready` says so, spinning first (unless `spinners` do already), then asleep.
    pub fn wait_for_work(&self, spinners: usize, ready: impl Fn() -> bool) {
        let others = self.spinning.fetch_add(1, Ordering::Relaxed);
        let found = others < spinners && spin(SPIN, &ready);
        self.spinning.fetch_sub(1, Ordering::Relaxed);
        if found {
            return;
        }
        let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        while !ready() {
            guard = self.condvar.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
    }

    /// Returns when `ready` says so (true), or after a nap (false).
    pub fn wait_a_while(&self, ready: impl Fn() -> bool) -> bool {
        if spin(RECEIVER_SPIN, &ready) {
            return true;
        }
        let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        if !ready() {
            drop(self.condvar.wait_timeout(guard, NAP).unwrap_or_else(PoisonError::into_inner));
        }
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
        ready()
    }
}

fn spin(limit: Duration, ready: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    loop {
        for _ in 0..32 {
            if ready() {
                return true;
            }
            std::hint::spin_loop();
        }
        if start.elapsed() > limit {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};

    use super::*;

    /// What `wait` returns. It runs in a thread of its own: whoever sleeps for ever fails the test, which ends.
    fn comes_back<T: Send + 'static>(wait: impl FnOnce() -> T + Send + 'static) -> T {
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || tell.send(wait()));
        told.recv_timeout(Duration::from_secs(300)).expect("a sleeper was never woken")
    }

    #[test]
    fn a_sleeping_worker_is_woken_by_the_change_it_waits_for() {
        let shared = Arc::new((Idle::default(), AtomicUsize::new(0)));
        let waker = Arc::clone(&shared);
        std::thread::spawn(move || {
            while waker.0.sleeping() == 0 {
                std::thread::yield_now();
            }
            waker.1.store(1, Ordering::SeqCst);
            waker.0.wake(1);
        });
        let sleeping = comes_back(move || {
            shared.0.wait_for_work(0, || shared.1.load(Ordering::SeqCst) == 1);
            shared.0.sleeping()
        });
        assert_eq!(sleeping, 0);
    }

    #[test]
    fn no_wake_up_is_lost_on_the_way_to_sleep() {
        let shared = Arc::new((Idle::default(), AtomicUsize::new(0), AtomicUsize::new(0)));
        let waker = Arc::clone(&shared);
        const ROUNDS: usize = 50_000;
        std::thread::spawn(move || {
            let (idle, work, done) = &*waker;
            for round in 1..=ROUNDS {
                let ready = || done.load(Ordering::SeqCst) == round - 1;
                while !spin(SPIN, ready) {
                    std::thread::yield_now();
                }
                // A nanosecond later from round to round, so that some come right between the other's look and its sleep.
                (0..round % 512).for_each(|turn| _ = std::hint::black_box(turn));
                work.store(round, Ordering::SeqCst);
                idle.wake(1);
            }
        });
        comes_back(move || {
            let (idle, work, done) = &*shared;
            for round in 1..=ROUNDS {
                idle.wait_for_work(0, || work.load(Ordering::SeqCst) == round);
                done.store(round, Ordering::SeqCst);
            }
        });
    }

    #[test]
    fn a_receiver_comes_back_from_its_nap_when_nothing_happens() {
        assert!(!comes_back(|| Idle::default().wait_a_while(|| false)));
    }
}

//! Wakes a sleeping process when a control word in shared memory has changed.

#[cfg(all(target_os = "linux", not(portable)))]
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

#[cfg(all(target_os = "linux", not(portable)))]
use rustix::{
    thread::futex,
    time::{ClockId, clock_gettime},
};

/// Mechanism by which the processes that share a block wake each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WakeStrategy {
    /// Linux's futex. One system call wakes any subset of the sleeping processes, and sleeping processes use no CPU time.
    Futex,
    /// Polling, available on all systems: sleeping processes check the word, at intervals that grow to 1 ms.
    Poll,
}

/// Mask that includes every process, so that waking with this mask wakes all waiting processes.
pub const WAKE_ALL: u32 = u32::MAX;

const FIRST_NAP: Duration = Duration::from_micros(20);
const MAX_NAP: Duration = Duration::from_millis(1);

impl WakeStrategy {
    /// Returns the fastest wake-up mechanism that the operating system supports.
    #[must_use]
    pub const fn best() -> Self {
        if cfg!(all(target_os = "linux", not(portable))) { Self::Futex } else { Self::Poll }
    }

    /// Sleeps while `word` equals `seen`, but at most for `limit`. May return early. Only calls of `wake` whose mask shares a bit
    /// with `mask` wake this process.
    pub fn wait(self, word: &AtomicU32, seen: u32, mask: u32, limit: Duration) {
        match self {
            Self::Futex => futex_wait(word, seen, mask, limit),
            Self::Poll => nap(word, seen, limit),
        }
    }

    /// Wakes all processes that wait for `word` with a mask that shares a bit with `mask`. The caller must have changed the word
    /// before.
    pub fn wake(self, word: &AtomicU32, mask: u32) {
        if self == Self::Futex {
            futex_wake(word, mask);
        }
    }
}

fn nap(word: &AtomicU32, seen: u32, limit: Duration) {
    let (start, mut nap) = (Instant::now(), FIRST_NAP);
    while word.load(Ordering::Acquire) == seen && start.elapsed() < limit {
        std::thread::sleep(nap);
        nap = (nap * 2).min(MAX_NAP);
    }
}

/// Sleeps in the kernel with the futex system call. Returns when woken, and on any error: the word has changed, an interruption,
/// or the time limit.
#[cfg(all(target_os = "linux", not(portable)))]
fn futex_wait(word: &AtomicU32, seen: u32, mask: u32, limit: Duration) {
    // The futex call takes an absolute time of the monotonic clock.
    let mut until = clock_gettime(ClockId::Monotonic);
    until.tv_sec += limit.as_secs().min(1 << 30) as i64;
    until.tv_nsec += i64::from(limit.subsec_nanos());
    if until.tv_nsec >= 1_000_000_000 {
        (until.tv_sec, until.tv_nsec) = (until.tv_sec + 1, until.tv_nsec - 1_000_000_000);
    }
    let Some(mask) = NonZeroU32::new(mask) else { return };
    _ = futex::wait_bitset(word, futex::Flags::empty(), seen, Some(&until), mask);
}

#[cfg(all(target_os = "linux", not(portable)))]
fn futex_wake(word: &AtomicU32, mask: u32) {
    let Some(mask) = NonZeroU32::new(mask) else { return };
    _ = futex::wake_bitset(word, futex::Flags::empty(), i32::MAX as u32, mask);
}

#[cfg(not(all(target_os = "linux", not(portable))))]
fn futex_wait(word: &AtomicU32, seen: u32, _mask: u32, limit: Duration) {
    nap(word, seen, limit);
}

#[cfg(not(all(target_os = "linux", not(portable))))]
fn futex_wake(_word: &AtomicU32, _mask: u32) {}

/// Returns the futex mask bit of a worker. More than 32 workers share bits; a spurious wake-up is harmless.
pub fn mask_of(worker: usize) -> u32 {
    1 << (worker % 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeps_until_woken(how: WakeStrategy) {
        let word = AtomicU32::new(0);
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while word.load(Ordering::SeqCst) == 0 {
                    how.wait(&word, 0, 2, Duration::from_secs(600));
                }
            });
            std::thread::sleep(Duration::from_millis(20));
            word.store(1, Ordering::SeqCst);
            how.wake(&word, 2);
        });
        assert!(start.elapsed() < Duration::from_secs(300), "it slept on until its limit");
    }

    #[test]
    fn a_sleeping_thread_is_woken_through_a_futex() {
        sleeps_until_woken(WakeStrategy::best());
    }

    #[test]
    fn a_polling_thread_notices_the_change() {
        sleeps_until_woken(WakeStrategy::Poll);
    }

    #[test]
    fn a_wait_ends_after_its_limit() {
        for how in [WakeStrategy::best(), WakeStrategy::Poll] {
            let start = Instant::now();
            how.wait(&AtomicU32::new(3), 3, WAKE_ALL, Duration::from_millis(30));
            assert!(start.elapsed() >= Duration::from_millis(25));
            how.wait(&AtomicU32::new(3), 4, WAKE_ALL, Duration::from_secs(600));
            assert!(start.elapsed() < Duration::from_secs(300), "the word has changed: there was nothing to wait for");
        }
    }
}

//! Decides whether to spin or to sleep while waiting. Spinning is faster for waits of a few microseconds, if the machine has an
//! unused core.

use std::num::NonZero;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use envpool_rs_sync::ForkOnce;

/// Expected duration of a wait above which a thread sleeps without spinning.
const MAX_WORTHWHILE_WAIT: Duration = Duration::from_micros(120);

/// Maximum time for which a thread spins before it sleeps.
const MAX_SPIN: Duration = Duration::from_micros(150);

/// Returns the number of cores available to this process. Determined once, because the query reads files.
pub fn cores() -> usize {
    static CORES: ForkOnce<usize> = ForkOnce::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

/// Estimate of the duration of a thread's waits.
#[derive(Debug)]
pub struct WaitEstimate {
    /// Moving average of wait times in nanoseconds.
    average: u64,
}

impl WaitEstimate {
    /// Creates an initial estimate of 20 us, with which spinning is tried.
    pub const fn new() -> Self {
        Self { average: 20_000 }
    }

    /// Updates the estimate with the duration of a finished wait.
    pub fn record(&mut self, lasted: Duration) {
        // The duration is limited, so that one long pause (such as a training update) does not outweigh a thousand short ones.
        let lasted = lasted.min(4 * MAX_SPIN).as_nanos() as u64;
        self.average = self.average - self.average / 8 + lasted / 8;
    }

    /// Returns the time for which a thread should spin before it sleeps; zero if waits are too long for spinning.
    pub fn budget(&self) -> Duration {
        let usual = Duration::from_nanos(self.average);
        if usual > MAX_WORTHWHILE_WAIT { Duration::ZERO } else { (3 * usual).clamp(Duration::from_micros(10), MAX_SPIN) }
    }
}

/// Spins until `ready` returns true, at most for `limit`. Returns the last result of `ready`.
pub fn spin(limit: Duration, ready: impl Fn() -> bool) -> bool {
    if ready() {
        return true;
    }
    if limit.is_zero() {
        return false;
    }
    let start = Instant::now();
    loop {
        for _ in 0..8 {
            std::hint::spin_loop();
            if ready() {
                return true;
            }
        }
        if start.elapsed() > limit {
            return false;
        }
        // Yielding lets another runnable thread use this core.
        std::thread::yield_now();
    }
}

/// The caller's estimate of wait times. Stored in the [`ShmSegment`](super::ShmSegment), because a [`Caller`](super::Caller) only
/// borrows it.
#[derive(Debug)]
pub struct CallerWaitEstimate(pub(super) Mutex<WaitEstimate>);

impl Default for CallerWaitEstimate {
    fn default() -> Self {
        Self(Mutex::new(WaitEstimate::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_waits_sleep_and_short_waits_resume_spinning() {
        let mut waits = WaitEstimate::new();
        assert!(waits.budget() > Duration::ZERO);
        (0..40).for_each(|_| waits.record(Duration::from_millis(5)));
        assert_eq!(waits.budget(), Duration::ZERO);
        (0..40).for_each(|_| waits.record(Duration::from_micros(5)));
        assert!(waits.budget() >= Duration::from_micros(10));
    }

    #[test]
    fn one_long_pause_does_not_disable_spinning() {
        let mut waits = WaitEstimate::new();
        (0..40).for_each(|_| waits.record(Duration::from_micros(5)));
        waits.record(Duration::from_secs(5));
        assert!(waits.budget() > Duration::ZERO);
    }
}

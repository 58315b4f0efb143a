//! When spinning pays: if what is waited for usually comes within microseconds, and there is a core to spare.

use std::num::NonZero;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Waits that are usually longer than this are slept through.
const WORTH: Duration = Duration::from_micros(120);

/// Never spins longer than this.
const LONGEST: Duration = Duration::from_micros(150);

/// Cores that this process may use; asked once, since asking reads files.
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

/// How long waits have lasted lately.
#[derive(Debug)]
pub struct Waits {
    /// A moving average, in nanoseconds.
    average: u64,
}

impl Waits {
    /// Nothing is known yet: spinning is tried.
    pub const fn new() -> Self {
        Self { average: 20_000 }
    }

    /// Learns from a wait.
    pub fn learn(&mut self, lasted: Duration) {
        // One long pause (the trainer learns) must not outweigh a thousand short ones.
        let lasted = lasted.min(4 * LONGEST).as_nanos() as u64;
        self.average = self.average - self.average / 8 + lasted / 8;
    }

    /// How long to spin.
    pub fn budget(&self) -> Duration {
        let usual = Duration::from_nanos(self.average);
        if usual > WORTH { Duration::ZERO } else { (3 * usual).clamp(Duration::from_micros(10), LONGEST) }
    }
}

/// Spins until `ready`, at most for `limit`; returns whether it was.
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
        // Whoever is kept waiting for this core gets it.
        std::thread::yield_now();
    }
}

/// What a caller has learnt of how long its waits last; outlives the borrow that a [`Caller`] is.
#[derive(Debug)]
pub struct CallerWaits(pub(super) Mutex<Waits>);

impl Default for CallerWaits {
    fn default() -> Self {
        Self(Mutex::new(Waits::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_waits_are_slept_through_and_short_ones_bring_spinning_back() {
        let mut waits = Waits::new();
        assert!(waits.budget() > Duration::ZERO);
        (0..40).for_each(|_| waits.learn(Duration::from_millis(5)));
        assert_eq!(waits.budget(), Duration::ZERO);
        (0..40).for_each(|_| waits.learn(Duration::from_micros(5)));
        assert!(waits.budget() >= Duration::from_micros(10));
    }

    #[test]
    fn one_long_pause_does_not_end_spinning() {
        let mut waits = Waits::new();
        (0..40).for_each(|_| waits.learn(Duration::from_micros(5)));
        waits.learn(Duration::from_secs(5));
        assert!(waits.budget() > Duration::ZERO);
    }
}

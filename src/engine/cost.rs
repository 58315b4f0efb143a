//! What a step costs, as far as seen: decides what is worth a second thread, a wake-up, or releasing an interpreter lock.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Fractions of a nanosecond in which costs are kept.
const UNIT: u32 = 16;

/// Cost of one step of one lane: the least seen, creeping upwards. Averages would not do: they are inflated by preemption.
#[derive(Debug)]
pub struct Cost(
    /// In sixteenths of a nanosecond. Written by whoever measured, with lost updates doing no harm; relaxed, since it guards
    /// nothing.
    AtomicU32,
);

impl Cost {
    /// Nothing known: a cheap environment starts low, so that small pools never start threads; any other as if expensive.
    pub fn new(cheap: bool) -> Self {
        Self(AtomicU32::new(if cheap { 100 * UNIT } else { u32::MAX }))
    }

    /// What `lanes` steps will take on one thread.
    #[inline]
    pub fn of(&self, lanes: usize) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed) as u64 * lanes as u64 / u64::from(UNIT))
    }

    /// Takes in a measurement.
    pub fn record(&self, start: Instant, lanes: usize) {
        let nanos = start.elapsed().as_nanos().saturating_mul(u128::from(UNIT)) / lanes.max(1) as u128;
        let seen = u32::try_from(nanos).unwrap_or(u32::MAX);
        let known = self.0.load(Ordering::Relaxed);
        let next = if seen < known { seen } else { known.saturating_add(known / 128 + 1).min(seen) };
        self.0.store(next, Ordering::Relaxed);
    }
}

//! Estimates the cost of a step. The estimate decides whether to use a second thread, to wake a thread, or to release an
//! interpreter's lock.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Number of units of a stored cost per nanosecond.
const UNITS_PER_NANO: u32 = 16;

/// Estimated cost of one step of one lane.
///
/// For uniform steps, the estimate is the shortest observed time, increased slowly with each measurement; preemption would
/// inflate an average. For other steps it is a running average, because a cheap step does not predict the next one.
#[derive(Debug)]
pub struct Cost {
    /// Estimate in sixteenths of a nanosecond. Every measuring thread writes this estimate. An overwritten update is harmless,
    /// and accesses are relaxed, because no other data depends on the estimate.
    stored: AtomicU32,
    uniform: bool,
}

impl Cost {
    /// Creates an initial estimate: 100 ns for uniform (and therefore cheap) environments, so that small pools never start
    /// threads; the maximum for others.
    pub fn new(uniform: bool) -> Self {
        Self { stored: AtomicU32::new(if uniform { 100 * UNITS_PER_NANO } else { u32::MAX }), uniform }
    }

    /// Returns the estimated duration of `lanes` steps on one thread.
    #[inline]
    pub fn estimate(&self, lanes: usize) -> Duration {
        Duration::from_nanos(self.stored.load(Ordering::Relaxed) as u64 * lanes as u64 / u64::from(UNITS_PER_NANO))
    }

    /// Updates the estimate with the measured time of `lanes` steps.
    pub fn record(&self, taken: Duration, lanes: usize) {
        let nanos = taken.as_nanos().saturating_mul(u128::from(UNITS_PER_NANO)) / lanes.max(1) as u128;
        let seen = u32::try_from(nanos).unwrap_or(u32::MAX);
        let known = self.stored.load(Ordering::Relaxed);
        let next = match self.uniform {
            true if seen < known => seen,
            true => known.saturating_add(known / 128 + 1).min(seen),
            false => known - known / 4 + seen / 4,
        };
        self.stored.store(next, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(cost: &Cost, steps: &[Duration]) -> Duration {
        steps.iter().for_each(|step| cost.record(*step, 1));
        cost.estimate(1)
    }

    #[test]
    fn one_preempted_step_hardly_raises_the_cost_of_a_uniform_environment() {
        let (usual, preempted) = (Duration::from_micros(50), Duration::from_millis(50));
        assert!(after(&Cost::new(true), &[usual, preempted, usual]) < 2 * usual);
    }

    #[test]
    fn one_slow_step_raises_the_cost_of_a_variable_environment() {
        let (quick, slow) = (Duration::from_micros(1), Duration::from_millis(100));
        let cost = Cost::new(false);
        assert!(after(&cost, &[quick; 60]) < Duration::from_millis(1));
        assert!(after(&cost, &[slow]) > Duration::from_millis(20));
    }
}

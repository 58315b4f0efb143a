//! What a step costs, as far as seen: decides what is worth a second thread, a wake-up, or releasing an interpreter lock.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Fractions of a nanosecond in which costs are kept.
const UNIT: u32 = 16;

/// Cost of one step of one lane. Where steps cost about the same: the least seen, creeping upwards; an average would be inflated by
/// preemption. Where they do not: a running average, since a cheap step says nothing of the next one.
#[derive(Debug)]
pub struct Cost {
    /// In sixteenths of a nanosecond. Written by whoever measured, with lost updates doing no harm; relaxed, since it guards
    /// nothing.
    known: AtomicU32,
    uniform: bool,
}

impl Cost {
    /// Nothing known: a uniform (and therefore cheap) environment starts low, so that small pools never start threads; any other as if expensive.
    pub fn new(uniform: bool) -> Self {
        Self { known: AtomicU32::new(if uniform { 100 * UNIT } else { u32::MAX }), uniform }
    }

    /// What `lanes` steps will take on one thread.
    #[inline]
    pub fn of(&self, lanes: usize) -> Duration {
        Duration::from_nanos(self.known.load(Ordering::Relaxed) as u64 * lanes as u64 / u64::from(UNIT))
    }

    /// Takes in what was measured since `start`.
    pub fn record(&self, start: Instant, lanes: usize) {
        self.learn(start.elapsed(), lanes);
    }

    /// Takes in that so many steps took so long.
    fn learn(&self, taken: Duration, lanes: usize) {
        let nanos = taken.as_nanos().saturating_mul(u128::from(UNIT)) / lanes.max(1) as u128;
        let seen = u32::try_from(nanos).unwrap_or(u32::MAX);
        let known = self.known.load(Ordering::Relaxed);
        let next = match self.uniform {
            true if seen < known => seen,
            true => known.saturating_add(known / 128 + 1).min(seen),
            false => known - known / 4 + seen / 4,
        };
        self.known.store(next, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(cost: &Cost, steps: &[Duration]) -> Duration {
        steps.iter().for_each(|step| cost.learn(*step, 1));
        cost.of(1)
    }

    #[test]
    fn one_preempted_step_does_not_make_a_uniform_environment_dear() {
        let (usual, preempted) = (Duration::from_micros(50), Duration::from_millis(50));
        assert!(after(&Cost::new(true), &[usual, preempted, usual]) < 2 * usual);
    }

    #[test]
    fn one_slow_step_is_enough_to_expect_more_of_them_from_another() {
        let (quick, slow) = (Duration::from_micros(1), Duration::from_millis(100));
        let cost = Cost::new(false);
        assert!(after(&cost, &[quick; 60]) < Duration::from_millis(1));
        assert!(after(&cost, &[slow]) > Duration::from_millis(20));
    }
}

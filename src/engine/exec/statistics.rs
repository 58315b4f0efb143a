//! Statistics of a pool's work, recorded from the first request for them: durations of steps, resets, waits, restarts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use crate::exec::request_kind::{LaneList, RequestKind};

/// Number of intervals of a histogram of durations.
pub const INTERVALS: usize = 32;

/// Upper end of the first interval, in nanoseconds. Each further interval ends at twice the duration.
pub const FIRST_INTERVAL: u64 = 64;

/// Mean duration of a step from which each lane is recorded. Recording shorter steps for each lane would take a considerable part of
/// their time.
pub const WORTH_RECORDING: Duration = Duration::from_nanos(500);

/// Recorded numbers of one lane. Times are in nanoseconds.
#[derive(Debug, Default)]
struct LaneStatistics {
    steps: AtomicU64,
    time: AtomicU64,
    longest: AtomicU64,
    restarts: AtomicU64,
    /// Time of the last request, since the start of the recording.
    sent: AtomicU64,
    histogram: [AtomicU64; INTERVALS],
}

/// Recorded numbers of one thread, in cache lines of its own.
#[derive(Debug, Default)]
struct ThreadStatistics {
    histogram: [AtomicU64; INTERVALS],
    /// Times of waiting and of running environments, in nanoseconds.
    waited: AtomicU64,
    worked: AtomicU64,
}

/// Statistics that the threads of a pool record. Thread 0 is the caller, thread `n + 1` is worker `n`.
#[derive(Debug)]
pub struct PoolStatistics {
    start: Instant,
    lanes: Box<[LaneStatistics]>,
    /// Number of started episodes of each lane, next to each other: a step may start hundreds of episodes.
    resets: Box<[AtomicU64]>,
    threads: Box<[CachePadded<ThreadStatistics>]>,
}

/// Values of the statistics at one moment. Arrays of lanes have an element for each lane.
#[derive(Debug, Clone, PartialEq)]
pub struct StatisticsSnapshot {
    /// Duration of the recording.
    pub elapsed: Duration,
    /// Numbers of steps of all lanes by their durations.
    pub histogram: [u64; INTERVALS],
    /// Time for which callers waited for results.
    pub caller_wait: Duration,
    /// Time for which workers ran environments.
    pub worker_time: Duration,
    /// Number of started worker threads; 0 if other processes run the environments.
    pub workers: usize,
    /// Number of lanes whose results were requested and not yet received.
    pub in_flight: usize,
    /// Numbers of recorded steps.
    pub steps: Vec<u64>,
    /// Total duration of the recorded steps, in nanoseconds.
    pub time: Vec<u64>,
    /// Duration of the longest recorded step, in nanoseconds.
    pub longest: Vec<u64>,
    /// Numbers of started episodes.
    pub resets: Vec<u64>,
    /// Numbers of restarts of the process that runs the lane.
    pub restarts: Vec<u64>,
    /// Numbers of recorded steps by their durations: one histogram after the other.
    pub histograms: Vec<u64>,
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns the interval of a duration in nanoseconds.
fn interval(time: u64) -> usize {
    let multiples = time / FIRST_INTERVAL;
    ((u64::BITS - multiples.leading_zeros()) as usize).min(INTERVALS - 1)
}

fn add(counter: &AtomicU64, number: u64) {
    counter.fetch_add(number, Ordering::Relaxed);
}

/// Adds to a counter that only the calling thread changes, which takes less time than an atomic addition.
#[inline]
fn add_exclusively(counter: &AtomicU64, number: u64) {
    counter.store(load(counter).wrapping_add(number), Ordering::Relaxed);
}

#[inline]
fn load(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

impl PoolStatistics {
    /// Creates statistics of a pool with this number of lanes and of workers.
    pub fn new(lanes: usize, workers: usize) -> Self {
        Self {
            start: Instant::now(),
            lanes: (0..lanes).map(|_| LaneStatistics::default()).collect(),
            resets: (0..lanes).map(|_| AtomicU64::new(0)).collect(),
            threads: (0..=workers).map(|_| CachePadded::default()).collect(),
        }
    }

    /// Records that a thread has run `count` items of a request. The items share the duration equally, which is returned in
    /// nanoseconds.
    #[inline]
    pub fn record_run(&self, thread: usize, kind: &RequestKind, count: usize, taken: Duration) -> u64 {
        let (counters, time) = (&self.threads[thread], nanoseconds(taken));
        add(&counters.worked, time);
        let each = time / count.max(1) as u64;
        if matches!(kind, RequestKind::Step) {
            add(&counters.histogram[interval(each)], count as u64);
        }
        each
    }

    /// Records that a thread has run these items of a request, for the pool and, unless steps are short, for each lane.
    pub fn record_chunk(
        &self,
        thread: usize,
        (kind, lanes): (&RequestKind, &LaneList),
        items: std::ops::Range<usize>,
        taken: Duration,
    ) {
        let time = self.record_run(thread, kind, items.len(), taken);
        if matches!(kind, RequestKind::Step) && (items.len() == 1 || time >= nanoseconds(WORTH_RECORDING)) {
            items.for_each(|item| self.lanes[lanes.get(item)].record(time));
        }
    }

    /// Records the start of an episode. The caller's thread has exclusive access to the lane.
    #[inline]
    pub fn record_reset(&self, lane: usize) {
        add_exclusively(&self.resets[lane], 1);
    }

    /// Records that steps of lanes were sent to another process.
    pub fn record_sent(&self, lanes: impl Iterator<Item = usize>) {
        let now = nanoseconds(self.start.elapsed()).max(1);
        lanes.for_each(|lane| self.lanes[lane].sent.store(now, Ordering::Relaxed));
    }

    /// Records the arrival of the reply to a step. The duration is that since the request.
    pub fn record_reply(&self, lane: usize) {
        let sent = self.lanes[lane].sent.swap(0, Ordering::Relaxed);
        if sent > 0 {
            let time = nanoseconds(self.start.elapsed()).saturating_sub(sent);
            add(&self.threads[0].histogram[interval(time)], 1);
            self.lanes[lane].record(time);
        }
    }

    /// Records that the process that runs a lane was restarted.
    pub fn record_restart(&self, lane: usize) {
        add_exclusively(&self.lanes[lane].restarts, 1);
    }

    /// Records that a caller has waited for results since `clock`.
    pub fn record_wait(&self, clock: Instant) {
        add(&self.threads[0].waited, nanoseconds(clock.elapsed()));
    }

    pub fn snapshot(&self, workers: usize, in_flight: usize) -> StatisticsSnapshot {
        let each = |counter: fn(&LaneStatistics) -> &AtomicU64| self.lanes.iter().map(|lane| load(counter(lane))).collect();
        let sum =
            |counter: &dyn Fn(&ThreadStatistics) -> &AtomicU64| self.threads.iter().map(|thread| load(counter(thread))).sum();
        StatisticsSnapshot {
            elapsed: self.start.elapsed(),
            histogram: std::array::from_fn(|interval| sum(&|thread| &thread.histogram[interval])),
            caller_wait: Duration::from_nanos(load(&self.threads[0].waited)),
            worker_time: self.threads[1..].iter().map(|thread| Duration::from_nanos(load(&thread.worked))).sum(),
            workers,
            in_flight,
            steps: each(|lane| &lane.steps),
            time: each(|lane| &lane.time),
            longest: each(|lane| &lane.longest),
            resets: self.resets.iter().map(load).collect(),
            restarts: each(|lane| &lane.restarts),
            histograms: self.lanes.iter().flat_map(|lane| lane.histogram.each_ref().map(load)).collect(),
        }
    }
}

impl LaneStatistics {
    /// Records a step. The caller's thread has exclusive access to the lane.
    fn record(&self, time: u64) {
        add_exclusively(&self.steps, 1);
        add_exclusively(&self.time, time);
        self.longest.store(load(&self.longest).max(time), Ordering::Relaxed);
        add_exclusively(&self.histogram[interval(time)], 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_double_and_the_last_one_has_no_end() {
        assert_eq!([0, 63, 64, 127, 128, 255, 256].map(interval), [0, 0, 1, 1, 2, 2, 3]);
        assert_eq!([interval(u64::MAX), interval(1 << 60)], [INTERVALS - 1; 2]);
    }

    #[test]
    fn short_steps_are_recorded_for_the_pool_only() {
        let statistics = PoolStatistics::new(1000, 1);
        statistics.record_chunk(0, (&RequestKind::Step, &LaneList::All(1000)), 0..1000, Duration::from_micros(400));
        let found = statistics.snapshot(0, 0);
        assert_eq!((found.histogram[3], found.steps.iter().sum::<u64>()), (1000, 0));
        statistics.record_chunk(1, (&RequestKind::Step, &LaneList::Some(vec![7, 3])), 1..2, Duration::from_millis(20));
        let found = statistics.snapshot(0, 0);
        assert_eq!((found.steps[3], found.steps[7]), (1, 0));
        assert_eq!((found.longest[3], found.time[3]), (20_000_000, 20_000_000));
        assert_eq!((found.worker_time, found.histogram.iter().sum::<u64>()), (Duration::from_millis(20), 1001));
        assert_eq!(found.histograms[3 * INTERVALS..][..INTERVALS].iter().sum::<u64>(), 1);
    }

    #[test]
    fn a_reply_without_a_recorded_request_is_ignored() {
        let statistics = PoolStatistics::new(2, 0);
        statistics.record_reply(1);
        statistics.record_sent([1].into_iter());
        statistics.record_reply(1);
        statistics.record_reply(1);
        assert_eq!(statistics.snapshot(0, 0).steps, [0, 1]);
    }
}

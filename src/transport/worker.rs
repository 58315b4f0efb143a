//! Worker of the transport: claims requests, and waits while no request is pending.

use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

use super::claims::WorkerClaim;
use super::control::{RequestState, activity};
use super::shm_segment::ShmSegment;
use super::spin::{WaitEstimate, cores, spin};
use super::wake_up::mask_of;
use super::{Error, Result};

/// Maximum time for which a worker sleeps. It limits the effect of a wake-up that is lost because a process died.
const MAX_SLEEP: Duration = Duration::from_secs(1);

/// Handle of one worker process.
pub struct Worker<'a> {
    segment: &'a ShmSegment,
    worker: usize,
    envs: Vec<usize>,
    /// Index in `envs` at which the next search starts, so that all environments are served equally.
    next: usize,
    /// Value of the counter `posted` before the last search of all environments.
    last_posted: u32,
    wait_estimate: WaitEstimate,
}

impl<'a> Worker<'a> {
    /// Creates worker number `worker`.
    ///
    /// # Errors
    /// `Index` if there is no such worker, `State` if this process has already created this worker.
    pub fn new(segment: &'a ShmSegment, worker: usize) -> Result<Self> {
        if worker >= segment.num_workers() {
            return Err(Error::Index(format!("worker={worker}: expected 0 to {}", segment.num_workers() as i64 - 1)));
        }
        let envs = (0..segment.num_envs()).filter(|env| segment.worker_of(*env) == Some(worker)).collect();
        let line = segment.worker(worker);
        let me = std::process::id();
        if line.pid.swap(me, Ordering::SeqCst) == me {
            return Err(Error::State(format!("worker {worker} plays in this process already")));
        }
        let seen = line.posted.load(Ordering::SeqCst).wrapping_sub(1);
        Ok(Self { segment, worker, envs, next: 0, last_posted: seen, wait_estimate: WaitEstimate::new() })
    }

    /// Claims a pending request to one of the worker's environments; `None` if no request is pending.
    pub fn try_next(&mut self) -> Option<WorkerClaim<'a>> {
        let posted = self.segment.worker(self.worker).posted.load(Ordering::SeqCst);
        for turn in 0..self.envs.len() {
            let index = (self.next + turn) % self.envs.len();
            let env = self.envs[index];
            // The state is loaded before the exchange, because a failing exchange would take the cache line away from the
            // caller's core.
            if self.segment.state(env) == RequestState::Requested
                && let Some(claim) = self.segment.claim_requested(env)
            {
                self.next = index + 1;
                return Some(claim);
            }
        }
        self.last_posted = posted;
        None
    }

    /// Waits until a request for the worker is pending, and claims it. Returns `None` if the block is closing.
    #[expect(clippy::should_implement_trait, reason = "an iterator would have to borrow the block for its items")]
    pub fn next(&mut self) -> Option<WorkerClaim<'a>> {
        loop {
            if self.segment.is_closing() {
                return None;
            }
            if let Some(claim) = self.try_next() {
                return Some(claim);
            }
            self.wait();
        }
    }

    /// Waits until a request is posted for this worker or the block closes; may return early.
    pub fn wait(&mut self) {
        let start = Instant::now();
        if !self.spin() {
            self.sleep();
        }
        self.wait_estimate.record(start.elapsed());
    }

    fn has_posted(&self) -> bool {
        self.segment.worker(self.worker).posted.load(Ordering::SeqCst) != self.last_posted || self.segment.is_closing()
    }

    /// Spins until a request is posted or the time to spin is over. Returns whether a request was posted. The number of spinning
    /// workers is at most the number of cores. A spinning worker yields its core, so that the caller gets a core as soon as it
    /// needs one.
    fn spin(&mut self) -> bool {
        let line = self.segment.worker(self.worker);
        let spare = self.segment.spinning() < cores();
        let budget = if !spare { Duration::ZERO } else { self.wait_estimate.budget() };
        if budget.is_zero() {
            return self.has_posted();
        }
        line.activity.store(activity::SPINNING, Ordering::Relaxed);
        let found = spin(budget, || self.has_posted());
        line.activity.store(activity::BUSY, Ordering::Relaxed);
        found
    }

    fn sleep(&self) {
        let (line, doorbell) = (self.segment.worker(self.worker), &self.segment.header().doorbell.word);
        let word = doorbell.load(Ordering::SeqCst);
        line.activity.store(activity::SLEEPING, Ordering::SeqCst);
        // The worker announces its sleep before it checks for requests. The caller posts a request before it checks for sleeping
        // workers. So the worker sees the request, or the caller sees the sleeping worker.
        fence(Ordering::SeqCst);
        if !self.has_posted() {
            self.segment.wake_up().wait(doorbell, word, mask_of(self.worker), MAX_SLEEP);
        }
        line.activity.store(activity::BUSY, Ordering::SeqCst);
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.segment.worker(self.worker).pid.store(0, Ordering::SeqCst);
    }
}

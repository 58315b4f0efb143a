//! The caller of the transport: posts requests, wakes workers, and waits for completions.

use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

use super::claims::{CallerClaim, WorkerClaim};
use super::control::{Completion, Operation, RequestState, activity, flags};
use super::shm_segment::ShmSegment;
use super::spin::{CallerWaitEstimate, cores, spin};
use super::wake_up::mask_of;
use super::{Error, Result};

/// Handle of the process that posts requests.
pub struct Caller<'a> {
    block: &'a ShmSegment,
    wait_estimate: &'a CallerWaitEstimate,
}

fn in_flight(env: usize) -> Error {
    Error::State(format!("env_id {env} is in flight: its result has to be received first"))
}
impl<'a> Caller<'a> {
    /// Returns the caller's handle of `block`.
    #[must_use]
    pub fn new(block: &'a ShmSegment) -> Self {
        Self { block, wait_estimate: block.caller_wait_estimate() }
    }

    /// Rejects environments that do not exist, occur twice or are not idle.
    ///
    /// # Errors
    /// `Index`, `Value` or `State`, naming the environment.
    pub fn check_idle(&self, envs: &[usize]) -> Result<()> {
        for env in envs {
            self.check_exists(*env)?;
            match self.block.state(*env) {
                RequestState::Idle => {}
                _ => return Err(in_flight(*env)),
            }
        }
        self.check_distinct(envs)
    }

    fn check_exists(&self, env: usize) -> Result<()> {
        let last = self.block.num_envs() - 1;
        if env > last { Err(Error::Index(format!("env_id {env}: expected 0 to {last}"))) } else { Ok(()) }
    }

    fn check_distinct(&self, envs: &[usize]) -> Result<()> {
        if envs.windows(2).all(|pair| pair[0] < pair[1]) {
            return Ok(());
        }
        let mut seen = vec![false; self.block.num_envs()];
        match envs.iter().find(|env| std::mem::replace(&mut seen[**env], true)) {
            Some(env) => Err(Error::Value(format!("env_id {env} is given twice"))),
            None => Ok(()),
        }
    }

    /// Claims idle environments for new requests.
    ///
    /// # Errors
    /// `Index`, `Value` or `State` for an environment that does not exist, occurs twice, or is not idle, possibly because another
    /// thread claims it at the same time. If an error occurs, no environment is claimed.
    pub fn claim_idle(&self, envs: &[usize]) -> Result<Vec<CallerClaim<'a>>> {
        self.check_idle(envs)?;
        envs.iter().map(|env| self.block.claim_idle(*env).ok_or_else(|| in_flight(*env))).collect()
    }

    /// Claims environments that have finished their requests.
    ///
    /// # Errors
    /// `Index` or `Value` for environments that do not exist or occur twice; `State` if an environment has not finished, or
    /// another thread holds its claim. If an error occurs, no environment is claimed.
    pub fn claim_finished(&self, envs: &[usize]) -> Result<Vec<CallerClaim<'a>>> {
        envs.iter().try_for_each(|env| self.check_exists(*env))?;
        self.check_distinct(envs)?;
        let unfinished = |env: usize| Error::State(format!("env_id {env} has no result to be taken"));
        envs.iter().map(|env| self.block.claim_finished(*env).ok_or_else(|| unfinished(*env))).collect()
    }

    /// Posts the same request, without a message, for idle environments, and wakes their workers.
    ///
    /// # Errors
    /// `Index`, `Value` or `State` for an environment that does not exist, occurs twice, or is not idle. If an error occurs,
    /// nothing is posted.
    pub fn post(&self, envs: &[usize], operation: Operation) -> Result<()> {
        self.claim_idle(envs)?.into_iter().for_each(|held| held.post(operation));
        self.ring_doorbell(envs);
        Ok(())
    }

    /// Signals the workers of these environments that requests are posted. One system call wakes all workers that sleep.
    pub fn ring_doorbell(&self, envs: &[usize]) {
        let header = self.block.header();
        let (mut sleepers, mut last) = (0, None);
        for env in envs {
            let worker = self.block.worker_of(*env);
            if worker != last
                && let Some(worker) = worker
            {
                self.block.worker(worker).posted.fetch_add(1, Ordering::SeqCst);
                sleepers |= mask_of(worker);
            }
            last = worker;
        }
        if sleepers == 0 {
            return;
        }
        header.doorbell.word.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let asleep = (0..self.block.num_workers())
            .filter(|worker| self.block.worker(*worker).activity.load(Ordering::SeqCst) == activity::SLEEPING)
            .fold(0, |mask, worker| mask | mask_of(worker));
        if asleep & sleepers != 0 {
            self.block.wake_up().wake(&header.doorbell.word, asleep & sleepers);
        }
    }

    /// Returns up to `count` finished environments of `among` (`None`: all), in order of completion.
    #[must_use]
    pub fn finished(&self, among: Option<&[usize]>, count: usize) -> Vec<usize> {
        let mut found: Vec<(u32, usize)> = Vec::with_capacity(count.min(self.block.num_envs()));
        let mut look = |env: usize| {
            if self.block.state(env) == RequestState::Finished {
                found.push((self.block.env(env).ticket.load(Ordering::Relaxed), env));
            }
        };
        match among {
            Some(envs) => envs.iter().for_each(|env| look(*env)),
            None => (0..self.block.num_envs()).for_each(look),
        }
        // Ticket numbers wrap around. Their distance from the newest ticket does not, so the distance determines the order.
        let youngest = self.block.header().progress.tickets.load(Ordering::Relaxed);
        found.sort_unstable_by_key(|(ticket, _)| std::cmp::Reverse(youngest.wrapping_sub(*ticket)));
        found.into_iter().take(count).map(|(_, env)| env).collect()
    }

    /// Returns whether at least `count` environments of `among` (`None`: all) have finished.
    #[must_use]
    pub fn has_finished(&self, among: Option<&[usize]>, count: usize) -> bool {
        self.count_finished(among) >= count
    }

    fn count_finished(&self, among: Option<&[usize]>) -> usize {
        let is_finished = |env: &usize| self.block.state(*env) == RequestState::Finished;
        match among {
            Some(envs) => envs.iter().filter(|env| is_finished(env)).count(),
            None => (0..self.block.num_envs()).filter(is_finished).count(),
        }
    }

    /// Waits until `count` environments of `among` (`None`: all) have finished, but at most for `limit`. May return early.
    /// Returns whether they have finished.
    pub fn wait(&self, among: Option<&[usize]>, count: usize, limit: Duration) -> bool {
        let start = Instant::now();
        let progress = &self.block.header().progress;
        let mut spun = false;
        loop {
            let seen = progress.finished.load(Ordering::SeqCst);
            let there = self.count_finished(among);
            if there >= count {
                self.record_wait(start.elapsed());
                return true;
            }
            let left = limit.saturating_sub(start.elapsed());
            if left.is_zero() {
                self.record_wait(limit);
                return false;
            }
            let target = seen.wrapping_add((count - there) as u32);
            let budget = if spun { Duration::ZERO } else { self.spin_budget(among) };
            spun = true;
            let arrived = || progress.finished.load(Ordering::SeqCst).wrapping_sub(target).cast_signed() >= 0;
            if !spin(budget, arrived) {
                self.sleep(target, left);
            }
        }
    }

    /// Returns the time to spin before sleeping: zero if the unfinished requests of `among` occupy as many workers as there are
    /// cores. Other workers may spin meanwhile, and yield their cores.
    fn spin_budget(&self, among: Option<&[usize]>) -> Duration {
        let (mut at_work, mut last) = (0, None);
        let mut count = |env: usize| {
            let worker = self.block.worker_of(env).filter(|_| self.block.state(env) != RequestState::Finished);
            if let Some(worker) = worker.filter(|worker| last != Some(*worker)) {
                last = Some(worker);
                at_work += usize::from(self.block.worker(worker).activity.load(Ordering::Relaxed) != activity::SLEEPING);
            }
        };
        match among {
            Some(envs) => envs.iter().for_each(|env| count(*env)),
            None => (0..self.block.num_envs()).for_each(count),
        }
        if at_work >= cores() {
            return Duration::ZERO;
        }
        self.wait_estimate.0.lock().map_or(Duration::ZERO, |waits| waits.budget())
    }

    fn record_wait(&self, lasted: Duration) {
        if let Ok(mut waits) = self.wait_estimate.0.lock() {
            waits.record(lasted);
        }
    }

    fn sleep(&self, target: u32, limit: Duration) {
        let progress = &self.block.header().progress;
        progress.wake_at.store(target, Ordering::SeqCst);
        progress.sleeping.store(1, Ordering::SeqCst);
        // The caller announces its sleep before it checks `finished`. A worker increments `finished` before it checks for a
        // sleeping caller.
        fence(Ordering::SeqCst);
        let now = progress.finished.load(Ordering::SeqCst);
        if now.wrapping_sub(target).cast_signed() < 0 {
            self.block.wake_up().wait(&progress.finished, now, super::wake_up::WAKE_ALL, limit);
        }
        progress.sleeping.store(0, Ordering::SeqCst);
    }

    /// Completes the pending requests of a dead worker as lost. Returns the environments of these requests.
    ///
    /// # Errors
    /// `State` if the worker is a thread of this process.
    ///
    /// # Safety
    /// The worker's process has ended. Otherwise, it might write into memory to which other claims grant exclusive access.
    pub unsafe fn lose_worker(&self, worker: usize) -> Result<Vec<usize>> {
        let line = self.block.worker(worker);
        if line.pid.load(Ordering::SeqCst) == std::process::id() {
            return Err(Error::State(format!("worker {worker} plays in this process: it is not lost")));
        }
        let hosted = (0..self.block.num_envs()).filter(|env| self.block.worker_of(*env) == Some(worker));
        // SAFETY: the caller guarantees that the worker's process, which may have claimed these requests, is dead.
        let lost: Vec<_> = hosted.filter_map(|env| unsafe { self.block.claim_orphaned(env) }).collect();
        let envs = lost.iter().map(WorkerClaim::env).collect();
        lost.into_iter().for_each(|playing| playing.finish(Completion { flags: flags::LOST, ..Completion::default() }));
        // The activity of a dead worker is set to sleeping, so that the worker does not count as spinning or working.
        line.activity.store(activity::SLEEPING, Ordering::SeqCst);
        // The process id is cleared, because a later process may get the same id.
        line.pid.store(0, Ordering::SeqCst);
        Ok(envs)
    }

    /// Marks a worker as active, before a new process is started for it.
    pub fn prepare_restart(&self, worker: usize) {
        self.block.worker(worker).activity.store(activity::BUSY, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WakeStrategy;

    #[test]
    fn a_dead_worker_is_not_counted_as_spinning() {
        let block = ShmSegment::create(&[Some(0)], 64, WakeStrategy::best()).unwrap();
        block.worker(0).activity.store(activity::SPINNING, Ordering::SeqCst);
        assert_eq!(block.spinning(), 1);
        // SAFETY: the test starts no worker process, so no worker can access the block.
        unsafe { Caller::new(&block).lose_worker(0) }.unwrap();
        assert_eq!(block.spinning(), 0);
    }
}

//! The worker's side: which environment is to be played next, and waiting where there is none.

use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

use super::block::Block;
use super::claims::Playing;
use super::control::{LineState, activity};
use super::spin::{Waits, cores, spin};
use super::wake_up::mask_of;
use super::{Error, Result};

/// A sleeping worker looks around after this long, should a wake-up have been lost with a process that died.
const NAP: Duration = Duration::from_secs(1);

/// One worker process.
pub struct Worker<'a> {
    block: &'a Block,
    worker: usize,
    envs: Vec<usize>,
    /// Where among `envs` to look first, so that each gets its turn.
    next: usize,
    /// `posted` as it was before the last look at all environments.
    seen: u32,
    waits: Waits,
}

impl<'a> Worker<'a> {
    /// The worker of that number.
    ///
    /// # Errors
    /// `Index` where there is none, `State` where this process has it already.
    pub fn new(block: &'a Block, worker: usize) -> Result<Self> {
        if worker >= block.num_workers() {
            return Err(Error::Index(format!("worker={worker}: expected 0 to {}", block.num_workers() as i64 - 1)));
        }
        let envs = (0..block.num_envs()).filter(|env| block.worker_of(*env) == Some(worker)).collect();
        let line = block.worker(worker);
        let me = std::process::id();
        if line.pid.swap(me, Ordering::SeqCst) == me {
            return Err(Error::State(format!("worker {worker} plays in this process already")));
        }
        let seen = line.posted.load(Ordering::SeqCst).wrapping_sub(1);
        Ok(Self { block, worker, envs, next: 0, seen, waits: Waits::new() })
    }

    /// A request of one of its environments, taken up, if there is one now.
    pub fn look(&mut self) -> Option<Playing<'a>> {
        let posted = self.block.worker(self.worker).posted.load(Ordering::SeqCst);
        for turn in 0..self.envs.len() {
            let place = (self.next + turn) % self.envs.len();
            let env = self.envs[place];
            // Looked at first: to exchange a state takes its line away from the other side.
            if self.block.state(env) == LineState::Requested
                && let Some(playing) = self.block.take_up(env)
            {
                self.next = place + 1;
                return Some(playing);
            }
        }
        self.seen = posted;
        None
    }

    /// The next request, taken up; sleeps until there is one. `None`: the block is closing.
    #[expect(clippy::should_implement_trait, reason = "an iterator would have to borrow the block for its items")]
    pub fn next(&mut self) -> Option<Playing<'a>> {
        loop {
            if self.block.is_closing() {
                return None;
            }
            if let Some(playing) = self.look() {
                return Some(playing);
            }
            self.wait();
        }
    }

    /// Returns when something has been posted for this worker, when the block closes, or after a while.
    pub fn wait(&mut self) {
        let start = Instant::now();
        if !self.spin() {
            self.sleep();
        }
        self.waits.learn(start.elapsed());
    }

    fn has_news(&self) -> bool {
        self.block.worker(self.worker).posted.load(Ordering::SeqCst) != self.seen || self.block.is_closing()
    }

    /// No more workers spin than there are cores. Spinning yields, so that the caller, too, gets a core as soon as it wants one.
    fn spin(&mut self) -> bool {
        let line = self.block.worker(self.worker);
        let spare = self.block.spinning() < cores();
        let budget = if !spare { Duration::ZERO } else { self.waits.budget() };
        if budget.is_zero() {
            return self.has_news();
        }
        line.activity.store(activity::SPINNING, Ordering::Relaxed);
        let found = spin(budget, || self.has_news());
        line.activity.store(activity::BUSY, Ordering::Relaxed);
        found
    }

    fn sleep(&self) {
        let (line, doorbell) = (self.block.worker(self.worker), &self.block.header().doorbell.word);
        let word = doorbell.load(Ordering::SeqCst);
        line.activity.store(activity::SLEEPING, Ordering::SeqCst);
        // Announced first, looked second; the caller posts first and looks for sleepers second: one of both sees the other.
        fence(Ordering::SeqCst);
        if !self.has_news() {
            self.block.wake_up().wait(doorbell, word, mask_of(self.worker), NAP);
        }
        line.activity.store(activity::BUSY, Ordering::SeqCst);
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.block.worker(self.worker).pid.store(0, Ordering::SeqCst);
    }
}

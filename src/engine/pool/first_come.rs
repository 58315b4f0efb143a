//! Asynchronous pools: batches of whoever finishes first.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::engine::contract::error::{Error, Result};
use crate::engine::pool::call::Call;
use crate::engine::pool::pool::Pool;
use crate::engine::pool::receiver::Receiver;
use crate::engine::pool::request::Job;
use crate::engine::results::batch::Batch;
use crate::engine::results::ring::Ring;
use crate::engine::threads::interrupts::Interrupt;

/// Where an asynchronous pool's results go.
pub struct FirstCome {
    pub ring: Ring,
}

impl FirstCome {
    /// Cuts a call into chunks, queues them and wakes whoever is needed.
    pub fn send(&self, mut call: Call<'_>) {
        let (lanes, size) = (call.lanes(), chunk_size(&call));
        let request = call.take_request();
        let request = call.publish(request);
        call.sender.queued += lanes as u64;
        let shared = &call.pool.shared;
        for start in (0..lanes).step_by(size) {
            let (start, end) = (start as u32, lanes.min(start + size) as u32);
            let pushed = shared.queue.push(Job::Chunk { request: Arc::clone(&request), start, end });
            assert!(pushed.is_ok(), "the queue has room for every lane");
        }
        if shared.wants_workers() {
            shared.workers.wake(call.helpers().min(lanes.div_ceil(size)));
        }
    }

    /// Queues a call and receives a batch.
    ///
    /// # Errors
    /// As [`Call::run`].
    pub fn run(
        &self,
        call: Call<'_>,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
    ) -> Result<Box<Batch>> {
        let pool = call.pool;
        pool.check_enough_in_flight(call.lanes())?;
        call.send(None)?;
        match pool.take_ready(receiver) {
            Some(ready) => Ok(ready),
            None => self.recv(pool, receiver, spare, interrupt),
        }
    }

    /// The next batch; takes `spare` as memory for a later one.
    ///
    /// # Errors
    /// As [`Pool::recv`].
    pub fn recv(
        &self,
        pool: &Pool,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
    ) -> Result<Box<Batch>> {
        pool.check_enough_in_flight(0)?;
        pool.shared.wait_until(pool.shared.is_uniform(), interrupt, || self.ring.is_complete())?;
        let next = spare.take().unwrap_or_else(|| pool.batch(usize::MAX));
        // SAFETY: the receiver's turn is ours, and lanes are released only below.
        let taken = unsafe { self.ring.take(next) }.unwrap_or_else(|_| unreachable!("it was complete"));
        pool.report_failures(receiver, taken, spare)
    }

    /// Waits until `queued` rows, all that were ever sent, are committed.
    ///
    /// # Errors
    /// As [`Pool::drain`].
    pub fn complete_all(&self, pool: &Pool, queued: u64, interrupt: Interrupt<'_>) -> Result<()> {
        // A step of unknown length is a trap for a caller who wants to notice signals.
        pool.shared.wait_until(pool.shared.is_uniform(), interrupt, || self.ring.committed() >= queued)
    }
}

impl Pool {
    /// Refuses to wait for a batch that cannot become complete, even with `more` lanes.
    pub(in crate::engine) fn check_enough_in_flight(&self, more: usize) -> Result<()> {
        let (flying, needed) = (self.shared.flying.load(Ordering::Acquire) + more, self.shared.config.batch_size);
        if flying >= needed {
            return Ok(());
        }
        Err(Error::State(format!("recv: {flying} environments are in flight, fewer than batch_size={needed}: send first")))
    }
}

/// Lanes per chunk of a call.
fn chunk_size(call: &Call<'_>) -> usize {
    let grain = call.pool.shared.grain;
    let share = call.lanes().div_ceil(4 * (call.helpers() + 1));
    if grain == 1 { 1 } else { share.min(1024).max(grain).next_multiple_of(grain) }
}

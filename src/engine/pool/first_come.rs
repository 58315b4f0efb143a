//! Asynchronous pools: batches of whoever finishes first.

use std::sync::Arc;

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::pool::prepared::{Prepared, uniform_chunk};
use crate::pool::receiver::Receiver;
use crate::pool::request::Job;
use crate::pool::shared::Shared;
use crate::results::batch::Batch;
use crate::threads::interrupts::Interrupts;

/// The way of asynchronous pools. Their rows are the shared ring's.
pub struct FirstCome;

impl FirstCome {
    /// Cuts a call into chunks, queues them and wakes whoever is needed.
    pub fn send(&self, mut call: Prepared<'_>) {
        let (lanes, size) = (call.lanes(), chunk_size(&call));
        let request = call.take_request();
        let request = call.publish(request);
        call.sender.queued += lanes as u64;
        let shared = call.shared;
        shared.start_workers();
        for start in (0..lanes).step_by(size) {
            let (start, end) = (start as u32, lanes.min(start + size) as u32);
            let pushed = shared.queue.push(Job::Chunk { request: Arc::clone(&request), start, end });
            assert!(pushed.is_ok(), "the queue has room for every lane");
        }
        if shared.wants_workers() {
            shared.workers.wake(call.helpers().min(lanes.div_ceil(size)));
        }
    }

    /// The next batch; takes `spare` as memory for a later one.
    ///
    /// # Errors
    /// `State` where too little is in flight or an environment failed; `Closed`; `Interrupted`, `Late`.
    pub fn recv(
        &self,
        shared: &Shared,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<Box<Batch>> {
        shared.ledger.check_enough_in_flight(0, shared.config.batch_size)?;
        shared.wait_until(shared.is_uniform(), interrupts, || shared.ring().is_complete())?;
        let next = spare.take().unwrap_or_else(|| shared.batch(usize::MAX));
        // SAFETY: the receiver's turn is ours, and lanes are released only below.
        let taken = unsafe { shared.ring().take(next) }.unwrap_or_else(|_| unreachable!("it was complete"));
        shared.ledger.receive(receiver, taken, spare)
    }

    /// Waits until `queued` rows, all that were ever sent, are committed.
    ///
    /// # Errors
    /// `Interrupted`, `Late`, `Closed`.
    pub fn complete_all(&self, shared: &Shared, queued: u64, interrupts: &mut Interrupts<'_>) -> Result<()> {
        // A step of unknown length is a trap for a caller who wants to notice signals.
        shared.wait_until(shared.is_uniform(), interrupts, || shared.ring().committed() >= queued)
    }

    /// Forgets all rows and begins anew.
    ///
    /// # Safety
    /// For whoever sends and receives, once all that was queued is committed.
    pub unsafe fn restart(&self, shared: &Shared) {
        // SAFETY: promised by the caller.
        unsafe { shared.ring().restart() };
    }
}

/// Lanes per chunk of a call.
fn chunk_size(call: &Prepared<'_>) -> usize {
    match call.shared.scheduling {
        Scheduling::Uniform => uniform_chunk(call.lanes().div_ceil(4 * (call.helpers() + 1))),
        Scheduling::OneByOne => 1,
        Scheduling::Together(together) => together.max(1),
    }
}

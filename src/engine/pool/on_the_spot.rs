//! Synchronous pools: each request has its own rows, in the order asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::contract::env::Scheduling;
use crate::contract::error::{Error, Result};
use crate::play::work::Sink;
use crate::pool::prepared::{Prepared, uniform_chunk};
use crate::pool::receiver::{Receiver, Spares};
use crate::pool::request::{Job, Request};
use crate::pool::shared::Shared;
use crate::results::batch::Batch;
use crate::threads::interrupts::Interrupts;

/// Work below this is done on the spot: handing some of it over would cost more than it saves.
const WORTH_SHARING: Duration = Duration::from_micros(3);

/// A single step above this is left to a worker, so that its caller goes on noticing signals.
const TOO_LONG_FOR_CALLERS: Duration = Duration::from_millis(1);

/// What a synchronous pool keeps of its requests.
#[derive(Default)]
pub struct OnTheSpot {
    /// Sent and not yet received, in order.
    pending: Mutex<VecDeque<Arc<Request>>>,
}

impl OnTheSpot {
    fn lock_pending(&self) -> MutexGuard<'_, VecDeque<Arc<Request>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a call; its results go into `batch`.
    pub fn send(&self, mut call: Prepared<'_>, batch: Option<Box<Batch>>) {
        let batch = batch.unwrap_or_else(|| call.shared.batch(usize::MAX));
        let request = enqueue(&mut call, batch);
        self.lock_pending().push_back(request);
    }

    /// Plays a call and returns its results, in the memory of `batch`.
    ///
    /// # Errors
    /// `State` where results of an earlier `send` are waiting; otherwise as `recv`.
    #[inline]
    pub fn run(
        &self,
        mut call: Prepared<'_>,
        receiver: &mut Receiver,
        batch: &mut Option<Box<Batch>>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<Box<Batch>> {
        let shared = call.shared;
        shared.ledger.check_none_in_flight()?;
        call.revive();
        let mut out = batch.take().unwrap_or_else(|| shared.batch(usize::MAX));
        if is_worth_sharing(&mut call) {
            return self.run_shared(call, receiver, out, batch, interrupts);
        }
        let lanes = call.request().lanes.len();
        call.sender.calls = call.sender.calls.wrapping_add(1);
        let (request, sink) = (call.request(), Sink::Rows(&out.pointers));
        shared.play(request, 0, lanes, sink, call.sender.calls % 64 == 1);
        out.rows = lanes;
        if shared.ledger.has_failures() {
            out.set_lanes(call.request().lanes.iter());
            shared.ledger.mark_sent(call.request().lanes.iter());
            return shared.ledger.receive_with_failures(receiver, out, batch);
        }
        Ok(out)
    }

    /// Plays it together with the workers.
    fn run_shared(
        &self,
        mut call: Prepared<'_>,
        receiver: &mut Receiver,
        batch: Box<Batch>,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<Box<Batch>> {
        let shared = call.shared;
        let request = enqueue(&mut call, batch);
        let unfinished = Unfinished { way: self, shared, request: &request };
        shared.complete(&request, interrupts)?;
        std::mem::forget(unfinished);
        shared.forget_invitations();
        // SAFETY: it is done, and the receiver's turn is ours.
        let mut done = unsafe { request.take_batch() }.expect("a queued request has its batch");
        done.rows = request.lanes.len();
        if shared.ledger.has_failures() {
            done.set_lanes(request.lanes.iter());
            shared.ledger.mark_sent(request.lanes.iter());
            return shared.ledger.receive_with_failures(receiver, done, spare);
        }
        Ok(done)
    }

    /// The results of the oldest request.
    ///
    /// # Errors
    /// `State` where nothing was sent or an environment failed; `Closed`; `Interrupted`, `Late`.
    pub fn recv(
        &self,
        shared: &Shared,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<Box<Batch>> {
        let front = self.lock_pending().front().cloned();
        let request = front.ok_or_else(nothing_sent)?;
        shared.complete(&request, interrupts)?;
        self.lock_pending().pop_front();
        // SAFETY: it is done, and the receiver's turn is ours.
        let mut done = unsafe { request.take_batch() }.expect("a queued request has its batch");
        done.set_lanes(request.lanes.iter());
        shared.ledger.receive(receiver, done, spare)
    }

    /// Forgets all requests; those that are being played are freed by whoever plays them.
    pub fn forget(&self) {
        self.lock_pending().clear();
    }

    /// Rows of the oldest request.
    pub fn next_rows(&self) -> Option<usize> {
        self.lock_pending().front().map(|request| request.lanes.len())
    }

    /// Waits until all that was sent is played.
    ///
    /// # Errors
    /// `Interrupted`, `Late`, `Closed`.
    pub fn complete_all(&self, shared: &Shared, interrupts: &mut Interrupts<'_>) -> Result<()> {
        let pending: Vec<_> = self.lock_pending().iter().cloned().collect();
        pending.iter().try_for_each(|request| shared.complete(request, interrupts))
    }

    /// The memory of all requests, whose results are thrown away.
    ///
    /// # Safety
    /// For the receiver alone, once all are played.
    pub unsafe fn throw_away(&self, thrown: &mut Spares) {
        for request in self.lock_pending().drain(..) {
            // SAFETY: promised by the caller.
            thrown.extend(unsafe { request.take_batch() });
        }
    }
}

/// Invites workers to a synchronous request, and wakes them where that is worth it.
fn enqueue(call: &mut Prepared<'_>, batch: Box<Batch>) -> Arc<Request> {
    let shared = call.shared;
    let lanes = call.lanes();
    let helpers = call.helpers().min(lanes);
    let threads = helpers + 1;
    let grain = match shared.scheduling {
        Scheduling::Uniform => uniform_chunk(lanes.div_ceil(8 * threads)),
        Scheduling::OneByOne if shared.cost.of(1) > WORTH_SHARING => 1,
        Scheduling::OneByOne => lanes.div_ceil(8 * threads),
        Scheduling::Together(together) => together.max(1),
    };
    let mut request = call.take_request();
    request.share(threads, grain, batch);
    let request = call.publish(request);
    shared.start_workers();
    let work = shared.cost.of(lanes);
    for _ in 0..helpers {
        // A queue without room is full of invitations to what is over: each request invites for its own lanes at most.
        if let Err(invitation) = shared.queue.push(Job::Join(Arc::clone(&request))) {
            shared.forget_invitations();
            drop(shared.queue.push(invitation));
        }
    }
    if !shared.is_uniform() || (shared.workers.spinning() == 0 && call.is_worth_waking(work)) {
        shared.workers.wake(helpers);
    }
    request
}

/// The refusal to receive what nobody sent.
pub fn nothing_sent() -> Error {
    Error::State("recv: nothing has been sent".into())
}

/// Whether other threads should have a part of a call.
#[inline]
fn is_worth_sharing(call: &mut Prepared<'_>) -> bool {
    let shared = call.shared;
    let lanes = call.lanes();
    let work = shared.cost.of(lanes);
    match shared.scheduling {
        Scheduling::Uniform => {}
        Scheduling::OneByOne => return lanes > 1 || work > TOO_LONG_FOR_CALLERS,
        Scheduling::Together(together) => return lanes > together || work > TOO_LONG_FOR_CALLERS,
    }
    if work < WORTH_SHARING || lanes == 1 || shared.config.num_threads == 0 || shared.cpus == 1 {
        return false;
    }
    count_streak(call, work);
    shared.workers.spinning() > 0 || call.is_worth_waking(work)
}

/// Notes whether the caller steps without a pause.
fn count_streak(call: &mut Prepared<'_>, work: Duration) {
    let now = Instant::now();
    let gap = now.duration_since(std::mem::replace(&mut call.sender.last_call, now));
    call.sender.streak = if gap < 3 * work + Duration::from_micros(20) { call.sender.streak.saturating_add(1) } else { 0 };
}

/// Leaves a shared request to the next `recv` when dropped: its caller gave up waiting (or its hook panicked), and workers may be at
/// its lanes.
struct Unfinished<'a> {
    way: &'a OnTheSpot,
    shared: &'a Shared,
    request: &'a Arc<Request>,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.shared.ledger.mark_sent(self.request.lanes.iter());
        self.way.lock_pending().push_back(Arc::clone(self.request));
    }
}

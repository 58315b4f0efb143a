//! The receiving side of a pool: batches out of requests and the ring, and what happens where an environment failed.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::engine::contract::error::{Error, Result};
use crate::engine::pool::pool::{Pool, busy};
use crate::engine::pool::receiver::Receiver;
use crate::engine::pool::request::Request;
use crate::engine::pool::shared::Failure;
use crate::engine::results::batch::Batch;
use crate::engine::results::ring::Ring;
use crate::engine::threads::interrupts::Interrupt;

impl Pool {
    /// Receives the next results: of the oldest request (sync), or the first `batch_size` to finish (async, where the pool takes
    /// `spare` as memory for later results).
    ///
    /// # Errors
    /// `State` where nothing or too little is in flight, where another thread is receiving, where `spare` is another pool's, and where
    /// an environment failed: the results of the others then come with the next call. `Interrupted`: nothing is lost, call again.
    pub fn recv(&self, spare: &mut Option<Box<Batch>>, interrupt: Interrupt<'_>) -> Result<Box<Batch>> {
        self.check_usable()?;
        self.check_own(spare.as_deref())?;
        let mut receiver = self.receiver.try_enter().ok_or_else(busy)?;
        if let Some(ready) = self.take_ready(&mut receiver) {
            return Ok(ready);
        }
        match &self.shared.ring {
            Some(ring) => self.recv_from_ring(ring, &mut receiver, spare, interrupt),
            None => self.recv_pending(&mut receiver, spare, interrupt),
        }
    }

    /// Rows that the next [`Pool::recv`] gives: those of the oldest request, or what a failure left of a batch. `None` where a sync pool
    /// has nothing to give.
    ///
    /// # Errors
    /// `State` where the pool cannot be used, or another thread is receiving.
    pub fn next_rows(&self) -> Result<Option<usize>> {
        self.check_usable()?;
        let receiver = self.receiver.try_enter().ok_or_else(busy)?;
        if let Some(ready) = receiver.ready.front() {
            return Ok(Some(ready.rows()));
        }
        match self.is_async() {
            true => Ok(Some(self.shared.config.batch_size)),
            false => Ok(self.lock_pending().front().map(|request| request.lanes.len())),
        }
    }

    /// What is left of the oldest batch in which an environment failed.
    pub(in crate::engine) fn take_ready(&self, receiver: &mut Receiver) -> Option<Box<Batch>> {
        let ready = receiver.ready.pop_front()?;
        self.land(ready.lanes().iter().map(|lane| *lane as usize));
        Some(ready)
    }

    /// Refuses to wait for a batch that cannot become complete, even with `more` lanes.
    pub(in crate::engine) fn check_enough_in_flight(&self, more: usize) -> Result<()> {
        let (flying, needed) = (self.shared.flying.load(Ordering::Acquire) + more, self.shared.config.batch_size);
        if flying >= needed {
            return Ok(());
        }
        Err(Error::State(format!("recv: {flying} environments are in flight, fewer than batch_size={needed}: send first")))
    }

    pub(in crate::engine) fn recv_from_ring(
        &self,
        ring: &Ring,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
    ) -> Result<Box<Batch>> {
        self.check_enough_in_flight(0)?;
        self.shared.wait_until(self.shared.is_uniform(), interrupt, || ring.is_complete())?;
        let next = spare.take().unwrap_or_else(|| self.batch(usize::MAX));
        // SAFETY: the receiver's turn is ours, and lanes are released only below.
        let taken = unsafe { ring.take(next) }.unwrap_or_else(|_| unreachable!("it was complete"));
        self.report_failures(receiver, taken, spare)
    }

    fn recv_pending(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
    ) -> Result<Box<Batch>> {
        let front = self.lock_pending().front().cloned();
        let request = front.ok_or_else(|| Error::State("recv: nothing has been sent".into()))?;
        self.shared.complete(&request, interrupt)?;
        self.lock_pending().pop_front();
        // SAFETY: it is done, and the receiver's turn is ours.
        let mut done = unsafe { request.take_batch() }.expect("a queued request has its batch");
        done.set_lanes(request.lanes.iter());
        self.report_failures(receiver, done, spare)
    }

    pub(in crate::engine) fn lock_pending(&self) -> std::sync::MutexGuard<'_, VecDeque<Arc<Request>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks lanes as received.
    pub(in crate::engine) fn land(&self, lanes: impl Iterator<Item = usize>) {
        let mut count = 0;
        for lane in lanes {
            self.shared.in_flight[lane].store(false, Ordering::Release);
            count += 1;
        }
        self.shared.flying.fetch_sub(count, Ordering::SeqCst);
    }

    /// Marks lanes as not yet received.
    pub(in crate::engine) fn launch(&self, lanes: impl Iterator<Item = usize>) {
        let mut count = 0;
        for lane in lanes {
            self.shared.in_flight[lane].store(true, Ordering::Relaxed);
            count += 1;
        }
        self.shared.flying.fetch_add(count, Ordering::SeqCst);
    }

    /// Marks the lanes of a batch as received and returns it. Where environments of it failed, tells of them instead, and keeps
    /// the rows of the others, still in flight, for the next `recv`.
    #[inline]
    pub(in crate::engine) fn report_failures(
        &self,
        receiver: &mut Receiver,
        batch: Box<Batch>,
        spare: &mut Option<Box<Batch>>,
    ) -> Result<Box<Batch>> {
        if self.shared.has_failures.load(Ordering::SeqCst) {
            return self.take_failures(receiver, batch, spare);
        }
        self.land(batch.lanes().iter().map(|lane| *lane as usize));
        Ok(batch)
    }

    /// As [`Pool::report_failures`]; the lanes have to be marked as in flight. `spare`, empty, gets a batch of which nothing is left.
    #[cold]
    pub(in crate::engine) fn take_failures(
        &self,
        receiver: &mut Receiver,
        mut rest: Box<Batch>,
        spare: &mut Option<Box<Batch>>,
    ) -> Result<Box<Batch>> {
        let mut failures = self.shared.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut here, elsewhere): (Vec<_>, Vec<_>) =
            failures.drain(..).partition(|failure| rest.lanes().contains(&failure.lane));
        self.shared.has_failures.store(!elsewhere.is_empty(), Ordering::SeqCst);
        *failures = elsewhere;
        here.sort_unstable_by_key(|failure| failure.lane); // whichever thread was first to fail
        let Some(first) = here.first() else {
            self.land(rest.lanes().iter().map(|lane| *lane as usize));
            return Ok(rest);
        };
        let lanes = rest.lanes().to_vec();
        rest.compact(|row| here.iter().all(|failure| failure.lane != lanes[row]));
        let kept = rest.rows();
        // The others' lanes stay in flight throughout: a sender in another thread must never see them as free.
        match kept {
            0 => *spare = Some(rest),
            _ => receiver.ready.push_back(rest),
        }
        self.land(here.iter().map(|failure| failure.lane as usize));
        let others = if here.len() > 1 { format!(" (and {} more)", here.len() - 1) } else { String::new() };
        let rest = if kept > 0 { format!("; recv() gives the results of the other {kept}") } else { String::new() };
        let Failure { lane, message } = first;
        Err(Error::State(format!("environment {lane} panicked{others}: {message}. Reset it to go on with it{rest}")))
    }

    /// Waits for all that is in flight and throws it away; `spares` gets the memory.
    ///
    /// # Errors
    /// `Interrupted`, `State`: as [`Pool::recv`].
    pub fn drain(&self, interrupt: Interrupt<'_>) -> Result<Vec<Box<Batch>>> {
        self.check_usable()?;
        let mut sender = self.sender.try_enter().ok_or_else(busy)?;
        let mut receiver = self.receiver.try_enter().ok_or_else(busy)?;
        if self.shared.flying.load(Ordering::Acquire) == 0 {
            return Ok(receiver.ready.drain(..).collect());
        }
        // Everything is waited for before anything is thrown away, so that an interrupted drain changes nothing.
        let pending: Vec<_> = self.lock_pending().iter().cloned().collect();
        pending.iter().try_for_each(|request| self.shared.complete(request, interrupt))?;
        if let Some(ring) = &self.shared.ring {
            self.shared.wait_until(true, interrupt, || ring.committed() >= sender.queued)?;
            // SAFETY: everything queued has been played, and both turns are ours.
            unsafe { ring.restart() };
            sender.queued = 0;
        }
        let mut thrown: Vec<_> = receiver.ready.drain(..).collect();
        for request in self.lock_pending().drain(..) {
            // SAFETY: it is done, and the receiver's turn is ours.
            thrown.extend(unsafe { request.take_batch() });
        }
        self.shared.failures.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.shared.has_failures.store(false, Ordering::SeqCst);
        self.shared.in_flight.iter().for_each(|lane| lane.store(false, Ordering::Release));
        self.shared.flying.store(0, Ordering::SeqCst);
        Ok(thrown)
    }
}

//! The receiving side of a pool: batches out of requests and the ring, and what happens where an environment failed.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::engine::contract::error::{Error, Result};
use crate::engine::contract::fault::{Failed, Fault};
use crate::engine::pool::pool::{Pool, busy};
use crate::engine::pool::receiver::{Receiver, Spares};
use crate::engine::pool::way::{Way, with_deadline};
use crate::engine::results::batch::Batch;
use crate::engine::threads::interrupts::Interrupt;

impl Pool {
    /// Receives the next results: of the oldest request (sync), or the first `batch_size` to finish (async, where the pool takes
    /// `spare` as memory for later results).
    ///
    /// # Errors
    /// `State` where nothing or too little is in flight, where another thread is receiving, where `spare` is another pool's, and where
    /// an environment failed: the results of the others then come with the next call. `Interrupted`: nothing is lost, call again.
    pub fn recv(&self, spare: &mut Option<Box<Batch>>, interrupt: Interrupt<'_>) -> Result<Box<Batch>> {
        self.recv_until(spare, interrupt, None)
    }

    /// The same, waiting no longer than until the deadline.
    ///
    /// # Errors
    /// As [`Pool::recv`], and `Late`: nothing is lost then, call again.
    pub fn recv_until(
        &self,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Box<Batch>> {
        self.check_usable()?;
        self.check_own(spare.as_deref())?;
        let mut receiver = self.receiver.try_enter().ok_or_else(busy)?;
        if let Some(ready) = self.take_ready(&mut receiver) {
            return Ok(ready);
        }
        let late = || self.late_lanes();
        match &self.shared.way {
            Way::OnTheSpot(way) => {
                with_deadline(interrupt, deadline, late, |interrupt| way.recv(self, &mut receiver, spare, interrupt))
            }
            Way::FirstCome(way) => {
                with_deadline(interrupt, deadline, late, |interrupt| way.recv(self, &mut receiver, spare, interrupt))
            }
            Way::Outside(flight) => flight.recv(self, &mut receiver, spare, interrupt, deadline),
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
        if self.is_async() {
            return Ok(Some(self.shared.config.batch_size));
        }
        Ok(match &self.shared.way {
            Way::OnTheSpot(way) => way.next_rows(),
            Way::Outside(flight) => flight.next_rows(),
            Way::FirstCome(_) => unreachable!("such pools are asynchronous"),
        })
    }

    /// Lanes in flight, but for those whose rows were kept when others failed.
    pub(in crate::engine) fn late_lanes(&self) -> Vec<u32> {
        let in_flight = self.shared.in_flight.iter().enumerate().filter(|(_, flies)| flies.load(Ordering::Acquire));
        in_flight.map(|(lane, _)| lane as u32).collect()
    }

    /// What is left of the oldest batch in which an environment failed.
    pub(in crate::engine) fn take_ready(&self, receiver: &mut Receiver) -> Option<Box<Batch>> {
        let ready = receiver.ready.pop_front()?;
        self.land(ready.lanes().iter().map(|lane| *lane as usize));
        Some(ready)
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
        let failed = Failed { lane: first.lane as usize, fault: first.fault.clone(), others: here.len() - 1, kept };
        Err(match failed.fault {
            Fault::Panicked(_) => Error::State(failed.to_string()),
            _ => Error::Failed(Box::new(failed)),
        })
    }

    /// Waits for all that is in flight and throws it away; `spares` gets the memory.
    ///
    /// # Errors
    /// `Interrupted`, `State`: as [`Pool::recv`].
    pub fn drain(&self, interrupt: Interrupt<'_>) -> Result<Vec<Box<Batch>>> {
        self.drain_until(interrupt, None)
    }

    /// The same, waiting no longer than until the deadline.
    ///
    /// # Errors
    /// As [`Pool::drain`], and `Late`: nothing has been thrown away then.
    pub fn drain_until(&self, interrupt: Interrupt<'_>, deadline: Option<Instant>) -> Result<Vec<Box<Batch>>> {
        let late = || self.late_lanes();
        match &self.shared.way {
            Way::Outside(_) => self.drain_all(interrupt, deadline),
            _ => with_deadline(interrupt, deadline, late, |interrupt| self.drain_all(interrupt, None)),
        }
    }

    fn drain_all(&self, interrupt: Interrupt<'_>, deadline: Option<Instant>) -> Result<Spares> {
        self.check_usable()?;
        let mut sender = self.sender.try_enter().ok_or_else(busy)?;
        let mut receiver = self.receiver.try_enter().ok_or_else(busy)?;
        if self.shared.flying.load(Ordering::Acquire) == 0 {
            return Ok(receiver.ready.drain(..).collect());
        }
        // Everything is waited for before anything is thrown away, so that an interrupted drain changes nothing.
        let mut thrown = Spares::new();
        match &self.shared.way {
            Way::OnTheSpot(way) => {
                way.complete_all(self, interrupt)?;
                // SAFETY: all is played, and the receiver's turn is ours.
                unsafe { way.throw_away(&mut thrown) };
            }
            Way::FirstCome(way) => {
                way.complete_all(self, sender.queued, interrupt)?;
                // SAFETY: everything queued has been played, and both turns are ours.
                unsafe { way.ring.restart() };
                sender.queued = 0;
            }
            Way::Outside(flight) => flight.drain(self, &mut thrown, interrupt, deadline)?,
        }
        thrown.extend(receiver.ready.drain(..));
        self.shared.failures.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.shared.has_failures.store(false, Ordering::SeqCst);
        self.shared.in_flight.iter().for_each(|lane| lane.store(false, Ordering::Release));
        self.shared.flying.store(0, Ordering::SeqCst);
        Ok(thrown)
    }
}

//! The receiving side of a pool: batches out of requests and the ring, and what happens where an environment failed.

use std::time::Instant;

use crate::contract::error::{Error, Result};
use crate::pool::pool::Pool;
use crate::pool::receiver::{Receiver, Spares};
use crate::results::batch::Batch;
use crate::threads::float_mode::StandardFloats;
use crate::threads::interrupts::{Interrupt, Interrupts};

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
        self.recv_unless(spare, &mut Interrupts::until(interrupt, deadline)).map_err(|error| self.explain(error))
    }

    fn recv_unless(&self, spare: &mut Option<Box<Batch>>, interrupts: &mut Interrupts<'_>) -> Result<Box<Batch>> {
        let _standard = StandardFloats::enter();
        self.check_usable()?;
        self.check_own(spare.as_deref())?;
        let mut receiver = self.receiver.try_enter().ok_or_else(|| self.refusal())?;
        self.recv_next(&mut receiver, spare, interrupts)
    }

    /// What `recv` gives to whoever has the receiver's turn.
    pub(crate) fn recv_next(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<Box<Batch>> {
        if let Some(ready) = self.core.ledger.receive_ready(receiver) {
            return Ok(ready);
        }
        self.executor.recv(receiver, spare, interrupts)
    }

    /// The error of a call that has ended: what is late has its names, and what a closed pool has left is let go.
    #[cold]
    pub(crate) fn explain(&self, error: Error) -> Error {
        let error = match error {
            Error::Late { lanes } if lanes.is_empty() => Error::Late { lanes: self.core.ledger.lanes_in_flight() },
            error => error,
        };
        self.leave();
        error
    }

    /// Rows that the next [`Pool::recv`] gives: those of the oldest request, or what a failure left of a batch. `None` where a sync pool
    /// has nothing to give.
    ///
    /// # Errors
    /// `State` where the pool cannot be used, or another thread is receiving.
    pub fn next_rows(&self) -> Result<Option<usize>> {
        self.check_usable()?;
        let receiver = self.receiver.try_enter().ok_or_else(|| self.refusal())?;
        if let Some(ready) = receiver.ready.front() {
            return Ok(Some(ready.rows()));
        }
        if self.is_async() {
            return Ok(Some(self.core.config.batch_size));
        }
        Ok(self.executor.next_rows())
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
        self.drain_unless(&mut Interrupts::until(interrupt, deadline)).map_err(|error| self.explain(error))
    }

    fn drain_unless(&self, interrupts: &mut Interrupts<'_>) -> Result<Spares> {
        let _standard = StandardFloats::enter();
        self.check_usable()?;
        let mut sender = self.sender.try_enter().ok_or_else(|| self.refusal())?;
        let mut receiver = self.receiver.try_enter().ok_or_else(|| self.refusal())?;
        if self.core.ledger.count_in_flight() == 0 {
            return Ok(receiver.ready.drain(..).collect());
        }
        // Everything is waited for before anything is thrown away, so that an interrupted drain changes nothing.
        let mut thrown = Spares::new();
        self.executor.drain(&mut sender, &mut thrown, interrupts)?;
        thrown.extend(receiver.ready.drain(..));
        self.core.ledger.mark_all_received();
        Ok(thrown)
    }
}

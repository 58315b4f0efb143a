//! Receives results: takes batches from requests or from the ring buffer, and reports failures of lanes.

use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::contract::error::{Error, Result};
use crate::contract::row::ActionColumn;
use crate::exec::request_kind::RequestKind;
use crate::pool::pool::Pool;
use crate::pool::receiver::{Receiver, SpareBatches};
use crate::results::batch::Batch;
use crate::threads::float_mode::FloatModeGuard;
use crate::threads::interrupt_poller::{Interrupt, InterruptPoller};

impl Pool {
    /// Receives the next batch. A sync pool returns the results of the oldest request. An async pool returns the first
    /// `batch_size` results, and takes `spare` as memory for later ones.
    ///
    /// # Errors
    /// `State` if fewer environments are in flight than a batch needs, if another thread is receiving, or if `spare` belongs to
    /// another pool. `Failed` if an environment failed; the next call returns the results of the other environments.
    /// `Interrupted`: no result is lost, call again.
    pub fn recv(&self, spare: &mut Option<Box<Batch>>, interrupt: Interrupt<'_>) -> Result<Box<Batch>> {
        self.recv_until(spare, interrupt, None)
    }

    /// Receives the next batch as [`Pool::recv`] does, and waits until the deadline at most.
    ///
    /// # Errors
    /// `Timeout` at the deadline: no result is lost, call again. Otherwise the errors of [`Pool::recv`] (`State`, `Failed`,
    /// `Interrupted`).
    pub fn recv_until(
        &self,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Box<Batch>> {
        self.recv_unless(spare, &mut InterruptPoller::with_deadline(interrupt, deadline)).map_err(|error| self.explain(error))
    }

    fn recv_unless(&self, spare: &mut Option<Box<Batch>>, interrupts: &mut InterruptPoller<'_>) -> Result<Box<Batch>> {
        let _standard = FloatModeGuard::enter();
        self.check_usable()?;
        self.check_batch(spare.as_deref())?;
        self.check_room(spare.as_deref(), 0)?;
        let mut receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        self.recv_next(&mut receiver, spare, interrupts)
    }

    /// Receives the next batch. The caller must hold the receiver guard.
    pub(crate) fn recv_next(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        let received = match self.core.ledger.receive_ready(receiver) {
            Some(ready) => ready,
            None => self.executor.recv(receiver, spare, interrupts)?,
        };
        Ok(receiver.finish(&self.core, received))
    }

    /// Completes the error of a `recv` or `drain` call: adds the lanes that have not completed to a timeout, and frees the memory
    /// of a closed pool.
    #[cold]
    pub(crate) fn explain(&self, error: Error) -> Error {
        let error = match error {
            Error::Timeout { lanes } if lanes.is_empty() => Error::Timeout { lanes: self.core.ledger.lanes_in_flight() },
            error => error,
        };
        self.release();
        error
    }

    /// Returns the number of rows that the next [`Pool::recv`] will return: those of the oldest request, or the remaining rows of
    /// a batch after a failure. `None` if a sync pool has no request in flight.
    ///
    /// # Errors
    /// `State` if the pool cannot be used, or another thread is receiving.
    pub fn next_rows(&self) -> Result<Option<usize>> {
        self.check_usable()?;
        let receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        if let Some(ready) = receiver.partial_batches.front() {
            return Ok(Some(ready.rows()));
        }
        if self.is_async() {
            return Ok(Some(self.core.config.batch_size));
        }
        Ok(self.executor.next_request().map(|request| request.lanes.len()))
    }

    /// Makes the pool keep, for each step from now on, which environments it only resets.
    pub fn keep_only_resets(&self) {
        self.core.keeps_only_resets.store(true, Ordering::Relaxed);
    }

    /// Returns copies of the actions of the step whose results the next [`Pool::recv`] returns, and of what
    /// [`RequestBuilder::only_resets`](crate::RequestBuilder::only_resets) returned for it, which is empty for steps before
    /// [`Pool::keep_only_resets`]; `None` if a sync pool has no step in flight, for the remaining rows of a batch after a failure, and
    /// for async pools.
    ///
    /// # Errors
    /// `State` if the pool cannot be used, or another thread is receiving.
    pub fn next_step(&self) -> Result<Option<(Vec<ActionColumn>, Vec<bool>)>> {
        self.check_usable()?;
        let receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        let request = if receiver.partial_batches.is_empty() { self.executor.next_request() } else { None };
        let step = request.filter(|request| matches!(request.kind, RequestKind::Step));
        Ok(step.map(|request| (request.actions.clone(), request.only_resets.clone())))
    }

    /// Waits for all results in flight and discards them. Returns their batches for reuse.
    ///
    /// # Errors
    /// `State` if another thread is receiving; `Interrupted`: no result has been discarded in this case.
    pub fn drain(&self, interrupt: Interrupt<'_>) -> Result<Vec<Box<Batch>>> {
        self.drain_until(interrupt, None)
    }

    /// Discards all results in flight as [`Pool::drain`] does, and waits until the deadline at most.
    ///
    /// # Errors
    /// `State` if another thread is receiving; `Interrupted`, or `Timeout` at the deadline: no result has been discarded in these
    /// cases.
    pub fn drain_until(&self, interrupt: Interrupt<'_>, deadline: Option<Instant>) -> Result<Vec<Box<Batch>>> {
        self.drain_unless(&mut InterruptPoller::with_deadline(interrupt, deadline)).map_err(|error| self.explain(error))
    }

    fn drain_unless(&self, interrupts: &mut InterruptPoller<'_>) -> Result<SpareBatches> {
        let _standard = FloatModeGuard::enter();
        self.check_usable()?;
        let mut sender = self.sender.try_lock().ok_or_else(|| self.busy_error())?;
        let mut receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        if self.core.ledger.count_in_flight() == 0 {
            return Ok(receiver.partial_batches.drain(..).collect());
        }
        // Results are discarded only after all have arrived, so that an interrupted drain has no effect.
        let mut thrown = SpareBatches::new();
        self.executor.drain(&mut sender, &mut thrown, interrupts)?;
        thrown.extend(receiver.partial_batches.drain(..));
        receiver.discard_causes(&self.core);
        self.core.ledger.mark_all_received();
        Ok(thrown)
    }
}

//! Calls the engine's pool with deadlines and signal checks, and converts its errors.

use std::sync::atomic::Ordering;
use std::time::Instant;

use numpy::PyUntypedArray;
use pyo3::prelude::*;

use super::{Pool, busy_error};
use crate::actions::{Actions, fill_single};
use crate::outside::{ActionParser, InterruptCheck};
use crate::raise::{OrRaise, Raise};
use crate::results::ResultKind;
use envpool_rs_engine::{self as engine, Batch, Error, Interrupt, LaneError, RequestBuilder};

/// Result of a receive call: a batch or an error, and memory for a batch that was not needed.
type ReceivedBatch = (PyResult<Box<Batch>>, Option<Box<Batch>>);

impl Pool {
    /// Rejects calls from code that runs inside another call of this pool. Raises the stored exception, if there is one: Python
    /// code raised it during an earlier call, which returned a result instead.
    pub(super) fn check_callable(&self) -> PyResult<()> {
        let Some(backend) = &self.backend else { return Ok(()) };
        if backend.reentrancy.is_current_thread() {
            return Err(busy_error());
        }
        backend.exceptions.pending.take().map_or(Ok(()), Err)
    }

    pub(super) fn fault(&self, py: Python<'_>, lane: usize, fault: &LaneError) -> PyErr {
        match &self.backend {
            Some(backend) => backend.exceptions.rebuild(py, lane, fault, None),
            None => Error::from(fault.clone()).into_py_err(),
        }
    }

    /// Converts an engine error to a Python exception.
    fn error(&self, py: Python<'_>, error: Error) -> PyErr {
        match &self.backend {
            None => error.into_py_err(),
            Some(backend) => backend.exceptions.to_exception(py, error),
        }
    }

    /// Runs `act`, which never waits for environments. If the engine runs the environments in a backend, releases the
    /// interpreter's lock during `act`, which may need the backend ledger's mutex: its holder may wait for the interpreter's lock.
    #[inline]
    pub(super) fn call_engine<T: Send>(&self, py: Python<'_>, act: impl FnOnce() -> engine::Result<T> + Send) -> PyResult<T> {
        let done = if self.pool.has_backend() { py.detach(act) } else { act() };
        done.map_err(|error| self.error(py, error))
    }

    /// Returns the deadline of a call that starts now; `None` without a timeout.
    #[inline]
    pub(super) fn deadline(&self) -> Option<Instant> {
        let timeout = self.backend.as_ref()?.timeout?;
        Instant::now().checked_add(timeout)
    }

    /// Runs `wait` until it is done or a signal handler interrupts it. Releases the interpreter's lock if the call is `heavy`.
    #[inline]
    pub(super) fn wait<T: Send>(
        &self,
        py: Python<'_>,
        heavy: bool,
        wait: impl FnOnce(Interrupt<'_>) -> engine::Result<T> + Send,
    ) -> PyResult<T> {
        let mut interruptions = InterruptCheck::new(self.backend.as_ref().map(|backend| backend.exceptions.pending.clone()));
        let done = match heavy {
            true => py.detach(|| wait(&mut || interruptions.interrupted())),
            false => wait(&mut || interruptions.interrupted()),
        };
        done.map_err(|error| match (interruptions.raised(), &self.backend, error) {
            (Some(raised), Some(_), _) | (Some(raised), None, Error::Interrupted) => raised,
            (_, _, error) => self.error(py, error),
        })
    }

    /// Returns the parser of actions; `None` if the engine checks the actions itself.
    pub(super) fn action_parser(&self) -> Option<&ActionParser> {
        self.backend.as_ref()?.action_parser.as_deref()
    }

    #[inline]
    pub(super) fn prepare_step(
        &self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        env_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<RequestBuilder<'_>> {
        if self.is_recording.load(Ordering::Relaxed) {
            self.wait_for_recording(py)?;
        }
        // After a refused call, `recv` must not return the result of the call before.
        let prepared = self.try_prepare_step(py, action, env_id);
        let mut request = prepared.or_else(|error| self.forget_delivered(py).and(Err(error)))?;
        if self.is_recording.load(Ordering::Relaxed) {
            self.note_step(py, &mut request)?;
        }
        Ok(request)
    }

    #[inline]
    fn try_prepare_step(
        &self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        env_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<RequestBuilder<'_>> {
        if self.backend.is_some() {
            self.pool.check_usable().or_raise()?;
            self.check_callable()?;
        } else if let (None, Ok(array)) = (env_id, action.cast_exact::<PyUntypedArray>()) {
            // Fast path for the usual training loop, which passes one array with the actions of all environments.
            let mut call = self.call_engine(py, || self.pool.step(None))?;
            if let Some(filled) = fill_single(&mut call, self.pool.action_keys(), array) {
                return filled.map(|()| call);
            }
        }
        if let Some(reader) = self.action_parser() {
            let taken = reader.parse(action, env_id)?;
            let mut call = self.call_engine(py, || self.pool.step(taken.ids.as_deref()))?;
            self.check_callable()?; // checked before any action is sent
            reader.fill(&mut call, self.pool.action_keys()[0].encoding, &taken)?;
            return Ok(call);
        }
        let actions = Actions::new(action, env_id)?;
        let mut call = self.call_engine(py, || self.pool.step(actions.ids.as_deref()))?;
        actions.fill(&mut call, self.pool.action_keys(), self.players)?;
        Ok(call)
    }

    /// Runs a prepared request and returns its results.
    #[inline]
    pub(super) fn run(&self, py: Python<'_>, request: RequestBuilder<'_>, method: ResultKind) -> PyResult<Py<PyAny>> {
        let mut batch = Some(self.acquire(py)?);
        let (heavy, deadline) = (self.pool.is_heavy(request.lanes()), self.deadline());
        let received = self.wait(py, heavy, |interrupt| request.run_until(&mut batch, interrupt, deadline));
        self.to_result(py, received, batch, method)
    }

    /// Receives results and converts them. Without a `deadline`, the pool's own timeout applies.
    #[inline]
    pub(super) fn receive(&self, py: Python<'_>, method: ResultKind, deadline: Option<Instant>) -> PyResult<Py<PyAny>> {
        self.pool.check_usable().or_raise()?;
        if self.backend.is_some() {
            self.check_callable()?;
        }
        let waiting = self.deliver_waiting(py)?;
        if self.pool.is_async() {
            let shown = match waiting {
                Some(shown) => shown,
                None => {
                    let (received, spare) = self.receive_batch(py, deadline)?;
                    self.to_result(py, received, spare, method)?
                }
            };
            return self.check_signals(py, shown);
        }
        if let Some(shown) = waiting {
            return Ok(shown);
        }
        let (received, spare) = self.receive_batch(py, deadline)?;
        // An XLA program may have stepped the environments since the last call.
        let is_last = self.exposed.get().is_none();
        if received.is_err() && is_last && self.call_engine(py, || self.pool.next_rows())?.is_none() {
            let delivered = self.results.enter(py).ok_or_else(busy_error)?.delivered(py);
            if let Some((again, true)) = delivered {
                self.forget_delivered(py)?; // once, so that a loop which receives until an error ends
                return Ok(again);
            }
        }
        self.to_result(py, received, spare, method)
    }

    /// Returns a result, unless a signal handler raises an exception; the next `recv` then returns the result.
    fn check_signals(&self, py: Python<'_>, shown: Py<PyAny>) -> PyResult<Py<PyAny>> {
        let Err(raised) = py.check_signals() else { return Ok(shown) };
        self.results.enter(py).ok_or_else(busy_error)?.is_interrupted = true;
        Err(raised)
    }

    /// Receives a batch. Returns the batch, and the spare memory that was not needed.
    #[inline]
    pub(super) fn receive_batch(&self, py: Python<'_>, deadline: Option<Instant>) -> PyResult<ReceivedBatch> {
        let is_async = self.pool.is_async();
        let mut spare = is_async.then(|| self.acquire(py)).transpose()?;
        let heavy = !is_async || deadline.is_some() || self.pool.is_heavy(self.pool.config().batch_size);
        let deadline = deadline.or_else(|| self.deadline());
        let received = self.wait(py, heavy, |interrupt| self.pool.recv_until(&mut spare, interrupt, deadline));
        Ok((received, spare))
    }

    pub(super) fn send_call(&self, py: Python<'_>, request: RequestBuilder<'_>) -> PyResult<()> {
        self.reclaim(py)?;
        let batch = (!self.pool.is_async()).then(|| self.acquire(py)).transpose()?;
        self.call_engine(py, || request.send(batch))
    }

    /// Waits for requests in flight and discards their results, so that a reset of all environments always succeeds.
    pub(super) fn drain(&self, py: Python<'_>) -> PyResult<()> {
        let deadline = self.deadline();
        let thrown = self.wait(py, true, |interrupt| self.pool.drain_until(interrupt, deadline))?;
        let untold = self.results.enter(py).ok_or_else(busy_error)?.clear_deferred();
        drop(untold); // dropped while the list is not borrowed: dropping may run Python code
        self.discard_delivered(py)?;
        let mut results = self.results.enter(py).ok_or_else(busy_error)?;
        let unused: Vec<_> = thrown.into_iter().filter_map(|batch| results.put_back(batch)).collect();
        drop(results);
        drop(unused); // dropped while the list is not borrowed: dropping may run Python code
        Ok(())
    }
}

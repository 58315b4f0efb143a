//! Calls of the engine's pool: how long they wait, who may end them, and what their errors are in Python.

use std::time::Instant;

use numpy::PyUntypedArray;
use pyo3::prelude::*;

use super::{Pool, busy};
use crate::actions::{Actions, fill_single};
use crate::outside::{Interruptions, Reader};
use crate::raise::{OrRaise, Raise};
use crate::results::Method;
use envpool_rs_engine::{self as engine, Call, Error, Fault, Interrupt};

impl Pool {
    /// Refuses code that runs in the middle of another call of the pool's, and raises what was raised while an earlier call waited for
    /// something else, which got its result.
    pub(super) fn check_callable(&self) -> PyResult<()> {
        let Some(backend) = &self.backend else { return Ok(()) };
        if backend.inside.is_mine() {
            return Err(busy());
        }
        backend.failures.raised.take().map_or(Ok(()), Err)
    }

    pub(super) fn fault(&self, py: Python<'_>, lane: usize, fault: &Fault) -> PyErr {
        match &self.backend {
            Some(backend) => backend.failures.rebuilt(py, lane, fault, None),
            None => Error::from(fault.clone()).into_py_err(),
        }
    }

    /// The exception for an error of the engine's.
    fn error(&self, py: Python<'_>, error: Error) -> PyErr {
        match &self.backend {
            None => error.into_py_err(),
            Some(backend) => backend.failures.error(py, error),
        }
    }

    /// Does something that takes no time but may lock what a thread holds that waits for the interpreter's lock.
    #[inline]
    pub(super) fn act<T: Send>(&self, py: Python<'_>, act: impl FnOnce() -> engine::Result<T> + Send) -> PyResult<T> {
        let done = if self.backend.is_some() { py.detach(act) } else { act() };
        done.map_err(|error| self.error(py, error))
    }

    /// When calls that begin now have to be over.
    #[inline]
    pub(super) fn deadline(&self) -> Option<Instant> {
        let timeout = self.backend.as_ref()?.timeout?;
        Instant::now().checked_add(timeout)
    }

    /// Does something that may wait until handlers of signals end it, without the interpreter's lock where it is `heavy`.
    #[inline]
    pub(super) fn wait<T: Send>(
        &self,
        py: Python<'_>,
        heavy: bool,
        wait: impl FnOnce(Interrupt<'_>) -> engine::Result<T> + Send,
    ) -> PyResult<T> {
        let mut interruptions = Interruptions::new(self.backend.as_ref().map(|backend| backend.failures.raised.clone()));
        let done = match heavy {
            true => py.detach(|| wait(&mut || interruptions.interrupted())),
            false => wait(&mut || interruptions.interrupted()),
        };
        done.map_err(|error| match (interruptions.raised(), &self.backend, error) {
            (Some(raised), Some(_), _) | (Some(raised), None, Error::Interrupted) => raised,
            (_, _, error) => self.error(py, error),
        })
    }

    /// What reads actions that are not the engine's.
    fn reader(&self) -> Option<&Reader> {
        self.backend.as_ref()?.reader.as_deref()
    }

    #[inline]
    pub(super) fn prepare_step(
        &self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        env_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Call<'_>> {
        if self.backend.is_some() {
            self.pool.check_usable().or_raise()?;
            self.check_callable()?;
        } else if let (None, Ok(array)) = (env_id, action.cast_exact::<PyUntypedArray>()) {
            // What trainers do: all environments, one array.
            let mut call = self.pool.step(None).or_raise()?;
            if let Some(filled) = fill_single(&mut call, self.pool.action_keys(), array) {
                return filled.map(|()| call);
            }
        }
        if let Some(reader) = self.reader() {
            let taken = reader.take(action, env_id)?;
            let mut call = self.act(py, || self.pool.step(taken.ids.as_deref()))?;
            self.check_callable()?; // before anything is sent
            reader.fill(&mut call, self.pool.action_keys()[0].carried, &taken)?;
            return Ok(call);
        }
        let actions = Actions::new(action, env_id)?;
        let mut call = self.act(py, || self.pool.step(actions.ids.as_deref()))?;
        actions.fill(&mut call, self.pool.action_keys(), self.players)?;
        Ok(call)
    }

    /// Plays a prepared call and shows its results.
    #[inline]
    pub(super) fn run(&self, py: Python<'_>, call: Call<'_>, method: Method) -> PyResult<Py<PyAny>> {
        if self.backend.is_some() {
            self.check_all_told(py)?;
        }
        let mut batch = Some(self.acquire(py)?);
        let (heavy, deadline) = (self.pool.is_heavy(call.lanes()), self.deadline());
        let received = self.wait(py, heavy, |interrupt| call.run_until(&mut batch, interrupt, deadline));
        self.conclude(py, received, batch, method)
    }

    /// Receives results and shows them; until the pool's own deadline where there is none.
    #[inline]
    pub(super) fn receive(&self, py: Python<'_>, method: Method, deadline: Option<Instant>) -> PyResult<Py<PyAny>> {
        self.pool.check_usable().or_raise()?;
        if self.backend.is_some() {
            self.check_callable()?;
            if let Some(untold) = self.show_untold(py)? {
                return Ok(untold);
            }
        }
        let is_async = self.pool.is_async();
        let mut spare = is_async.then(|| self.acquire(py)).transpose()?;
        let heavy = !is_async || deadline.is_some() || self.pool.is_heavy(self.pool.config().batch_size);
        let deadline = deadline.or_else(|| self.deadline());
        let received = self.wait(py, heavy, |interrupt| self.pool.recv_until(&mut spare, interrupt, deadline));
        self.conclude(py, received, spare, method)
    }

    pub(super) fn send_call(&self, py: Python<'_>, call: Call<'_>) -> PyResult<()> {
        self.reclaim(py)?;
        let batch = (!self.pool.is_async()).then(|| self.acquire(py)).transpose()?;
        self.act(py, || call.send(batch))
    }

    /// Waits for what is in flight and throws it away, so that a reset of all environments always goes through.
    pub(super) fn drain(&self, py: Python<'_>) -> PyResult<()> {
        let deadline = self.deadline();
        let thrown = self.wait(py, true, |interrupt| self.pool.drain_until(interrupt, deadline))?;
        let untold = self.results.enter(py).ok_or_else(busy)?.forget_untold();
        drop(untold); // outside of the list: it may run Python code
        let mut results = self.results.enter(py).ok_or_else(busy)?;
        thrown.into_iter().for_each(|batch| results.put_back(batch));
        Ok(())
    }
}

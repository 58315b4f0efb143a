//! Converts batches of a pool to Python results, and reuses their memory.

use std::sync::atomic::Ordering;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::{Pool, busy_error};
use crate::raise::{OrRaise, Raise};
use crate::recycled_results::{Delivered, RecycledResults};
use crate::results::{OutTarget, RecycledResult, ResultKind};
use envpool_rs_engine::Batch;

impl Pool {
    /// Converts a received batch, and takes back memory that was not needed.
    #[inline]
    pub(super) fn to_result(
        &self,
        py: Python<'_>,
        received: PyResult<Box<Batch>>,
        spare: Option<Box<Batch>>,
        method: ResultKind,
    ) -> PyResult<Py<PyAny>> {
        let mut results = self.results.enter(py).ok_or_else(busy_error)?;
        if let Some(unused) = spare.and_then(|spare| results.put_back(spare)) {
            drop(results);
            drop(unused); // dropped while the list is not borrowed: dropping may run Python code
            results = self.results.enter(py).ok_or_else(busy_error)?;
        }
        let mut batch = received?;
        if self.is_recording.load(Ordering::Relaxed) {
            drop(results);
            self.record(py, &batch)?;
            results = self.results.enter(py).ok_or_else(busy_error)?;
        }
        if !results.contains(&batch) {
            drop(results);
            self.adopt(py, &mut batch)?;
            results = self.results.enter(py).ok_or_else(busy_error)?;
        }
        let tag = batch.tag;
        // A batch with extras (payloads, reports of lost environments, final observations) gets new Python objects.
        let is_reusable = method == ResultKind::Step && !self.schema.has_extras(&batch);
        let mut batch = Some(batch);
        let result = results.get(tag).filter(|_| is_reusable);
        if let Some(again) = result.and_then(|result| result.reuse(py, &mut batch)) {
            let earlier = results.record_delivery(Delivered::Reusable(tag));
            drop(results);
            drop(earlier); // dropped while the list is not borrowed: dropping may run Python code
            return Ok(again);
        }
        let result = results.take(tag);
        drop(results);
        let shown = result.zip(batch).ok_or_else(|| self.missing_result_error())?;
        self.convert(py, shown, method)
    }

    /// Returns the error for a batch without a result: a signal handler or another thread has closed the pool.
    #[cold]
    fn missing_result_error(&self) -> PyErr {
        self.pool.check_usable().map_or_else(Raise::into_py_err, |()| busy_error())
    }

    /// Adds an entry to the list of results for a batch that an XLA program created.
    #[cold]
    fn adopt(&self, py: Python<'_>, batch: &mut Batch) -> PyResult<()> {
        let old = self.acquire(py)?;
        self.results.enter(py).ok_or_else(busy_error)?.adopt(&self.schema, batch, old);
        Ok(())
    }

    /// Takes a batch for the engine to write into, and moves its columns into the caller's arrays (`out=`).
    pub(super) fn lend(&self, py: Python<'_>, target: OutTarget) -> PyResult<Box<Batch>> {
        self.forget_delivered(py)?;
        let taken = self.results.enter(py).ok_or_else(busy_error)?.take_out_result(&self.schema, &self.pool);
        let waiting = || PyRuntimeError::new_err("results of an earlier send are waiting: recv them first");
        let mut result = taken.or_raise()?.ok_or_else(waiting)?;
        let batch = result.lend(py, &self.schema, target);
        self.results.enter(py).ok_or_else(busy_error)?.restore_out_result(result);
        batch.or_raise()
    }

    /// Sets the arrays of the caller into which the result of a received batch is copied.
    pub(super) fn set_target(&self, py: Python<'_>, batch: &mut Batch, target: OutTarget) -> PyResult<()> {
        if !self.results.enter(py).ok_or_else(busy_error)?.contains(batch) {
            self.adopt(py, batch)?;
        }
        let mut results = self.results.enter(py).ok_or_else(busy_error)?;
        let result = results.get(batch.tag).ok_or_else(|| self.missing_result_error())?;
        let earlier = result.set_target(target);
        drop(results);
        drop(earlier); // dropped while the list is not borrowed: dropping may run Python code
        Ok(())
    }

    #[inline(never)]
    fn convert(
        &self,
        py: Python<'_>,
        (mut result, batch): (Box<RecycledResult>, Box<Batch>),
        method: ResultKind,
    ) -> PyResult<Py<PyAny>> {
        let tag = batch.tag;
        let shown = result.wrap(py, &self.schema, batch, method);
        self.record_conversion(py, (tag, method, result), &shown, RecycledResults::defer)?;
        shown
    }

    /// Puts a result back into the list after its conversion, and records it as delivered, or calls `defer` if the conversion
    /// raised an exception.
    fn record_conversion(
        &self,
        py: Python<'_>,
        (tag, method, result): (usize, ResultKind, Box<RecycledResult>),
        shown: &PyResult<Py<PyAny>>,
        defer: fn(&mut RecycledResults, usize, ResultKind),
    ) -> PyResult<()> {
        let delivered = match shown {
            Ok(shown) if result.is_step(shown) => Delivered::Reusable(tag),
            Ok(shown) if method == ResultKind::Step || self.pool.is_async() => Delivered::other(shown.bind(py)),
            _ => Delivered::Nothing, // a reset of a synchronous pool can be repeated
        };
        let mut results = self.results.enter(py).ok_or_else(busy_error)?;
        results.restore(tag, result);
        if shown.is_err() {
            defer(&mut results, tag, method);
        }
        let earlier = results.record_delivery(delivered);
        drop(results);
        drop(earlier); // dropped while the list is not borrowed: dropping may run Python code
        Ok(())
    }

    /// Forgets the result that the last call of a synchronous pool returned, because another call starts. In an asynchronous
    /// pool, the result of an interrupted `recv` remains, because the call may concern other environments.
    #[inline]
    pub(super) fn forget_delivered(&self, py: Python<'_>) -> PyResult<()> {
        if self.pool.is_async() { Ok(()) } else { self.discard_delivered(py) }
    }

    /// Discards the result that the last call returned or that an interrupted `recv` left.
    #[inline]
    pub(super) fn discard_delivered(&self, py: Python<'_>) -> PyResult<()> {
        let mut results = self.results.enter(py).ok_or_else(busy_error)?;
        results.is_interrupted = false;
        let earlier = results.set_delivered(Delivered::Nothing);
        drop(results);
        drop(earlier); // dropped while the list is not borrowed: dropping may run Python code
        Ok(())
    }

    /// Returns the result that an earlier call has lost to an exception of a signal handler or of the Python code that converts
    /// results: the result of an interrupted call, or the oldest deferred result, whose conversion is repeated. Returns `None` if
    /// there is no such result.
    #[inline]
    pub(super) fn deliver_waiting(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let results = self.results.enter(py).ok_or_else(busy_error)?;
        let has_waiting = results.is_interrupted || results.has_deferred();
        drop(results);
        if has_waiting { self.deliver_oldest_waiting(py) } else { Ok(None) }
    }

    #[cold]
    fn deliver_oldest_waiting(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let mut results = self.results.enter(py).ok_or_else(busy_error)?;
        if let Some(interrupted) = results.take_interrupted(py) {
            return Ok(Some(interrupted));
        }
        let Some((tag, method, mut result)) = results.take_deferred() else { return Ok(None) };
        drop(results);
        let shown = result.convert_again(py, &self.schema, method);
        self.record_conversion(py, (tag, method, result), &shown, RecycledResults::defer_first)?;
        shown.map(Some)
    }

    /// Rejects a synchronous request while the caller has not received an older result whose conversion raised an exception.
    pub(super) fn check_none_deferred(&self, py: Python<'_>) -> PyResult<()> {
        match self.results.enter(py).ok_or_else(busy_error)?.has_deferred() {
            false => Ok(()),
            true => Err(waiting_error(false)),
        }
    }

    /// Returns a batch for the engine to write into. Rejects the call while the caller has not received an older result that an
    /// exception has interrupted.
    #[inline]
    pub(super) fn acquire(&self, py: Python<'_>) -> PyResult<Box<Batch>> {
        let mut results = self.results.enter(py).ok_or_else(busy_error)?;
        if results.is_interrupted || results.has_deferred() {
            return Err(waiting_error(results.is_interrupted));
        }
        if let other @ Delivered::Other(..) = results.set_delivered(Delivered::Nothing) {
            drop(results);
            drop(other); // dropped while the list is not borrowed: dropping may run Python code
            results = self.results.enter(py).ok_or_else(busy_error)?;
        }
        match results.acquire(py, &self.schema, &self.pool).or_raise()? {
            Ok(batch) => Ok(batch),
            Err(index) => {
                let result = results.take(index);
                drop(results);
                self.release(py, index, result.expect("it was seen to be held"))
            }
        }
    }

    /// Releases a result that another owner holds, and returns its batch. The Python objects stay with the other owner.
    #[cold]
    fn release(&self, py: Python<'_>, index: usize, mut result: Box<RecycledResult>) -> PyResult<Box<Batch>> {
        let batch = result.release(py, &self.schema);
        self.results.enter(py).ok_or_else(busy_error)?.restore(index, result);
        batch.or_raise()
    }

    /// Takes back the batches into which an XLA program received the results of steps that Python had sent.
    pub(super) fn reclaim(&self, py: Python<'_>) -> PyResult<()> {
        let Some(exposed) = self.exposed.get().filter(|_| !self.pool.is_async()) else { return Ok(()) };
        let mut results = self.results.enter(py).ok_or_else(busy_error)?;
        let reclaimed = exposed.reclaim(|batch| results.contains(batch));
        let unused: Vec<_> = reclaimed.into_iter().filter_map(|batch| results.put_back(batch)).collect();
        drop(results);
        drop(unused); // dropped while the list is not borrowed: dropping may run Python code
        Ok(())
    }
}

#[cold]
fn waiting_error(is_interrupted: bool) -> PyErr {
    PyRuntimeError::new_err(match is_interrupted {
        true => "the results of an interrupted recv are waiting: recv them first",
        false => "results of an earlier send are waiting: recv them first",
    })
}

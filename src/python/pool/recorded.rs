//! Recording of a pool's results.

use std::sync::atomic::Ordering;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::{Pool, busy_error};
use crate::raise::OrRaise;
use crate::recording::{ChunkParts, Recorder};
use crate::results::RolloutBuffer;
use envpool_rs_engine::{Batch, RequestBuilder};

impl Pool {
    pub(super) fn make_recording_chunk(
        &self,
        py: Python<'_>,
        steps: usize,
        infos: &[String],
        allocate: &Bound<'_, PyAny>,
    ) -> PyResult<(RolloutBuffer, Vec<String>)> {
        self.pool.check_usable().or_raise()?;
        let named = self.schema.recorded_columns(py, infos)?;
        let columns = named.iter().map(|(column, _)| *column).collect();
        let rows = self.pool.config().num_envs;
        let last = steps.checked_sub(1).ok_or_else(|| PyValueError::new_err("steps=0: expected at least 1"))?;
        let buffer = RolloutBuffer::with_columns(py, &self.schema, last, rows, columns, Some(allocate))?;
        Ok((buffer, named.into_iter().map(|(_, name)| name).collect()))
    }

    pub(super) fn begin_recording(&self, py: Python<'_>, chunk: Py<RolloutBuffer>, next: Py<PyAny>) -> PyResult<()> {
        self.pool.check_usable().or_raise()?;
        if self.exposed.get().is_some() {
            return Err(PyRuntimeError::new_err(
                "XLA programs step this pool, whose steps a recording would miss: make another pool",
            ));
        }
        if self.is_recording.load(Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err("this pool is recorded already: close the other recording first"));
        }
        let recorder = Recorder::new(chunk, next, self.pool.action_keys(), self.pool.config().num_envs)?;
        *self.recorder.enter(py).ok_or_else(busy_error)? = Some(Box::new(recorder));
        self.is_recording.store(true, Ordering::Relaxed);
        Ok(())
    }

    pub(super) fn end_recording<'py>(&self, py: Python<'py>) -> PyResult<Option<ChunkParts<'py>>> {
        let recorder = self.recorder.enter(py).ok_or_else(busy_error)?.take();
        self.is_recording.store(false, Ordering::Relaxed);
        Ok(recorder.map(|mut recorder| recorder.take_parts(py)))
    }

    /// Calls `note` with the recorder, if there is one.
    fn with_recorder(&self, py: Python<'_>, note: impl FnOnce(&mut Recorder)) -> PyResult<()> {
        if let Some(recorder) = self.recorder.enter(py).ok_or_else(busy_error)?.as_deref_mut() {
            note(recorder);
        }
        Ok(())
    }

    pub(super) fn note_step(&self, py: Python<'_>, request: &mut RequestBuilder<'_>) -> PyResult<()> {
        self.with_recorder(py, |recorder| recorder.note_step(request))
    }

    pub(super) fn note_reset(&self, py: Python<'_>, ids: Option<&[i64]>) -> PyResult<()> {
        self.with_recorder(py, |recorder| recorder.note_reset(ids))
    }

    pub(super) fn note_moved(&self, py: Python<'_>, ids: Option<&[i64]>) -> PyResult<()> {
        let num_envs = self.pool.config().num_envs as i64;
        if ids.is_some_and(|ids| ids.iter().any(|id| !(0..num_envs).contains(id))) {
            return Ok(()); // the engine refuses these ids
        }
        self.with_recorder(py, |recorder| recorder.note_moved(ids))
    }

    /// Copies a batch into the recording; gives a full chunk to Python, which may wait until an earlier one is written.
    pub(super) fn record(&self, py: Python<'_>, batch: &Batch) -> PyResult<()> {
        let mut recorder = self.recorder.enter(py).ok_or_else(busy_error)?;
        let is_full = recorder.as_deref_mut().is_some_and(|recorder| recorder.record(batch, self.schema.has_autoreset(batch)));
        let full = if is_full { recorder.take() } else { None };
        drop(recorder);
        let Some(full) = full else { return Ok(()) };
        let next = full.with_next_chunk(py)?;
        self.is_recording.store(next.is_some(), Ordering::Relaxed);
        *self.recorder.enter(py).ok_or_else(busy_error)? = next;
        Ok(())
    }
}

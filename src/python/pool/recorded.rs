//! Recording of a pool's results.

use std::fs::OpenOptions;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning};
use pyo3::prelude::*;

use super::{Pool, busy_error};
use crate::arrays::descriptor;
use crate::raise::OrRaise;
use crate::recording::{ChunkLimits, FrameStacks, Recorder};
use envpool_rs_engine::{Batch, RequestBuilder};

/// Bytes of chunks that wait for the file before steps wait, too.
const MOST_WAITING: usize = 48 << 20;

/// Recorded columns: the observation with positions instead of arrays, the name, dtype and row shape of each column, and whether
/// the first column is encoded as frame stacks.
pub type RecordedColumns<'py> = (Bound<'py, PyAny>, Vec<(String, Bound<'py, PyAny>, Vec<usize>)>, bool);

impl Pool {
    pub(super) fn describe_recording<'py>(
        &self,
        py: Python<'py>,
        infos: &[String],
        depth: usize,
    ) -> PyResult<RecordedColumns<'py>> {
        self.pool.check_usable().or_raise()?;
        let named = self.schema.recorded_columns(py, infos)?;
        let (layout, numbers) = (self.schema.layout(), named.iter().map(|(column, _)| *column).collect::<Vec<_>>());
        let stacks = FrameStacks::new(layout, &numbers, depth, self.pool.config().num_envs);
        let structure = self.schema.recorded_structure(py, &named)?;
        let described = named.into_iter().map(|(number, name)| {
            let column = layout.column(number);
            let players = (column.rows > 1).then_some(column.rows);
            let dtype = match number < layout.columns.len() {
                true => self.schema.descriptor(py, number).getattr("str")?,
                false => descriptor(py, column.dtype).getattr("str")?,
            };
            Ok((name, dtype, players.into_iter().chain(column.shape.iter().copied()).collect()))
        });
        Ok((structure, described.collect::<PyResult<_>>()?, stacks.is_some()))
    }

    pub(super) fn begin_recording(
        &self,
        py: Python<'_>,
        path: PathBuf,
        infos: &[String],
        depth: usize,
        limits: ChunkLimits,
    ) -> PyResult<()> {
        self.pool.check_usable().or_raise()?;
        if self.exposed.get().is_some() {
            return Err(PyRuntimeError::new_err(
                "XLA programs step this pool, whose steps a recording would miss: make another pool",
            ));
        }
        if self.is_recording.load(Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err("this pool is recorded already: close the other recording first"));
        }
        let columns: Vec<_> = self.schema.recorded_columns(py, infos)?.into_iter().map(|(column, _)| column).collect();
        let (layout, num_envs) = (self.schema.layout(), self.pool.config().num_envs);
        let stacks = FrameStacks::new(layout, &columns, depth, num_envs);
        let file = OpenOptions::new().append(true).open(path)?;
        let recorder = Recorder::new(file, columns, stacks, layout, self.pool.action_keys(), num_envs, limits)?;
        *self.recorder.enter(py).ok_or_else(busy_error)? = Some(Box::new(recorder));
        self.is_recording.store(true, Ordering::Relaxed);
        Ok(())
    }

    pub(super) fn flush_recorded(&self, py: Python<'_>) -> PyResult<()> {
        self.pool.check_not_forked().or_raise()?; // in a forked child, no thread writes
        let writer = self.with_recorder(py, |recorder| {
            recorder.hand_over();
            recorder.writer().clone()
        })?;
        writer.map_or(Ok(()), |writer| writer.wait_for(py, 0).map(drop))
    }

    pub(super) fn end_recording(&self, py: Python<'_>) -> PyResult<()> {
        self.pool.check_not_forked().or_raise()?; // no thread would end
        let writer = self.with_recorder(py, |recorder| {
            recorder.hand_over();
            recorder.writer().clone()
        })?;
        self.is_recording.store(false, Ordering::Relaxed);
        writer.map_or(Ok(()), |writer| writer.close(py))?;
        let ended = self.recorder.enter(py).ok_or_else(busy_error)?.take();
        drop(ended);
        Ok(())
    }

    /// Calls `note` with the recorder, if there is one.
    fn with_recorder<T>(&self, py: Python<'_>, note: impl FnOnce(&mut Recorder) -> T) -> PyResult<Option<T>> {
        Ok(self.recorder.enter(py).ok_or_else(busy_error)?.as_deref_mut().map(note))
    }

    /// Waits until the file is not too far behind. Ends the recording with a warning if it cannot be written.
    #[inline]
    pub(super) fn wait_for_recording(&self, py: Python<'_>) -> PyResult<()> {
        let writer =
            self.with_recorder(py, |recorder| std::mem::take(&mut recorder.is_unchecked).then(|| recorder.writer().clone()))?;
        let Some(writer) = writer.flatten() else { return Ok(()) };
        self.pool.check_usable().or_raise()?; // in a forked child, no thread writes
        if writer.wait_for(py, MOST_WAITING)? {
            self.is_recording.store(false, Ordering::Relaxed);
            let text = c"the recording has stopped, because its file cannot be written: close() raises the error";
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), text, 1)?;
        }
        Ok(())
    }

    pub(super) fn note_step(&self, py: Python<'_>, request: &mut RequestBuilder<'_>) -> PyResult<()> {
        self.with_recorder(py, |recorder| recorder.note_step(request))?.unwrap_or(Ok(()))
    }

    pub(super) fn note_reset(&self, py: Python<'_>, ids: Option<&[i64]>) -> PyResult<()> {
        self.with_recorder(py, |recorder| recorder.note_reset(ids)).map(drop)
    }

    pub(super) fn note_moved(&self, py: Python<'_>, ids: Option<&[i64]>) -> PyResult<()> {
        let num_envs = self.pool.config().num_envs as i64;
        if ids.is_some_and(|ids| ids.iter().any(|id| !(0..num_envs).contains(id))) {
            return Ok(()); // the engine refuses these ids
        }
        self.with_recorder(py, |recorder| recorder.note_moved(ids)).map(drop)
    }

    /// Copies a batch into the recording.
    pub(super) fn record(&self, py: Python<'_>, batch: &Batch) -> PyResult<()> {
        self.with_recorder(py, |recorder| recorder.record(batch)).map(drop)
    }
}

//! Creates results that hold the caller's arrays (`out=`).

use numpy::PyUntypedArray;
use pyo3::prelude::*;

use super::out_arrays::OutTarget;
use super::rollout_buffer::RolloutBuffer;
use super::{RecycledResult, ResultKind, ResultSchema};
use crate::arrays::Array;
use envpool_rs_engine::{self as engine, Batch};

impl RecycledResult {
    /// Lends columns of the batch to arrays of the caller, and returns the batch for the engine to write into.
    ///
    /// # Errors
    /// `Memory` if the system refuses memory.
    pub fn lend(&mut self, py: Python<'_>, schema: &ResultSchema, target: OutTarget) -> engine::Result<Box<Batch>> {
        let mut batch = self.release(py, schema)?;
        target.borrow_columns(&mut batch);
        self.target = Some(target);
        Ok(batch)
    }

    /// Sets the arrays of the caller into which the rows of a received batch are copied.
    /// Returns the arrays of the previous call, because dropping them may run Python code.
    #[must_use]
    pub fn set_target(&mut self, target: OutTarget) -> Option<OutTarget> {
        self.step = None; // otherwise `reuse` would return the pool's arrays
        self.target.replace(target)
    }

    /// Returns a result that holds the caller's arrays, and the pool's arrays for the columns without one. Stores the batch, with
    /// all columns in the batch's own memory.
    pub(super) fn wrap_into(
        &mut self,
        py: Python<'_>,
        schema: &ResultSchema,
        batch: Box<Batch>,
        method: ResultKind,
        target: OutTarget,
    ) -> PyResult<Py<PyAny>> {
        if target.is_copied() {
            target.copy_rows(&batch);
        }
        self.set_rows(batch.rows());
        self.batch = Some(batch);
        let shown = match target {
            OutTarget::Arrays { arrays, .. } => self.assemble_with(py, schema, method, arrays),
            OutTarget::Rollout { buffer, slot, only_resets, .. } => {
                let lost = self.batch.as_ref().map_or(&[][..], |batch| &batch.restarted);
                let stored = buffer.get().store_resets(py, slot, &only_resets, lost);
                stored.and_then(|()| self.show_slot(py, schema, method, buffer.get(), slot))
            }
        };
        self.own_columns(py, schema, shown.is_err())?;
        shown
    }

    /// Returns a result with arrays of the caller for some columns.
    fn assemble_with(
        &mut self,
        py: Python<'_>,
        schema: &ResultSchema,
        method: ResultKind,
        arrays: Vec<(usize, Py<PyUntypedArray>)>,
    ) -> PyResult<Py<PyAny>> {
        // The reusable info dicts, tuples and containers hold the pool's arrays. They are set aside while this function builds a
        // result with the caller's arrays.
        let (info, players, step) = (self.info.take(), self.players.take(), self.step.take());
        let containers = std::mem::take(&mut self.containers);
        let mut own = Vec::with_capacity(arrays.len());
        for (column, array) in arrays {
            let array = Array::made(array.into_bound(py));
            own.push((column, self.arrays[column].replace(array)));
        }
        let shown = self.assemble(py, schema, self.rows, method);
        for (column, array) in own {
            self.arrays[column] = array;
        }
        (self.info, self.players, self.step, self.containers) = (info, players, step, containers);
        shown
    }

    /// Moves all columns of the batch back into the batch's own memory, with their rows if `keeps_rows`, because the result waits
    /// for its conversion.
    fn own_columns(&mut self, py: Python<'_>, schema: &ResultSchema, keeps_rows: bool) -> PyResult<()> {
        let batch = self.batch.as_mut().expect("the batch to show");
        if !keeps_rows {
            batch.return_columns();
            return Ok(());
        }
        batch.reclaim_columns();
        self.make_arrays(py, schema, self.rows)
    }

    /// Returns a result with the arrays of a rollout buffer's slot.
    fn show_slot(
        &mut self,
        py: Python<'_>,
        schema: &ResultSchema,
        method: ResultKind,
        buffer: &RolloutBuffer,
        slot: usize,
    ) -> PyResult<Py<PyAny>> {
        let mut view = buffer.take_view(py, slot)?;
        let shown = self.assemble_through(py, schema, method, &mut view);
        self.payload_arguments = view.payload_arguments.take();
        buffer.restore_view(py, slot, view)?;
        shown
    }

    /// Returns a result with the arrays of `view`, and the pool's arrays for the columns that `view` lacks.
    fn assemble_through(
        &mut self,
        py: Python<'_>,
        schema: &ResultSchema,
        method: ResultKind,
        view: &mut Self,
    ) -> PyResult<Py<PyAny>> {
        let has_extras = self.batch.as_deref().is_some_and(|batch| schema.has_extras(batch));
        // `view.step` is `None` if the last result contained arrays of the pool.
        if let (ResultKind::Step, Some(step)) = (method, &view.step)
            && !has_extras
            && view.has_unmodified_dicts(py)
        {
            return Ok(step.clone_ref(py).into_any());
        }
        let is_own: Vec<bool> = view.arrays.iter().map(Option::is_none).collect();
        let columns = || is_own.iter().enumerate().filter(|(_, own)| **own).map(|(column, _)| column);
        columns().try_for_each(|column| self.make_array(py, schema, column))?;
        (view.info, view.players, view.step) = (None, None, None);
        columns().for_each(|column| view.arrays[column] = self.arrays[column].take());
        view.batch = self.batch.take();
        let shown = view.assemble(py, schema, self.rows, method);
        self.batch = view.batch.take();
        if columns().next().is_some() {
            // Objects that contain arrays of the pool are not reused, because these arrays may have new memory in the next step.
            (view.info, view.players, view.step) = (None, None, None);
            view.containers.clear();
        }
        columns().for_each(|column| self.arrays[column] = view.arrays[column].take());
        shown
    }

    /// Creates the state of results that hold the caller's `arrays`, one entry for each column. Columns with `None` use the
    /// pool's arrays.
    pub fn over_arrays(rows: usize, arrays: Vec<Option<Array>>) -> Self {
        Self {
            batch: None,
            arrays,
            info: None,
            players: None,
            step: None,
            containers: Vec::new(),
            rows,
            is_deferred: false,
            payload_arguments: None,
            target: None,
        }
    }

    /// Returns whether the caller has left the last result's array objects unmodified.
    pub fn has_unmodified_arrays(&self) -> bool {
        self.arrays.iter().flatten().all(Array::is_unmodified)
    }

    /// Returns whether the caller has left the last result's dicts unmodified.
    fn has_unmodified_dicts(&self, py: Python<'_>) -> bool {
        let mut dicts = self.info.iter().chain(&self.players).chain(&self.containers);
        dicts.all(|container| container.is_unmodified(py))
    }
}

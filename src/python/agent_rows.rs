//! Reusable observations by environment and agent. Memory, arrays and dicts are reused after all other owners have released them.

use std::ptr;

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::arrays::Array;
use super::refcount;

/// Observations of environments with one agent each, `{env_id: {agent: row}}`. Each row is a view of one array.
#[pyclass(module = "envpool_rs._core")]
pub struct AgentRows {
    agent: Py<PyString>,
    buffer: Array,
    bytes: usize,
    rows: Vec<(Array, Py<PyDict>)>,
    by_env: Py<PyDict>,
}

#[pymethods]
impl AgentRows {
    /// Creates the arrays and dicts for batches whose dtype and shape equal those of `batch`.
    #[new]
    fn new(ids: &Bound<'_, PyList>, agent: &Bound<'_, PyString>, batch: &Bound<'_, PyUntypedArray>) -> PyResult<Self> {
        if batch.ndim() < 2 || batch.shape()[0] != ids.len() || batch.dtype().has_object() {
            return Err(PyValueError::new_err(format!(
                "batch: shape {:?}, expected {} rows of arrays of numbers",
                batch.shape(),
                ids.len()
            )));
        }
        let buffer = batch.call_method0("copy")?.cast_into::<PyUntypedArray>()?;
        let by_environments = PyDict::new(ids.py());
        let mut rows = Vec::with_capacity(ids.len());
        for (id, row) in ids.iter().zip(buffer.try_iter()?) {
            let (row, of_agents) = (row?, PyDict::new(ids.py()));
            of_agents.set_item(agent, &row)?;
            by_environments.set_item(id, &of_agents)?;
            rows.push((Array::made(row.cast_into()?), of_agents.unbind()));
        }
        let bytes = buffer.len() * buffer.dtype().itemsize();
        Ok(Self { agent: agent.clone().unbind(), buffer: Array::made(buffer), bytes, rows, by_env: by_environments.unbind() })
    }

    /// Copies `batch` into the arrays and returns them in a new outer dict. Returns `None` if another owner holds an array or
    /// dict, or if `batch` has another dtype or shape.
    fn shown<'py>(&self, batch: &Bound<'py, PyUntypedArray>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let py = batch.py();
        if !refcount::is_exact() || !self.is_unshared(py)? || !self.buffer.is_like(batch) {
            return Ok(None);
        }
        // SAFETY: `is_like` has checked that both arrays are C-contiguous and of the same type and shape, hence of the same
        // number of bytes. `is_unshared` has checked that no other owner holds this object's array, so they do not overlap and
        // there is no reader.
        unsafe {
            let from: *const u8 = (*batch.as_array_ptr()).fields.data.cast();
            ptr::copy_nonoverlapping(from, self.buffer.data(), self.bytes);
        }
        self.by_env.bind(py).copy().map(Some)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.by_env)?;
        self.rows.iter().try_for_each(|(_, of_agents)| visit.call(of_agents))
    }
}

impl AgentRows {
    /// Returns whether no other owner holds an array or dict, and whether all of them are unchanged.
    fn is_unshared(&self, py: Python<'_>) -> PyResult<bool> {
        // Expected references if there is no other owner: `self` and the row's dict hold each row; `self` and the outer dict hold
        // each dict; `self` and all rows hold the memory.
        if !self.buffer.is_unchanged(1 + self.rows.len() as u32) {
            return Ok(false);
        }
        for (row, of_agents) in &self.rows {
            let of_agents = of_agents.bind(py);
            let held = refcount::count(of_agents.as_ptr()) != 2 || of_agents.len() != 1;
            if held || !row.is_unchanged(2) || !of_agents.get_item(&self.agent)?.is_some_and(|value| value.is(row.object())) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

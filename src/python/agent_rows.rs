//! Observations by environments and agents whose memory, arrays and dicts serve again once nobody looks at them any more.

use std::ptr;

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::arrays::Array;
use super::refcount;

/// Observations of environments with one agent each, `{env_id: {agent: row}}`, each row a view of one array.
#[pyclass(module = "envpool_rs._core")]
pub struct AgentRows {
    agent: Py<PyString>,
    buffer: Array,
    bytes: usize,
    rows: Vec<(Array, Py<PyDict>)>,
    by_environments: Py<PyDict>,
}

#[pymethods]
impl AgentRows {
    /// Makes arrays and dicts like those that `batch` would have.
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
        Ok(Self {
            agent: agent.clone().unbind(),
            buffer: Array::made(buffer),
            bytes,
            rows,
            by_environments: by_environments.unbind(),
        })
    }

    /// A batch of the same kind in these arrays and dicts, in a new outer dict; `None` if anybody still holds one of them.
    fn shown<'py>(&self, batch: &Bound<'py, PyUntypedArray>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let py = batch.py();
        if !refcount::is_exact() || !self.is_spare(py)? || !self.buffer.is_like(batch) {
            return Ok(None);
        }
        // SAFETY: both arrays are C-contiguous, of the same type and shape, and hence of as many bytes; nobody else holds ours, so
        // that they do not overlap, and nobody reads it.
        unsafe {
            let from: *const u8 = (*batch.as_array_ptr()).fields.data.cast();
            ptr::copy_nonoverlapping(from, self.buffer.data(), self.bytes);
        }
        self.by_environments.bind(py).copy().map(Some)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.by_environments)?;
        self.rows.iter().try_for_each(|(_, of_agents)| visit.call(of_agents))
    }
}

impl AgentRows {
    /// Whether nobody else holds any of the arrays and dicts, and they are as they were made.
    fn is_spare(&self, py: Python<'_>) -> PyResult<bool> {
        // A row is held by us and its dict, that by us and the dict of environments, and the memory by us and all rows.
        if !self.buffer.is_as_made(1 + self.rows.len() as u32) {
            return Ok(false);
        }
        for (row, of_agents) in &self.rows {
            let of_agents = of_agents.bind(py);
            let held = refcount::count(of_agents.as_ptr()) != 2 || of_agents.len() != 1;
            if held || !row.is_as_made(2) || !of_agents.get_item(&self.agent)?.is_some_and(|value| value.is(row.object())) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

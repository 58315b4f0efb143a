//! `Workers`: the environments of worker processes, for a pool to play.

use std::sync::Arc;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use super::processes::{PythonProcesses, Shared};
use crate::raise::OrRaise;
use crate::transport::{EnvHost, SharedBlock};
use envpool_rs_engine::{ActionKey, LeafForm, Outside};
use envpool_rs_interop::workers::{ActionForm, WorkerLanes};

/// The environments of worker processes, all of them idle.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct Workers {
    block: Py<SharedBlock>,
    overseer: Py<PyAny>,
    host: Option<Py<EnvHost>>,
}

#[pymethods]
impl Workers {
    /// Those of `block`; `host` plays the caller's own.
    #[new]
    #[pyo3(signature = (block, overseer, host=None))]
    fn new(block: Py<SharedBlock>, overseer: Py<PyAny>, host: Option<Py<EnvHost>>) -> Self {
        Self { block, overseer, host }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.block)?;
        visit.call(&self.overseer)?;
        visit.call(&self.host)
    }
}

impl Workers {
    /// They as lanes of a pool.
    pub fn lanes(
        &self,
        py: Python<'_>,
        key: &ActionKey,
        head: &[u8],
        rows: Vec<LeafForm>,
        shared: Shared,
    ) -> PyResult<Box<dyn Outside>> {
        let host = self.host.as_ref().map(|host| host.clone_ref(py));
        let loads = py.import("pickle")?.getattr("loads")?.unbind();
        let processes = PythonProcesses::new(self.overseer.clone_ref(py), loads, host, shared);
        let block = Arc::clone(&self.block.get().block);
        let action = ActionForm::new(key, head).or_raise()?;
        Ok(Box::new(WorkerLanes::new(block, Box::new(processes), action, rows).or_raise()?))
    }
}

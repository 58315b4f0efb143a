//! `Workers`: environments of worker processes, as a backend of a pool.

use std::sync::Arc;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use super::processes::{PythonProcesses, Shared};
use crate::raise::OrRaise;
use crate::transport::{EnvHost, SharedBlock};
use envpool_rs_engine::{ActionKey, LeafForm, Outside};
use envpool_rs_interop::workers::{ActionForm, WorkerLanes};
use envpool_rs_transport::flags;

/// Environments of worker processes, all idle.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct Workers {
    block: Py<SharedBlock>,
    pub(super) overseer: Py<PyAny>,
    host: Option<Py<EnvHost>>,
}

#[pymethods]
impl Workers {
    /// Takes the environments of `block`; `host` runs the caller's own.
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
    /// Creates a backend whose messages are unpickled.
    pub fn lanes(
        &self,
        py: Python<'_>,
        key: &ActionKey,
        head: &[u8],
        rows: Vec<LeafForm>,
        shared: Shared,
    ) -> PyResult<Box<dyn Outside>> {
        let processes = self.processes(py, shared)?;
        Ok(Box::new(self.backend(processes, ActionForm::new(key, head).or_raise()?, rows)?))
    }

    /// Creates a backend whose replies report all flags, with messages as bytes.
    pub fn unread_lanes(
        &self,
        py: Python<'_>,
        key: &ActionKey,
        rows: Vec<LeafForm>,
        shared: Shared,
    ) -> PyResult<Box<dyn Outside>> {
        let processes = self.processes(py, shared)?.unread();
        let lanes = self.backend(processes, ActionForm::new(key, &[]).or_raise()?, rows)?;
        Ok(Box::new(lanes.reporting(flags::FOUR_VALUES)))
    }

    fn processes(&self, py: Python<'_>, shared: Shared) -> PyResult<PythonProcesses> {
        let host = self.host.as_ref().map(|host| host.clone_ref(py));
        let loads = py.import("pickle")?.getattr("loads")?.unbind();
        Ok(PythonProcesses::new(self.overseer.clone_ref(py), loads, host, shared))
    }

    fn backend(&self, processes: PythonProcesses, action: ActionForm, rows: Vec<LeafForm>) -> PyResult<WorkerLanes> {
        WorkerLanes::new(Arc::clone(&self.block.get().block), Box::new(processes), action, rows).or_raise()
    }
}

//! `Workers`: environments in worker processes, from which a pool's backend is created.

use std::sync::Arc;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use super::processes::{BackendContext, PythonSupervisor};
use crate::raise::OrRaise;
use crate::transport::{EnvHost, SharedBlock};
use envpool_rs_engine::{ActionKey, LaneBackend, LeafSpec};
use envpool_rs_interop::workers::{ActionWireFormat, WorkerBackend};
use envpool_rs_transport::flags;

/// Environments in worker processes, from which a pool's backend is created. No environment has a pending request.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct Workers {
    block: Py<SharedBlock>,
    pub(super) overseer: Py<PyAny>,
    host: Option<Py<EnvHost>>,
}

#[pymethods]
impl Workers {
    /// Wraps the environments of the shared-memory block `block`. `host` runs the environments of the calling process.
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
    /// Creates a backend that unpickles the environments' messages. With `players`, rows hold the rewards of this number of players.
    pub fn create_backend(
        &self,
        py: Python<'_>,
        key: &ActionKey,
        head: &[u8],
        rows: Vec<LeafSpec>,
        players: Option<usize>,
        shared: BackendContext,
    ) -> PyResult<Box<dyn LaneBackend>> {
        let processes = self.processes(py, shared)?;
        let backend = self.over_processes(processes, ActionWireFormat::new(key, head).or_raise()?, rows)?;
        Ok(match players {
            Some(players) => Box::new(backend.with_reward_leaf(players).or_raise()?),
            None => Box::new(backend),
        })
    }

    /// Creates a backend that reports all flags of replies, and keeps messages as bytes.
    pub fn create_raw_backend(
        &self,
        py: Python<'_>,
        key: &ActionKey,
        rows: Vec<LeafSpec>,
        shared: BackendContext,
    ) -> PyResult<Box<dyn LaneBackend>> {
        let processes = self.processes(py, shared)?.without_unpickling();
        let lanes = self.over_processes(processes, ActionWireFormat::new(key, &[]).or_raise()?, rows)?;
        Ok(Box::new(lanes.reporting(flags::FOUR_VALUES)))
    }

    fn processes(&self, py: Python<'_>, shared: BackendContext) -> PyResult<PythonSupervisor> {
        let host = self.host.as_ref().map(|host| host.clone_ref(py));
        let loads = py.import("pickle")?.getattr("loads")?.unbind();
        Ok(PythonSupervisor::new(self.overseer.clone_ref(py), loads, host, shared))
    }

    fn over_processes(
        &self,
        processes: PythonSupervisor,
        action: ActionWireFormat,
        rows: Vec<LeafSpec>,
    ) -> PyResult<WorkerBackend> {
        WorkerBackend::new(Arc::clone(&self.block.get().block), Box::new(processes), action, rows).or_raise()
    }
}

//! `SharedBlock`: Python class that wraps a shared-memory block.

use std::sync::{Arc, OnceLock};

use numpy::PyArrayDescrMethods;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::leaf_type::LeafType;
use crate::raise::OrRaise;
use envpool_rs_transport::{LeafSize, RowLayout, ShmSegment, WakeStrategy};

/// Shared-memory block of a caller and its worker processes.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct SharedBlock {
    pub(crate) block: Arc<ShmSegment>,
    /// Leaves of each environment, set once when rows are allocated.
    pub(super) leaves: OnceLock<Vec<Vec<LeafType>>>,
}

/// Passes a file to other processes as its descriptor (Unix) or handle (Windows).
#[cfg(unix)]
mod handle {
    use std::fs::File;
    use std::mem::ManuallyDrop;
    use std::os::fd::{AsRawFd, FromRawFd};

    /// Name of the class in `multiprocessing.reduction` that sends a file to another process.
    pub const CARRIER: &str = "DupFd";

    pub fn of(file: &File) -> i64 {
        file.as_raw_fd().into()
    }

    /// Opens a second file for `handle`, which the caller still owns.
    pub fn duplicate(handle: i64) -> std::io::Result<File> {
        let number = i32::try_from(handle).ok().filter(|number| *number >= 0);
        let number = number.ok_or_else(|| std::io::Error::from(std::io::ErrorKind::InvalidInput))?;
        // SAFETY: `ManuallyDrop` keeps the file from being closed here; for a number without an open file, `try_clone` returns an
        // error.
        ManuallyDrop::new(unsafe { File::from_raw_fd(number) }).try_clone()
    }
}

#[cfg(windows)]
mod handle {
    use std::fs::File;
    use std::mem::ManuallyDrop;
    use std::os::windows::io::{AsRawHandle, FromRawHandle};

    pub const CARRIER: &str = "DupHandle";

    pub fn of(file: &File) -> i64 {
        file.as_raw_handle() as i64
    }

    pub fn duplicate(handle: i64) -> std::io::Result<File> {
        // SAFETY: `ManuallyDrop` keeps the file from being closed here; for a number that is not a handle, `try_clone` returns an
        // error.
        ManuallyDrop::new(unsafe { File::from_raw_handle(handle as *mut _) }).try_clone()
    }
}

fn wake_up(name: &str) -> PyResult<WakeStrategy> {
    match name {
        "auto" => Ok(WakeStrategy::best()),
        "futex" if WakeStrategy::best() == WakeStrategy::Futex => Ok(WakeStrategy::Futex),
        "poll" => Ok(WakeStrategy::Poll),
        _ => Err(PyValueError::new_err(format!("wake_up={name:?}: expected 'auto', 'poll', or (on Linux) 'futex'"))),
    }
}

impl SharedBlock {
    fn from_block(segment: ShmSegment) -> Self {
        Self { block: Arc::new(segment), leaves: OnceLock::new() }
    }

    /// Returns the leaves of an environment; empty before rows are allocated.
    pub(super) fn leaves_of(&self, env: usize) -> &[LeafType] {
        self.leaves.get().map_or(&[], |leaves| &leaves[env])
    }
}

#[pymethods]
impl SharedBlock {
    /// Creates a block.
    #[new]
    #[pyo3(signature = (worker_of, *, message_bytes=4096, wake_up="auto"))]
    fn new(worker_of: Vec<i64>, message_bytes: usize, wake_up: &str) -> PyResult<Self> {
        let worker = |number: &i64| match number {
            -1 => Ok(None),
            number => u32::try_from(*number).map(Some).map_err(|_| {
                PyValueError::new_err(format!("worker_of={number}: expected a worker's number, or -1 for the caller"))
            }),
        };
        let worker_of = worker_of.iter().map(worker).collect::<PyResult<Vec<_>>>()?;
        Ok(Self::from_block(ShmSegment::create(&worker_of, message_bytes, self::wake_up(wake_up)?).or_raise()?))
    }

    /// Attaches to the block to which a file descriptor (on Windows: a handle) refers. The caller must close the descriptor
    /// afterwards.
    #[staticmethod]
    fn attach(fd: i64) -> PyResult<Self> {
        Ok(Self::from_block(ShmSegment::attach(handle::duplicate(fd)?).or_raise()?))
    }

    /// File descriptor (on Windows: handle) of the block.
    #[getter]
    fn fd(&self) -> i64 {
        handle::of(self.block.file())
    }

    /// Number of environments.
    #[getter]
    fn num_envs(&self) -> usize {
        self.block.num_envs()
    }

    /// Number of worker processes.
    #[getter]
    fn num_workers(&self) -> usize {
        self.block.num_workers()
    }

    /// Returns whether `close` has requested that the workers end.
    #[getter]
    fn closing(&self) -> bool {
        self.block.is_closing()
    }

    /// State of each environment's request: 0 idle, 1 requested, 2 running, 3 finished.
    #[getter]
    fn states(&self) -> Vec<u8> {
        (0..self.block.num_envs()).map(|env| self.block.state(env) as u8).collect()
    }

    /// Requests that all workers end. Calling it twice is allowed.
    fn close(&self) {
        self.block.close();
    }

    /// Pickles a block for a process that `multiprocessing` is starting.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let carrier = py.import("multiprocessing.reduction")?.call_method1(handle::CARRIER, (self.fd(),))?;
        Ok((py.get_type::<Self>().getattr("_from_carrier")?, (carrier,)))
    }

    #[staticmethod]
    fn _from_carrier(carrier: &Bound<'_, PyAny>) -> PyResult<Self> {
        let received: i64 = carrier.call_method0("detach")?.extract()?;
        let block = Self::attach(received);
        carrier.py().import("os")?.call_method1("close", (received,))?;
        block
    }

    /// Allocates rows for the leaves (dtype, shape) of each environment's observations. The caller calls this first, then every
    /// worker with the same arguments.
    #[pyo3(signature = (layouts, final_rows))]
    fn allocate(&self, py: Python<'_>, layouts: Vec<Vec<(Bound<'_, PyAny>, Vec<usize>)>>, final_rows: bool) -> PyResult<()> {
        let of_env = |leaves: Vec<(Bound<'_, PyAny>, Vec<usize>)>| {
            leaves.into_iter().map(|(dtype, shape)| LeafType::new(py, &dtype, shape)).collect::<PyResult<Vec<_>>>()
        };
        let leaves = layouts.into_iter().map(of_env).collect::<PyResult<Vec<_>>>()?;
        let sizes: Vec<Vec<LeafSize>> =
            leaves.iter().map(|leaves| leaves.iter().map(|leaf| LeafSize { bytes: leaf.bytes }).collect()).collect();
        // Environments can share a layout only if their dtypes are equal: leaves of equal size with different dtypes need
        // different layouts.
        let is_uniform = leaves.windows(2).all(|pair| {
            let types = |leaf: &LeafType| (leaf.descr(py).num(), leaf.shape_of(None));
            pair[0].iter().map(types).eq(pair[1].iter().map(types))
        });
        self.block.map_rows(RowLayout::new(&sizes, final_rows, is_uniform).or_raise()?, sizes.len()).or_raise()?;
        self.leaves.set(leaves).map_err(|_| PyRuntimeError::new_err("the rows have been allocated before"))
    }
}

//! Python classes that wrap the transport: the shared-memory block, hosts that run the requests of Python environments, and
//! connections to actors.

mod env_host;
mod frames;
mod leaf_type;
pub(super) mod plain_infos;
pub(super) mod plain_values;
mod shared_block;
pub(super) mod structure;

pub use env_host::EnvHost;
pub use frames::{FrameCall, FrameConnection, FrameListener, wait_for_replies};
pub use shared_block::SharedBlock;

use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use envpool_rs_transport::Error;

use super::raise::Raise;

impl Raise for Error {
    fn into_py_err(self) -> PyErr {
        let text = self.to_string();
        match self {
            Error::Value(_) => PyValueError::new_err(text),
            Error::Index(_) => PyIndexError::new_err(text),
            Error::State(_) => PyRuntimeError::new_err(text),
            // Replaced by the exception that the signal handler has raised.
            Error::Interrupted => PyKeyboardInterrupt::new_err(()),
            Error::System { source, .. } if source.kind() == std::io::ErrorKind::OutOfMemory => PyMemoryError::new_err(text),
            Error::System { .. } => PyOSError::new_err(text),
        }
    }
}

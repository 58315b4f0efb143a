//! Converts errors of environments in a backend to Python exceptions.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyTimeoutError;
use pyo3::prelude::*;

use crate::callbacks;
use crate::convert::to_bytes;
use crate::raise::Raise;
use crate::signals::Signals;
use envpool_rs_engine::{Error, LaneError};
use envpool_rs_interop::workers::WorkerPayload;
use envpool_rs_transport::flags;

/// Stores an exception that Python code raised while the engine called that code. The engine's errors cannot contain Python
/// exceptions.
#[derive(Clone, Default)]
pub struct PendingException(Arc<Mutex<Option<PyErr>>>);

impl PendingException {
    /// Stores an exception, unless one is stored already.
    pub fn store(&self, error: PyErr) {
        let mut stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let surplus = if stored.is_none() { stored.replace(error) } else { Some(error) };
        drop(stored);
        drop(surplus); // dropped after the mutex is unlocked, because dropping may run Python code
    }

    /// Calls Python code with `object` and returns its result. If the code raises, stores the exception for the waiting caller
    /// and returns `None`.
    pub fn call<T>(&self, object: &Py<PyAny>, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        let asked = Python::try_attach(|py| {
            let _entered = callbacks::enter(py);
            ask(object.bind(py)).map_err(|error| self.store(error)).ok()
        });
        asked.flatten()
    }

    /// Removes and returns the stored exception, if there is one.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns whether an exception is stored.
    pub fn is_some(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Creates the error of an environment from the message and the pickled form of its exception. [`ExceptionMapper::rebuild`]
/// converts the error back to the exception.
pub fn raised_error(text: &str, bytes: &[u8]) -> LaneError {
    let payload = WorkerPayload { flags: flags::FAILED, bytes }.encode();
    LaneError::raised(text, payload.unwrap_or_default()) // without memory, only the message
}

/// Checks for signals and for stored exceptions while the engine works.
pub struct InterruptCheck {
    signals: Signals,
    pending: Option<PendingException>,
}

impl InterruptCheck {
    /// Creates the check. `pending` stores exceptions of Python code that the engine calls; `None` if the engine calls no Python
    /// code.
    #[inline]
    pub fn new(pending: Option<PendingException>) -> Self {
        Self { signals: Signals::default(), pending }
    }

    /// Returns whether a signal handler, or Python code that the engine called, has raised an exception.
    pub fn interrupted(&mut self) -> bool {
        self.pending.as_ref().is_some_and(PendingException::is_some) || self.signals.interrupted()
    }

    /// Returns the exception that a signal handler raised.
    pub fn raised(self) -> Option<PyErr> {
        self.signals.raised()
    }
}

/// Converts the engine's errors to Python exceptions.
pub struct ExceptionMapper {
    /// Python callable `rebuilt(env_id, told, losses, advice)`: recreates an exception from its payload.
    pub rebuilt: Py<PyAny>,
    /// Exception raised by Python code that the engine called.
    pub pending: PendingException,
    /// Timeout of calls in seconds, formatted for error messages.
    pub timeout: Option<String>,
}

impl ExceptionMapper {
    /// Converts an error of the engine to a Python exception.
    pub fn to_exception(&self, py: Python<'_>, error: Error) -> PyErr {
        match error {
            Error::Interrupted => self.pending.take().unwrap_or_else(|| error.into_py_err()),
            Error::Timeout { lanes } => self.timeout_error(&lanes),
            // The environment panicked in a pool of another process, so there is no Python exception to recreate.
            Error::Failed(failed) if matches!(failed.fault, LaneError::Panicked(_)) => Error::Failed(failed).into_py_err(),
            Error::Failed(failed) => {
                let raised = self.rebuild(py, failed.lane, &failed.fault, Some(failed.remedy()));
                // Exceptions of classes that refuse attributes are raised without ids.
                drop(raised.value(py).setattr("env_ids", crate::failed_env_ids(&failed)));
                raised
            }
            Error::HostLost(failed) => self.rebuild(py, failed.lane, &failed.fault, None),
            error => error.into_py_err(),
        }
    }

    fn timeout_error(&self, lanes: &[u32]) -> PyErr {
        let names: Vec<_> = lanes.iter().map(u32::to_string).collect();
        let unfinished = match lanes {
            [_] => format!("environment {} has", names[0]),
            _ => format!("environments {} have", names.join(", ")),
        };
        let timeout = self.timeout.as_deref().unwrap_or("None");
        PyTimeoutError::new_err(format!("{unfinished} not finished within timeout={timeout} s: recv() goes on waiting"))
    }

    /// Returns the payload of an error, and the number of times in a row that the environment's process was lost: 0 if it was not
    /// lost.
    pub fn payload_and_losses(fault: &LaneError) -> (&[u8], u32) {
        match fault {
            LaneError::HostLost { payload, consecutive_losses, .. } => (payload.bytes(), *consecutive_losses),
            LaneError::Raised { payload, .. } => (WorkerPayload::decode(payload).map_or(&[][..], |payload| payload.bytes), 0),
            LaneError::Panicked(_) => (&[], 0),
        }
    }

    /// Recreates the Python exception of an environment's error.
    pub fn rebuild(&self, py: Python<'_>, lane: usize, fault: &LaneError, advice: Option<String>) -> PyErr {
        let (payload, losses) = Self::payload_and_losses(fault);
        let _entered = callbacks::enter(py);
        let raised = to_bytes(py, payload)
            .and_then(|payload| self.rebuilt.bind(py).call1((lane, payload, fault.to_string(), losses, advice)));
        raised.map_or_else(|error| error, PyErr::from_value)
    }
}

//! Converts errors of backend environments to Python exceptions.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyTimeoutError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::callbacks;
use crate::raise::Raise;
use crate::signals::Signals;
use envpool_rs_engine::{Error, Fault};
use envpool_rs_interop::workers::Told;
use envpool_rs_transport::flags;

/// Exception that Python code raised while the engine called it. The engine itself carries no Python exceptions.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Stores an exception, unless there is one already.
    pub fn keep(&self, error: PyErr) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let surplus = if kept.is_none() { kept.replace(error) } else { Some(error) };
        drop(kept);
        drop(surplus); // without the mutex: it may run Python code
    }

    /// Calls Python code with `object` and returns its result. If it raises, stores the exception for the waiting caller and
    /// returns `None`.
    pub fn asked<T>(&self, object: &Py<PyAny>, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        let asked = Python::try_attach(|py| {
            let _entered = callbacks::enter(py);
            ask(object.bind(py)).map_err(|error| self.keep(error)).ok()
        });
        asked.flatten()
    }

    /// Takes the stored exception.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns whether an exception is stored.
    pub fn is_some(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Creates a fault that [`Failures::rebuilt`] converts, from the exception's text and its pickled form.
pub fn fault(text: &str, bytes: &[u8]) -> Fault {
    Fault::raised(text, Told { flags: flags::FAILED, bytes }.message())
}

/// Checks for signals and for stored exceptions while the engine works.
pub struct Interruptions {
    signals: Signals,
    beside: Option<Raised>,
}

impl Interruptions {
    /// Starts without an exception of a signal handler; `beside` holds exceptions of called Python code, if there can be any.
    #[inline]
    pub fn new(beside: Option<Raised>) -> Self {
        Self { signals: Signals::default(), beside }
    }

    /// Returns whether a signal handler or called Python code has raised.
    pub fn interrupted(&mut self) -> bool {
        self.beside.as_ref().is_some_and(Raised::is_some) || self.signals.interrupted()
    }

    /// Returns the exception of a signal handler.
    pub fn raised(self) -> Option<PyErr> {
        self.signals.raised()
    }
}

/// Converts errors to exceptions.
pub struct Failures {
    /// `rebuilt(env_id, told, losses, advice)`: recreates the exception from its payload.
    pub rebuilt: Py<PyAny>,
    /// Exception of called Python code.
    pub raised: Raised,
    /// Timeout of calls in seconds, as the user gave it.
    pub timeout: Option<String>,
}

impl Failures {
    /// Converts an error to an exception.
    pub fn error(&self, py: Python<'_>, error: Error) -> PyErr {
        match error {
            Error::Interrupted => self.raised.take().unwrap_or_else(|| error.into_py_err()),
            Error::Late { lanes } => self.late(&lanes),
            // A panic of a native environment, in a pool in another process.
            Error::Failed(failed) if matches!(failed.fault, Fault::Panicked(_)) => Error::Failed(failed).into_py_err(),
            Error::Failed(failed) => self.rebuilt(py, failed.lane, &failed.fault, Some(failed.advice())),
            Error::Unreachable(failed) => self.rebuilt(py, failed.lane, &failed.fault, None),
            error => error.into_py_err(),
        }
    }

    fn late(&self, lanes: &[u32]) -> PyErr {
        let names: Vec<_> = lanes.iter().map(u32::to_string).collect();
        let who = match lanes {
            [_] => format!("environment {} has", names[0]),
            _ => format!("environments {} have", names.join(", ")),
        };
        let timeout = self.timeout.as_deref().unwrap_or("None");
        PyTimeoutError::new_err(format!("{who} not finished within timeout={timeout} s: recv() goes on waiting"))
    }

    /// Returns a fault's payload, and the number of consecutive losses of the environment's process (0: it was not lost).
    pub fn parts(fault: &Fault) -> (&[u8], u32) {
        match fault {
            Fault::Lost { told, deaths, .. } => (told.bytes(), *deaths),
            Fault::Raised { told, .. } => (Told::of(told).map_or(&[][..], |told| told.bytes), 0),
            Fault::Panicked(_) => (&[], 0),
        }
    }

    /// Converts a fault to its exception.
    pub fn rebuilt(&self, py: Python<'_>, lane: usize, fault: &Fault, advice: Option<String>) -> PyErr {
        let (told, losses) = Self::parts(fault);
        let _entered = callbacks::enter(py);
        let raised = self.rebuilt.bind(py).call1((lane, PyBytes::new(py, told), fault.to_string(), losses, advice));
        raised.map_or_else(|error| error, PyErr::from_value)
    }
}

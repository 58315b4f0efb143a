//! Errors of environments that are played outside of the engine, as the exceptions that they are.

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

/// What code of Python's raised while the engine called it, which it carries no exceptions through.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps an exception, unless there is one already.
    pub fn keep(&self, error: PyErr) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let surplus = if kept.is_none() { kept.replace(error) } else { Some(error) };
        drop(kept);
        drop(surplus); // without the lock: it may run Python code
    }

    /// What code of Python's says of `object`, unless it raises: then that is kept for whoever waits.
    pub fn asked<T>(&self, object: &Py<PyAny>, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        let asked = Python::try_attach(|py| {
            let _entered = callbacks::enter(py);
            ask(object.bind(py)).map_err(|error| self.keep(error)).ok()
        });
        asked.flatten()
    }

    /// Takes it.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether there is one.
    pub fn is_some(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// The fault that [`Failures::rebuilt`] takes apart: what was raised, in words and as Python has it in bytes.
pub fn fault(text: &str, bytes: &[u8]) -> Fault {
    Fault::raised(text, Told { flags: flags::FAILED, bytes }.message())
}

/// Looks for signals while the engine works and for what was raised beside, and keeps what handlers raise.
pub struct Interruptions {
    signals: Signals,
    beside: Option<Raised>,
}

impl Interruptions {
    /// Nothing was raised so far, but perhaps beside, where something can be.
    #[inline]
    pub fn new(beside: Option<Raised>) -> Self {
        Self { signals: Signals::default(), beside }
    }

    /// Whether something has been raised.
    pub fn interrupted(&mut self) -> bool {
        self.beside.as_ref().is_some_and(Raised::is_some) || self.signals.interrupted()
    }

    /// What a handler has raised.
    pub fn raised(self) -> Option<PyErr> {
        self.signals.raised()
    }
}

/// Makes exceptions of errors.
pub struct Failures {
    /// `rebuilt(env_id, told, losses, advice)`: the exception that was told of.
    pub rebuilt: Py<PyAny>,
    /// What was raised between.
    pub raised: Raised,
    /// Seconds that calls wait at most, as they were given.
    pub timeout: Option<String>,
}

impl Failures {
    /// The exception for an error.
    pub fn error(&self, py: Python<'_>, error: Error) -> PyErr {
        match error {
            Error::Interrupted => self.raised.take().unwrap_or_else(|| error.into_py_err()),
            Error::Late { lanes } => self.late(&lanes),
            // An environment of the engine's, in a pool elsewhere.
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

    /// What a fault tells in bytes, and how often in a row the environment's process was lost (0: it was not).
    pub fn parts(fault: &Fault) -> (&[u8], u32) {
        match fault {
            Fault::Lost { told, deaths, .. } => (told.bytes(), *deaths),
            Fault::Raised { told, .. } => (Told::of(told).map_or(&[][..], |told| told.bytes), 0),
            Fault::Panicked(_) => (&[], 0),
        }
    }

    /// The exception that a fault tells of.
    pub fn rebuilt(&self, py: Python<'_>, lane: usize, fault: &Fault, advice: Option<String>) -> PyErr {
        let (told, losses) = Self::parts(fault);
        let _entered = callbacks::enter(py);
        let raised = self.rebuilt.bind(py).call1((lane, PyBytes::new(py, told), fault.to_string(), losses, advice));
        raised.map_or_else(|error| error, PyErr::from_value)
    }
}

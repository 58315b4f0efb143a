//! Handles signals such as Ctrl-C while the engine runs.

use pyo3::prelude::*;

use crate::raise::Raise;
use envpool_rs_engine::Error;

/// Checks for signals while the engine works, and stores the exception that a handler raises.
#[derive(Default)]
pub struct Signals(Option<PyErr>);

impl Signals {
    /// Runs pending signal handlers. Returns whether a handler has raised an exception.
    pub fn interrupted(&mut self) -> bool {
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(raised) => {
                self.0 = Some(raised);
                true
            }
        }
    }

    /// Returns the exception that a signal handler has raised, if any.
    pub fn raised(self) -> Option<PyErr> {
        self.0
    }

    /// Converts an engine error to a Python exception. For an interrupt, this is the exception that the handler raised.
    pub fn into_exception(self, error: Error) -> PyErr {
        match (error, self.0) {
            (Error::Interrupted, Some(raised)) => raised,
            (error, _) => error.into_py_err(),
        }
    }
}

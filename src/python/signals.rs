//! Ctrl-C while the engine works.

use pyo3::prelude::*;

use crate::raise::Raise;
use envpool_rs_engine::Error;

/// Looks for signals while the engine works, and keeps what their handlers raise.
#[derive(Default)]
pub struct Signals(Option<PyErr>);

impl Signals {
    /// Whether a handler has raised.
    pub fn interrupted(&mut self) -> bool {
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(raised) => {
                self.0 = Some(raised);
                true
            }
        }
    }

    /// What a handler has raised.
    pub fn raised(self) -> Option<PyErr> {
        self.0
    }

    /// What the engine's error is in Python.
    pub fn error(self, error: Error) -> PyErr {
        match (error, self.0) {
            (Error::Interrupted, Some(raised)) => raised,
            (error, _) => error.into_py_err(),
        }
    }
}

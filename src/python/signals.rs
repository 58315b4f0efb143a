//! Ctrl-C while the engine works.

use pyo3::prelude::*;

use super::outside::Raised;
use crate::engine::Error;

/// Looks for signals while the engine works, and keeps what their handlers raise.
#[derive(Default)]
pub struct Signals {
    raised: Option<PyErr>,
    /// Where code of Python's that the engine calls leaves what it raised.
    beside: Option<Raised>,
}

impl Signals {
    /// Looks for what is left there, too.
    pub fn beside(raised: Raised) -> Self {
        Self { raised: None, beside: Some(raised) }
    }

    /// Whether a handler has raised.
    pub fn interrupted(&mut self) -> bool {
        if self.beside.as_ref().is_some_and(Raised::is_some) {
            return true;
        }
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(raised) => {
                self.raised = Some(raised);
                true
            }
        }
    }

    /// What a handler has raised.
    pub fn raised(self) -> Option<PyErr> {
        self.raised
    }

    /// What the engine's error is in Python.
    pub fn error(self, error: Error) -> PyErr {
        match (error, self.raised) {
            (Error::Interrupted, Some(raised)) => raised,
            (error, _) => error.into(),
        }
    }
}

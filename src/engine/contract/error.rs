//! Errors of the engine, as one enum, which the Python bindings map to exceptions.

use crate::contract::lane_error::{BatchFailure, LaneError, timeout_text};

/// Error that the engine reports to its caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An argument has a value that is not allowed (Python: `ValueError`).
    #[error("{0}")]
    Value(String),
    /// An argument has the wrong type (Python: `TypeError`).
    #[error("{0}")]
    Type(String),
    /// An environment id outside `0..num_envs` (Python: `IndexError`).
    #[error("{0}")]
    Index(String),
    /// The call is not allowed in the current state of the pool (Python: `RuntimeError`).
    #[error("{0}")]
    State(String),
    /// The pool has been closed (Python: `RuntimeError`, and gymnasium's `ClosedEnvironmentError`).
    #[error("this pool is closed")]
    Closed,
    /// A step or a render call needs a reset first (Python: `RuntimeError`, and gymnasium's `ResetNeeded`).
    #[error("environment {lane} has never been reset: reset it before {before}")]
    NeverReset {
        /// Id of the environment that needs a reset.
        lane: usize,
        /// Name of the rejected operation, with which the error message ends.
        before: &'static str,
    },
    /// The result of an earlier request to the environment has not been received yet (Python: `RuntimeError`, and gymnasium's
    /// `AlreadyPendingCallError`).
    #[error("env_id {lane} is in flight: its result has to be received first")]
    InFlight {
        /// Id of the environment whose request is pending.
        lane: usize,
    },
    /// The pool does not fit into the machine's memory (Python: `MemoryError`).
    #[error("{0}")]
    Memory(String),
    /// The caller's interrupt hook ended a wait; no result is lost.
    #[error("interrupted while waiting")]
    Interrupted,
    /// A file does not exist (Python: `FileNotFoundError`).
    #[error("{0}")]
    NotFound(String),
    /// No task has the requested name (Python: `ValueError`).
    #[error("{0}")]
    UnknownTask(String),
    /// Environments panicked, or their backend reported that they failed (Python: `RuntimeError`, or the exception that they
    /// raised). The next `recv` returns the rows of the other environments.
    #[error("{0}")]
    Failed(Box<BatchFailure>),
    /// The host of an environment is permanently lost; no request was sent (Python: the exception that describes how the host was
    /// lost).
    #[error("{}", .0.fault)]
    HostLost(Box<BatchFailure>),
    /// A backend could not perform a request, for a reason unrelated to any single environment.
    #[error("{0}")]
    Backend(Box<LaneError>),
    /// Some environments have not completed by the deadline (Python: `TimeoutError`); no result is lost.
    #[error("{}", timeout_text(.lanes))]
    Timeout {
        /// Ids of the environments that have not completed.
        lanes: Vec<u32>,
    },
}

/// Result type of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<LaneError> for Error {
    fn from(fault: LaneError) -> Self {
        Self::Backend(Box::new(fault))
    }
}

impl Error {
    /// Aborts the current reset or step of an environment. The lane fails with this error; the other lanes continue.
    ///
    /// The receiver gets the error. Nothing is printed. Environments whose steps cannot fail have no overhead.
    ///
    /// # Panics
    /// Always; the engine catches the panic.
    pub fn raise(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }

    /// Returns an [`Error::Value`] for the argument `name`: `name=got: expected …`.
    pub fn value(name: &str, got: impl std::fmt::Display, expected: impl std::fmt::Display) -> Self {
        Self::Value(format!("{name}={}: expected {expected}", shortened(&got)))
    }
}

/// Maximum number of characters of an argument's value in an error message.
const MAX_VALUE_CHARS: usize = 1000;

/// Formats a value for an error message, cut to the first 1000 characters.
pub fn shortened(value: &impl std::fmt::Display) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_VALUE_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

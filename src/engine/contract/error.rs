//! What can go wrong, as one enum; the Python bindings map it to exceptions in one place.

use crate::contract::fault::{Failed, Fault, late};

/// Everything the engine reports to its caller.
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
    /// The call does not fit the state of the pool (Python: `RuntimeError`).
    #[error("{0}")]
    State(String),
    /// The pool has been closed (Python: `RuntimeError`, and gymnasium's `ClosedEnvironmentError`).
    #[error("this pool is closed")]
    Closed,
    /// An environment was to be stepped or drawn that has never been reset (Python: `RuntimeError`, and gymnasium's
    /// `ResetNeeded`).
    #[error("environment {lane} has never been reset: reset it before {before}")]
    NeverReset {
        /// Which.
        lane: usize,
        /// What it was to do, as the end of the sentence.
        before: &'static str,
    },
    /// An environment has not been received yet from what it was asked before (Python: `RuntimeError`, and
    /// gymnasium's `AlreadyPendingCallError`).
    #[error("env_id {lane} is in flight: its result has to be received first")]
    InFlight {
        /// Which.
        lane: usize,
    },
    /// The pool does not fit the machine (Python: `MemoryError`).
    #[error("{0}")]
    Memory(String),
    /// The caller's interrupt hook ended a wait; nothing is lost.
    #[error("interrupted while waiting")]
    Interrupted,
    /// A file is not there (Python: `FileNotFoundError`).
    #[error("{0}")]
    NotFound(String),
    /// No task of that name (Python: `ValueError`).
    #[error("{0}")]
    UnknownTask(String),
    /// Environments panicked, or those who play them elsewhere say that they failed (Python: `RuntimeError`, or what they raised); the
    /// rows of the others come with the next `recv`.
    #[error("{0}")]
    Failed(Box<Failed>),
    /// Who plays an environment is gone for good: refused before anything was sent (Python: what tells of the loss).
    #[error("{}", .0.fault)]
    Unreachable(Box<Failed>),
    /// Whoever plays environments outside of the engine could not do what he was asked, for a reason that is no environment's.
    #[error("{0}")]
    Outside(Box<Fault>),
    /// These environments have not answered by the deadline (Python: `TimeoutError`); nothing is lost.
    #[error("{}", late(.lanes))]
    Late {
        /// Which.
        lanes: Vec<u32>,
    },
}

/// Shorthand for results of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Outside(Box::new(fault))
    }
}

impl Error {
    /// Ends the reset or step that an environment is in the middle of: the lane fails, the others go on, and whoever receives is told
    /// this. Nothing is printed, and environments whose steps cannot fail pay nothing for it.
    ///
    /// # Panics
    /// Always; the engine catches it.
    pub fn raise(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }

    /// An [`Error::Value`] for the argument `name`: `name=got: expected …`.
    pub fn value(name: &str, got: impl std::fmt::Display, expected: impl std::fmt::Display) -> Self {
        Self::Value(format!("{name}={}: expected {expected}", shortened(&got)))
    }
}

/// Characters of a value that a message shows.
const MOST_SHOWN: usize = 1000;

/// A value as messages show it: the beginning of long ones.
pub fn shortened(value: &impl std::fmt::Display) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

//! What can go wrong, as one enum; the Python bindings map it to exceptions in one place.

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
}

/// Shorthand for results of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
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

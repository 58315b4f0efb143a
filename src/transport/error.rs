//! Errors of the transport.

/// Error that a function of the transport returns.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An argument has a value that is not allowed.
    #[error("{0}")]
    Value(String),
    /// The environment or worker does not exist.
    #[error("{0}")]
    Index(String),
    /// The call is not allowed in the current state of the environments.
    #[error("{0}")]
    State(String),
    /// The caller has asked to stop waiting.
    #[error("interrupted")]
    Interrupted,
    /// The operating system failed to provide memory, a file or a connection.
    #[error("{what}: {source}")]
    System {
        /// Resource that was requested.
        what: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
}

/// Result of a transport function.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Returns a function that converts an I/O error into an [`Error::System`] for a requested resource.
    pub(super) fn system(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        |source| Self::System { what: what.into(), source }
    }
}

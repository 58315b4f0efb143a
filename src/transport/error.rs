//! What can go wrong between processes.

/// Everything the transport reports to its user.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An argument has a value that is not allowed.
    #[error("{0}")]
    Value(String),
    /// An environment that does not exist.
    #[error("{0}")]
    Index(String),
    /// The call does not fit the state of the environments.
    #[error("{0}")]
    State(String),
    /// The operating system refused memory or a file.
    #[error("{what}: {source}")]
    System {
        /// What was asked of it.
        what: String,
        /// What it said.
        source: std::io::Error,
    },
}

/// Shorthand for results of the transport.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An [`Error::System`] of what was tried.
    pub(super) fn system(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        |source| Self::System { what: what.into(), source }
    }
}

//! Errors of single environments, and the opaque payloads that describe them.

use std::fmt;

use crate::contract::error::Result;
use crate::contract::memory::refused_memory;

/// Opaque bytes that the engine passes on without reading: infos, exceptions, objects of an interpreter.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Payload(pub Box<[u8]>);

impl Payload {
    /// Copies the bytes of some parts, one after the other.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the copy.
    pub fn copied(parts: &[&[u8]]) -> Result<Self> {
        let len = parts.iter().map(|part| part.len()).sum();
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| refused_memory(len, "a message"))?;
        parts.iter().for_each(|part| bytes.extend_from_slice(part));
        Ok(bytes.into())
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Payload {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into_boxed_slice())
    }
}

impl From<&[u8]> for Payload {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({} bytes)", self.0.len())
    }
}

/// Reason why an operation on an environment failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaneError {
    /// The environment panicked in this process.
    Panicked(String),
    /// The environment raised an exception.
    Raised {
        /// Message of the exception as a string.
        text: String,
        /// Serialized exception.
        payload: Payload,
    },
    /// The host (process or actor) of the environment was lost, together with the environment's state.
    HostLost {
        /// Message that describes how the host was lost.
        text: String,
        /// Serialized exception that the receiver raises.
        payload: Payload,
        /// Number of times in a row that the host was lost, without a reply in between. The engine sets this number.
        consecutive_losses: u32,
    },
}

impl LaneError {
    /// Creates the error of an environment that raised an exception.
    pub fn raised(text: impl Into<String>, payload: impl Into<Payload>) -> Self {
        Self::Raised { text: text.into(), payload: payload.into() }
    }

    /// Creates the error of an environment whose host was lost.
    pub fn host_lost(text: impl Into<String>, payload: impl Into<Payload>) -> Self {
        Self::HostLost { text: text.into(), payload: payload.into(), consecutive_losses: 1 }
    }

    /// Returns the serialized exception, for a receiver that can decode it.
    pub fn payload(&self) -> Option<&Payload> {
        match self {
            Self::Panicked(_) => None,
            Self::Raised { payload, .. } | Self::HostLost { payload, .. } => Some(payload),
        }
    }
}

impl fmt::Display for LaneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(text) | Self::Raised { text, .. } | Self::HostLost { text, .. } => f.write_str(text),
        }
    }
}

/// Failed environments of a batch: the first one with its error, and the ids of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchFailure {
    /// Id of the first environment that failed.
    pub lane: usize,
    /// Error of the first environment that failed.
    pub fault: LaneError,
    /// Ids of the other environments that failed in the same batch, in ascending order.
    pub others: Vec<u32>,
    /// Number of rows of environments that succeeded; the next `recv` returns them.
    pub rows_pending: usize,
}

impl BatchFailure {
    /// Returns a sentence that explains how to continue after the failure.
    pub fn remedy(&self) -> String {
        let others = self.others_text();
        format!("environment {}{others} failed: reset it to go on with it{}", self.lane, self.pending_text())
    }

    fn others_text(&self) -> String {
        if self.others.is_empty() { String::new() } else { format!(" (and {} more)", self.others.len()) }
    }

    fn pending_text(&self) -> String {
        if self.rows_pending > 0 {
            format!("; recv() gives the results of the other {}", self.rows_pending)
        } else {
            String::new()
        }
    }
}

impl fmt::Display for BatchFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = self.others_text();
        let verb = if matches!(self.fault, LaneError::Panicked(_)) { "panicked" } else { "failed" };
        let (lane, fault, rest) = (self.lane, &self.fault, self.pending_text());
        write!(f, "environment {lane} {verb}{others}: {fault}. Reset it to go on with it{rest}")
    }
}

/// Returns the error message for lanes that have not completed by the deadline.
pub fn timeout_text(lanes: &[u32]) -> String {
    let names: Vec<_> = lanes.iter().map(u32::to_string).collect();
    match lanes {
        [lane] => format!("environment {lane} has not finished in time: recv() goes on waiting"),
        _ => format!("environments {} have not finished in time: recv() goes on waiting", names.join(", ")),
    }
}

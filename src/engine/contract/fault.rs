//! Failures of single environments, and the opaque payloads that describe them.

use std::fmt;

/// Opaque bytes that the engine never reads: infos, exceptions, objects of an interpreter.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Message(pub Box<[u8]>);

impl Message {
    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Message {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into_boxed_slice())
    }
}

impl From<&[u8]> for Message {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({} bytes)", self.0.len())
    }
}

/// Why an operation on an environment failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The environment panicked in this process.
    Panicked(String),
    /// The environment raised an exception.
    Raised {
        /// Text of the exception.
        text: String,
        /// Serialized exception.
        told: Message,
    },
    /// The host of the environment was lost, and the environment with it.
    Lost {
        /// Text that describes the loss.
        text: String,
        /// Serialized exception.
        told: Message,
        /// Consecutive losses of the host without a reply in between; the engine fills it in.
        deaths: u32,
    },
}

impl Fault {
    /// Creates the error of an environment that raised an exception.
    pub fn raised(text: impl Into<String>, told: impl Into<Message>) -> Self {
        Self::Raised { text: text.into(), told: told.into() }
    }

    /// Creates the error of an environment whose host was lost.
    pub fn lost(text: impl Into<String>, told: impl Into<Message>) -> Self {
        Self::Lost { text: text.into(), told: told.into(), deaths: 1 }
    }

    /// Returns the serialized exception, for a receiver that can decode it.
    pub fn told(&self) -> Option<&Message> {
        match self {
            Self::Panicked(_) => None,
            Self::Raised { told, .. } | Self::Lost { told, .. } => Some(told),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(text) | Self::Raised { text, .. } | Self::Lost { text, .. } => f.write_str(text),
        }
    }
}

/// Failed environments of a batch: the first one with its error, and the ids of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The first environment that failed.
    pub lane: usize,
    /// Its error.
    pub fault: Fault,
    /// Other environments that failed in the same batch, in ascending order.
    pub others: Vec<u32>,
    /// Number of rows of environments that succeeded; the next `recv` returns them.
    pub kept: usize,
}

impl Failed {
    /// Returns a text that says how to continue.
    pub fn advice(&self) -> String {
        let others = self.more();
        format!("environment {}{others} failed: reset it to go on with it{}", self.lane, self.rest())
    }

    fn more(&self) -> String {
        if self.others.is_empty() { String::new() } else { format!(" (and {} more)", self.others.len()) }
    }

    fn rest(&self) -> String {
        if self.kept > 0 { format!("; recv() gives the results of the other {}", self.kept) } else { String::new() }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = self.more();
        let verb = if matches!(self.fault, Fault::Panicked(_)) { "panicked" } else { "failed" };
        let (lane, fault, rest) = (self.lane, &self.fault, self.rest());
        write!(f, "environment {lane} {verb}{others}: {fault}. Reset it to go on with it{rest}")
    }
}

/// Returns the error text for lanes that have not completed by the deadline.
pub fn late(lanes: &[u32]) -> String {
    let names: Vec<_> = lanes.iter().map(u32::to_string).collect();
    match lanes {
        [lane] => format!("environment {lane} has not finished in time: recv() goes on waiting"),
        _ => format!("environments {} have not finished in time: recv() goes on waiting", names.join(", ")),
    }
}

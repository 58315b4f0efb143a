//! What goes wrong where an environment is played outside of the engine, and what is carried through it unread.

use std::fmt;

/// Bytes that the engine carries and never looks into: infos, exceptions, objects of an interpreter.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Message(pub Box<[u8]>);

impl Message {
    /// The bytes.
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

/// Why an environment did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It panicked in this process.
    Panicked(String),
    /// It raised an error of its own.
    Raised {
        /// The error in words.
        text: String,
        /// What it takes to raise it again.
        told: Message,
    },
    /// What played it is gone, and the environment with it.
    Lost {
        /// What happened, in words.
        text: String,
        /// What it takes to raise it.
        told: Message,
        /// How often the place has been lost in a row, without an answer between; filled in by the engine.
        deaths: u32,
    },
}

impl Fault {
    /// An error of the environment's own.
    pub fn raised(text: impl Into<String>, told: impl Into<Message>) -> Self {
        Self::Raised { text: text.into(), told: told.into() }
    }

    /// The loss of what played it.
    pub fn lost(text: impl Into<String>, told: impl Into<Message>) -> Self {
        Self::Lost { text: text.into(), told: told.into(), deaths: 1 }
    }

    /// What was told of it, for whoever can read that.
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

/// Environments of a batch that failed: the first of them, and what became of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The environment.
    pub lane: usize,
    /// What happened to it.
    pub fault: Fault,
    /// More that failed in the same batch, in ascending order.
    pub others: Vec<u32>,
    /// Rows of environments that are well, which come with the next `recv`.
    pub kept: usize,
}

impl Failed {
    /// How to go on.
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

/// Lanes that have not answered in time, in words.
pub fn late(lanes: &[u32]) -> String {
    let names: Vec<_> = lanes.iter().map(u32::to_string).collect();
    match lanes {
        [lane] => format!("environment {lane} has not finished in time: recv() goes on waiting"),
        _ => format!("environments {} have not finished in time: recv() goes on waiting", names.join(", ")),
    }
}

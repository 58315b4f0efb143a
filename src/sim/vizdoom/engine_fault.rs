//! Reasons for which an engine can no longer be used.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use super::message_queue::{self, LockHeld};

/// Free bytes below which a failed engine is attributed to full shared memory; other failed engines leave their files.
const NEARLY_FULL_BYTES: u64 = 1 << 20;
/// Free bytes below which an engine that does not answer is attributed to full shared memory.
const FULL_BYTES: u64 = 1 << 16;

/// Reason for which an engine can no longer be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineFault {
    /// The process could not be started.
    SpawnFailed(String),
    /// The engine reported an error and ended.
    EngineError(String),
    /// The process has exited.
    Exited(String),
    /// The engine did not answer within this time.
    TimedOut(Duration),
    /// The engine's version or behaviour is not supported.
    Unsupported(String),
    /// A replayed game differs from the saved one in these properties.
    ReplayMismatch(&'static str),
}

impl EngineFault {
    /// Creates the fault for an error of shared memory.
    pub fn no_shared_memory(error: io::Error) -> Self {
        Self::SpawnFailed(format!("there is no shared memory for it ({error})"))
    }

    /// Creates the fault for an exit status; mentions `/dev/shm` if it is nearly full, since engines then fail in several ways.
    pub fn from_exit_status(status: ExitStatus) -> Self {
        Self::Exited(match shortage(NEARLY_FULL_BYTES) {
            Some(why) => format!("{status}: {why}"),
            None => status.to_string(),
        })
    }

    /// Creates the fault for an engine that did not answer within `time`.
    pub fn from_timeout(time: Duration) -> Self {
        match shortage(NEARLY_FULL_BYTES) {
            Some(why) => Self::Exited(format!("it has not answered for {} seconds: {why}", time.as_secs_f64())),
            None => Self::TimedOut(time),
        }
    }
}

/// Describes the shortage if shared memory has fewer than `least` free bytes.
fn shortage(least: u64) -> Option<String> {
    let room = message_queue::free_bytes().filter(|room| *room < least)?;
    Some(format!("/dev/shm is too small for it, with {room} bytes left; `docker run --shm-size` enlarges it"))
}

/// Returns whether a starting engine may be blocked because shared memory is full.
pub fn is_shared_memory_full() -> bool {
    shortage(FULL_BYTES).is_some()
}

impl std::fmt::Display for EngineFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SpawnFailed(text) => write!(f, "its engine could not be started: {text}"),
            Self::EngineError(text) if text.contains("No player 1 start") => {
                let advice = "the map is for several players: game_args=\"-host 1 -deathmatch\" starts such a game with one";
                write!(f, "its engine ended: {} ({advice})", text.trim())
            }
            Self::EngineError(text) => write!(f, "its engine ended: {}", text.trim()),
            Self::Exited(text) => write!(f, "its engine is gone ({text})"),
            Self::TimedOut(time) => write!(f, "its engine has not answered for {} seconds and was ended", time.as_secs_f64()),
            Self::Unsupported(text) => write!(f, "its engine is not one that is known: {text}"),
            Self::ReplayMismatch(what) => write!(f, "its game was played again and {what} not what they were"),
        }
    }
}

impl From<LockHeld> for EngineFault {
    fn from(_: LockHeld) -> Self {
        Self::Exited("it holds on to its messages".into())
    }
}

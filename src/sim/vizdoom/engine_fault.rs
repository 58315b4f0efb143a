//! Reasons why a ViZDoom engine process can no longer be used.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use super::message_queue::LockHeld;
use super::shared_files;

/// Number of free bytes of shared memory below which the exit of an engine is attributed to full shared memory. The files of
/// other failed engines remain, so the memory is still nearly full after the exit.
const NEARLY_FULL_BYTES: u64 = 1 << 20;
/// Number of free bytes of shared memory below which a missing reply of an engine is attributed to full shared memory.
const FULL_BYTES: u64 = 1 << 16;

/// Reason why a ViZDoom engine process can no longer be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineFault {
    /// The engine's process could not be started.
    SpawnFailed(String),
    /// The engine reported an error and ended.
    EngineError(String),
    /// The engine's process has exited.
    Exited(String),
    /// The engine did not reply within this time limit.
    TimedOut(Duration),
    /// The engine's version or behaviour is not supported.
    Unsupported(String),
    /// A replayed game differs from the saved game; the string names the differing properties, such as `variables`.
    ReplayMismatch(&'static str),
}

impl EngineFault {
    /// Creates the fault [`EngineFault::SpawnFailed`] for a failed allocation of shared memory.
    pub fn no_shared_memory(error: io::Error) -> Self {
        Self::SpawnFailed(format!("shared memory cannot be allocated ({error})"))
    }

    /// Creates the fault [`EngineFault::Exited`] with the exit status of the engine process. Mentions `/dev/shm` if it is
    /// nearly full, because engines then fail in several ways.
    pub fn from_exit_status(status: ExitStatus) -> Self {
        Self::Exited(match shortage(NEARLY_FULL_BYTES) {
            Some(why) => format!("{status}: {why}"),
            None => status.to_string(),
        })
    }

    /// Creates the fault for an engine that did not reply within `time`: [`EngineFault::TimedOut`], or [`EngineFault::Exited`]
    /// if shared memory is nearly full.
    pub fn from_timeout(time: Duration) -> Self {
        match shortage(NEARLY_FULL_BYTES) {
            Some(why) => Self::Exited(format!("it did not reply within {} seconds: {why}", time.as_secs_f64())),
            None => Self::TimedOut(time),
        }
    }
}

/// Returns a message that shared memory is nearly full; `None` if at least `least` bytes are free.
fn shortage(least: u64) -> Option<String> {
    let room = shared_files::free_bytes().filter(|room| *room < least)?;
    Some(format!("/dev/shm is too small: {room} bytes are free; enlarge it, for example with `docker run --shm-size`"))
}

/// Returns whether a starting engine may be blocked because shared memory is full.
pub fn is_shared_memory_full() -> bool {
    shortage(FULL_BYTES).is_some()
}

impl std::fmt::Display for EngineFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SpawnFailed(text) => write!(f, "its engine cannot be started: {text}"),
            Self::EngineError(text) if text.contains("No player 1 start") => {
                let advice = "the map is a multiplayer map; game_args=\"-host 1 -deathmatch\" starts it with one player";
                write!(f, "its engine reported an error: {} ({advice})", text.trim())
            }
            Self::EngineError(text) => write!(f, "its engine reported an error: {}", text.trim()),
            Self::Exited(text) => write!(f, "its engine failed ({text})"),
            Self::TimedOut(time) => write!(
                f,
                "its engine did not reply within {} seconds and was killed; raise engine_timeout if it needs longer",
                time.as_secs_f64()
            ),
            Self::Unsupported(text) => write!(f, "its engine is not supported: {text}"),
            Self::ReplayMismatch(difference) => write!(f, "the replayed game differs from the saved one in its {difference}"),
        }
    }
}

impl From<LockHeld> for EngineFault {
    fn from(_: LockHeld) -> Self {
        Self::Exited("it does not release the lock of its message queue".into())
    }
}

//! Why an engine is of no use any more.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use super::queue::{self, Held};

/// Bytes of shared memory that may be left where an engine has failed to take more: other engines that failed leave theirs.
const FULL: u64 = 1 << 20;
/// Bytes that may be left while one hangs that has failed.
const TAKEN: u64 = 1 << 16;

/// Why an engine is of no use any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It could not be started.
    Unstarted(String),
    /// It said why it goes away.
    Told(String),
    /// It is gone.
    Gone(String),
    /// It has not answered for so long.
    Silent(Duration),
    /// It is not an engine that is known here.
    Unknown(String),
    /// A game that was played again is not what it was.
    Differs(&'static str),
}

impl Fault {
    /// There is no shared memory for an engine.
    pub fn without_memory(error: io::Error) -> Self {
        Self::Unstarted(format!("there is no shared memory for it ({error})"))
    }

    /// An engine has ended by itself. One for which there is no shared memory ends in several ways.
    pub fn ended(status: ExitStatus) -> Self {
        Self::Gone(match without_room(FULL) {
            Some(why) => format!("{status}: {why}"),
            None => status.to_string(),
        })
    }

    /// An engine has not answered for so long.
    pub fn silent(time: Duration) -> Self {
        match without_room(FULL) {
            Some(why) => Self::Gone(format!("it has not answered for {} seconds: {why}", time.as_secs_f64())),
            None => Self::Silent(time),
        }
    }
}

/// Why an engine finds no shared memory, where there are fewer than `least` bytes left.
fn without_room(least: u64) -> Option<String> {
    let room = queue::room().filter(|room| *room < least)?;
    Some(format!("/dev/shm is too small for it, with {room} bytes left; `docker run --shm-size` enlarges it"))
}

/// Whether an engine that is coming up has met its end, silently, as it found no shared memory.
pub fn is_out_of_room() -> bool {
    without_room(TAKEN).is_some()
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unstarted(text) => write!(f, "its engine could not be started: {text}"),
            Self::Told(text) if text.contains("No player 1 start") => {
                let advice = "the map is for several players: game_args=\"-host 1 -deathmatch\" starts such a game with one";
                write!(f, "its engine ended: {} ({advice})", text.trim())
            }
            Self::Told(text) => write!(f, "its engine ended: {}", text.trim()),
            Self::Gone(text) => write!(f, "its engine is gone ({text})"),
            Self::Silent(time) => write!(f, "its engine has not answered for {} seconds and was ended", time.as_secs_f64()),
            Self::Unknown(text) => write!(f, "its engine is not one that is known: {text}"),
            Self::Differs(what) => write!(f, "its game was played again and {what} not what they were"),
        }
    }
}

impl From<Held> for Fault {
    fn from(_: Held) -> Self {
        Self::Gone("it holds on to its messages".into())
    }
}

//! Where a lane keeps its console.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::sim::atari::{Console, Snapshot};

/// A lane's console, if it has one. A snapshot holds what changes in a console and not its cartridge: one that was read has to
/// be adopted by a console that has.
#[derive(Debug, Default)]
pub enum ConsoleSlot {
    /// Before the first reset.
    #[default]
    Empty,
    /// In use.
    Console(Box<Console>),
    /// From a snapshot.
    Saved(Box<Snapshot>),
}

impl ConsoleSlot {
    /// The console.
    ///
    /// # Panics
    /// Before the first reset.
    pub fn console(&self) -> &Console {
        match self {
            Self::Console(console) => console,
            _ => panic!("the game has not been reset"),
        }
    }

    /// The console, to play.
    ///
    /// # Panics
    /// Before the first reset.
    pub fn console_mut(&mut self) -> &mut Console {
        match self {
            Self::Console(console) => console,
            _ => panic!("the game has not been reset"),
        }
    }

    /// Puts a saved console's state into one made by `make`. False if it is of another cartridge, or cannot be.
    pub fn adopt(&mut self, make: impl FnOnce() -> Console) -> bool {
        let Self::Saved(snapshot) = self else { return true };
        let mut console = make();
        let fits = console.restore(snapshot);
        *self = Self::Console(Box::new(console));
        fits
    }
}

impl Serialize for ConsoleSlot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Empty => None,
            Self::Console(console) => Some(Box::new(console.snapshot())),
            Self::Saved(snapshot) => Some(snapshot.clone()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ConsoleSlot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Empty, Self::Saved))
    }
}

//! The Atari 2600, exact to the Arcade Learning Environment's.
//!
//! | module | |
//! |---|---|
//! | [`cpu`] | the 6507, interpreted |
//! | [`translate`] | programs as machine code of the host |
//! | [`tia`] | picture and input lines |
//! | [`riot`] | memory, timer, ports |
//! | [`cartridge`] | one file for each way of switching banks |
//! | [`input`] | joysticks, paddles, switches |
//! | [`machine`] | the board: addresses and frames |
//! | [`palette`], [`phosphor`] | colours, and screens on which pictures last |
//! | [`games`] | rewards, lives, ends, modes of each game |
//! | [`console`] | a machine with a game in it: resets, actions, snapshots |
//!
//! No cartridge images come with it: see [`rom`].

pub mod action;
mod beginnings;
mod bytes;
pub mod cartridge;
pub mod console;
pub mod cpu;
pub mod games;
pub mod image;
pub mod input;
pub mod machine;
pub mod palette;
pub mod phosphor;
pub mod riot;
pub mod rom;
mod runs;
mod scheme;
#[cfg(test)]
mod testing;
pub mod tia;
pub mod translate;

pub use self::action::Action;
pub use self::console::{Console, Played, Settings, Snapshot};
pub use self::games::Game;
pub use self::rom::{Rom, RomError};
pub use self::translate::refusal as translation_refusal;

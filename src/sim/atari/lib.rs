//! Atari 2600 emulator, whose states equal those of the Arcade Learning Environment (ALE) bit by bit.
//!
//! | module | |
//! |---|---|
//! | [`cpu`] | the 6507 processor, interpreted |
//! | [`recompiler`] | recompiler, which compiles programs to machine code of the host |
//! | [`tia`] | picture, collisions and input lines |
//! | [`riot`] | RAM, timer, ports |
//! | [`cartridge`] | bank switching, one file per scheme |
//! | [`input`] | joysticks, paddles, switches |
//! | [`machine`] | the board: address decoding, and the loop of a frame |
//! | [`palette`], [`phosphor`] | colours, and the blend of two frames |
//! | [`games`] | modes of each game, and rules for its rewards, lives and end |
//! | [`console`] | a machine with a game: resets, actions, snapshots |
//!
//! The crate contains no cartridge images: see [`rom`].

pub mod action;
mod bank_switching;
mod bytes;
pub mod cartridge;
pub mod console;
pub mod cpu;
pub mod games;
pub mod input;
pub mod machine;
pub mod palette;
pub mod phosphor;
pub mod recompiler;
pub mod riot;
pub mod rom;
pub mod rom_image;
mod run_length;
mod start_states;
#[cfg(test)]
mod testing;
pub mod tia;

pub use self::action::Action;
pub use self::console::{Console, PlayResult, Settings, Snapshot};
pub use self::games::Game;
pub use self::recompiler::refusal as translation_refusal;
pub use self::rom::{Rom, RomError};

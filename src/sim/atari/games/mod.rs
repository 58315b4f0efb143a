//! Descriptions of all supported games: cartridges, modes, and rules for rewards, lives and the end.
//!
//! # Adding a game
//! 1. Add a rule that computes reward, lives and end from RAM, to the file of [`rules`] for the game's first letter.
//! 2. Add a row to `table.rs`: digest of the cartridge, bank-switching scheme, rule, and deviations from the defaults.
//! 3. If the game's modes are not selected by holding SELECT until a byte of RAM has a value, add a function to
//!    `mode_select.rs`.
//!
//! No other file contains code that is specific to a game.

mod game;
mod mode_select;
pub mod rules;
mod table;

pub use self::game::{Game, Lives, ModeSelect};
pub use self::mode_select::EnvironmentWrapper;
pub use self::rules::{RamView, RomState};
pub use self::table::GAMES;

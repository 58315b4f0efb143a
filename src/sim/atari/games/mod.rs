//! Descriptions of the games: cartridges, rules, modes.
//!
//! # Adding a game
//! 1. A rule in the file of [`rules`] for its first letter: reward, lives and end from the game's RAM.
//! 2. A row in `table.rs`: digest of the cartridge, scheme, rule, and deviations from the defaults.
//! 3. If its modes are not selected by holding SELECT until a byte has a value, a function in `mode_select.rs`.
//!
//! A game's own code stays out of all other files.

mod game;
mod mode_select;
pub mod rules;
mod table;

pub use self::game::{Game, Lives, ModeSelect};
pub use self::mode_select::EnvironmentWrapper;
pub use self::rules::{RamView, RomState};
pub use self::table::GAMES;

//! What the console has to know of each game.
//!
//! # Adding a game
//! 1. A rule in the file of [`rules`] that its name belongs to: reward, lives and end from the game's memory.
//! 2. A row in `table.rs`: digest of the cartridge, scheme, rule, and whatever differs from the usual.
//! 3. If its modes are not chosen by holding SELECT until a byte has a value, a function in `select.rs`.
//!
//! Games that share nothing with others stay out of the other files.

mod game;
pub mod rules;
mod select;
mod table;

pub use self::game::{Game, Lives, Select};
pub use self::rules::{Memory, Progress};
pub use self::select::Panel;
pub use self::table::GAMES;

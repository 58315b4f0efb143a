//! Environments of cooperating players on a grid: level-based foraging, a multi-robot warehouse, and Overcooked.
//!
//! All players share one space, and each has a row in observations, actions and rewards. Each family has the rules of a game
//! (`game::Rules`), of which `game::Game` is the environment, on a grid (`grid`).

mod float_writer;
mod game;
mod grid;
#[cfg(feature = "lbf")]
pub mod lbf;
#[cfg(feature = "overcooked")]
pub mod overcooked;
mod picture;
#[cfg(feature = "rware")]
pub mod rware;

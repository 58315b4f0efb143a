//! Environments of cooperating players on a grid: level-based foraging, a multi-robot warehouse, and Overcooked.
//!
//! All players share one space, and each has a row in observations, actions and rewards. Each family has the rules of a game
//! (`game::Rules`), of which `game::Game` is the environment, on a grid (`grid`).

// A build with one family uses a part of the common modules.
#![cfg_attr(not(all(feature = "lbf", feature = "overcooked", feature = "rware")), allow(dead_code))]

mod cell_set;
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

//! MiniGrid and BabyAI: agents that see a few cells ahead, worlds of rooms, doors and keys, missions in words. Follows the Python
//! package minigrid 3.2.0 (after Chevalier-Boisvert et al., "Minigrid & Miniworld", 2023, and "BabyAI", 2019).
//!
//! The rules are [`envpool_rs_sim_grid_world`]'s; here are the levels, and what is observed of them.
//!
//! # Adding a level
//! A class is a file in `levels`: a `level::Class` with its options and a row for each task, and a `level::Level` that makes a
//! world with a [`Site`](envpool_rs_sim_grid_world::Site) and says what ends an episode. A line in `levels/mod.rs` registers it. A level in words
//! is less: a function in `babyai` that fills [`Rooms`](envpool_rs_sim_grid_world::Rooms) and returns an
//! [`Errand`](envpool_rs_sim_grid_world::Errand), and a row in its file's table.

mod arguments;
mod babyai;
mod env;
mod level;
mod levels;
mod observation;
mod vocabulary;

pub use env::{MiniGrid, tasks};

//! MiniGrid and BabyAI: grid worlds of rooms, doors and keys, with a partial view and missions in English.
//!
//! Follows the Python package minigrid 3.2.0 (after Chevalier-Boisvert et al., "Minigrid & Miniworld", 2023, and "BabyAI", 2019).
//! The rules are in [`envpool_rs_sim_grid_world`]; this crate holds the levels and their observations.
//!
//! # Adding a level
//! A level class is a file in `levels`. It has a [`LevelClass`] with its options and a row for each task. Its [`Level`]
//! generates a world with a [`WorldBuilder`](envpool_rs_sim_grid_world::WorldBuilder) and decides when an episode ends. A line
//! in `levels/mod.rs` registers the class. A BabyAI level needs only two things: a function in `babyai` that fills a
//! [`RoomGrid`](envpool_rs_sim_grid_world::RoomGrid) and returns an [`Instr`](envpool_rs_sim_grid_world::Instr), and a row in
//! its file's table.

mod babyai;
mod env;
mod level;
mod levels;
mod observation;
mod shared_options;
mod vocabulary;

pub use env::{MiniGrid, tasks, tasks_of};
#[doc(inline)]
pub use level::{Level, LevelClass, Preset, TaskRow};

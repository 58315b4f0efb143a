//! Doom, on ViZDoom's engine: see [`envpool_rs_sim_vizdoom`]. Each environment is played by a process of its own.
//!
//! | tasks | follow | |
//! |---|---|---|
//! | `D3Battle-v1` | EnvPool 1.2.5 | [`envpool`]: frames skipped, resized, stacked; rewards for what changes in the game's variables |
//! | `VizdoomBasic-v1` | ViZDoom's package 1.3.2 | [`gymnasium`]: everything that the engine shows, as it is |
//!
//! The engine, the scenarios and the game's files are the user's: see [`files`].

#![cfg_attr(
    not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")),
    allow(dead_code, reason = "engines are played on Linux alone")
)]

mod actions;
pub mod envpool;
pub mod files;
pub mod gymnasium;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod lane;
mod play;
pub mod scenarios;
mod screen;
mod shown;

use envpool_rs_engine::Task;

/// EnvPool's tasks, then the package's.
pub fn tasks() -> Vec<Task> {
    envpool::tasks().into_iter().chain(gymnasium::tasks()).collect()
}

//! Doom environments on ViZDoom's engine; see [`envpool_rs_sim_vizdoom`]. Each environment has its own engine process.
//!
//! | tasks | reference | module |
//! |---|---|---|
//! | `D3Battle-v1` | EnvPool 1.2.5 | [`envpool`]: frames skipped, resized and stacked; rewards for changes of game variables |
//! | `VizdoomBasic-v1` | ViZDoom's package 1.3.2 | [`gymnasium`]: all enabled buffers, unchanged |
//!
//! The user provides the engine, the scenarios and the game files; see [`files`].

#![cfg_attr(
    not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")),
    allow(dead_code, reason = "engines run on Linux only")
)]

mod actions;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod engine_lane;
pub mod envpool;
mod envpool_options;
mod envpool_rules;
pub mod files;
pub mod gymnasium;
mod gymnasium_scenarios;
mod package_rules;
pub mod scenarios;
mod screen;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod task_rules;

use envpool_rs_engine::Task;

/// Returns the tasks of EnvPool, then those of ViZDoom's package.
pub fn tasks() -> Vec<Task> {
    envpool::tasks().into_iter().chain(gymnasium::tasks()).collect()
}

//! Doom environments, which run ViZDoom's engine with [`envpool_rs_sim_vizdoom`]. Each environment has its own engine process.
//!
//! | tasks | reference | module |
//! |---|---|---|
//! | `D3Battle-v1` | EnvPool 1.2.5 | [`envpool`]: frame skip, resized and stacked frames; rewards for changes of game variables |
//! | `VizdoomBasic-v1` | the package `vizdoom` 1.3.2 | [`gymnasium`]: all enabled buffers, without preprocessing |
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

/// Returns the tasks of EnvPool, followed by those of the package `vizdoom`.
pub fn tasks() -> Vec<Task> {
    envpool::tasks().into_iter().chain(gymnasium::tasks()).collect()
}

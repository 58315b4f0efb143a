//! Procgen's sixteen games with generated levels; see [`envpool_rs_sim_procgen`].
//!
//! | tasks | reference | differences |
//! |---|---|---|
//! | `CoinrunEasy-v0` | EnvPool 1.2.5 | one task for each game and distribution mode; colour planes; the task's time limit truncates |
//! | `procgen-coinrun-v0` | the package procgen-mirror 0.10.7 | one task for each game; pictures `(64, 64, 3)`; sequential levels |
//!
//! The user provides the pictures; see [`pictures`].

mod env;
mod game_options;
mod level_seeds;
pub mod pictures;

pub use env::{Procgen, tasks};

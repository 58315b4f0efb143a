//! Level-based foraging: players of several levels collect foods, and several players load a food of a high level together.
//!
//! Source: `lbforaging` 2.0.0, `foraging/environment.py`; Albrecht & Ramamoorthy, "A Game-Theoretic Model and Best-Response Learning
//! Method for Ad Hoc Coordination in Multiagent Systems" (2013), and Papoudakis et al., "Benchmarking Multi-Agent Deep
//! Reinforcement Learning Algorithms in Cooperative Tasks" (2021).
//!
//! | | one player |
//! |---|---|
//! | observation | float32: row, column and level of each food in sight (-1, -1, 0 if unseen), then of the player and of the others |
//! | observation, `grid_observation` | float32 `(3, 2 sight + 1, 2 sight + 1)`: levels of players, levels of foods, free cells |
//! | action | 0 none, 1 north, 2 south, 3 west, 4 east, 5 load; an action without effect counts as none |
//! | reward | level of the player times level of the loaded food, divided by the levels of all its loaders and of all foods |
//!
//! An episode terminates when no food is left, or after `max_steps` steps: as in the package, its limit terminates.
//!
//! As in the package, the last episode's positions of players that are not yet placed block cells, so a reset depends on the
//! episode before, even with a seed. Near the upper and left border, players are seen up to twice the sight.

mod foraging;
mod options;

pub use foraging::{Foraging, State};

use crate::game::Game;
use envpool_rs_engine::Task;

/// Returns the task of level-based foraging.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Game<Foraging>>("Foraging-v3")]
}

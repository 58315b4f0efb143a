//! Multi-robot warehouse: robots bring requested shelves to goals, and then return them to free places.
//!
//! Source: `rware` 2.0.0, `warehouse.py`, with networkx 3.6.1; Papoudakis et al., "Benchmarking Multi-Agent Deep Reinforcement
//! Learning Algorithms in Cooperative Tasks" (2021).
//!
//! | | one player |
//! |---|---|
//! | observation | float32: x, y, whether it carries a shelf, direction, whether on a highway; then for each cell in range an agent, its direction and message, a shelf, and whether that is requested |
//! | action | 0 none, 1 forward, 2 turn left, 3 turn right, 4 load or unload; with messages, `MultiDiscrete` with the bits |
//! | reward | 1 for the delivery of a requested shelf, to the player, to all, or half of it at the delivery and half at the return |
//!
//! An episode terminates after `max_steps` steps, or after `max_inactivity_steps` steps without a delivery.

mod collisions;
mod layout;
mod observation;
mod options;
mod warehouse;

pub use warehouse::{State, Warehouse};

use crate::game::Game;
use envpool_rs_engine::Task;

/// Returns the task of the multi-robot warehouse.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Game<Warehouse>>("rware-v2")]
}

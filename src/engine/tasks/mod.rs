//! Tasks by name, and groups of them that share a pool.

pub mod factory;
pub mod group;
pub mod lane_tasks;
pub mod memory;
pub mod registry;

//! Tasks by name, and groups of environments with different tasks in one pool.

pub mod envpool;
pub mod factory;
pub mod group;
pub mod lane_tasks;
pub mod registry;

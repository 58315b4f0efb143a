//! Environments that are played outside of the engine's threads: what the pool and those who play them agree on.

pub mod exchange;
pub mod process_lane;
pub mod process_lanes;
pub mod row_out;
pub mod steps;
pub mod traits;

//! Backend interface: environments that run outside of the engine's threads.

pub mod exchange;
pub mod process_lane;
pub mod process_lanes;
pub mod row_out;
pub mod steps;
pub mod traits;

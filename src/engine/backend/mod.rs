//! Backend interface: runs environments outside of the engine's threads.

pub mod lane_op;
pub mod process_backend;
pub mod process_lane;
pub mod reset_queue;
pub mod row_writer;
pub mod steps;
pub mod traits;

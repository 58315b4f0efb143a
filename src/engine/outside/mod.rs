//! Environments that are played outside of the engine's threads: what the pool and those who play them agree on.

pub mod row_out;
pub mod traits;

//! Pools whose lanes run in remote pools or worker processes, and pools inside XLA programs.

pub mod remote;
pub mod workers;
pub mod xla;

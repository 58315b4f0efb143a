//! Pools elsewhere: lanes in remote pools and in worker processes, and pools inside XLA programs.

pub mod remote;
pub mod workers;
pub mod xla;

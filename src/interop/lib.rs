//! Pools whose environments run on remote hosts or in worker processes, and pools that XLA programs can step.

pub mod remote;
pub mod workers;
pub mod xla;

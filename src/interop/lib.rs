//! Pools whose environments run on remote hosts or in worker processes, and handlers with which XLA programs step pools.

pub mod remote;
pub mod workers;
pub mod xla;

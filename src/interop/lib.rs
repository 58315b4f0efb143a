//! Pools whose environments run in remote pools or worker processes, and pools that XLA programs call.

pub mod remote;
pub mod workers;
pub mod xla;

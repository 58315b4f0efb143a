//! Numbers as the references compute them: exact elementary functions in SIMD lanes, and random streams.

pub mod math;
pub mod random;

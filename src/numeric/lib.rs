//! Numbers as the references compute them: exact elementary functions in SIMD lanes, random streams, and the SIMD layer itself.

pub mod math;
pub mod random;
pub mod simd;

//! Numerical foundations: elementary functions exact to the references, random streams, and portable SIMD lanes.

pub mod math;
pub mod random;
pub mod simd;

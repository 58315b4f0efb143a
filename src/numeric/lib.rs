//! Numerical foundations: elementary functions with the bits of the reference libraries, random streams, and portable SIMD lanes.

pub mod math;
pub mod random;
pub mod reduce;
pub mod simd;

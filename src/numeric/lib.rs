//! Numerical foundations: elementary functions that are bit-identical to the reference libraries, random streams, and portable
//! SIMD vectors.

pub mod math;
pub mod numpy;
pub mod numpy_ufuncs;
pub mod random;
pub mod reduce;
pub mod simd;

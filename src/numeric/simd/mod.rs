//! Detection of vector instructions, and SIMD vectors in registers.
//!
//! | item | meaning |
//! |---|---|
//! | [`SimdLevel`] | the widest instructions that the processor has and `ENVPOOL_RS_VECTORS` allows |
//! | [`SimdKernel`] | a computation that [`SimdLevel::run`] and [`Lanes::enter`] compile for a set of vector instructions |
//! | [`prefetch`] | starts to load memory into the cache |
//! | [`Lanes`], [`Float64Lanes`] | arithmetic of several lanes: `f64` is one lane, the register types have four to sixteen |

mod lanes;
mod level;
mod prefetch;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use lanes::{Float64Lanes, Lanes, SimdKernel};
pub use level::{DetectionProof, SimdLevel};
pub use prefetch::prefetch;
#[cfg(target_arch = "x86_64")]
pub use x86_64::{F32x8, F32x16, F64x4, F64x8, Pair};

#[cfg(test)]
mod tests;

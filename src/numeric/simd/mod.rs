//! Detection of vector instructions, and SIMD vectors in registers.
//!
//! | item | meaning |
//! |---|---|
//! | [`SimdLevel`] | the widest instructions that the processor has and `ENVPOOL_RS_VECTORS` allows |
//! | [`SimdKernel`] | a computation that [`SimdLevel::run`] and [`Lanes::enter`] compile for a set of vector instructions |
//! | [`Float64Kernel`], [`Float32Kernel`] | a computation that [`SimdLevel`] compiles for a vector type |
//! | [`prefetch`] | starts to load memory into the cache |
//! | [`Lanes`], [`Float64Lanes`] | arithmetic of several lanes: `f64` is one lane, the register types have four to sixteen |
//!
//! Code outside of this module cannot name the register types. A kernel receives one as a type parameter, from a [`SimdLevel`]
//! that has the type's instructions. So the type parameter proves that the processor has these instructions:
//!
//! ```
//! use envpool_rs_numeric::simd::{Float64Kernel, Float64Lanes, SimdLevel};
//!
//! struct LastLane;
//!
//! impl Float64Kernel for LastLane {
//!     type Output = f64;
//!
//!     #[inline(always)]
//!     fn run<V: Float64Lanes>(self) -> f64 {
//!         V::splat(1.5).get(V::COUNT - 1)
//!     }
//! }
//!
//! assert_eq!(SimdLevel::detect().run_float64(8, LastLane), 1.5);
//! ```
//!
//! ```compile_fail
//! use envpool_rs_numeric::simd::{F64x8, Lanes};
//!
//! F64x8::splat(1.5);
//! ```

mod lanes;
mod level;
mod prefetch;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use lanes::{Float32Kernel, Float64Kernel, Float64Lanes, Lanes, SimdKernel};
pub use level::{DetectionProof, SimdLevel};
pub use prefetch::prefetch;

#[cfg(test)]
mod tests;

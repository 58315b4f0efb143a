//! Vectorised elementary functions whose results are bit-identical to the C library's (or numpy's).
//!
//! Environments that integrate their own state amplify a difference in the last bit until episodes end differently. So results
//! must be identical, not only accurate. Every function of this module is generic over the number of lanes `W`:
//!
//! - `W == 1` calls the C library itself.
//! - `W > 1` computes the result as an unevaluated sum `high + low` with about 60 bits, using fused multiply-add. The C
//!   library's result is within 0.52 units in the last place of the exact value. If `low` is not close to half a unit in the
//!   last place, `high` is the only double that the C library can have returned. In 8 of 100 lanes, `low` is close to half a
//!   unit; these lanes are recomputed by the C library.
//!
//! With glibc, which has these error bounds, `W == 1` and `W > 1` give the same bits. With `W > 1` the caller must be compiled
//! for a processor with FMA (`#[target_feature]`): the functions are `#[inline(always)]` so that they are vectorised in the
//! caller. Without FMA they are correct but slow. Blocks have at most 32 lanes; 16 were fastest, both with AVX2 and AVX-512.

mod float32;
mod remainder;
mod sin_cos;
mod square;

pub use float32::{numpy_cos_f32, numpy_sin_f32};
pub use remainder::remainder;
pub use sin_cos::{approximate_sin_cos, cos, sin, sin_cos, sin_cos_near_zero, sin_cos_rounded};
pub use square::{pow2, pow2_f32};

/// Recomputes the lanes marked in `uncertain` one by one with the function `exact`.
///
/// The function is not inlined: if its calls of `exact` were in the middle of vector code, the compiler would move every
/// register to memory, even if no lane is marked.
#[cold]
#[inline(never)]
fn repair<T: Copy, const W: usize>(x: &[T; W], uncertain: &[bool; W], exact: fn(T) -> T, result: &mut [T; W]) {
    const { assert!(W <= 32, "the mask of lanes has 32 bits") };
    let mut left = uncertain.iter().enumerate().fold(0_u32, |mask, (i, marked)| mask | u32::from(*marked) << i);
    // The loop visits only the marked lanes, which are the set bits of `left`. With a branch per lane, the processor would
    // mispredict nearly every marked lane.
    while left != 0 {
        let i = left.trailing_zeros() as usize;
        result[i] = exact(x[i]);
        left &= left - 1;
    }
}

/// Returns whether any lane of `marked` is true. The function does not short-circuit, so that it compiles to one vector test.
#[inline(always)]
fn any<const W: usize>(marked: &[bool; W]) -> bool {
    marked.iter().fold(false, |any, marked| any | marked)
}

//! Arrays of sixteen float32 numbers, one per world, and vectors of all of them or the first eight.

use std::ops::{Deref, DerefMut};

use envpool_rs_numeric::simd::Lanes;

/// Maximum number of lanes of a vector, one per world.
pub const LANES: usize = 16;

/// Array of one number per world, aligned for vector loads.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct LaneArray(pub [f32; LANES]);

impl Default for LaneArray {
    fn default() -> Self {
        Self([0.0; LANES])
    }
}

impl Deref for LaneArray {
    type Target = [f32; LANES];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for LaneArray {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// Writes one world's numbers to its lane.
pub(super) fn set_lane<const N: usize>(rows: &mut [LaneArray; N], lane: usize, numbers: [f32; N]) {
    for (row, number) in rows.iter_mut().zip(numbers) {
        row.0[lane] = number;
    }
}

/// Vector registers with one number per world.
pub trait WorldLanes: Lanes<Number = f32, Array = [f32; LANES]> {
    /// Returns the mask of the lanes that are true in `a` and false in `b`.
    #[inline(always)]
    fn without(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        Self::mask_xor(a, Self::mask_and(a, b))
    }
}

impl<V: Lanes<Number = f32, Array = [f32; LANES]>> WorldLanes for V {}

//! Sixteen float32s at once, in the vector registers of x86-64.

use std::ops::{Deref, DerefMut};

use envpool_rs_numeric::simd::Lanes;

/// Worlds in a vector.
pub const WIDTH: usize = 16;

/// A number of each world.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Row(pub [f32; WIDTH]);

impl Default for Row {
    fn default() -> Self {
        Self([0.0; WIDTH])
    }
}

impl Deref for Row {
    type Target = [f32; WIDTH];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Row {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// Numbers of sixteen worlds in registers.
pub trait Vector: Lanes<Number = f32, Array = [f32; WIDTH]> {
    /// Returns where the first mask holds, and the second does not.
    #[inline(always)]
    fn without(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        Self::differ(a, Self::both(a, b))
    }
}

impl<V: Lanes<Number = f32, Array = [f32; WIDTH]>> Vector for V {}

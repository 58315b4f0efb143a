//! Writer of float32 observations.

use envpool_rs_engine::{Dtype, Row};

/// Writer that fills a float32 observation of all players from its start.
pub struct FloatWriter<'a> {
    remaining: &'a mut [u8],
}

impl<'a> FloatWriter<'a> {
    /// Creates a writer of leaf number `leaf`; `None` if the leaf was not requested.
    #[inline]
    pub fn new(out: &'a mut Row<'_>, leaf: usize) -> Option<Self> {
        assert_eq!(out.dtype(leaf), Dtype::F32, "observations are float32 in every dialect");
        Some(Self { remaining: out.bytes(leaf)? })
    }

    /// Writes the next number.
    ///
    /// # Panics
    /// If the observation is complete.
    #[inline(always)]
    pub fn write(&mut self, value: f32) {
        let (next, rest) = std::mem::take(&mut self.remaining).split_at_mut(size_of::<f32>());
        next.copy_from_slice(&value.to_ne_bytes());
        self.remaining = rest;
    }

    /// Writes 1 or 0.
    #[inline(always)]
    pub fn write_flag(&mut self, flag: bool) {
        self.write(f32::from(u8::from(flag)));
    }

    /// Returns a writer of the next `count` numbers, which this writer skips.
    #[inline]
    pub fn take(&mut self, count: usize) -> FloatWriter<'a> {
        let (own, rest) = std::mem::take(&mut self.remaining).split_at_mut(count * size_of::<f32>());
        self.remaining = rest;
        FloatWriter { remaining: own }
    }
}

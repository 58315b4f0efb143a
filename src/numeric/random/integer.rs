//! Draws random integers of each dtype, as numpy's `Generator.integers(..., dtype=...)` does.

use super::Pcg64;
use super::bounded::{bounded_u32, bounded_u64};

/// Buffer of the 32-bit word from which random numbers of 8 or 16 bits are taken, lowest bits first, as in numpy.
///
/// One buffer is used for one call of `integers`, which draws a single number or an array. The remaining bits are then discarded.
#[derive(Debug, Default)]
pub struct SubwordBuffer {
    buf: u32,
    bcnt: u32,
}

impl SubwordBuffer {
    #[inline]
    fn next(&mut self, pcg: &mut Pcg64, bits: u32) -> u32 {
        if self.bcnt == 0 {
            self.buf = pcg.next_u32();
            self.bcnt = 32 / bits;
        } else {
            self.buf >>= bits;
        }
        self.bcnt -= 1;
        self.buf & ((1 << bits) - 1)
    }

    /// Draws an integer in `0..=span` by Lemire's method with products of 8 or 16 bits.
    #[inline]
    fn bounded_lemire(&mut self, pcg: &mut Pcg64, bits: u32, span: u32) -> u32 {
        let mask = (1 << bits) - 1;
        if span == 0 {
            return 0;
        }
        // The full range of the type needs no special case: `count` is then 2**bits, so the shifted product is the drawn number
        // itself.
        let count = span + 1;
        let mut product = self.next(pcg, bits) * count;
        if product & mask < count {
            let threshold = (mask - span) % count;
            while product & mask < threshold {
                product = self.next(pcg, bits) * count;
            }
        }
        product >> bits
    }
}

/// Integer type of a numpy dtype: `i8` to `i64`, `u8` to `u64`.
pub trait Integer: Copy + Ord + std::fmt::Display + sealed::Sealed {
    /// Draws an integer in `low..=high`; `low` must not be greater than `high`.
    #[doc(hidden)]
    fn draw(pcg: &mut Pcg64, buffer: &mut SubwordBuffer, low: Self, high: Self) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! integer {
    ($($type:ty, $unsigned:ty, |$pcg:ident, $buffer:ident, $span:ident| $draw:expr;)*) => {$(
        impl sealed::Sealed for $type {}

        impl Integer for $type {
            #[inline]
            fn draw($pcg: &mut Pcg64, $buffer: &mut SubwordBuffer, low: Self, high: Self) -> Self {
                let $span = high.wrapping_sub(low) as $unsigned;
                low.wrapping_add($draw as $type)
            }
        }
    )*};
}

integer! {
    i8, u8, |pcg, buffer, span| buffer.bounded_lemire(pcg, 8, span.into());
    u8, u8, |pcg, buffer, span| buffer.bounded_lemire(pcg, 8, span.into());
    i16, u16, |pcg, buffer, span| buffer.bounded_lemire(pcg, 16, span.into());
    u16, u16, |pcg, buffer, span| buffer.bounded_lemire(pcg, 16, span.into());
    i32, u32, |pcg, _buffer, span| bounded_u32(pcg, span);
    u32, u32, |pcg, _buffer, span| bounded_u32(pcg, span);
    i64, u64, |pcg, _buffer, span| bounded_u64(pcg, span);
    u64, u64, |pcg, _buffer, span| bounded_u64(pcg, span);
}

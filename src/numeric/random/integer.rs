//! Integers of each dtype, as numpy's `Generator.integers(..., dtype=...)` draws them.

use super::Pcg64;
use super::bounded::{bounded_u32, bounded_u64};

/// The rest of a 32-bit word of which numpy takes 8 or 16 bits per number, the lowest first. It lives for one call of
/// `integers`, be that for one number or for an array; what is left at its end is lost.
#[derive(Debug, Default)]
pub struct Pieces {
    word: u32,
    left: u32,
}

impl Pieces {
    #[inline]
    fn next(&mut self, pcg: &mut Pcg64, bits: u32) -> u32 {
        if self.left == 0 {
            self.word = pcg.next_u32();
            self.left = 32 / bits;
        } else {
            self.word >>= bits;
        }
        self.left -= 1;
        self.word & ((1 << bits) - 1)
    }

    /// An integer of `0..=span` by Lemire's method in 8 or 16 bits.
    #[inline]
    fn bounded(&mut self, pcg: &mut Pcg64, bits: u32, span: u32) -> u32 {
        let mask = (1 << bits) - 1;
        if span == 0 {
            return 0;
        }
        // The full range needs no case of its own: its count is 2**bits, so that the product is the piece, shifted.
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

/// An integer type that numpy draws: `i8` to `i64`, `u8` to `u64`.
pub trait Integer: Copy + Ord + std::fmt::Display + sealed::Sealed {
    /// An integer of `low..=high`, for `low <= high`.
    #[doc(hidden)]
    fn draw(pcg: &mut Pcg64, pieces: &mut Pieces, low: Self, high: Self) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! integer {
    ($($type:ty, $unsigned:ty, |$pcg:ident, $pieces:ident, $span:ident| $draw:expr;)*) => {$(
        impl sealed::Sealed for $type {}

        impl Integer for $type {
            #[inline]
            fn draw($pcg: &mut Pcg64, $pieces: &mut Pieces, low: Self, high: Self) -> Self {
                let $span = high.wrapping_sub(low) as $unsigned;
                low.wrapping_add($draw as $type)
            }
        }
    )*};
}

integer! {
    i8, u8, |pcg, pieces, span| pieces.bounded(pcg, 8, span.into());
    u8, u8, |pcg, pieces, span| pieces.bounded(pcg, 8, span.into());
    i16, u16, |pcg, pieces, span| pieces.bounded(pcg, 16, span.into());
    u16, u16, |pcg, pieces, span| pieces.bounded(pcg, 16, span.into());
    i32, u32, |pcg, _pieces, span| bounded_u32(pcg, span);
    u32, u32, |pcg, _pieces, span| bounded_u32(pcg, span);
    i64, u64, |pcg, _pieces, span| bounded_u64(pcg, span);
    u64, u64, |pcg, _pieces, span| bounded_u64(pcg, span);
}

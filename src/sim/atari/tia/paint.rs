//! Paints colours by bit masks, up to 64 pixels of a line at a time.
//!
//! The AVX-512 painter uses the bits as masks. The AVX2 painter expands the bits to bytes. The portable painter expands them
//! with a table, eight pixels at a time.

use super::line::WIDTH;

/// Pixels of a line.
pub(super) type Row = [u8; WIDTH];
/// Masks of the pixels of the three layers above the background, in the order of the colours in [`Painter::new`]. Later layers
/// cover earlier layers.
pub(super) type Layers = [u64; 3];

/// Paints words of pixels with the vector instructions of one instruction set.
///
/// A painter holds the colours of the background and three layers, each stored as four equal bytes.
pub(super) trait Painter: Copy {
    /// Creates a painter with the colours of the background and of the three layers.
    ///
    /// # Safety
    /// The processor has the instruction set of `Self`.
    unsafe fn new(colours: &[u32; 4]) -> Self;

    /// Paints those pixels of word `word` (64 pixels of the row) that the mask `clip` selects. Pixels outside of the mask `shown`
    /// are black.
    ///
    /// # Safety
    /// The processor has the instruction set of `Self`, and `word` is less than 3.
    unsafe fn word(self, row: &mut Row, word: usize, clip: u64, layers: Layers, shown: u64);
}

/// Painter without vector instructions: eight pixels at a time.
#[derive(Clone, Copy)]
pub(super) struct Portable([u64; 4]);

/// For each value of a byte, eight bytes of 0xff or 0: one per bit of the value, starting with the lowest bit.
static BYTES: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            if bits >> bit & 1 != 0 {
                table[bits] |= 0xff << (8 * bit);
            }
            bit += 1;
        }
        bits += 1;
    }
    table
};

impl Painter for Portable {
    #[inline(always)]
    unsafe fn new(colours: &[u32; 4]) -> Self {
        Self(colours.map(|colour| u64::from(colour) << 32 | u64::from(colour)))
    }

    #[inline(always)]
    unsafe fn word(self, row: &mut Row, word: usize, clip: u64, layers: Layers, shown: u64) {
        let [background, colours @ ..] = self.0;
        let (eights, _) = row.as_chunks_mut::<8>();
        for (at, pixels) in eights.iter_mut().skip(8 * word).take(8).enumerate() {
            let bytes = |bits: u64| BYTES[usize::from((bits >> (8 * at)) as u8)];
            let inside = bytes(clip);
            if inside == 0 {
                continue;
            }
            let mut seen = background;
            for (layer, colour) in layers.into_iter().zip(colours) {
                let here = bytes(layer);
                seen = seen & !here | colour & here;
            }
            let before = u64::from_le_bytes(*pixels);
            *pixels = (before & !inside | seen & bytes(shown) & inside).to_le_bytes();
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use self::x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    #[allow(clippy::wildcard_imports, reason = "intrinsics name their own origin")]
    use std::arch::x86_64::*;

    use super::{Layers, Painter, Row};

    /// Painter with AVX-512: 64 pixels at a time.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx512([__m512i; 4]);

    impl Painter for Avx512 {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        unsafe fn new([background, first, second, third]: &[u32; 4]) -> Self {
            let splat = |colour: &u32| _mm512_set1_epi32(*colour as i32);
            Self([splat(background), splat(first), splat(second), splat(third)])
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        unsafe fn word(self, row: &mut Row, word: usize, clip: u64, [first, second, third]: Layers, shown: u64) {
            let [background, colours @ ..] = self.0;
            let mut seen = _mm512_mask_blend_epi8(first, background, colours[0]);
            seen = _mm512_mask_blend_epi8(second, seen, colours[1]);
            seen = _mm512_mask_blend_epi8(third, seen, colours[2]);
            seen = _mm512_maskz_mov_epi8(shown, seen);
            // SAFETY: `word` < 3 by the contract of `Painter::word`. So the row has 64 bytes from the start of words 0 and 1,
            // and 32 bytes from the start of word 2.
            unsafe {
                let pixels = row.as_mut_ptr().add(64 * word);
                if word < 2 {
                    if clip != u64::MAX {
                        seen = _mm512_mask_blend_epi8(clip, _mm512_loadu_si512(pixels.cast()), seen);
                    }
                    _mm512_storeu_si512(pixels.cast(), seen);
                } else {
                    let mut seen = _mm512_castsi512_si256(seen);
                    if clip != 0xffff_ffff {
                        seen = _mm256_mask_blend_epi8(clip as u32, _mm256_loadu_si256(pixels.cast()), seen);
                    }
                    _mm256_storeu_si256(pixels.cast(), seen);
                }
            }
        }
    }

    /// Painter with AVX2: 32 pixels at a time.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx2([__m256i; 4]);

    impl Painter for Avx2 {
        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn new([background, first, second, third]: &[u32; 4]) -> Self {
            let splat = |colour: &u32| _mm256_set1_epi32(*colour as i32);
            Self([splat(background), splat(first), splat(second), splat(third)])
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn word(self, row: &mut Row, word: usize, clip: u64, [first, second, third]: Layers, shown: u64) {
            let halves = if word < 2 { 2 } else { 1 };
            for half in 0..halves {
                let of = |bits: u64| (bits >> (32 * half)) as u32;
                let clip = of(clip);
                if clip == 0 {
                    continue;
                }
                let mut seen = _mm256_blendv_epi8(self.0[0], self.0[1], bytes(of(first)));
                seen = _mm256_blendv_epi8(seen, self.0[2], bytes(of(second)));
                seen = _mm256_blendv_epi8(seen, self.0[3], bytes(of(third)));
                if shown != u64::MAX {
                    seen = _mm256_and_si256(seen, bytes(of(shown)));
                }
                // SAFETY: `word` < 3 by the contract of `Painter::word`, so the row has 32 bytes from the start of each half of
                // the word.
                unsafe {
                    let pixels = row.as_mut_ptr().add(64 * word + 32 * half);
                    if clip != u32::MAX {
                        seen = _mm256_blendv_epi8(_mm256_loadu_si256(pixels.cast()), seen, bytes(clip));
                    }
                    _mm256_storeu_si256(pixels.cast(), seen);
                }
            }
        }
    }

    /// Expands each of 32 bits to a byte: 0xff for 1, 0 for 0.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn bytes(bits: u32) -> __m256i {
        let byte_indices = _mm256_set_epi64x(0x0303_0303_0303_0303, 0x0202_0202_0202_0202, 0x0101_0101_0101_0101, 0);
        let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), byte_indices);
        let of_byte = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        _mm256_cmpeq_epi8(_mm256_and_si256(spread, of_byte), of_byte)
    }
}

#[cfg(test)]
mod tests {
    use envpool_rs_numeric::simd::SimdLevel;

    use super::*;

    fn painted<P: Painter>(clips: [u64; 3], layers: [Layers; 3], shown: u64) -> Row {
        let mut row: Row = std::array::from_fn(|x| x as u8);
        for (word, (clip, layers)) in clips.into_iter().zip(layers).enumerate() {
            // SAFETY: the test has checked that the processor has the instructions of `P`, and `word` is less than 3.
            unsafe { P::new(&[200, 201, 202, 203].map(|colour| colour * 0x0101_0101)).word(&mut row, word, clip, layers, shown) };
        }
        row
    }

    #[test]
    fn later_layers_cover_earlier_layers_within_the_clip_rectangle() {
        let mut bits = 1_u64;
        let mut random = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bits ^ bits >> 29
        };
        for round in 0..200 {
            let last = 0xffff_ffff;
            let clips = if round % 3 == 0 { [u64::MAX, u64::MAX, last] } else { [random(), random(), random() & last] };
            let layers = [0; 3].map(|_| [random(), random(), random()]);
            let shown = if round % 2 == 0 { u64::MAX } else { random() };
            let expected: Row = std::array::from_fn(|x| {
                let has = |bits: u64| bits >> (x % 64) & 1 != 0;
                let top = (0..3).rev().find(|layer| has(layers[x / 64][*layer])).map_or(200, |layer| 201 + layer as u8);
                if !has(clips[x / 64]) {
                    x as u8
                } else if has(shown) {
                    top
                } else {
                    0
                }
            });
            for level in SimdLevel::available() {
                let found = match level {
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx512(_) => painted::<Avx512>(clips, layers, shown),
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx2(_) => painted::<Avx2>(clips, layers, shown),
                    _ => painted::<Portable>(clips, layers, shown),
                };
                assert_eq!(found, expected, "{level:?}");
            }
        }
    }
}

//! Gathers the source bytes of eight adjacent target pixels with AVX2, and sums them with weights.
//!
//! A register has four target pixels in each half. The source bytes of a half lie within 16 bytes, from which a byte shuffle
//! gathers them.

use std::arch::x86_64::*;

use super::area::LANES;

/// Number of source bytes from which a half of a register gathers.
const SPAN: usize = 16;
/// Index with which a byte shuffle sets the result byte to zero.
const NONE: u8 = 0x80;

/// Shuffles and weights of a row of target pixels.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    windows: Vec<Window>,
    /// Shuffles and weights: `steps` for each window.
    shuffles: Vec<Shuffle>,
    steps: usize,
    /// Number of bytes of a source row.
    width: usize,
}

/// First source bytes of the two halves of a register.
#[derive(Clone, Copy, Debug)]
struct Window {
    firsts: [usize; 2],
}

/// Source bytes of a register, relative to the first ones of its halves, and their weights.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Shuffle {
    picks: [u8; 32],
    weights: [u32; LANES],
}

/// Source pixels that a target pixel uses in one step: one, or two whose bytes are lowest in the halves of a 32-bit number; and
/// the bits of their weight or weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tap {
    pub(super) sources: [Option<usize>; 2],
    pub(super) weight: u32,
}

impl Windows {
    /// Creates the shuffles for a row of `width` bytes. `taps` are the taps of each target pixel, at most `steps`.
    ///
    /// Returns `None` if the source bytes of some four target pixels do not lie within 16 bytes.
    pub(super) fn new(width: usize, taps: &[Vec<Tap>]) -> Option<Self> {
        let steps = taps.iter().map(Vec::len).max()?;
        let (mut windows, mut shuffles) = (Vec::new(), Vec::new());
        for targets in taps.chunks(LANES) {
            let mut window = Window { firsts: [0; 2] };
            let mut of_window = vec![Shuffle { picks: [NONE; 32], weights: [0; LANES] }; steps];
            for (half, targets) in targets.chunks(LANES / 2).enumerate() {
                let least = targets.iter().flatten().flat_map(|tap| tap.sources).flatten().min()?;
                let first = least.min(width.checked_sub(SPAN)?);
                window.firsts[half] = first;
                for (lane, taps) in targets.iter().enumerate() {
                    let lane = half * LANES / 2 + lane;
                    for (shuffle, tap) in of_window.iter_mut().zip(taps) {
                        shuffle.weights[lane] = tap.weight;
                        for (byte, source) in tap.sources.into_iter().enumerate() {
                            let Some(source) = source else { continue };
                            let pick = source - first;
                            if pick >= SPAN {
                                return None;
                            }
                            shuffle.picks[4 * lane + 2 * byte] = pick as u8;
                        }
                    }
                }
            }
            windows.push(window);
            shuffles.extend(of_window);
        }
        Some(Self { windows, shuffles, steps, width })
    }

    /// Sums bytes by float32 weights, one per tap, in the order of the taps. Rows of `out` end with unused numbers up to a multiple
    /// of [`LANES`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn sum_float(&self, row: &[u8], out: &mut [f32]) {
        self.check(row, out.len());
        for ((window, shuffles), out) in
            self.windows.iter().zip(self.shuffles.chunks_exact(self.steps)).zip(out.as_chunks_mut().0)
        {
            let bytes = self.load(window, row);
            let mut sum = _mm256_setzero_ps();
            for shuffle in shuffles {
                let (picks, weights) = shuffle.load();
                let pixels = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(bytes, picks));
                sum = _mm256_add_ps(sum, _mm256_mul_ps(pixels, _mm256_castsi256_ps(weights)));
            }
            let out: &mut [f32; LANES] = out;
            // SAFETY: `out` has eight numbers, the size of the store.
            unsafe { _mm256_storeu_ps(out.as_mut_ptr(), sum) };
        }
    }

    /// Sums pairs of bytes by pairs of 16-bit weights, the lower half of a tap's weight for its first source. Rows of `out` end
    /// with unused numbers up to a multiple of [`LANES`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn sum_pairs(&self, row: &[u8], out: &mut [i32]) {
        self.check(row, out.len());
        for ((window, shuffles), out) in
            self.windows.iter().zip(self.shuffles.chunks_exact(self.steps)).zip(out.as_chunks_mut().0)
        {
            let bytes = self.load(window, row);
            let mut sum = _mm256_setzero_si256();
            for shuffle in shuffles {
                let (picks, weights) = shuffle.load();
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_shuffle_epi8(bytes, picks), weights));
            }
            let out: &mut [i32; LANES] = out;
            // SAFETY: `out` has eight numbers, the size of the store.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), sum) };
        }
    }

    #[inline]
    fn check(&self, row: &[u8], out: usize) {
        assert!(row.len() == self.width && out >= LANES * self.windows.len(), "a row of another size");
    }

    /// Loads the source bytes of both halves of a window. The row has `width` bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(&self, window: &Window, row: &[u8]) -> __m256i {
        // SAFETY: `new` makes `firsts` at most `width - 16`, and callers have checked that the row has `width` bytes.
        unsafe {
            let [one, other] = window.firsts.map(|first| row.as_ptr().add(first));
            _mm256_loadu2_m128i(other.cast(), one.cast())
        }
    }
}

impl Shuffle {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(&self) -> (__m256i, __m256i) {
        // SAFETY: both arrays have 32 bytes and are aligned to 32 bytes, because `Shuffle` is and both have its alignment's size.
        unsafe { (_mm256_load_si256(self.picks.as_ptr().cast()), _mm256_load_si256(self.weights.as_ptr().cast())) }
    }
}

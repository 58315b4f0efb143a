//! Resizes an Atari screen with AVX-512 and the byte permutations of VBMI: one register computes 32 sums, directly from the
//! screens' bytes.

use std::arch::x86_64::*;

use super::covers::{Covers, FROM, RESULT, ROW_PERIOD, ScreenPair, TO, Taps, UNITS};
use crate::look_up::avx512::{load, look_up};

/// Number of sums in a register. `WINDOWS` is the number of registers for a row of sums.
const LANES: usize = 32;
const WINDOWS: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct Tables {
    windows: [Taps<64>; WINDOWS],
}

impl Tables {
    pub(super) fn new(covers: &Covers) -> Self {
        let columns = |window: usize| &covers.columns[window * LANES..TO.1.min((window + 1) * LANES)];
        Self { windows: std::array::from_fn(|window| Taps::new(columns(window))) }
    }
}

/// Resizes the pixelwise maximum of two screens.
///
/// # Safety
/// The processor has AVX-512 with VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) unsafe fn run(tables: &Tables, covers: &Covers, two: &ScreenPair<'_>, out: &mut [u8; RESULT]) {
    let table = load(two.table);
    for number in 0..WINDOWS {
        let read = |at: usize, inside: u64| {
            // SAFETY: `run_window` passes a mask that selects only bytes inside the screens.
            let [one, other] =
                two.screens.map(|screen| unsafe { _mm512_maskz_loadu_epi8(inside, screen.as_ptr().add(at).cast()) });
            _mm512_max_epu8(look_up(&table, one), look_up(&table, other))
        };
        run_window(tables, covers, two, number, read, out);
    }
}

/// Computes a window of 32 columns of the result; the last window has only 20 columns. The function `read` loads up to 64 gray
/// pixels, given a start index and a mask.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn run_window(
    tables: &Tables,
    covers: &Covers,
    source: &ScreenPair<'_>,
    number: usize,
    read: impl Fn(usize, u64) -> __m512i,
    out: &mut [u8; RESULT],
) {
    let window = &tables.windows[number];
    let inside = u64::MAX >> 64_usize.saturating_sub(FROM.1 - window.first);
    let columns = LANES.min(TO.1 - number * LANES);
    let written = u32::MAX >> (LANES - columns);
    // SAFETY: each array of `window.picks` and `window.weights` has 64 bytes, the size of one load.
    let steps = std::array::from_fn::<_, 2, _>(|i| unsafe {
        (_mm512_loadu_epi8(window.picks[i].as_ptr().cast()), _mm512_loadu_epi8(window.weights[i].as_ptr()))
    });
    for five in 0..FROM.0 / ROW_PERIOD {
        let mut sums = [_mm512_setzero_si512(); ROW_PERIOD];
        // This is a loop instead of `from_fn` or `map`, because the compiler would not inline the closure that is passed to
        // `from_fn` or `map`.
        for (row, sum) in sums.iter_mut().enumerate() {
            let pixels = read((ROW_PERIOD * five + row) * FROM.1 + window.first, inside);
            for (picks, weights) in steps {
                let pairs = _mm512_maddubs_epi16(_mm512_permutexvar_epi8(picks, pixels), weights);
                *sum = _mm512_add_epi16(*sum, pairs);
            }
        }
        for (row, twice) in [(2 * five, [sums[0], sums[1]]), (2 * five + 1, [sums[3], sums[4]])] {
            let doubled = _mm512_slli_epi16::<1>(_mm512_add_epi16(twice[0], twice[1]));
            let (rounded, halfway) = round(_mm512_add_epi16(doubled, sums[2]));
            let at = row * TO.1 + number * LANES;
            // SAFETY: the mask limits the store to the window's columns, which are inside of `out`.
            unsafe { _mm256_mask_storeu_epi8(out.as_mut_ptr().add(at).cast(), written, rounded) };
            if halfway != 0 {
                covers.compute_exactly(source, row, u128::from(halfway) << (number * LANES), out);
            }
        }
    }
}

/// Divides sums by 200. Returns the bytes nearest to the quotients, and a bit mask of the quotients that are half-way between
/// two bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn round(sums: __m512i) -> (__m256i, u32) {
    let sums = _mm512_add_epi16(sums, _mm512_set1_epi16(UNITS as i16 / 2));
    // Multiplying by 41,944 / 2^20 replaces a division: it approximates 8 / 200 closely enough to give the exact quotient of all
    // sums up to 51,100.
    let eighths = _mm512_srli_epi16::<3>(sums);
    let quotients = _mm512_srli_epi16::<4>(_mm512_mulhi_epu16(eighths, _mm512_set1_epi16(41_944_u16 as i16)));
    let products = _mm512_mullo_epi16(quotients, _mm512_set1_epi16(UNITS as i16));
    (_mm512_cvtepi16_epi8(quotients), _mm512_cmpeq_epi16_mask(products, sums))
}

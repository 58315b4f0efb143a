//! Palette look-up and `INTER_AREA` with AVX-512 and the byte permutations of VBMI: 64 look-ups, or 16 target pixels, are
//! computed at a time.

use std::arch::x86_64::*;

use super::plan::{MAX_TAPS, PADDING, Plan, Rounding, Taps};
use crate::look_up::avx512::{self, load};

/// Number of target pixels that are computed together.
const LANES: usize = 16;
/// Maximum number of source pixels that `LANES` target pixels may cover.
const MAX_WINDOW_SOURCES: usize = 64;
/// Maximum number of pairs of adjacent source pixels that a target pixel covers.
const PAIRS: usize = MAX_TAPS / 2;

/// Tables for the horizontal pass, which computes target pixels from a row of sums.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    windows: Vec<Window>,
}

/// Tables for sixteen target pixels: the indices of the row sums that each target pixel uses (two per step), and the weights of
/// these sums.
#[derive(Clone, Copy, Debug)]
struct Window {
    first: usize,
    count: usize,
    pairs: usize,
    picks: [[u16; 2 * LANES]; PAIRS],
    units: [[i16; 2 * LANES]; PAIRS],
}

impl Tables {
    /// Creates the tables from the source columns of each target column. Returns `None` if sixteen target pixels cover too many
    /// source pixels.
    pub(super) fn new(columns: &[Taps]) -> Option<Self> {
        columns.chunks(LANES).map(Window::new).collect::<Option<Vec<_>>>().map(|windows| Self { windows })
    }
}

impl Window {
    fn new(columns: &[Taps]) -> Option<Self> {
        let first = columns[0].first;
        let taps = columns.iter().map(|cover| cover.count).max()?;
        let mut window = Self {
            first,
            count: columns.len(),
            pairs: taps.div_ceil(2),
            picks: [[0; 2 * LANES]; PAIRS],
            units: [[0; 2 * LANES]; PAIRS],
        };
        for (lane, cover) in columns.iter().enumerate() {
            for tap in 0..cover.count {
                let pick = cover.first + tap - first;
                if pick >= MAX_WINDOW_SOURCES {
                    return None;
                }
                window.picks[tap / 2][2 * lane + tap % 2] = pick as u16;
                window.units[tap / 2][2 * lane + tap % 2] = cover.units[tap];
            }
        }
        Some(window)
    }
}

/// Looks up the palette numbers of a picture, and resizes the result.
///
/// # Safety
/// The processor has AVX-512 with VBMI; `screen` and `out` have the sizes of `area`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) unsafe fn run(area: &Plan, tables: &Tables, screen: &[u8], out: &mut [u8]) {
    let width = area.from.1;
    let planes = area.tables.len();
    // `rows` holds, for all planes, the looked-up values of the source rows that one target row covers.
    let stride = width + PADDING;
    let mut rows = vec![0_u8; MAX_TAPS * planes * stride];
    let mut sums = vec![0_u16; stride];
    let mut done = 0;
    for (target, cover) in area.rows.iter().enumerate() {
        for row in done.max(cover.first)..cover.first + cover.count {
            let looked_up = &mut rows[row % MAX_TAPS * planes * stride..][..planes * stride];
            for (table, looked_up) in area.tables.iter().zip(looked_up.chunks_exact_mut(stride)) {
                // SAFETY: callers of `run` guarantee that the processor has AVX-512 with VBMI, and that `screen` and `out`
                // have the sizes of `area`.
                unsafe { look_up(area, table, screen, row, looked_up) };
            }
        }
        done = cover.first + cover.count;
        for plane in 0..planes {
            for at in (0..width).step_by(32) {
                let mut sum = _mm512_setzero_si512();
                for tap in 0..cover.count {
                    let from = ((cover.first + tap) % MAX_TAPS * planes + plane) * stride + at;
                    // SAFETY: each row is followed by `PADDING` bytes, so a 32-byte load that starts inside the row is in bounds.
                    let pixels = unsafe { _mm256_loadu_epi8(rows.as_ptr().add(from).cast()) };
                    let units = _mm512_set1_epi16(cover.units[tap]);
                    sum = _mm512_add_epi16(sum, _mm512_mullo_epi16(_mm512_cvtepu8_epi16(pixels), units));
                }
                // SAFETY: `sums` has `PADDING` numbers after the row, so a store of 32 numbers starting inside the row stays
                // within the array.
                unsafe { _mm512_storeu_epi16(sums.as_mut_ptr().add(at).cast(), sum) };
            }
            // SAFETY: callers of `run` guarantee that the processor has AVX-512 with VBMI, and that `screen` and `out` have
            // the sizes of `area`.
            unsafe { finish(area, tables, screen, (plane, target), &sums, out) };
        }
    }
}

/// Looks up the palette numbers of one source row and writes the values to `out`. The bytes of `out` after the row get
/// unspecified values.
///
/// # Safety
/// The processor has AVX-512 with VBMI. `screen` has the size of `area`, and `row` is inside of the picture. `out` has
/// `PADDING` bytes after the row.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn look_up(area: &Plan, table: &[u8; 256], screen: &[u8], row: usize, out: &mut [u8]) {
    let width = area.drawn().1;
    let table = load(table);
    let look_up = |row: usize, at: usize| {
        let inside = u64::MAX >> 64_usize.saturating_sub(width - at);
        // SAFETY: the mask limits the load to bytes of the row, which is inside of `screen`.
        let numbers = unsafe { _mm512_maskz_loadu_epi8(inside, screen.as_ptr().add(row * width + at).cast()) };
        avx512::look_up(&table, numbers)
    };
    for at in (0..width).step_by(64) {
        if area.is_halved {
            let ones = _mm512_set1_epi8(1);
            let above = _mm512_maddubs_epi16(look_up(2 * row, at), ones);
            let below = _mm512_maddubs_epi16(look_up(2 * row + 1, at), ones);
            let sum = _mm512_add_epi16(_mm512_add_epi16(above, below), _mm512_set1_epi16(2));
            let halved = _mm512_cvtepi16_epi8(_mm512_srli_epi16::<2>(sum));
            // SAFETY: `out` holds half a row and `PADDING` bytes after it, so a 32-byte store that starts inside the row is in
            // bounds.
            unsafe { _mm256_storeu_epi8(out.as_mut_ptr().add(at / 2).cast(), halved) };
        } else {
            // SAFETY: `out` holds a row and `PADDING` bytes after it, so a 64-byte store that starts inside the row is in bounds.
            unsafe { _mm512_storeu_epi8(out.as_mut_ptr().add(at).cast(), look_up(row, at)) };
        }
    }
}

/// Computes one target row of one colour plane from the sums of source rows.
///
/// # Safety
/// The processor has AVX-512 with VBMI; `screen` and `out` have the sizes of `area`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn finish(area: &Plan, tables: &Tables, screen: &[u8], (plane, row): (usize, usize), sums: &[u16], out: &mut [u8]) {
    let rounding = Rounding::new(area.units);
    let (half, whole) = (_mm512_set1_epi32(rounding.half), _mm512_set1_epi32(rounding.whole));
    let (inverse, nudge) = (_mm512_set1_ps(rounding.inverse), _mm512_set1_ps(rounding.nudge()));
    for (number, window) in tables.windows.iter().enumerate() {
        let at = (plane * area.to.0 + row) * area.to.1 + number * LANES;
        let written = u16::MAX >> (LANES - window.count);
        // SAFETY: `sums` has at least `MAX_WINDOW_SOURCES` numbers starting at the window's first source pixel, and the
        // index and weight arrays have 32 numbers.
        let pixels = unsafe {
            let first = sums.as_ptr().add(window.first);
            let near = _mm512_loadu_epi16(first.cast());
            let far = _mm512_loadu_epi16(first.add(MAX_WINDOW_SOURCES / 2).cast());
            let mut sum = _mm512_setzero_si512();
            for pair in 0..window.pairs {
                let picked = _mm512_permutex2var_epi16(near, _mm512_loadu_epi16(window.picks[pair].as_ptr().cast()), far);
                let units = _mm512_loadu_epi16(window.units[pair].as_ptr());
                sum = _mm512_add_epi32(sum, _mm512_madd_epi16(picked, units));
            }
            sum
        };
        let doubled = _mm512_add_epi32(_mm512_slli_epi32::<1>(pixels), half);
        let quotient = _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(doubled), inverse), nudge);
        let bytes = _mm512_cvttps_epi32(quotient);
        let halfway = written & _mm512_cmpeq_epi32_mask(_mm512_mullo_epi32(bytes, whole), doubled);
        // SAFETY: the mask limits the store to the window's pixels, which are inside of `out`.
        unsafe { _mm_mask_storeu_epi8(out.as_mut_ptr().add(at).cast(), written, _mm512_cvtepi32_epi8(bytes)) };
        let mut left = halfway;
        while left != 0 {
            area.compute_exactly(screen, plane, row, number * LANES + left.trailing_zeros() as usize, out);
            left &= left - 1;
        }
    }
}

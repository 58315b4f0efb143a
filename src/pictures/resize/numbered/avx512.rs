//! With AVX-512's permutations of bytes: 64 look-ups, and 16 new pixels, at a time.

use std::arch::x86_64::*;

use super::plan::{Cover, LANES, MOST_TAPS, Plan, REACH, Rounding, SPARE};

/// Pairs of old pixels that a new one covers, at most.
const PAIRS: usize = MOST_TAPS / 2;

/// How new pixels of a row are made of its sums.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    windows: Vec<Window>,
}

/// So many new pixels: which sums make them, in pairs, and their units.
#[derive(Clone, Copy, Debug)]
struct Window {
    first: usize,
    count: usize,
    pairs: usize,
    picks: [[u16; 2 * LANES]; PAIRS],
    units: [[i16; 2 * LANES]; PAIRS],
}

impl Tables {
    /// None where new pixels that are made together cover too many old ones.
    pub(super) fn new(columns: &[Cover]) -> Option<Self> {
        columns.chunks(LANES).map(Window::new).collect::<Option<Vec<_>>>().map(|windows| Self { windows })
    }
}

impl Window {
    fn new(columns: &[Cover]) -> Option<Self> {
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
                if pick >= REACH {
                    return None;
                }
                window.picks[tap / 2][2 * lane + tap % 2] = pick as u16;
                window.units[tap / 2][2 * lane + tap % 2] = cover.units[tap];
            }
        }
        Some(window)
    }
}

/// # Safety
/// The processor has these instructions; picture and result have their sizes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) unsafe fn run(area: &Plan, tables: &Tables, screen: &[u8], out: &mut [u8]) {
    let width = area.from.1;
    let planes = area.tables.len();
    // Rows of planes, side by side, as many as new rows may be made of.
    let stride = width + SPARE;
    let mut rows = vec![0_u8; MOST_TAPS * planes * stride];
    let mut sums = vec![0_u16; stride];
    let mut done = 0;
    for (target, cover) in area.rows.iter().enumerate() {
        for row in done.max(cover.first)..cover.first + cover.count {
            let looked_up = &mut rows[row % MOST_TAPS * planes * stride..][..planes * stride];
            for (table, looked_up) in area.tables.iter().zip(looked_up.chunks_exact_mut(stride)) {
                // SAFETY: the features are this function's.
                unsafe { look_up(area, table, screen, row, looked_up) };
            }
        }
        done = cover.first + cover.count;
        for plane in 0..planes {
            for at in (0..width).step_by(32) {
                let mut sum = _mm512_setzero_si512();
                for tap in 0..cover.count {
                    let from = ((cover.first + tap) % MOST_TAPS * planes + plane) * stride + at;
                    // SAFETY: a row has bytes to spare.
                    let pixels = unsafe { _mm256_loadu_epi8(rows.as_ptr().add(from).cast()) };
                    let units = _mm512_set1_epi16(cover.units[tap]);
                    sum = _mm512_add_epi16(sum, _mm512_mullo_epi16(_mm512_cvtepu8_epi16(pixels), units));
                }
                // SAFETY: there are sums to spare.
                unsafe { _mm512_storeu_epi16(sums.as_mut_ptr().add(at).cast(), sum) };
            }
            // SAFETY: the features are this function's.
            unsafe { finish(area, tables, screen, (plane, target), &sums, out) };
        }
    }
}

/// A row of what is averaged, and whatever behind it.
///
/// # Safety
/// As for [`run`]; the row is one of the picture's, and the result has bytes to spare.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn look_up(area: &Plan, table: &[u8; 256], screen: &[u8], row: usize, out: &mut [u8]) {
    let width = area.drawn().1;
    // SAFETY: 256 bytes.
    let table = unsafe {
        [
            _mm512_loadu_epi8(table.as_ptr().cast()),
            _mm512_loadu_epi8(table.as_ptr().add(64).cast()),
            _mm512_loadu_epi8(table.as_ptr().add(128).cast()),
            _mm512_loadu_epi8(table.as_ptr().add(192).cast()),
        ]
    };
    let look_up = |row: usize, at: usize| {
        let inside = u64::MAX >> 64_usize.saturating_sub(width - at);
        // SAFETY: only bytes of the row are read.
        let numbers = unsafe { _mm512_maskz_loadu_epi8(inside, screen.as_ptr().add(row * width + at).cast()) };
        let upper = _mm512_movepi8_mask(numbers);
        let low = _mm512_permutex2var_epi8(table[0], numbers, table[1]);
        _mm512_mask_blend_epi8(upper, low, _mm512_permutex2var_epi8(table[2], numbers, table[3]))
    };
    for at in (0..width).step_by(64) {
        if area.halves {
            let ones = _mm512_set1_epi8(1);
            let above = _mm512_maddubs_epi16(look_up(2 * row, at), ones);
            let below = _mm512_maddubs_epi16(look_up(2 * row + 1, at), ones);
            let sum = _mm512_add_epi16(_mm512_add_epi16(above, below), _mm512_set1_epi16(2));
            let halved = _mm512_cvtepi16_epi8(_mm512_srli_epi16::<2>(sum));
            // SAFETY: half a row, with bytes to spare.
            unsafe { _mm256_storeu_epi8(out.as_mut_ptr().add(at / 2).cast(), halved) };
        } else {
            // SAFETY: a row, with bytes to spare.
            unsafe { _mm512_storeu_epi8(out.as_mut_ptr().add(at).cast(), look_up(row, at)) };
        }
    }
}

/// Makes a new row of a plane.
///
/// # Safety
/// As for [`run`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn finish(area: &Plan, tables: &Tables, screen: &[u8], (plane, row): (usize, usize), sums: &[u16], out: &mut [u8]) {
    let rounding = Rounding::new(area.units);
    let (half, whole) = (_mm512_set1_epi32(rounding.half), _mm512_set1_epi32(rounding.whole));
    let (inverse, nudge) = (_mm512_set1_ps(rounding.inverse), _mm512_set1_ps(rounding.nudge()));
    for (number, window) in tables.windows.iter().enumerate() {
        let at = (plane * area.to.0 + row) * area.to.1 + number * LANES;
        let written = u16::MAX >> (LANES - window.count);
        // SAFETY: as many sums as are reached over can be read behind the first, and the arrays have 32 numbers.
        let pixels = unsafe {
            let first = sums.as_ptr().add(window.first);
            let near = _mm512_loadu_epi16(first.cast());
            let far = _mm512_loadu_epi16(first.add(REACH / 2).cast());
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
        // SAFETY: no more than the window's pixels are written.
        unsafe { _mm_mask_storeu_epi8(out.as_mut_ptr().add(at).cast(), written, _mm512_cvtepi32_epi8(bytes)) };
        let mut left = halfway;
        while left != 0 {
            area.settle(screen, plane, row, number * LANES + left.trailing_zeros() as usize, out);
            left &= left - 1;
        }
    }
}

//! Resizes an Atari screen with AVX2. Each 128-bit half of a register computes sums of pixels that lie within 16 bytes: seven
//! sums, and eight in the last half. A half has eight 16-bit lanes; in the other halves, the eighth lane holds no sum.

use std::arch::x86_64::*;

use super::covers::{Covers, FROM, RESULT, ROW_PERIOD, ScreenPair, TO, Taps, UNITS, row_of};
use crate::look_up::avx2::look_up_maximum;

/// Number of 256-bit registers for a row of sums.
const REGISTERS: usize = 6;
/// First target column of each half of a register. The last half repeats a column, so that its eight results end with the row.
const COLUMNS: [[usize; 2]; REGISTERS] = [[0, 7], [14, 21], [28, 35], [42, 49], [56, 63], [70, TO.1 - 8]];

/// Row of gray pixels.
type Gray = [u8; FROM.1];
/// Sums of the source columns of each target pixel in a row.
type Sums = [__m256i; REGISTERS];

#[derive(Clone, Debug)]
pub(super) struct Tables {
    registers: [Register; REGISTERS],
}

/// Shuffles, weights and first source pixel for each of the two halves of a register.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Register {
    picks: [[[u8; 16]; 2]; 2],
    weights: [[[i8; 16]; 2]; 2],
    firsts: [usize; 2],
}

impl Tables {
    pub(super) fn new(covers: &Covers) -> Self {
        Self { registers: COLUMNS.map(|firsts| Register::new(covers, firsts)) }
    }
}

impl Register {
    fn new(covers: &Covers, firsts: [usize; 2]) -> Self {
        let halves = firsts.map(|first| {
            let is_last = first + 8 == TO.1;
            let taps = Taps::<16>::new(&covers.columns[first..][..if is_last { 8 } else { 7 }]);
            assert!(taps.first + 16 <= FROM.1, "taps.first={}: expected 16 pixels from there on", taps.first);
            taps
        });
        Self {
            picks: [0, 1].map(|step| halves.map(|half| half.picks[step])),
            weights: [0, 1].map(|step| halves.map(|half| half.weights[step])),
            firsts: halves.map(|half| half.first),
        }
    }
}

/// Resizes the pixelwise maximum of two screens. Most rows equal the row above, and have its sums.
///
/// # Safety
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn run(tables: &Tables, covers: &Covers, two: &ScreenPair<'_>, out: &mut [u8; RESULT]) {
    let mut gray = [0; FROM.1];
    let mut sums = [[_mm256_setzero_si256(); REGISTERS]; ROW_PERIOD];
    let (mut above, mut above_sums) = (None, sums[0]);
    for five in 0..FROM.0 / ROW_PERIOD {
        for (row, sums) in sums.iter_mut().enumerate() {
            let row = ROW_PERIOD * five + row;
            // The compiler would not inline a closure that is passed to `map`.
            let rows = [row_of(two.screens[0], row), row_of(two.screens[1], row)];
            if above.is_none_or(|above| !are_equal(rows, above)) {
                look_up_maximum(&[rows[0], rows[1]], two.table, &mut gray);
                sum(tables, &gray, &mut above_sums);
            }
            (above, *sums) = (Some(rows), above_sums);
        }
        let [first, second, third, fourth, fifth] = &sums;
        for (row, twice) in [(2 * five, [first, second]), (2 * five + 1, [fourth, fifth])] {
            let marked = round(twice, third, out[row * TO.1..].first_chunk_mut().expect("a row"));
            if marked != 0 {
                covers.compute_exactly(two, row, marked, out);
            }
        }
    }
}

/// Returns whether two rows equal two others.
#[inline]
#[target_feature(enable = "avx2")]
fn are_equal(rows: [&[u8; FROM.1]; 2], others: [&[u8; FROM.1]; 2]) -> bool {
    let mut equal = _mm256_set1_epi8(-1);
    for (row, other) in rows.into_iter().zip(others) {
        for (pixels, others) in row.as_chunks::<32>().0.iter().zip(other.as_chunks::<32>().0) {
            // SAFETY: both arrays have 32 bytes, the size of an unaligned AVX2 load.
            let [pixels, others] = [pixels, others].map(|pixels| unsafe { _mm256_loadu_si256(pixels.as_ptr().cast()) });
            equal = _mm256_and_si256(equal, _mm256_cmpeq_epi8(pixels, others));
        }
    }
    _mm256_movemask_epi8(equal) == -1
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum(tables: &Tables, gray: &Gray, sums: &mut Sums) {
    for (register, sum) in tables.registers.iter().zip(sums) {
        // SAFETY: `Register::new` has checked that `gray` has 16 pixels from each of `firsts` on; all other loads read whole
        // arrays.
        unsafe {
            let [one, other] = register.firsts.map(|first| gray.as_ptr().add(first));
            let pixels = _mm256_loadu2_m128i(other.cast(), one.cast());
            let [one, two] = [0, 1].map(|step| {
                let picks = _mm256_loadu_si256(register.picks[step].as_ptr().cast());
                let weights = _mm256_loadu_si256(register.weights[step].as_ptr().cast());
                _mm256_maddubs_epi16(_mm256_shuffle_epi8(pixels, picks), weights)
            });
            *sum = _mm256_add_epi16(one, two);
        }
    }
}

/// Computes a row of target pixels from sums of columns, and writes it to `out`. Returns a bit mask of the pixels whose exact
/// value is half-way between two bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn round(twice: [&Sums; 2], once: &Sums, out: &mut [u8; TO.1]) -> u128 {
    let mut marked = [0_u16; REGISTERS];
    for (register, marked) in marked.iter_mut().enumerate() {
        let doubled = _mm256_slli_epi16::<1>(_mm256_add_epi16(twice[0][register], twice[1][register]));
        let half = _mm256_set1_epi16(UNITS as i16 / 2);
        let sum = _mm256_add_epi16(_mm256_add_epi16(doubled, once[register]), half);
        // Multiplying by 41,944 / 2^20 replaces a division: it approximates 8 / 200 closely enough to give the exact quotient of
        // all sums up to 51,100.
        let eighth = _mm256_srli_epi16::<3>(sum);
        let quotient = _mm256_srli_epi16::<4>(_mm256_mulhi_epu16(eighth, _mm256_set1_epi16(41_944_u16 as i16)));
        let halfway = _mm256_cmpeq_epi16(_mm256_mullo_epi16(quotient, _mm256_set1_epi16(UNITS as i16)), sum);
        let packed = _mm256_packus_epi16(quotient, quotient);
        let [one, other] = COLUMNS[register];
        // SAFETY: each half stores eight bytes; the last half's bytes end with the row. The next half overwrites the eighth byte
        // of the others.
        unsafe {
            _mm_storel_epi64(out.as_mut_ptr().add(one).cast(), _mm256_castsi256_si128(packed));
            _mm_storel_epi64(out.as_mut_ptr().add(other).cast(), _mm256_extracti128_si256::<1>(packed));
        }
        let lanes = _mm_packs_epi16(_mm256_castsi256_si128(halfway), _mm256_extracti128_si256::<1>(halfway));
        *marked = _mm_movemask_epi8(lanes) as u16;
    }
    columns_of(marked)
}

/// Converts the masks of all registers, one bit per 16-bit lane, to one mask with one bit per target column. The bits of unused
/// lanes are 0, because their sums are.
#[inline]
fn columns_of(lanes: [u16; REGISTERS]) -> u128 {
    if lanes == [0; REGISTERS] {
        return 0;
    }
    let halves = lanes.into_iter().flat_map(u16::to_le_bytes).zip(COLUMNS.into_iter().flatten());
    halves.fold(0, |marked, (lanes, column)| marked | u128::from(lanes) << column)
}

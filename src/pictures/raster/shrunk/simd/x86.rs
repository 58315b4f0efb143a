//! Implementations of the rasterizer's innermost loops with AVX2 and AVX-512.

use std::arch::x86_64::*;

use super::super::SmoothScaled;
use super::super::cells::{ChunkTable, TALLEST, WIDEST};
use super::super::line::{Dots, Pairs};
use super::super::row_buffer::{MARGIN, PITCH, RowBuffer};
use super::super::sizes::SMALL;
use super::super::spans::{WINDOW, Window};
use super::{CHUNK, Portable, SimdOps, SpanExtent, Weights, next_chunk};

impl SmoothScaled {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    pub(in super::super) fn show_by_avx2(&mut self, out: &mut [u8]) {
        self.show_by::<Avx2>(out);
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
    pub(in super::super) fn show_by_avx512(&mut self, out: &mut [u8]) {
        self.show_by::<Avx512>(out);
    }
}

/// Implementation of [`SimdOps`](super::SimdOps) with AVX2. Only [`SmoothScaled::show_by_avx2`] uses it.
struct Avx2;

/// Implementation of [`SimdOps`](super::SimdOps) with AVX-512, including BW and VNNI. Only [`SmoothScaled::show_by_avx512`] uses
/// it.
struct Avx512;

impl SimdOps for Avx2 {
    #[inline(always)]
    fn chunks(table: &ChunkTable, cells: u128) -> u64 {
        // SAFETY: only `show_by_avx2` uses `Avx2`, with BMI2 enabled.
        unsafe { chunks_by_bmi2(table, cells) }
    }

    #[inline(always)]
    fn fill(pixels: &mut [u32; CHUNK], count: i32, color: u32) {
        // SAFETY: only `show_by_avx2` uses `Avx2`, with AVX2 enabled.
        unsafe { fill_by_avx2(pixels, count, color) }
    }

    #[inline(always)]
    fn cover(sheet: &mut RowBuffer, chunks: u64, spans: Window<'_>, color: u32) {
        // SAFETY: only `show_by_avx2` uses `Avx2`, with AVX2 enabled.
        unsafe { cover_by_avx2(sheet, chunks, spans, color) }
    }

    #[inline(always)]
    fn dots(pixels: &mut [u32; CHUNK], count: i32, color: u32, dots: &Dots, first: i32) {
        // SAFETY: only `show_by_avx2` uses `Avx2`, with AVX2 enabled.
        unsafe { dots_by_avx2(pixels, count, color, dots, first) }
    }

    #[inline(always)]
    fn pairs(sheet: &mut RowBuffer, rows: (usize, u32), color: u32, pairs: &Pairs) {
        // SAFETY: only `show_by_avx2` uses `Avx2`, with AVX2 enabled.
        unsafe { pairs_by_avx2(sheet, rows, color, pairs) }
    }

    #[inline(always)]
    fn average(sheet: &RowBuffer, first: usize, weights: &Weights<'_>) -> [u8; 4] {
        // SAFETY: only `show_by_avx2` uses `Avx2`, with AVX2 enabled.
        unsafe { average_by_avx2(sheet, first, weights) }
    }

    #[inline(always)]
    fn reach(outer: Window<'_>, inner: Window<'_>, rows: &[i16; WINDOW]) -> SpanExtent {
        // SAFETY: only `show_by_avx2` uses `Avx2`, with AVX2 enabled.
        unsafe { reach(outer, inner, rows) }
    }

    #[inline(always)]
    fn write_rgb(colors: &[u32], out: &mut [u8]) {
        // SAFETY: only `show_by_avx2` uses `Avx2`, with AVX2 enabled.
        unsafe { write_rgb_by_avx2(colors, out) }
    }
}

impl SimdOps for Avx512 {
    #[inline(always)]
    fn chunks(table: &ChunkTable, cells: u128) -> u64 {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with BMI2 enabled.
        unsafe { chunks_by_bmi2(table, cells) }
    }

    #[inline(always)]
    fn set_colors(colors: &mut [u32; SMALL], cells: u128, color: u32) {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with AVX-512 enabled.
        unsafe { set_colors_by_avx512(colors, cells, color) }
    }

    #[inline(always)]
    fn fill(pixels: &mut [u32; CHUNK], count: i32, color: u32) {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with AVX-512 enabled; the array `pixels` has 64 bytes.
        unsafe { fill_by_avx512(pixels, count, color) }
    }

    #[inline(always)]
    fn cover(sheet: &mut RowBuffer, chunks: u64, spans: Window<'_>, color: u32) {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with AVX-512 enabled.
        unsafe { cover_by_avx512(sheet, chunks, spans, color) }
    }

    #[inline(always)]
    fn dots(pixels: &mut [u32; CHUNK], count: i32, color: u32, dots: &Dots, first: i32) {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with AVX-512 enabled.
        unsafe { dots_by_avx512(pixels, count, color, dots, first) }
    }

    #[inline(always)]
    fn pairs(sheet: &mut RowBuffer, rows: (usize, u32), color: u32, pairs: &Pairs) {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with AVX2 enabled.
        unsafe { pairs_by_avx2(sheet, rows, color, pairs) }
    }

    #[inline(always)]
    fn average(sheet: &RowBuffer, first: usize, weights: &Weights<'_>) -> [u8; 4] {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with AVX-512 enabled.
        unsafe { average_by_avx512(sheet, first, weights) }
    }

    #[inline(always)]
    fn reach(outer: Window<'_>, inner: Window<'_>, rows: &[i16; WINDOW]) -> SpanExtent {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with AVX2 enabled.
        unsafe { reach(outer, inner, rows) }
    }

    #[inline(always)]
    fn write_rgb(colors: &[u32], out: &mut [u8]) {
        // SAFETY: only `show_by_avx512` uses `Avx512`, with AVX2 enabled.
        unsafe { write_rgb_by_avx2(colors, out) }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn fill_by_avx2(pixels: &mut [u32; CHUNK], count: i32, color: u32) {
    let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (half, begin) in pixels.as_chunks_mut::<8>().0.iter_mut().zip([0, 8]) {
        let is_filled = _mm256_cmpgt_epi32(_mm256_set1_epi32(count - begin), lanes);
        // SAFETY: each half of `pixels` has 32 bytes, the size of an unaligned AVX2 load or store.
        unsafe {
            let before = _mm256_loadu_si256(half.as_ptr().cast());
            let filled = _mm256_blendv_epi8(before, _mm256_set1_epi32(color as i32), is_filled);
            _mm256_storeu_si256(half.as_mut_ptr().cast(), filled);
        }
    }
}

/// Returns the mask of sixteen bits whose first `count` bits are set.
#[target_feature(enable = "bmi2")]
#[inline]
fn first(count: i32) -> __mmask16 {
    _bzhi_u32(0xffff, count.min(16) as u32) as __mmask16
}

#[target_feature(enable = "avx512f,bmi2")]
#[inline]
fn fill_by_avx512(pixels: &mut [u32; CHUNK], count: i32, color: u32) {
    // SAFETY: the array `pixels` has 64 bytes, the size of an unaligned AVX-512 store.
    unsafe { _mm512_mask_storeu_epi32(pixels.as_mut_ptr().cast(), first(count), _mm512_set1_epi32(color as i32)) }
}

/// Returns the bit set of the chunks that contain columns of the cells in the bit set `cells`.
#[target_feature(enable = "bmi2")]
#[inline]
fn chunks_by_bmi2(table: &ChunkTable, cells: u128) -> u64 {
    let (cells, first_cells) = (table.at_first_cells(cells), table.first_cells[0]);
    let low = _pext_u64(cells as u64, first_cells as u64);
    low | _pext_u64((cells >> 64) as u64, (first_cells >> 64) as u64) << (first_cells as u64).count_ones()
}

#[target_feature(enable = "avx512f")]
#[inline]
fn set_colors_by_avx512(colors: &mut [u32; SMALL], cells: u128, color: u32) {
    let color = _mm512_set1_epi32(color as i32);
    for (at, sixteen) in colors.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        // SAFETY: the array `sixteen` has 64 bytes, the size of an unaligned AVX-512 store.
        unsafe { _mm512_mask_storeu_epi32(sixteen.as_mut_ptr().cast(), (cells >> (16 * at)) as __mmask16, color) };
    }
}

/// Fills the spans of all rows with a colour, a chunk of sixteen columns at a time.
#[target_feature(enable = "avx2")]
#[inline]
fn cover_by_avx2(sheet: &mut RowBuffer, mut chunks: u64, (lefts, rights): Window<'_>, color: u32) {
    let color = _mm256_set1_epi32(color as i32);
    // Unpacking doubles the first four words of each half of a register, and the last four words.
    let lanes = _mm256_setr_epi16(0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15);
    while let Some(column) = next_chunk(&mut chunks) {
        let columns = _mm256_add_epi16(lanes, _mm256_set1_epi16(column as i16));
        for ((left, right), row) in lefts.iter().zip(rights).zip(sheet.rows_mut()).take(TALLEST) {
            let is_left = _mm256_cmpgt_epi16(_mm256_set1_epi16(*left), columns);
            let is_outside = _mm256_or_si256(is_left, _mm256_cmpgt_epi16(columns, _mm256_set1_epi16(*right)));
            let (halves, _) = row[MARGIN + column as usize..].as_chunks_mut::<8>();
            let masks = [_mm256_unpacklo_epi16(is_outside, is_outside), _mm256_unpackhi_epi16(is_outside, is_outside)];
            for (half, is_outside) in halves.iter_mut().zip(masks) {
                // SAFETY: the array `half` has 32 bytes, the size of an unaligned AVX2 load or store.
                unsafe {
                    let before = _mm256_loadu_si256(half.as_ptr().cast());
                    _mm256_storeu_si256(half.as_mut_ptr().cast(), _mm256_blendv_epi8(color, before, is_outside));
                }
            }
        }
    }
}

/// Fills the spans of all rows with a colour, a chunk of sixteen columns at a time. For each chunk, the masks of all rows are computed
/// together.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
fn cover_by_avx512(sheet: &mut RowBuffer, mut chunks: u64, (lefts, rights): Window<'_>, color: u32) {
    // SAFETY: the array `numbers` has 32 bytes, the size of an unaligned AVX2 load.
    let load = |numbers: &[i16; WINDOW]| unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) };
    let all = |value: i32| _mm256_set1_epi16(value as i16);
    let (begins, ends) = (load(lefts), _mm256_adds_epi16(load(rights), all(1)));
    let color = _mm512_set1_epi32(color as i32);
    while let Some(column) = next_chunk(&mut chunks) {
        // The closure `from` returns a mask of sixteen columns for each row. The mask selects the columns at or after the row's
        // column in `places`.
        let from = |places: __m256i| {
            let shift = _mm256_max_epi16(_mm256_subs_epi16(places, all(column)), _mm256_setzero_si256());
            _mm256_sllv_epi16(_mm256_set1_epi16(-1), shift)
        };
        let mut masks = [0_u16; WINDOW];
        // SAFETY: the array `masks` has 32 bytes, the size of an unaligned AVX2 store.
        unsafe { _mm256_storeu_si256(masks.as_mut_ptr().cast(), _mm256_andnot_si256(from(ends), from(begins))) };
        for (row, mask) in masks.iter().enumerate().take(TALLEST) {
            // SAFETY: `mask` is a reference. The load is volatile because the compiler would otherwise extract each mask from a
            // register, with two instructions.
            let mask = unsafe { std::ptr::read_volatile(mask) };
            let chunk: &mut [u32; CHUNK] = sheet.pixels(row, column);
            // SAFETY: the array `chunk` has 64 bytes, the size of an unaligned AVX-512 store.
            unsafe { _mm512_mask_storeu_epi32(chunk.as_mut_ptr().cast(), mask, color) };
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn dots_by_avx2(pixels: &mut [u32; CHUNK], count: i32, color: u32, dots: &Dots, at: i32) {
    let all = |value: i32| _mm256_set1_epi32(value);
    let direction = all(dots.aside >> 1);
    let (color, even) = (all(color as i32), all(0x00ff_00ff));
    for (begin, half) in (0..count).step_by(8).zip(pixels.as_chunks_mut::<8>().0) {
        let lanes = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), all(begin));
        let steps = _mm256_sub_epi32(_mm256_xor_si256(lanes, direction), direction);
        let steps = _mm256_add_epi32(all(dots.step + at * dots.aside), steps);
        let part = _mm256_srli_epi32::<8>(_mm256_mullo_epi32(steps, all(dots.adjust as i32)));
        let is_first = _mm256_cmpgt_epi32(steps, all(dots.turn - 1));
        let part = _mm256_and_si256(_mm256_xor_si256(part, is_first), all(255));
        // 255 * part / 256, rounded down, is one less than `part`, except for 0.
        let part = _mm256_subs_epu16(part, all(1));
        let part = _mm256_or_si256(part, _mm256_slli_epi32::<16>(part));
        let rest = _mm256_sub_epi16(_mm256_set1_epi16(256), part);
        // SAFETY: the array `half` has 32 bytes, the size of an unaligned AVX2 load.
        let below = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
        let mixed = |below, color| _mm256_add_epi16(_mm256_mullo_epi16(below, rest), _mm256_mullo_epi16(color, part));
        let evens = _mm256_srli_epi16::<8>(mixed(_mm256_and_si256(below, even), _mm256_and_si256(color, even)));
        let odds = _mm256_andnot_si256(even, mixed(_mm256_srli_epi16::<8>(below), _mm256_srli_epi16::<8>(color)));
        let painted = _mm256_blendv_epi8(below, _mm256_or_si256(evens, odds), _mm256_cmpgt_epi32(all(count), lanes));
        // SAFETY: the array `half` has 32 bytes, the size of an unaligned AVX2 store.
        unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), painted) };
    }
}

#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
fn dots_by_avx512(pixels: &mut [u32; CHUNK], count: i32, color: u32, dots: &Dots, at: i32) {
    let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let all = |value: i32| _mm512_set1_epi32(value);
    let direction = all(dots.aside >> 1);
    let lanes = _mm512_sub_epi32(_mm512_xor_si512(lanes, direction), direction);
    let steps = _mm512_add_epi32(all(dots.step + at * dots.aside), lanes);
    let part = _mm512_srli_epi32::<8>(_mm512_mullo_epi32(steps, all(dots.adjust as i32)));
    let is_first = _mm512_cmpge_epi32_mask(steps, all(dots.turn));
    let part = _mm512_and_si512(_mm512_mask_xor_epi32(part, is_first, part, all(255)), all(255));
    // 255 * part / 256, rounded down, is one less than `part`, except for 0.
    let part = _mm512_subs_epu16(part, all(1));
    let part = _mm512_or_si512(part, _mm512_slli_epi32::<16>(part));
    let rest = _mm512_sub_epi16(_mm512_set1_epi16(256), part);
    // SAFETY: the array `pixels` has 64 bytes, the size of an unaligned AVX-512 load.
    let below = unsafe { _mm512_loadu_epi32(pixels.as_ptr().cast()) };
    let (color, even) = (all(color as i32), all(0x00ff_00ff));
    let mixed = |below, color| _mm512_add_epi16(_mm512_mullo_epi16(below, rest), _mm512_mullo_epi16(color, part));
    let evens = _mm512_srli_epi16::<8>(mixed(_mm512_and_si512(below, even), _mm512_and_si512(color, even)));
    let odds = _mm512_andnot_si512(even, mixed(_mm512_srli_epi16::<8>(below), _mm512_srli_epi16::<8>(color)));
    // SAFETY: the array `pixels` has 64 bytes, the size of an unaligned AVX-512 store.
    unsafe { _mm512_mask_storeu_epi32(pixels.as_mut_ptr().cast(), first(count), _mm512_or_si512(evens, odds)) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn pairs_by_avx2(sheet: &mut RowBuffer, (row, count): (usize, u32), color: u32, pairs: &Pairs) {
    let color = _mm_cvtepu8_epi16(_mm_set1_epi32(color as i32));
    // A shuffle that copies the opacity of the left pixel to its four words, and that of the right pixel to its words.
    let (left, right) = if pairs.aside > 0 { (0x0100, 0x0302) } else { (0x0302, 0x0100) };
    let by_pixel = _mm_unpacklo_epi64(_mm_set1_epi16(left), _mm_set1_epi16(right));
    let mut along = pairs.along;
    for row in sheet.rows_mut()[..=row].iter_mut().rev().take(count as usize) {
        let part = (along >> 8) & 255;
        // 255 * part / 256, rounded down, is one less than `part`, except for 0.
        let both = _mm_subs_epu16(_mm_cvtsi32_si128((part << 16 | (part ^ 255)) as i32), _mm_set1_epi16(1));
        let part = _mm_shuffle_epi8(both, by_pixel);
        let column = pairs.left + pairs.aside * (along >> 16) as i32 + MARGIN as i32;
        let pixels: &mut [u32; 2] = row[column as usize..].first_chunk_mut().expect("rows are longer than pictures are wide");
        let below = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(i64::from(pixels[0]) | i64::from(pixels[1]) << 32));
        let change = _mm_mullo_epi16(_mm_sub_epi16(color, below), part);
        let mixed = _mm_srli_epi16::<8>(_mm_add_epi16(_mm_slli_epi16::<8>(below), change));
        let painted = _mm_cvtsi128_si64(_mm_packus_epi16(mixed, mixed));
        *pixels = [painted as u32, (painted >> 32) as u32];
        along += pairs.adjust;
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn reach(outer: Window<'_>, inner: Window<'_>, rows: &[i16; WINDOW]) -> SpanExtent {
    // SAFETY: the array `numbers` has 32 bytes, the size of an unaligned AVX2 load.
    let load = |numbers: &[i16; WINDOW]| unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) };
    let (least, most) = (_mm256_set1_epi16(i16::MIN), _mm256_set1_epi16(i16::MAX));
    let rows = load(rows);
    let choose = |other, numbers| _mm256_blendv_epi8(other, load(numbers), rows);
    // The closure `least_of` computes the minimum of signed numbers with the instruction for unsigned numbers. The closure
    // `most_of` computes the maximum as the complement of the minimum of the complements.
    let least_of = |numbers: __m256i| {
        let halves = _mm_min_epi16(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
        let ordered = _mm_xor_si128(halves, _mm_set1_epi16(i16::MIN));
        (_mm_extract_epi16::<0>(_mm_minpos_epu16(ordered)) as u16 ^ 0x8000) as i16
    };
    let most_of = |numbers: __m256i| !least_of(_mm256_xor_si256(numbers, _mm256_set1_epi16(-1)));
    SpanExtent {
        outer: (least_of(choose(most, outer.0)), most_of(choose(least, outer.1))),
        inner: (most_of(choose(least, inner.0)), least_of(choose(most, inner.1))),
    }
}

/// Writes four colours at a time. The last four bytes of each store are overwritten by the next.
#[target_feature(enable = "avx2")]
#[inline]
fn write_rgb_by_avx2(colors: &[u32], out: &mut [u8]) {
    let packed = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    let (mut colors, mut out) = (colors, out);
    while let (Some((four, others)), Some(bytes)) = (colors.split_first_chunk::<4>(), out.first_chunk_mut::<16>()) {
        // SAFETY: the arrays `four` and `bytes` have 16 bytes, the size of an unaligned load or store.
        unsafe {
            let four = _mm_loadu_si128(four.as_ptr().cast());
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm_shuffle_epi8(four, packed));
        }
        (colors, out) = (others, &mut out[12..]);
    }
    Portable::write_rgb(colors, out);
}

/// Averages a cell, two rows at a time, in 32-bit words. All columns but the first and the last have full weight, so their bytes
/// are added without multiplication.
#[target_feature(enable = "avx2")]
#[inline]
fn average_by_avx2(sheet: &RowBuffer, begin: usize, weights: &Weights<'_>) -> [u8; 4] {
    let begin = (MARGIN + begin).min(PITCH - CHUNK);
    let last = weights.width.clamp(WIDEST - 3, WIDEST) - 1;
    let all = |value: i32| _mm256_set1_epi32(value);
    let twice = |part: __m128i| _mm256_broadcastsi128_si256(part);
    let by_color = twice(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    // Weights of the bytes of four columns of one colour.
    let inside = [all(0x0101_0100), all(0x0101_0101), all(0x0001_0101 & ((1 << (8 * (last - 8))) - 1))];
    // Shuffles that select one of four pixels and expand its bytes to words: `first` selects the first pixel, and the next
    // shuffle selects another pixel.
    let first = twice(_mm_setr_epi8(0, -1, -1, -1, 1, -1, -1, -1, 2, -1, -1, -1, 3, -1, -1, -1));
    let ends = [(0, first), (2, _mm256_add_epi32(first, all(4 * (last as i32 - 8))))];
    let sides = [all(weights.columns[0].into()), all(weights.columns[last * 4].into())];
    let across = all(i32::from(weights.reciprocals.0));
    let mut sums = _mm256_setzero_si256();
    // The row buffer also has rows after the last row of the cell; their weight is zero.
    for (rows, parts) in sheet.rows().as_chunks::<2>().0.iter().zip(weights.rows.as_chunks::<2>().0).take(TALLEST / 2) {
        // `map` is not used, because closures passed to it are compiled without vector instructions. SAFETY: each row of the
        // buffer has at least `CHUNK` pixels after the index `begin`.
        let four = |row: &[u32; PITCH], column: usize| unsafe { _mm_loadu_si128(row.as_ptr().add(begin + column).cast()) };
        let two_rows = |column: usize| _mm256_set_m128i(four(&rows[1], column), four(&rows[0], column));
        let pixels = [two_rows(0), two_rows(4), two_rows(8)];
        let pairs = |at: usize| _mm256_maddubs_epi16(_mm256_shuffle_epi8(pixels[at], by_color), inside[at]);
        let pairs = _mm256_add_epi16(_mm256_add_epi16(pairs(0), pairs(1)), pairs(2));
        let mut sum = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
        for ((at, end), weight) in ends.into_iter().zip(sides) {
            let side = _mm256_shuffle_epi8(pixels[at], end);
            sum = _mm256_add_epi32(sum, _mm256_srli_epi32::<14>(_mm256_mullo_epi32(side, weight)));
        }
        // SAFETY: the array `parts` (weights of two rows) has 32 bytes, the size of an unaligned AVX2 load.
        let parts = unsafe { _mm256_loadu_si256(parts.as_ptr().cast()) };
        let row = _mm256_srli_epi32::<16>(_mm256_mullo_epi32(sum, across));
        sums = _mm256_add_epi32(sums, _mm256_srli_epi32::<14>(_mm256_mullo_epi32(row, parts)));
    }
    last_average(sums, weights)
}

/// Returns the average of a cell, given its weighted sums in the two halves of a register.
#[target_feature(enable = "avx2")]
#[inline]
fn last_average(sums: __m256i, weights: &Weights<'_>) -> [u8; 4] {
    let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let average = _mm_srli_epi32::<16>(_mm_mullo_epi32(sums, _mm_set1_epi32(i32::from(weights.reciprocals.1))));
    let average = _mm_packus_epi32(average, average);
    _mm_cvtsi128_si32(_mm_packus_epi16(average, average)).to_le_bytes()
}

/// Averages a cell, four rows at a time, one in each 128-bit part of a register, in 32-bit words. All columns but the first and the
/// last have full weight, so their bytes are added without multiplication.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn average_by_avx512(sheet: &RowBuffer, begin: usize, weights: &Weights<'_>) -> [u8; 4] {
    let begin = (MARGIN + begin).min(PITCH - CHUNK);
    let last = weights.width.clamp(WIDEST - 3, WIDEST) - 1;
    let all = |value: i32| _mm512_set1_epi32(value);
    let parts = |part: __m128i| _mm512_broadcast_i32x4(part);
    let by_color = parts(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    // Weights of the bytes of four columns of one colour.
    let inside = [all(0x0101_0100), all(0x0101_0101), all(0x0001_0101 & ((1 << (8 * (last - 8))) - 1))];
    // Shuffles that select one of four pixels and expand its bytes to words: `first` selects the first pixel, `other` the cell's last.
    let first = parts(_mm_setr_epi8(0, -1, -1, -1, 1, -1, -1, -1, 2, -1, -1, -1, 3, -1, -1, -1));
    let other = _mm512_add_epi32(first, all(4 * (last as i32 - 8)));
    let sides = [all(weights.columns[0].into()), all(weights.columns[last * 4].into())];
    let across = all(weights.reciprocals.0.into());
    let mut sums = _mm512_setzero_si512();
    // The row buffer also has rows after the last row of the cell; their weight is zero.
    for (rows, parts) in sheet.rows().as_chunks::<4>().0.iter().zip(weights.rows.as_chunks::<4>().0) {
        // SAFETY: each row of the buffer has at least `CHUNK` pixels after the index `begin`.
        let four = |row: &[u32; PITCH], column: usize| unsafe { _mm_loadu_si128(row.as_ptr().add(begin + column).cast()) };
        let four_rows = |column: usize| {
            let pixels = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(four(&rows[0], column)), four(&rows[1], column));
            _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(pixels, four(&rows[2], column)), four(&rows[3], column))
        };
        let pixels = [four_rows(0), four_rows(4), four_rows(8)];
        let add = |sum, at: usize| _mm512_dpbusd_epi32(sum, _mm512_shuffle_epi8(pixels[at], by_color), inside[at]);
        let mut sum = add(add(add(_mm512_setzero_si512(), 0), 1), 2);
        for (side, weight) in
            [_mm512_shuffle_epi8(pixels[0], first), _mm512_shuffle_epi8(pixels[2], other)].into_iter().zip(sides)
        {
            sum = _mm512_add_epi32(sum, _mm512_srli_epi32::<14>(_mm512_mullo_epi32(side, weight)));
        }
        // SAFETY: the array `parts` (weights of four rows) has 64 bytes, the size of an unaligned AVX-512 load.
        let parts = unsafe { _mm512_loadu_epi32(parts.as_ptr().cast()) };
        let row = _mm512_srli_epi32::<16>(_mm512_mullo_epi32(sum, across));
        sums = _mm512_add_epi32(sums, _mm512_srli_epi32::<14>(_mm512_mullo_epi32(row, parts)));
    }
    last_average(_mm256_add_epi32(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64::<1>(sums)), weights)
}

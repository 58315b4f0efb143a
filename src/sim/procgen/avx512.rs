//! Loops over pixels with AVX-512, sixteen pixels at a time. Pixels equal those of the portable loops.

use std::arch::x86_64::*;
use std::ops::Range;

use crate::canvas::{AREA, SIDE};
use crate::image::Pixels;
use crate::rotate::{SourceMap, Trapezoid};
use crate::sampling::{Blending, Sampled};

/// Number of pixels of a register.
const LANES: usize = 16;

/// Returns the mask of the first `count` pixels of a register.
#[target_feature(enable = "bmi2")]
#[inline]
fn first_lanes(count: usize) -> __mmask16 {
    _bzhi_u32(0xffff, count.min(LANES) as u32) as __mmask16
}

/// Multiplies every channel of pixels by factors in 255ths, as [`crate::blend::scale_channels`] does.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn scale_channels(pixels: __m512i, factors: __m512i) -> __m512i {
    let low = _mm512_set1_epi16(0x00ff);
    let factors = _mm512_or_si512(factors, _mm512_slli_epi32::<16>(factors));
    let scaled = |channels| {
        let products = _mm512_mullo_epi16(channels, factors);
        let rounded = _mm512_add_epi16(products, _mm512_srli_epi16::<8>(products));
        _mm512_add_epi16(rounded, _mm512_set1_epi16(0x0080))
    };
    let evens = scaled(_mm512_and_si512(pixels, low));
    let odds = scaled(_mm512_srli_epi16::<8>(pixels));
    _mm512_or_si512(_mm512_srli_epi16::<8>(evens), _mm512_andnot_si512(low, odds))
}

/// Draws pixels over other pixels, as [`crate::blend::source_over`] does. Pixels of full or no opacity need no exception, because
/// scaling by 0 and by 255 is exact.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn over(below: __m512i, source: __m512i) -> __m512i {
    let rest = _mm512_sub_epi32(_mm512_set1_epi32(255), _mm512_srli_epi32::<24>(source));
    _mm512_add_epi32(source, scale_channels(below, rest))
}

/// Returns the pixels with the given indices, for the lanes in `mask`. Indices behind the last pixel select the last pixel.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn gather(pixels: &[u32], indices: __m512i, mask: __mmask16) -> __m512i {
    let Some(last) = pixels.len().checked_sub(1) else { return _mm512_setzero_si512() };
    let indices = _mm512_min_epu32(indices, _mm512_set1_epi32(last as i32));
    // SAFETY: the indices are at most that of the last pixel, and lanes that are not in the mask are not loaded.
    unsafe {
        if mask < 1 << (LANES / 2) {
            let (none, half) = (_mm256_setzero_si256(), _mm512_castsi512_si256(indices));
            _mm512_zextsi256_si512(_mm256_mmask_i32gather_epi32::<4>(none, mask as u8, half, pixels.as_ptr().cast()))
        } else {
            _mm512_mask_i32gather_epi32::<4>(_mm512_setzero_si512(), mask, indices, pixels.as_ptr().cast())
        }
    }
}

/// Draws the pixels `shown(y)` of the canvas columns `columns` in each canvas row `y` of `rows`, as [`crate::sampling`] does.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
pub(crate) fn draw_sampled(
    canvas: &mut [u32; AREA],
    source: &Sampled<'_>,
    columns: Range<i32>,
    blending: Blending,
    shown: impl Fn(i32) -> u64,
) {
    assert!(0 <= columns.start && columns.end <= SIDE, "columns of the canvas");
    for start in columns.clone().step_by(LANES) {
        let columns = start..columns.end.min(start + LANES as i32);
        match blending {
            Blending::Copy => draw_columns(canvas, source, columns, &shown, |_, source| source),
            Blending::Over(None) => draw_columns(canvas, source, columns, &shown, |below, source| over(below, source)),
            Blending::Over(Some(opacity)) => {
                let opacity = _mm512_set1_epi32(opacity as i32);
                draw_columns(canvas, source, columns, &shown, |below, source| over(below, scale_channels(source, opacity)));
            }
        }
    }
}

/// Draws at most sixteen columns of the canvas.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
#[inline]
fn draw_columns(
    canvas: &mut [u32; AREA],
    source: &Sampled<'_>,
    columns: Range<i32>,
    shown: impl Fn(i32) -> u64,
    draw: impl Fn(__m512i, __m512i) -> __m512i,
) {
    let (low, high) = source.bounds(&columns);
    match (high - low) / (2 * LANES) {
        0 => draw_rows::<1>(canvas, source, low, columns, shown, draw),
        1 => draw_rows::<2>(canvas, source, low, columns, shown, draw),
        2 | 3 if columns.len() > LANES / 2 => draw_rows::<4>(canvas, source, low, columns, shown, draw),
        _ => draw_rows::<0>(canvas, source, low, columns, shown, draw),
    }
}

/// Draws at most sixteen columns of the canvas, whose source columns are within `PAIRS` pairs of registers from the source column
/// `low`. One instruction selects sixteen pixels from a pair; `PAIRS` is 0 if single pixels are loaded.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
#[inline]
fn draw_rows<const PAIRS: usize>(
    canvas: &mut [u32; AREA],
    &Sampled { image, rows, offsets }: &Sampled<'_>,
    low: usize,
    columns: Range<i32>,
    shown: impl Fn(i32) -> u64,
    draw: impl Fn(__m512i, __m512i) -> __m512i,
) {
    let all = |value: usize| _mm512_set1_epi32(value as i32);
    let (pixels, first) = (image.pixels.as_slice(), columns.start as usize);
    // SAFETY: `Offsets` has sixteen columns more than the canvas, which has the column `first`.
    let offsets = unsafe { _mm512_loadu_epi32(offsets.columns[first..][..LANES].as_ptr().cast()) };
    let indices = _mm512_sub_epi32(offsets, all(low));
    let (selected, lines) = (first_lanes(columns.len()), canvas.as_chunks_mut::<{ SIDE as usize }>().0);
    let mut row = rows.start;
    for (y, line) in (rows.first..rows.end()).zip(&mut lines[rows.first as usize..rows.end() as usize]) {
        let start = (row >> 16) as usize * image.width as usize;
        row = row.wrapping_add(rows.step as u32);
        let mask = (shown(y) >> first) as __mmask16 & selected;
        if mask == 0 {
            continue;
        }
        let source = match pixels.get(start + low..start + low + 2 * LANES * PAIRS) {
            Some(registers) if PAIRS > 0 => {
                let pair = |number: usize| {
                    let pair = &registers[2 * LANES * number..][..2 * LANES];
                    // SAFETY: a pair has the size of two unaligned AVX-512 loads.
                    unsafe {
                        let (low, high) =
                            (_mm512_loadu_epi32(pair.as_ptr().cast()), _mm512_loadu_epi32(pair[LANES..].as_ptr().cast()));
                        _mm512_permutex2var_epi32(low, indices, high)
                    }
                };
                let either = |bit: i32, low, high| {
                    _mm512_mask_mov_epi32(low, _mm512_test_epi32_mask(indices, _mm512_set1_epi32(bit)), high)
                };
                match PAIRS {
                    1 => pair(0),
                    2 => either(32, pair(0), pair(1)),
                    _ => either(64, either(32, pair(0), pair(1)), either(32, pair(2), pair(3))),
                }
            }
            _ => gather(pixels, _mm512_add_epi32(offsets, all(start)), mask),
        };
        // SAFETY: the mask selects columns of the line, because `draw_sampled` has checked that `columns` are columns of the canvas.
        unsafe {
            let pixels = line.as_mut_ptr().add(first);
            let below = _mm512_maskz_loadu_epi32(mask, pixels.cast());
            _mm512_mask_storeu_epi32(pixels.cast(), mask, draw(below, source));
        }
    }
}

/// Draws pixels of an image into a trapezoid.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
pub(crate) fn fill_trapezoid(
    canvas: &mut [u32; AREA],
    trapezoid: Trapezoid,
    map: &SourceMap,
    image: &Pixels,
    opacity: Option<u32>,
) {
    let all = |value: i32| _mm512_set1_epi32(value);
    let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let inside = |at: __m512i, size: i32| {
        _mm512_min_epi32(_mm512_max_epi32(_mm512_srai_epi32::<16>(at), _mm512_setzero_si512()), all(size - 1))
    };
    let (du, dv) = (_mm512_mullo_epi32(lanes, all(map.dudx)), _mm512_mullo_epi32(lanes, all(map.dvdx)));
    let pixels = image.pixels.as_slice();
    for (y, first, end) in trapezoid {
        let line = &mut canvas[(y * SIDE + first) as usize..(y * SIDE + end) as usize];
        for (line, x) in line.chunks_mut(LANES).zip((first..).step_by(LANES)) {
            let (u, v) = map.source_of(x, y);
            let column = inside(_mm512_add_epi32(all(u), du), image.width);
            let row = inside(_mm512_add_epi32(all(v), dv), image.height);
            let indices = _mm512_add_epi32(_mm512_mullo_epi32(row, all(image.width)), column);
            let mask = first_lanes(line.len());
            let source = gather(pixels, indices, mask);
            let source = opacity.map_or(source, |opacity| scale_channels(source, all(opacity as i32)));
            // SAFETY: the mask selects at most as many pixels as the line has.
            unsafe {
                let below = _mm512_maskz_loadu_epi32(mask, line.as_ptr().cast());
                _mm512_mask_storeu_epi32(line.as_mut_ptr().cast(), mask, over(below, source));
            }
        }
    }
}

/// Writes the colours of pixels as three planes of bytes: red, green and blue.
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn write_planes(pixels: &[u32; AREA], out: &mut [u8]) {
    let by_color = _mm512_broadcast_i32x4(_mm_setr_epi8(2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12, 3, 7, 11, 15));
    let (red, rest) = out.split_at_mut(AREA);
    let (green, blue) = rest.split_at_mut(AREA);
    let planes = red.as_chunks_mut::<64>().0.iter_mut().zip(green.as_chunks_mut::<64>().0).zip(blue.as_chunks_mut::<64>().0);
    for (pixels, ((red, green), blue)) in pixels.as_chunks::<64>().0.iter().zip(planes) {
        let colors = |at: usize| {
            // SAFETY: `pixels` has four times sixteen pixels, and `at` is less than four.
            let pixels = unsafe { _mm512_loadu_epi32(pixels.as_ptr().add(LANES * at).cast()) };
            _mm512_shuffle_epi8(pixels, by_color)
        };
        let (a, b, c, d) = (colors(0), colors(1), colors(2), colors(3));
        for (plane, color) in [red, green, blue].into_iter().zip(0..) {
            // Each 128-bit part of a register has four pixels, in one double word for each colour.
            let parts = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
            let parts = _mm512_add_epi32(parts, _mm512_set1_epi32(color));
            let (low, high) = (_mm512_permutex2var_epi32(a, parts, b), _mm512_permutex2var_epi32(c, parts, d));
            // SAFETY: the array `plane` has 64 bytes, the size of an unaligned AVX-512 store.
            unsafe { _mm512_storeu_epi32(plane.as_mut_ptr().cast(), _mm512_shuffle_i64x2::<0b01_00_01_00>(low, high)) }
        }
    }
}

//! Loops over pixels with AVX2, eight pixels at a time. Pixels equal those of the portable loops.

use std::arch::x86_64::*;
use std::ops::Range;

use crate::canvas::{AREA, SIDE};
use crate::image::Pixels;
use crate::mask::bits;
use crate::rotate::{SourceMap, Trapezoid};
use crate::sampling::{Blending, Sampled};

/// Number of pixels of a register.
const LANES: usize = 8;
/// Last column of the canvas from which on a register of pixels can be loaded and stored.
const LAST_START: i32 = SIDE - LANES as i32;

/// Returns the first column of a register that contains at most eight columns of the canvas, and the bits of these columns in it.
#[inline(always)]
fn register_of(columns: Range<i32>) -> (usize, u8) {
    let first = columns.start.min(LAST_START) as usize;
    (first, (bits(columns) >> first) as u8)
}

/// Multiplies every channel of pixels by factors in 255ths, as [`crate::blend::scale_channels`] does.
#[target_feature(enable = "avx2")]
#[inline]
fn scale_channels(pixels: __m256i, factors: __m256i) -> __m256i {
    let low = _mm256_set1_epi16(0x00ff);
    let factors = _mm256_or_si256(factors, _mm256_slli_epi32::<16>(factors));
    let scaled = |channels| {
        let products = _mm256_mullo_epi16(channels, factors);
        let rounded = _mm256_add_epi16(products, _mm256_srli_epi16::<8>(products));
        _mm256_add_epi16(rounded, _mm256_set1_epi16(0x0080))
    };
    let evens = scaled(_mm256_and_si256(pixels, low));
    let odds = scaled(_mm256_srli_epi16::<8>(pixels));
    _mm256_or_si256(_mm256_srli_epi16::<8>(evens), _mm256_andnot_si256(low, odds))
}

/// Draws pixels over other pixels, as [`crate::blend::source_over`] does. Pixels of full or no opacity need no exception, because
/// scaling by 0 and by 255 is exact.
#[target_feature(enable = "avx2")]
#[inline]
fn over(below: __m256i, source: __m256i) -> __m256i {
    let rest = _mm256_sub_epi32(_mm256_set1_epi32(255), _mm256_srli_epi32::<24>(source));
    _mm256_add_epi32(source, scale_channels(below, rest))
}

/// Returns a register in which all bits of those lanes are set whose bits in `mask` are set.
#[target_feature(enable = "avx2")]
#[inline]
fn lanes_of(mask: u8) -> __m256i {
    let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(i32::from(mask)), bits), bits)
}

/// Replaces those pixels of a line whose bits in `mask` are set by `draw`, which gets the line's pixels.
#[target_feature(enable = "avx2")]
#[inline]
fn replace(line: &mut [u32; LANES], mask: u8, draw: impl FnOnce(__m256i) -> __m256i) {
    let line = line.as_mut_ptr().cast();
    // SAFETY: the line has the size of an unaligned AVX2 load and store.
    unsafe {
        let below = _mm256_loadu_si256(line);
        let drawn = draw(below);
        _mm256_storeu_si256(line, if mask == u8::MAX { drawn } else { _mm256_blendv_epi8(below, drawn, lanes_of(mask)) });
    }
}

/// Loads the pixels with the given indices one by one; this is faster than AVX2's instruction that loads them all.
///
/// # Safety
/// All indices must be less than the number of pixels.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn load(pixels: &[u32], indices: &[u32; LANES]) -> __m256i {
    // SAFETY: the caller ensures that the index is less than the number of pixels.
    let [a, b, c, d, e, f, g, h] = indices.map(|index| unsafe { *pixels.get_unchecked(index as usize) } as i32);
    _mm256_setr_epi32(a, b, c, d, e, f, g, h)
}

/// Draws the pixels `shown(y)` of the canvas columns `columns` in each canvas row `y` of `rows`, as [`crate::sampling`] does.
#[target_feature(enable = "avx2")]
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
                let opacity = _mm256_set1_epi32(opacity as i32);
                draw_columns(canvas, source, columns, &shown, |below, source| over(below, scale_channels(source, opacity)));
            }
        }
    }
}

/// Draws at most eight columns of the canvas.
#[target_feature(enable = "avx2")]
#[inline]
fn draw_columns(
    canvas: &mut [u32; AREA],
    source: &Sampled<'_>,
    columns: Range<i32>,
    shown: impl Fn(i32) -> u64,
    draw: impl Fn(__m256i, __m256i) -> __m256i,
) {
    let (low, high) = source.bounds(&columns);
    match (high - low) / LANES {
        0 => draw_rows::<1>(canvas, source, low, columns, shown, draw),
        1 => draw_rows::<2>(canvas, source, low, columns, shown, draw),
        2 | 3 => draw_rows::<4>(canvas, source, low, columns, shown, draw),
        _ => draw_rows::<0>(canvas, source, low, columns, shown, draw),
    }
}

/// Draws at most eight columns of the canvas, whose source columns are within `REGISTERS` registers from the source column `low`.
/// Each register is permuted by one instruction; `REGISTERS` is 0 if single pixels are loaded.
#[target_feature(enable = "avx2")]
#[inline]
fn draw_rows<const REGISTERS: usize>(
    canvas: &mut [u32; AREA],
    &Sampled { image, rows, offsets }: &Sampled<'_>,
    low: usize,
    columns: Range<i32>,
    shown: impl Fn(i32) -> u64,
    draw: impl Fn(__m256i, __m256i) -> __m256i,
) {
    let width = image.width as usize;
    let (first, selected) = register_of(columns);
    let offsets = offsets.columns[first..].first_chunk::<LANES>().expect("the table has a register more than the canvas");
    assert!(offsets.iter().all(|offset| (*offset as usize) < width), "columns of the image");
    // SAFETY: the array has the size of an unaligned AVX2 load.
    let columns = unsafe { _mm256_loadu_si256(offsets.as_ptr().cast()) };
    let indices = _mm256_sub_epi32(columns, _mm256_set1_epi32(low as i32));
    // Instructions that choose one of two registers read the highest bit of each lane.
    let (odd, upper) = (_mm256_slli_epi32::<28>(indices), _mm256_slli_epi32::<27>(indices));
    // Lanes that are not drawn load a pixel that is drawn, so that they need no other line of the cache.
    let single = |mask: u8| {
        let (drawn, mut single) = (_mm256_set1_epi32(offsets[mask.trailing_zeros() as usize] as i32), [0; LANES]);
        // SAFETY: the array has the size of an unaligned AVX2 store.
        unsafe { _mm256_storeu_si256(single.as_mut_ptr().cast(), _mm256_blendv_epi8(drawn, columns, lanes_of(mask))) }
        single
    };
    let all_single = single(selected);
    let lines = canvas.as_chunks_mut::<{ SIDE as usize }>().0;
    let mut row = rows.start;
    for (y, line) in (rows.first..rows.end()).zip(&mut lines[rows.first as usize..rows.end() as usize]) {
        let start = (row >> 16) as usize * width;
        row = row.wrapping_add(rows.step as u32);
        let mask = (shown(y) >> first) as u8 & selected;
        if mask == 0 {
            continue;
        }
        let source = match image.pixels.get(start + low..start + low + LANES * REGISTERS) {
            Some(registers) if REGISTERS > 0 => {
                let permuted = |number: usize| {
                    let register = &registers[LANES * number..][..LANES];
                    // SAFETY: `register` has the size of an unaligned AVX2 load.
                    let register = unsafe { _mm256_loadu_si256(register.as_ptr().cast()) };
                    _mm256_permutevar8x32_epi32(register, indices)
                };
                let either = |bits, low, high| {
                    let [low, high, bits] = [low, high, bits].map(|lanes| _mm256_castsi256_ps(lanes));
                    _mm256_castps_si256(_mm256_blendv_ps(low, high, bits))
                };
                match REGISTERS {
                    1 => permuted(0),
                    2 => either(odd, permuted(0), permuted(1)),
                    _ => either(upper, either(odd, permuted(0), permuted(1)), either(odd, permuted(2), permuted(3))),
                }
            }
            // SAFETY: all offsets are less than the width, as the assertion above checks.
            _ if mask == selected => unsafe { load(&image.pixels[start..start + width], &all_single) },
            // SAFETY: as above.
            _ => unsafe { load(&image.pixels[start..start + width], &single(mask)) },
        };
        let line = line[first..].first_chunk_mut::<LANES>().expect("a register does not end behind the canvas");
        replace(line, mask, |below| draw(below, source));
    }
}

/// Draws pixels of an image into a trapezoid.
#[target_feature(enable = "avx2")]
pub(crate) fn fill_trapezoid(
    canvas: &mut [u32; AREA],
    trapezoid: Trapezoid,
    map: &SourceMap,
    image: &Pixels,
    opacity: Option<u32>,
) {
    let all = |value: i32| _mm256_set1_epi32(value);
    let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let inside = |at: __m256i, size: i32| {
        _mm256_min_epi32(_mm256_max_epi32(_mm256_srai_epi32::<16>(at), _mm256_setzero_si256()), all(size - 1))
    };
    let (du, dv) = (_mm256_mullo_epi32(lanes, all(map.dudx)), _mm256_mullo_epi32(lanes, all(map.dvdx)));
    assert!(
        image.width > 0 && image.height > 0 && image.pixels.len() == (image.width * image.height) as usize,
        "pixels of the image"
    );
    let lines = canvas.as_chunks_mut::<{ SIDE as usize }>().0;
    for (y, start, end) in trapezoid {
        for start in (start..end).step_by(LANES) {
            let (first, mask) = register_of(start..end.min(start + LANES as i32));
            let (u, v) = map.source_of(first as i32, y);
            let column = inside(_mm256_add_epi32(all(u), du), image.width);
            let row = inside(_mm256_add_epi32(all(v), dv), image.height);
            let mut indices = [0; LANES];
            // SAFETY: the array has the size of an unaligned AVX2 store.
            unsafe {
                let pixels = _mm256_add_epi32(_mm256_mullo_epi32(row, all(image.width)), column);
                _mm256_storeu_si256(indices.as_mut_ptr().cast(), pixels);
            }
            // SAFETY: `inside` limits columns and rows to those of the image, whose size is checked above.
            let source = unsafe { load(&image.pixels, &indices) };
            let source = opacity.map_or(source, |opacity| scale_channels(source, all(opacity as i32)));
            let line = lines[y as usize][first..].first_chunk_mut::<LANES>().expect("a register does not end behind the canvas");
            replace(line, mask, |below| over(below, source));
        }
    }
}

/// Writes the colours of pixels as three planes of bytes: red, green and blue.
#[target_feature(enable = "avx2")]
pub(crate) fn write_planes(pixels: &[u32; AREA], out: &mut [u8]) {
    const BYTES: usize = 4 * LANES;
    let by_color = _mm256_broadcastsi128_si256(_mm_setr_epi8(2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12, 3, 7, 11, 15));
    let in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    let (red, rest) = out.split_at_mut(AREA);
    let (green, blue) = rest.split_at_mut(AREA);
    let planes =
        red.as_chunks_mut::<BYTES>().0.iter_mut().zip(green.as_chunks_mut::<BYTES>().0).zip(blue.as_chunks_mut::<BYTES>().0);
    for (pixels, ((red, green), blue)) in pixels.as_chunks::<BYTES>().0.iter().zip(planes) {
        let colors = |at: usize| {
            // SAFETY: `pixels` has four times eight pixels, and `at` is less than four.
            let pixels = unsafe { _mm256_loadu_si256(pixels.as_ptr().add(LANES * at).cast()) };
            _mm256_shuffle_epi8(pixels, by_color)
        };
        // Each 128-bit part of a register has four pixels, in one double word for each colour.
        let (a, b, c, d) = (colors(0), colors(1), colors(2), colors(3));
        let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
        let blues = _mm256_unpacklo_epi64(_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
        let (reds, greens) = (_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
        for (plane, colors) in [(red, reds), (green, greens), (blue, blues)] {
            let colors = _mm256_permutevar8x32_epi32(colors, in_order);
            // SAFETY: the array `plane` has 32 bytes, the size of an unaligned AVX2 store.
            unsafe { _mm256_storeu_si256(plane.as_mut_ptr().cast(), colors) }
        }
    }
}

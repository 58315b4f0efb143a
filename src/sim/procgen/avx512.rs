//! Loops over pixels with AVX-512, sixteen pixels at a time. Pixels equal those of the portable loops.

use std::arch::x86_64::*;

use crate::canvas::{AREA, Axis, SIDE};
use crate::image::Pixels;
use crate::rotate::{SourceMap, Trapezoid};

/// Number of pixels of a register.
const LANES: usize = 16;

/// Returns the mask of the first `count` pixels of a register.
#[target_feature(enable = "bmi2")]
#[inline]
fn first(count: usize) -> __mmask16 {
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

/// Draws pixels of an image into a line of at most sixteen pixels of the canvas, as [`crate::blend::blend`] does. `indices` are
/// the indices of the image's pixels, as many as the line has.
///
/// # Safety
/// The indices are less than the number of pixels of the image.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
#[inline]
unsafe fn blend(line: &mut [u32], image: &[u32], indices: __m512i, opacity: Option<u32>) {
    let mask = first(line.len());
    // SAFETY: the caller guarantees that the indices of the mask's lanes are in range; other lanes are not loaded.
    let source = unsafe {
        if line.len() <= LANES / 2 {
            let (none, half) = (_mm256_setzero_si256(), _mm512_castsi512_si256(indices));
            _mm512_zextsi256_si512(_mm256_mmask_i32gather_epi32::<4>(none, mask as u8, half, image.as_ptr().cast()))
        } else {
            _mm512_mask_i32gather_epi32::<4>(_mm512_setzero_si512(), mask, indices, image.as_ptr().cast())
        }
    };
    // SAFETY: the mask selects at most as many pixels as the line has.
    let below = unsafe { _mm512_maskz_loadu_epi32(mask, line.as_ptr().cast()) };
    let source = opacity.map_or(source, |opacity| scale_channels(source, _mm512_set1_epi32(opacity as i32)));
    // Pixels of full or no opacity need no exception, because scaling by 0 and by 255 is exact.
    let rest = _mm512_sub_epi32(_mm512_set1_epi32(255), _mm512_srli_epi32::<24>(source));
    let drawn = _mm512_add_epi32(source, scale_channels(below, rest));
    // SAFETY: the mask selects at most as many pixels as the line has.
    unsafe { _mm512_mask_storeu_epi32(line.as_mut_ptr().cast(), mask, drawn) }
}

/// Draws an image with the given axes for columns and rows.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
pub(crate) fn blit(canvas: &mut [u32; AREA], columns: Axis, rows: Axis, image: &Pixels, opacity: Option<u32>) {
    let (width, count) = (image.width as usize, columns.count as usize);
    let mut offsets = [0; SIDE as usize];
    columns.write_offsets(&mut offsets[..count]);
    let mut row = rows.start;
    for y in rows.first..rows.end() {
        let source = &image.pixels[(row >> 16) as usize * width..][..width];
        let line = &mut canvas[(y * SIDE + columns.first) as usize..][..count];
        for (line, offsets) in line.chunks_mut(LANES).zip(offsets.as_chunks::<LANES>().0) {
            // SAFETY: the array `offsets` has 64 bytes, the size of an unaligned AVX-512 load.
            let offsets = unsafe { _mm512_loadu_epi32(offsets.as_ptr().cast()) };
            let offsets = _mm512_min_epu32(offsets, _mm512_set1_epi32(width as i32 - 1));
            // SAFETY: the minimum is less than the width, which is the number of pixels of `source`.
            unsafe { blend(line, source, offsets, opacity) };
        }
        row = row.wrapping_add(rows.step as u32);
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
    let pixels = &image.pixels[..image.width as usize * image.height as usize];
    for (y, first, end) in trapezoid {
        let line = &mut canvas[(y * SIDE + first) as usize..(y * SIDE + end) as usize];
        for (line, x) in line.chunks_mut(LANES).zip((first..).step_by(LANES)) {
            let (u, v) = map.source_of(x, y);
            let column = inside(_mm512_add_epi32(all(u), du), image.width);
            let row = inside(_mm512_add_epi32(all(v), dv), image.height);
            let indices = _mm512_add_epi32(_mm512_mullo_epi32(row, all(image.width)), column);
            // SAFETY: `column` and `row` are inside of the image, all of whose pixels are in `pixels`.
            unsafe { blend(line, pixels, indices, opacity) };
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

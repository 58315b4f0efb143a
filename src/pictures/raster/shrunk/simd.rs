//! Innermost loops of the rasterizer, with an implementation for each SIMD level.

use super::cells::{ChunkTable, HIGHEST, Run, TALLEST, WIDEST, each_run};
use super::line::{Dots, Pairs};
use super::row_buffer::RowBuffer;
use super::sizes::{CHUNK, SMALL};
use super::spans::{WINDOW, Window};
use crate::raster::pygame;

/// Weights with which the pixels of one cell are averaged.
#[derive(Debug, Clone, Copy)]
pub struct Weights<'a> {
    /// Weights of the cell's columns, repeated for each colour byte of a pixel.
    pub columns: &'a [u16; WIDEST * 4],
    /// Number of columns of the cell.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only vector loops read it"))]
    pub width: usize,
    /// Weights of the cell's rows, repeated for each colour byte of a pixel, and the number of rows.
    pub rows: &'a [[u32; 4]; HIGHEST],
    pub height: usize,
    /// Fixed-point reciprocals of the total weights of a cell's columns and of its rows. Multiplying a weighted sum by them
    /// replaces a division.
    pub reciprocals: (u16, u16),
}

/// Union and intersection of the spans of several rows (column intervals that a polygon covers): `outer` is the union, `inner`
/// the intersection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpanExtent {
    pub outer: (i16, i16),
    pub inner: (i16, i16),
}

/// Loops that have SIMD implementations. All implementations compute the same pixels.
pub trait SimdOps {
    /// Writes a colour to the first `count` pixels.
    fn fill(pixels: &mut [u32; CHUNK], count: i32, color: u32);

    /// Returns the bit set of the chunks of a row that contain columns of the cells in the bit set `cells`.
    #[inline(always)]
    fn chunks(table: &ChunkTable, cells: u128) -> u64 {
        let (cells, mut first_cells, mut chunks) = (table.at_first_cells(cells), table.first_cells[0], 0);
        for chunk in 0..first_cells.count_ones() {
            chunks |= u64::from(cells & first_cells & first_cells.wrapping_neg() != 0) << chunk;
            first_cells &= first_cells - 1;
        }
        chunks
    }

    /// Writes a colour to all rows of the buffer: in each row, to those columns of the row's span that are in the bit set `chunks`.
    #[inline(always)]
    fn cover(buffer: &mut RowBuffer, chunks: u64, (lefts, rights): Window<'_>, color: u32)
    where
        Self: Sized,
    {
        each_run(chunks.into(), |chunks| {
            let columns = ((chunks.0 * CHUNK) as i32, ((chunks.1 + 1) * CHUNK) as i32 - 1);
            for (row, (left, right)) in lefts.iter().zip(rights).enumerate().take(TALLEST) {
                buffer.fill::<Self>(row, (columns.0.max((*left).into()), columns.1.min((*right).into())), color);
            }
        });
    }

    /// Writes a colour to the chunks in the bit set `chunks`, in all rows of the buffer.
    #[inline(always)]
    fn clear(buffer: &mut RowBuffer, chunks: u64, color: u32) {
        let mut chunks = chunks;
        while let Some(column) = next_chunk(&mut chunks) {
            (0..TALLEST).for_each(|row| *buffer.pixels(row, column) = [color; CHUNK]);
        }
    }

    /// Sets the colours of the cells in the bit set `cells`.
    #[inline(always)]
    fn set_colors(colors: &mut [u32; SMALL], cells: u128, color: u32) {
        each_run(cells, |(first, last)| colors[first..=last].fill(color));
    }

    /// Blends a colour into the first `count` pixels. The opacities are those of the pixels of `dots`, starting at its pixel
    /// number `first`.
    fn dots(pixels: &mut [u32; CHUNK], count: i32, color: u32, dots: &Dots, first: i32);

    /// Blends a colour into two adjacent pixels of `count` rows of the buffer: of the row `row`, and of those above it.
    #[inline(always)]
    fn pairs(buffer: &mut RowBuffer, (row, count): (usize, u32), color: u32, pairs: &Pairs) {
        for (at, row) in (0..count).zip((0..=row).rev()) {
            let (left, parts) = pairs.pixels(at);
            let pixels: &mut [u32; 2] = buffer.pixels(row, left);
            *pixels = [0, 1].map(|at| pygame::blend(pixels[at], color, parts[at]));
        }
    }

    /// Returns the average of the cell that starts in column `first`: red, green, blue, and zero.
    ///
    /// The average is rounded as in the SSE2 code of `pygame.transform.smoothscale`.
    fn average(buffer: &RowBuffer, first: usize, weights: &Weights<'_>) -> [u8; 4];

    /// Returns the union of the ranges `outer` and the intersection of the ranges `inner` of those rows that the mask `rows`
    /// selects.
    fn reach(outer: Window<'_>, inner: Window<'_>, rows: &[i16; WINDOW]) -> SpanExtent;

    /// Writes colours as red, green and blue. The fourth byte of each colour is overwritten by the next colour.
    #[inline(always)]
    fn write_rgb(colors: &[u32], out: &mut [u8]) {
        for (index, color) in colors.iter().enumerate() {
            let bytes = &mut out[index * 3..];
            let count = bytes.len().min(4);
            bytes[..count].copy_from_slice(&color.to_le_bytes()[..count]);
        }
    }
}

/// Removes the first chunk from the bit set `chunks`, and returns its first column. Returns `None` if the set is empty.
#[inline(always)]
fn next_chunk(chunks: &mut u64) -> Option<i32> {
    let column = chunks.trailing_zeros() * CHUNK as u32;
    *chunks &= chunks.checked_sub(1)?;
    Some(column as i32)
}

/// Implementation of [`SimdOps`] that uses no explicit vector instructions.
pub struct Portable;

impl RowBuffer {
    /// Blends a colour into those consecutive pixels of the buffer's row `row` that `dots` describes.
    #[inline(always)]
    pub fn dots<P: SimdOps>(&mut self, row: usize, color: u32, dots: &Dots) {
        let (mut x, right) = dots.columns;
        while x <= right {
            P::dots(self.pixels(row, x), right + 1 - x, color, dots, x - dots.columns.0);
            x += CHUNK as i32;
        }
    }

    /// Fills the range `columns` of a row with a colour.
    #[inline(always)]
    pub fn fill<P: SimdOps>(&mut self, row: usize, (left, right): Run, color: u32) {
        let mut x = left;
        while x <= right {
            P::fill(self.pixels(row, x), right + 1 - x, color);
            x += CHUNK as i32;
        }
    }
}

impl SimdOps for Portable {
    #[inline(always)]
    fn fill(pixels: &mut [u32; CHUNK], count: i32, color: u32) {
        pixels.iter_mut().take(count as usize).for_each(|pixel| *pixel = color);
    }

    #[inline(always)]
    fn dots(pixels: &mut [u32; CHUNK], count: i32, color: u32, dots: &Dots, first: i32) {
        for (at, pixel) in (first..).zip(pixels.iter_mut().take(count as usize)) {
            *pixel = pygame::blend(*pixel, color, dots.part(at));
        }
    }

    fn average(buffer: &RowBuffer, first: usize, weights: &Weights<'_>) -> [u8; 4] {
        let high = |a: u16, b: u16| ((u32::from(a) * u32::from(b)) >> 16) as u16;
        let mut sums = [0_u16; 4];
        for (row, weight) in weights.rows[..weights.height].iter().map(|weights| weights[0] as u16).enumerate() {
            let mut sum = [0_u16; 4];
            for (pixel, weights) in buffer.cell::<WIDEST>(row, first).iter().zip(weights.columns.as_chunks::<4>().0) {
                let pixel = pixel.to_le_bytes();
                sum = std::array::from_fn(|i| sum[i] + high(u16::from(pixel[i]) << 2, weights[i]));
            }
            sums = std::array::from_fn(|i| sums[i] + high(high(sum[i], weights.reciprocals.0) << 2, weight));
        }
        sums.map(|sum| high(sum, weights.reciprocals.1) as u8)
    }

    #[inline(always)]
    fn reach(outer: Window<'_>, inner: Window<'_>, rows: &[i16; WINDOW]) -> SpanExtent {
        let mut extent = SpanExtent { outer: (i16::MAX, i16::MIN), inner: (i16::MIN, i16::MAX) };
        for at in (0..WINDOW).filter(|at| rows[*at] != 0) {
            extent.outer = (extent.outer.0.min(outer.0[at]), extent.outer.1.max(outer.1[at]));
            extent.inner = (extent.inner.0.max(inner.0[at]), extent.inner.1.min(inner.1[at]));
        }
        extent
    }
}

#[cfg(target_arch = "x86_64")]
mod x86;

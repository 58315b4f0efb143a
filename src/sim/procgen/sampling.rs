//! Draws images whose pixels are selected by tables of source columns and rows: backgrounds, cells and scaled sprites.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use envpool_rs_numeric::simd::SimdLevel;

use crate::blend::blend;
use crate::canvas::{AREA, Axis, Canvas, SIDE};
use crate::image::Pixels;
use crate::mask::{bits, runs};
#[cfg(target_arch = "x86_64")]
use crate::{avx2, avx512};

/// Number of columns of a table: SIMD code reads sixteen from any column of the canvas.
const NUM_COLUMNS: usize = SIDE as usize + 16;

/// Table of the source column of each column of the canvas. Columns that an image does not cover are undefined.
#[derive(Debug, Clone)]
pub(crate) struct Offsets {
    pub columns: [u32; NUM_COLUMNS],
    /// Whether source columns never increase or never decrease from left to right.
    is_monotonic: bool,
}

/// How pixels of an image change the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blending {
    /// They replace pixels of the canvas.
    Copy,
    /// They are drawn over them, with an opacity in 255ths if it is not full.
    Over(Option<u32>),
}

impl Default for Offsets {
    fn default() -> Self {
        Self { columns: [0; NUM_COLUMNS], is_monotonic: false }
    }
}

impl From<&Axis> for Offsets {
    fn from(axis: &Axis) -> Self {
        let mut offsets = Self { is_monotonic: true, ..Self::default() };
        axis.write_offsets(&mut offsets.columns[axis.first as usize..axis.end() as usize]);
        offsets
    }
}

impl Offsets {
    /// Creates the table of neighbouring images with the given axes, of which later images cover earlier ones.
    pub fn of_images<'a>(axes: impl Iterator<Item = &'a Axis>) -> Self {
        let mut offsets = Self::default();
        for axis in axes {
            axis.write_offsets(&mut offsets.columns[axis.first as usize..axis.end() as usize]);
        }
        offsets
    }
}

/// Image whose pixels are selected by a table of columns and an axis of rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampled<'a> {
    pub image: &'a Pixels,
    pub offsets: &'a Offsets,
    pub rows: &'a Axis,
}

impl Sampled<'_> {
    /// Returns a range of the image's columns, first and last, that contains the source columns of the canvas columns `columns`.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only vector loops call it"))]
    pub fn bounds(&self, columns: &Range<i32>) -> (usize, usize) {
        if !self.offsets.is_monotonic {
            return (0, self.image.width as usize - 1);
        }
        let [first, last] = [columns.start, columns.end - 1].map(|column| self.offsets.columns[column as usize] as usize);
        (first.min(last), first.max(last))
    }
}

impl Canvas {
    /// Draws an image into the columns `columns` of the canvas, with an opacity in 255ths, full if `None`. In the canvas row `y`, only
    /// the pixels `shown(y)` are drawn.
    pub(crate) fn draw_sampled(
        &mut self,
        source: &Sampled<'_>,
        columns: Range<i32>,
        opacity: Option<u32>,
        shown: impl Fn(i32) -> u64,
    ) {
        let blending = if source.image.is_opaque && opacity.is_none() { Blending::Copy } else { Blending::Over(opacity) };
        match (self.level, blending) {
            // SAFETY: only detection creates `SimdLevel::Avx512`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            (SimdLevel::Avx512(_), blending) => unsafe {
                avx512::draw_sampled(&mut self.pixels, source, columns, blending, shown);
            },
            // SAFETY: only detection creates `SimdLevel::Avx2`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            (SimdLevel::Avx2(_), blending) => unsafe {
                avx2::draw_sampled(&mut self.pixels, source, columns, blending, shown);
            },
            (_, Blending::Copy) => draw_rows(&mut self.pixels, source, columns, shown, |_, source| source),
            (_, Blending::Over(opacity)) => {
                draw_rows(&mut self.pixels, source, columns, shown, |below, source| blend(below, source, opacity));
            }
        }
    }
}

#[inline(always)]
fn draw_rows(
    canvas: &mut [u32; AREA],
    &Sampled { image, rows, offsets }: &Sampled<'_>,
    columns: Range<i32>,
    shown: impl Fn(i32) -> u64,
    draw: impl Fn(u32, u32) -> u32,
) {
    let (width, columns) = (image.width as usize, bits(columns));
    let mut row = rows.start;
    for y in rows.first..rows.end() {
        let source = &image.pixels[(row >> 16) as usize * width..][..width];
        row = row.wrapping_add(rows.step as u32);
        for run in runs(columns & shown(y)) {
            let line = &mut canvas[(y * SIDE) as usize..][..SIDE as usize][run.clone()];
            for (pixel, column) in line.iter_mut().zip(&offsets.columns[run]) {
                *pixel = draw(*pixel, source[*column as usize]);
            }
        }
    }
}

//! Draws polygons ([`Layer`]) into the rows of a [`RowBuffer`].

use std::marker::PhantomData;
use std::ops::Range;

use super::super::pygame::{DrawTarget, Pixel};
use super::super::{Color, pygame};
use super::cells::Run;
use super::line::{Brush, Dots, Line};
use super::row_buffer::RowBuffer;
use super::simd::SimdOps;
use super::sizes::LARGE;
use super::{Block, Layer, SmoothScaled, rgb};

/// Draws the anti-aliased outline of a polygon in the rows `rows`. The caller fills the interior
/// afterwards.
#[inline(always)]
pub(super) fn draw_lines<P: SimdOps>(buffer: &mut RowBuffer, layer: &Layer, lines: &[Line], rows: Range<i32>) {
    // `lines` have coordinates before the vertical flip, and `rows` are numbered after the flip.
    let end = LARGE.1 as i32;
    let mut brush = FlippedBrush::<P> { pen: PhantomData, buffer, color: layer.color, last: end - 1 - rows.start };
    for line in lines {
        line.draw(end - rows.end..end - rows.start, &mut brush);
    }
}

/// [`Brush`] that draws on a vertically flipped buffer.
pub(super) struct FlippedBrush<'a, P> {
    pub(super) pen: PhantomData<P>,
    pub(super) buffer: &'a mut RowBuffer,
    pub(super) color: u32,
    /// Row number, before the flip, of the buffer's first row.
    pub(super) last: i32,
}

impl<P: SimdOps> Brush for FlippedBrush<'_, P> {
    #[inline(always)]
    fn whole(&mut self, row: i32, columns: Run) {
        self.buffer.fill::<P>((self.last - row) as usize, columns, self.color);
    }

    #[inline(always)]
    fn pair(&mut self, row: i32, left: i32, parts: [u32; 2]) {
        self.buffer.pair::<P>((self.last - row) as usize, left, self.color, parts);
    }

    #[inline(always)]
    fn dots(&mut self, row: i32, dots: &Dots) {
        self.buffer.dots::<P>((self.last - row) as usize, self.color, dots);
    }
}

/// Fills a polygon that has more than one span in some rows.
pub(super) fn fill_wild<P: SimdOps>(buffer: &mut RowBuffer, layer: &Layer, rows: Range<i32>) {
    let last = LARGE.1 as i32 - 1;
    let turn = |row: i32| if layer.is_flipped { last - row } else { row };
    let (a, b) = (turn(rows.start), turn(rows.end - 1));
    let span = |row, a: i32, b: i32| {
        let (left, right) = (a.min(b).max(0), a.max(b).min(LARGE.0 as i32 - 1));
        if left <= right {
            buffer.fill::<P>((turn(row) - rows.start) as usize, (left, right), layer.color);
        }
    };
    let inside = a.min(b)..a.max(b) + 1;
    if layer.is_smooth {
        pygame::filled_polygon(layer.corners(), inside, span);
    } else {
        pygame::polygon(layer.corners(), inside, span);
    }
}

impl DrawTarget for SmoothScaled {
    fn filled_aapolygon(&mut self, corners: &[Pixel], color: Color) {
        self.add(corners, color, true, true);
    }

    fn polygon(&mut self, corners: &[Pixel], color: Color, is_flipped: bool) {
        self.add(corners, color, false, is_flipped);
    }

    fn fill_rect(&mut self, begin: Pixel, end: Pixel, color: Color) {
        let inside = |(x, y): Pixel| [x.clamp(0, LARGE.0 as i32) as usize, y.clamp(0, LARGE.1 as i32) as usize];
        let (begin, end, color) = (inside(begin), inside(end), rgb(color));
        if begin[0] >= end[0] || begin[1] >= end[1] {
            return;
        }
        if let Some(last) = self.blocks.last_mut()
            && (last.begin[1], last.end[1], last.end[0], last.color) == (begin[1], end[1], begin[0], color)
        {
            last.end[0] = end[0];
            return;
        }
        self.blocks.push(Block { begin, end, color });
    }
}

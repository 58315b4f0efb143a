//! Draws polygons ([`Layer`]) into the rows of a [`RowBuffer`].

use std::marker::PhantomData;
use std::ops::Range;

use super::super::pygame::{DrawTarget, Pixel};
use super::super::{Color, pygame};
use super::cells::Run;
use super::line::{Brush, Dots, Line, Pairs};
use super::row_buffer::RowBuffer;
use super::simd::SimdOps;
use super::sizes::LARGE;
use super::spans::Window;
use super::{Block, Layer, SmoothScaled, rgb};

/// Draws the anti-aliased outline of a polygon in the rows `rows` of the picture, at least in the columns `columns`. The caller
/// fills the polygon afterwards: if `filled` is not `None`, it fills at least those columns of `columns` that are in these spans.
///
/// `lines` are the polygon's lines and the steps of all lines, and `shown` says which of them have pixels in `rows`, as
/// [`Layer::lines_of`] does.
#[inline(always)]
pub(super) fn draw_lines<P: SimdOps>(
    sheet: &mut RowBuffer,
    color: u32,
    ((lines, steps), mut shown): ((&[Line], &[i16]), u64),
    (rows, columns): (Range<i32>, Run),
    filled: Option<Window<'_>>,
) {
    // `lines` have coordinates before the vertical flip, and `rows` are numbered after the flip.
    let end = LARGE.1 as i32;
    let mut brush = FlippedBrush::<P> { pen: PhantomData, sheet, color, last: end - 1 - rows.start, columns, filled };
    while let Some(line) = lines.get(shown.trailing_zeros() as usize / 8) {
        line.draw(end - rows.end..end - rows.start, steps, &mut brush);
        shown &= shown - 1;
    }
}

/// [`Brush`] that draws on a vertically flipped buffer.
struct FlippedBrush<'a, P> {
    pen: PhantomData<P>,
    sheet: &'a mut RowBuffer,
    color: u32,
    /// Row number, before the flip, of the buffer's first row.
    last: i32,
    /// Columns that are drawn. Others may be omitted.
    columns: Run,
    /// Spans that are filled after the lines are drawn, in the order of the buffer's rows.
    filled: Option<Window<'a>>,
}

impl<P: SimdOps> Brush for FlippedBrush<'_, P> {
    #[inline(always)]
    fn whole(&mut self, row: i32, columns: Run) {
        self.sheet.fill::<P>((self.last - row) as usize, columns, self.color);
    }

    #[inline(always)]
    fn pairs(&mut self, rows: Range<i32>, pairs: &Pairs) {
        // Nearly all pairs have pixels in the columns that are drawn, so that it is not checked.
        P::pairs(self.sheet, ((self.last - rows.start) as usize, rows.len() as u32), self.color, pairs);
    }

    #[inline(always)]
    fn dots(&mut self, row: i32, dots: &Dots) {
        let row = (self.last - row) as usize;
        let (mut left, mut right) = (dots.columns.0.max(self.columns.0), dots.columns.1.min(self.columns.1));
        if let Some((lefts, rights)) = self.filled {
            let filled = (i32::from(lefts[row]), i32::from(rights[row]));
            left = if filled.0 <= left { left.max(filled.1 + 1) } else { left };
            right = if right <= filled.1 { right.min(filled.0 - 1) } else { right };
        }
        let skipped = left - dots.columns.0;
        let dots = Dots { columns: (left, right), step: dots.step + dots.aside * skipped, ..*dots };
        self.sheet.dots::<P>(row, self.color, &dots);
    }
}

/// Fills a polygon that covers several separate intervals of columns (spans) in some rows.
pub(super) fn fill_wild<P: SimdOps>(sheet: &mut RowBuffer, layer: &Layer, rows: Range<i32>) {
    let last = LARGE.1 as i32 - 1;
    let turn = |row: i32| if layer.is_flipped { last - row } else { row };
    let (a, b) = (turn(rows.start), turn(rows.end - 1));
    let span = |row, a: i32, b: i32| {
        let (left, right) = (a.min(b).max(0), a.max(b).min(LARGE.0 as i32 - 1));
        if left <= right {
            sheet.fill::<P>((turn(row) - rows.start) as usize, (left, right), layer.color);
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

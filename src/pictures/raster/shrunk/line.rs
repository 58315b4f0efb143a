//! Draws the anti-aliased lines of [`pygame::aapolygon`](super::pygame::aapolygon), a few rows at a time.

use std::ops::Range;

use super::cells::Run;
use super::sizes::LARGE;
use crate::raster::pygame::{self, Pixel};

/// An anti-aliased line, clipped to the picture.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Endpoint of the line that has the lower row number.
    first: Pixel,
    /// Direction in which the column changes as the row number increases: 1 or -1.
    aside: i32,
    /// Distances from `first` to the other endpoint, in columns and rows.
    size: (i32, i32),
    /// Endpoint that is drawn with full opacity, without anti-aliasing.
    end: Pixel,
    /// Movement along the shorter axis in each step along the longer axis, in units of 2^-32 pixels; at most one pixel.
    adjust: u64,
}

/// Consecutive pixels of a row into which one colour is blended, with a separate opacity for each.
#[derive(Debug, Clone, Copy)]
pub struct Dots {
    /// Range of columns of the pixels.
    pub columns: Run,
    /// Step number of the first pixel along the line, and the change of the step number per column: 1 or -1.
    pub step: i32,
    pub aside: i32,
    pub adjust: u32,
    /// Whether the pixels are the second of the two pixels that the line covers in each step.
    pub is_second: bool,
}

impl Dots {
    /// Returns the opacity of the pixel in column `column`, in 256ths.
    #[inline(always)]
    pub fn part(&self, column: i32) -> u32 {
        let part = (self.step.wrapping_add(column.wrapping_mul(self.aside)) as u32).wrapping_mul(self.adjust) >> 24;
        (255 * if self.is_second { part } else { 255 - part }) >> 8
    }
}

/// Receives the pixels that an anti-aliased line covers, and draws them.
pub trait Brush {
    /// Paints the columns `columns` of a row with full opacity.
    fn whole(&mut self, row: i32, columns: Run);

    /// Blends a colour into two adjacent pixels with opacities in 256ths. One of the pixels may be one column outside of the
    /// picture.
    fn pair(&mut self, row: i32, left: i32, parts: [u32; 2]);

    /// Blends a colour into consecutive pixels of a row, which `dots` describes.
    fn dots(&mut self, row: i32, dots: &Dots);
}

impl Line {
    /// Creates the line between two pixels, clipped to the picture; `None` if the line is outside of the picture.
    pub fn new(a: Pixel, b: Pixel) -> Option<Self> {
        let (a, b) = pygame::clip_line(a, b, (LARGE.0 as i32, LARGE.1 as i32))?;
        let (first, last) = if a.1 > b.1 { (b, a) } else { (a, b) };
        let (dx, dy) = (last.0 - first.0, last.1 - first.1);
        let (aside, dx) = (if dx < 0 { -1 } else { 1 }, dx.abs());
        let (short, long) = (dx.min(dy) as u64, dx.max(dy) as u64);
        let adjust = (short << 16).checked_div(long).unwrap_or_default() << 16;
        Some(Self { first, aside, size: (dx, dy), end: a, adjust })
    }

    /// Draws the pixels of the line that are in `rows`.
    #[inline(always)]
    pub fn draw(&self, rows: Range<i32>, brush: &mut impl Brush) {
        let ((x, y), (dx, dy)) = (self.first, self.size);
        let rows = rows.start.max(y)..rows.end.min(y + dy + 2).min(LARGE.1 as i32);
        if rows.is_empty() {
            return;
        }
        if dx == 0 {
            for row in rows.start..rows.end.min(y + dy + 1) {
                brush.whole(row, (x, x));
            }
        } else if dy == 0 {
            if rows.contains(&y) {
                let other = x + self.aside * dx;
                brush.whole(y, (x.min(other), x.max(other)));
            }
        } else {
            if rows.contains(&self.end.1) {
                brush.whole(self.end.1, (self.end.0, self.end.0));
            }
            if dy > dx { self.draw_steep(rows, brush) } else { self.draw_flat(rows, brush) }
        }
    }

    #[inline(always)]
    fn draw_steep(&self, rows: Range<i32>, brush: &mut impl Brush) {
        let (x, y) = self.first;
        // The second of the two pixels in a row is on the side to which the line moves.
        let (left, turn) = if self.aside > 0 { (x, 0) } else { (x - 1, 32) };
        let rows = rows.start.max(y + 1)..rows.end.min(y + self.size.1);
        let mut along = i64::from(rows.start - y) as u64 * self.adjust;
        for row in rows {
            let part = (along >> 24) as u32 & 255;
            let parts = u64::from((255 * (255 - part)) >> 8) | u64::from((255 * part) >> 8) << 32;
            let parts = parts.rotate_left(turn);
            brush.pair(row, left + self.aside * (along >> 32) as i32, [parts as u32, (parts >> 32) as u32]);
            along += self.adjust;
        }
    }

    #[inline(always)]
    fn draw_flat(&self, rows: Range<i32>, brush: &mut impl Brush) {
        let (x, y) = self.first;
        // The closure `step` returns the number of the first step at which the line is `turn` rows below its start, limited to
        // the last step.
        let step = |turn: i32| ((turn.max(0) as u64) << 32).div_ceil(self.adjust).clamp(1, self.size.0 as u64) as i32;
        let (mut before, mut here) = (step(rows.start - y - 1), step(rows.start - y));
        for row in rows {
            let after = step(row + 1 - y);
            for (steps, is_second) in [(here..after, false), (before..here, true)] {
                if !steps.is_empty() {
                    let (a, b) = (x + self.aside * steps.start, x + self.aside * (steps.end - 1));
                    let step = if self.aside > 0 { steps.start } else { steps.end - 1 };
                    let columns = (a.min(b), a.max(b));
                    let adjust = self.adjust as u32;
                    brush.dots(row, &Dots { columns, step, aside: self.aside, adjust, is_second });
                }
            }
            (before, here) = (here, after);
        }
    }
}

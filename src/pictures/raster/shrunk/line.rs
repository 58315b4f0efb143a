//! The smooth lines of [`pygame::aapolygon`](super::pygame::aapolygon), of which a few rows are drawn at a time.

use std::ops::Range;

use super::cells::Run;
use super::sizes::LARGE;
use crate::raster::pygame::{self, Pixel};

/// A line that is not outside the picture, and how it goes on from pixel to pixel.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Its end in the lowest row.
    first: Pixel,
    /// Whether columns grow with rows, or fall: 1 or -1.
    aside: i32,
    /// How far the other end is, across and down.
    size: (i32, i32),
    /// The end that is drawn whole.
    end: Pixel,
    /// How far a step leads aside, in parts of 2^-32: at most one.
    adjust: u64,
}

/// Pixels of a row side by side that take the same colour, each a part of it.
#[derive(Debug, Clone, Copy)]
pub struct Dots {
    /// The columns.
    pub columns: Run,
    /// The step of the first column, and how many more each column is: 1 or -1.
    pub step: i32,
    pub aside: i32,
    pub adjust: u32,
    /// Whether it is the second pixel of each step.
    pub is_second: bool,
}

impl Dots {
    /// How much of the colour the pixel so many columns after the first takes, in 256.
    #[inline(always)]
    pub fn part(&self, column: i32) -> u32 {
        let part = (self.step.wrapping_add(column.wrapping_mul(self.aside)) as u32).wrapping_mul(self.adjust) >> 24;
        (255 * if self.is_second { part } else { 255 - part }) >> 8
    }
}

/// What paints the pixels of lines.
pub trait Brush {
    /// Columns of a row, whole.
    fn whole(&mut self, row: i32, columns: Run);

    /// Two pixels side by side, which may lie one column beside the picture, and their parts of the colour in 256.
    fn pair(&mut self, row: i32, left: i32, parts: [u32; 2]);

    /// Pixels side by side.
    fn dots(&mut self, row: i32, dots: &Dots);
}

impl Line {
    /// The line between two pixels, cut off at the picture's sides.
    pub fn new(a: Pixel, b: Pixel) -> Option<Self> {
        let (a, b) = pygame::clip_line(a, b, (LARGE.0 as i32, LARGE.1 as i32))?;
        let (first, last) = if a.1 > b.1 { (b, a) } else { (a, b) };
        let (dx, dy) = (last.0 - first.0, last.1 - first.1);
        let (aside, dx) = (if dx < 0 { -1 } else { 1 }, dx.abs());
        let (short, long) = (dx.min(dy) as u64, dx.max(dy) as u64);
        let adjust = (short << 16).checked_div(long).unwrap_or_default() << 16;
        Some(Self { first, aside, size: (dx, dy), end: a, adjust })
    }

    /// Draws what lies in some rows.
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
        // Of two pixels the second one lies aside.
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
        // The first step that is `turn` rows on, or the end.
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

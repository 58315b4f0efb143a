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
    /// Movement along the shorter axis in each step along the longer axis, in units of 2^-16 pixels; at most one pixel.
    adjust: u32,
    /// Index of the line's first entry in [`Lines::steps`], if the line is flat.
    steps: usize,
}

/// Consecutive pixels of a row into which one colour is blended, with a separate opacity for each.
///
/// In each step along the longer axis, a line covers two pixels, one above the other. A row first has the second pixels of some
/// steps, and then the first pixels of the following steps.
#[derive(Debug, Clone, Copy)]
pub struct Dots {
    /// Range of columns of the pixels.
    pub columns: Run,
    /// Step number of the first pixel along the line, and the change of the step number per column: 1 or -1.
    pub step: i32,
    pub aside: i32,
    /// Step number from which on the row has the steps' first pixels.
    pub turn: i32,
    /// Movement along the rows in each step, in units of 2^-16 pixels.
    pub adjust: u32,
}

impl Dots {
    /// Returns the opacity of the pixel at index `at`, in 256ths.
    #[inline(always)]
    pub fn part(&self, at: i32) -> u32 {
        let step = self.step + at * self.aside;
        let part = ((step as u32).wrapping_mul(self.adjust) >> 8) & 255;
        (255 * if step < self.turn { part } else { 255 - part }) >> 8
    }
}

/// Two adjacent pixels in each of several rows, into which one colour is blended.
#[derive(Debug, Clone, Copy)]
pub struct Pairs {
    /// Column of the left pixel where `along` is 0, and the direction in which the columns change: 1 or -1.
    pub left: i32,
    pub aside: i32,
    /// Movement along the columns up to the first row, and in each further row, in units of 2^-16 pixels.
    pub along: u32,
    pub adjust: u32,
}

impl Pairs {
    /// Returns the column of the left pixel in the row with the index `at`, and the opacities of both pixels in 256ths.
    #[inline(always)]
    pub fn pixels(&self, at: u32) -> (i32, [u32; 2]) {
        let along = self.along + at * self.adjust;
        let part = (along >> 8) & 255;
        let parts = [(255 * (255 - part)) >> 8, (255 * part) >> 8];
        let column = self.left + self.aside * (along >> 16) as i32;
        (column, if self.aside > 0 { parts } else { [parts[1], parts[0]] })
    }
}

/// Receives the pixels that an anti-aliased line covers, and draws them.
pub trait Brush {
    /// Paints the columns `columns` of a row with full opacity.
    fn whole(&mut self, row: i32, columns: Run);

    /// Blends a colour into two adjacent pixels of each row in `rows`. One of the pixels may be one column outside of the
    /// picture.
    fn pairs(&mut self, rows: Range<i32>, pairs: &Pairs);

    /// Blends a colour into consecutive pixels of a row, which `dots` describes.
    fn dots(&mut self, row: i32, dots: &Dots);
}

/// Lines of all polygons.
#[derive(Debug)]
pub struct Lines {
    lines: Vec<Line>,
    /// For each flat line, and for each row from one above the line to one below it: the number of the first step at which the
    /// line has reached this row, at least 1 and at most the number of steps.
    steps: Vec<i16>,
}

impl Lines {
    /// Creates an empty list with space for `capacity` lines.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { lines: Vec::with_capacity(capacity), steps: Vec::with_capacity(capacity) }
    }

    pub fn clear(&mut self) {
        self.lines.clear();
        self.steps.clear();
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns those lines whose indices are in the range `lines`, and the steps of all lines.
    #[inline(always)]
    pub fn range(&self, lines: (usize, usize)) -> (&[Line], &[i16]) {
        (&self.lines[lines.0..lines.1], &self.steps)
    }

    /// Adds the line between two pixels, clipped to the picture, if it is not outside of the picture.
    pub fn add(&mut self, a: Pixel, b: Pixel) {
        let Some((a, b)) = pygame::clip_line(a, b, (LARGE.0 as i32, LARGE.1 as i32)) else { return };
        let (first, last) = if a.1 > b.1 { (b, a) } else { (a, b) };
        let (dx, dy) = (last.0 - first.0, last.1 - first.1);
        let (aside, dx) = (if dx < 0 { -1 } else { 1 }, dx.abs());
        let (short, long) = (dx.min(dy) as u32, dx.max(dy) as u32);
        let adjust = (short << 16).checked_div(long).unwrap_or_default();
        let line = Line { first, aside, size: (dx, dy), end: a, adjust, steps: self.steps.len() };
        self.lines.push(line);
        if line.is_flat() {
            // Computes ceil(2^16 * row / adjust) with a reciprocal, for rows from 0 to the height plus 1. Because `adjust` is at
            // most 2^16 and the quotient below 2^12, the error is below 1 / `adjust`.
            let reciprocal = (1_u64 << 48).div_ceil(u64::from(adjust));
            self.steps.push(1);
            self.steps.extend((0..=dy as u32 + 1).map(|row| {
                let steps = (u64::from((row << 16) + adjust - 1) * reciprocal) >> 48;
                (steps as i32).clamp(1, dx) as i16
            }));
        }
    }
}

impl Line {
    #[inline(always)]
    fn is_flat(&self) -> bool {
        self.size.1 > 0 && self.size.0 >= self.size.1
    }

    /// Returns the rows among `rows` in which the line has pixels, except its endpoints.
    #[inline(always)]
    fn rows(&self, rows: Range<i32>) -> Range<i32> {
        let (y, dy) = (self.first.1, self.size.1);
        let ends = i32::from(!self.is_flat() && self.size.0 > 0 && dy > 0);
        rows.start.max(y + ends)..rows.end.min(y + dy + 1 - ends)
    }

    /// Returns the pixels of a steep line, starting in row `row`.
    #[inline(always)]
    fn pairs(&self, row: i32) -> Pairs {
        // The second of the two pixels in a row is on the side to which the line moves.
        let left = if self.aside > 0 { self.first.0 } else { self.first.0 - 1 };
        Pairs { left, aside: self.aside, along: (row - self.first.1) as u32 * self.adjust, adjust: self.adjust }
    }

    /// Returns for each of the rows `rows`, and for a row before and after them, the first step at which a flat line has reached
    /// the row.
    #[inline(always)]
    fn steps<'a>(&self, rows: &Range<i32>, steps: &'a [i16]) -> &'a [i16] {
        &steps[self.steps + (rows.start - self.first.1) as usize..][..rows.len() + 2]
    }

    /// Returns the first and the last row in which the line has pixels.
    #[inline(always)]
    pub fn first_and_last_row(&self) -> (i32, i32) {
        (self.first.1, self.first.1 + self.size.1)
    }

    /// Draws the pixels of the line that are in `rows`. `steps` are the steps of all lines.
    #[inline(always)]
    pub fn draw(&self, rows: Range<i32>, steps: &[i16], brush: &mut impl Brush) {
        let ((x, y), (dx, dy)) = (self.first, self.size);
        if dx > 0 && dy > 0 && rows.contains(&self.end.1) {
            brush.whole(self.end.1, (self.end.0, self.end.0));
        }
        let rows = self.rows(rows);
        if rows.is_empty() {
            return;
        }
        if dx == 0 {
            rows.for_each(|row| brush.whole(row, (x, x)));
        } else if dy == 0 {
            let other = x + self.aside * dx;
            brush.whole(y, (x.min(other), x.max(other)));
        } else if dy > dx {
            let pairs = self.pairs(rows.start);
            brush.pairs(rows, &pairs);
        } else {
            for (row, steps) in rows.clone().zip(self.steps(&rows, steps).windows(3)) {
                let [begin, turn, end] = [0, 1, 2].map(|at| i32::from(steps[at]));
                if begin < end {
                    let (a, b) = (x + self.aside * begin, x + self.aside * (end - 1));
                    let step = if self.aside > 0 { begin } else { end - 1 };
                    brush.dots(row, &Dots { columns: (a.min(b), a.max(b)), step, aside: self.aside, turn, adjust: self.adjust });
                }
            }
        }
    }
}

/// Extends ranges of columns by those in which lines have pixels. The first range is that of the highest row, and the last that of
/// row `low`; rows are numbered before the vertical flip.
#[inline(always)]
pub fn extend(lines: &[Line], steps: &[i16], low: i32, (lefts, rights): (&mut [i16], &mut [i16])) {
    let shown = low..low + lefts.len() as i32;
    let include = |left: &mut i16, right: &mut i16, a: i16, b: i16| {
        (*left, *right) = ((*left).min(a), (*right).max(b));
    };
    for line in lines {
        let (x, dx, aside) = (line.first.0 as i16, line.size.0, line.aside as i16);
        if shown.contains(&line.end.1) {
            let at = (shown.end - 1 - line.end.1) as usize;
            include(&mut lefts[at], &mut rights[at], line.end.0 as i16, line.end.0 as i16);
        }
        let rows = line.rows(shown.clone());
        if rows.is_empty() {
            continue;
        }
        let places = (shown.end - rows.end) as usize..(shown.end - rows.start) as usize;
        let ranges = lefts[places.clone()].iter_mut().zip(&mut rights[places]).rev();
        if dx == 0 || line.size.1 == 0 {
            let other = x + aside * dx as i16;
            ranges.for_each(|(left, right)| include(left, right, x.min(other), x.max(other)));
        } else if line.is_flat() {
            let steps = line.steps(&rows, steps);
            for ((begin, end), (left, right)) in steps.iter().zip(&steps[2..]).zip(ranges) {
                let (a, b) = (x + aside * begin, x + aside * (end - 1));
                include(left, right, a.min(b), a.max(b));
            }
        } else {
            let pairs = line.pairs(rows.start);
            for (at, (left, right)) in (0..).zip(ranges) {
                let column = pairs.left as i16 + aside * ((pairs.along + at * pairs.adjust) >> 16) as i16;
                include(left, right, column, column + 1);
            }
        }
    }
}

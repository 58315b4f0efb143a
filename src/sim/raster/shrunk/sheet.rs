//! A few rows of the large picture, as far as they are drawn.

use super::LARGE;
use super::cells::{HIGHEST, Run};
use super::line::Dots;
use super::pen::{CHUNK, Pen};
/// Pixels beside each row, on both sides, which are not shown: so that nobody has to look where the picture ends.
pub const MARGIN: usize = CHUNK;
/// Pixels of a row with its margins: not a power of two, which would put all rows in the same places of the cache.
pub const PITCH: usize = LARGE.0 + 3 * MARGIN;

/// Rows of pixels: bytes are red, green, blue and nothing.
#[derive(Debug)]
pub struct Sheet {
    rows: Box<[[u32; PITCH]; HIGHEST]>,
}

impl Sheet {
    pub fn new() -> Self {
        Self { rows: Box::new([[0; PITCH]; HIGHEST]) }
    }

    /// The pixels of a row from a column on.
    #[inline(always)]
    pub fn cell<const N: usize>(&self, row: usize, first: usize) -> &[u32; N] {
        self.rows[row][MARGIN + first..].first_chunk().expect("rows are longer than pictures are wide")
    }

    /// All rows, each with its margins.
    #[inline(always)]
    pub fn rows_mut(&mut self) -> &mut [[u32; PITCH]; HIGHEST] {
        &mut self.rows
    }

    /// All rows, each with its margins.
    #[inline(always)]
    pub fn rows(&self) -> &[[u32; PITCH]; HIGHEST] {
        &self.rows
    }

    /// The pixels of a row from a column on, from -[`MARGIN`].
    #[inline(always)]
    fn pixels<const N: usize>(&mut self, row: usize, first: i32) -> &mut [u32; N] {
        let first = (first + MARGIN as i32) as usize;
        self.rows[row][first..].first_chunk_mut().expect("rows are longer than pictures are wide")
    }

    /// Paints two pixels side by side with parts of a colour, in 256.
    #[inline(always)]
    pub fn pair<P: Pen>(&mut self, row: usize, left: i32, color: u32, parts: [u32; 2]) {
        P::pair(self.pixels(row, left), color, parts);
    }

    /// Paints pixels side by side with parts of a colour.
    #[inline(always)]
    pub fn dots<P: Pen>(&mut self, row: usize, color: u32, dots: &Dots) {
        let (mut x, right) = dots.columns;
        while x <= right {
            P::dots(self.pixels(row, x), right + 1 - x, color, dots, x - dots.columns.0);
            x += CHUNK as i32;
        }
    }

    /// Fills columns of a row.
    #[inline(always)]
    pub fn fill<P: Pen>(&mut self, row: usize, (left, right): Run, color: u32) {
        let mut x = left;
        while x <= right {
            P::fill(self.pixels(row, x), right + 1 - x, color);
            x += CHUNK as i32;
        }
    }
}

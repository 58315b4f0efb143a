//! A few rows of the large picture, as far as they are drawn.

use super::cells::HIGHEST;
use super::sizes::{CHUNK, LARGE};

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
    pub fn pixels<const N: usize>(&mut self, row: usize, first: i32) -> &mut [u32; N] {
        let first = (first + MARGIN as i32) as usize;
        self.rows[row][first..].first_chunk_mut().expect("rows are longer than pictures are wide")
    }
}

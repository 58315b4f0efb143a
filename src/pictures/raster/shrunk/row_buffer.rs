//! Buffer that holds the pixel rows of the large picture that one row of cells averages.

use super::cells::HIGHEST;
use super::sizes::{CHUNK, LARGE};

/// Number of additional pixels on both sides of each row, which make bounds checks at the sides of the picture unnecessary.
pub const MARGIN: usize = CHUNK;
/// Number of pixels of a row, including its margins: whole chunks, so that all rows are aligned as the first. It is not a power of
/// two, so that rows do not map to the same cache sets.
pub const PITCH: usize = (LARGE.0 + 3 * MARGIN).next_multiple_of(CHUNK);

/// Rows of pixels. Column 0 starts a cache line, because stores that cross two lines take twice the time.
#[derive(Debug)]
#[repr(C, align(64))]
struct Rows([[u32; PITCH]; HIGHEST]);

/// Buffer of rows of pixels. The bytes of a pixel are red, green, blue and zero.
#[derive(Debug)]
pub struct RowBuffer {
    rows: Box<Rows>,
}

impl RowBuffer {
    pub fn new() -> Self {
        Self { rows: Box::new(Rows([[0; PITCH]; HIGHEST])) }
    }

    /// Returns `N` pixels of a row, starting at column `first`.
    #[inline(always)]
    pub fn cell<const N: usize>(&self, row: usize, first: usize) -> &[u32; N] {
        self.rows.0[row][MARGIN + first..].first_chunk().expect("rows are longer than pictures are wide")
    }

    /// Returns all rows, including their margins, for writing.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn rows_mut(&mut self) -> &mut [[u32; PITCH]; HIGHEST] {
        &mut self.rows.0
    }

    /// Returns all rows, including their margins.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn rows(&self) -> &[[u32; PITCH]; HIGHEST] {
        &self.rows.0
    }

    /// Returns `N` pixels of a row for writing, starting at column `first`, which is at least -[`MARGIN`].
    #[inline(always)]
    pub fn pixels<const N: usize>(&mut self, row: usize, first: i32) -> &mut [u32; N] {
        let first = (first + MARGIN as i32) as usize;
        self.rows.0[row][first..].first_chunk_mut().expect("rows are longer than pictures are wide")
    }
}

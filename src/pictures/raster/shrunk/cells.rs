//! Tables of cells. A cell is the rectangle of pixels of the large picture that smoothscale averages into one pixel of the
//! small picture.

use super::sizes::{CHUNK, LARGE, SMALL};
use super::spans::WINDOW;

/// Maximum number of columns of a cell, including columns that it shares with the neighbouring cells.
pub const WIDEST: usize = 12;
/// Maximum number of rows of a cell.
pub const TALLEST: usize = 10;
/// Maximum number of rows of a cell ([`TALLEST`]), padded to a multiple of four.
pub const HIGHEST: usize = 12;
/// Fixed-point weight of a pixel that lies completely inside a cell.
const WHOLE: usize = 0x4000;

/// Range of columns or rows: first and last, both included.
pub type Run = (i32, i32);

/// Range of pixels that a cell covers along one axis, and the weights of these pixels.
#[derive(Debug, Clone)]
pub struct Cell<const N: usize> {
    pub first: usize,
    pub count: usize,
    pub weights: [u16; N],
}

fn cells<const N: usize>(large: usize) -> (Vec<Cell<N>>, u16) {
    let space = WHOLE * large / SMALL;
    let cell = |index: usize| {
        let (begin, end) = (index * space, (index + 1) * space);
        let part = |pixel: usize| end.min((pixel + 1) * WHOLE).saturating_sub(begin.max(pixel * WHOLE));
        // A pixel is omitted from the cell if its weight is so small that even a white pixel would add less than one unit to
        // the average.
        let counts = |pixel: &usize| part(*pixel) * 4 * 255 >= 0x10000;
        let mut pixels = (begin / WHOLE..large).filter(counts).take_while(|pixel| pixel * WHOLE < end);
        let first = pixels.next().unwrap_or(0);
        let count = 1 + pixels.count();
        Cell { first, count, weights: std::array::from_fn(|at| if at < count { part(first + at) as u16 } else { 0 }) }
    };
    ((0..SMALL).map(cell).collect(), (0x4000_0000 / space) as u16)
}

/// Returns, for each pixel along an axis, the first and the last of the cells that contain the pixel.
fn cells_of<const N: usize>(cells: &[Cell<N>], large: usize) -> Vec<(u8, u8)> {
    let has = |cell: &Cell<N>, pixel: usize| (cell.first..cell.first + cell.count).contains(&pixel);
    let of = |pixel| {
        let first = cells.iter().position(|cell| has(cell, pixel)).unwrap_or(0);
        let last = cells.iter().rposition(|cell| has(cell, pixel)).unwrap_or(0);
        (first as u8, last as u8)
    };
    (0..large).map(of).collect()
}

/// Positions and weights of all cells, computed once for all pictures.
#[derive(Debug)]
pub struct Tables {
    pub columns: Vec<Cell<WIDEST>>,
    pub rows: Vec<Cell<HIGHEST>>,
    /// Fixed-point reciprocals of the total weights of a cell's columns and of its rows. Multiplying a weighted sum by them
    /// replaces a division.
    pub reciprocals: (u16, u16),
    /// Weights of each cell's columns, repeated four times: once for each colour byte of a pixel.
    pub weights: Vec<[u16; WIDEST * 4]>,
    /// For each row of cells, a mask that selects its pixel rows in a window of [`WINDOW`] rows, which starts at its first row.
    pub windows: Vec<[i16; WINDOW]>,
    /// Weights of each cell's rows, repeated for each of the four colour bytes; zero after the cell's last row.
    pub parts: Vec<[[u32; 4]; HIGHEST]>,
    pub cells_of_column: Vec<(u8, u8)>,
    pub cells_of_row: Vec<(u8, u8)>,
    /// For each pixel column: the index of the first cell that starts at or after the column, and one plus the index of the
    /// last cell that ends at or before the column.
    whole: Vec<(u8, u8)>,
    /// Cells of the chunks of a row.
    pub chunks: ChunkTable,
}

/// Cells of each chunk of a row: its sixteen pixel columns that start at a multiple of sixteen. A chunk has columns of up to three
/// cells.
#[derive(Debug, Clone, Copy)]
pub struct ChunkTable {
    /// Bit sets of the first cells of all chunks: of all; of those that have columns of the next cell; and of the cell after it.
    pub first_cells: [u128; 3],
}

impl ChunkTable {
    fn new(cells_of_column: &[(u8, u8)]) -> Self {
        let mut first_cells = [0; 3];
        for columns in cells_of_column.chunks(CHUNK) {
            let (first, last) = (columns[0].0, columns[columns.len() - 1].1);
            first_cells.iter_mut().take(usize::from(last - first) + 1).for_each(|cells| *cells |= 1 << first);
        }
        Self { first_cells }
    }

    /// Returns the bit set `cells` with the bits of other cells of the same chunks moved to the first cell of the chunk.
    #[inline(always)]
    pub fn at_first_cells(&self, cells: u128) -> u128 {
        let [first, second, third] = self.first_cells;
        cells & first | (cells >> 1) & second | (cells >> 2) & third
    }
}

impl Tables {
    pub fn new() -> Self {
        let (columns, across) = cells::<WIDEST>(LARGE.0);
        let (rows, down) = cells::<HIGHEST>(LARGE.1);
        let whole = |x: usize| {
            let begins = columns.iter().position(|cell| cell.first >= x).unwrap_or(SMALL);
            let ends = columns.iter().rposition(|cell| cell.first + cell.count <= x + 1).map_or(0, |cell| cell + 1);
            (begins as u8, ends as u8)
        };
        Self {
            windows: rows.iter().map(|row| std::array::from_fn(|at| if at < row.count { -1 } else { 0 })).collect(),
            weights: columns.iter().map(|cell| std::array::from_fn(|at| cell.weights[at / 4])).collect(),
            parts: rows.iter().map(|row| row.weights.map(|weight| [u32::from(weight); 4])).collect(),
            cells_of_column: cells_of(&columns, LARGE.0),
            cells_of_row: cells_of(&rows, LARGE.1),
            whole: (0..LARGE.0).map(whole).collect(),
            chunks: ChunkTable::new(&cells_of(&columns, LARGE.0)),
            columns,
            rows,
            reciprocals: (across, down),
        }
    }

    /// Returns a bit set of the cells that contain at least one of the pixel columns from `left` to `right`.
    #[inline(always)]
    pub fn touched(&self, (left, right): Run) -> u128 {
        let most = LARGE.0 as i32 - 1;
        if right < 0 || left > most || left > right {
            return 0;
        }
        let first = self.cells_of_column[left.max(0) as usize].0;
        bits(first, self.cells_of_column[right.min(most) as usize].1)
    }

    /// Returns a bit set of the cells that lie completely within the pixel columns from `left` to `right`.
    #[inline(always)]
    pub fn covered(&self, (left, right): Run) -> u128 {
        let most = LARGE.0 as i32 - 1;
        if right < 0 || left > most || left > right {
            return 0;
        }
        let (begin, end) = (self.whole[left.max(0) as usize].0, self.whole[right.min(most) as usize].1);
        if begin < end { bits(begin, end - 1) } else { 0 }
    }

    /// Returns the range of pixel columns that the cells from `first` to `last` cover.
    #[inline(always)]
    pub fn columns_of(&self, (first, last): (usize, usize)) -> Run {
        let last = &self.columns[last];
        (self.columns[first].first as i32, (last.first + last.count) as i32 - 1)
    }
}

/// For each cell, the bit set of this cell and all later cells.
static SUFFIXES: [u128; SMALL + 1] = {
    let mut suffixes = [0; SMALL + 1];
    let mut first = 0;
    while first <= SMALL {
        suffixes[first] = u128::MAX << first;
        first += 1;
    }
    suffixes
};

/// Returns the bit set of the cells from `first` to `last`, both included.
#[inline(always)]
fn bits(first: u8, last: u8) -> u128 {
    SUFFIXES[usize::from(first)] & !SUFFIXES[usize::from(last) + 1]
}

/// Splits a bit set of cells into runs of consecutive cells, and calls `take` with the first and last cell of each run.
#[inline(always)]
pub fn each_run(mut cells: u128, mut take: impl FnMut((usize, usize))) {
    while cells != 0 {
        let first = cells.trailing_zeros();
        let last = first + (!(cells >> first)).trailing_zeros() - 1;
        cells &= !bits(first as u8, last as u8);
        take((first as usize, last as usize));
    }
}

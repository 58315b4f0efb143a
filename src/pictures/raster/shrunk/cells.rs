//! Which pixels of the large picture a pixel of the small one is the average of: its cell.

use super::sizes::{FRINGE, LARGE, SMALL};
use super::spans::WINDOW;

/// Columns that a cell has at most, with those that it shares with its neighbours.
pub const WIDEST: usize = 12;
/// Rows that it has at most.
pub const TALLEST: usize = 10;
/// And a few more, so that they can be looked at four by four.
pub const HIGHEST: usize = 12;
/// A whole pixel's weight.
const WHOLE: usize = 0x4000;

/// Columns from the first to the last.
pub type Run = (i32, i32);

/// The pixels of a cell in one direction, and how much of each is the cell's.
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
        // Shares that are so small that not even white comes to a unit are none.
        let counts = |pixel: &usize| part(*pixel) * 4 * 255 >= 0x10000;
        let mut pixels = (begin / WHOLE..large).filter(counts).take_while(|pixel| pixel * WHOLE < end);
        let first = pixels.next().unwrap_or(0);
        let count = 1 + pixels.count();
        Cell { first, count, weights: std::array::from_fn(|at| if at < count { part(first + at) as u16 } else { 0 }) }
    };
    ((0..SMALL).map(cell).collect(), (0x4000_0000 / space) as u16)
}

/// First and last cell that each pixel belongs to.
fn cells_of<const N: usize>(cells: &[Cell<N>], large: usize) -> Vec<(u8, u8)> {
    let has = |cell: &Cell<N>, pixel: usize| (cell.first..cell.first + cell.count).contains(&pixel);
    let of = |pixel| {
        let first = cells.iter().position(|cell| has(cell, pixel)).unwrap_or(0);
        let last = cells.iter().rposition(|cell| has(cell, pixel)).unwrap_or(0);
        (first as u8, last as u8)
    };
    (0..large).map(of).collect()
}

/// All cells.
#[derive(Debug)]
pub struct Tables {
    pub columns: Vec<Cell<WIDEST>>,
    pub rows: Vec<Cell<HIGHEST>>,
    /// What sums are multiplied with, across and down.
    pub reciprocals: (u16, u16),
    /// The columns' weights, for each colour of each pixel.
    pub weights: Vec<[u16; WIDEST * 4]>,
    /// Ones for the rows of each cell, counted from those that are as far above it as smooth edges reach; and for all of these, too.
    pub windows: Vec<[[i16; WINDOW]; 2]>,
    /// The weights of each cell's rows, for each colour: none after the last one.
    pub parts: Vec<[[u32; 4]; HIGHEST]>,
    pub cells_of_column: Vec<(u8, u8)>,
    pub cells_of_row: Vec<(u8, u8)>,
    /// The first cell that begins in a column or to the right of it, and one more than the last that ends there or to the left of it.
    whole: Vec<(u8, u8)>,
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
        let window = |count: usize, fringe: i32| {
            let rows = FRINGE - fringe..FRINGE + count as i32 + fringe;
            std::array::from_fn(|at| if rows.contains(&(at as i32)) { -1 } else { 0 })
        };
        Self {
            windows: rows.iter().map(|row| [window(row.count, 0), window(row.count, FRINGE)]).collect(),
            weights: columns.iter().map(|cell| std::array::from_fn(|at| cell.weights[at / 4])).collect(),
            parts: rows.iter().map(|row| row.weights.map(|weight| [u32::from(weight); 4])).collect(),
            cells_of_column: cells_of(&columns, LARGE.0),
            cells_of_row: cells_of(&rows, LARGE.1),
            whole: (0..LARGE.0).map(whole).collect(),
            columns,
            rows,
            reciprocals: (across, down),
        }
    }

    /// The cells that a run of columns touches.
    #[inline(always)]
    pub fn touched(&self, (left, right): Run) -> u128 {
        let most = LARGE.0 as i32 - 1;
        if right < 0 || left > most || left > right {
            return 0;
        }
        let first = self.cells_of_column[left.max(0) as usize].0;
        bits(first, self.cells_of_column[right.min(most) as usize].1)
    }

    /// The cells that a run of columns covers.
    #[inline(always)]
    pub fn covered(&self, (left, right): Run) -> u128 {
        let most = LARGE.0 as i32 - 1;
        if right < 0 || left > most || left > right {
            return 0;
        }
        let (begin, end) = (self.whole[left.max(0) as usize].0, self.whole[right.min(most) as usize].1);
        if begin < end { bits(begin, end - 1) } else { 0 }
    }

    /// The columns of cells from the first to the last.
    #[inline(always)]
    pub fn columns_of(&self, (first, last): (usize, usize)) -> Run {
        let last = &self.columns[last];
        (self.columns[first].first as i32, (last.first + last.count) as i32 - 1)
    }
}

/// Cells from `first` to `last`.
fn bits(first: u8, last: u8) -> u128 {
    (u128::MAX >> (127 - (last - first))) << first
}

/// Calls `take` with the first and the last cell of each run of cells.
#[inline(always)]
pub fn each_run(mut cells: u128, mut take: impl FnMut((usize, usize))) {
    while cells != 0 {
        let first = cells.trailing_zeros();
        let last = first + (!(cells >> first)).trailing_zeros() - 1;
        cells &= !bits(first as u8, last as u8);
        take((first as usize, last as usize));
    }
}

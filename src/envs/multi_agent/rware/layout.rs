//! Layouts of warehouses: from numbers of shelves, or from text.

use crate::grid::{Cell, Grid, cells};
use envpool_rs_engine::{Error, Options, Result};

/// Floor of a warehouse.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub width: i32,
    pub height: i32,
    /// Whether no shelf may stand on each cell.
    pub highways: Grid<bool>,
    /// Cells to which requested shelves are brought.
    pub goals: Vec<Cell>,
    /// Cells of all shelves at the start of an episode, row by row.
    pub shelves: Vec<Cell>,
}

/// Largest number of rows and of columns.
const MAX_SIDE: i32 = 1000;

impl Layout {
    /// Creates the layout that the options `layout`, or `shelf_rows`, `shelf_columns` and `column_height`, describe.
    ///
    /// # Errors
    /// `Value` for an even number of columns, and for a layout that is no rectangle of `g`, `x` and `.`, or has no goal.
    pub fn new(options: &Options) -> Result<Self> {
        let layout = match options.text("layout") {
            Some(text) if !text.is_empty() => Self::from_text(text)?,
            _ => Self::from_numbers(options)?,
        };
        if layout.shelves.len() >= usize::from(u16::MAX) {
            return Err(Error::Value(format!("layout has {} shelves: expected less than 65535", layout.shelves.len())));
        }
        Ok(layout)
    }

    fn from_numbers(options: &Options) -> Result<Self> {
        let [rows, columns, height] = ["shelf_rows", "shelf_columns", "column_height"].map(|name| options.int(name) as i32);
        if columns % 2 == 0 {
            return Err(Error::value("shelf_columns", columns, "an odd number, so that the queue is in the middle"));
        }
        let (width, bottom) = (3 * columns + 1, (height + 1) * rows + 1);
        let middle = width / 2;
        let is_queue = |cell: Cell| cell.y > bottom + 1 - (height + 3) && (cell.x == middle - 1 || cell.x == middle);
        let is_highway = |cell: Cell| cell.x % 3 == 0 || cell.y % (height + 1) == 0 || cell.y == bottom || is_queue(cell);
        let goals = vec![Cell { x: middle - 1, y: bottom }, Cell { x: middle, y: bottom }];
        Ok(Self::from_parts(width, bottom + 1, goals, is_highway))
    }

    fn from_text(text: &str) -> Result<Self> {
        let text = text.trim().replace(' ', "").to_lowercase();
        let rows: Vec<&[u8]> = text.split('\n').map(str::as_bytes).collect();
        let (width, height) = (rows[0].len() as i32, rows.len() as i32);
        let refuse = |expected: &str| Err(Error::value("layout", format_args!("{text:?}"), expected));
        if rows.iter().any(|row| row.len() != rows[0].len()) || width > MAX_SIDE || height > MAX_SIDE {
            return refuse("rows of the same length, at most 1000 of at most 1000 characters");
        }
        if !rows.iter().all(|row| row.iter().all(|character| b"gx.".contains(character))) {
            return refuse("only g (goal), x (shelf) and . (highway)");
        }
        let at = |cell: Cell| rows[cell.y as usize][cell.x as usize];
        let layout = Self::from_parts(width, height, Vec::new(), |cell| at(cell) != b'x');
        let goals: Vec<_> = cells(width, height).filter(|cell| at(*cell) == b'g').collect();
        if goals.is_empty() { refuse("one goal (g) or more") } else { Ok(Self { goals, ..layout }) }
    }

    fn from_parts(width: i32, height: i32, goals: Vec<Cell>, is_highway: impl Fn(Cell) -> bool) -> Self {
        let mut highways = Grid::new(width, height, false);
        cells(width, height).for_each(|cell| highways.set(cell, is_highway(cell)));
        let shelves = cells(width, height).filter(|cell| !is_highway(*cell)).collect();
        Self { width, height, highways, goals, shelves }
    }
}

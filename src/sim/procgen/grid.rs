//! Grid of cells: one object type for each.

use serde::{Deserialize, Serialize};

/// Cells in rows from the bottom to the top.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grid {
    pub width: i32,
    pub height: i32,
    pub cells: Vec<i32>,
}

impl Grid {
    /// Sets the size, and fills all cells with `kind`.
    pub fn resize(&mut self, width: i32, height: i32, kind: i32) {
        (self.width, self.height) = (width, height);
        self.cells.clear();
        self.cells.resize((width * height) as usize, kind);
    }

    /// Returns whether a cell exists.
    #[inline]
    pub fn contains(&self, x: i32, y: i32) -> bool {
        (0..self.height).contains(&y) && (0..self.width).contains(&x)
    }

    /// Returns a cell; `None` outside.
    #[inline]
    pub fn get(&self, x: i32, y: i32) -> Option<i32> {
        self.contains(x, y).then(|| self.cells[(y * self.width + x) as usize])
    }

    /// Returns the cell of an index; `None` outside.
    #[inline]
    pub fn get_index(&self, index: i32) -> Option<i32> {
        usize::try_from(index).ok().and_then(|index| self.cells.get(index)).copied()
    }

    /// Sets a cell.
    ///
    /// # Panics
    /// If it does not exist.
    pub fn set(&mut self, x: i32, y: i32, kind: i32) {
        assert!(self.contains(x, y), "cell {x}, {y} is outside of the grid");
        self.cells[(y * self.width + x) as usize] = kind;
    }

    /// Returns the indices of all cells of a type, ascending.
    pub fn cells_with_type(&self, kind: i32) -> Vec<i32> {
        (0..).zip(&self.cells).filter(|(_, cell)| **cell == kind).map(|(index, _)| index).collect()
    }
}

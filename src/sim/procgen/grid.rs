//! Grid of cells. Each cell has an object type.

use serde::{Deserialize, Serialize};

/// Object types of the cells of a world, in rows from the bottom to the top.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grid {
    pub width: i32,
    pub height: i32,
    pub cells: Vec<i32>,
}

impl Grid {
    /// Sets the grid's size, and fills all cells with the object type `kind`.
    pub fn resize(&mut self, width: i32, height: i32, kind: i32) {
        (self.width, self.height) = (width, height);
        self.cells.clear();
        self.cells.resize((width * height) as usize, kind);
    }

    /// Returns whether a cell is inside of the grid.
    #[inline]
    pub fn contains(&self, x: i32, y: i32) -> bool {
        (0..self.height).contains(&y) && (0..self.width).contains(&x)
    }

    /// Returns the object type of a cell; `None` if the cell is outside of the grid.
    #[inline]
    pub fn get(&self, x: i32, y: i32) -> Option<i32> {
        self.contains(x, y).then(|| self.cells[(y * self.width + x) as usize])
    }

    /// Returns the object types of a row of cells; empty if the row is outside of the grid.
    pub fn row(&self, y: i32) -> &[i32] {
        match (0..self.height).contains(&y) {
            true => &self.cells[(y * self.width) as usize..][..self.width as usize],
            false => &[],
        }
    }

    /// Returns the object type of the cell with an index; `None` if the index is outside of the grid.
    #[inline]
    pub fn get_index(&self, index: i32) -> Option<i32> {
        usize::try_from(index).ok().and_then(|index| self.cells.get(index)).copied()
    }

    /// Sets the object type of a cell.
    ///
    /// # Panics
    /// If the cell is outside of the grid.
    pub fn set(&mut self, x: i32, y: i32, kind: i32) {
        assert!(self.contains(x, y), "cell {x}, {y} is outside of the grid");
        self.cells[(y * self.width + x) as usize] = kind;
    }

    /// Returns the indices of all cells of an object type, in ascending order.
    pub fn cells_with_type(&self, kind: i32) -> Vec<i32> {
        (0..).zip(&self.cells).filter(|(_, cell)| **cell == kind).map(|(index, _)| index).collect()
    }
}

//! Grid of cells, and the four directions in which players move.

use serde::{Deserialize, Serialize};

/// Cell of a grid: column `x` from the left, row `y` from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cell {
    pub x: i32,
    pub y: i32,
}

impl Cell {
    /// Returns the neighbour in a direction, which may lie outside of the grid.
    #[inline]
    pub fn neighbor(self, direction: Direction) -> Self {
        let (x, y) = direction.offset();
        Self { x: self.x + x, y: self.y + y }
    }

    /// Returns the number of steps between two cells, without diagonal ones.
    #[inline]
    pub fn distance(self, other: Self) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }
}

/// Direction of a step or of a player's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    North,
    South,
    West,
    East,
}

impl Direction {
    /// All directions, in the order of the references' actions.
    pub const ALL: [Self; 4] = [Self::North, Self::South, Self::West, Self::East];

    #[inline]
    fn offset(self) -> (i32, i32) {
        match self {
            Self::North => (0, -1),
            Self::South => (0, 1),
            Self::West => (-1, 0),
            Self::East => (1, 0),
        }
    }
}

/// Rectangle of cells, each with a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grid<T> {
    width: i32,
    height: i32,
    cells: Vec<T>,
}

impl<T: Copy> Grid<T> {
    /// Creates a grid whose cells all have the value `value`.
    pub fn new(width: i32, height: i32, value: T) -> Self {
        Self { width, height, cells: vec![value; width as usize * height as usize] }
    }

    /// Returns the values of all cells, row by row from the top.
    pub fn values(&self) -> &[T] {
        &self.cells
    }

    /// Returns the place of a cell in [`values`](Self::values); `None` outside of the grid.
    #[inline]
    pub fn index(&self, cell: Cell) -> Option<usize> {
        let is_inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        is_inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }

    /// Returns the value of a cell; `None` outside of the grid.
    #[inline]
    pub fn get(&self, cell: Cell) -> Option<T> {
        self.index(cell).and_then(|index| self.cells.get(index).copied())
    }

    /// Sets the value of a cell; without effect outside of the grid.
    #[inline]
    pub fn set(&mut self, cell: Cell, value: T) {
        if let Some(index) = self.index(cell) {
            self.cells[index] = value;
        }
    }

    /// Sets all cells to one value.
    pub fn fill(&mut self, value: T) {
        self.cells.fill(value);
    }

    /// Returns whether a grid from a snapshot has this size.
    pub fn has_size(&self, width: i32, height: i32) -> bool {
        self.width == width && self.height == height && self.cells.len() == width as usize * height as usize
    }
}

/// Returns all cells of a rectangle, row by row.
pub fn cells(width: i32, height: i32) -> impl Iterator<Item = Cell> {
    (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
}

/// Returns a line of text for each row, with the text of each cell.
pub fn lines_of<T>(width: i32, height: i32, text: impl Fn(Cell) -> T) -> String
where
    String: FromIterator<T>,
{
    (0..height).map(|y| (0..width).map(|x| text(Cell { x, y })).collect::<String>() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_outside_of_a_grid_have_no_value() {
        let mut grid = Grid::new(3, 2, 0_u8);
        grid.set(Cell { x: 2, y: 1 }, 7);
        grid.set(Cell { x: 3, y: 0 }, 9);
        assert_eq!(grid.values(), [0, 0, 0, 0, 0, 7]);
        assert_eq!((grid.get(Cell { x: 2, y: 1 }), grid.get(Cell { x: -1, y: 0 })), (Some(7), None));
    }
}

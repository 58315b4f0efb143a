//! Grid of cells, surrounded by a margin of walls, so that an agent's view beyond the edge needs no bounds checks.

use serde::{Deserialize, Serialize};

use super::cell::Cell;

/// Position of a cell, or offset between two cells. `x` counts to the right, and `y` downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Point {
    /// Column, starting at 0; positive offsets point to the right.
    pub x: i32,
    /// Row, starting at 0; positive offsets point downwards.
    pub y: i32,
}

impl Point {
    /// Value of an object's position that means that the object is not on the grid.
    pub const NOWHERE: Self = at(-1, -1);

    /// Returns the Manhattan distance between two positions, in cells.
    pub const fn manhattan_distance(self, other: Self) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }

    /// Returns whether two positions are equal or neighbours, including diagonal neighbours.
    pub const fn is_near(self, other: Self) -> bool {
        (self.x - other.x).abs() <= 1 && (self.y - other.y).abs() <= 1
    }

    /// Returns the vector rotated clockwise by 90 degrees.
    #[must_use]
    pub const fn rotate_right(self) -> Self {
        at(-self.y, self.x)
    }
}

impl std::ops::Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        at(self.x + other.x, self.y + other.y)
    }
}

impl std::ops::Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        at(self.x - other.x, self.y - other.y)
    }
}

impl std::ops::Mul<i32> for Point {
    type Output = Self;
    fn mul(self, times: i32) -> Self {
        at(self.x * times, self.y * times)
    }
}

/// Returns the position in column `x` and row `y`.
pub const fn at(x: i32, y: i32) -> Point {
    Point { x, y }
}

/// Unit vectors of the four directions: right (0), down (1), left (2) and up (3) (minigrid's `DIR_TO_VEC`).
pub const DIR_TO_VEC: [Point; 4] = [at(1, 0), at(0, 1), at(-1, 0), at(0, -1)];

/// Rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Position of the upper left cell.
    pub top: Point,
    /// Number of columns of the area.
    pub width: i32,
    /// Number of rows of the area.
    pub height: i32,
}

impl Area {
    /// Returns the area of `width` by `height` cells whose upper left cell is `top`.
    pub const fn new(top: Point, width: i32, height: i32) -> Self {
        Self { top, width, height }
    }

    /// Returns whether a position lies in the area.
    pub const fn contains(self, pos: Point) -> bool {
        let (x, y) = (pos.x - self.top.x, pos.y - self.top.y);
        x >= 0 && y >= 0 && x < self.width && y < self.height
    }
}

/// Number of an object in its world, starting at 1; 0 stands for no object.
pub type ObjectId = u8;

/// Cells of a world, and the number of the object in each cell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Grid {
    width: i32,
    height: i32,
    margin: i32,
    /// Cells row by row, including the margin.
    cells: Vec<Cell>,
    /// Object numbers row by row, without the margin.
    object_ids: Vec<ObjectId>,
}

/// Maximum number of rows and of columns of a grid.
pub const MAX_GRID_SIDE: i32 = 255;
/// Maximum width of the margin, in cells.
const MAX_MARGIN: i32 = 63;

impl Grid {
    /// Resets the grid to `width` by `height` empty cells, surrounded by walls.
    ///
    /// `margin` is the width of the surrounding walls: the number of cells beyond the edge that an agent at the edge can see.
    pub fn clear(&mut self, width: i32, height: i32, margin: i32) {
        let stride = width + 2 * margin;
        self.cells.clear();
        self.cells.resize((stride * (height + 2 * margin)) as usize, Cell::WALL);
        self.object_ids.clear();
        self.object_ids.resize((width * height) as usize, 0);
        (self.width, self.height, self.margin) = (width, height, margin);
        for y in 0..height {
            let first = self.offset(at(0, y));
            self.cells[first..first + width as usize].fill(Cell::EMPTY);
        }
    }

    /// Returns the number of columns of the grid, without the margin.
    pub const fn width(&self) -> i32 {
        self.width
    }

    /// Returns the number of rows of the grid, without the margin.
    pub const fn height(&self) -> i32 {
        self.height
    }

    /// Returns the area of the complete grid, without the margin.
    pub const fn area(&self) -> Area {
        Area::new(at(0, 0), self.width, self.height)
    }

    /// Returns the distance between two rows in [`Grid::cells`], in elements.
    pub(super) const fn stride(&self) -> i32 {
        self.width + 2 * self.margin
    }

    /// Returns the index of a position in [`Grid::cells`]. Positions in the margin also have an index.
    #[inline]
    pub(super) const fn offset(&self, pos: Point) -> usize {
        ((pos.y + self.margin) * self.stride() + pos.x + self.margin) as usize
    }

    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the object number of each cell, row by row, without the margin; 0 for cells without an object.
    pub(super) fn object_ids(&self) -> &[ObjectId] {
        &self.object_ids
    }

    /// Returns the cell at a position, which may lie in the margin.
    #[inline]
    pub fn get(&self, pos: Point) -> Cell {
        self.cells[self.offset(pos)]
    }

    /// Returns the number of the object at a position; 0 if there is no object, or if the position is outside the grid.
    #[inline]
    pub fn object_id(&self, pos: Point) -> ObjectId {
        self.index(pos).map_or(0, |index| self.object_ids[index])
    }

    /// Returns the index of a position, counted row by row without the margin; `None` if the position is outside the grid.
    #[inline]
    pub(super) fn index(&self, pos: Point) -> Option<usize> {
        self.area().contains(pos).then(|| (pos.y * self.width + pos.x) as usize)
    }

    /// Replaces the cell and the object at a position. `id` is the object's number, 0 for none. Does nothing if the position is
    /// outside the grid.
    pub fn set(&mut self, pos: Point, cell: Cell, id: ObjectId) {
        if let Some(index) = self.index(pos) {
            let offset = self.offset(pos);
            self.cells[offset] = cell;
            self.object_ids[index] = id;
        }
    }

    /// Replaces the cell at a position. The number of its object stays.
    pub fn set_cell(&mut self, pos: Point, cell: Cell) {
        let id = self.object_id(pos);
        self.set(pos, cell, id);
    }

    /// Fills `length` cells from `from` to the right with `cell`, which contains no object.
    pub fn horz_wall(&mut self, from: Point, length: i32, cell: Cell) {
        (0..length).for_each(|k| self.set(from + at(k, 0), cell, 0));
    }

    /// Fills `length` cells from `from` downwards with `cell`, which contains no object.
    pub fn vert_wall(&mut self, from: Point, length: i32, cell: Cell) {
        (0..length).for_each(|k| self.set(from + at(0, k), cell, 0));
    }

    /// Places walls along the inner edge of an area.
    pub fn wall_rect(&mut self, area: Area) {
        let Area { top, width, height } = area;
        self.horz_wall(top, width, Cell::WALL);
        self.horz_wall(top + at(0, height - 1), width, Cell::WALL);
        self.vert_wall(top, height, Cell::WALL);
        self.vert_wall(top + at(width - 1, 0), height, Cell::WALL);
    }

    /// Returns all positions of the grid, column by column, which is the order of minigrid's loops.
    pub fn positions(&self) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.width, self.height);
        (0..width).flat_map(move |x| (0..height).map(move |y| at(x, y)))
    }

    /// Returns whether a restored grid is consistent, has the margin `margin`, and contains only object numbers up to `max_id`.
    ///
    /// A default grid, on which `clear` has not been called, is not valid.
    pub(super) fn is_valid(&self, margin: i32, max_id: usize) -> bool {
        let sides = 1..=MAX_GRID_SIDE;
        self.margin == margin
            && margin <= MAX_MARGIN
            && sides.contains(&self.width)
            && sides.contains(&self.height)
            && self.cells.len() == (self.stride() * (self.height + 2 * margin)) as usize
            && self.object_ids.len() == (self.width * self.height) as usize
            && self.cells.iter().all(|cell| cell.is_valid())
            && self.object_ids.iter().all(|id| usize::from(*id) <= max_id)
            && self.has_wall_margin()
    }

    /// Returns whether all cells of the margin are walls. Through a margin cell of another kind, an agent could leave the grid.
    fn has_wall_margin(&self) -> bool {
        self.cells.iter().zip(0..).all(|(cell, index)| {
            let pos = at(index % self.stride() - self.margin, index / self.stride() - self.margin);
            *cell == Cell::WALL || self.area().contains(pos)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Color, Kind};

    #[test]
    fn margin_consists_of_walls() {
        let mut grid = Grid::default();
        grid.clear(3, 2, 6);
        assert_eq!(grid.get(at(-6, 7)), Cell::WALL);
        assert!(grid.get(at(2, 1)).is_empty());
        grid.set(at(3, 0), Cell::GOAL, 7);
        assert_eq!((grid.get(at(3, 0)), grid.object_id(at(3, 0))), (Cell::WALL, 0), "nothing is put into the margin");
        grid.set(at(2, 1), Cell::new(Kind::Key, Color::Red), 7);
        assert_eq!(grid.object_id(at(2, 1)), 7);
        assert!(grid.is_valid(6, 7) && !grid.is_valid(6, 6) && !grid.is_valid(5, 7));
    }

    #[test]
    fn grids_with_an_open_margin_are_invalid() {
        for pos in [at(-1, 0), at(3, 1), at(0, -1), at(2, 2), at(-6, -6), at(8, 7)] {
            let mut grid = Grid::default();
            grid.clear(3, 2, 6);
            assert!(grid.is_valid(6, 0));
            let offset = grid.offset(pos);
            grid.cells[offset] = Cell::EMPTY;
            assert!(!grid.is_valid(6, 0), "{pos:?}");
        }
    }

    #[test]
    fn wall_rect_stays_within_its_area() {
        let mut grid = Grid::default();
        grid.clear(6, 5, 2);
        grid.wall_rect(Area::new(at(1, 1), 4, 3));
        let walls = grid.positions().filter(|pos| grid.get(*pos) == Cell::WALL).count();
        assert_eq!(walls, 4 * 2 + 2);
        assert!(grid.get(at(2, 2)).is_empty());
    }
}

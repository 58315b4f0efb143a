//! The cells of a world, within a margin of walls, so that nobody who looks over its edge has to ask where it is.

use serde::{Deserialize, Serialize};

use super::look::Look;

/// A cell, or a way from one to another: `x` to the right, `y` downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Point {
    /// Cells to the right.
    pub x: i32,
    /// Cells downwards.
    pub y: i32,
}

impl Point {
    /// Where what is nowhere is.
    pub const NOWHERE: Self = at(-1, -1);

    /// Cells between it and another, along the axes.
    pub const fn distance(self, other: Self) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }

    /// Whether it is one of the eight cells around another, or the cell itself.
    pub const fn is_near(self, other: Self) -> bool {
        (self.x - other.x).abs() <= 1 && (self.y - other.y).abs() <= 1
    }

    /// The way that is to the right of this one.
    #[must_use]
    pub const fn turned_right(self) -> Self {
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

/// The cell in column `x` and row `y`.
pub const fn at(x: i32, y: i32) -> Point {
    Point { x, y }
}

/// The ways that an agent may face, by their numbers: right, down, left, up.
pub const WAYS: [Point; 4] = [at(1, 0), at(0, 1), at(-1, 0), at(0, -1)];

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Its upper left cell.
    pub top: Point,
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
}

impl Area {
    /// So many columns and rows from a cell on.
    pub const fn new(top: Point, width: i32, height: i32) -> Self {
        Self { top, width, height }
    }

    /// Whether a cell lies in it.
    pub const fn contains(self, cell: Point) -> bool {
        let (x, y) = (cell.x - self.top.x, cell.y - self.top.y);
        x >= 0 && y >= 0 && x < self.width && y < self.height
    }
}

/// Which object of the world it is; 0 for none.
pub type Id = u8;

/// What stands in each cell, and which of the world's objects it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Grid {
    width: i32,
    height: i32,
    margin: i32,
    /// Row by row, the margin included.
    looks: Vec<Look>,
    /// Row by row, without a margin.
    ids: Vec<Id>,
}

/// Longest side of a world.
pub const MOST_CELLS: i32 = 255;
/// Widest margin.
const MOST_MARGIN: i32 = 63;

impl Grid {
    /// Makes it an empty grid of this size; the margin is as wide as somebody at its edge can see.
    pub fn clear(&mut self, width: i32, height: i32, margin: i32) {
        let stride = width + 2 * margin;
        self.looks.clear();
        self.looks.resize((stride * (height + 2 * margin)) as usize, Look::WALL);
        self.ids.clear();
        self.ids.resize((width * height) as usize, 0);
        (self.width, self.height, self.margin) = (width, height, margin);
        for y in 0..height {
            let first = self.place(at(0, y));
            self.looks[first..first + width as usize].fill(Look::EMPTY);
        }
    }

    /// Columns.
    pub const fn width(&self) -> i32 {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> i32 {
        self.height
    }

    /// All of its cells.
    pub const fn area(&self) -> Area {
        Area::new(at(0, 0), self.width, self.height)
    }

    /// Cells from one row to the next in [`Grid::looks`].
    pub(super) const fn stride(&self) -> i32 {
        self.width + 2 * self.margin
    }

    /// Where a cell lies in [`Grid::looks`]; the margin's lie there, too.
    #[inline]
    pub(super) const fn place(&self, cell: Point) -> usize {
        ((cell.y + self.margin) * self.stride() + cell.x + self.margin) as usize
    }

    pub(super) fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// Which object is in each cell, row by row.
    pub(super) fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// What stands in a cell, which may be one of the margin.
    #[inline]
    pub fn look(&self, cell: Point) -> Look {
        self.looks[self.place(cell)]
    }

    /// The object in a cell.
    #[inline]
    pub fn id(&self, cell: Point) -> Id {
        self.index(cell).map_or(0, |index| self.ids[index])
    }

    /// The number of a cell, row by row; `None` outside.
    #[inline]
    pub(super) fn index(&self, cell: Point) -> Option<usize> {
        self.area().contains(cell).then(|| (cell.y * self.width + cell.x) as usize)
    }

    /// Puts something into a cell, in place of what was there; outside of the grid nothing is put.
    pub fn set(&mut self, cell: Point, look: Look, id: Id) {
        if let Some(index) = self.index(cell) {
            let place = self.place(cell);
            self.looks[place] = look;
            self.ids[index] = id;
        }
    }

    /// Changes how the object in a cell looks.
    pub fn set_look(&mut self, cell: Point, look: Look) {
        let id = self.id(cell);
        self.set(cell, look, id);
    }

    /// A line of walls, or of something else without identity, to the right.
    pub fn row_of(&mut self, from: Point, length: i32, look: Look) {
        (0..length).for_each(|k| self.set(from + at(k, 0), look, 0));
    }

    /// The same downwards.
    pub fn column_of(&mut self, from: Point, length: i32, look: Look) {
        (0..length).for_each(|k| self.set(from + at(0, k), look, 0));
    }

    /// Walls around an area, within it.
    pub fn wall_around(&mut self, area: Area) {
        let Area { top, width, height } = area;
        self.row_of(top, width, Look::WALL);
        self.row_of(top + at(0, height - 1), width, Look::WALL);
        self.column_of(top, height, Look::WALL);
        self.column_of(top + at(width - 1, 0), height, Look::WALL);
    }

    /// All cells, column by column, as MiniGrid goes over them.
    pub fn cells(&self) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.width, self.height);
        (0..width).flat_map(move |x| (0..height).map(move |y| at(x, y)))
    }

    /// Whether it is a grid with this margin whose objects are numbered up to `most`. One that nothing was put into yet is none.
    pub(super) fn is_valid(&self, margin: i32, most: usize) -> bool {
        let sides = 1..=MOST_CELLS;
        self.margin == margin
            && margin <= MOST_MARGIN
            && sides.contains(&self.width)
            && sides.contains(&self.height)
            && self.looks.len() == (self.stride() * (self.height + 2 * margin)) as usize
            && self.ids.len() == (self.width * self.height) as usize
            && self.looks.iter().all(|look| look.is_valid())
            && self.ids.iter().all(|id| usize::from(*id) <= most)
            && self.has_walls_around()
    }

    /// Whether the whole margin is wall: an agent that could step into it would leave the grid.
    fn has_walls_around(&self) -> bool {
        self.looks.iter().zip(0..).all(|(look, place)| {
            let cell = at(place % self.stride() - self.margin, place / self.stride() - self.margin);
            *look == Look::WALL || self.area().contains(cell)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::{Colour, Kind};

    #[test]
    fn beyond_the_edge_there_are_walls() {
        let mut grid = Grid::default();
        grid.clear(3, 2, 6);
        assert_eq!(grid.look(at(-6, 7)), Look::WALL);
        assert!(grid.look(at(2, 1)).is_empty());
        grid.set(at(3, 0), Look::GOAL, 7);
        assert_eq!((grid.look(at(3, 0)), grid.id(at(3, 0))), (Look::WALL, 0), "nothing is put into the margin");
        grid.set(at(2, 1), Look::new(Kind::Key, Colour::Red), 7);
        assert_eq!(grid.id(at(2, 1)), 7);
        assert!(grid.is_valid(6, 7) && !grid.is_valid(6, 6) && !grid.is_valid(5, 7));
    }

    #[test]
    fn a_grid_whose_margin_can_be_entered_is_refused() {
        for place in [at(-1, 0), at(3, 1), at(0, -1), at(2, 2), at(-6, -6), at(8, 7)] {
            let mut grid = Grid::default();
            grid.clear(3, 2, 6);
            assert!(grid.is_valid(6, 0));
            let place = grid.place(place);
            grid.looks[place] = Look::EMPTY;
            assert!(!grid.is_valid(6, 0), "place {place}");
        }
    }

    #[test]
    fn walls_stand_within_their_area() {
        let mut grid = Grid::default();
        grid.clear(6, 5, 2);
        grid.wall_around(Area::new(at(1, 1), 4, 3));
        let walls = grid.cells().filter(|cell| grid.look(*cell) == Look::WALL).count();
        assert_eq!(walls, 4 * 2 + 2);
        assert!(grid.look(at(2, 2)).is_empty());
    }
}

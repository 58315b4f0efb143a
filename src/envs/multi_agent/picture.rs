//! Pictures of grids: this crate's own, because the packages draw with OpenGL or with their own sprites.

use crate::grid::{Cell, Direction};
use envpool_rs_engine::Frame;
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{BLACK, Canvas, Color, Point, WHITE, text_width};

/// Side of a cell, in pixels of a picture that is not scaled.
const CELL: f64 = 48.0;
/// Largest side of a picture, in pixels.
const MAX_SIDE: u32 = 4096;
const LINE: Color = Color::rgb(205, 205, 205);

/// Returns the default size of the picture of a grid, in pixels.
pub fn picture_size((columns, rows): (i32, i32)) -> (u32, u32) {
    let side = (MAX_SIDE / columns.max(rows).unsigned_abs().max(1)).clamp(1, CELL as u32);
    (columns.unsigned_abs() * side, rows.unsigned_abs() * side)
}

/// Picture of a grid, on which shapes are placed by cells. Sizes of shapes are shares of a cell.
pub struct GridPicture {
    canvas: Canvas,
}

impl GridPicture {
    /// Creates the picture of a white grid with lines between its cells.
    pub fn new((columns, rows): (i32, i32), size: (u32, u32)) -> Self {
        let (width, height) = (f64::from(columns) * CELL, f64::from(rows) * CELL);
        let mut canvas = Canvas::stretched((width as u32, height as u32), size, WHITE);
        for x in 1..columns {
            canvas.rectangle((f64::from(x) * CELL - 1.0, 0.0), (1.0, height), LINE);
        }
        for y in 1..rows {
            canvas.rectangle((0.0, f64::from(y) * CELL - 1.0), (width, 1.0), LINE);
        }
        Self { canvas }
    }

    /// Draws a square of this size in the middle of a cell.
    pub fn square(&mut self, cell: Cell, size: f64, color: Color) {
        let (x, y) = Self::middle(cell);
        let side = size * CELL;
        self.canvas.rectangle((x - side / 2.0, y - side / 2.0), (side, side), color);
    }

    /// Draws a disc with a black border in the middle of a cell.
    pub fn disc(&mut self, cell: Cell, size: f64, color: Color) {
        let (middle, radius) = (Self::middle(cell), size * CELL / 2.0);
        self.canvas.circle(middle, radius, color);
        self.canvas.ring(middle, radius, 1.0, BLACK);
    }

    /// Draws a triangle at the side of a cell to which a player looks.
    pub fn pointer(&mut self, cell: Cell, direction: Direction, color: Color) {
        let (x, y) = Self::middle(cell);
        let ahead = Cell::default().neighbor(direction);
        let (dx, dy) = (f64::from(ahead.x) * CELL, f64::from(ahead.y) * CELL);
        let corner = |far: f64, aside: f64| (x + far * dx - aside * dy, y + far * dy + aside * dx);
        self.canvas.polygon(&[corner(0.48, 0.0), corner(0.3, 0.2), corner(0.3, -0.2)], color);
    }

    /// Writes a few letters into the middle of a cell.
    pub fn text(&mut self, cell: Cell, text: &str) {
        let ((x, y), block) = (Self::middle(cell), 2.0);
        let corner = (x - f64::from(text_width(text)) * block / 2.0, y - f64::from(text_width("0")) * block / 2.0);
        self.canvas.text(text, corner, block, BLACK);
    }

    pub fn into_frame(self) -> Frame {
        into_picture(self.canvas)
    }

    fn middle(cell: Cell) -> Point {
        ((f64::from(cell.x) + 0.5) * CELL, (f64::from(cell.y) + 0.5) * CELL)
    }
}

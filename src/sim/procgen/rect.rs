//! Rectangles in pixels, with the arithmetic of Qt's `QRectF`.

/// Rectangle in pixels, with float64 coordinates. `y` increases downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Coordinate of the left edge.
    pub x: f64,
    /// Coordinate of the upper edge.
    pub y: f64,
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
}

impl Rect {
    /// Creates a rectangle from its upper left corner, its width and its height.
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// Returns the coordinate of the right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Returns the coordinate of the lower edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Returns a part of this rectangle. The coordinates of `part` are in units of this rectangle's width and height.
    pub fn adjust(&self, part: &Self) -> Self {
        Self {
            x: self.x + self.width * part.x,
            y: self.y + self.height * part.y,
            width: self.width * part.width,
            height: self.height * part.height,
        }
    }
}

//! Rectangles in pixels, with the arithmetic of Qt's `QRectF`.

/// Rectangle with float64 coordinates. `y` increases downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Rect {
    /// Creates a rectangle.
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// Returns the right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Returns the lower edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Returns a part of this rectangle. `part` describes the part in units of the rectangle's width and height.
    pub fn adjust(&self, part: &Self) -> Self {
        Self {
            x: self.x + self.width * part.x,
            y: self.y + self.height * part.y,
            width: self.width * part.width,
            height: self.height * part.height,
        }
    }
}

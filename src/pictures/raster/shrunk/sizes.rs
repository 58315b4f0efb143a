//! Sizes of pictures and of drawing operations.

/// Width and height of the large picture.
pub const LARGE: (usize, usize) = (1000, 800);
/// Side of the small picture.
pub const SMALL: usize = 96;

/// Distance to which smooth edges may extend beyond the filled area, in pixels.
pub const FRINGE: i32 = 2;

/// Pixels painted by one operation.
pub const CHUNK: usize = 16;

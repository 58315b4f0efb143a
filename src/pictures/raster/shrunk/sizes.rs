//! Sizes of the large picture, of the small picture, and of single drawing operations.

/// Width and height of the large picture in pixels.
pub const LARGE: (usize, usize) = (1000, 800);
/// Width and height of the small picture in pixels.
pub const SMALL: usize = 96;

/// Distance in pixels to which anti-aliased edges may extend beyond the filled area.
pub const FRINGE: i32 = 2;

/// Number of pixels that one operation paints.
pub const CHUNK: usize = 16;

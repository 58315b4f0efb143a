//! Sizes of the large picture, of the small picture that smoothscale returns, and of single drawing
//! operations.

/// Width and height in pixels of the large picture, in which polygons have their coordinates.
pub const LARGE: (usize, usize) = (1000, 800);
/// Width and height in pixels of the small picture, to which smoothscale scales the large picture.
pub const SMALL: usize = 96;

/// Maximum number of pixels that one drawing operation writes: those of a cache line.
pub const CHUNK: usize = 16;

//! How large pictures and what they are drawn in are.

/// Width and height of the large picture.
pub const LARGE: (usize, usize) = (1000, 800);
/// Side of the small one.
pub const SMALL: usize = 96;

/// How far smooth edges may reach beyond what is filled, in pixels.
pub const FRINGE: i32 = 2;

/// Pixels that are painted at once.
pub const CHUNK: usize = 16;

//! Drawing in software: the shapes that gymnasium's environments draw, into a picture in memory.
//!
//! ```
//! use envpool_rs_pictures::raster::{BLACK, Canvas, WHITE};
//!
//! let mut canvas = Canvas::new(60, 40, WHITE);
//! canvas.circle((30.0, 20.0), 10.0, BLACK);
//! let pixels = canvas.into_rgb();
//! assert_eq!(pixels.len(), 60 * 40 * 3);
//! assert_eq!(pixels[(20 * 60 + 30) * 3], 0);
//! ```
//!
//! | | |
//! |---|---|
//! | [`Canvas`] | what is drawn on with smooth edges: polygons, circles, lines, rectangles, other canvases |
//! | [`Color`] | red, green, blue and opacity |
//! | [`Easel`], `pygame`, `lines` | what is drawn as pygame draws, and which pixels that are |
//! | [`Surface`] | an easel that keeps every pixel |
//! | [`Shrunk`] | an easel for small pictures of large ones, in some microseconds |
//! | `text` | letters made of blocks |

mod canvas;
mod color;
mod lines;
mod pygame;
mod shrunk;
mod surface;
mod text;

pub use canvas::{Canvas, Point, rotate};
pub use color::{BLACK, Color, TRANSPARENT, WHITE};
pub use pygame::{DrawTarget, Pixel};
pub use shrunk::{LARGE, SMALL, Shrunk};
pub use surface::Surface;
pub use text::{for_each_block, glyph_blocks, text_width};

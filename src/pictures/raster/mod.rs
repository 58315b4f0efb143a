//! Rasterizes in software the shapes that gymnasium's environments draw.
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
//! | item | purpose |
//! |---|---|
//! | [`Canvas`] | anti-aliased polygons, circles, lines, rectangles and canvases |
//! | [`Color`] | red, green, blue and opacity |
//! | [`DrawTarget`], `pygame`, `lines` | pygame's drawing functions and the pixels that they cover |
//! | [`Surface`] | draw target that stores every pixel |
//! | [`rotated_origin`] | place of a surface that is rotated about its centre |
//! | [`SmoothScaled`] | draw target that renders a large picture directly at a smaller size, in microseconds |
//! | `text` | bitmap letters |

mod canvas;
mod color;
mod lines;
mod pygame;
mod rotation;
mod shrunk;
mod surface;
mod text;

pub use canvas::{Canvas, Point, rotate};
pub use color::{BLACK, Color, TRANSPARENT, WHITE};
pub use pygame::{DrawTarget, Pixel};
pub use rotation::rotated_origin;
pub use shrunk::{LARGE, SMALL, SmoothScaled};
pub use surface::Surface;
pub use text::{for_each_block, glyph_blocks, text_width};

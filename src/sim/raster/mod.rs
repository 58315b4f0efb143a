//! Drawing in software: the shapes that gymnasium's environments draw, with smooth edges, into a picture in memory.
//!
//! ```
//! use envpool_rs::sim::raster::{BLACK, Canvas, WHITE};
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
//! | [`Canvas`] | what is drawn on: polygons, circles, lines, rectangles, other canvases |
//! | [`Color`] | red, green, blue and opacity |
//! | `text` | letters made of blocks |

mod canvas;
mod color;
mod text;

pub use canvas::{Canvas, Point, turned};
pub use color::{BLACK, CLEAR, Color, WHITE};
pub use text::{glyph_blocks, text_width};

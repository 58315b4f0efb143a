//! Conversion of canvases to pictures of the engine.

use envpool_rs_engine::Picture;

use crate::raster::Canvas;

/// Converts a canvas to a picture of the same size.
pub fn into_picture(canvas: Canvas) -> Picture {
    let (width, height) = canvas.size();
    Picture::new(width, height, canvas.into_rgb())
}

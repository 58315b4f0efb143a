//! Drawn canvases as pictures of the engine.

use envpool_rs_engine::Picture;

use crate::raster::Canvas;

/// Returns what was drawn as a picture of the same size.
pub fn into_picture(canvas: Canvas) -> Picture {
    let (width, height) = canvas.size();
    Picture::new(width, height, canvas.into_rgb())
}

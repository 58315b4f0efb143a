//! Converts canvases to the engine's frames.

use envpool_rs_engine::Frame;

use crate::raster::Canvas;

/// Converts a canvas to a frame of the same size.
pub fn into_picture(canvas: Canvas) -> Frame {
    let (width, height) = canvas.size();
    Frame::new(width, height, canvas.into_rgb())
}

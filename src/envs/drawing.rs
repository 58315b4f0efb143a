//! What all environments that draw have in common.

use crate::engine::Picture;
use crate::sim::raster::Canvas;

impl From<Canvas> for Picture {
    fn from(canvas: Canvas) -> Self {
        let (width, height) = canvas.size();
        Self::new(width, height, canvas.into_rgb())
    }
}

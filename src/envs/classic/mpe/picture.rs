//! Rendering of a particle world, as in `mpe2` 1.1.1 (`_mpe_utils/simple_env.py`).

use super::world::Vector;
use envpool_rs_engine::{Frame, RenderSpec};
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{BLACK, Canvas, Color, WHITE};

/// Size and frame rate of the pictures of the particle environments.
pub const RENDERING: RenderSpec = RenderSpec::with_frame_size(SIDE, SIDE, 10);

const SIDE: u32 = 700;
/// Number of pixels per unit of an entity's radius. Positions have a different scale.
const SIZE_SCALE: f64 = 350.0;
/// Fraction of the picture's width and height that the positions of all entities span.
const PLANE_SHARE: f64 = 0.9;

/// An agent or a landmark of the particle world, which is drawn as a disc.
pub struct Entity {
    pub position: Vector,
    /// Radius of the disc.
    pub size: f64,
    /// Red, green and blue of the disc; 1.275 is full brightness, because mpe2 multiplies by 200 instead of 255.
    pub color: [f64; 3],
}

/// Returns the largest absolute coordinate of `positions`.
pub fn extent(positions: impl IntoIterator<Item = Vector>) -> f64 {
    positions.into_iter().flatten().fold(0.0, |most, number| number.abs().max(most))
}

/// Draws all entities, and `messages` as one line of text each from the bottom up, as a picture of `size` pixels. The plane is
/// scaled so that all entities fit the picture.
///
/// If `initial_extent` is given (the [`extent`] of the episode's first state), entities scale with the plane. Otherwise their
/// size in pixels is constant.
pub fn picture(entities: &[Entity], initial_extent: Option<f64>, messages: &[String], size: (u32, u32)) -> Frame {
    let side = f64::from(SIDE);
    let extent = extent(entities.iter().map(|entity| entity.position));
    let zoom = initial_extent.map_or(1.0, |first| PLANE_SHARE * first / extent);
    let mut canvas = Canvas::stretched((SIDE, SIDE), size, WHITE);
    for entity in entities {
        let to_pixel = |number: f64| (number / extent * side / 2.0).floor() * PLANE_SHARE + side / 2.0;
        let middle = (to_pixel(entity.position[0]), to_pixel(-entity.position[1]));
        let radius = entity.size * SIZE_SCALE * zoom;
        let [red, green, blue] = entity.color.map(|part| (part * 200.0) as u8);
        canvas.circle(middle, radius, Color::rgb(red, green, blue));
        canvas.ring(middle, radius - 0.5, 1.0, BLACK);
    }
    for (line, text) in (0..).zip(messages) {
        canvas.text(text, (0.05 * side, 0.95 * side - 0.05 * side * f64::from(line)), 2.0, BLACK);
    }
    into_picture(canvas)
}

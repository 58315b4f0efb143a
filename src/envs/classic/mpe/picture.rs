//! The picture of a particle world, as `mpe2` 1.1.1 draws it (`_mpe_utils/simple_env.py`).

use super::world::Vector;
use envpool_rs_engine::{Picture, Rendering};
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{BLACK, Canvas, Color, WHITE};

/// What the particle worlds can show.
pub const RENDERING: Rendering = Rendering::pictures(SIDE, SIDE, 10);

const SIDE: u32 = 700;
/// Pixels for a unit of a body's size, which is not the scale of the plane.
const SIZE_SCALE: f64 = 350.0;
/// Share of the picture that the plane takes.
const INSIDE: f64 = 0.9;

/// Something in the plane.
pub struct Entity {
    pub position: Vector,
    /// Radius.
    pub size: f64,
    /// Red, green and blue, 1.275 for full brightness.
    pub color: [f64; 3],
}

/// Distance of the farthest of `positions` from the middle, along either axis.
pub fn reach(positions: impl IntoIterator<Item = Vector>) -> f64 {
    positions.into_iter().flatten().fold(0.0, |most, number| number.abs().max(most))
}

/// All entities, the plane being scaled so that they fit; and what is said, a line each, upwards from the bottom.
///
/// With `first_reach`, the `reach` of the episode's first state, bodies grow and shrink with the plane; without it they have the
/// same size always.
pub fn picture(entities: &[Entity], first_reach: Option<f64>, said: &[String]) -> Picture {
    let side = f64::from(SIDE);
    let reach = reach(entities.iter().map(|entity| entity.position));
    let zoom = first_reach.map_or(1.0, |first| INSIDE * first / reach);
    let mut canvas = Canvas::new(SIDE, SIDE, WHITE);
    for entity in entities {
        let place = |number: f64| (number / reach * side / 2.0).floor() * INSIDE + side / 2.0;
        let middle = (place(entity.position[0]), place(-entity.position[1]));
        let radius = entity.size * SIZE_SCALE * zoom;
        let [red, green, blue] = entity.color.map(|part| (part * 200.0) as u8);
        canvas.circle(middle, radius, Color::rgb(red, green, blue));
        canvas.ring(middle, radius - 0.5, 1.0, BLACK);
    }
    for (line, text) in (0..).zip(said) {
        canvas.text(text, (0.05 * side, 0.95 * side - 0.05 * side * f64::from(line)), 2.0, BLACK);
    }
    into_picture(canvas)
}

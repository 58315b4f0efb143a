//! Draws the pictures of MountainCar and MountainCarContinuous.

use envpool_rs_engine::{Frame, RenderSpec};
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{BLACK, Canvas, Color, WHITE, rotate};

/// Position of the left end of the hill that is drawn; `MAX_POSITION` is the position of its right end.
pub(super) const MIN_POSITION: f64 = -1.2;
pub(super) const MAX_POSITION: f64 = 0.6;

/// Size and frame rate of the pictures of MountainCar and MountainCarContinuous.
pub const RENDERING: RenderSpec = RenderSpec::with_frame_size(600, 400, 30);

const SCALE: f64 = 600.0 / (MAX_POSITION - MIN_POSITION);
const WHEEL: Color = Color::rgb(128, 128, 128);
const FLAG: Color = Color::rgb(204, 204, 0);

/// Converts a position on the hill to pixel coordinates.
fn to_pixels(position: f64) -> (f64, f64) {
    let height = (3.0 * position).sin() * 0.45 + 0.55;
    ((position - MIN_POSITION) * SCALE, height * SCALE)
}

/// Draws the hill with the car at `position` and a flag at `goal`, as a picture of `size` pixels.
pub fn picture(position: f64, goal: f64, size: (u32, u32)) -> Frame {
    let mut canvas = Canvas::y_up((600, 400), size, WHITE);
    let step = (MAX_POSITION - MIN_POSITION) / 99.0;
    let hill: Vec<_> = (0..100).map(|index| to_pixels(MIN_POSITION + f64::from(index) * step)).collect();
    canvas.lines(&hill, 1.0, BLACK);
    let (x, y) = to_pixels(position);
    // The reference rotates the car by `cos(3 * position)` radians, although this number is not the hill's slope angle.
    let (slope, bottom) = ((3.0 * position).cos(), (x, y + 10.0));
    canvas.polygon(&rotate(&[(-20.0, 0.0), (-20.0, 20.0), (20.0, 20.0), (20.0, 0.0)], slope, bottom), BLACK);
    for wheel in rotate(&[(10.0, 0.0), (-10.0, 0.0)], slope, bottom) {
        canvas.circle(wheel, 8.0, WHEEL);
    }
    let (x, y) = to_pixels(goal);
    canvas.rectangle((x.floor(), y), (1.0, 50.0), BLACK);
    canvas.polygon(&[(x, y + 50.0), (x, y + 40.0), (x + 25.0, y + 45.0)], FLAG);
    into_picture(canvas)
}

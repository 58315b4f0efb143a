//! What pictures of worlds have in common.

use envpool_rs_pictures::raster::{Color, Easel, Pixel, Point, Surface};
use envpool_rs_sim_box2d::{BodyId, ShapeRef, World};

/// A pixel in 16 bits, as `gfxdraw` takes it.
pub fn short((x, y): Point) -> Pixel {
    let short = |value: f64| i32::from(value as i64 as i16);
    (short(x), short(y))
}

/// A pixel, as `draw` takes it; none so far away that sums would leave 32 bits.
pub fn whole((x, y): Point) -> Pixel {
    let whole = |value: f64| value.clamp(-16000.0, 16000.0) as i32;
    (whole(x), whole(y))
}

/// The corners of a body's shapes in pixels, the shape that was made last first, as Box2D lists them. Pixels are float32, too: they are
/// Box2D's vectors in the reference.
pub fn outlines(world: &World, body: BodyId, scale: f64) -> impl Iterator<Item = Vec<Point>> {
    let body = world.body(body);
    let place = move |v: &_| {
        let v = body.transform().to_world(*v);
        let v = scale as f32 * v;
        (f64::from(v.x), f64::from(v.y))
    };
    body.fixtures().rev().map(move |fixture| match world.shape(fixture) {
        ShapeRef::Circle(center, _) => vec![place(center)],
        ShapeRef::Edge(ends) => ends.iter().map(place).collect(),
        ShapeRef::Polygon(polygon) => polygon.vertices().iter().map(place).collect(),
    })
}

/// `draw.polygon`, then `gfxdraw.aapolygon`, as gymnasium fills shapes.
pub fn fill(surface: &mut Surface, corners: &[Point], color: Color) {
    surface.polygon(&pixels(corners, whole), color, true);
    surface.outline(&pixels(corners, short), color);
}

/// The pixels of corners.
pub fn pixels(corners: &[Point], pixel: fn(Point) -> Pixel) -> Vec<Pixel> {
    corners.iter().map(|corner| pixel(*corner)).collect()
}

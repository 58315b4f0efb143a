//! Drawing functions that the Box2D environments share.

use envpool_rs_pictures::raster::{Color, DrawTarget, Pixel, Point, Surface};
use envpool_rs_sim_box2d::{BodyId, ShapeRef, World};

/// Converts a point to a 16-bit pixel position, as `pygame.gfxdraw` does.
pub fn to_i16_pixel((x, y): Point) -> Pixel {
    let to_i16 = |value: f64| i32::from(value as i64 as i16);
    (to_i16(x), to_i16(y))
}

/// Converts a point to a pixel position, as `pygame.draw` does. Coordinates are clamped to ±16000, so that sums of coordinates
/// in drawing functions fit into 32 bits.
pub fn to_pixel((x, y): Point) -> Pixel {
    let to_i32 = |value: f64| value.clamp(-16000.0, 16000.0) as i32;
    (to_i32(x), to_i32(y))
}

/// Returns the vertices of a body's shapes in pixels, last shape first, like Box2D's fixture list.
///
/// The vertices are scaled in float32, because gymnasium multiplies Box2D vectors.
pub fn shape_vertices(world: &World, body: BodyId, scale: f64) -> impl Iterator<Item = Vec<Point>> {
    let body = world.body(body);
    let to_view = move |v: &_| {
        let v = body.transform().to_world(*v);
        let v = scale as f32 * v;
        (f64::from(v.x), f64::from(v.y))
    };
    body.fixtures().rev().map(move |fixture| match world.shape(fixture) {
        ShapeRef::Circle(center, _) => vec![to_view(center)],
        ShapeRef::Edge(ends) => ends.iter().map(to_view).collect(),
        ShapeRef::Polygon(polygon) => polygon.vertices().iter().map(to_view).collect(),
    })
}

/// Draws a filled polygon with an anti-aliased outline, with pygame's `draw.polygon` and `gfxdraw.aapolygon` as gymnasium does.
pub fn fill_aapolygon(surface: &mut Surface, corners: &[Point], color: Color) {
    surface.polygon(&map_pixels(corners, to_pixel), color, true);
    surface.aapolygon(&map_pixels(corners, to_i16_pixel), color);
}

/// Converts points to pixel positions with the function `pixel`.
pub fn map_pixels(corners: &[Point], pixel: fn(Point) -> Pixel) -> Vec<Pixel> {
    corners.iter().map(|corner| pixel(*corner)).collect()
}

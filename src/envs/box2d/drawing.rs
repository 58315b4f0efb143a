//! What pictures of worlds have in common.

use crate::sim::box2d::{BodyId, ShapeRef, Vec2, World};
use crate::sim::raster::Point;

/// The corners of a body's shapes in pixels, the shape that was made last first, as Box2D lists them.
pub fn outlines(world: &World, body: BodyId, scale: f64) -> impl Iterator<Item = Vec<Point>> {
    let body = world.body(body);
    let place = move |v: &Vec2| {
        let v = body.transform().to_world(*v);
        (f64::from(v.x) * scale, f64::from(v.y) * scale)
    };
    body.fixtures().rev().map(move |fixture| match world.shape(fixture) {
        ShapeRef::Circle(center, _) => vec![place(center)],
        ShapeRef::Edge(ends) => ends.iter().map(place).collect(),
        ShapeRef::Polygon(polygon) => polygon.vertices().iter().map(place).collect(),
    })
}

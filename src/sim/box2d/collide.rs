//! Collision of circles and polygons (`b2CollideCircle.cpp`, `b2CollidePolygon.cpp`).

use super::collide_edge::{collide_edge_and_circle, collide_edge_and_polygon};
use super::manifold::{
    ABSOLUTE_TOLERANCE, ClipVertex, ContactId, FACE, Manifold, ManifoldPoint, ManifoldType, RELATIVE_TOLERANCE, VERTEX,
    clip_segment_to_line,
};
use super::math::{EPSILON, POLYGON_RADIUS, Transform, Vec2, vec2};
use super::shape::{Polygon, ShapeRef};

/// Computes the manifold of two shapes. The shapes must be ordered as in a contact (edge, polygon, circle); any other order
/// gives an empty manifold.
pub fn collide(a: ShapeRef<'_>, xf_a: &Transform, b: ShapeRef<'_>, xf_b: &Transform) -> Manifold {
    match (a, b) {
        (ShapeRef::Edge(edge), ShapeRef::Polygon(polygon)) => collide_edge_and_polygon(edge, xf_a, polygon, xf_b),
        (ShapeRef::Polygon(a), ShapeRef::Polygon(b)) => collide_polygons(a, xf_a, b, xf_b),
        (ShapeRef::Edge(edge), ShapeRef::Circle(center, radius)) => collide_edge_and_circle(edge, xf_a, *center, radius, xf_b),
        (ShapeRef::Polygon(polygon), ShapeRef::Circle(center, radius)) => {
            collide_polygon_and_circle(polygon, xf_a, *center, radius, xf_b)
        }
        (ShapeRef::Circle(a, ra), ShapeRef::Circle(b, rb)) => collide_circles((*a, ra), xf_a, (*b, rb), xf_b),
        _ => Manifold::default(),
    }
}

fn collide_circles((a, ra): (Vec2, f32), xf_a: &Transform, (b, rb): (Vec2, f32), xf_b: &Transform) -> Manifold {
    let d = xf_b.to_world(b) - xf_a.to_world(a);
    let radius = ra + rb;
    if d.dot(d) > radius * radius {
        return Manifold::default();
    }
    Manifold::single(ManifoldType::Circles, vec2(0.0, 0.0), a, b, ContactId::default())
}

fn collide_polygon_and_circle(
    polygon: &Polygon,
    xf_a: &Transform,
    local_center: Vec2,
    circle_radius: f32,
    xf_b: &Transform,
) -> Manifold {
    let center = xf_a.to_local(xf_b.to_world(local_center));
    let radius = POLYGON_RADIUS + circle_radius;
    let (mut best, mut separation) = (0, -f32::MAX);
    for (i, (vertex, normal)) in polygon.vertices().iter().zip(polygon.normals()).enumerate() {
        let s = normal.dot(center - *vertex);
        if s > radius {
            return Manifold::default();
        }
        if s > separation {
            (best, separation) = (i, s);
        }
    }
    let (v1, v2, normal) = (polygon.vertices()[best], polygon.vertices()[polygon.next_vertex(best)], polygon.normals()[best]);
    let touching = |normal, point| Manifold::single(ManifoldType::FaceA, normal, point, local_center, ContactId::default());
    if separation < EPSILON {
        return touching(normal, 0.5 * (v1 + v2));
    }
    let corner = |v: Vec2| match (center - v).dot(center - v) > radius * radius {
        true => Manifold::default(),
        false => touching((center - v).normalized().0, v),
    };
    if (center - v1).dot(v2 - v1) <= 0.0 {
        corner(v1)
    } else if (center - v2).dot(v1 - v2) <= 0.0 {
        corner(v2)
    } else {
        let face = 0.5 * (v1 + v2);
        if (center - face).dot(normal) > radius { Manifold::default() } else { touching(normal, face) }
    }
}

/// Returns the signed distance in metres of `poly_2` from the edge number `edge` of `poly_1` (`b2EdgeSeparation`).
fn edge_separation(poly_1: &Polygon, xf_1: &Transform, edge: usize, poly_2: &Polygon, xf_2: &Transform) -> f32 {
    let in_world = xf_1.q.mul_vec(poly_1.normals()[edge]);
    let normal = xf_2.q.mul_t(in_world);
    let vertex = index_of_min(poly_2.vertices(), |vertex| vertex.dot(normal));
    let (v1, v2) = (xf_1.to_world(poly_1.vertices()[edge]), xf_2.to_world(poly_2.vertices()[vertex]));
    (v2 - v1).dot(in_world)
}

/// Returns the index of the first vector with the least value.
fn index_of_min(vectors: &[Vec2], value: impl Fn(Vec2) -> f32) -> usize {
    let (mut index, mut best) = (0, f32::MAX);
    for (i, vector) in vectors.iter().enumerate() {
        let value = value(*vector);
        if value < best {
            (index, best) = (i, value);
        }
    }
    index
}

/// Finds the edge of `poly_1` with the greatest separation (signed distance) from `poly_2` (`b2FindMaxSeparation`). Searches by
/// hill climbing, starting with the edge that faces the centroid of `poly_2`.
fn find_max_separation(poly_1: &Polygon, xf_1: &Transform, poly_2: &Polygon, xf_2: &Transform) -> (usize, f32) {
    let d = xf_1.q.mul_t(xf_2.to_world(poly_2.centroid()) - xf_1.to_world(poly_1.centroid()));
    let (mut edge, mut best) = (0, -f32::MAX);
    for (i, normal) in poly_1.normals().iter().enumerate() {
        let dot = normal.dot(d);
        if dot > best {
            (edge, best) = (i, dot);
        }
    }
    let separation = |edge| edge_separation(poly_1, xf_1, edge, poly_2, xf_2);
    let (s, before, after) = (separation(edge), poly_1.previous_vertex(edge), poly_1.next_vertex(edge));
    let (s_before, s_after) = (separation(before), separation(after));
    let (mut best, is_forward) = if s_before > s && s_before > s_after {
        ((before, s_before), false)
    } else if s_after > s {
        ((after, s_after), true)
    } else {
        return (edge, s);
    };
    loop {
        let next = if is_forward { poly_1.next_vertex(best.0) } else { poly_1.previous_vertex(best.0) };
        let s = separation(next);
        if s > best.1 {
            best = (next, s);
        } else {
            return best;
        }
    }
}

/// Returns the vertices of the edge of `poly_2` that most faces the edge number `edge` of `poly_1` (`b2FindIncidentEdge`).
fn find_incident_edge(poly_1: &Polygon, xf_1: &Transform, edge: usize, poly_2: &Polygon, xf_2: &Transform) -> [ClipVertex; 2] {
    let normal = xf_2.q.mul_t(xf_1.q.mul_vec(poly_1.normals()[edge]));
    let first = index_of_min(poly_2.normals(), |other| normal.dot(other));
    [first, poly_2.next_vertex(first)].map(|corner| ClipVertex {
        v: xf_2.to_world(poly_2.vertices()[corner]),
        id: ContactId { index_a: edge as u8, index_b: corner as u8, type_a: FACE, type_b: VERTEX },
    })
}

fn collide_polygons(a: &Polygon, xf_a: &Transform, b: &Polygon, xf_b: &Transform) -> Manifold {
    const RADIUS: f32 = POLYGON_RADIUS + POLYGON_RADIUS;
    let empty = Manifold::default();
    let (edge_a, separation_a) = find_max_separation(a, xf_a, b, xf_b);
    if separation_a > RADIUS {
        return empty;
    }
    let (edge_b, separation_b) = find_max_separation(b, xf_b, a, xf_a);
    if separation_b > RADIUS {
        return empty;
    }
    let flipped = separation_b > RELATIVE_TOLERANCE * separation_a + ABSOLUTE_TOLERANCE;
    let (poly_1, xf_1, edge, poly_2, xf_2) = if flipped { (b, xf_b, edge_b, a, xf_a) } else { (a, xf_a, edge_a, b, xf_b) };
    let incident_edge = find_incident_edge(poly_1, xf_1, edge, poly_2, xf_2);
    let next = poly_1.next_vertex(edge);
    let (v1, v2) = (poly_1.vertices()[edge], poly_1.vertices()[next]);
    let local_tangent = (v2 - v1).normalized().0;
    let tangent = xf_1.q.mul_vec(local_tangent);
    let normal = tangent.cross_scalar(1.0);
    let (w1, w2) = (xf_1.to_world(v1), xf_1.to_world(v2));
    let front = normal.dot(w1);
    let (side_1, side_2) = (-tangent.dot(w1) + RADIUS, tangent.dot(w2) + RADIUS);
    let Some(clipped) = clip_segment_to_line(&incident_edge, -tangent, side_1, edge as u8) else { return empty };
    let Some(clipped) = clip_segment_to_line(&clipped, tangent, side_2, next as u8) else { return empty };
    let kind = if flipped { ManifoldType::FaceB } else { ManifoldType::FaceA };
    let mut manifold = Manifold { kind, local_normal: local_tangent.cross_scalar(1.0), local_point: 0.5 * (v1 + v2), ..empty };
    for vertex in clipped {
        if normal.dot(vertex.v) - front <= RADIUS {
            let id = if flipped { vertex.id.flipped() } else { vertex.id };
            manifold.points[usize::from(manifold.point_count)] =
                ManifoldPoint { local_point: xf_2.to_local(vertex.v), id, ..ManifoldPoint::default() };
            manifold.point_count += 1;
        }
    }
    manifold
}

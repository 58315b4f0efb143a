//! Collision of isolated edges with circles and polygons (`b2CollideEdge.cpp`).

use super::manifold::{
    ABSOLUTE_TOLERANCE, ClipVertex, ContactId, FACE, Manifold, ManifoldPoint, ManifoldType, RELATIVE_TOLERANCE, VERTEX,
    clip_segment_to_line,
};
use super::math::{ANGULAR_SLOP, POLYGON_RADIUS, Transform, Vec2, min, vec2};
use super::shape::{MAX_POLYGON_VERTICES, Polygon};

/// Sum of the skin thicknesses of edge and polygon in metres; the skin is a margin around a shape.
const RADIUS: f32 = 2.0 * POLYGON_RADIUS;

/// Computes the manifold of an edge and a circle (`b2CollideEdgeAndCircle`).
pub fn collide_edge_and_circle(
    [a, b]: &[Vec2; 2],
    xf_a: &Transform,
    local_center: Vec2,
    circle_radius: f32,
    xf_b: &Transform,
) -> Manifold {
    let q = xf_a.to_local(xf_b.to_world(local_center));
    let (a, b) = (*a, *b);
    let e = b - a;
    let (u, v) = (e.dot(b - q), e.dot(q - a));
    let radius = POLYGON_RADIUS + circle_radius;
    let end = |point: Vec2, index_a| {
        let d = q - point;
        if d.dot(d) > radius * radius {
            return Manifold::default();
        }
        let id = ContactId { index_a, index_b: 0, type_a: VERTEX, type_b: VERTEX };
        Manifold::single(ManifoldType::Circles, vec2(0.0, 0.0), point, local_center, id)
    };
    if v <= 0.0 {
        return end(a, 0);
    }
    if u <= 0.0 {
        return end(b, 1);
    }
    let d = q - (1.0 / e.dot(e)) * (u * a + v * b);
    if d.dot(d) > radius * radius {
        return Manifold::default();
    }
    let mut normal = vec2(-e.y, e.x);
    if normal.dot(q - a) < 0.0 {
        normal = vec2(-normal.x, -normal.y);
    }
    let id = ContactId { index_a: 0, index_b: 0, type_a: FACE, type_b: VERTEX };
    Manifold::single(ManifoldType::FaceA, normal.normalized().0, a, local_center, id)
}

/// Collision of an edge and a polygon, in the edge's coordinates (`b2EPCollider`).
struct EpCollider {
    ends: [Vec2; 2],
    /// Normal of the edge that points to the side of the polygon's centroid.
    normal: Vec2,
    vertices: [Vec2; MAX_POLYGON_VERTICES],
    normals: [Vec2; MAX_POLYGON_VERTICES],
    count: usize,
}

impl EpCollider {
    /// Returns the signed distance of the polygon from the edge (`ComputeEdgeSeparation`).
    fn compute_edge_separation(&self) -> f32 {
        let mut min_separation = f32::MAX;
        for vertex in &self.vertices[..self.count] {
            let s = self.normal.dot(*vertex - self.ends[0]);
            if s < min_separation {
                min_separation = s;
            }
        }
        min_separation
    }

    /// Returns the polygon's side with the greatest separation from the edge, and this separation (`ComputePolygonSeparation`).
    /// Sides that do not face the edge are ignored.
    fn compute_polygon_separation(&self) -> Option<(usize, f32)> {
        let (mut best, mut separation) = (None, -f32::MAX);
        // For an edge without adjacent edges, Box2D limits the allowed normals by the edge's reversed normal.
        let limit = -self.normal;
        for i in 0..self.count {
            let (n, vertex) = (-self.normals[i], self.vertices[i]);
            let s = min(n.dot(vertex - self.ends[0]), n.dot(vertex - self.ends[1]));
            if s > RADIUS {
                return Some((i, s));
            }
            if (n - limit).dot(self.normal) < -ANGULAR_SLOP {
                continue;
            }
            if s > separation {
                (best, separation) = (Some((i, s)), s);
            }
        }
        best
    }
}

/// Computes the manifold of an edge and a polygon (`b2CollideEdgeAndPolygon`).
pub fn collide_edge_and_polygon(ends: &[Vec2; 2], xf_a: &Transform, polygon: &Polygon, xf_b: &Transform) -> Manifold {
    let empty = Manifold::default();
    let xf = xf_a.mul_t(xf_b);
    let direction = (ends[1] - ends[0]).normalized().0;
    let edge_normal = vec2(direction.y, -direction.x);
    let front = edge_normal.dot(xf.to_world(polygon.centroid()) - ends[0]) >= 0.0;
    let normal = if front { edge_normal } else { -edge_normal };
    let mut collider = EpCollider {
        ends: *ends,
        normal,
        vertices: [Vec2::default(); _],
        normals: [Vec2::default(); _],
        count: polygon.vertex_count(),
    };
    for (at, vertex) in collider.vertices.iter_mut().zip(polygon.vertices()) {
        *at = xf.to_world(*vertex);
    }
    let edge_separation = collider.compute_edge_separation();
    if edge_separation > RADIUS {
        return empty;
    }
    for (at, normal) in collider.normals.iter_mut().zip(polygon.normals()) {
        *at = xf.q.mul_vec(*normal);
    }
    let polygon_axis = collider.compute_polygon_separation();
    if polygon_axis.is_some_and(|(_, separation)| separation > RADIUS) {
        return empty;
    }
    match polygon_axis.filter(|(_, separation)| *separation > RELATIVE_TOLERANCE * edge_separation + ABSOLUTE_TOLERANCE) {
        Some((face, _)) => clip_to_polygon(&collider, polygon, face),
        None => clip_to_edge(&collider, front, edge_normal, &xf),
    }
}

/// Returns the polygon's side that faces the edge, clipped to the edge's ends, as up to two contact points.
fn clip_to_edge(collider: &EpCollider, front: bool, edge_normal: Vec2, xf: &Transform) -> Manifold {
    let (mut first, mut best) = (0, collider.normal.dot(collider.normals[0]));
    for (i, normal) in collider.normals[..collider.count].iter().enumerate().skip(1) {
        let value = collider.normal.dot(*normal);
        if value < best {
            (first, best) = (i, value);
        }
    }
    let second = if first + 1 < collider.count { first + 1 } else { 0 };
    let incident_edge = [first, second].map(|corner| ClipVertex {
        v: collider.vertices[corner],
        id: ContactId { index_a: 0, index_b: corner as u8, type_a: FACE, type_b: VERTEX },
    });
    let [v1, v2] = collider.ends;
    let face = if front {
        ReferenceFace { indices: [0, 1], v1, v2, normal: edge_normal }
    } else {
        ReferenceFace { indices: [1, 0], v1: v2, v2: v1, normal: -edge_normal }
    };
    let mut manifold =
        Manifold { kind: ManifoldType::FaceA, local_normal: face.normal, local_point: face.v1, ..Manifold::default() };
    face.clip_into(&mut manifold, &incident_edge, |vertex| (xf.to_local(vertex.v), vertex.id));
    manifold
}

/// Returns the edge, clipped to the ends of the polygon's side `side`, as up to two contact points.
fn clip_to_polygon(collider: &EpCollider, polygon: &Polygon, side: usize) -> Manifold {
    let next = if side + 1 < collider.count { side + 1 } else { 0 };
    let id = ContactId { index_a: 0, index_b: side as u8, type_a: VERTEX, type_b: FACE };
    let incident_edge = collider.ends.map(|v| ClipVertex { v, id });
    let face = ReferenceFace {
        indices: [side as u8, next as u8],
        v1: collider.vertices[side],
        v2: collider.vertices[next],
        normal: collider.normals[side],
    };
    let (local_normal, local_point) = (polygon.normals()[side], polygon.vertices()[side]);
    let mut manifold = Manifold { kind: ManifoldType::FaceB, local_normal, local_point, ..Manifold::default() };
    face.clip_into(&mut manifold, &incident_edge, |vertex| (vertex.v, vertex.id.flipped()));
    manifold
}

/// Face of one shape, with its two vertices and its normal (`b2ReferenceFace`). The incident edge of the other shape is clipped
/// to the ends of this face.
struct ReferenceFace {
    indices: [u8; 2],
    v1: Vec2,
    v2: Vec2,
    normal: Vec2,
}

impl ReferenceFace {
    fn clip_into(
        &self,
        manifold: &mut Manifold,
        incident_edge: &[ClipVertex; 2],
        point: impl Fn(&ClipVertex) -> (Vec2, ContactId),
    ) {
        let side_1 = vec2(self.normal.y, -self.normal.x);
        let side_2 = -side_1;
        let clipped = clip_segment_to_line(incident_edge, side_1, side_1.dot(self.v1), self.indices[0])
            .and_then(|clipped| clip_segment_to_line(&clipped, side_2, side_2.dot(self.v2), self.indices[1]));
        for vertex in clipped.iter().flatten() {
            if self.normal.dot(vertex.v - self.v1) <= RADIUS {
                let (local_point, id) = point(vertex);
                manifold.points[usize::from(manifold.point_count)] =
                    ManifoldPoint { local_point, id, ..ManifoldPoint::default() };
                manifold.point_count += 1;
            }
        }
    }
}

//! What two shapes touch each other with: up to two points and a normal.

use serde::{Deserialize, Serialize};

use super::math::{EPSILON, Transform, Vec2, vec2};

/// Of two separations the second has to be better by this factor and this length to be taken.
pub const RELATIVE_TOLERANCE: f32 = 0.98;
/// See [`RELATIVE_TOLERANCE`].
pub const ABSOLUTE_TOLERANCE: f32 = 0.001;

/// What kind of feature of a shape a point of contact is made of.
pub const VERTEX: u8 = 0;
/// An edge of a polygon, or an edge.
pub const FACE: u8 = 1;

/// Which features of both shapes make a point of contact: it is the same point in the next step if they are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Id {
    /// The feature's number on shape A.
    pub index_a: u8,
    /// The feature's number on shape B.
    pub index_b: u8,
    /// Its kind on shape A.
    pub type_a: u8,
    /// Its kind on shape B.
    pub type_b: u8,
}

impl Id {
    /// The same with A and B exchanged.
    pub fn flipped(self) -> Self {
        Self { index_a: self.index_b, index_b: self.index_a, type_a: self.type_b, type_b: self.type_a }
    }
}

/// A point of contact, with what the solver found for it last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ManifoldPoint {
    /// In the coordinates of the body that the manifold's kind says.
    pub local_point: Vec2,
    /// Impulse along the normal.
    pub normal_impulse: f32,
    /// Impulse across it, by friction.
    pub tangent_impulse: f32,
    /// Which features make it.
    pub id: Id,
}

/// How a manifold's numbers are to be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ManifoldKind {
    /// Two circles: `local_point` is A's middle, the point is B's.
    #[default]
    Circles,
    /// A face of A, with points of B.
    FaceA,
    /// A face of B, with points of A.
    FaceB,
}

/// Points at which two shapes touch, in the coordinates of their bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifold {
    /// The points; `count` of them are there.
    pub points: [ManifoldPoint; 2],
    /// The face's normal.
    pub local_normal: Vec2,
    /// A point of the face.
    pub local_point: Vec2,
    /// How these are to be read.
    pub kind: ManifoldKind,
    /// How many points there are.
    pub count: u8,
}

impl Manifold {
    /// A single point.
    pub fn single(kind: ManifoldKind, local_normal: Vec2, local_point: Vec2, of_b: Vec2, id: Id) -> Self {
        let mut manifold = Self { kind, local_normal, local_point, count: 1, ..Self::default() };
        manifold.points[0] = ManifoldPoint { local_point: of_b, id, ..ManifoldPoint::default() };
        manifold
    }

    /// Normal from A to B and points, in the world's coordinates.
    #[inline(always)]
    pub fn in_world(&self, a: &Transform, radius_a: f32, b: &Transform, radius_b: f32) -> (Vec2, [Vec2; 2]) {
        let mut points = [vec2(0.0, 0.0); 2];
        if self.kind == ManifoldKind::Circles {
            let (pa, pb) = (a.to_world(self.local_point), b.to_world(self.points[0].local_point));
            let d = pa - pb;
            let normal = if d.dot(d) > EPSILON * EPSILON { (pb - pa).normalized().0 } else { vec2(1.0, 0.0) };
            points[0] = 0.5 * ((pa + radius_a * normal) + (pb - radius_b * normal));
            return (normal, points);
        }
        let is_a = self.kind == ManifoldKind::FaceA;
        let (face, other, face_radius, other_radius) = if is_a { (a, b, radius_a, radius_b) } else { (b, a, radius_b, radius_a) };
        let normal = face.q.turn(self.local_normal);
        let plane = face.to_world(self.local_point);
        for (point, local) in points.iter_mut().zip(&self.points[..usize::from(self.count)]) {
            let clip = other.to_world(local.local_point);
            let on_face = clip + (face_radius - (clip - plane).dot(normal)) * normal;
            let on_other = clip - other_radius * normal;
            // A sum of two in either order is the same.
            *point = 0.5 * (on_face + on_other);
        }
        (if is_a { normal } else { -normal }, points)
    }
}

/// A point that is being clipped.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClipVertex {
    /// Where it is.
    pub v: Vec2,
    /// What makes it.
    pub id: Id,
}

/// The part of a segment behind a line, unless there is none.
pub fn clip(segment: &[ClipVertex; 2], normal: Vec2, offset: f32, corner: u8) -> Option<[ClipVertex; 2]> {
    let distances = [normal.dot(segment[0].v) - offset, normal.dot(segment[1].v) - offset];
    let (mut out, mut count) = ([ClipVertex::default(); 2], 0);
    for (vertex, distance) in segment.iter().zip(distances) {
        if distance <= 0.0 {
            out[count] = *vertex;
            count += 1;
        }
    }
    if distances[0] * distances[1] < 0.0 {
        let part = distances[0] / (distances[0] - distances[1]);
        let v = segment[0].v + part * (segment[1].v - segment[0].v);
        let id = Id { index_a: corner, index_b: segment[0].id.index_b, type_a: VERTEX, type_b: FACE };
        out[count.min(1)] = ClipVertex { v, id };
        count += 1;
    }
    (count >= 2).then_some(out)
}

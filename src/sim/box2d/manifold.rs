//! Contact manifolds: up to two contact points and a normal (`b2Manifold`).

use serde::{Deserialize, Serialize};

use super::math::{EPSILON, Transform, Vec2, vec2};

/// Relative tolerance of the comparison of two separations: the second separation is used only if it exceeds the first, times
/// this factor, plus [`ABSOLUTE_TOLERANCE`].
pub const RELATIVE_TOLERANCE: f32 = 0.98;
/// Absolute tolerance in metres of the comparison of two separations: the second separation is used only if it exceeds the
/// first, times [`RELATIVE_TOLERANCE`], plus this number.
pub const ABSOLUTE_TOLERANCE: f32 = 0.001;

/// Feature type of a contact point: a vertex (`b2ContactFeature::e_vertex`).
pub const VERTEX: u8 = 0;
/// Feature type of a contact point: a side of a polygon, or an edge (`b2ContactFeature::e_face`).
pub const FACE: u8 = 1;

/// Features of both shapes that form a contact point (`b2ContactID`). A contact point starts with the impulses that the point
/// with the same id had in the last step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactId {
    /// Index of the feature on shape A.
    pub index_a: u8,
    /// Index of the feature on shape B.
    pub index_b: u8,
    /// Type of the feature on shape A.
    pub type_a: u8,
    /// Type of the feature on shape B.
    pub type_b: u8,
}

impl ContactId {
    /// Returns the id with the features of shapes A and B exchanged.
    pub fn flipped(self) -> Self {
        Self { index_a: self.index_b, index_b: self.index_a, type_a: self.type_b, type_b: self.type_a }
    }
}

/// A contact point and the impulses that the solver last computed for it (`b2ManifoldPoint`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ManifoldPoint {
    /// Position in the local coordinates of one of the two bodies; [`ManifoldType`] says of which body.
    pub local_point: Vec2,
    /// Normal impulse that the solver last computed, in N s.
    pub normal_impulse: f32,
    /// Friction impulse that the solver last computed, in N s.
    pub tangent_impulse: f32,
    /// Features of the two shapes that form the contact point.
    pub id: ContactId,
}

/// Meaning of a manifold's local point and normal (`b2Manifold::Type`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ManifoldType {
    /// Two circles (`e_circles`): `local_point` is the centre of circle A, and the manifold's only point is the centre of
    /// circle B.
    #[default]
    Circles,
    /// A face of shape A and points on shape B (`e_faceA`): `local_point` and `local_normal` describe the face.
    FaceA,
    /// A face of shape B and points on shape A (`e_faceB`): `local_point` and `local_normal` describe the face.
    FaceB,
}

/// Contact points of two shapes in local coordinates (`b2Manifold`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifold {
    /// Contact points; the first `point_count` are valid.
    pub points: [ManifoldPoint; 2],
    /// Normal of the reference face in local coordinates.
    pub local_normal: Vec2,
    /// Point on the reference face in local coordinates.
    pub local_point: Vec2,
    /// Meaning of `local_normal` and `local_point`.
    pub kind: ManifoldType,
    /// Number of contact points, 0 to 2.
    pub point_count: u8,
}

impl Manifold {
    /// Creates a manifold with a single contact point, whose local position is `of_b`.
    pub fn single(kind: ManifoldType, local_normal: Vec2, local_point: Vec2, of_b: Vec2, id: ContactId) -> Self {
        let mut manifold = Self { kind, local_normal, local_point, point_count: 1, ..Self::default() };
        manifold.points[0] = ManifoldPoint { local_point: of_b, id, ..ManifoldPoint::default() };
        manifold
    }

    /// Returns the normal from shape A to shape B and the contact points, all in world coordinates
    /// (`b2WorldManifold::Initialize`).
    #[inline(always)]
    pub fn world_manifold(&self, a: &Transform, radius_a: f32, b: &Transform, radius_b: f32) -> (Vec2, [Vec2; 2]) {
        let mut points = [vec2(0.0, 0.0); 2];
        if self.kind == ManifoldType::Circles {
            let (pa, pb) = (a.to_world(self.local_point), b.to_world(self.points[0].local_point));
            let d = pa - pb;
            let normal = if d.dot(d) > EPSILON * EPSILON { (pb - pa).normalized().0 } else { vec2(1.0, 0.0) };
            points[0] = 0.5 * ((pa + radius_a * normal) + (pb - radius_b * normal));
            return (normal, points);
        }
        let is_a = self.kind == ManifoldType::FaceA;
        let (face, other, face_radius, other_radius) = if is_a { (a, b, radius_a, radius_b) } else { (b, a, radius_b, radius_a) };
        let normal = face.q.mul_vec(self.local_normal);
        let plane = face.to_world(self.local_point);
        for (point, local) in points.iter_mut().zip(&self.points[..usize::from(self.point_count)]) {
            let clip = other.to_world(local.local_point);
            let on_face = clip + (face_radius - (clip - plane).dot(normal)) * normal;
            let on_other = clip - other_radius * normal;
            // The code does not distinguish which summand belongs to shape A, because floating-point addition is commutative.
            *point = 0.5 * (on_face + on_other);
        }
        (if is_a { normal } else { -normal }, points)
    }
}

/// A vertex of a segment that is being clipped (`b2ClipVertex`).
#[derive(Debug, Clone, Copy, Default)]
pub struct ClipVertex {
    /// Position of the vertex.
    pub v: Vec2,
    /// Features of the two shapes that form the vertex.
    pub id: ContactId,
}

/// Clips a segment to the half plane on the side of a line opposite to `normal` (`b2ClipSegmentToLine`). Returns `None` if
/// fewer than two points remain.
pub fn clip_segment_to_line(segment: &[ClipVertex; 2], normal: Vec2, offset: f32, corner: u8) -> Option<[ClipVertex; 2]> {
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
        let id = ContactId { index_a: corner, index_b: segment[0].id.index_b, type_a: VERTEX, type_b: FACE };
        out[count.min(1)] = ClipVertex { v, id };
        count += 1;
    }
    (count >= 2).then_some(out)
}

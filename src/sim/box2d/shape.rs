//! Collision shapes: circles, convex polygons and edges, in the local coordinates of their body.

use serde::{Deserialize, Serialize};

use super::math::{Aabb, EPSILON, PI, POLYGON_RADIUS, Transform, Vec2, vec2};

/// Maximum number of polygon vertices: 8, which is enough for the environments. Box2D 2.3.0 allows 16
/// (`b2_maxPolygonVertices`).
pub const MAX_POLYGON_VERTICES: usize = 8;

/// Mass, centre of mass and rotational inertia of a shape (`b2MassData`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MassData {
    /// Mass of the shape in kg.
    pub mass: f32,
    /// Centre of mass of the shape in local coordinates.
    pub center: Vec2,
    /// Rotational inertia about the body's origin in kg m².
    pub inertia: f32,
}

/// A ray from `p1` towards `p2` (`b2RayCastInput`).
#[derive(Debug, Clone, Copy)]
pub struct RayCastInput {
    /// Start point of the ray.
    pub p1: Vec2,
    /// Point that the ray reaches at fraction 1.
    pub p2: Vec2,
    /// Fraction of the distance from `p1` to `p2` at which the ray ends.
    pub max_fraction: f32,
}

/// A convex polygon (`b2PolygonShape`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Polygon {
    vertices: [Vec2; MAX_POLYGON_VERTICES],
    normals: [Vec2; MAX_POLYGON_VERTICES],
    vertex_count: u32,
    centroid: Vec2,
}

impl Polygon {
    /// Creates a box around the origin, given half its width and half its height (`b2PolygonShape::SetAsBox`).
    pub fn centered_box(hx: f32, hy: f32) -> Self {
        let mut polygon =
            Self { vertices: [Vec2::default(); _], normals: [Vec2::default(); _], vertex_count: 4, centroid: vec2(0.0, 0.0) };
        polygon.vertices[..4].copy_from_slice(&[vec2(-hx, -hy), vec2(hx, -hy), vec2(hx, hy), vec2(-hx, hy)]);
        polygon.normals[..4].copy_from_slice(&[vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)]);
        polygon
    }

    /// Creates the convex hull of 3 to 8 points that are not collinear (`b2PolygonShape::Set`).
    ///
    /// # Panics
    /// If there are fewer than 3 or more than 8 points.
    pub fn hull(points: &[Vec2]) -> Self {
        let len = points.len();
        assert!((3..=MAX_POLYGON_VERTICES).contains(&len), "points.len()={len}: expected 3 to {MAX_POLYGON_VERTICES}");
        let mut polygon =
            Self { vertices: [Vec2::default(); _], normals: [Vec2::default(); _], vertex_count: 0, centroid: vec2(0.0, 0.0) };
        let (indices, count) = gift_wrap(points);
        for (vertex, index) in polygon.vertices.iter_mut().zip(&indices[..count]) {
            *vertex = points[*index];
        }
        polygon.vertex_count = count as u32;
        for i in 0..count {
            let edge = polygon.vertices[polygon.next_vertex(i)] - polygon.vertices[i];
            polygon.normals[i] = edge.cross_scalar(1.0).normalized().0;
        }
        polygon.centroid = compute_centroid(polygon.vertices());
        polygon
    }

    /// Returns the vertices of the polygon, counter-clockwise.
    #[inline(always)]
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices[..self.vertex_count as usize]
    }

    /// Returns the outward unit normals of the edges. Normal number `i` belongs to the edge from vertex `i` to the next vertex.
    #[inline(always)]
    pub fn normals(&self) -> &[Vec2] {
        &self.normals[..self.vertex_count as usize]
    }

    /// Returns the centroid of the polygon.
    #[inline(always)]
    pub fn centroid(&self) -> Vec2 {
        self.centroid
    }

    /// Returns the number of vertices of the polygon.
    #[inline(always)]
    pub fn vertex_count(&self) -> usize {
        self.vertex_count as usize
    }

    /// Returns the index of the vertex after the vertex `current`.
    #[inline(always)]
    pub fn next_vertex(&self, current: usize) -> usize {
        if current + 1 < self.vertex_count() { current + 1 } else { 0 }
    }

    /// Returns the index of the vertex before the vertex `current`.
    #[inline(always)]
    pub fn previous_vertex(&self, current: usize) -> usize {
        if current >= 1 { current - 1 } else { self.vertex_count() - 1 }
    }

    /// Returns whether the number of vertices is in range. Polygons from untrusted snapshots must pass this check.
    pub fn is_valid(&self) -> bool {
        (1..=MAX_POLYGON_VERTICES).contains(&self.vertex_count())
    }

    fn compute_aabb(&self, transform: &Transform) -> Aabb {
        let first = transform.to_world(self.vertices[0]);
        let mut bounds = Aabb { lower: first, upper: first };
        for vertex in &self.vertices()[1..] {
            let v = transform.to_world(*vertex);
            bounds = Aabb { lower: bounds.lower.min(v), upper: bounds.upper.max(v) };
        }
        bounds.extended(POLYGON_RADIUS)
    }

    /// Computes mass, centre of mass and inertia as sums over triangles; each triangle connects an edge with the mean of the
    /// vertices (`ComputeMass`).
    fn compute_mass(&self, density: f32) -> MassData {
        const THIRD: f32 = 1.0 / 3.0;
        let mut mean = vec2(0.0, 0.0);
        self.vertices().iter().for_each(|vertex| mean += *vertex);
        mean = (1.0 / self.vertex_count as f32) * mean;
        let (mut center, mut area, mut inertia) = (vec2(0.0, 0.0), 0.0, 0.0);
        for i in 0..self.vertex_count() {
            let (e1, e2) = (self.vertices[i] - mean, self.vertices[self.next_vertex(i)] - mean);
            let d = e1.cross(e2);
            let triangle = 0.5 * d;
            area += triangle;
            center += (triangle * THIRD) * (e1 + e2);
            let x2 = e1.x * e1.x + e2.x * e1.x + e2.x * e2.x;
            let y2 = e1.y * e1.y + e2.y * e1.y + e2.y * e2.y;
            inertia += (0.25 * THIRD * d) * (x2 + y2);
        }
        let mass = density * area;
        center = (1.0 / area) * center;
        let body_center = center + mean;
        let inertia = density * inertia + mass * (body_center.dot(body_center) - center.dot(center));
        MassData { mass, center: body_center, inertia }
    }

    fn ray_cast(&self, ray: &RayCastInput, transform: &Transform) -> Option<f32> {
        let p1 = transform.q.mul_t(ray.p1 - transform.p);
        let d = transform.q.mul_t(ray.p2 - transform.p) - p1;
        let (mut lower, mut upper, mut has_entered) = (0.0, ray.max_fraction, false);
        for (vertex, normal) in self.vertices().iter().zip(self.normals()) {
            let (numerator, denominator) = (normal.dot(*vertex - p1), normal.dot(d));
            if denominator == 0.0 {
                if numerator < 0.0 {
                    return None;
                }
            } else if denominator < 0.0 && numerator < lower * denominator {
                (lower, has_entered) = (numerator / denominator, true);
            } else if denominator > 0.0 && numerator < upper * denominator {
                upper = numerator / denominator;
            }
            if upper < lower {
                return None;
            }
        }
        has_entered.then_some(lower)
    }
}

/// Computes the convex hull by gift wrapping from the rightmost point. Returns the indices of the hull's vertices in order, and
/// their number.
fn gift_wrap(points: &[Vec2]) -> ([usize; MAX_POLYGON_VERTICES], usize) {
    let mut first = 0;
    for (i, point) in points.iter().enumerate().skip(1) {
        if point.x > points[first].x || (point.x == points[first].x && point.y < points[first].y) {
            first = i;
        }
    }
    let (mut hull, mut count, mut current) = ([0; MAX_POLYGON_VERTICES], 0, first);
    while count < points.len() {
        hull[count] = current;
        let mut next = 0;
        for j in 1..points.len() {
            if next == current {
                next = j;
                continue;
            }
            let (r, v) = (points[next] - points[current], points[j] - points[current]);
            let cross = r.cross(v);
            if cross < 0.0 || (cross == 0.0 && v.length_squared() > r.length_squared()) {
                next = j;
            }
        }
        count += 1;
        current = next;
        if next == first {
            break;
        }
    }
    (hull, count)
}

fn compute_centroid(vertices: &[Vec2]) -> Vec2 {
    const THIRD: f32 = 1.0 / 3.0;
    let (mut center, mut area, origin) = (vec2(0.0, 0.0), 0.0, vec2(0.0, 0.0));
    for (i, p2) in vertices.iter().enumerate() {
        let p3 = vertices[if i + 1 < vertices.len() { i + 1 } else { 0 }];
        let triangle = 0.5 * (*p2 - origin).cross(p3 - origin);
        area += triangle;
        center += (triangle * THIRD) * (origin + *p2 + p3);
    }
    (1.0 / area) * center
}

/// Shape of a [`FixtureDef`](super::body::FixtureDef): circle, edge or polygon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A circle with a centre and a radius.
    Circle {
        /// Centre of the circle in local coordinates.
        center: Vec2,
        /// Radius of the circle in metres.
        radius: f32,
    },
    /// A line segment without mass, solid from both sides (`b2EdgeShape`).
    Edge(Vec2, Vec2),
    /// A convex polygon.
    Polygon(Polygon),
}

/// Shape as a fixture stores it. Polygons are large, so the world stores them in a separate list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum StoredShape {
    /// A circle, given by centre and radius.
    Circle(Vec2, f32),
    /// An edge, given by its two ends.
    Edge([Vec2; 2]),
    /// A polygon, given by its index in the world's list of polygons.
    Polygon(u32),
}

/// Borrowed shape of a fixture, for collision and ray-cast functions.
#[derive(Debug, Clone, Copy)]
pub enum ShapeRef<'a> {
    /// A circle, given by centre and radius.
    Circle(&'a Vec2, f32),
    /// An edge, given by its two ends.
    Edge(&'a [Vec2; 2]),
    /// A convex polygon.
    Polygon(&'a Polygon),
}

impl<'a> ShapeRef<'a> {
    /// Returns the vertices of the shape's convex hull, without the skin (margin around the shape) (`b2DistanceProxy`).
    #[inline(always)]
    pub fn vertices(self) -> &'a [Vec2] {
        match self {
            Self::Circle(center, _) => std::slice::from_ref(center),
            Self::Edge(ends) => ends,
            Self::Polygon(polygon) => polygon.vertices(),
        }
    }

    /// Returns the thickness of the shape's skin in metres (`m_radius`).
    #[inline(always)]
    pub fn radius(self) -> f32 {
        match self {
            Self::Circle(_, radius) => radius,
            Self::Edge(_) | Self::Polygon(_) => POLYGON_RADIUS,
        }
    }

    /// Returns the bounding box of the shape with its skin, in world coordinates.
    pub fn compute_aabb(self, transform: &Transform) -> Aabb {
        match self {
            Self::Circle(center, radius) => {
                let p = transform.p + transform.q.mul_vec(*center);
                Aabb { lower: vec2(p.x - radius, p.y - radius), upper: vec2(p.x + radius, p.y + radius) }
            }
            Self::Edge([v1, v2]) => {
                let (v1, v2) = (transform.to_world(*v1), transform.to_world(*v2));
                Aabb { lower: v1.min(v2), upper: v1.max(v2) }.extended(POLYGON_RADIUS)
            }
            Self::Polygon(polygon) => polygon.compute_aabb(transform),
        }
    }

    /// Computes the mass of the shape for a density in kg/m² (per area).
    pub fn compute_mass(self, density: f32) -> MassData {
        match self {
            Self::Circle(center, radius) => {
                let mass = density * PI * radius * radius;
                MassData { mass, center: *center, inertia: mass * (0.5 * radius * radius + center.dot(*center)) }
            }
            Self::Edge([v1, v2]) => MassData { mass: 0.0, center: 0.5 * (*v1 + *v2), inertia: 0.0 },
            Self::Polygon(polygon) => polygon.compute_mass(density),
        }
    }

    /// Returns the fraction of the ray's length at which the ray enters the shape; `None` if the ray misses the shape.
    pub fn ray_cast(self, ray: &RayCastInput, transform: &Transform) -> Option<f32> {
        match self {
            Self::Circle(center, radius) => ray_cast_circle(*center, radius, ray, transform),
            Self::Edge(ends) => ray_cast_edge(ends, ray, transform),
            Self::Polygon(polygon) => polygon.ray_cast(ray, transform),
        }
    }
}

fn ray_cast_circle(center: Vec2, radius: f32, ray: &RayCastInput, transform: &Transform) -> Option<f32> {
    let s = ray.p1 - (transform.p + transform.q.mul_vec(center));
    let b = s.dot(s) - radius * radius;
    let r = ray.p2 - ray.p1;
    let (c, rr) = (s.dot(r), r.dot(r));
    let sigma = c * c - rr * b;
    if sigma < 0.0 || rr < EPSILON {
        return None;
    }
    let a = -(c + sigma.sqrt());
    (0.0 <= a && a <= ray.max_fraction * rr).then(|| a / rr)
}

#[inline]
fn ray_cast_edge([v1, v2]: &[Vec2; 2], ray: &RayCastInput, transform: &Transform) -> Option<f32> {
    let p1 = transform.q.mul_t(ray.p1 - transform.p);
    let d = transform.q.mul_t(ray.p2 - transform.p) - p1;
    let e = *v2 - *v1;
    let normal = vec2(e.y, -e.x).normalized().0;
    let (numerator, denominator) = (normal.dot(*v1 - p1), normal.dot(d));
    if denominator == 0.0 {
        return None;
    }
    let t = numerator / denominator;
    if t < 0.0 || ray.max_fraction < t {
        return None;
    }
    let rr = e.dot(e);
    if rr == 0.0 {
        return None;
    }
    let s = (p1 + t * d - *v1).dot(e) / rr;
    (0.0..=1.0).contains(&s).then_some(t)
}

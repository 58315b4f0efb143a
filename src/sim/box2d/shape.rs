//! Shapes: circles, convex polygons and edges, in the coordinates of the body that they are part of.

use serde::{Deserialize, Serialize};

use super::math::{Aabb, EPSILON, PI, POLYGON_RADIUS, Transform, Vec2, vec2};

/// Most corners of a polygon. Box2D's own bound is 16 in the version that is followed; nobody needs as many.
pub const MAX_CORNERS: usize = 8;

/// Mass, centre of mass, and rotational inertia about the body's origin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MassData {
    /// Mass in kg.
    pub mass: f32,
    /// Centre of mass.
    pub center: Vec2,
    /// Inertia in kg m².
    pub inertia: f32,
}

/// A ray from `p1` towards `p2`.
#[derive(Debug, Clone, Copy)]
pub struct Ray {
    /// Where it begins.
    pub p1: Vec2,
    /// Where it is at fraction 1.
    pub p2: Vec2,
    /// Where it ends.
    pub max_fraction: f32,
}

/// A convex polygon.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Polygon {
    vertices: [Vec2; MAX_CORNERS],
    normals: [Vec2; MAX_CORNERS],
    count: u32,
    centroid: Vec2,
}

impl Polygon {
    /// A box around the origin with these half widths.
    pub fn centered_box(hx: f32, hy: f32) -> Self {
        let mut polygon =
            Self { vertices: [Vec2::default(); _], normals: [Vec2::default(); _], count: 4, centroid: vec2(0.0, 0.0) };
        polygon.vertices[..4].copy_from_slice(&[vec2(-hx, -hy), vec2(hx, -hy), vec2(hx, hy), vec2(-hx, hy)]);
        polygon.normals[..4].copy_from_slice(&[vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)]);
        polygon
    }

    /// The convex hull of three to eight points that are no line.
    ///
    /// # Panics
    /// Where there are fewer points or more.
    pub fn hull(points: &[Vec2]) -> Self {
        assert!((3..=MAX_CORNERS).contains(&points.len()), "a polygon has 3 to {MAX_CORNERS} corners");
        let mut polygon =
            Self { vertices: [Vec2::default(); _], normals: [Vec2::default(); _], count: 0, centroid: vec2(0.0, 0.0) };
        let (order, count) = wrap(points);
        for (vertex, index) in polygon.vertices.iter_mut().zip(&order[..count]) {
            *vertex = points[*index];
        }
        polygon.count = count as u32;
        for i in 0..count {
            let edge = polygon.vertices[polygon.after(i)] - polygon.vertices[i];
            polygon.normals[i] = edge.cross_scalar(1.0).normalized().0;
        }
        polygon.centroid = centroid(polygon.vertices());
        polygon
    }

    /// Its corners, counter-clockwise.
    #[inline(always)]
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices[..self.count as usize]
    }

    /// The outward normals of the edges from each corner to the next.
    #[inline(always)]
    pub fn normals(&self) -> &[Vec2] {
        &self.normals[..self.count as usize]
    }

    /// Its centre of area.
    #[inline(always)]
    pub fn centroid(&self) -> Vec2 {
        self.centroid
    }

    /// How many corners it has.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// The corner after this one.
    #[inline(always)]
    pub fn after(&self, corner: usize) -> usize {
        if corner + 1 < self.count() { corner + 1 } else { 0 }
    }

    /// The corner before this one.
    #[inline(always)]
    pub fn before(&self, corner: usize) -> usize {
        if corner >= 1 { corner - 1 } else { self.count() - 1 }
    }

    /// Whether it has as many corners as a polygon may have.
    pub fn is_valid(&self) -> bool {
        (1..=MAX_CORNERS).contains(&self.count())
    }

    fn bounds(&self, transform: &Transform) -> Aabb {
        let first = transform.to_world(self.vertices[0]);
        let mut bounds = Aabb { lower: first, upper: first };
        for vertex in &self.vertices()[1..] {
            let v = transform.to_world(*vertex);
            bounds = Aabb { lower: bounds.lower.min(v), upper: bounds.upper.max(v) };
        }
        bounds.widened(POLYGON_RADIUS)
    }

    /// Sums over the triangles between each edge and the middle of the corners.
    fn mass(&self, density: f32) -> MassData {
        const THIRD: f32 = 1.0 / 3.0;
        let mut middle = vec2(0.0, 0.0);
        self.vertices().iter().for_each(|vertex| middle += *vertex);
        middle = (1.0 / self.count as f32) * middle;
        let (mut center, mut area, mut inertia) = (vec2(0.0, 0.0), 0.0, 0.0);
        for i in 0..self.count() {
            let (e1, e2) = (self.vertices[i] - middle, self.vertices[self.after(i)] - middle);
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
        let shifted = center + middle;
        let inertia = density * inertia + mass * (shifted.dot(shifted) - center.dot(center));
        MassData { mass, center: shifted, inertia }
    }

    fn cast(&self, ray: &Ray, transform: &Transform) -> Option<f32> {
        let p1 = transform.q.turn_back(ray.p1 - transform.p);
        let d = transform.q.turn_back(ray.p2 - transform.p) - p1;
        let (mut lower, mut upper, mut entered) = (0.0, ray.max_fraction, false);
        for (vertex, normal) in self.vertices().iter().zip(self.normals()) {
            let (numerator, denominator) = (normal.dot(*vertex - p1), normal.dot(d));
            if denominator == 0.0 {
                if numerator < 0.0 {
                    return None;
                }
            } else if denominator < 0.0 && numerator < lower * denominator {
                (lower, entered) = (numerator / denominator, true);
            } else if denominator > 0.0 && numerator < upper * denominator {
                upper = numerator / denominator;
            }
            if upper < lower {
                return None;
            }
        }
        entered.then_some(lower)
    }
}

/// The corners of the hull in order, by gift wrapping from the rightmost point, and how many there are.
fn wrap(points: &[Vec2]) -> ([usize; MAX_CORNERS], usize) {
    let mut first = 0;
    for (i, point) in points.iter().enumerate().skip(1) {
        if point.x > points[first].x || (point.x == points[first].x && point.y < points[first].y) {
            first = i;
        }
    }
    let (mut hull, mut count, mut corner) = ([0; MAX_CORNERS], 0, first);
    while count < points.len() {
        hull[count] = corner;
        let mut next = 0;
        for j in 1..points.len() {
            if next == corner {
                next = j;
                continue;
            }
            let (r, v) = (points[next] - points[corner], points[j] - points[corner]);
            let turn = r.cross(v);
            if turn < 0.0 || (turn == 0.0 && v.length_squared() > r.length_squared()) {
                next = j;
            }
        }
        count += 1;
        corner = next;
        if next == first {
            break;
        }
    }
    (hull, count)
}

fn centroid(vertices: &[Vec2]) -> Vec2 {
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

/// A shape as it is given to a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A circle.
    Circle {
        /// Its middle.
        center: Vec2,
        /// Its radius.
        radius: f32,
    },
    /// A line that can be run into from both sides, and has no mass.
    Edge(Vec2, Vec2),
    /// A convex polygon.
    Polygon(Polygon),
}

/// A shape as fixtures hold it: polygons, which are large, lie elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Form {
    /// A circle: middle and radius.
    Circle(Vec2, f32),
    /// An edge.
    Edge([Vec2; 2]),
    /// The polygon of this number.
    Polygon(u32),
}

/// A shape where it lies.
#[derive(Debug, Clone, Copy)]
pub enum ShapeRef<'a> {
    /// A circle: middle and radius.
    Circle(&'a Vec2, f32),
    /// An edge.
    Edge(&'a [Vec2; 2]),
    /// A polygon.
    Polygon(&'a Polygon),
}

impl<'a> ShapeRef<'a> {
    /// The shape without its skin: the convex hull of these points.
    #[inline(always)]
    pub fn points(self) -> &'a [Vec2] {
        match self {
            Self::Circle(center, _) => std::slice::from_ref(center),
            Self::Edge(ends) => ends,
            Self::Polygon(polygon) => polygon.vertices(),
        }
    }

    /// How thick its skin is.
    #[inline(always)]
    pub fn radius(self) -> f32 {
        match self {
            Self::Circle(_, radius) => radius,
            Self::Edge(_) | Self::Polygon(_) => POLYGON_RADIUS,
        }
    }

    /// The box around it.
    pub fn bounds(self, transform: &Transform) -> Aabb {
        match self {
            Self::Circle(center, radius) => {
                let p = transform.p + transform.q.turn(*center);
                Aabb { lower: vec2(p.x - radius, p.y - radius), upper: vec2(p.x + radius, p.y + radius) }
            }
            Self::Edge([v1, v2]) => {
                let (v1, v2) = (transform.to_world(*v1), transform.to_world(*v2));
                Aabb { lower: v1.min(v2), upper: v1.max(v2) }.widened(POLYGON_RADIUS)
            }
            Self::Polygon(polygon) => polygon.bounds(transform),
        }
    }

    /// Its mass at this density.
    pub fn mass(self, density: f32) -> MassData {
        match self {
            Self::Circle(center, radius) => {
                let mass = density * PI * radius * radius;
                MassData { mass, center: *center, inertia: mass * (0.5 * radius * radius + center.dot(*center)) }
            }
            Self::Edge([v1, v2]) => MassData { mass: 0.0, center: 0.5 * (*v1 + *v2), inertia: 0.0 },
            Self::Polygon(polygon) => polygon.mass(density),
        }
    }

    /// Where a ray enters it.
    pub fn cast(self, ray: &Ray, transform: &Transform) -> Option<f32> {
        match self {
            Self::Circle(center, radius) => cast_on_circle(*center, radius, ray, transform),
            Self::Edge(ends) => cast_on_edge(ends, ray, transform),
            Self::Polygon(polygon) => polygon.cast(ray, transform),
        }
    }
}

fn cast_on_circle(center: Vec2, radius: f32, ray: &Ray, transform: &Transform) -> Option<f32> {
    let s = ray.p1 - (transform.p + transform.q.turn(center));
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
fn cast_on_edge([v1, v2]: &[Vec2; 2], ray: &Ray, transform: &Transform) -> Option<f32> {
    let p1 = transform.q.turn_back(ray.p1 - transform.p);
    let d = transform.q.turn_back(ray.p2 - transform.p) - p1;
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

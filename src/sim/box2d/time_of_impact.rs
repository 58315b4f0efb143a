//! Time of impact of two moving shapes by conservative advancement along separating axes (`b2TimeOfImpact`).

use super::distance::{DistanceInput, SimplexCache, support};
use super::math::{Aabb, LINEAR_SLOP, Sweep, Transform, Vec2, cross, max, min};
use super::shape::{MAX_POLYGON_VERTICES, Polygon, ShapeRef};

/// Maximum number of separating axes that are tried.
const MAX_ITERATIONS: u32 = 20;
/// Maximum number of deepest point pairs that are tried per separating axis (Box2D's `b2_maxPolygonVertices`).
const MAX_PUSH_BACK_ITERATIONS: u32 = 16;
/// Maximum number of root-finding iterations per separating axis.
const MAX_ROOT_ITERATIONS: u32 = 50;

/// Shape of a moving body, with the body's sweep (its motion during the step).
#[derive(Debug, Clone, Copy)]
pub struct SweptShape<'a> {
    /// Shape in local coordinates of the body.
    pub shape: ShapeRef<'a>,
    /// Motion of the shape's body during the step.
    pub sweep: Sweep,
}

/// Returns the fraction of the step at which two moving shapes first touch.
///
/// Returns `None` if the shapes do not touch, if they overlap at the start, or if the iterations are exhausted.
pub fn time_of_impact(a: SweptShape<'_>, b: SweptShape<'_>) -> Option<f32> {
    let radii = a.shape.radius() + b.shape.radius();
    let target = max(LINEAR_SLOP, radii - 3.0 * LINEAR_SLOP);
    let tolerance = 0.25 * LINEAR_SLOP;
    if is_out_of_reach(&a, &b, target + tolerance) { None } else { search_impact(a, b, target, tolerance) }
}

/// Returns the fraction of the step at which the distance of two moving shapes is first `target`, within `tolerance`.
fn search_impact(a: SweptShape<'_>, b: SweptShape<'_>, target: f32, tolerance: f32) -> Option<f32> {
    let input = ToiInput {
        proxy_a: a.shape.vertices(),
        proxy_b: b.shape.vertices(),
        sweep_a: a.sweep.normalized(),
        sweep_b: b.sweep.normalized(),
    };
    let (mut cache, mut t1) = (SimplexCache::default(), 0.0);
    for _ in 0..MAX_ITERATIONS {
        let (xf_a, xf_b) = input.transforms_at(t1);
        let distance = DistanceInput { proxy_a: input.proxy_a, transform_a: xf_a, proxy_b: input.proxy_b, transform_b: xf_b }
            .distance(&mut cache);
        if distance <= 0.0 {
            return None;
        }
        if distance < target + tolerance {
            return Some(t1);
        }
        match SeparationFunction::new(&input, &cache, &xf_a, &xf_b).advance(t1, target, tolerance) {
            AdvanceResult::To(t) => t1 = t,
            AdvanceResult::Touching => return Some(t1),
            AdvanceResult::NoImpact => return None,
        }
    }
    None
}

/// Distance in metres by which [`is_out_of_reach`] may differ from distances that [`time_of_impact`] computes, because of rounding.
const ROUNDING: f32 = 1e-3;
/// Maximum magnitude of coordinates in metres for which [`ROUNDING`] is assumed.
const MAX_COORDINATE: f32 = 500.0;

/// Returns true only if the polygon B starts so far from the shape A, which does not move, that no point of it can come as close as
/// `limit`. Most pairs of nearby shapes are far apart, compared with a body's movement in one step.
///
/// The distance is at least the separation along any axis. If B moves and turns, the separation changes by at most the length of
/// the movement and the angle times the distance of the farthest vertex of both shapes. The bound is closer along the normal of an
/// edge A, which often lies under a body that slides or rests: each vertex moves in a straight line, except for at most the squared
/// angle times its distance from the centre of mass (up to three radians).
fn is_out_of_reach(a: &SweptShape<'_>, b: &SweptShape<'_>, limit: f32) -> bool {
    let ShapeRef::Polygon(polygon) = b.shape else { return false };
    let (still, Sweep { local_center, c0, c, a0, a: angle, .. }) = (&a.sweep, b.sweep);
    if still.c != still.c0 || still.a != still.a0 || !(c0.x.abs() < MAX_COORDINATE && c0.y.abs() < MAX_COORDINATE) {
        return false;
    }
    let [xf_a, xf_b] = [still, &b.sweep].map(|sweep| Transform::from_center(sweep.c0, sweep.a0, sweep.local_center));
    let (points, movement) = (a.shape.vertices(), xf_b.q.mul_t(c - c0));
    let to_b = |point: Vec2| xf_b.to_local(xf_a.to_world(point));
    let mut separations = [f32::MAX; MAX_POLYGON_VERTICES];
    let mut farthest = 0.0;
    for point in points.iter().map(|point| to_b(*point)) {
        for ((separation, normal), vertex) in separations.iter_mut().zip(polygon.normals()).zip(polygon.vertices()) {
            *separation = min(normal.dot(point - *vertex), *separation);
        }
        farthest = max((point - local_center).length_squared(), farthest);
    }
    let mut gap = separations[..polygon.vertex_count()].iter().fold(0.0, |gap, separation| max(*separation, gap));
    let (mut below, mut above, mut end_below, mut end_above) = (f32::MAX, f32::MAX, f32::MAX, f32::MAX);
    let origin = to_b(points[0]);
    let turn = angle - a0;
    let normal = if let [_, end] = points { (to_b(*end) - origin).cross_scalar(1.0).normalized().0 } else { Vec2::default() };
    for vertex in polygon.vertices() {
        let side = normal.dot(*vertex - origin);
        (below, above) = (min(-side, below), min(side, above));
        let end = side + normal.dot(movement + cross(turn, *vertex - local_center));
        (end_below, end_above) = (min(-end, end_below), min(end, end_above));
        farthest = max((*vertex - local_center).length_squared(), farthest);
    }
    gap = max(gap, max(below, above));
    let (distance, radius) = (movement.length(), farthest.sqrt());
    let reach = distance + turn.abs() * (radius + distance);
    let least = max(min(below, end_below), min(above, end_above)) - turn * turn * radius;
    farthest < MAX_COORDINATE * MAX_COORDINATE
        && (gap - reach > limit + ROUNDING || (turn.abs() < 3.0 && least > limit + ROUNDING))
}

/// Bounding box of a polygon's movement during a step.
#[derive(Debug, Clone, Copy)]
pub struct SweptBounds {
    /// Index of the polygon's fixture.
    pub fixture: u32,
    /// Box of the polygon, with its skin, at the start and at the end of the step.
    bounds: Aabb,
    /// Distance in metres by which the polygon's vertices may leave the box during the step.
    bulge: f32,
}

impl SweptBounds {
    /// Creates the box of the polygon of a fixture; `bounds` contains it at the start and at the end of the sweep.
    pub fn new(fixture: u32, polygon: &Polygon, sweep: &Sweep, bounds: Aabb) -> Self {
        let radius = |vertex: &Vec2| (*vertex - sweep.local_center).length_squared();
        let farthest = polygon.vertices().iter().map(radius).fold(0.0, max).sqrt();
        let turn = sweep.a - sweep.a0;
        // A curve differs from linear interpolation between its ends by at most an eighth of its greatest second derivative.
        Self { fixture, bounds, bulge: 0.125 * turn * turn * farthest }
    }

    /// Returns true only if the polygon cannot touch a polygon or edge in this or a later part of the step; `other` is the other shape's
    /// box with its skin. The skins are thicker than the distance at which shapes touch.
    pub fn is_out_of_reach(&self, other: &Aabb) -> bool {
        let (below, above) = (self.bounds.lower - other.upper, other.lower - self.bounds.upper);
        let is_near = |corner: Vec2| corner.x.abs() < MAX_COORDINATE && corner.y.abs() < MAX_COORDINATE;
        max(max(below.x, above.x), max(below.y, above.y)) > self.bulge && is_near(other.lower) && is_near(self.bounds.lower)
    }
}

/// Vertices and normalized sweeps of two moving shapes (`b2TOIInput`).
struct ToiInput<'a> {
    proxy_a: &'a [Vec2],
    proxy_b: &'a [Vec2],
    sweep_a: Sweep,
    sweep_b: Sweep,
}

impl ToiInput<'_> {
    #[inline(always)]
    fn transforms_at(&self, t: f32) -> (Transform, Transform) {
        (self.sweep_a.transform(t), self.sweep_b.transform(t))
    }
}

#[derive(Clone, Copy)]
enum SeparationType {
    Points,
    FaceA,
    FaceB,
}

/// Separation of two moving shapes along an axis as a function of time; the axis is fixed in the world or to one body
/// (`b2SeparationFunction`).
struct SeparationFunction<'a> {
    input: &'a ToiInput<'a>,
    separation_type: SeparationType,
    local_point: Vec2,
    axis: Vec2,
}

enum AdvanceResult {
    To(f32),
    Touching,
    NoImpact,
}

impl<'a> SeparationFunction<'a> {
    fn new(input: &'a ToiInput<'a>, cache: &SimplexCache, xf_a: &Transform, xf_b: &Transform) -> Self {
        let point_a = |i: usize| input.proxy_a[usize::from(cache.index_a[i])];
        let point_b = |i: usize| input.proxy_b[usize::from(cache.index_b[i])];
        if cache.count == 1 {
            let axis = (xf_b.to_world(point_b(0)) - xf_a.to_world(point_a(0))).normalized().0;
            return Self { input, separation_type: SeparationType::Points, local_point: Vec2::default(), axis };
        }
        let on_b = cache.index_a[0] == cache.index_a[1];
        let (kind, one, two) =
            if on_b { (SeparationType::FaceB, point_b(0), point_b(1)) } else { (SeparationType::FaceA, point_a(0), point_a(1)) };
        let (face, other, point) = if on_b { (xf_b, xf_a, point_a(0)) } else { (xf_a, xf_b, point_b(0)) };
        let axis = (two - one).cross_scalar(1.0).normalized().0;
        let normal = face.q.mul_vec(axis);
        let local_point = 0.5 * (one + two);
        let s = (other.to_world(point) - face.to_world(local_point)).dot(normal);
        Self { input, separation_type: kind, local_point, axis: if s < 0.0 { -axis } else { axis } }
    }

    /// Finds the pair of points, one per shape, with the least separation along the axis at time `t` (a fraction of the step).
    /// Returns their indices and their separation (`FindMinSeparation`).
    fn find_min_separation(&self, t: f32) -> (usize, usize, f32) {
        let (xf_a, xf_b) = self.input.transforms_at(t);
        let (a, b) = match self.separation_type {
            SeparationType::Points => {
                let a = support(self.input.proxy_a, xf_a.q.mul_t(self.axis));
                (a, support(self.input.proxy_b, xf_b.q.mul_t(-self.axis)))
            }
            SeparationType::FaceA => (0, support(self.input.proxy_b, xf_b.q.mul_t(-xf_a.q.mul_vec(self.axis)))),
            SeparationType::FaceB => (support(self.input.proxy_a, xf_a.q.mul_t(-xf_b.q.mul_vec(self.axis))), 0),
        };
        (a, b, self.point_separation(a, b, &xf_a, &xf_b))
    }

    #[inline(always)]
    fn point_separation(&self, a: usize, b: usize, xf_a: &Transform, xf_b: &Transform) -> f32 {
        match self.separation_type {
            SeparationType::Points => {
                (xf_b.to_world(self.input.proxy_b[b]) - xf_a.to_world(self.input.proxy_a[a])).dot(self.axis)
            }
            SeparationType::FaceA => {
                (xf_b.to_world(self.input.proxy_b[b]) - xf_a.to_world(self.local_point)).dot(xf_a.q.mul_vec(self.axis))
            }
            SeparationType::FaceB => {
                (xf_a.to_world(self.input.proxy_a[a]) - xf_b.to_world(self.local_point)).dot(xf_b.q.mul_vec(self.axis))
            }
        }
    }

    fn evaluate(&self, a: usize, b: usize, t: f32) -> f32 {
        let (xf_a, xf_b) = self.input.transforms_at(t);
        self.point_separation(a, b, &xf_a, &xf_b)
    }

    /// Advances the time `t1` until the shapes' separation along the axis reaches `target`, in metres.
    fn advance(&self, t1: f32, target: f32, tolerance: f32) -> AdvanceResult {
        let mut t2 = 1.0;
        for _ in 0..MAX_PUSH_BACK_ITERATIONS {
            let (a, b, s2) = self.find_min_separation(t2);
            if s2 > target + tolerance {
                return AdvanceResult::NoImpact;
            }
            if s2 > target - tolerance {
                return AdvanceResult::To(t2);
            }
            let s1 = self.evaluate(a, b, t1);
            if s1 < target - tolerance {
                return AdvanceResult::NoImpact;
            }
            if s1 <= target + tolerance {
                return AdvanceResult::Touching;
            }
            if let Some(t) = self.find_root(a, b, (t1, s1), (t2, s2), target, tolerance) {
                t2 = t;
            }
        }
        AdvanceResult::To(t1)
    }

    /// Finds the time at which the separation of two points along the axis is `target`. Alternates between bisection and secant
    /// steps.
    fn find_root(
        &self,
        a: usize,
        b: usize,
        (mut a1, mut s1): (f32, f32),
        (mut a2, mut s2): (f32, f32),
        target: f32,
        tolerance: f32,
    ) -> Option<f32> {
        for step in 0..MAX_ROOT_ITERATIONS {
            let t = if step & 1 == 1 { a1 + (target - s1) * (a2 - a1) / (s2 - s1) } else { 0.5 * (a1 + a2) };
            let s = self.evaluate(a, b, t);
            if (s - target).abs() < tolerance {
                return Some(t);
            }
            if s > target {
                (a1, s1) = (t, s);
            } else {
                (a2, s2) = (t, s);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use envpool_rs_numeric::random::Generator;

    use super::super::math::vec2;
    use super::*;

    #[test]
    fn shapes_out_of_reach_have_no_impact() {
        let mut random = Generator::new(0);
        let mut draw = |size: f64| random.uniform(-size, size) as f32;
        let (mut skipped, mut clear, mut near, mut impacts) = (0, 0, 0, 0);
        for case in 0..200_000 {
            let far = if case % 4 == 0 { 300.0 } else { 1.0 };
            let origin = vec2(draw(far), draw(far));
            let mut point = |size: f64| origin + vec2(draw(size), draw(size));
            let ends = [point(0.5), point(0.5)];
            let block = Polygon::hull(&[point(0.5), point(0.5), point(0.5), point(0.5)]);
            let (c0, turn) = (point(1.5), draw(0.6));
            let c = c0 + vec2(draw(0.4), draw(0.4));
            let polygon = Polygon::hull(&[0; 5].map(|_| vec2(draw(0.4), draw(0.4))));
            let a0 = draw(7.0);
            let sweep = Sweep { local_center: polygon.centroid(), c0, c, a0, a: a0 + turn, alpha0: 0.0 };
            let b = SweptShape { shape: ShapeRef::Polygon(&polygon), sweep };
            let still = if case % 2 == 0 { ShapeRef::Edge(&ends) } else { ShapeRef::Polygon(&block) };
            let a = SweptShape { shape: still, sweep: Sweep::default() };
            let (target, tolerance) = (LINEAR_SLOP, 0.25 * LINEAR_SLOP);
            let impact = search_impact(a, b, target, tolerance);
            let is_out = is_out_of_reach(&a, &b, target + tolerance);
            assert!(!is_out || impact.is_none(), "{case}: {a:?} {b:?} {impact:?}");
            let [start, end] = [0.0, 1.0].map(|beta| b.shape.compute_aabb(&sweep.transform(beta)));
            let bounds = SweptBounds::new(0, &polygon, &sweep, Aabb::combine(&start, &end));
            let is_clear = bounds.is_out_of_reach(&still.compute_aabb(&Transform::default()));
            assert!(!is_clear || impact.is_none(), "{case}: {a:?} {b:?} {impact:?}");
            clear += u32::from(is_clear);
            skipped += u32::from(is_out);
            near += u32::from(!is_out && impact.is_none());
            impacts += u32::from(impact.is_some());
        }
        let counts = (skipped, clear, near, impacts);
        assert!(skipped > 60_000 && clear > 30_000 && near > 1_000 && impacts > 5_000, "{counts:?}");
    }
}

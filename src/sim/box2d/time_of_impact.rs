//! When two moving shapes meet: conservative advancement along separating axes, so that fast ones do not pass through thin ones.

use super::distance::{Pair, SimplexCache, support};
use super::math::{LINEAR_SLOP, Sweep, Transform, Vec2, max};
use super::shape::ShapeRef;

/// Axes that are tried at most.
const MOST_AXES: u32 = 20;
/// Times that the deepest point of an axis is looked for at most: Box2D's bound for corners of polygons.
const MOST_POINTS: u32 = 16;
/// Steps towards a root at most.
const MOST_ROOT_STEPS: u32 = 50;

/// A shape and the way of its body.
#[derive(Debug, Clone, Copy)]
pub struct Moving<'a> {
    /// The shape.
    pub shape: ShapeRef<'a>,
    /// Its body's way.
    pub sweep: Sweep,
}

/// Which part of their ways is over when the shapes touch; `None` where they do not, overlap from the beginning, or it was not found.
pub fn time_of_impact(a: Moving<'_>, b: Moving<'_>) -> Option<f32> {
    let radii = a.shape.radius() + b.shape.radius();
    let target = max(LINEAR_SLOP, radii - 3.0 * LINEAR_SLOP);
    let tolerance = 0.25 * LINEAR_SLOP;
    let ways = Ways { a: a.shape.points(), b: b.shape.points(), sweep_a: a.sweep.normalized(), sweep_b: b.sweep.normalized() };
    let (mut cache, mut t1) = (SimplexCache::default(), 0.0);
    for _ in 0..MOST_AXES {
        let (at_a, at_b) = ways.at(t1);
        let distance = Pair { a: ways.a, at_a, b: ways.b, at_b }.distance(&mut cache);
        if distance <= 0.0 {
            return None;
        }
        if distance < target + tolerance {
            return Some(t1);
        }
        match Axis::new(&ways, &cache, &at_a, &at_b).advance(t1, target, tolerance) {
            Advanced::To(t) => t1 = t,
            Advanced::Touching => return Some(t1),
            Advanced::Nowhere => return None,
        }
    }
    None
}

/// The points of both shapes and their ways.
struct Ways<'a> {
    a: &'a [Vec2],
    b: &'a [Vec2],
    sweep_a: Sweep,
    sweep_b: Sweep,
}

impl Ways<'_> {
    #[inline(always)]
    fn at(&self, t: f32) -> (Transform, Transform) {
        (self.sweep_a.transform(t), self.sweep_b.transform(t))
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Points,
    FaceA,
    FaceB,
}

/// A direction in which the shapes are apart, and moves with one of them.
struct Axis<'a> {
    ways: &'a Ways<'a>,
    kind: Kind,
    local_point: Vec2,
    axis: Vec2,
}

enum Advanced {
    To(f32),
    Touching,
    Nowhere,
}

impl<'a> Axis<'a> {
    fn new(ways: &'a Ways<'a>, cache: &SimplexCache, at_a: &Transform, at_b: &Transform) -> Self {
        let point_a = |i: usize| ways.a[usize::from(cache.index_a[i])];
        let point_b = |i: usize| ways.b[usize::from(cache.index_b[i])];
        if cache.count == 1 {
            let axis = (at_b.to_world(point_b(0)) - at_a.to_world(point_a(0))).normalized().0;
            return Self { ways, kind: Kind::Points, local_point: Vec2::default(), axis };
        }
        let on_b = cache.index_a[0] == cache.index_a[1];
        let (kind, one, two) = if on_b { (Kind::FaceB, point_b(0), point_b(1)) } else { (Kind::FaceA, point_a(0), point_a(1)) };
        let (face, other, point) = if on_b { (at_b, at_a, point_a(0)) } else { (at_a, at_b, point_b(0)) };
        let axis = (two - one).cross_scalar(1.0).normalized().0;
        let normal = face.q.turn(axis);
        let local_point = 0.5 * (one + two);
        let s = (other.to_world(point) - face.to_world(local_point)).dot(normal);
        Self { ways, kind, local_point, axis: if s < 0.0 { -axis } else { axis } }
    }

    /// The deepest points at `t`, and how far they are apart.
    fn deepest(&self, t: f32) -> (usize, usize, f32) {
        let (at_a, at_b) = self.ways.at(t);
        let (a, b) = match self.kind {
            Kind::Points => {
                let a = support(self.ways.a, at_a.q.turn_back(self.axis));
                (a, support(self.ways.b, at_b.q.turn_back(-self.axis)))
            }
            Kind::FaceA => (0, support(self.ways.b, at_b.q.turn_back(-at_a.q.turn(self.axis)))),
            Kind::FaceB => (support(self.ways.a, at_a.q.turn_back(-at_b.q.turn(self.axis))), 0),
        };
        (a, b, self.separation(a, b, &at_a, &at_b))
    }

    #[inline(always)]
    fn separation(&self, a: usize, b: usize, at_a: &Transform, at_b: &Transform) -> f32 {
        match self.kind {
            Kind::Points => (at_b.to_world(self.ways.b[b]) - at_a.to_world(self.ways.a[a])).dot(self.axis),
            Kind::FaceA => (at_b.to_world(self.ways.b[b]) - at_a.to_world(self.local_point)).dot(at_a.q.turn(self.axis)),
            Kind::FaceB => (at_a.to_world(self.ways.a[a]) - at_b.to_world(self.local_point)).dot(at_b.q.turn(self.axis)),
        }
    }

    fn separation_at(&self, a: usize, b: usize, t: f32) -> f32 {
        let (at_a, at_b) = self.ways.at(t);
        self.separation(a, b, &at_a, &at_b)
    }

    /// How far the shapes may move on before they touch along this axis.
    fn advance(&self, t1: f32, target: f32, tolerance: f32) -> Advanced {
        let mut t2 = 1.0;
        for _ in 0..MOST_POINTS {
            let (a, b, s2) = self.deepest(t2);
            if s2 > target + tolerance {
                return Advanced::Nowhere;
            }
            if s2 > target - tolerance {
                return Advanced::To(t2);
            }
            let s1 = self.separation_at(a, b, t1);
            if s1 < target - tolerance {
                return Advanced::Nowhere;
            }
            if s1 <= target + tolerance {
                return Advanced::Touching;
            }
            if let Some(t) = self.root(a, b, (t1, s1), (t2, s2), target, tolerance) {
                t2 = t;
            }
        }
        Advanced::To(t1)
    }

    /// When two points are `target` apart, by turns of bisection and the secant rule.
    fn root(
        &self,
        a: usize,
        b: usize,
        (mut a1, mut s1): (f32, f32),
        (mut a2, mut s2): (f32, f32),
        target: f32,
        tolerance: f32,
    ) -> Option<f32> {
        for step in 0..MOST_ROOT_STEPS {
            let t = if step & 1 == 1 { a1 + (target - s1) * (a2 - a1) / (s2 - s1) } else { 0.5 * (a1 + a2) };
            let s = self.separation_at(a, b, t);
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

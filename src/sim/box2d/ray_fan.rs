//! Casts rays from one origin to many end points, for lidars.

use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

use super::body::{BodyId, Fixture};
use super::math::{Aabb, Transform, Vec2, vec2};
use super::shape::{RayCastInput, ShapeRef};
use super::world::{World, fixture_shape};

/// Maximum number of edges near the rays, and maximum number of circles and polygons near the rays. With more shapes, each
/// ray is cast separately by [`World::ray_cast`].
const MAX_SHAPES: usize = 64;
/// Maximum number of rays: the number of float32 lanes of the widest vector registers.
const MAX_RAYS: usize = 16;

/// An edge, and those terms of its intersection with rays that are the same for all rays from one origin.
#[derive(Debug, Clone, Copy, Default)]
struct RayEdge {
    v1: Vec2,
    direction: Vec2,
    normal: Vec2,
    length_squared: f32,
    numerator: f32,
}

impl RayEdge {
    fn new([v1, v2]: [Vec2; 2], origin: Vec2) -> Self {
        let direction = v2 - v1;
        let normal = vec2(direction.y, -direction.x).normalized().0;
        Self { v1, direction, normal, length_squared: direction.dot(direction), numerator: normal.dot(v1 - origin) }
    }

    /// Shortens rays that hit the edge: sets the fractions `closest` of their lengths to those at which they hit it, with the same
    /// bits as the ray cast of an edge shape. `right` and `up` are the components of the rays' vectors from `p1` to their ends.
    ///
    /// There are no branches, so that compilers cast several rays in one vector register.
    #[inline(always)]
    fn ray_cast(&self, p1: Vec2, right: &[f32; MAX_RAYS], up: &[f32; MAX_RAYS], closest: &mut [f32; MAX_RAYS]) {
        for ((x, y), closest) in right.iter().zip(up).zip(closest) {
            let d = vec2(*x, *y);
            let denominator = self.normal.dot(d);
            let t = self.numerator / denominator;
            let s = (p1 + t * d - self.v1).dot(self.direction) / self.length_squared;
            let is_on_ray = (denominator != 0.0) & (0.0..=*closest).contains(&t);
            let is_hit = is_on_ray & (self.length_squared != 0.0) & (0.0..=1.0).contains(&s);
            *closest = if is_hit { t } else { *closest };
        }
    }
}

/// SIMD kernel that casts rays against edges one after another.
struct CastAgainstEdges<'a> {
    edges: &'a [RayEdge],
    origin: Vec2,
    right: &'a [f32; MAX_RAYS],
    up: &'a [f32; MAX_RAYS],
}

impl SimdKernel for CastAgainstEdges<'_> {
    type Output = [f32; MAX_RAYS];

    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut closest = [1.0; MAX_RAYS];
        for edge in self.edges {
            edge.ray_cast(self.origin, self.right, self.up, &mut closest);
        }
        closest
    }
}

impl World {
    /// Casts rays from `p1` to each of `ends`. For each ray, returns the same fraction as [`World::ray_cast`]; a single
    /// broad-phase query finds the shapes for all rays.
    pub fn ray_cast_fan<const N: usize>(&self, p1: Vec2, ends: &[Vec2; N], mut filter: impl FnMut(&Fixture) -> bool) -> [f32; N] {
        const { assert!(N <= MAX_RAYS, "a ray per lane") };
        let mut bounds = Aabb { lower: p1, upper: p1 };
        for end in ends {
            bounds = Aabb { lower: bounds.lower.min(*end), upper: bounds.upper.max(*end) };
        }
        let (mut edges, mut edge_count) = ([RayEdge::default(); MAX_SHAPES], 0);
        let (mut other_shapes, mut other_count) = ([0; MAX_SHAPES], 0);
        let identity = Transform::default();
        let origin = identity.to_local(p1);
        self.broad_phase.query(&bounds, |index| {
            let fixture = &self.fixtures[index as usize];
            if !filter(fixture) {
                return;
            }
            match fixture_shape(&self.polygons, fixture) {
                ShapeRef::Edge(ends) if self.body(BodyId(fixture.body)).transform == identity => {
                    if let Some(edge) = edges.get_mut(edge_count) {
                        *edge = RayEdge::new(*ends, origin);
                    }
                    edge_count += 1;
                }
                _ => {
                    if let Some(other) = other_shapes.get_mut(other_count) {
                        *other = index;
                    }
                    other_count += 1;
                }
            }
        });
        if edge_count > MAX_SHAPES || other_count > MAX_SHAPES {
            return ends.map(|end| self.ray_cast(p1, end, &mut filter));
        }
        let (mut right, mut up) = ([0.0; MAX_RAYS], [0.0; MAX_RAYS]);
        for ((right, up), end) in right.iter_mut().zip(&mut up).zip(ends) {
            let d = identity.to_local(*end) - origin;
            (*right, *up) = (d.x, d.y);
        }
        let edges = CastAgainstEdges { edges: &edges[..edge_count], origin, right: &right, up: &up };
        let closest = SimdLevel::detect().run(edges);
        let mut fractions = [1.0; N];
        fractions.copy_from_slice(&closest[..N]);
        for (closest, end) in fractions.iter_mut().zip(ends) {
            for index in &other_shapes[..other_count] {
                let fixture = &self.fixtures[*index as usize];
                let ray = RayCastInput { p1, p2: *end, max_fraction: *closest };
                let hit = fixture_shape(&self.polygons, fixture).ray_cast(&ray, &self.bodies[fixture.body as usize].transform);
                *closest = hit.unwrap_or(*closest);
            }
        }
        fractions
    }
}

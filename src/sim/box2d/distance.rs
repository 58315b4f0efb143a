//! Distance of two convex shapes by the Gilbert-Johnson-Keerthi algorithm (`b2Distance`).

use super::math::{EPSILON, Transform, Vec2, cross};

/// Maximum number of iterations, each of which adds a support point to the simplex.
const MAX_ITERATIONS: u32 = 20;

/// Simplex of the last distance query, from which the next query starts (`b2SimplexCache`).
#[derive(Debug, Clone, Copy, Default)]
pub struct SimplexCache {
    /// Length or area of the simplex; if it changes much, the cached simplex is not used.
    pub metric: f32,
    /// Number of vertices of the simplex.
    pub count: usize,
    /// Indices of the simplex's support vertices on shape A.
    pub index_a: [u8; 3],
    /// Indices of the simplex's support vertices on shape B.
    pub index_b: [u8; 3],
}

/// Returns the index of the first point that has the greatest dot product with the direction `d`
/// (`b2DistanceProxy::GetSupport`).
#[inline(always)]
pub fn support(points: &[Vec2], d: Vec2) -> usize {
    let (mut best, mut value) = (0, points[0].dot(d));
    for (i, point) in points.iter().enumerate().skip(1) {
        let dot = point.dot(d);
        if dot > value {
            (best, value) = (i, dot);
        }
    }
    best
}

#[derive(Debug, Clone, Copy, Default)]
struct SimplexVertex {
    w_a: Vec2,
    w_b: Vec2,
    /// Support vertex of shape B minus support vertex of shape A, in world coordinates (`w_b - w_a`).
    w: Vec2,
    /// Barycentric coordinate, for this vertex, of the simplex's point that is closest to the origin.
    barycentric: f32,
    index_a: usize,
    index_b: usize,
}

struct Simplex {
    v: [SimplexVertex; 3],
    count: usize,
}

/// Vertices of two shapes without their skins (margins), and the shapes' transforms (`b2DistanceInput`).
pub struct DistanceInput<'a> {
    /// Vertices of shape A in local coordinates.
    pub proxy_a: &'a [Vec2],
    /// Transform of shape A.
    pub transform_a: Transform,
    /// Vertices of shape B in local coordinates.
    pub proxy_b: &'a [Vec2],
    /// Transform of shape B.
    pub transform_b: Transform,
}

impl DistanceInput<'_> {
    #[inline(always)]
    fn vertex(&self, index_a: usize, index_b: usize) -> SimplexVertex {
        let (a, b) = (self.transform_a.to_world(self.proxy_a[index_a]), self.transform_b.to_world(self.proxy_b[index_b]));
        SimplexVertex { w_a: a, w_b: b, w: b - a, barycentric: 0.0, index_a, index_b }
    }

    fn read_cache(&self, cache: &SimplexCache) -> Simplex {
        let mut simplex = Simplex { v: [SimplexVertex::default(); 3], count: cache.count };
        for i in 0..cache.count {
            simplex.v[i] = self.vertex(usize::from(cache.index_a[i]), usize::from(cache.index_b[i]));
        }
        if simplex.count > 1 {
            let (cached_metric, metric) = (cache.metric, simplex.metric());
            if metric < 0.5 * cached_metric || 2.0 * cached_metric < metric || metric < EPSILON {
                simplex.count = 0;
            }
        }
        if simplex.count == 0 {
            simplex.v[0] = SimplexVertex { barycentric: 1.0, ..self.vertex(0, 0) };
            simplex.count = 1;
        }
        simplex
    }

    /// Returns the distance between the two shapes in metres; 0 if they overlap.
    pub fn distance(&self, cache: &mut SimplexCache) -> f32 {
        let (a, b) = self.closest_points(cache);
        (a - b).length()
    }

    /// Returns whether the shapes overlap, with skins of the thicknesses `radius_a` and `radius_b` (`b2TestOverlap`).
    pub fn test_overlap(&self, radius_a: f32, radius_b: f32) -> bool {
        let distance = self.distance(&mut SimplexCache::default());
        let radii = radius_a + radius_b;
        let gap = if distance > radii && distance > EPSILON { distance - radii } else { 0.0 };
        gap < 10.0 * EPSILON
    }

    /// Returns the closest points of shapes A and B in world coordinates.
    fn closest_points(&self, cache: &mut SimplexCache) -> (Vec2, Vec2) {
        let mut simplex = self.read_cache(cache);
        for _ in 0..MAX_ITERATIONS {
            let saved = simplex.v.map(|vertex| (vertex.index_a, vertex.index_b));
            let saved = &saved[..simplex.count];
            match simplex.count {
                2 => simplex.solve_2(),
                3 => simplex.solve_3(),
                _ => {}
            }
            if simplex.count == 3 {
                break;
            }
            let d = simplex.search_direction();
            if d.length_squared() < EPSILON * EPSILON {
                break;
            }
            let index_a = support(self.proxy_a, self.transform_a.q.mul_t(-d));
            let index_b = support(self.proxy_b, self.transform_b.q.mul_t(d));
            let vertex = self.vertex(index_a, index_b);
            // As in Box2D, the array element of the new vertex keeps its old barycentric coordinate. If the new vertex is a
            // duplicate, `simplex.count` does not change.
            simplex.v[simplex.count] = SimplexVertex { barycentric: simplex.v[simplex.count].barycentric, ..vertex };
            if saved.contains(&(index_a, index_b)) {
                break;
            }
            simplex.count += 1;
        }
        simplex.write_cache(cache);
        simplex.witness_points()
    }
}

impl Simplex {
    fn metric(&self) -> f32 {
        let [v1, v2, v3] = &self.v;
        match self.count {
            2 => (v1.w - v2.w).length(),
            3 => (v2.w - v1.w).cross(v3.w - v1.w),
            _ => 0.0,
        }
    }

    fn write_cache(&self, cache: &mut SimplexCache) {
        (cache.metric, cache.count) = (self.metric(), self.count);
        for (i, vertex) in self.v[..self.count].iter().enumerate() {
            (cache.index_a[i], cache.index_b[i]) = (vertex.index_a as u8, vertex.index_b as u8);
        }
    }

    fn search_direction(&self) -> Vec2 {
        let [v1, v2, _] = &self.v;
        if self.count == 1 {
            return -v1.w;
        }
        let e = v2.w - v1.w;
        if e.cross(-v1.w) > 0.0 { cross(1.0, e) } else { e.cross_scalar(1.0) }
    }

    fn witness_points(&self) -> (Vec2, Vec2) {
        let [v1, v2, v3] = &self.v;
        match self.count {
            1 => (v1.w_a, v1.w_b),
            2 => (v1.barycentric * v1.w_a + v2.barycentric * v2.w_a, v1.barycentric * v1.w_b + v2.barycentric * v2.w_b),
            _ => {
                let point = v1.barycentric * v1.w_a + v2.barycentric * v2.w_a + v3.barycentric * v3.w_a;
                (point, point)
            }
        }
    }

    fn reduce_to_vertex(&mut self, vertex: usize) {
        self.v[vertex].barycentric = 1.0;
        self.v[0] = self.v[vertex];
        self.count = 1;
    }

    fn solve_2(&mut self) {
        let (w1, w2) = (self.v[0].w, self.v[1].w);
        let e = w2 - w1;
        let d2 = -w1.dot(e);
        if d2 <= 0.0 {
            return self.reduce_to_vertex(0);
        }
        let d1 = w2.dot(e);
        if d1 <= 0.0 {
            return self.reduce_to_vertex(1);
        }
        self.reduce_to_edge(0, d1, 1, d2);
    }

    /// Reduces the simplex to an edge between two of its vertices, given their unnormalized barycentric coordinates.
    fn reduce_to_edge(&mut self, first: usize, d_first: f32, second: usize, d_second: f32) {
        let inverse = 1.0 / (d_first + d_second);
        self.v[first].barycentric = d_first * inverse;
        self.v[second].barycentric = d_second * inverse;
        self.count = 2;
    }

    fn solve_3(&mut self) {
        let [w1, w2, w3] = self.v.map(|vertex| vertex.w);
        let (e12, e13, e23) = (w2 - w1, w3 - w1, w3 - w2);
        let (d12_1, d12_2) = (w2.dot(e12), -w1.dot(e12));
        let (d13_1, d13_2) = (w3.dot(e13), -w1.dot(e13));
        let (d23_1, d23_2) = (w3.dot(e23), -w2.dot(e23));
        let n = e12.cross(e13);
        let (d1, d2, d3) = (n * w2.cross(w3), n * w3.cross(w1), n * w1.cross(w2));
        if d12_2 <= 0.0 && d13_2 <= 0.0 {
            self.reduce_to_vertex(0);
        } else if d12_1 > 0.0 && d12_2 > 0.0 && d3 <= 0.0 {
            self.reduce_to_edge(0, d12_1, 1, d12_2);
        } else if d13_1 > 0.0 && d13_2 > 0.0 && d2 <= 0.0 {
            self.reduce_to_edge(0, d13_1, 2, d13_2);
            self.v[1] = self.v[2];
        } else if d12_1 <= 0.0 && d23_2 <= 0.0 {
            self.reduce_to_vertex(1);
        } else if d13_1 <= 0.0 && d23_1 <= 0.0 {
            self.reduce_to_vertex(2);
        } else if d23_1 > 0.0 && d23_2 > 0.0 && d1 <= 0.0 {
            self.reduce_to_edge(1, d23_1, 2, d23_2);
            self.v[0] = self.v[2];
        } else {
            let inverse = 1.0 / (d1 + d2 + d3);
            for (vertex, d) in self.v.iter_mut().zip([d1, d2, d3]) {
                vertex.barycentric = d * inverse;
            }
            self.count = 3;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::math::vec2;
    use super::*;

    #[test]
    fn distance_of_squares_is_the_same_with_a_warm_cache() {
        let square = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0)];
        let xf_b = Transform { p: vec2(3.0, 0.25), ..Transform::default() };
        let input = DistanceInput { proxy_a: &square, transform_a: Transform::default(), proxy_b: &square, transform_b: xf_b };
        let mut cache = SimplexCache::default();
        assert_eq!(input.distance(&mut cache), 2.0);
        assert_eq!(input.distance(&mut cache), 2.0);
        assert!(!input.test_overlap(0.5, 0.5));
        assert!(input.test_overlap(1.0, 1.0));
    }

    #[test]
    fn nan_vertices_end_the_search() {
        let degenerate = [vec2(f32::NAN, 0.0), vec2(1.0, f32::INFINITY), vec2(0.0, 1.0)];
        let input = DistanceInput {
            proxy_a: &degenerate,
            transform_a: Transform::default(),
            proxy_b: &degenerate,
            transform_b: Transform::default(),
        };
        let distance = input.distance(&mut SimplexCache::default());
        assert!(distance.is_nan() || distance <= 0.0);
    }
}

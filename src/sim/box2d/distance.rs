//! How far two convex shapes are from each other: the algorithm of Gilbert, Johnson and Keerthi.

use super::math::{EPSILON, Transform, Vec2, cross};

/// Points of support that are asked for at most.
const MOST: u32 = 20;

/// Which points the last distance was found between, where the next search begins.
#[derive(Debug, Clone, Copy, Default)]
pub struct SimplexCache {
    /// Length or area, by which it is seen whether it is still of use.
    pub metric: f32,
    /// How many pairs of points there are.
    pub count: usize,
    /// Points of A.
    pub index_a: [u8; 3],
    /// Points of B.
    pub index_b: [u8; 3],
}

/// The point that is farthest in direction `d`, the first of several.
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
struct Vertex {
    a: Vec2,
    b: Vec2,
    /// From A to B.
    w: Vec2,
    /// Its share of the closest point.
    part: f32,
    index_a: usize,
    index_b: usize,
}

struct Simplex {
    v: [Vertex; 3],
    count: usize,
}

/// Two shapes without their skins, where they are.
pub struct Pair<'a> {
    /// Points of A.
    pub a: &'a [Vec2],
    /// Where A is.
    pub at_a: Transform,
    /// Points of B.
    pub b: &'a [Vec2],
    /// Where B is.
    pub at_b: Transform,
}

impl Pair<'_> {
    #[inline(always)]
    fn vertex(&self, index_a: usize, index_b: usize) -> Vertex {
        let (a, b) = (self.at_a.to_world(self.a[index_a]), self.at_b.to_world(self.b[index_b]));
        Vertex { a, b, w: b - a, part: 0.0, index_a, index_b }
    }

    fn simplex(&self, cache: &SimplexCache) -> Simplex {
        let mut simplex = Simplex { v: [Vertex::default(); 3], count: cache.count };
        for i in 0..cache.count {
            simplex.v[i] = self.vertex(usize::from(cache.index_a[i]), usize::from(cache.index_b[i]));
        }
        if simplex.count > 1 {
            let (before, now) = (cache.metric, simplex.metric());
            if now < 0.5 * before || 2.0 * before < now || now < EPSILON {
                simplex.count = 0;
            }
        }
        if simplex.count == 0 {
            simplex.v[0] = Vertex { part: 1.0, ..self.vertex(0, 0) };
            simplex.count = 1;
        }
        simplex
    }

    /// The distance between both; 0 where they overlap.
    pub fn distance(&self, cache: &mut SimplexCache) -> f32 {
        let (a, b) = self.closest(cache);
        (a - b).length()
    }

    /// Whether they overlap with skins of these thicknesses.
    pub fn overlaps(&self, radius_a: f32, radius_b: f32) -> bool {
        let distance = self.distance(&mut SimplexCache::default());
        let both = radius_a + radius_b;
        let rest = if distance > both && distance > EPSILON { distance - both } else { 0.0 };
        rest < 10.0 * EPSILON
    }

    /// The closest points.
    fn closest(&self, cache: &mut SimplexCache) -> (Vec2, Vec2) {
        let mut simplex = self.simplex(cache);
        for _ in 0..MOST {
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
            let index_a = support(self.a, self.at_a.q.turn_back(-d));
            let index_b = support(self.b, self.at_b.q.turn_back(d));
            let vertex = self.vertex(index_a, index_b);
            // A part that was left over stays: a pair that is found again is not used.
            simplex.v[simplex.count] = Vertex { part: simplex.v[simplex.count].part, ..vertex };
            if saved.contains(&(index_a, index_b)) {
                break;
            }
            simplex.count += 1;
        }
        simplex.write(cache);
        simplex.witnesses()
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

    fn write(&self, cache: &mut SimplexCache) {
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

    fn witnesses(&self) -> (Vec2, Vec2) {
        let [v1, v2, v3] = &self.v;
        match self.count {
            1 => (v1.a, v1.b),
            2 => (v1.part * v1.a + v2.part * v2.a, v1.part * v1.b + v2.part * v2.b),
            _ => {
                let point = v1.part * v1.a + v2.part * v2.a + v3.part * v3.a;
                (point, point)
            }
        }
    }

    fn only(&mut self, vertex: usize) {
        self.v[vertex].part = 1.0;
        self.v[0] = self.v[vertex];
        self.count = 1;
    }

    fn solve_2(&mut self) {
        let (w1, w2) = (self.v[0].w, self.v[1].w);
        let e = w2 - w1;
        let d2 = -w1.dot(e);
        if d2 <= 0.0 {
            return self.only(0);
        }
        let d1 = w2.dot(e);
        if d1 <= 0.0 {
            return self.only(1);
        }
        self.between(0, d1, 1, d2);
    }

    /// The closest point lies between two of the points, which become the first two.
    fn between(&mut self, one: usize, d_one: f32, two: usize, d_two: f32) {
        let inverse = 1.0 / (d_one + d_two);
        self.v[one].part = d_one * inverse;
        self.v[two].part = d_two * inverse;
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
            self.only(0);
        } else if d12_1 > 0.0 && d12_2 > 0.0 && d3 <= 0.0 {
            self.between(0, d12_1, 1, d12_2);
        } else if d13_1 > 0.0 && d13_2 > 0.0 && d2 <= 0.0 {
            self.between(0, d13_1, 2, d13_2);
            self.v[1] = self.v[2];
        } else if d12_1 <= 0.0 && d23_2 <= 0.0 {
            self.only(1);
        } else if d13_1 <= 0.0 && d23_1 <= 0.0 {
            self.only(2);
        } else if d23_1 > 0.0 && d23_2 > 0.0 && d1 <= 0.0 {
            self.between(1, d23_1, 2, d23_2);
            self.v[0] = self.v[2];
        } else {
            let inverse = 1.0 / (d1 + d2 + d3);
            for (vertex, d) in self.v.iter_mut().zip([d1, d2, d3]) {
                vertex.part = d * inverse;
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
    fn squares_two_apart_are_two_apart_and_the_cache_finds_it_again() {
        let square = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0)];
        let at_b = Transform { p: vec2(3.0, 0.25), ..Transform::default() };
        let pair = Pair { a: &square, at_a: Transform::default(), b: &square, at_b };
        let mut cache = SimplexCache::default();
        assert_eq!(pair.distance(&mut cache), 2.0);
        assert_eq!(pair.distance(&mut cache), 2.0);
        assert!(!pair.overlaps(0.5, 0.5));
        assert!(pair.overlaps(1.0, 1.0));
    }

    #[test]
    fn numbers_that_are_none_end_the_search() {
        let nowhere = [vec2(f32::NAN, 0.0), vec2(1.0, f32::INFINITY), vec2(0.0, 1.0)];
        let pair = Pair { a: &nowhere, at_a: Transform::default(), b: &nowhere, at_b: Transform::default() };
        let distance = pair.distance(&mut SimplexCache::default());
        assert!(distance.is_nan() || distance <= 0.0);
    }
}

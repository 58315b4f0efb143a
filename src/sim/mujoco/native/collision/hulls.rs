//! Convex hulls of meshes and boxes, and planes that separate two hulls.
//!
//! MuJoCo's collision function searches for the nearest points of two meshes in each step, even if the meshes never touch. A
//! plane between the hulls proves that there is no contact. It takes two maxima over vertices to check a plane, for all lanes at
//! once, and the plane of the last step usually separates the hulls in the next one.

use crate::native::mju::{add3, dot3, mul_mat_t_vec3, mul_mat_vec3, scl3, splat3, sub3};
use crate::native::model::Unsupported;
use crate::native::model::geom_pair::Hull;
use crate::native::model::reader::{Reader, all, triple};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Number of vertices up to which a hull has all vertices of its mesh, instead of those of MuJoCo's convex hull.
const SMALL_MESH: usize = 64;
/// Distance in metres by which a plane must separate two hulls, far larger than `ccd_tolerance`.
const SLACK: f64 = 1e-4;
/// Number of planes that are tried in a step after the plane of the last step has failed.
const TRIES: usize = 8;
/// Number of balls up to which a hull's support is searched without bounds of the balls.
const FEW_BALLS: usize = 4;
/// Number of steps without a search in a lane in which no plane was found.
const PAUSE: u8 = 24;
/// Smallest squared length that a vector may have if it is normalised.
const LEAST_SQUARE: f64 = 1e-20;

/// Plane that separated two hulls in the last step, for each lane.
#[derive(Clone)]
pub(in crate::native) struct SeparatingPlane<V> {
    /// Normal in the frame of the first geom, from the first hull to the second; `None` before the first search.
    normal: Option<[V; 3]>,
    /// Remaining number of steps without a search, for each lane.
    pauses: [u8; 8],
}

impl<V> SeparatingPlane<V> {
    pub(in crate::native) fn new() -> Self {
        Self { normal: None, pauses: [0; 8] }
    }
}

/// Returns the vertex of a hull that is furthest along a unit vector, and the product of both.
#[inline(always)]
fn support<V: Float64Lanes>(hull: &Hull, direction: &[V; 3]) -> ([V; 3], V) {
    let (mut most, mut furthest) = (V::splat(f64::NEG_INFINITY), [V::splat(0.0); 3]);
    if hull.balls.len() > FEW_BALLS {
        // Each ball has a vertex above its lowest point.
        for ball in &hull.balls {
            most = most.larger(dot3(&splat3(&ball.centre), direction) - V::splat(ball.radius));
        }
    }
    for ball in &hull.balls {
        if !V::any((dot3(&splat3(&ball.centre), direction) + V::splat(ball.radius)).gt(most)) {
            continue;
        }
        for vertex in &hull.vertices[ball.vertices.clone()] {
            let vertex: [V; 3] = splat3(vertex);
            let along = dot3(&vertex, direction);
            let is_further = along.gt(most);
            most = V::select(is_further, along, most);
            for axis in 0..3 {
                furthest[axis] = V::select(is_further, vertex[axis], furthest[axis]);
            }
        }
    }
    (furthest, most)
}

/// Reads the convex hulls of all meshes of a model.
pub(in crate::native) fn read_hulls(reader: &Reader<'_>) -> Result<Vec<Hull>, Unsupported> {
    let [meshes, vertices, graphs] = all(["nmesh", "nmeshvert", "nmeshgraph"].map(|name| reader.size(name)))?;
    let (vertices, graph) = (reader.singles("mesh_vert", 3 * vertices)?, reader.integers("mesh_graph", graphs)?);
    let [starts, counts] = all(["mesh_vertadr", "mesh_vertnum"].map(|name| reader.indices(name, meshes)))?;
    let graph_starts = reader.integers("mesh_graphadr", meshes)?;
    let hull = |mesh: usize| {
        let vertex = |number: usize| triple(&vertices, starts[mesh] + number);
        match usize::try_from(graph_starts[mesh]) {
            // The graph starts with the numbers of its vertices and faces, and an address for each vertex.
            Ok(start) if counts[mesh] > SMALL_MESH => {
                let count = graph[start] as usize;
                Hull::new(graph[start + 2 + count..][..count].iter().map(|number| vertex(*number as usize)).collect())
            }
            _ => Hull::new((0..counts[mesh]).map(vertex).collect()),
        }
    };
    Ok((0..meshes).map(hull).collect())
}

/// World pose of a geom in all lanes: position and rotation matrix.
pub(in crate::native) type HullPose<'a, V> = (&'a [V; 3], &'a [V; 9]);

/// Relative pose of two hulls, in the frame of the first one.
struct Hulls<'a, V> {
    hulls: [&'a Hull; 2],
    /// Position of the second geom.
    offset: [V; 3],
    /// Rotation matrix of the second geom.
    matrix: [V; 9],
}

impl<V: Float64Lanes> Hulls<'_, V> {
    /// Returns `normal` in the frame of the second geom, negated.
    #[inline(always)]
    fn opposite(&self, normal: &[V; 3]) -> [V; 3] {
        let [x, y, z] = mul_mat_t_vec3(&self.matrix, *normal);
        [-x, -y, -z]
    }

    /// Returns the distance of the hulls along a unit vector.
    #[inline(always)]
    fn gap(&self, normal: &[V; 3]) -> V {
        dot3(&self.offset, normal) - support(self.hulls[1], &self.opposite(normal)).1 - support(self.hulls[0], normal).1
    }

    /// Returns the vector between the vertices of the hulls that face each other along a unit vector.
    #[inline(always)]
    fn between(&self, normal: &[V; 3]) -> [V; 3] {
        let facing = mul_mat_vec3(&self.matrix, support(self.hulls[1], &self.opposite(normal)).0);
        add3(sub3(facing, support(self.hulls[0], normal).0), self.offset)
    }
}

outlined!(
    /// Returns a bit mask of the lanes of `near` in which a plane separates the hulls of two geoms by more than `margin`. In the
    /// other lanes the hulls may touch or not.
    ///
    /// The search reflects the normal about the vector between the facing vertices (Chung and Wang, 1996).
    pub(in crate::native) fn separated_lanes<V: Float64Lanes>(
        hulls: [&Hull; 2],
        poses: [HullPose<'_, V>; 2],
        margin: f64,
        plane: &mut SeparatingPlane<V>,
        near: u32,
    ) -> u32 {
        let mut tried = near;
        for lane in 0..V::COUNT {
            if near >> lane & 1 != 0 && plane.pauses[lane] > 0 {
                plane.pauses[lane] -= 1;
                tried &= !(1 << lane);
            }
        }
        if tried == 0 {
            return 0;
        }
        let [(first, m), (second, n)] = poses;
        let mut matrix = *n;
        for column in 0..3 {
            let turned = mul_mat_t_vec3(m, [n[column], n[3 + column], n[6 + column]]);
            (matrix[column], matrix[3 + column], matrix[6 + column]) = (turned[0], turned[1], turned[2]);
        }
        let offset = mul_mat_t_vec3(m, sub3(*second, *first));
        let relative = Hulls { hulls, offset, matrix };
        let reach = V::splat(margin + SLACK);
        let mut normal = match plane.normal {
            Some(normal) => normal,
            None => unit(offset),
        };
        let mut apart = V::bits(relative.gap(&normal).gt(reach));
        for _ in 0..TRIES {
            if tried & !apart == 0 {
                break;
            }
            // The vector between the facing vertices, with the first hull enlarged by `reach`.
            let vector = sub3(relative.between(&normal), scl3(normal, reach));
            let along = dot3(&vector, &normal);
            apart |= V::bits(along.gt(V::splat(0.0)));
            let towards = unit(vector);
            let reflected = sub3(normal, scl3(towards, V::splat(2.0) * dot3(&towards, &normal)));
            let is_apart = V::mask(apart);
            for axis in 0..3 {
                normal[axis] = V::select(is_apart, normal[axis], reflected[axis]);
            }
            normal = unit(normal);
        }
        plane.normal = Some(normal);
        for lane in 0..V::COUNT {
            if (tried & !apart) >> lane & 1 != 0 {
                plane.pauses[lane] = PAUSE;
            }
        }
        tried & apart
    }
);

/// Returns a vector of length 1 in the direction of `vector`; the x axis if `vector` is very short or not finite.
#[inline(always)]
fn unit<V: Float64Lanes>(vector: [V; 3]) -> [V; 3] {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let square = dot3(&vector, &vector);
    let is_long = V::mask_and(square.gt(V::splat(LEAST_SQUARE)), square.lt(V::splat(f64::INFINITY)));
    let by = one / square.sqrt();
    [V::select(is_long, vector[0] * by, one), V::select(is_long, vector[1] * by, none), V::select(is_long, vector[2] * by, none)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

    /// Returns whether a plane is found between two hulls, the second at `place` and rotated about the z axis by `angle`.
    fn is_separated(hulls: [&Hull; 2], place: [f64; 3], angle: f64, margin: f64, plane: &mut SeparatingPlane<f64>) -> bool {
        let (sine, cosine) = angle.sin_cos();
        let turned = [cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0];
        separated_lanes(hulls, [(&[0.0; 3], &IDENTITY), (&place, &turned)], margin, plane, 1) == 1
    }

    #[test]
    fn planes_separate_hulls_that_are_further_apart_than_the_margin() {
        let cube = Hull::of_box(&[1.0; 3]);
        let tip = Hull::new(vec![[0.0, 0.0, 0.0], [3.0, 0.5, 0.0], [3.0, -0.5, 0.0], [3.0, 0.0, 0.5]]);
        for (second, place, angle, distance) in [
            (&cube, [2.5, 0.0, 0.0], 0.0, 0.5),
            (&cube, [0.3, 0.9, 2.2], 0.4, 0.2),
            (&cube, [3.0, 0.0, 0.0], std::f64::consts::FRAC_PI_4, 2.0 - 2.0_f64.sqrt()),
            (&tip, [1.1, 1.1, 0.0], 0.8, 0.02_f64.sqrt()),
        ] {
            let found = |margin, steps: u8| {
                let mut plane = SeparatingPlane::new();
                (0..steps).any(|_| is_separated([&cube, second], place, angle, margin, &mut plane))
            };
            assert!(!found(distance - SLACK / 2.0, 100), "{place:?} is not further apart than {distance}");
            assert!(!found(distance + 1.0, 100));
            assert!(found(0.5 * distance, 1), "{place:?}");
            assert!(found(0.9 * distance, 4 * (PAUSE + 1)), "{place:?}");
        }
    }

    #[test]
    fn supports_of_large_hulls_are_their_furthest_vertices() {
        let ball = |number: usize| {
            let (angle, height) = (2.4 * number as f64, number as f64 / 100.0 - 1.0);
            let across = (1.0 - height * height).sqrt();
            [across * angle.cos() + 0.3, across * angle.sin(), 2.0 * height]
        };
        let hull = Hull::new((0..200).map(ball).collect());
        for direction in [[0.6, 0.8, 0.0], [0.0, 0.0, -1.0], [-0.48, 0.6, 0.64]] {
            let most = (0..200).map(|number| dot3(&ball(number), &direction)).fold(f64::NEG_INFINITY, f64::max);
            let (vertex, along) = support::<f64>(&hull, &direction);
            assert_eq!((dot3(&vertex, &direction), along), (most, most), "{direction:?}");
        }
    }

    #[test]
    fn hulls_that_touch_are_not_searched_again_at_once() {
        let cube = Hull::of_box(&[1.0; 3]);
        let mut plane = SeparatingPlane::new();
        let mut found = |place| is_separated([&cube, &cube], place, 0.3, 0.0, &mut plane);
        assert!(!found([1.5, 0.2, 0.0]));
        for _ in 0..PAUSE {
            assert!(!found([9.0, 0.0, 0.0]));
        }
        assert!(found([9.0, 0.0, 0.0]));
        assert!(found([2.9, 0.0, 0.0]));
        assert!(!found([f64::NAN, 0.0, 0.0]));
    }
}

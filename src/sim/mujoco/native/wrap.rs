//! `mju_wrap`: the path of a tendon around a sphere or a cylinder (`engine_util_misc.c`).

use crate::native::mju::{MJMINVAL, add3, cross, dot3, mul_mat_vec3, sub3};
use crate::native::model::WrapGeom;
use crate::native::outlined::outlined;
use crate::native::solver::cones::not;
use envpool_rs_numeric::simd::Float64Lanes;

/// Pose of a wrapping geom: `geom_xpos` and `geom_xmat`.
#[derive(Clone, Copy)]
pub(super) struct WrapPose<V> {
    pub(super) xpos: [V; 3],
    pub(super) xmat: [V; 9],
}

/// Path around a geom between two sites.
#[derive(Clone, Copy)]
pub(super) struct Wrapped<V> {
    /// Bit mask of the lanes in which the tendon touches the geom. The other fields are valid only in these lanes.
    pub(super) lanes: u32,
    /// Length of the path along the geom.
    pub(super) length: V,
    /// Points at which the tendon reaches and leaves the geom (`wrap_xpos`).
    pub(super) points: [[V; 3]; 2],
}

outlined! {
    /// Computes the path of a tendon around a geom, from the site at `sites[0]` to the site at `sites[1]`, as `mju_wrap` does.
    pub(super) fn wrap<'a, V>(
        sites: &'a [[V; 3]; 2],
        geom: &'a WrapGeom,
        pose: &'a WrapPose<V>,
        side: Option<&'a [V; 3]>,
    ) -> Wrapped<V> = wrap_geom
}

#[inline(always)]
fn wrap_geom<V: Float64Lanes>(sites: &[[V; 3]; 2], geom: &WrapGeom, pose: &WrapPose<V>, side: Option<&[V; 3]>) -> Wrapped<V> {
    let (none, one, radius) = (V::splat(0.0), V::splat(1.0), V::splat(geom.radius));
    let tiny = V::splat(MJMINVAL);
    let p = [local(pose, sites[0]), local(pose, sites[1])];
    let is_central = V::mask_or(dot3(&p[0], &p[0]).sqrt().lt(tiny), dot3(&p[1], &p[1]).sqrt().lt(tiny));
    let axes = if geom.is_sphere { sphere_axes(&p) } else { [[one, none, none], [none, one, none]] };
    let ends = [project(geom, &axes, &p[0]), project(geom, &axes, &p[1])];
    let mut is_inside = V::mask(0);
    let mut side_point = None;
    if let Some(side) = side {
        let s = local(pose, *side);
        // The distance in three dimensions decides, also for cylinders.
        is_inside = dot3(&s, &s).sqrt().lt(radius);
        let [x, y] = normalize2(project(geom, &axes, &s));
        side_point = Some([x * radius, y * radius]);
    }
    let (inside, central) = (V::bits(is_inside), V::bits(is_central));
    let mut lanes = 0;
    let (mut points, mut length) = ([[none; 2]; 2], none);
    if inside | central != V::ALL {
        let circle = wrap_circle(&ends, side_point.as_ref(), geom.radius, inside | central);
        (lanes, points, length) = (circle.lanes, circle.points, circle.length);
    }
    for lane in (0..V::COUNT).filter(|lane| (inside & !central) >> lane & 1 != 0) {
        let end = [[ends[0][0].get(lane), ends[0][1].get(lane)], [ends[1][0].get(lane), ends[1][1].get(lane)]];
        let Some([x, y]) = wrap_inside(&end, geom.radius) else { continue };
        lanes |= 1 << lane;
        length.set(lane, 0.0);
        for point in &mut points {
            point[0].set(lane, x);
            point[1].set(lane, y);
        }
    }
    if lanes == 0 {
        return Wrapped { lanes, length, points: *sites };
    }
    let mut found = [[none; 3]; 2];
    for (to, [x, y]) in found.iter_mut().zip(points) {
        *to = if geom.is_sphere {
            [axes[0][0] * x + axes[1][0] * y, axes[0][1] * x + axes[1][1] * y, axes[0][2] * x + axes[1][2] * y]
        } else {
            [x, y, none]
        };
    }
    if !geom.is_sphere {
        let [dx, dy] = [p[0][0] - found[0][0], p[0][1] - found[0][1]];
        let before = (dx * dx + dy * dy).sqrt();
        let [dx, dy] = [p[1][0] - found[1][0], p[1][1] - found[1][1]];
        let after = (dx * dx + dy * dy).sqrt();
        let whole = before + length + after;
        found[0][2] = p[0][2] + (p[1][2] - p[0][2]) * before / whole;
        found[1][2] = p[0][2] + (p[1][2] - p[0][2]) * (before + length) / whole;
        let height = (found[1][2] - found[0][2]).abs();
        length = (length * length + height * height).sqrt();
    }
    let points = [add3(mul_mat_vec3(&pose.xmat, found[0]), pose.xpos), add3(mul_mat_vec3(&pose.xmat, found[1]), pose.xpos)];
    Wrapped { lanes, length, points }
}

/// Returns the coordinates of a point of the geom's frame along two axes.
#[inline(always)]
fn project<V: Float64Lanes>(geom: &WrapGeom, axes: &[[V; 3]; 2], point: &[V; 3]) -> [V; 2] {
    // The axes of a cylinder are x and y.
    if geom.is_sphere { [dot3(point, &axes[0]), dot3(point, &axes[1])] } else { [point[0], point[1]] }
}

/// Returns a point in the geom's frame.
#[inline(always)]
fn local<V: Float64Lanes>(pose: &WrapPose<V>, point: [V; 3]) -> [V; 3] {
    let (m, t) = (&pose.xmat, sub3(point, pose.xpos));
    [m[0] * t[0] + m[3] * t[1] + m[6] * t[2], m[1] * t[0] + m[4] * t[1] + m[7] * t[2], m[2] * t[0] + m[5] * t[1] + m[8] * t[2]]
}

/// Returns the unit vector, and the vector's length, as `mju_normalize3` does.
#[inline(always)]
pub(super) fn normalize3<V: Float64Lanes>(vector: [V; 3]) -> ([V; 3], V) {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let norm = dot3(&vector, &vector).sqrt();
    let (is_tiny, by) = (norm.lt(V::splat(MJMINVAL)), one / norm);
    let unit = [
        V::select(is_tiny, one, vector[0] * by),
        V::select(is_tiny, none, vector[1] * by),
        V::select(is_tiny, none, vector[2] * by),
    ];
    (unit, norm)
}

/// Returns the unit vector, as `mju_normalize` does for two numbers.
#[inline(always)]
fn normalize2<V: Float64Lanes>([x, y]: [V; 2]) -> [V; 2] {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let norm = (x * x + y * y).sqrt();
    let (is_tiny, by) = (norm.lt(V::splat(MJMINVAL)), one / norm);
    [V::select(is_tiny, one, x * by), V::select(is_tiny, none, y * by)]
}

/// Returns the axes of the plane through a sphere's centre and two points.
#[inline(always)]
fn sphere_axes<V: Float64Lanes>(p: &[[V; 3]; 2]) -> [[V; 3]; 2] {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let (first, _) = normalize3(p[0]);
    let (mut normal, norm) = normalize3(cross(p[0], p[1]));
    let is_parallel = norm.lt(V::splat(MJMINVAL));
    if V::any(is_parallel) {
        // The normal is across the axis and the coordinate axes that are not nearest to it.
        let [x, y, z] = [first[0].abs(), first[1].abs(), first[2].abs()];
        let is_z = V::mask_and(z.gt(x), z.gt(y));
        let is_y = V::mask_and(y.gt(x), y.gt(z));
        let other = [V::select(V::mask_or(is_y, is_z), one, none), V::select(is_y, none, one), V::select(is_z, none, one)];
        let (across, _) = normalize3(cross(first, other));
        for axis in 0..3 {
            normal[axis] = V::select(is_parallel, across[axis], normal[axis]);
        }
    }
    let (second, _) = normalize3(cross(normal, first));
    [first, second]
}

/// Path around a circle between two points.
struct Circle<V> {
    /// Bit mask of the lanes in which the path touches the circle.
    lanes: u32,
    length: V,
    points: [[V; 2]; 2],
}

/// Computes the path around the outside of a circle about the origin, as `wrap_circle` does. The path in the lanes of `skipped` is
/// not used.
#[inline(always)]
fn wrap_circle<V: Float64Lanes>(end: &[[V; 2]; 2], side: Option<&[V; 2]>, radius: f64, skipped: u32) -> Circle<V> {
    let (none, one, tiny) = (V::splat(0.0), V::splat(1.0), V::splat(MJMINVAL));
    let nothing = Circle { lanes: 0, length: none, points: *end };
    if radius < MJMINVAL {
        return nothing;
    }
    let square = V::splat(radius * radius);
    let squares = [end[0][0] * end[0][0] + end[0][1] * end[0][1], end[1][0] * end[1][0] + end[1][1] * end[1][1]];
    let dif = [end[1][0] - end[0][0], end[1][1] - end[0][1]];
    let dd = dif[0] * dif[0] + dif[1] * dif[1];
    let a = -(dif[0] * end[0][0] + dif[1] * end[0][1]) / dd;
    let a = V::select(a.lt(none), none, V::select(a.gt(one), one, a));
    let near = [a * dif[0] + end[0][0], a * dif[1] + end[0][1]];
    let mut is_clear = (near[0] * near[0] + near[1] * near[1]).gt(square);
    if let Some(side) = side {
        is_clear = V::mask_and(is_clear, (side[0] * near[0] + side[1] * near[1]).ge(none));
    }
    let is_within = V::mask_or(squares[0].lt(square), squares[1].lt(square));
    let free = V::bits(V::mask_or(V::mask_or(is_within, dd.lt(tiny)), is_clear));
    if free | skipped == V::ALL {
        return nothing;
    }
    let roots = [(squares[0] - square).sqrt(), (squares[1] - square).sqrt()];
    let (mut solutions, mut good) = ([[[none; 2]; 2]; 2], [none; 2]);
    for (at, signed) in [V::splat(radius), V::splat(-radius)].into_iter().enumerate() {
        let tangents = [
            [
                (end[0][0] * square + signed * end[0][1] * roots[0]) / squares[0],
                (end[0][1] * square - signed * end[0][0] * roots[0]) / squares[0],
            ],
            [
                (end[1][0] * square - signed * end[1][1] * roots[1]) / squares[1],
                (end[1][1] * square + signed * end[1][0] * roots[1]) / squares[1],
            ],
        ];
        good[at] = match side {
            Some(side) => {
                let middle = normalize2([tangents[0][0] + tangents[1][0], tangents[0][1] + tangents[1][1]]);
                middle[0] * side[0] + middle[1] * side[1]
            }
            None => {
                let chord = [tangents[0][0] - tangents[1][0], tangents[0][1] - tangents[1][1]];
                -(chord[0] * chord[0] + chord[1] * chord[1])
            }
        };
        good[at] = V::select(is_intersect(end, &tangents), V::splat(-10000.0), good[at]);
        solutions[at] = tangents;
    }
    let is_first = good[0].gt(good[1]);
    let mut points = [[none; 2]; 2];
    for point in 0..2 {
        for axis in 0..2 {
            points[point][axis] = V::select(is_first, solutions[0][point][axis], solutions[1][point][axis]);
        }
    }
    let lanes = V::ALL & !(free | skipped | V::bits(is_intersect(end, &points)));
    Circle { lanes, length: length_circle(&points, is_first, V::splat(radius), lanes), points }
}

/// Returns the length of the arc between two points of a circle, as `length_circle` does, in `lanes`.
#[inline(always)]
fn length_circle<V: Float64Lanes>([p0, p1]: &[[V; 2]; 2], is_first: V::Mask, radius: V, lanes: u32) -> V {
    let none = V::splat(0.0);
    let (u0, u1) = (normalize2(*p0), normalize2(*p1));
    let cosine = u0[0] * u1[0] + u0[1] * u1[1];
    let mut angle = none;
    for lane in 0..V::COUNT {
        if lanes >> lane & 1 != 0 {
            angle.set(lane, cosine.get(lane).acos());
        }
    }
    let cross = p0[1] * p1[0] - p0[0] * p1[1];
    let is_positive = V::mask_and(cross.gt(none), not::<V>(is_first));
    let is_flipped = V::mask_or(is_positive, V::mask_and(cross.lt(none), is_first));
    radius * V::select(is_flipped, V::splat(2.0 * std::f64::consts::PI) - angle, angle)
}

/// Returns a mask of the lanes in which the segments from the ends to the tangent points cross, as `is_intersect` does.
#[inline(always)]
fn is_intersect<V: Float64Lanes>(end: &[[V; 2]; 2], to: &[[V; 2]; 2]) -> V::Mask {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let u = [to[0][0] - end[0][0], to[0][1] - end[0][1]];
    let v = [to[1][0] - end[1][0], to[1][1] - end[1][1]];
    let w = [end[0][0] - end[1][0], end[0][1] - end[1][1]];
    let det = v[1] * u[0] - v[0] * u[1];
    let a = (v[0] * w[1] - v[1] * w[0]) / det;
    let b = (u[0] * w[1] - u[1] * w[0]) / det;
    let is_between = V::mask_and(V::mask_and(a.ge(none), a.le(one)), V::mask_and(b.ge(none), b.le(one)));
    V::mask_and(det.abs().ge(V::splat(MJMINVAL)), is_between)
}

/// Computes the point at which a tendon touches the inside of a circle about the origin, as `wrap_inside` does. Returns `None` if it
/// does not touch the circle.
fn wrap_inside(end: &[[f64; 2]; 2], radius: f64) -> Option<[f64; 2]> {
    let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
    let [len0, len1] = [length(end[0]), length(end[1])];
    let dif = [end[1][0] - end[0][0], end[1][1] - end[0][1]];
    let dd = dif[0] * dif[0] + dif[1] * dif[1];
    if len0 <= radius || len1 <= radius || radius < MJMINVAL || len0 < MJMINVAL || len1 < MJMINVAL {
        return None;
    }
    if dd > MJMINVAL {
        let a = -(dif[0] * end[0][0] + dif[1] * end[0][1]) / dd;
        if a > 0.0 && a < 1.0 && length([end[0][0] + dif[0] * a, end[0][1] + dif[1] * a]) <= radius {
            return None;
        }
    }
    // The point between both ends, unless Newton's method finds a better one.
    let [x, y] = normalize2([0.5 * (end[0][0] + end[1][0]), 0.5 * (end[0][1] + end[1][1])]);
    let middle = Some([x * radius, y * radius]);
    let [a, b] = [radius / len0, radius / len1];
    let cosine = (len0 * len0 + len1 * len1 - dd) / (2.0 * len0 * len1);
    if cosine < -1.0 + MJMINVAL {
        return None;
    }
    if cosine > 1.0 - MJMINVAL {
        return middle;
    }
    let between = cosine.acos();
    let value = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + between;
    let mut z = FIRST_Z;
    let mut f = value(z);
    if f > 0.0 {
        return middle;
    }
    let mut iteration = 0;
    while iteration < MAX_ITERATIONS && f.abs() > TOLERANCE {
        let root = |square: f64| (1.0 - square).sqrt().max(MJMINVAL);
        let slope = a / root(z * z * a * a) + b / root(z * z * b * b) - 2.0 / root(z * z);
        if slope > -MJMINVAL {
            return middle;
        }
        let next = z - f / slope;
        if next > z {
            return middle;
        }
        z = next;
        f = value(z);
        if f > TOLERANCE {
            return middle;
        }
        iteration += 1;
    }
    if iteration >= MAX_ITERATIONS {
        return middle;
    }
    let (from, angle) = if end[0][0] * end[1][1] - end[0][1] * end[1][0] > 0.0 {
        (end[0], z.asin() - (a * z).asin())
    } else {
        (end[1], z.asin() - (b * z).asin())
    };
    let [x, y] = normalize2(from);
    let (sine, cosine) = (angle.sin(), angle.cos());
    Some([radius * (cosine * x - sine * y), radius * (sine * x + cosine * y)])
}

/// Start of Newton's method in `wrap_inside` (`zinit`).
const FIRST_Z: f64 = 1.0 - 1e-7;
/// Largest number of iterations in `wrap_inside` (`maxiter`).
const MAX_ITERATIONS: u32 = 20;
/// Value at which Newton's method in `wrap_inside` ends (`tolerance`).
const TOLERANCE: f64 = 1e-6;

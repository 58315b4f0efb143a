//! `mju_wrap`: the path of a tendon around a sphere or a cylinder (`engine_util_misc.c`).

use std::f64::consts::PI;

use crate::native::dialect::WrapMethod;
use crate::native::mju::{MJMINVAL, add3, cross, dot3, mul_mat_vec3, normalize3, sub3};
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

outlined!(
    /// Computes the path of a tendon around a geom between two sites, as `mju_wrap` does. `sites_and_side` has the positions of the
    /// sites, and of the side site if there is one.
    pub(super) fn wrap<V: Float64Lanes>(
        sites_and_side: (&[[V; 3]; 2], Option<&[V; 3]>),
        geom: &WrapGeom,
        pose: &WrapPose<V>,
        method: WrapMethod,
    ) -> Wrapped<V> {
        let (sites, side) = sites_and_side;
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
            // The distance in three dimensions (`mju_norm3`) decides, also for cylinders.
            is_inside = dot3(&s, &s).sqrt().lt(radius);
            let [x, y] = normalize2(project(geom, &axes, &s));
            side_point = Some([x * radius, y * radius]);
        }
        let (inside, central) = (V::bits(is_inside), V::bits(is_central));
        let mut lanes = 0;
        let (mut points, mut length) = ([[none; 2]; 2], none);
        if inside | central != V::ALL {
            let circle = wrap_circle(&ends, side_point.as_ref(), (geom.radius, method), inside | central);
            (lanes, points, length) = (circle.lanes, circle.points, circle.length);
        }
        for lane in (0..V::COUNT).filter(|lane| (inside & !central) >> lane & 1 != 0) {
            let end = [[ends[0][0].get(lane), ends[0][1].get(lane)], [ends[1][0].get(lane), ends[1][1].get(lane)]];
            let Some([x, y]) = wrap_inside(&end, geom.radius, method) else { continue };
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
);

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
fn wrap_circle<V: Float64Lanes>(
    end: &[[V; 2]; 2],
    side: Option<&[V; 2]>,
    (radius, method): (f64, WrapMethod),
    skipped: u32,
) -> Circle<V> {
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
    let is_within = V::mask_or(squares[0].lt(square), squares[1].lt(square));
    let is_free = V::mask_or(is_within, dd.lt(tiny));
    // The angle about the circle's centre of the line through both ends and the side point.
    let mut winding = none;
    match side {
        Some(side) if method == WrapMethod::Winding => {
            let lanes = V::ALL & !(V::bits(is_free) | skipped);
            winding = winding_angle(&end[0], side, lanes) + winding_angle(side, &end[1], lanes);
            let direct = winding_angle(&end[0], &end[1], lanes & V::bits(is_clear));
            is_clear = V::mask_and(is_clear, (winding - direct).abs().lt(V::splat(PI)));
        }
        Some(side) => is_clear = V::mask_and(is_clear, (side[0] * near[0] + side[1] * near[1]).ge(none)),
        None => {}
    }
    let winding_side = side.filter(|_| method == WrapMethod::Winding);
    let free = V::bits(V::mask_or(is_free, is_clear));
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
            Some(side) if winding_side.is_none() => {
                let middle = normalize2([tangents[0][0] + tangents[1][0], tangents[0][1] + tangents[1][1]]);
                middle[0] * side[0] + middle[1] * side[1]
            }
            _ => {
                let chord = [tangents[0][0] - tangents[1][0], tangents[0][1] - tangents[1][1]];
                -(chord[0] * chord[0] + chord[1] * chord[1])
            }
        };
        good[at] = V::select(is_intersect(end, &tangents, method), V::splat(-10000.0), good[at]);
        solutions[at] = tangents;
    }
    let is_first = if winding_side.is_some() { not::<V>(winding.gt(none)) } else { good[0].gt(good[1]) };
    let mut points = [[none; 2]; 2];
    for point in 0..2 {
        for axis in 0..2 {
            points[point][axis] = V::select(is_first, solutions[0][point][axis], solutions[1][point][axis]);
        }
    }
    let lanes = V::ALL & !(free | skipped | V::bits(is_intersect(end, &points, method)));
    let length = if winding_side.is_some() {
        let arc = winding - winding_angle(&end[0], &points[0], lanes) - winding_angle(&points[1], &end[1], lanes);
        V::splat(radius) * arc.abs()
    } else {
        length_circle(&points, (is_first, method), V::splat(radius), lanes)
    };
    Circle { lanes, length, points }
}

/// Returns the length of the arc between two points of a circle, as `length_circle` does, in `lanes`.
#[inline(always)]
fn length_circle<V: Float64Lanes>([p0, p1]: &[[V; 2]; 2], (is_first, method): (V::Mask, WrapMethod), radius: V, lanes: u32) -> V {
    let none = V::splat(0.0);
    let cross = p0[1] * p1[0] - p0[0] * p1[1];
    let mut angle = none;
    if method == WrapMethod::ArcCosine {
        let (u0, u1) = (normalize2(*p0), normalize2(*p1));
        let cosine = u0[0] * u1[0] + u0[1] * u1[1];
        for lane in (0..V::COUNT).filter(|lane| lanes >> lane & 1 != 0) {
            angle.set(lane, cosine.get(lane).acos());
        }
    } else {
        angle = atan2(cross.abs(), p0[0] * p1[0] + p0[1] * p1[1], lanes);
    }
    let is_positive = V::mask_and(cross.gt(none), not::<V>(is_first));
    let mut is_flipped = V::mask_or(is_positive, V::mask_and(cross.lt(none), is_first));
    if method == WrapMethod::Winding {
        is_flipped = V::mask_and(is_flipped, angle.gt(V::splat(LEAST_FLIPPED_ANGLE)));
    }
    radius * V::select(is_flipped, V::splat(2.0 * PI) - angle, angle)
}

/// Returns the angle from one point to another about the origin, in `lanes`.
#[inline(always)]
fn winding_angle<V: Float64Lanes>(p: &[V; 2], q: &[V; 2], lanes: u32) -> V {
    atan2(p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1], lanes)
}

/// Returns the arc tangent of `y / x` in `lanes`, and 0 in the others.
#[inline(always)]
fn atan2<V: Float64Lanes>(y: V, x: V, lanes: u32) -> V {
    let mut angle = V::splat(0.0);
    for lane in (0..V::COUNT).filter(|lane| lanes >> lane & 1 != 0) {
        angle.set(lane, y.get(lane).atan2(x.get(lane)));
    }
    angle
}

/// Returns a mask of the lanes in which the segments from the ends to the tangent points cross, as `is_intersect` does.
#[inline(always)]
fn is_intersect<V: Float64Lanes>(end: &[[V; 2]; 2], to: &[[V; 2]; 2], method: WrapMethod) -> V::Mask {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let u = [to[0][0] - end[0][0], to[0][1] - end[0][1]];
    let v = [to[1][0] - end[1][0], to[1][1] - end[1][1]];
    let w = [end[0][0] - end[1][0], end[0][1] - end[1][1]];
    let det = v[1] * u[0] - v[0] * u[1];
    let is_crossing = det.abs().ge(V::splat(MJMINVAL));
    let (a, b) = (v[0] * w[1] - v[1] * w[0], u[0] * w[1] - u[1] * w[0]);
    if method != WrapMethod::ArcCosine {
        let sign = V::select(det.gt(none), one, -one);
        let d = [to[0][0] - to[1][0], to[0][1] - to[1][1]];
        let (a0, a1) = (a * sign, (v[0] * d[1] - v[1] * d[0]) * sign);
        let (b0, b1) = (b * sign, (u[0] * d[1] - u[1] * d[0]) * sign);
        let (a1, b1) = if method == WrapMethod::Winding { (a1.lt(none), b1.lt(none)) } else { (a1.le(none), b1.le(none)) };
        return V::mask_and(is_crossing, V::mask_and(V::mask_and(a0.ge(none), a1), V::mask_and(b0.ge(none), b1)));
    }
    let (a, b) = (a / det, b / det);
    let is_between = V::mask_and(V::mask_and(a.ge(none), a.le(one)), V::mask_and(b.ge(none), b.le(one)));
    V::mask_and(is_crossing, is_between)
}

/// Computes the point at which a tendon touches the inside of a circle about the origin, as `wrap_inside` does. Returns `None` if it
/// does not touch the circle.
fn wrap_inside(end: &[[f64; 2]; 2], radius: f64, method: WrapMethod) -> Option<[f64; 2]> {
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
    let solve = if method == WrapMethod::ArcCosine { inside_angles } else { inside_angles_by_tangent };
    let Some(angles) = solve([a, b], cosine.acos()) else { return middle };
    let is_left = end[0][0] * end[1][1] - end[0][1] * end[1][0] > 0.0;
    let (from, angle) = if is_left { (end[0], angles[0]) } else { (end[1], angles[1]) };
    let [x, y] = normalize2(from);
    let (sine, cosine) = (angle.sin(), angle.cos());
    Some([radius * (cosine * x - sine * y), radius * (sine * x + cosine * y)])
}

/// Solves `asin(a z) + asin(b z) - 2 asin(z) + between = 0` for `z` by Newton's method. Returns `asin(z) - asin(a z)` and
/// `asin(z) - asin(b z)`, or `None` if the method fails.
fn inside_angles([a, b]: [f64; 2], between: f64) -> Option<[f64; 2]> {
    let value = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + between;
    let mut z = FIRST_Z;
    let mut f = value(z);
    if f > 0.0 {
        return None;
    }
    for _ in 0..MAX_ITERATIONS {
        if f.abs() <= TOLERANCE {
            return Some([z.asin() - (a * z).asin(), z.asin() - (b * z).asin()]);
        }
        let slope = a / root(z * z * a * a) + b / root(z * z * b * b) - 2.0 / root(z * z);
        let next = z - f / slope;
        if slope > -MJMINVAL || next > z {
            return None;
        }
        z = next;
        f = value(z);
        if f > TOLERANCE {
            return None;
        }
    }
    None
}

/// Solves the equation of [`inside_angles`] for `asin(z)`.
fn inside_angles_by_tangent([a, b]: [f64; 2], between: f64) -> Option<[f64; 2]> {
    let (mut phi, mut z) = (PI / 2.0, 1.0_f64);
    let mut sines = [a.asin(), b.asin()];
    let mut f = sines[0] + sines[1] - 2.0 * phi + between;
    if f > 0.0 {
        return None;
    }
    for _ in 0..MAX_ITERATIONS {
        if f.abs() <= TOLERANCE {
            return Some([phi - sines[0], phi - sines[1]]);
        }
        let slope = phi.cos() * (a / root(z * z * a * a) + b / root(z * z * b * b)) - 2.0;
        let next = phi - f / slope;
        if slope > -MJMINVAL || next > phi {
            return None;
        }
        phi = next;
        z = phi.sin();
        sines = [(a * z).asin(), (b * z).asin()];
        f = sines[0] + sines[1] - 2.0 * phi + between;
        if f > TOLERANCE {
            return None;
        }
    }
    None
}

/// Returns the root of `1 - square`, at least `mjMINVAL`.
fn root(square: f64) -> f64 {
    (1.0 - square).sqrt().max(MJMINVAL)
}

/// Largest angle of an arc that `length_circle` never replaces by the rest of the circle, from MuJoCo 4.0 on.
const LEAST_FLIPPED_ANGLE: f64 = 1e-6;
/// Start of Newton's method in `wrap_inside` (`zinit`).
const FIRST_Z: f64 = 1.0 - 1e-7;
/// Largest number of iterations in `wrap_inside` (`maxiter`).
const MAX_ITERATIONS: u32 = 20;
/// Value at which Newton's method in `wrap_inside` ends (`tolerance`).
const TOLERANCE: f64 = 1e-6;

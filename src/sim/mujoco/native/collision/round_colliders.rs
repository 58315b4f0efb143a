//! Colliders (functions that find contact points) between spheres and capsules, and spheres and boxes: `mjc_SphereSphere`,
//! `mjc_SphereCapsule`, `mjc_CapsuleCapsule` and `mjc_SphereBox`.

use crate::native::data::GeomPose;
use crate::native::dialect::Nearest;
use crate::native::mju::{MJMINVAL, add3, cross, dot3, mul_mat_t_vec3, mul_mat_vec3, normalize3, sub3};
use crate::native::model::RoundPair;
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Bound below which segments count as parallel: squared cross product of the directions, relative to their squared lengths.
const NEARLY_PARALLEL: f64 = 1e-8;

/// Contact of two geoms (`mjContact`) in some lanes, without its constraint rows, which are built later.
#[derive(Clone, Copy)]
pub(in crate::native) struct PreContact<V> {
    /// Bit mask of the lanes in which the geoms touch.
    pub(in crate::native) lanes: u32,
    pub(in crate::native) dist: V,
    pub(in crate::native) normal: [V; 3],
    pub(in crate::native) pos: [V; 3],
}

#[inline(always)]
fn clip<V: Float64Lanes>(x: V, low: V, high: V) -> V {
    V::select(x.lt(low), low, V::select(x.gt(high), high, x))
}

/// Returns the point `middle + share * axis` of a segment with the centre `middle` and the half vector `axis`
/// (`mju_addScl3`).
#[inline(always)]
fn along<V: Float64Lanes>(axis: &[V; 3], share: V, middle: &[V; 3]) -> [V; 3] {
    [axis[0] * share + middle[0], axis[1] * share + middle[1], axis[2] * share + middle[2]]
}

/// Collides two spheres, as `mjc_SphereSphere` (`mjraw_SphereSphere`) does. If the centres coincide, the normal is orthogonal to the geoms' z axes.
#[inline(always)]
fn sphere_sphere<V: Float64Lanes>(round: &RoundPair, axes: [&[V; 3]; 2], one: &[V; 3], other: &[V; 3]) -> PreContact<V> {
    let [first, second] = round.radii;
    let apart = [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
    let square = dot3(&apart, &apart);
    let reach = round.contact.margin + first + second;
    let lanes = V::bits(square.le(V::splat(reach * reach)));
    if lanes == 0 {
        return PreContact { lanes, dist: square, normal: apart, pos: apart };
    }
    let dist = square.sqrt() - V::splat(first) - V::splat(second);
    let to = [other[0] - one[0], other[1] - one[1], other[2] - one[2]];
    let length = dot3(&to, &to).sqrt();
    let by = V::splat(1.0) / length;
    let mut normal = [to[0] * by, to[1] * by, to[2] * by];
    let is_same = length.lt(V::splat(MJMINVAL));
    if V::any(is_same) {
        let across = cross(*axes[0], *axes[1]);
        let length = dot3(&across, &across).sqrt();
        let is_parallel = length.lt(V::splat(MJMINVAL));
        let by = V::splat(1.0) / length;
        for (axis, part) in normal.iter_mut().enumerate() {
            let along_x = V::splat(if axis == 0 { 1.0 } else { 0.0 });
            *part = V::select(is_same, V::select(is_parallel, along_x, across[axis] * by), *part);
        }
    }
    let reached = V::splat(first) + dist / V::splat(2.0);
    let pos_between = [normal[0] * reached + one[0], normal[1] * reached + one[1], normal[2] * reached + one[2]];
    PreContact { lanes, dist, normal, pos: pos_between }
}

outlined!(
    /// Collides a sphere with a box, as `mjc_SphereBox` (`mjraw_SphereBox`) does, in the lanes of `near`. `sphere` is
    /// position and radius, and `solid` the box's position, matrix and half lengths.
    pub(in crate::native) fn sphere_box<V: Float64Lanes>(
        sphere: (&[V; 3], f64),
        solid: (&[V; 3], &[V; 9], &[f64; 3]),
        margin: f64,
        near: u32,
    ) -> PreContact<V> {
        let (pos, radius) = sphere;
        let (xpos, xmat, size) = solid;
        let (none, half) = (V::splat(0.0), V::splat(0.5));
        let center = mul_mat_t_vec3(xmat, sub3(*pos, *xpos));
        let mut clamped = center;
        for axis in 0..3 {
            clamped[axis] = clip(center[axis], V::splat(-size[axis]), V::splat(size[axis]));
        }
        let (mut normal, mut dist) = normalize3(sub3(clamped, center));
        let lanes = near & !V::bits((dist - V::splat(radius)).gt(V::splat(margin)));
        if lanes == 0 {
            return PreContact { lanes, dist, normal, pos: center };
        }
        let mut local = along(&normal, V::splat(radius), &center);
        for axis in 0..3 {
            local[axis] = (none + clamped[axis] * half) + local[axis] * half;
        }
        let is_inside = dist.le(V::splat(MJMINVAL));
        if V::any(is_inside) {
            // The box's nearest face determines the contact.
            let (mut closest, mut nearest) = (V::splat((size[0] + size[1] + size[2]) * 2.0), [none; 3]);
            for face in 0..6 {
                let (axis, sign) = (face / 2, if face % 2 == 0 { -1.0 } else { 1.0 });
                let gap = (V::splat(sign * size[axis]) - center[axis]).abs();
                let is_closer = closest.gt(gap);
                closest = V::select(is_closer, gap, closest);
                for part in 0..3 {
                    let inwards = V::splat(if part == axis { -sign } else { 0.0 });
                    nearest[part] = V::select(is_closer, inwards, nearest[part]);
                }
            }
            let moved = along(&nearest, (V::splat(radius) - closest) / V::splat(2.0), &center);
            for part in 0..3 {
                local[part] = V::select(is_inside, moved[part], local[part]);
                normal[part] = V::select(is_inside, nearest[part], normal[part]);
            }
            dist = V::select(is_inside, -closest, dist);
        }
        let pos = add3(mul_mat_vec3(xmat, local), *xpos);
        PreContact { lanes, dist: dist - V::splat(radius), normal: mul_mat_vec3(xmat, normal), pos }
    }
);

/// Finds the contacts of two geoms, each of which is a sphere or a capsule, as `mjraw_SphereCapsule` and others do.
///
/// Returns up to two contacts per lane, and a bit mask of the lanes that MuJoCo must step instead of the native stepper.
/// Returns `None` if no lane has a contact.
#[inline(always)]
pub(in crate::native) fn collide<V: Float64Lanes>(
    round: &RoundPair,
    [one, other]: [&GeomPose<V>; 2],
    nearest: Nearest,
) -> Option<([PreContact<V>; 2], u32)> {
    let (pos, opposite) = (&one.pos, &other.pos);
    let apart = [pos[0] - opposite[0], pos[1] - opposite[1], pos[2] - opposite[2]];
    let near = V::bits(dot3(&apart, &apart).le(V::splat(round.near)));
    if near == 0 {
        return None;
    }
    collide_near(round, [one, other], nearest, (near, apart))
}

outlined!(
    /// Finds contacts as [`collide`]. `near` is the lanes in which the geoms are near, and the vector between their centres.
    fn collide_near<V: Float64Lanes>(
        round: &RoundPair,
        geoms: [&GeomPose<V>; 2],
        nearest: Nearest,
        near: (u32, [V; 3]),
    ) -> Option<([PreContact<V>; 2], u32)> {
        let ([one, other], (near, apart)) = (geoms, near);
        let (pos, opposite) = (&one.pos, &other.pos);
        let axes = [&one.axis, &other.axis];
        let mut found;
        match round.halves {
            [Some(first), Some(second)] => {
                let (first, second) = (V::splat(first), V::splat(second));
                let a = [one.axis[0] * first, one.axis[1] * first, one.axis[2] * first];
                let b = [other.axis[0] * second, other.axis[1] * second, other.axis[2] * second];
                return Some(capsule_capsule(round, axes, (near, nearest), [(pos, &a), (opposite, &b)], &apart));
            }
            [_, Some(half)] => {
                let share = clip(dot3(&other.axis, &apart), V::splat(-half), V::splat(half));
                found = sphere_sphere(round, axes, pos, &along(&other.axis, share, opposite));
            }
            _ => found = sphere_sphere(round, axes, pos, opposite),
        }
        found.lanes &= near;
        let nothing = PreContact { lanes: 0, ..found };
        (found.lanes != 0).then_some(([found, nothing], 0))
    }
);

/// Collides two capsules, given by centres and half vectors, as `mjc_CapsuleCapsule` (`mjraw_CapsuleCapsule`) does before MuJoCo 3.17.
#[inline(always)]
fn capsule_capsule<V: Float64Lanes>(
    round: &RoundPair,
    axes: [&[V; 3]; 2],
    (near, nearest): (u32, Nearest),
    [(pos, a), (opposite, b)]: [(&[V; 3], &[V; 3]); 2],
    apart: &[V; 3],
) -> ([PreContact<V>; 2], u32) {
    if nearest == Nearest::FromEnds {
        return capsule_capsule_from_ends(round, axes, near, [(pos, a), (opposite, b)]);
    }
    let (one, minus) = (V::splat(1.0), V::splat(-1.0));
    let (aa, ab, bb) = (dot3(a, a), -dot3(a, b), dot3(b, b));
    let (u, v) = (-dot3(a, apart), dot3(b, apart));
    let (parallel, mut x, mut y);
    if nearest == Nearest::ByCrossProduct {
        // The cross product is accurate even for nearly parallel segments, unlike the determinant of the linear equations.
        let across = cross(*a, *b);
        let square = dot3(&across, &across);
        parallel = near & !V::bits((V::splat(NEARLY_PARALLEL) * aa * bb).lt(square));
        x = clip(dot3(&across, &cross(*b, *apart)) / square, minus, one);
        y = (v - ab * x) / bb;
        let is_outside = y.abs().gt(one);
        y = clip(y, minus, one);
        x = V::select(is_outside, clip((u - ab * y) / aa, minus, one), x);
    } else {
        let determinant = aa * bb - ab * ab;
        parallel = near & V::bits(determinant.abs().lt(V::splat(MJMINVAL)));
        x = (bb * u - ab * v) / determinant;
        y = (aa * v - ab * u) / determinant;
        let (is_over, is_under) = (x.gt(one), x.lt(minus));
        y = V::select(is_over, (v - ab) / bb, V::select(is_under, (v + ab) / bb, y));
        x = V::select(is_over, one, V::select(is_under, minus, x));
        let (is_over, is_under) = (y.gt(one), y.lt(minus));
        let (upper, lower) = (clip((u - ab) / aa, minus, one), clip((u + ab) / aa, minus, one));
        x = V::select(is_over, upper, V::select(is_under, lower, x));
        y = V::select(is_over, one, V::select(is_under, minus, y));
    }
    let mut found = sphere_sphere(round, axes, &along(a, x, pos), &along(b, y, opposite));
    found.lanes &= near;
    let mut second = PreContact { lanes: 0, ..found };
    if parallel != 0 {
        found.lanes &= !parallel;
        for lane in (0..V::COUNT).filter(|lane| parallel >> lane & 1 != 0) {
            let numbers = [aa, ab, bb, u, v].map(|number| number.get(lane));
            let of = |vector: &[V; 3]| in_lane(vector, lane);
            let axes = [of(axes[0]), of(axes[1])];
            let contacts = parallel_capsules(round, [&axes[0], &axes[1]], [(of(pos), of(a)), (of(opposite), of(b))], numbers);
            put_in_lane([&mut found, &mut second], &contacts, lane);
        }
    }
    ([found, second], 0)
}

/// Returns the components of a vector of three numbers in one lane.
fn in_lane<V: Float64Lanes>(vector: &[V; 3], lane: usize) -> [f64; 3] {
    [vector[0].get(lane), vector[1].get(lane), vector[2].get(lane)]
}

/// Writes up to two contacts of one lane into the SIMD vectors that hold the contacts of all lanes.
fn put_in_lane<V: Float64Lanes>(to: [&mut PreContact<V>; 2], contacts: &[PreContact<f64>], lane: usize) {
    for (to, from) in to.into_iter().zip(contacts) {
        to.lanes |= 1 << lane;
        to.dist.set(lane, from.dist);
        for axis in 0..3 {
            to.normal[axis].set(lane, from.normal[axis]);
            to.pos[axis].set(lane, from.pos[axis]);
        }
    }
}

/// Coefficients of the linear equations that determine the nearest points of two segments.
struct Segments<V> {
    /// Squared lengths of the first segment (`aa`) and of the second (`bb`).
    aa: V,
    bb: V,
    /// Dot product of the directions of the two segments.
    ab: V,
    /// Dot product of the first direction and the offset between the segments' starts.
    u: V,
    /// Dot product of the second direction and the offset between the segments' starts.
    v: V,
}

impl<V: Float64Lanes> Segments<V> {
    /// Clamps the nearest point of the second segment, and recomputes that of the first; both as fractions of lengths.
    #[inline(always)]
    fn within(&self, [x, y]: [V; 2]) -> [V; 2] {
        let (none, one) = (V::splat(0.0), V::splat(1.0));
        let (is_before, is_beyond) = (y.lt(none), y.gt(one));
        let by_first = clip(-self.u / self.aa, none, one);
        let by_last = clip((self.ab - self.u) / self.aa, none, one);
        [
            V::select(is_before, by_first, V::select(is_beyond, by_last, x)),
            V::select(is_before, none, V::select(is_beyond, one, y)),
        ]
    }
}

/// Collides capsules as `mjraw_CapsuleCapsule` since 3.17, with fractions that are counted from an end of each segment.
#[inline(always)]
fn capsule_capsule_from_ends<V: Float64Lanes>(
    round: &RoundPair,
    axes: [&[V; 3]; 2],
    near: u32,
    [(pos, a), (opposite, b)]: [(&[V; 3], &[V; 3]); 2],
) -> ([PreContact<V>; 2], u32) {
    let (none, one, tiny) = (V::splat(0.0), V::splat(1.0), V::splat(MJMINVAL));
    let (begin, other) = (sub3(*pos, *a), sub3(*opposite, *b));
    let (a, b) = (sub3(add3(*a, *pos), begin), sub3(add3(*b, *opposite), other));
    let apart = sub3(begin, other);
    let segments = Segments { aa: dot3(&a, &a), bb: dot3(&b, &b), ab: dot3(&a, &b), u: dot3(&a, &apart), v: dot3(&b, &apart) };
    let across = cross(a, b);
    let square = dot3(&across, &across);
    let parallel = near & !V::bits((segments.aa * V::splat(NEARLY_PARALLEL) * segments.bb).lt(square));
    let x = clip(dot3(&across, &cross(b, apart)) / square, none, one);
    let [x, y] = segments.within([x, (segments.ab * x + segments.v) / segments.bb]);
    let mut found = sphere_sphere(round, axes, &along(&a, x, &begin), &along(&b, y, &other));
    found.lanes &= near & !parallel;
    // MuJoCo treats a segment of zero length as a point, so MuJoCo must step the lanes that have such a segment.
    let fallback = near & V::bits(V::mask_or(segments.aa.le(tiny), segments.bb.le(tiny)));
    let mut second = PreContact { lanes: 0, ..found };
    for lane in (0..V::COUNT).filter(|lane| parallel >> lane & 1 != 0) {
        let Segments { aa, bb, ab, u, v } = segments;
        let [aa, bb, ab, u, v] = [aa, bb, ab, u, v].map(|number| number.get(lane));
        let (segments, mut contacts) = (Segments { aa, bb, ab, u, v }, Vec::new());
        for [x, y] in [segments.within([0.0, v / bb]), segments.within([1.0, (v + ab) / bb])] {
            let of = |vector: &[V; 3]| in_lane(vector, lane);
            let axes = [of(axes[0]), of(axes[1])];
            let contact =
                sphere_sphere(round, [&axes[0], &axes[1]], &along(&of(&a), x, &of(&begin)), &along(&of(&b), y, &of(&other)));
            contacts.extend((contact.lanes != 0).then_some(contact));
        }
        put_in_lane([&mut found, &mut second], &contacts, lane);
    }
    ([found, second], fallback)
}

/// Collides two parallel capsules in one lane, which gives up to two contacts at their ends.
fn parallel_capsules(
    round: &RoundPair,
    axes: [&[f64; 3]; 2],
    [(pos, a), (opposite, b)]: [([f64; 3], [f64; 3]); 2],
    [aa, ab, bb, u, v]: [f64; 5],
) -> Vec<PreContact<f64>> {
    let end = |middle: [f64; 3], axis: [f64; 3], sign: f64| [0, 1, 2].map(|part| middle[part] + sign * axis[part]);
    let mut found = Vec::new();
    let mut look = |one: [f64; 3], other: [f64; 3]| {
        if found.len() < 2 {
            let contact = sphere_sphere::<f64>(round, axes, &one, &other);
            if contact.lanes != 0 {
                found.push(contact);
            }
        }
    };
    look(end(pos, a, 1.0), along(&b, clip((v - ab) / bb, -1.0, 1.0), &opposite));
    look(end(pos, a, -1.0), along(&b, clip((v + ab) / bb, -1.0, 1.0), &opposite));
    look(along(&a, clip((u - ab) / aa, -1.0, 1.0), &pos), end(opposite, b, 1.0));
    look(along(&a, clip((u + ab) / aa, -1.0, 1.0), &pos), end(opposite, b, -1.0));
    found
}

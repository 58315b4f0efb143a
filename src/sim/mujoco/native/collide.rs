//! Where two spheres or capsules touch.

use super::algebra::TINY;
use super::lanes::Lanes;
use super::smooth::Placed;
use super::tables::Round;

/// Two shapes that are near one another, in some lanes.
#[derive(Clone, Copy)]
pub(super) struct Found<V> {
    /// The lanes, as bits.
    pub(super) lanes: u32,
    pub(super) distance: V,
    pub(super) normal: [V; 3],
    pub(super) point: [V; 3],
}

#[inline(always)]
fn dot<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn clip<V: Lanes>(x: V, low: V, high: V) -> V {
    V::select(x.lt(low), low, V::select(x.gt(high), high, x))
}

/// A share of the way along a segment, from its middle.
#[inline(always)]
fn along<V: Lanes>(axis: &[V; 3], share: V, middle: &[V; 3]) -> [V; 3] {
    [axis[0] * share + middle[0], axis[1] * share + middle[1], axis[2] * share + middle[2]]
}

/// Two spheres about these places, and the lanes, as bits, in which the places are the same.
#[inline(always)]
fn spheres<V: Lanes>(round: &Round, one: &[V; 3], other: &[V; 3]) -> (Found<V>, u32) {
    let [first, second] = round.radii;
    let apart = [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
    let square = dot(&apart, &apart);
    let reach = round.margin + first + second;
    let lanes = V::bits(square.le(V::all(reach * reach)));
    if lanes == 0 {
        return (Found { lanes, distance: square, normal: apart, point: apart }, 0);
    }
    let distance = square.sqrt() - V::all(first) - V::all(second);
    let to = [other[0] - one[0], other[1] - one[1], other[2] - one[2]];
    let length = dot(&to, &to).sqrt();
    let by = V::all(1.0) / length;
    let normal = [to[0] * by, to[1] * by, to[2] * by];
    let reached = V::all(first) + distance / V::all(2.0);
    let point = [normal[0] * reached + one[0], normal[1] * reached + one[1], normal[2] * reached + one[2]];
    (Found { lanes, distance, normal, point }, lanes & V::bits(length.lt(V::all(TINY))))
}

/// Up to two places for each lane, and the lanes, as bits, that have to be left to the library; nothing if no lane has a place.
#[inline(always)]
pub(super) fn collide<V: Lanes>(round: &Round, [one, other]: [&Placed<V>; 2]) -> Option<([Found<V>; 2], u32)> {
    let (place, opposite) = (&one.place, &other.place);
    let apart = [place[0] - opposite[0], place[1] - opposite[1], place[2] - opposite[2]];
    let near = V::bits(dot(&apart, &apart).le(V::all(round.near)));
    if near == 0 {
        return None;
    }
    let (mut found, mut alarms);
    match round.halves {
        [Some(first), Some(second)] => {
            let (first, second) = (V::all(first), V::all(second));
            let a = [one.axis[0] * first, one.axis[1] * first, one.axis[2] * first];
            let b = [other.axis[0] * second, other.axis[1] * second, other.axis[2] * second];
            return Some(capsules(round, near, [(place, &a), (opposite, &b)], &apart));
        }
        [_, Some(half)] => {
            let share = clip(dot(&other.axis, &apart), V::all(-half), V::all(half));
            (found, alarms) = spheres(round, place, &along(&other.axis, share, opposite));
        }
        _ => (found, alarms) = spheres(round, place, opposite),
    }
    found.lanes &= near;
    alarms &= near;
    let nothing = Found { lanes: 0, ..found };
    (found.lanes != 0).then_some(([found, nothing], alarms))
}

/// Two capsules, each a middle and half its segment.
#[inline(always)]
fn capsules<V: Lanes>(
    round: &Round,
    near: u32,
    [(place, a), (opposite, b)]: [(&[V; 3], &[V; 3]); 2],
    apart: &[V; 3],
) -> ([Found<V>; 2], u32) {
    let (one, minus) = (V::all(1.0), V::all(-1.0));
    let (aa, ab, bb) = (dot(a, a), -dot(a, b), dot(b, b));
    let (u, v) = (-dot(a, apart), dot(b, apart));
    let determinant = aa * bb - ab * ab;
    let parallel = near & V::bits(determinant.abs().lt(V::all(TINY)));
    let mut x = (bb * u - ab * v) / determinant;
    let mut y = (aa * v - ab * u) / determinant;
    let (is_over, is_under) = (x.gt(one), x.lt(minus));
    y = V::select(is_over, (v - ab) / bb, V::select(is_under, (v + ab) / bb, y));
    x = V::select(is_over, one, V::select(is_under, minus, x));
    let (is_over, is_under) = (y.gt(one), y.lt(minus));
    let (upper, lower) = (clip((u - ab) / aa, minus, one), clip((u + ab) / aa, minus, one));
    x = V::select(is_over, upper, V::select(is_under, lower, x));
    y = V::select(is_over, one, V::select(is_under, minus, y));
    let (mut found, mut alarms) = spheres(round, &along(a, x, place), &along(b, y, opposite));
    found.lanes &= near;
    alarms &= near & !parallel;
    let mut second = Found { lanes: 0, ..found };
    if parallel != 0 {
        found.lanes &= !parallel;
        for lane in (0..V::COUNT).filter(|lane| parallel >> lane & 1 != 0) {
            let get = |vector: &[V; 3]| [vector[0].get(lane), vector[1].get(lane), vector[2].get(lane)];
            let numbers = [aa, ab, bb, u, v].map(|number| number.get(lane));
            let (places, alarm) = parallel_capsules(round, [(get(place), get(a)), (get(opposite), get(b))], numbers);
            alarms |= u32::from(alarm) << lane;
            for (to, from) in [&mut found, &mut second].into_iter().zip(&places) {
                to.lanes |= 1 << lane;
                to.distance.set(lane, from.distance);
                for axis in 0..3 {
                    to.normal[axis].set(lane, from.normal[axis]);
                    to.point[axis].set(lane, from.point[axis]);
                }
            }
        }
    }
    ([found, second], alarms)
}

/// Capsules side by side, which touch at two of their ends, at most.
fn parallel_capsules(
    round: &Round,
    [(place, a), (opposite, b)]: [([f64; 3], [f64; 3]); 2],
    [aa, ab, bb, u, v]: [f64; 5],
) -> (Vec<Found<f64>>, bool) {
    let end = |middle: [f64; 3], axis: [f64; 3], sign: f64| [0, 1, 2].map(|part| middle[part] + sign * axis[part]);
    let mut found = Vec::new();
    let mut alarm = false;
    let mut look = |one: [f64; 3], other: [f64; 3]| {
        if found.len() < 2 {
            let (place, is_same) = spheres::<f64>(round, &one, &other);
            if place.lanes != 0 {
                found.push(place);
                alarm |= is_same != 0;
            }
        }
    };
    look(end(place, a, 1.0), along(&b, clip((v - ab) / bb, -1.0, 1.0), &opposite));
    look(end(place, a, -1.0), along(&b, clip((v + ab) / bb, -1.0, 1.0), &opposite));
    look(along(&a, clip((u - ab) / aa, -1.0, 1.0), &place), end(opposite, b, 1.0));
    look(along(&a, clip((u + ab) / aa, -1.0, 1.0), &place), end(opposite, b, -1.0));
    (found, alarm)
}

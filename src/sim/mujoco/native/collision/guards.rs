//! Guards (distance tests) for pairs of geoms without a native collider. A guard finds the lanes in which the geoms may touch.
//! In these lanes, MuJoCo must find the contacts, or take the step.

use crate::native::data::{GeomPose, NativeData};
use crate::native::mju::{MJMINVAL, add3, dot3, mul_mat_t_vec3, scl3, sub3};
use crate::native::model::{AlignedBox, BoxFilter, Guard, NativeModel};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns a bit mask of the lanes in which two geoms may touch.
#[inline(always)]
pub(in crate::native) fn near_lanes<V: Float64Lanes>(
    model: &NativeModel,
    (guard, geoms): (&Guard, [usize; 2]),
    data: &NativeData<V>,
) -> u32 {
    let [one, other] = geoms.map(|geom| &data.geom_poses[geom]);
    match guard {
        Guard::Plane(height) => V::bits(other.pos[2].le(V::splat(*height))),
        Guard::Slope(reach) => V::bits(dot3(&sub3(other.pos, one.pos), &one.axis).le(V::splat(*reach))),
        Guard::Distance { near, halves, ellipsoid, reach } => {
            let mut fallback = V::bits(match halves {
                Some(halves) => filter_segments([one, other], *near, *halves, *reach),
                None => filter_sphere([one, other], *near),
            });
            if let Some((sizes, half)) = ellipsoid
                && fallback != 0
            {
                let matrix = data.geom_xmat(model, geoms[1]);
                fallback &= ellipsoid_within((&matrix, sizes, other.pos), (one.pos, scl3(one.axis, V::splat(*half))), *reach);
            }
            fallback
        }
        Guard::Box { bounds, axis_half, reach } => V::bits(box_within(bounds, (&one.pos, &one.axis, *axis_half), *reach)),
    }
}

/// Returns for each of the model's box filters whether any lane's tree is within its reach.
#[inline(always)]
pub(in crate::native) fn apply_box_filters<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>, near: &mut Vec<bool>) {
    near.clear();
    for BoxFilter { bounds, root, reach } in &model.box_filters {
        let xpos = &data.xpos[*root];
        near.push(V::any(box_within(bounds, (xpos, xpos, 0.0), *reach)));
    }
}

/// Returns a mask of the lanes in which a segment's box may be within `reach` of a box.
#[inline(always)]
fn box_within<V: Float64Lanes>(bounds: &AlignedBox, (middle, axis, half): (&[V; 3], &[V; 3], f64), reach: f64) -> V::Mask {
    let (none, mut square) = (V::splat(0.0), V::splat(0.0));
    for part in 0..3 {
        let apart = (middle[part] - V::splat(bounds.center[part])).abs() - V::splat(bounds.half[part]);
        let gap = (if half == 0.0 { apart } else { apart - (V::splat(half) * axis[part]).abs() }).larger(none);
        square = square + gap * gap;
    }
    square.le(V::splat(reach * reach))
}

/// Returns a mask of the lanes in which the squared distance of the geoms' centres is at most `near`, as `filterSphere` tests.
#[inline(always)]
fn filter_sphere<V: Float64Lanes>([one, other]: [&GeomPose<V>; 2], near: f64) -> V::Mask {
    let between = sub3(one.pos, other.pos);
    dot3(&between, &between).le(V::splat(near))
}

/// Returns a mask of the lanes in which the distance of the geoms' axis segments is at most `reach`.
///
/// The mask contains only lanes in which the squared distance of the geoms' centres is at most `near` (see [`filter_sphere`]).
#[inline(always)]
pub(in crate::native) fn filter_segments<V: Float64Lanes>(
    geoms: [&GeomPose<V>; 2],
    near: f64,
    halves: [f64; 2],
    reach: f64,
) -> V::Mask {
    let is_within = filter_sphere(geoms, near);
    if !V::any(is_within) {
        return is_within;
    }
    let [one, other] = geoms;
    let segments = [(one.pos, scl3(one.axis, V::splat(halves[0]))), (other.pos, scl3(other.axis, V::splat(halves[1])))];
    V::mask_and(is_within, distance(&segments).le(V::splat(reach * reach)))
}

outlined!(
    /// Returns a bit mask of the lanes in which one separating plane does not exclude contacts of an ellipsoid with a segment.
    fn ellipsoid_within<V: Float64Lanes>(ellipsoid: (&[V; 9], &[f64; 3], [V; 3]), segment: ([V; 3], [V; 3]), reach: f64) -> u32 {
        let (matrix, sizes, xpos) = ellipsoid;
        let (middle, along) = segment;
        let (none, one) = (V::splat(0.0), V::splat(1.0));
        let (middle, along) = (mul_mat_t_vec3(matrix, sub3(middle, xpos)), mul_mat_t_vec3(matrix, along));
        // The segment's point that is nearest to the ellipsoid is computed in coordinates in which the ellipsoid is a sphere.
        let (mut across, mut square) = (none, V::splat(MJMINVAL));
        for axis in 0..3 {
            let by = V::splat(1.0 / (sizes[axis] * sizes[axis]));
            across = across + middle[axis] * along[axis] * by;
            square = square + along[axis] * along[axis] * by;
        }
        let share = -across / square;
        let share = V::select(share.lt(-one), -one, V::select(share.gt(one), one, share));
        // The separating plane is orthogonal to the line from the segment's nearest point to the ellipsoid. The support distances of
        // both shapes are computed along this line.
        let mut way = [none; 3];
        let (mut length, mut own, mut centre, mut slope) = (none, none, none, none);
        for axis in 0..3 {
            way[axis] = (middle[axis] + share * along[axis]) * V::splat(1.0 / (sizes[axis] * sizes[axis]));
            length = length + way[axis] * way[axis];
            own = own + V::splat(sizes[axis] * sizes[axis]) * (way[axis] * way[axis]);
            centre = centre + way[axis] * middle[axis];
            slope = slope + way[axis] * along[axis];
        }
        let is_apart = (centre - slope.abs()).gt(own.sqrt() + V::splat(reach) * length.sqrt());
        !V::bits(is_apart) & V::ALL
    }
);

/// Line segment, given by its centre and its half vector.
type Segment<V> = ([V; 3], [V; 3]);

#[inline(always)]
fn least<V: Float64Lanes>(one: V, other: V) -> V {
    V::select(one.lt(other), one, other)
}

#[inline(always)]
fn point_segment_distance<V: Float64Lanes>(point: [V; 3], (middle, half): &Segment<V>) -> V {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let (from, square) = (sub3(point, *middle), dot3(half, half));
    let share = V::select(square.gt(none), dot3(&from, half) / square, none);
    let share = V::select(share.lt(-one), -one, least(share, one));
    let gap = sub3(from, scl3(*half, share));
    dot3(&gap, &gap)
}

outlined!(
    fn distance<V: Float64Lanes>(segments: &[Segment<V>; 2]) -> V {
        let [one @ (middle, along), other @ (opposite, across)] = segments;
        // The minimum distance lies between an end of a segment and the other segment, or between two interior points.
        let mut square = point_segment_distance(add3(*middle, *along), other);
        square = least(square, point_segment_distance(sub3(*middle, *along), other));
        square = least(square, point_segment_distance(add3(*opposite, *across), one));
        square = least(square, point_segment_distance(sub3(*opposite, *across), one));
        let between = sub3(*middle, *opposite);
        let (a, b, c) = (dot3(along, along), dot3(along, across), dot3(across, across));
        let (u, v) = (dot3(along, &between), dot3(across, &between));
        let determinant = a * c - b * b;
        let (x, y) = ((b * v - c * u) / determinant, (a * v - b * u) / determinant);
        let gap = sub3(add3(between, scl3(*along, x)), scl3(*across, y));
        let one = V::splat(1.0);
        let is_within = V::mask_and(V::mask_and(determinant.gt(V::splat(0.0)), x.abs().le(one)), y.abs().le(one));
        V::select(is_within, least(square, dot3(&gap, &gap)), square)
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use envpool_rs_numeric::simd::Lanes;

    #[test]
    fn distances_of_segments_are_measured_between_nearest_points() {
        let x = ([0.0; 3], [1.0, 0.0, 0.0]);
        for (segment, expected) in [
            (([0.0, 0.0, 2.0], [0.0, 1.0, 0.0]), 2.0),
            (([3.0, 0.0, 0.0], [0.5, 0.0, 0.0]), 1.5),
            (([0.5, 0.0, 1.0], [1.0, 0.0, 0.0]), 1.0),
            (([0.0, 3.0, 0.0], [0.0, 1.0, 0.0]), 2.0),
            (([2.0, 1.0, 0.0], [0.0, 0.0, 0.0]), 2.0_f64.sqrt()),
            (([4.0, 4.0, 0.0], [0.0, 5.0, 0.0]), 3.0),
        ] {
            assert!((distance::<f64>(&[x, segment]).sqrt() - expected).abs() < 1e-12, "{segment:?}");
            assert!((distance::<f64>(&[segment, x]).sqrt() - expected).abs() < 1e-12, "{segment:?}");
        }
    }

    #[test]
    fn segments_are_near_a_box_within_reach() {
        let bounds = AlignedBox { center: [4.0, 0.0, 1.0], half: [2.0, 3.0, 0.5] };
        let is_near = |middle: [f64; 3], axis: [f64; 3], half: f64, reach: f64| {
            f64::any(box_within(&bounds, (&middle, &axis, half), reach))
        };
        // The point is 3 m away along x and 4 m along y.
        assert!(is_near([-1.0, 7.0, 1.2], [0.0; 3], 0.0, 5.001));
        assert!(!is_near([-1.0, 7.0, 1.2], [0.0; 3], 0.0, 4.999));
        assert!(is_near([-1.0, 7.0, 1.2], [0.6, -0.8, 0.0], 2.0, 2.002 + 1.0), "the segment points to the box");
        assert!(!is_near([-1.0, 7.0, 1.2], [0.0, 0.0, 1.0], 0.7, 4.999), "the segment is parallel to a side");
        assert!(is_near([3.0, 1.0, 1.1], [0.0, 0.0, 1.0], 0.1, 0.0), "the segment is inside");
    }
}

//! Colliders (functions that find contact points) between horizontal planes and ellipsoids, cylinders or boxes.

use super::algebra::{MJMINVAL, add, all3, cross, mul_mat_vec3, scaled, sub};
use super::contacts::add_plane_contact;
use super::lane_fields::FieldSource;
use super::outlined::outlined;
use super::rows::Constraints;
use super::smooth::NativeData;
use super::tables::{NativeModel, PlanePair, PlaneSolid};
use envpool_rs_numeric::simd::Float64Lanes;

/// Contact point between a plane and a geom: a mask of the lanes in which the point exists, its distance from the plane, and
/// its position.
struct PlanePoint<V: Float64Lanes> {
    lanes: V::Mask,
    gap: V,
    point: [V; 3],
}

/// Adds the contacts between a horizontal plane and an ellipsoid, cylinder or box.
#[inline(always)]
pub(super) fn add_plane_contacts<V: Float64Lanes>(
    solid: PlaneSolid,
    (model, fields): (&NativeModel, impl FieldSource<V>),
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, ground): (usize, &PlanePair),
) {
    let shape = model.pairs[pair].geoms[1];
    let place = motion.geom_poses[shape].pos;
    let above = place[2] - V::splat(ground.height);
    let is_near = above.le(V::splat(ground.near));
    if !V::any(is_near) {
        return;
    }
    let matrix = motion.geom_xmat(model, shape);
    for touching in plane_points(solid, (model, ground), &matrix, place).into_iter().flatten() {
        let PlanePoint { lanes, gap, point } = touching;
        let is_on = V::mask_and(
            V::mask_and(is_near, lanes),
            V::mask_and(gap.le(V::splat(ground.margin)), gap.lt(V::splat(ground.margin))),
        );
        if V::any(is_on) {
            // In lanes without the contact, the tangent is zero, so that the rows are zero.
            let tangent = [V::splat(0.0), V::splat(1.0).select_or_zero(is_on)];
            add_plane_contact((model, fields), motion, rows, (pair, ground), (is_on, gap, point), tangent);
        }
    }
}

outlined! {
    /// Returns the points at which a geom may touch a plane.
    fn plane_points<'a, V>(
        solid: PlaneSolid,
        tables: (&'a NativeModel, &'a PlanePair),
        matrix: &'a [V; 9],
        place: [V; 3],
    ) -> [Option<PlanePoint<V>>; 4] = find_plane_points
}

#[inline(always)]
fn find_plane_points<V: Float64Lanes>(
    solid: PlaneSolid,
    (model, ground): (&NativeModel, &PlanePair),
    matrix: &[V; 9],
    place: [V; 3],
) -> [Option<PlanePoint<V>>; 4] {
    let (height, margin) = (V::splat(ground.height), V::splat(ground.margin));
    let above = place[2] - height;
    let [one, two, three, four] = match solid {
        PlaneSolid::Ellipsoid(sizes) => {
            let point = plane_ellipsoid((matrix, &sizes), place, height, model.dialect.ellipsoid_scales_once);
            return [Some(point), None, None, None];
        }
        PlaneSolid::Cylinder(sizes) => plane_cylinder(matrix, sizes, place, (above, margin)),
        PlaneSolid::Box(sizes) => plane_box(matrix, &sizes, place, (above, margin)),
    };
    [Some(one), Some(two), Some(three), Some(four)]
}

/// Returns the contacts of a plane with a box, at up to four corners in the order of `mjc_PlaneBox`. Lanes can have contacts at
/// different corners.
#[inline(always)]
fn plane_box<V: Float64Lanes>(matrix: &[V; 9], sizes: &[f64; 3], place: [V; 3], (above, margin): (V, V)) -> [PlanePoint<V>; 4] {
    let none = V::splat(0.0);
    let (mut lanes, mut gaps, mut points) = ([0; 4], [none; 4], [[none; 3]; 4]);
    for corner in 0..8 {
        let mut local = *sizes;
        for (axis, part) in local.iter_mut().enumerate() {
            *part = if corner >> axis & 1 != 0 { *part } else { -*part };
        }
        let offset = mul_mat_vec3(matrix, all3(&local));
        let gap = above + offset[2];
        let mut left = V::bits(V::mask_and(gap.le(margin), offset[2].le(none)));
        let point = add(offset, place);
        // Each lane stores the contact in its first free place.
        for number in 0..4 {
            let own = left & !lanes[number];
            if own == 0 {
                continue;
            }
            let here = V::mask(own);
            (lanes[number], left) = (lanes[number] | own, left & !own);
            gaps[number] = V::select(here, gap, gaps[number]);
            for axis in 0..3 {
                points[number][axis] = V::select(here, point[axis], points[number][axis]);
            }
        }
    }
    let at = |number: usize| {
        let (gap, [x, y, z]) = (gaps[number], points[number]);
        PlanePoint { lanes: V::mask(lanes[number]), gap, point: [x, y, z + -gap * V::splat(0.5)] }
    };
    [at(0), at(1), at(2), at(3)]
}

/// Returns the contact of a plane with an ellipsoid, which is at the ellipsoid's lowest point, as `mjc_PlaneConvex` does.
#[inline(always)]
fn plane_ellipsoid<V: Float64Lanes>(
    (matrix, sizes): (&[V; 9], &[f64; 3]),
    place: [V; 3],
    height: V,
    scales_once: bool,
) -> PlanePoint<V> {
    let sizes: [V; 3] = all3(sizes);
    // The sums include terms that are always zero, as in MuJoCo's formula, so that the signs of zeros agree.
    let (none, minus) = (V::splat(-0.0), V::splat(-1.0));
    let down = [
        matrix[0] * none + matrix[3] * none + matrix[6] * minus,
        matrix[1] * none + matrix[4] * none + matrix[7] * minus,
        matrix[2] * none + matrix[5] * none + matrix[8] * minus,
    ];
    let on_sphere = [down[0] * sizes[0], down[1] * sizes[1], down[2] * sizes[2]];
    let square = on_sphere[0] * on_sphere[0] + on_sphere[1] * on_sphere[1] + on_sphere[2] * on_sphere[2];
    let by = V::splat(1.0) / square.sqrt();
    let mut local = [V::splat(0.0); 3];
    for axis in 0..3 {
        local[axis] = if scales_once { on_sphere[axis] * (by * sizes[axis]) } else { on_sphere[axis] * by * sizes[axis] };
    }
    let point = add(mul_mat_vec3(matrix, local), place);
    let gap = point[2] - height;
    PlanePoint { lanes: V::mask(V::ALL), gap, point: [point[0], point[1], point[2] + V::splat(-0.5) * gap] }
}

/// Returns the contacts of a plane with a cylinder, which are on the cylinder's rims, as `mjc_PlaneCylinder` does: the nearest
/// point of each rim, and two more points of the lower rim.
#[inline(always)]
fn plane_cylinder<V: Float64Lanes>(
    matrix: &[V; 9],
    [radius, half]: [f64; 2],
    place: [V; 3],
    (above, margin): (V, V),
) -> [PlanePoint<V>; 4] {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let is_up = matrix[8].gt(none);
    let signed = |part: V| V::select(is_up, part * V::splat(-1.0), part);
    // `axis` is the direction along the cylinder's axis that points down, and `down` is its vertical component.
    let axis = [signed(matrix[2]), signed(matrix[5]), signed(matrix[8])];
    let down = axis[2];
    let out = [axis[0] * down, axis[1] * down, axis[2] * down - one];
    let square = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
    let is_level = square.lt(V::splat(MJMINVAL * MJMINVAL));
    let by = V::splat(radius) / square.sqrt();
    let level = [matrix[0] * V::splat(radius), matrix[3] * V::splat(radius), matrix[6] * V::splat(radius)];
    let out = [
        V::select(is_level, level[0], out[0] * by),
        V::select(is_level, level[1], out[1] * by),
        V::select(is_level, level[2], out[2] * by),
    ];
    let (axis, down) = (scaled(axis, V::splat(half)), down * V::splat(half));
    let lower = above + down + out[2];
    let is_low = lower.le(margin);
    let upper = above - down + out[2];
    let edge_distance = above + down + -out[2] * V::splat(0.5);
    let across = cross(out, axis);
    let length = (across[0] * across[0] + across[1] * across[1] + across[2] * across[2]).sqrt();
    let is_nothing = length.lt(V::splat(MJMINVAL));
    let across = scaled(across, one / length);
    let across =
        [V::select(is_nothing, one, across[0]), V::select(is_nothing, none, across[1]), V::select(is_nothing, none, across[2])];
    let across = scaled(across, V::splat(radius * 3.0_f64.sqrt() / 2.0));
    let inwards = scaled(out, V::splat(-0.5));
    let at = |gap: V, [x, y, z]: [V; 3]| PlanePoint { lanes: is_low, gap, point: [x, y, z + -gap * V::splat(0.5)] };
    [
        at(lower, add(add(place, out), axis)),
        at(upper, sub(add(place, out), axis)),
        at(edge_distance, add(add(add(place, across), axis), inwards)),
        at(edge_distance, add(add(sub(place, across), axis), inwards)),
    ]
}

//! Colliders (functions that find contact points) between horizontal planes and ellipsoids, cylinders or boxes.

use crate::native::constraint::Constraints;
use crate::native::constraint::contacts::add_plane_contact;
use crate::native::data::NativeData;
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{MJMINVAL, add3, cross, mul_mat_vec3, scl3, splat3, sub3};
use crate::native::model::{NativeModel, PlanePair, PlaneSolid};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Contact point of a plane: lanes in which it exists, its distance from the plane, and its position.
struct PlanePoint<V: Float64Lanes> {
    lanes: V::Mask,
    dist: V,
    pos: [V; 3],
}

/// Adds the contacts between a horizontal plane and an ellipsoid, cylinder or box.
#[inline(always)]
pub(in crate::native) fn add_plane_contacts<V: Float64Lanes>(
    solid: PlaneSolid,
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, ground): (usize, &PlanePair),
) {
    let geom = model.pairs[pair].geoms[1];
    let xpos = data.geom_poses[geom].pos;
    let above = xpos[2] - V::splat(ground.height);
    let is_near = above.le(V::splat(ground.near));
    if !V::any(is_near) {
        return;
    }
    let xmat = data.geom_xmat(model, geom);
    for touching in plane_points(solid, (model, ground), &xmat, xpos).into_iter().flatten() {
        let PlanePoint { lanes, dist, pos } = touching;
        let is_on = V::mask_and(V::mask_and(is_near, lanes), dist.lt(V::splat(ground.contact.includemargin)));
        if V::any(is_on) {
            if let PlaneSolid::Cylinder([radius, half]) = solid {
                // The contact of an upright cylinder may be lower than its bounding box, which the mid phase tests.
                let below = (xmat[6].abs() + xmat[7].abs()) * V::splat(radius) + xmat[8].abs() * V::splat(half);
                let depth = V::splat(ground.contact.margin) - (above - below);
                rows.uncertain |= ground.contact.uncertain_lanes(0, is_on, depth, &pos);
            }
            // In lanes without the contact, the tangent is zero, so that the rows are zero.
            let tangent = [V::splat(0.0), V::splat(1.0).select_or_zero(is_on)];
            add_plane_contact((model, fields), data, rows, (pair, ground), (is_on, dist, pos), tangent);
        }
    }
}

outlined!(
    /// Returns the points at which a geom may touch a plane.
    fn plane_points<V: Float64Lanes>(
        solid: PlaneSolid,
        model: (&NativeModel, &PlanePair),
        xmat: &[V; 9],
        xpos: [V; 3],
    ) -> [Option<PlanePoint<V>>; 4] {
        let (model, ground) = model;
        let (height, margin) = (V::splat(ground.height), V::splat(ground.contact.margin));
        let above = xpos[2] - height;
        let [one, two, three, four] = match solid {
            PlaneSolid::Ellipsoid(size) => {
                let pos = plane_ellipsoid((xmat, &size), xpos, height, model.dialect.ellipsoid_scales_once);
                return [Some(pos), None, None, None];
            }
            PlaneSolid::Cylinder(size) => plane_cylinder(xmat, size, xpos, (above, margin)),
            PlaneSolid::Box(size) => plane_box(xmat, &size, xpos, (above, margin)),
        };
        [Some(one), Some(two), Some(three), Some(four)]
    }
);

/// Returns a box's contacts with a plane at up to four corners, which differ between lanes, in the order of `mjc_PlaneBox`.
#[inline(always)]
fn plane_box<V: Float64Lanes>(xmat: &[V; 9], size: &[f64; 3], xpos: [V; 3], (above, margin): (V, V)) -> [PlanePoint<V>; 4] {
    let none = V::splat(0.0);
    let (mut lanes, mut gaps, mut points) = ([0; 4], [none; 4], [[none; 3]; 4]);
    for corner in 0..8 {
        let mut local = *size;
        for (axis, part) in local.iter_mut().enumerate() {
            *part = if corner >> axis & 1 != 0 { *part } else { -*part };
        }
        let offset = mul_mat_vec3(xmat, splat3(&local));
        let dist = above + offset[2];
        let mut left = V::bits(V::mask_and(dist.le(margin), offset[2].le(none)));
        let pos = add3(offset, xpos);
        // Each lane stores the contact in its first free place.
        for number in 0..4 {
            let own = left & !lanes[number];
            if own == 0 {
                continue;
            }
            let here = V::mask(own);
            (lanes[number], left) = (lanes[number] | own, left & !own);
            gaps[number] = V::select(here, dist, gaps[number]);
            for axis in 0..3 {
                points[number][axis] = V::select(here, pos[axis], points[number][axis]);
            }
        }
    }
    let at = |number: usize| {
        let (dist, [x, y, z]) = (gaps[number], points[number]);
        PlanePoint { lanes: V::mask(lanes[number]), dist, pos: [x, y, z + -dist * V::splat(0.5)] }
    };
    [at(0), at(1), at(2), at(3)]
}

/// Returns the contact of a plane with an ellipsoid, which is at the ellipsoid's lowest point, as `mjc_PlaneConvex` does.
#[inline(always)]
fn plane_ellipsoid<V: Float64Lanes>(
    (xmat, size): (&[V; 9], &[f64; 3]),
    xpos: [V; 3],
    height: V,
    scales_once: bool,
) -> PlanePoint<V> {
    let size: [V; 3] = splat3(size);
    // The sums include terms that are always zero, as in MuJoCo's formula, so that the signs of zeros agree.
    let (none, minus) = (V::splat(-0.0), V::splat(-1.0));
    let down = [
        xmat[0] * none + xmat[3] * none + xmat[6] * minus,
        xmat[1] * none + xmat[4] * none + xmat[7] * minus,
        xmat[2] * none + xmat[5] * none + xmat[8] * minus,
    ];
    let on_sphere = [down[0] * size[0], down[1] * size[1], down[2] * size[2]];
    let square = on_sphere[0] * on_sphere[0] + on_sphere[1] * on_sphere[1] + on_sphere[2] * on_sphere[2];
    let by = V::splat(1.0) / square.sqrt();
    let mut local = [V::splat(0.0); 3];
    for axis in 0..3 {
        local[axis] = if scales_once { on_sphere[axis] * (by * size[axis]) } else { on_sphere[axis] * by * size[axis] };
    }
    let pos = add3(mul_mat_vec3(xmat, local), xpos);
    let dist = pos[2] - height;
    PlanePoint { lanes: V::mask(V::ALL), dist, pos: [pos[0], pos[1], pos[2] + V::splat(-0.5) * dist] }
}

/// Returns the contacts of a plane with a cylinder, which are on the cylinder's rims, as `mjc_PlaneCylinder` does: the nearest
/// point of each rim, and two more points of the lower rim.
#[inline(always)]
fn plane_cylinder<V: Float64Lanes>(
    xmat: &[V; 9],
    [radius, half]: [f64; 2],
    xpos: [V; 3],
    (above, margin): (V, V),
) -> [PlanePoint<V>; 4] {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let is_up = xmat[8].gt(none);
    let signed = |part: V| V::select(is_up, part * V::splat(-1.0), part);
    // `axis` is the direction along the cylinder's axis that points down, and `down` is its vertical component.
    let axis = [signed(xmat[2]), signed(xmat[5]), signed(xmat[8])];
    let down = axis[2];
    let out = [axis[0] * down, axis[1] * down, axis[2] * down - one];
    let square = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
    let is_level = square.lt(V::splat(MJMINVAL * MJMINVAL));
    let by = V::splat(radius) / square.sqrt();
    let level = [xmat[0] * V::splat(radius), xmat[3] * V::splat(radius), xmat[6] * V::splat(radius)];
    let out = [
        V::select(is_level, level[0], out[0] * by),
        V::select(is_level, level[1], out[1] * by),
        V::select(is_level, level[2], out[2] * by),
    ];
    let (axis, down) = (scl3(axis, V::splat(half)), down * V::splat(half));
    let lower = above + down + out[2];
    let is_low = lower.le(margin);
    let upper = above - down + out[2];
    let edge_distance = above + down + -out[2] * V::splat(0.5);
    let across = cross(out, axis);
    let length = (across[0] * across[0] + across[1] * across[1] + across[2] * across[2]).sqrt();
    let is_nothing = length.lt(V::splat(MJMINVAL));
    let across = scl3(across, one / length);
    let across =
        [V::select(is_nothing, one, across[0]), V::select(is_nothing, none, across[1]), V::select(is_nothing, none, across[2])];
    let across = scl3(across, V::splat(radius * 3.0_f64.sqrt() / 2.0));
    let inwards = scl3(out, V::splat(-0.5));
    let at = |dist: V, [x, y, z]: [V; 3]| PlanePoint { lanes: is_low, dist, pos: [x, y, z + -dist * V::splat(0.5)] };
    [
        at(lower, add3(add3(xpos, out), axis)),
        at(upper, sub3(add3(xpos, out), axis)),
        at(edge_distance, add3(add3(add3(xpos, across), axis), inwards)),
        at(edge_distance, add3(add3(sub3(xpos, across), axis), inwards)),
    ]
}

//! Colliders of ellipsoids and cylinders with horizontal planes.

use super::algebra::{TINY, add, all3, cross, scaled, sub, times};
use super::contacts::touch_ground;
use super::rows::Rows;
use super::smooth::Motion;
use super::tables::{Ground, Solid, Tables};
use envpool_rs_numeric::simd::Float64Lanes;

/// Contact point: its lanes, distance from the plane, and position.
struct Touching<V: Float64Lanes> {
    lanes: V::Mask,
    gap: V,
    point: [V; 3],
}

/// Adds the contacts of an ellipsoid or cylinder with a plane.
#[inline(always)]
pub(super) fn find<V: Float64Lanes>(
    solid: Solid,
    tables: &Tables,
    motion: &Motion<V>,
    rows: &mut Rows<V>,
    (pair, ground): (usize, &Ground),
) {
    let shape = tables.pairs[pair].shapes[1];
    let place = motion.shapes[shape].place;
    let above = place[2] - V::all(ground.height);
    let is_near = above.le(V::all(ground.near));
    if !V::any(is_near) {
        return;
    }
    let matrix = motion.shape_matrix(tables, shape);
    let mut touch = |touching: Touching<V>| {
        let Touching { lanes, gap, point } = touching;
        let is_on = V::both(V::both(is_near, lanes), V::both(gap.le(V::all(ground.margin)), gap.lt(V::all(ground.margin))));
        if V::any(is_on) {
            touch_ground(tables, motion, rows, (pair, ground), (is_on, gap, point), [V::all(0.0), V::all(1.0)]);
        }
    };
    match solid {
        Solid::Ellipsoid(sizes) => {
            touch(lowest((&matrix, &sizes), place, V::all(ground.height), tables.dialect.scales_once));
        }
        Solid::Cylinder(sizes) => {
            for touching in on_rims(&matrix, sizes, place, (above, V::all(ground.margin))) {
                touch(touching);
            }
        }
    }
}

/// Returns the contact at an ellipsoid's lowest point, as `mjc_PlaneConvex`.
#[inline(always)]
fn lowest<V: Float64Lanes>((matrix, sizes): (&[V; 9], &[f64; 3]), place: [V; 3], height: V, scales_once: bool) -> Touching<V> {
    let sizes: [V; 3] = all3(sizes);
    // The sums include MuJoCo's zero terms.
    let (none, minus) = (V::all(-0.0), V::all(-1.0));
    let down = [
        matrix[0] * none + matrix[3] * none + matrix[6] * minus,
        matrix[1] * none + matrix[4] * none + matrix[7] * minus,
        matrix[2] * none + matrix[5] * none + matrix[8] * minus,
    ];
    let on_sphere = [down[0] * sizes[0], down[1] * sizes[1], down[2] * sizes[2]];
    let square = on_sphere[0] * on_sphere[0] + on_sphere[1] * on_sphere[1] + on_sphere[2] * on_sphere[2];
    let by = V::all(1.0) / square.sqrt();
    let mut local = [V::all(0.0); 3];
    for axis in 0..3 {
        local[axis] = if scales_once { on_sphere[axis] * (by * sizes[axis]) } else { on_sphere[axis] * by * sizes[axis] };
    }
    let point = add(times(matrix, local), place);
    let gap = point[2] - height;
    Touching { lanes: V::mask(V::ALL), gap, point: [point[0], point[1], point[2] + V::all(-0.5) * gap] }
}

/// Returns contacts on a cylinder's rims, as `mjc_PlaneCylinder`: the nearest point of each end, and two more of the lower end.
#[inline(always)]
fn on_rims<V: Float64Lanes>(
    matrix: &[V; 9],
    [radius, half]: [f64; 2],
    place: [V; 3],
    (above, margin): (V, V),
) -> [Touching<V>; 4] {
    let (none, one) = (V::all(0.0), V::all(1.0));
    let is_up = matrix[8].gt(none);
    let signed = |part: V| V::select(is_up, part * V::all(-1.0), part);
    // The axis, pointing down, and its vertical component.
    let axis = [signed(matrix[2]), signed(matrix[5]), signed(matrix[8])];
    let down = axis[2];
    let out = [axis[0] * down, axis[1] * down, axis[2] * down - one];
    let square = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
    let is_level = square.lt(V::all(TINY * TINY));
    let by = V::all(radius) / square.sqrt();
    let level = [matrix[0] * V::all(radius), matrix[3] * V::all(radius), matrix[6] * V::all(radius)];
    let out = [
        V::select(is_level, level[0], out[0] * by),
        V::select(is_level, level[1], out[1] * by),
        V::select(is_level, level[2], out[2] * by),
    ];
    let (axis, down) = (scaled(axis, V::all(half)), down * V::all(half));
    let lower = above + down + out[2];
    let is_low = lower.le(margin);
    let upper = above - down + out[2];
    let beside = above + down + -out[2] * V::all(0.5);
    let across = cross(out, axis);
    let length = (across[0] * across[0] + across[1] * across[1] + across[2] * across[2]).sqrt();
    let is_nothing = length.lt(V::all(TINY));
    let across = scaled(across, one / length);
    let across =
        [V::select(is_nothing, one, across[0]), V::select(is_nothing, none, across[1]), V::select(is_nothing, none, across[2])];
    let across = scaled(across, V::all(radius * 3.0_f64.sqrt() / 2.0));
    let inwards = scaled(out, V::all(-0.5));
    let at = |gap: V, [x, y, z]: [V; 3]| Touching { lanes: is_low, gap, point: [x, y, z + -gap * V::all(0.5)] };
    [
        at(lower, add(add(place, out), axis)),
        at(upper, sub(add(place, out), axis)),
        at(beside, add(add(add(place, across), axis), inwards)),
        at(beside, add(add(sub(place, across), axis), inwards)),
    ]
}

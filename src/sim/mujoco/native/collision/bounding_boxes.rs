//! Bounding boxes of geoms: finds the lanes in which two geoms may touch, before MuJoCo's collision function is called.

use crate::collision::GeomPose;
use crate::native::collision::pairs::DISTANCE_SLACK;
use crate::native::data::NativeData;
use crate::native::mju::{add3, dot3, mul_mat_vec3, splat3, sub3};
use crate::native::model::geom_pair::GeomBox;
use crate::native::model::{Guard, LibraryPair, NativeModel};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Bounding box of a geom in world coordinates, in all lanes. `axes` are the directions of its sides.
struct OrientedBox<V> {
    centre: [V; 3],
    axes: [[V; 3]; 3],
    half: [V; 3],
}

/// Addend to the products of the boxes' axes, which keeps the test conservative for axes that are nearly parallel.
const AXIS_SLACK: f64 = 1e-9;

/// Overlap of bounding boxes, in metres, below which MuJoCo's broad or mid phase may drop geoms, depending on rounding.
const LEAST_OVERLAP: f64 = 1e-7;

impl<V: Float64Lanes> OrientedBox<V> {
    #[inline(always)]
    fn new(model: &NativeModel, data: &NativeData<V>, geom: usize, own: &GeomBox) -> Self {
        let (m, centre) = (data.geom_xmat(model, geom), box_centre(model, data, geom, own));
        Self { centre, axes: [[m[0], m[3], m[6]], [m[1], m[4], m[7]], [m[2], m[5], m[8]]], half: splat3(&own.half) }
    }

    /// Returns a mask of the lanes in which a side of the box separates it from a sphere, as `filterSphereBox` does for
    /// axis-aligned boxes: a quick test for geoms above a table.
    #[inline(always)]
    fn beside_sphere(&self, centre: [V; 3], radius: V) -> V::Mask {
        let (between, mut apart) = (sub3(centre, self.centre), V::mask(0));
        for (axis, half) in self.axes.iter().zip(self.half) {
            apart = V::mask_or(apart, dot3(axis, &between).abs().gt(half + radius));
        }
        apart
    }
}

#[inline(always)]
fn box_centre<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>, geom: usize, own: &GeomBox) -> [V; 3] {
    let pos = data.geom_poses[geom].pos;
    if own.centre == [0.0; 3] { pos } else { add3(mul_mat_vec3(&data.geom_xmat(model, geom), splat3(&own.centre)), pos) }
}

outlined!(
    /// Returns a bit mask of those lanes of `near` in which the bounding boxes of a pair's geoms may be within the pair's margin.
    pub(in crate::native) fn boxes_within<V: Float64Lanes>(
        model: &NativeModel,
        data: &NativeData<V>,
        pair: ([usize; 2], &LibraryPair),
        near: u32,
    ) -> u32 {
        let (geoms, pair) = pair;
        let reach = V::splat(pair.reach);
        if pair.shaped != [false; 2] {
            let mid = &pair.contact.slack[1];
            if mid.fixed == 0.0 || !matches!(pair.guard, Guard::Distance { .. }) {
                return near;
            }
            // The lanes' shapes may be outside of the model's boxes, whose sides MuJoCo tests.
            let oriented = |side: usize| OrientedBox::new(model, data, geoms[side], &pair.boxes[side]);
            let (first, second) = (oriented(0), oriented(1));
            let reach = V::splat(pair.contact.margin + LEAST_OVERLAP) + mid.depth(&second.centre);
            return near & !separated_lanes([&first, &second], reach, None);
        }
        if let Some(distance) = distance_from_plane(model, data, (geoms, pair)) {
            return near & V::bits(distance.le(reach));
        }
        let large = usize::from(pair.boxes[1].radius > pair.boxes[0].radius);
        let (own, other) = (&pair.boxes[large], &pair.boxes[1 - large]);
        let first = OrientedBox::new(model, data, geoms[large], own);
        let centre = box_centre(model, data, geoms[1 - large], other);
        let mut apart = first.beside_sphere(centre, V::splat(other.radius) + reach);
        if near & !V::bits(apart) == 0 {
            return 0;
        }
        let second = OrientedBox::new(model, data, geoms[1 - large], other);
        apart = V::mask_or(apart, second.beside_sphere(first.centre, V::splat(own.radius) + reach));
        if near & !V::bits(apart) == 0 {
            return 0;
        }
        near & !(V::bits(apart) | separated_lanes([&first, &second], reach, Some(false)))
    }
);

/// Returns whether the bounding boxes of two geoms with the half lengths `halves`, in one lane, are further apart than `reach`.
pub(in crate::native) fn are_boxes_apart(
    poses: &[GeomPose; 2],
    centres: [&[f64; 3]; 2],
    halves: [[f64; 3]; 2],
    reach: f64,
) -> bool {
    let oriented = |side: usize| {
        let GeomPose { pos, mat: m } = &poses[side];
        let (centre, axes) =
            (add3(mul_mat_vec3(m, *centres[side]), *pos), [[m[0], m[3], m[6]], [m[1], m[4], m[7]], [m[2], m[5], m[8]]]);
        OrientedBox::<f64> { centre, axes, half: halves[side] }
    };
    separated_lanes([&oriented(0), &oriented(1)], reach, Some(false)) != 0
}

/// Returns the distance of a geom's bounding box from a plane; `None` if the pair has no plane.
#[inline(always)]
fn distance_from_plane<V: Float64Lanes>(
    model: &NativeModel,
    data: &NativeData<V>,
    (geoms, pair): ([usize; 2], &LibraryPair),
) -> Option<V> {
    let (plane, second) = (&data.geom_poses[geoms[0]], || OrientedBox::new(model, data, geoms[1], &pair.boxes[1]));
    match pair.guard {
        Guard::Plane(_) => {
            let OrientedBox { centre, axes: [x, y, z], half } = second();
            Some(centre[2] - (x[2].abs() * half[0] + y[2].abs() * half[1] + z[2].abs() * half[2]) - plane.pos[2])
        }
        Guard::Slope(_) => {
            let second = second();
            let mut depth = V::splat(0.0);
            for (axis, half) in second.axes.iter().zip(second.half) {
                depth = depth + dot3(axis, &plane.axis).abs() * half;
            }
            Some(dot3(&sub3(second.centre, plane.pos), &plane.axis) - depth)
        }
        _ => None,
    }
}

outlined!(
    /// Returns a bit mask of the lanes in which MuJoCo's mid phase may drop a pair of geoms: their bounding boxes only just touch.
    ///
    /// An iterative collision function can find deep contacts of such geoms, which MuJoCo does not have. So can that of a plane
    /// with an upright cylinder ([`LibraryPair::reach`]). In the lanes of the bit mask `overlapping`, the broad phase keeps the bodies.
    pub(in crate::native) fn barely_touching<V: Float64Lanes>(
        model: &NativeModel,
        data: &NativeData<V>,
        pair: ([usize; 2], &LibraryPair),
        overlapping: u32,
    ) -> u32 {
        let (geoms, pair) = pair;
        let mut second = OrientedBox::new(model, data, geoms[1], &pair.boxes[1]);
        let ([all, mid], has_shapes) = (&pair.contact.slack, pair.shaped != [false; 2]);
        let slack = V::select(V::mask(overlapping), mid.depth(&second.centre), all.depth(&second.centre));
        let reach_of_boxes = V::splat(pair.contact.margin) - (slack + V::splat(LEAST_OVERLAP));
        if let Some(distance) = distance_from_plane(model, data, (geoms, pair)) {
            return if has_shapes { V::ALL } else { V::bits(distance.gt(reach_of_boxes)) };
        }
        let mut first = OrientedBox::new(model, data, geoms[0], &pair.boxes[0]);
        let mut apart = 0;
        if has_shapes {
            let Guard::Distance { near, .. } = pair.guard else { unreachable!("planes were treated before") };
            let between = sub3(first.centre, second.centre);
            let reach = V::splat(near.sqrt() - 2.0 * DISTANCE_SLACK) - all.depth(&second.centre);
            apart = !V::bits(dot3(&between, &between).lt(reach * reach)) & V::ALL;
            if mid.fixed == 0.0 {
                return apart;
            }
            apart |= separated_lanes([&first, &second], reach_of_boxes, Some(true));
            // Bounding volumes of several geoms contain the geoms' boxes at the places of the model.
            for (side, bounds) in [&mut first, &mut second].into_iter().enumerate().filter(|(side, _)| pair.shaped[*side]) {
                let geom = &model.geoms[geoms[side]];
                bounds.centre = data.frame_xpos(geom.body, &geom.frame);
            }
        }
        apart | separated_lanes([&first, &second], reach_of_boxes, Some(true))
    }
);

/// Returns a bit mask of the lanes in which an axis separates two boxes by more than `reach`. The axes are the sides of both
/// boxes and their cross products, unless `scales_reach` is `None`; else it says whether `reach` shrinks with the cross products of
/// nearly parallel sides.
#[inline(always)]
fn separated_lanes<V: Float64Lanes>([first, second]: [&OrientedBox<V>; 2], reach: V, scales_reach: Option<bool>) -> u32 {
    let (a, b, none) = (&first.half, &second.half, V::splat(0.0));
    let between = sub3(second.centre, first.centre);
    let (mut products, mut sizes, mut offset) = ([[none; 3]; 3], [[none; 3]; 3], [none; 3]);
    let mut apart = V::mask(0);
    for i in 0..3 {
        offset[i] = dot3(&first.axes[i], &between);
        for j in 0..3 {
            products[i][j] = dot3(&first.axes[i], &second.axes[j]);
            sizes[i][j] = products[i][j].abs() + V::splat(AXIS_SLACK);
        }
        let most = a[i] + (b[0] * sizes[i][0] + b[1] * sizes[i][1] + b[2] * sizes[i][2]) + reach;
        apart = V::mask_or(apart, offset[i].abs().gt(most));
    }
    for j in 0..3 {
        let along = offset[0] * products[0][j] + offset[1] * products[1][j] + offset[2] * products[2][j];
        let most = b[j] + (a[0] * sizes[0][j] + a[1] * sizes[1][j] + a[2] * sizes[2][j]) + reach;
        apart = V::mask_or(apart, along.abs().gt(most));
    }
    let Some(scales_reach) = scales_reach.filter(|_| V::bits(apart) != V::ALL) else { return V::bits(apart) };
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let along = offset[i2] * products[i1][j] - offset[i1] * products[i2][j];
            let reach = if scales_reach { reach * (V::splat(1.0) - products[i][j] * products[i][j]) } else { reach };
            let most = (a[i1] * sizes[i2][j] + a[i2] * sizes[i1][j]) + (b[j1] * sizes[i][j2] + b[j2] * sizes[i][j1]) + reach;
            apart = V::mask_or(apart, along.abs().gt(most));
        }
    }
    V::bits(apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a box that is rotated about the z axis by `angle`.
    fn turned(centre: [f64; 3], angle: f64, half: [f64; 3]) -> OrientedBox<f64> {
        let (sine, cosine) = angle.sin_cos();
        OrientedBox { centre, axes: [[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]], half }
    }

    #[test]
    fn spheres_are_beside_a_box_along_its_sides() {
        let table = turned([0.0; 3], 0.3, [10.0, 10.0, 0.1]);
        for (centre, is_beside) in [([3.0, 2.0, 1.2], true), ([3.0, 2.0, 1.0], false), ([0.0, -14.0, 0.0], true)] {
            assert_eq!(table.beside_sphere(centre, 1.0), is_beside, "{centre:?}");
        }
    }

    #[test]
    fn boxes_are_separated_along_sides_and_cross_products() {
        let unit = turned([0.0; 3], 0.0, [1.0; 3]);
        for (other, gap) in [
            (turned([2.5, 0.0, 0.0], 0.0, [1.0; 3]), 0.5),
            (turned([0.0, 0.0, 2.25], 0.3, [1.0; 3]), 0.25),
            (turned([3.0, 0.0, 0.0], std::f64::consts::FRAC_PI_4, [1.0; 3]), 2.0 - 2.0_f64.sqrt()),
        ] {
            assert_eq!(separated_lanes([&unit, &other], gap - 1e-6, Some(false)), 1, "{gap}");
            assert_eq!(separated_lanes([&unit, &other], gap + 1e-6, Some(false)), 0, "{gap}");
        }
        // Two long boxes that cross at right angles, seen along the axis between their nearest edges.
        let rod = |centre: [f64; 3], axes: [[f64; 3]; 3]| OrientedBox { centre, axes, half: [10.0, 0.1, 0.1] };
        let half = 0.5_f64.sqrt();
        let first = rod([0.0; 3], [[1.0, 0.0, 0.0], [0.0, half, half], [0.0, -half, half]]);
        let second = |height: f64| rod([0.0, 0.0, height], [[0.0, 1.0, 0.0], [half, 0.0, half], [half, 0.0, -half]]);
        assert_eq!(separated_lanes([&first, &second(0.3)], 0.0, Some(false)), 1);
        assert_eq!(separated_lanes([&first, &second(0.28)], 0.0, Some(false)), 0);
    }

    #[test]
    fn parallel_boxes_only_just_touch_if_their_sides_do() {
        let unit = turned([0.0; 3], 0.0, [1.0; 3]);
        for (place, angle, is_uncertain) in [
            ([1.9, 0.0, 0.0], 0.0, 0),
            ([0.0, 0.0, 1.9], 0.3, 0),
            ([2.0, 0.0, 0.0], 0.0, 1),
            ([0.0, 0.0, 2.0 - 1e-9], 0.3, 1),
            ([0.0, 0.0, 2.0 + 1e-9], 0.3, 1),
        ] {
            let other = turned(place, angle, [1.0; 3]);
            assert_eq!(separated_lanes([&unit, &other], -LEAST_OVERLAP, Some(true)), is_uncertain, "{place:?}");
        }
    }
}

//! Bounding boxes of geoms: finds the lanes in which two geoms may touch, before MuJoCo's collision function is called.

use super::algebra::{add, all3, dot3 as dot, mul_mat_vec3, sub};
use super::smooth::NativeData;
use super::tables::pairs::GeomBox;
use super::tables::{Guard, LibraryPair, NativeModel};
use envpool_rs_numeric::simd::Float64Lanes;

/// Bounding box of a geom in world coordinates, in all lanes. `axes` are the directions of its sides.
struct OrientedBox<V> {
    centre: [V; 3],
    axes: [[V; 3]; 3],
    half: [V; 3],
}

/// Addend to the products of the boxes' axes, which keeps the test conservative for axes that are nearly parallel.
const AXIS_SLACK: f64 = 1e-9;

impl<V: Float64Lanes> OrientedBox<V> {
    #[inline(always)]
    fn new(model: &NativeModel, motion: &NativeData<V>, geom: usize, own: &GeomBox) -> Self {
        let m = motion.geom_xmat(model, geom);
        Self {
            centre: add(mul_mat_vec3(&m, all3(&own.centre)), motion.geom_poses[geom].pos),
            axes: [[m[0], m[3], m[6]], [m[1], m[4], m[7]], [m[2], m[5], m[8]]],
            half: all3(&own.half),
        }
    }
}

/// Returns a bit mask of the lanes in which the bounding boxes of a pair's geoms may be within the pair's margin.
#[inline(always)]
pub(super) fn boxes_within<V: Float64Lanes>(
    model: &NativeModel,
    motion: &NativeData<V>,
    geoms: [usize; 2],
    pair: &LibraryPair,
) -> u32 {
    let reach = V::splat(pair.reach);
    let second = OrientedBox::new(model, motion, geoms[1], &pair.boxes[1]);
    if matches!(pair.guard, Guard::Plane(_)) {
        let [x, y, z] = second.axes;
        let depth = x[2].abs() * second.half[0] + y[2].abs() * second.half[1] + z[2].abs() * second.half[2];
        return V::bits((second.centre[2] - depth).le(motion.geom_poses[geoms[0]].pos[2] + reach));
    }
    let first = OrientedBox::new(model, motion, geoms[0], &pair.boxes[0]);
    V::ALL & !separated_lanes(&first, &second, reach)
}

/// Returns a bit mask of the lanes in which an axis separates two boxes by more than `reach`. The axes are the sides of both
/// boxes and their cross products.
#[inline(always)]
fn separated_lanes<V: Float64Lanes>(first: &OrientedBox<V>, second: &OrientedBox<V>, reach: V) -> u32 {
    let (a, b, none) = (&first.half, &second.half, V::splat(0.0));
    let between = sub(second.centre, first.centre);
    let (mut products, mut sizes, mut offset) = ([[none; 3]; 3], [[none; 3]; 3], [none; 3]);
    let mut apart = V::mask(0);
    for i in 0..3 {
        offset[i] = dot(&first.axes[i], &between);
        for j in 0..3 {
            products[i][j] = dot(&first.axes[i], &second.axes[j]);
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
    if V::bits(apart) == V::ALL {
        return V::ALL;
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let along = offset[i2] * products[i1][j] - offset[i1] * products[i2][j];
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
    fn boxes_are_separated_along_sides_and_cross_products() {
        let unit = turned([0.0; 3], 0.0, [1.0; 3]);
        for (other, gap) in [
            (turned([2.5, 0.0, 0.0], 0.0, [1.0; 3]), 0.5),
            (turned([0.0, 0.0, 2.25], 0.3, [1.0; 3]), 0.25),
            (turned([3.0, 0.0, 0.0], std::f64::consts::FRAC_PI_4, [1.0; 3]), 2.0 - 2.0_f64.sqrt()),
        ] {
            assert_eq!(separated_lanes(&unit, &other, gap - 1e-6), 1, "{gap}");
            assert_eq!(separated_lanes(&unit, &other, gap + 1e-6), 0, "{gap}");
        }
        // Two long boxes that cross at right angles, seen along the axis between their nearest edges.
        let rod = |centre: [f64; 3], axes: [[f64; 3]; 3]| OrientedBox { centre, axes, half: [10.0, 0.1, 0.1] };
        let half = 0.5_f64.sqrt();
        let first = rod([0.0; 3], [[1.0, 0.0, 0.0], [0.0, half, half], [0.0, -half, half]]);
        let second = |height: f64| rod([0.0, 0.0, height], [[0.0, 1.0, 0.0], [half, 0.0, half], [half, 0.0, -half]]);
        assert_eq!(separated_lanes(&first, &second(0.3), 0.0), 1);
        assert_eq!(separated_lanes(&first, &second(0.28), 0.0), 0);
    }
}

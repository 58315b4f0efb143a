//! Test of the bounding boxes of two geoms, which finds the lanes in which the geoms are too far apart to touch.

use super::algebra::{add, all3, dot3, mul_mat_vec3, sub};
use super::smooth::GeomPose;
use super::tables::{BoxTest, GeomBox};
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns a bit mask of the lanes in which the bounding boxes of two geoms with these poses and rotation matrices may be within
/// reach of each other.
#[inline(always)]
pub(super) fn boxes_within<V: Float64Lanes>(test: &BoxTest, poses: [&GeomPose<V>; 2], matrices: &[[V; 9]; 2]) -> u32 {
    let far = match test {
        BoxTest::Plane { height, solid } => {
            let (center, matrix) = (center_of(solid, poses[1], &matrices[1]), &matrices[1]);
            let half = &solid.half;
            let below =
                matrix[6].abs() * V::splat(half[0]) + matrix[7].abs() * V::splat(half[1]) + matrix[8].abs() * V::splat(half[2]);
            V::bits((center[2] - below).gt(V::splat(*height)))
        }
        BoxTest::Boxes { boxes, reach } => {
            let apart = sub(center_of(&boxes[1], poses[1], &matrices[1]), center_of(&boxes[0], poses[0], &matrices[0]));
            separated(boxes, &apart, matrices, V::splat(*reach))
        }
    };
    !far & V::ALL
}

/// Returns the world position of a bounding box's centre.
#[inline(always)]
fn center_of<V: Float64Lanes>(solid: &GeomBox, pose: &GeomPose<V>, matrix: &[V; 9]) -> [V; 3] {
    add(mul_mat_vec3(matrix, all3(&solid.center)), pose.pos)
}

/// Returns a bit mask of the lanes in which an axis separates two boxes by more than `reach`. The tried axes are the normals of
/// the faces and the cross products of the edges. `apart` is the vector between the boxes' centres.
#[inline(always)]
fn separated<V: Float64Lanes>(boxes: &[GeomBox; 2], apart: &[V; 3], matrices: &[[V; 9]; 2], reach: V) -> u32 {
    let none = V::splat(0.0);
    let (a, b) = (all3::<V>(&boxes[0].half), all3::<V>(&boxes[1].half));
    let column = |matrix: &[V; 9], axis: usize| [matrix[axis], matrix[3 + axis], matrix[6 + axis]];
    let (mut products, mut sizes) = ([[none; 3]; 3], [[none; 3]; 3]);
    let (mut along, mut across) = ([none; 3], [none; 3]);
    for i in 0..3 {
        let axis = column(&matrices[0], i);
        along[i] = dot3(apart, &axis);
        across[i] = dot3(apart, &column(&matrices[1], i));
        for j in 0..3 {
            products[i][j] = dot3(&axis, &column(&matrices[1], j));
            sizes[i][j] = products[i][j].abs();
        }
    }
    let mut far = 0;
    for i in 0..3 {
        let own = a[i] + b[0] * sizes[i][0] + b[1] * sizes[i][1] + b[2] * sizes[i][2];
        let other = b[i] + a[0] * sizes[0][i] + a[1] * sizes[1][i] + a[2] * sizes[2][i];
        far |= V::bits(along[i].abs().gt(own + reach)) | V::bits(across[i].abs().gt(other + reach));
    }
    if far & V::ALL == V::ALL {
        return far;
    }
    for i in 0..3 {
        let (next, last) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (right, left) = ((j + 1) % 3, (j + 2) % 3);
            // The cross product of two edges is no longer than 1, so `reach` need not be scaled by its length.
            let distance = along[last] * products[next][j] - along[next] * products[last][j];
            let own = a[next] * sizes[last][j] + a[last] * sizes[next][j];
            let other = b[right] * sizes[i][left] + b[left] * sizes[i][right];
            far |= V::bits(distance.abs().gt(own + other + reach));
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_separated_by_faces_and_by_edges() {
        let cube = GeomBox { center: [0.0; 3], half: [1.0; 3] };
        let turn = |angle: f64, about_x: bool| {
            let (s, c) = angle.sin_cos();
            if about_x { [1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c] } else { [c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0] }
        };
        let is_far = |place: [f64; 3], matrices: [[f64; 9]; 2], reach: f64| {
            let test = BoxTest::Boxes { boxes: [cube, cube], reach };
            let poses = [[0.0; 3], place].map(|pos| GeomPose { pos, axis: [0.0; 3] });
            boxes_within::<f64>(&test, [&poses[0], &poses[1]], &matrices) == 0
        };
        let upright = turn(0.0, false);
        assert!(is_far([2.1, 0.0, 0.0], [upright; 2], 0.05) && !is_far([2.1, 0.0, 0.0], [upright; 2], 0.2));
        assert!(!is_far([1.9, 1.9, 1.9], [upright; 2], 0.0));
        // An edge along x of one cube faces an edge along z of the other.
        let edges = [turn(0.25 * std::f64::consts::PI, true), turn(0.25 * std::f64::consts::PI, false)];
        assert!(is_far([0.0, 2.9, 0.0], edges, 0.0) && !is_far([0.0, 2.8, 0.0], edges, 0.0));
    }

    #[test]
    fn boxes_are_compared_with_planes() {
        let solid = GeomBox { center: [0.0, 0.0, 1.0], half: [1.0, 1.0, 0.5] };
        let pose = GeomPose { pos: [0.0; 3], axis: [0.0; 3] };
        let upright = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let is_near = |height| boxes_within::<f64>(&BoxTest::Plane { height, solid }, [&pose, &pose], &[upright; 2]) != 0;
        assert!(is_near(0.6) && !is_near(0.4));
    }
}

//! Rotations as Gymnasium-Robotics computes them (`utils/rotations.py`), bit for bit: quaternions, matrices and Euler angles.
//!
//! Quaternions are w, x, y, z; matrices are in rows; Euler angles are about x, y and z, in radians.

use envpool_rs_numeric::{numpy, numpy_ufuncs};

/// Quaternion: w, x, y, z.
pub type Quaternion = [f64; 4];

/// Smallest cosine of the angle about y for which the other two angles are defined.
const MIN_COSINE: f64 = 4.0 * f64::EPSILON;

/// Returns the Euler angles of a rotation matrix in rows (`mat2euler`).
pub fn matrix_to_euler(matrix: &[f64]) -> [f64; 3] {
    let cosine = (matrix[8] * matrix[8] + matrix[5] * matrix[5]).sqrt();
    let is_defined = cosine > MIN_COSINE;
    let about_x = if is_defined { -numpy_ufuncs::arctan2(matrix[5], matrix[8]) } else { 0.0 };
    let (y, x) = if is_defined { (matrix[1], matrix[0]) } else { (-matrix[3], matrix[4]) };
    [about_x, -numpy_ufuncs::arctan2(-matrix[2], cosine), -numpy_ufuncs::arctan2(y, x)]
}

/// Returns the rotation matrix of a quaternion in rows (`quat2mat`); the identity for a quaternion of length 0.
pub fn quaternion_to_matrix(quaternion: &Quaternion) -> [f64; 9] {
    let [w, x, y, z] = *quaternion;
    let square = w * w + x * x + y * y + z * z;
    if square <= f64::EPSILON {
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    }
    let scale = 2.0 / square;
    let (xs, ys, zs) = (x * scale, y * scale, z * scale);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    [1.0 - (yy + zz), xy - wz, xz + wy, xy + wz, 1.0 - (xx + zz), yz - wx, xz - wy, yz + wx, 1.0 - (xx + yy)]
}

/// Returns the Euler angles of a quaternion (`quat2euler`).
pub fn quaternion_to_euler(quaternion: &Quaternion) -> [f64; 3] {
    matrix_to_euler(&quaternion_to_matrix(quaternion))
}

/// Returns the quaternion of Euler angles (`euler2quat`).
pub fn euler_to_quaternion(euler: &[f64; 3]) -> Quaternion {
    let halves = [euler[2] / 2.0, -euler[1] / 2.0, euler[0] / 2.0];
    let [si, sj, sk] = halves.map(numpy_ufuncs::sin);
    let [ci, cj, ck] = halves.map(numpy_ufuncs::cos);
    let (cc, cs, sc, ss) = (ci * ck, ci * sk, si * ck, si * sk);
    [cj * cc + sj * ss, cj * cs - sj * sc, -(cj * ss + sj * cc), cj * sc - sj * cs]
}

/// Returns the quaternion of a rotation matrix in rows (`mat2quat`): the eigenvector of a matrix of sums of its elements.
pub fn matrix_to_quaternion(matrix: &[f64]) -> Quaternion {
    let [xx, yx, zx, xy, yy, zy, xz, yz, zz] = matrix[..9].try_into().expect("nine numbers");
    let lower = [
        [xx - yy - zz, 0.0, 0.0, 0.0],
        [yx + xy, yy - xx - zz, 0.0, 0.0],
        [zx + xz, zy + yz, zz - xx - yy, 0.0],
        [yz - zy, zx - xz, xy - yx, xx + yy + zz],
    ]
    .map(|row: [f64; 4]| row.map(|value| value / 3.0));
    let largest = |values: &[f64; 4]| (1..4).fold(0, |best, index| if values[index] > values[best] { index } else { best });
    let [x, y, z, w] = match numpy_ufuncs::eigh(&lower) {
        Some((values, vectors)) => vectors.map(|row| row[largest(&values)]),
        None => {
            // The matrix is that of the products of the quaternion's numbers, but for a factor and the diagonal.
            let column = largest(&std::array::from_fn(|index| lower[index][index]));
            let product = |row: usize| 3.0 * lower[row.max(column)][row.min(column)] + f64::from(u8::from(row == column));
            normalised(std::array::from_fn(product))
        }
    };
    if w < 0.0 { [-w, -x, -y, -z] } else { [w, x, y, z] }
}

/// Returns the product of two quaternions (`quat_mul`).
pub fn multiply(first: &Quaternion, second: &Quaternion) -> Quaternion {
    let ([w0, x0, y0, z0], [w1, x1, y1, z1]) = (*first, *second);
    [
        w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
        w0 * y1 + y0 * w1 + z0 * x1 - x0 * z1,
        w0 * z1 + z0 * w1 + x0 * y1 - y0 * x1,
    ]
}

/// Returns the quaternion of a turn by `angle` in radians about `axis` (`quat_from_angle_and_axis`).
pub fn turn(angle: f64, axis: [f64; 3]) -> Quaternion {
    let length = numpy::norm(&axis);
    let (sine, cosine) = (numpy_ufuncs::sin(angle / 2.0), numpy_ufuncs::cos(angle / 2.0));
    let [x, y, z] = axis.map(|value| sine * (value / length));
    normalised([cosine, x, y, z])
}

/// Returns a quaternion divided by its length.
pub fn normalised(quaternion: Quaternion) -> Quaternion {
    let length = numpy::norm(&quaternion);
    quaternion.map(|value| value / length)
}

/// Returns the angle of the turn between two orientations in radians, from 0 to 2 pi.
pub fn angle_between(first: &Quaternion, second: &Quaternion) -> f64 {
    let [w, x, y, z] = *second;
    let [cosine, ..] = multiply(first, &[w, -x, -y, -z]);
    2.0 * numpy_ufuncs::arccos(numpy::clip(cosine, -1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn conversions_agree_with_each_other() {
        let euler = [0.3, -0.7, 2.1];
        let quaternion = euler_to_quaternion(&euler);
        for (got, expected) in quaternion_to_euler(&quaternion).iter().zip(euler) {
            assert!((got - expected).abs() < 1e-12, "{got} {expected}");
        }
        assert_eq!(quaternion_to_matrix(&[0.0; 4])[..4], [1.0, 0.0, 0.0, 0.0]);
        for (got, expected) in matrix_to_quaternion(&quaternion_to_matrix(&quaternion)).iter().zip(quaternion) {
            assert!((got.abs() - expected.abs()).abs() < 1e-12, "{got} {expected}");
        }
    }

    #[test]
    fn turns_add_up() {
        let half = turn(PI / 2.0, [0.0, 0.0, 2.0]);
        let whole = multiply(&half, &half);
        assert!((angle_between(&whole, &[1.0, 0.0, 0.0, 0.0]) - PI).abs() < 1e-12);
        assert!((whole[3] - 1.0).abs() < 1e-12);
    }
}

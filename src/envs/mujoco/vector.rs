//! Vectors in three dimensions, computed like numpy arrays.

use envpool_rs_numeric::numpy;

/// Position, or difference of positions, in metres.
pub type Vec3 = [f64; 3];

/// Returns the values of a float32 array as float64.
pub const fn float32(values: [f32; 3]) -> Vec3 {
    [values[0] as f64, values[1] as f64, values[2] as f64]
}

/// Returns `first + second`.
pub const fn add(first: Vec3, second: Vec3) -> Vec3 {
    [first[0] + second[0], first[1] + second[1], first[2] + second[2]]
}

/// Returns `first - second`.
pub const fn sub(first: Vec3, second: Vec3) -> Vec3 {
    [first[0] - second[0], first[1] - second[1], first[2] - second[2]]
}

/// Returns the elementwise product `first * second`.
pub const fn mul(first: Vec3, second: Vec3) -> Vec3 {
    [first[0] * second[0], first[1] * second[1], first[2] * second[2]]
}

/// Returns `np.linalg.norm(first - second)`.
pub fn distance(first: Vec3, second: Vec3) -> f64 {
    numpy::norm(&sub(first, second))
}

/// Returns `np.linalg.norm((first - second)[:2])`: the distance along x and y.
pub fn distance_xy(first: &[f64], second: &[f64]) -> f64 {
    numpy::norm(&[first[0] - second[0], first[1] - second[1]])
}

/// Returns `np.linalg.norm((first - second)[[0, 2]])`: the distance along x and z.
pub fn distance_xz(first: Vec3, second: Vec3) -> f64 {
    numpy::norm(&[first[0] - second[0], first[2] - second[2]])
}

/// Returns three consecutive values of an array as a vector.
///
/// # Panics
/// If the array has fewer values.
pub fn vec3(values: &[f64], start: usize) -> Vec3 {
    values[start..start + 3].try_into().expect("three values")
}

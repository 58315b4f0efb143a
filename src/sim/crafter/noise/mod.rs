//! OpenSimplex noise in three dimensions, bit for bit as the Python package opensimplex 0.4.5.1 computes it.
//!
//! The algorithm was published by Kurt Spencer in 2014. Each point lies in a cube of a stretched lattice. The cube has three
//! regions: the tetrahedron at corner (0, 0, 0), the tetrahedron at (1, 1, 1), and the octahedron between them. The corners of
//! the point's region and two extra points, which depend on the nearest corners, contribute to the noise.

mod extra_points;
mod lanes;

use envpool_rs_numeric::simd::SimdLevel;

use lanes::{MAX_LANES, Noise3};

/// OpenSimplex noise for one seed: the permutation that selects the gradients of lattice points, and these gradients.
#[derive(Debug, Clone)]
pub struct OpenSimplex {
    permutation: [u8; 256],
    /// Gradient of each entry of the permutation: three float64 numbers of which only the upper 16 bits are not zero.
    gradients: [u64; 256],
}

impl OpenSimplex {
    /// Creates the noise of `opensimplex.OpenSimplex(seed)`.
    pub fn new(seed: i64) -> Self {
        let next = |seed: i64| seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut state = next(next(next(seed)));
        let mut source: [u8; 256] = std::array::from_fn(|index| index as u8);
        let (mut permutation, mut gradients) = ([0; 256], [0; 256]);
        for last in (0..256_usize).rev() {
            state = next(state);
            let count = last as i64 + 1;
            // `state` is reduced modulo `count` before 31 is added, because the sum could overflow here, but not in Python.
            let chosen = ((state.rem_euclid(count) + 31) % count) as usize;
            permutation[last] = source[chosen];
            gradients[last] = packed_gradient(source[chosen] % 24);
            source[chosen] = source[last];
        }
        Self { permutation, gradients }
    }

    /// Writes the noise of each point (`xs[i]`, `ys[i]`, `z`) to `out`.
    ///
    /// # Panics
    /// If `xs`, `ys` and `out` differ in length.
    pub fn noise3(&self, level: SimdLevel, xs: &[f64], ys: &[f64], z: f64, out: &mut [f64]) {
        assert!(xs.len() == out.len() && ys.len() == out.len(), "every point has two coordinates and a result");
        level.run_float64(MAX_LANES, Noise3 { simplex: self, xs, ys, z, out });
    }
}

/// Returns the packed gradient number `index`: its components are 11 along one axis and 4 along the other axes. `index / 3`
/// determines the signs.
fn packed_gradient(index: u8) -> u64 {
    let (axis, signs) = (index % 3, index / 3);
    let is_negative = [signs & 1 == 0, signs & 2 != 0, signs & 4 != 0];
    let number = |at: u8| {
        let size = if at == axis { 11.0_f64 } else { 4.0 };
        if is_negative[usize::from(at)] { -size } else { size }
    };
    pack([number(0), number(1), number(2)])
}

/// Packs three numbers of which only the upper 16 bits are not zero; the lower 16 bits of the result are free.
fn pack(numbers: [f64; 3]) -> u64 {
    numbers.iter().enumerate().fold(0, |packed, (axis, number)| packed | number.to_bits() >> (16 * axis))
}

#[cfg(test)]
mod tests;

use envpool_rs_numeric::simd::SimdLevel;

use super::OpenSimplex;

/// Test cases: a seed, a point, and the result of `opensimplex.OpenSimplex(seed).noise3(x, y, z)` in opensimplex 0.4.5.1.
#[rustfmt::skip]
const CASES: [(i64, f64, f64, f64, f64); 30] = [
    (0, 2.6666666666666665, -0.3333333333333333, 4.0, -0.19115357050019524),
    (0, 2.0, 18.0, 7.0, 0.17799352750809044),
    (0, 17.0, 13.0, 3.0, -0.262135922330097),
    (0, -24.368, -28.299, 20.146, 0.6454758324231592),
    (0, -4.034, 15.737, -29.874, -0.29785916761696357),
    (0, -3.277, 13.292, -16.274, 0.3182039373987202),
    (7, 1.3333333333333333, 10.333333333333334, 0.0, 0.3095475914605722),
    (7, -2.3333333333333335, -2.0, 8.0, -0.46208965501253096),
    (7, -2.6666666666666665, 13.0, 3.0, -0.3350030014565821),
    (7, 28.142, 13.551, 1.658, -0.34540689648903744),
    (7, 15.822, 26.35, 3.172, -0.07881395028242487),
    (7, -9.258, 10.611, 15.657, 0.4376469598846967),
    (-3, 9.333333333333334, -2.3333333333333335, 6.0, 0.40373512404623063),
    (-3, 1.0, 4.666666666666667, 4.0, -0.5582457682421729),
    (-3, 2.0, 11.0, 8.0, 0.1521035598705502),
    (-3, 26.186, -4.674, 19.802, -0.3390487055853425),
    (-3, 10.218, -11.798, 5.255, 0.22606769883553868),
    (-3, 22.949, 20.772, 0.317, -0.12956587900949476),
    (2147483646, -1.6666666666666667, 17.333333333333332, 3.0, -0.2619223429217195),
    (2147483646, 14.0, 14.666666666666666, 2.0, 0.14464603775669546),
    (2147483646, 12.333333333333334, 12.666666666666666, 1.0, -0.1517646936960538),
    (2147483646, -3.662, 0.506, 16.707, -0.1638181491505263),
    (2147483646, 1.256, -6.405, -0.618, -0.02960202418730289),
    (2147483646, -28.226, -27.391, 12.203, 0.044363246207968485),
    (4611686018427400249, 13.666666666666666, 4.0, 2.0, 0.3981825526833318),
    (4611686018427400249, 18.333333333333332, 6.666666666666667, 0.0, 0.44619845917007706),
    (4611686018427400249, 5.333333333333333, 20.0, 8.0, 0.180128828336907),
    (4611686018427400249, -16.069, 0.826, 27.148, 0.3692350535700695),
    (4611686018427400249, 4.668, -2.452, -13.843, 0.26165765606437924),
    (4611686018427400249, 2.88, 27.427, -29.657, 0.5511305678496081),
];

/// Returns the noise of a grid of points in several layers, computed at the SIMD level `level`.
fn noise(level: SimdLevel) -> Vec<u64> {
    let simplex = OpenSimplex::new(1_234_567);
    let points = (-40..40).flat_map(|x| (-40..40).map(move |y| (f64::from(x), f64::from(y))));
    let (xs, ys): (Vec<_>, Vec<_>) = points.unzip();
    let mut bits = Vec::new();
    for (size, z) in [(1.0, 0.0), (3.0, 8.0), (5.0, -3.0), (7.0, 0.5), (15.0, 0.0)] {
        let scaled = |numbers: &[f64]| numbers.iter().map(|number| number / size).collect::<Vec<_>>();
        let mut out = vec![0.0; xs.len()];
        simplex.noise3(level, &scaled(&xs), &scaled(&ys), z, &mut out);
        bits.extend(out.iter().map(|noise| noise.to_bits()));
    }
    bits
}

#[test]
fn noise_does_not_depend_on_the_vector_instructions() {
    let scalar = noise(SimdLevel::Scalar);
    for level in SimdLevel::available() {
        assert_eq!(noise(level), scalar, "{}", level.name());
    }
}

#[test]
fn noise_equals_the_package() {
    for (seed, x, y, z, expected) in CASES {
        let mut out = [0.0];
        OpenSimplex::new(seed).noise3(SimdLevel::detect(), &[x], &[y], z, &mut out);
        assert_eq!(out[0].to_bits(), f64::to_bits(expected), "seed {seed}, ({x}, {y}, {z})");
    }
}

#[test]
fn any_number_of_points_is_computed() {
    let simplex = OpenSimplex::new(-5);
    let xs: Vec<f64> = (0..21).map(|x| f64::from(x) / 3.0).collect();
    let ys = vec![0.25; 21];
    let mut all = [0.0; 21];
    simplex.noise3(SimdLevel::detect(), &xs, &ys, 7.0, &mut all);
    for count in 0..21 {
        let mut out = vec![0.0; count];
        simplex.noise3(SimdLevel::detect(), &xs[..count], &ys[..count], 7.0, &mut out);
        assert_eq!(out, all[..count]);
    }
}

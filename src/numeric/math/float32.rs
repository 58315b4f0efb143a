//! numpy's sine and cosine of float32, which differ from the C library's.
//!
//! numpy 2 evaluates these functions by its own polynomials, with fused multiply-add if the processor has this instruction;
//! this module uses fused multiply-add on every processor. Only the first observation of an Acrobot episode needs these
//! functions, so there is no vector version.

/// Largest argument for which numpy uses its own cosine; above it, numpy calls the C library.
const LARGEST_COS: f32 = 71_476.06;
/// Largest argument for which numpy uses its own sine; above it, numpy calls the C library.
const LARGEST_SIN: f32 = 117_435.99;

/// Returns `np.sin(np.float32(x))`.
pub fn numpy_sin_f32(x: f32) -> f32 {
    if x.abs() > LARGEST_SIN {
        return x.sin();
    }
    let (rest, quadrant) = reduce(x);
    turned(rest, quadrant)
}

/// Returns `np.cos(np.float32(x))`.
pub fn numpy_cos_f32(x: f32) -> f32 {
    if x.abs() > LARGEST_COS {
        return x.cos();
    }
    let (rest, quadrant) = reduce(x);
    turned(rest, quadrant + 1)
}

/// Returns the sine of the sum of the angle `rest` (in radians) and `quadrant` quarter turns.
fn turned(rest: f32, quadrant: i32) -> f32 {
    let value = if quadrant & 1 == 0 { sin_polynomial(rest) } else { cos_polynomial(rest) };
    if quadrant & 2 == 0 { value } else { -value }
}

/// Subtracts the nearest multiple of a quarter turn (pi/2), in three parts as Cody and Waite do. Returns the remaining angle and
/// the number of quarter turns.
fn reduce(x: f32) -> (f32, i32) {
    // Adding 1.5 * 2^23 rounds to an integer. As in numpy, the addition is fused with the product, which affects the rounding
    // near halves.
    let quadrant = x.mul_add(std::f32::consts::FRAC_2_PI, 12_582_912.0) - 12_582_912.0;
    let parts = [f32::from_bits(0x3fc9_0fd8), f32::from_bits(0x34a8_885a), f32::from_bits(0x27c2_34c4)];
    let rest = parts.into_iter().fold(x, |rest, part| (-quadrant).mul_add(part, rest));
    (rest, quadrant as i32)
}

fn cos_polynomial(x: f32) -> f32 {
    let square = x * x;
    let coefficients = [0x37cc_730b, 0xbab6_036e, 0x3d2a_aa9e, 0xbf00_0000, 0x3f80_0000];
    horner(square, coefficients)
}

fn sin_polynomial(x: f32) -> f32 {
    let square = x * x;
    let coefficients = [0x363e_9dde, 0xb950_35dd, 0x3c08_88cd, 0xbe2a_aaab];
    (horner(square, coefficients) * square).mul_add(x, x)
}

/// Evaluates a polynomial at `x`. The coefficients are the bit patterns of float32 numbers, highest power first.
fn horner<const N: usize>(x: f32, coefficients: [u32; N]) -> f32 {
    coefficients.into_iter().map(f32::from_bits).reduce(|sum, coefficient| sum.mul_add(x, coefficient)).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_equal_numpys() {
        // Each row of the table has an argument, and the bit patterns of its `np.sin` and `np.cos` in numpy 2.4.6 on a machine
        // with AVX-512.
        let table: [(f32, u32, u32); 13] = [
            (0.0, 0x00000000, 0x3f800000),
            (0.05, 0x3d4cb6f5, 0x3f7fae19),
            (-0.1, 0xbdcc7577, 0x3f7eb898),
            (std::f32::consts::FRAC_PI_4, 0x3f3504f3, 0x3f3504f3),
            (1.5, 0x3f7f5bd5, 0x3d90deaa),
            (std::f32::consts::PI, 0xb3bbbd2e, 0xbf800000),
            (-4.0, 0x3f41bdcf, 0xbf275530),
            (100.5, 0xbcfd9fc2, 0x3f7fe095),
            (40692.266, 0x3f34c4e6, 0xbf3544ea),
            (-106976.73, 0x3f3536f1, 0x3f34d2e7),
            (-70000.25, 0x3f28527c, 0x3f40e1e8),
            (100000.5, 0xbee53f0a, 0xbf64e7b4),
            (200000.5, 0x3ed4bbca, 0x3f68db3e),
        ];
        for (x, sin, cos) in table {
            assert_eq!((numpy_sin_f32(x).to_bits(), numpy_cos_f32(x).to_bits()), (sin, cos), "{x}");
        }
    }

    #[test]
    fn nan_stays_nan() {
        assert!(numpy_sin_f32(f32::NAN).is_nan() && numpy_cos_f32(f32::INFINITY).is_nan());
    }
}

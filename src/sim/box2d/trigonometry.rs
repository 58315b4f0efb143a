//! Computes float32 sine and cosine in float64 arithmetic, with the same bits as the GNU C library.
//!
//! glibc evaluates polynomials in float64, with fused multiply-add if the CPU has it. This module uses no fused multiply-add;
//! the rounded result is still equal for every float32 of magnitude below 12. So results equal those of glibc on all systems,
//! without a library call.

/// Magnitude of an angle in radians. From this magnitude on, angles are passed to the C library, because glibc reduces them by
/// another algorithm.
pub const MAX_REDUCED_ANGLE: f32 = 120.0;
/// Magnitude of an angle `x` in radians below which `sin(x)` is `x` (also for -0) and `cos(x)` is 1.
const MIN_REDUCED_ANGLE: f32 = 1.0 / 4096.0;
/// Constant `hpi_inv` of glibc: 2^24 * 2/π. The product of an angle and this constant is the number of quarter turns, times
/// 2^24.
const HPI_INV: f64 = f64::from_bits(0x4164_5F30_6DC9_C883);
const HPI: f64 = f64::from_bits(0x3FF9_21FB_5444_2D18);

const SIN: [f64; 3] =
    [f64::from_bits(0xBFC5_5554_5995_A603), f64::from_bits(0x3F81_1076_0523_0BC4), f64::from_bits(0xBF29_94EB_3774_CF24)];
const COS: [f64; 5] = [
    1.0,
    f64::from_bits(0xBFDF_FFFF_FD0C_621C),
    f64::from_bits(0x3FA5_5553_E106_8F19),
    f64::from_bits(0xBF56_C087_E89A_359D),
    f64::from_bits(0x3EF9_9343_027B_F8C3),
];

/// Returns sine and cosine of an angle in radians.
#[inline(always)]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    if angle.abs() < MAX_REDUCED_ANGLE { sin_cos_reduced(angle) } else { sin_cos_libm(angle) }
}

#[inline(always)]
fn sin_cos_reduced(angle: f32) -> (f32, f32) {
    if angle.abs() < MIN_REDUCED_ANGLE {
        return (angle, 1.0);
    }
    let x = f64::from(angle);
    let quarters = (((x * HPI_INV) as i32).wrapping_add(0x80_0000)) >> 24;
    let x = x - f64::from(quarters) * HPI;
    let square = x * x;
    let (sin, cos) = (sin_polynomial(x, square) as f32, cos_polynomial(square) as f32);
    let (sin, cos) = if quarters & 1 == 0 { (sin, cos) } else { (cos, sin) };
    let sign = |negative: bool, value: f32| if negative { -value } else { value };
    (sign(quarters & 2 != 0, sin), sign((quarters + 1) & 2 != 0, cos))
}

/// Returns sines and cosines of angles of a magnitude below [`MAX_REDUCED_ANGLE`], with the same bits as [`sin_cos`]. Compilers
/// convert the loop to vector instructions, because it contains neither branches nor integers of 64 bits.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn sin_cos_reduced_lanes<const N: usize>(angles: &[f32; N]) -> ([f32; N], [f32; N]) {
    /// Number whose sum with a small integer has this integer in its lowest bits.
    const INTEGERS: f64 = 1.5 * (1_u64 << 52) as f64;
    let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
    for ((angle, sine), cosine) in angles.iter().zip(&mut sines).zip(&mut cosines) {
        let x = f64::from(*angle);
        let quarters = (((x * HPI_INV).trunc() + f64::from(1 << 23)) * (1.0 / f64::from(1 << 24))).floor();
        let bits = (quarters + INTEGERS).to_bits() as u32;
        let x = x - quarters * HPI;
        let square = x * x;
        let (sin, cos) = (sin_polynomial(x, square) as f32, cos_polynomial(square) as f32);
        let (sin, cos) = if bits & 1 == 0 { (sin, cos) } else { (cos, sin) };
        let is_small = angle.abs() < MIN_REDUCED_ANGLE;
        let signed = |value: f32, turns: u32| f32::from_bits(value.to_bits() ^ ((turns & 2) << 30));
        *sine = if is_small { *angle } else { signed(sin, bits) };
        *cosine = if is_small { 1.0 } else { signed(cos, bits.wrapping_add(1)) };
    }
    (sines, cosines)
}

/// Returns sine and cosine of two angles, computed in parallel with SSE2 on x86-64.
#[inline(always)]
pub fn sin_cos_pair(angles: [f32; 2]) -> [(f32, f32); 2] {
    let [a, b] = angles;
    if !(a.abs() < MAX_REDUCED_ANGLE && b.abs() < MAX_REDUCED_ANGLE) {
        return [sin_cos(a), sin_cos(b)];
    }
    let (sines, cosines, quarters) = sin_cos_reduced_pair(angles);
    let turned = |i: usize| {
        let (angle, quarters) = (angles[i], quarters[i]);
        if angle.abs() < MIN_REDUCED_ANGLE {
            return (angle, 1.0);
        }
        let (sin, cos) = if quarters & 1 == 0 { (sines[i], cosines[i]) } else { (cosines[i], sines[i]) };
        let signed = |negative: i32, value: f32| f32::from_bits(value.to_bits() ^ ((negative as u32 & 2) << 30));
        (signed(quarters, sin), signed(quarters + 1, cos))
    };
    [turned(0), turned(1)]
}

/// Reduces two angles by multiples of π/2. Returns the sines and cosines of the remainders, and the multiples of π/2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn sin_cos_reduced_pair([a, b]: [f32; 2]) -> ([f32; 2], [f32; 2], [i32; 2]) {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_add_pd, _mm_cvtepi32_pd, _mm_cvtpd_ps, _mm_cvtsi128_si64, _mm_cvttpd_epi32, _mm_mul_pd, _mm_set_pd,
        _mm_set1_epi32, _mm_set1_pd, _mm_shuffle_ps, _mm_srai_epi32, _mm_store_ss, _mm_sub_pd,
    };
    // SAFETY: every x86-64 processor has SSE2.
    unsafe {
        let number = |number: f64| _mm_set1_pd(number);
        let (add, mul) = (|a, b| _mm_add_pd(a, b), |a, b| _mm_mul_pd(a, b));
        let x = _mm_set_pd(f64::from(b), f64::from(a));
        let scaled = _mm_cvttpd_epi32(mul(x, number(HPI_INV)));
        let quarters = _mm_srai_epi32::<24>(_mm_add_epi32(scaled, _mm_set1_epi32(0x80_0000)));
        let x = _mm_sub_pd(x, mul(_mm_cvtepi32_pd(quarters), number(HPI)));
        let square = mul(x, x);
        let cube = mul(x, square);
        let high = add(number(SIN[1]), mul(square, number(SIN[2])));
        let low = add(x, mul(cube, number(SIN[0])));
        let sines = _mm_cvtpd_ps(add(low, mul(mul(cube, square), high)));
        let fourth = mul(square, square);
        let high = add(number(COS[3]), mul(square, number(COS[4])));
        let low = add(number(COS[0]), mul(square, number(COS[1])));
        let middle = add(low, mul(fourth, number(COS[2])));
        let cosines = _mm_cvtpd_ps(add(middle, mul(mul(fourth, square), high)));
        let both = |numbers| {
            let mut pair = [0.0; 2];
            _mm_store_ss(&mut pair[0], numbers);
            _mm_store_ss(&mut pair[1], _mm_shuffle_ps::<1>(numbers, numbers));
            pair
        };
        let quarters = _mm_cvtsi128_si64(quarters);
        (both(sines), both(cosines), [quarters as i32, (quarters >> 32) as i32])
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn sin_cos_reduced_pair(angles: [f32; 2]) -> ([f32; 2], [f32; 2], [i32; 2]) {
    let quarters = angles.map(|angle| (((f64::from(angle) * HPI_INV) as i32).wrapping_add(0x80_0000)) >> 24);
    let x = [0, 1].map(|i| f64::from(angles[i]) - f64::from(quarters[i]) * HPI);
    (x.map(|x| sin_polynomial(x, x * x) as f32), x.map(|x| cos_polynomial(x * x) as f32), quarters)
}

#[cold]
#[inline(never)]
fn sin_cos_libm(angle: f32) -> (f32, f32) {
    (angle.sin(), angle.cos())
}

#[inline(always)]
fn sin_polynomial(x: f64, square: f64) -> f64 {
    let cube = x * square;
    let high = SIN[1] + square * SIN[2];
    let seventh = cube * square;
    let low = x + cube * SIN[0];
    low + seventh * high
}

#[inline(always)]
fn cos_polynomial(square: f64) -> f64 {
    let fourth = square * square;
    let high = COS[3] + square * COS[4];
    let low = COS[0] + square * COS[1];
    let sixth = fourth * square;
    let middle = low + fourth * COS[2];
    middle + sixth * high
}

#[cfg(test)]
mod tests {
    use super::{sin_cos, sin_cos_pair};

    fn bits((sin, cos): (f32, f32)) -> (u32, u32) {
        (sin.to_bits(), cos.to_bits())
    }

    #[test]
    fn sin_cos_pair_equals_sin_cos() {
        let angles = (0..0x7F80_0000).step_by(99_991).flat_map(|bits| [f32::from_bits(bits), -f32::from_bits(bits)]);
        let mut before = -0.0;
        for angle in angles.chain([f32::INFINITY, 120.0, -0.0, 0.0]) {
            let two = sin_cos_pair([before, angle]).map(bits);
            assert_eq!(two, [before, angle].map(sin_cos).map(bits), "{before:?} {angle:?}");
            before = angle;
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn sin_cos_of_lanes_equals_sin_cos() {
        let most = super::MAX_REDUCED_ANGLE.to_bits();
        for start in (0..most - 16 * 2003).step_by(16 * 2003) {
            let angles: [f32; 16] =
                std::array::from_fn(|lane| f32::from_bits(start + 2003 * lane as u32) * if lane % 2 == 0 { 1.0 } else { -1.0 });
            let (sines, cosines) = super::sin_cos_reduced_lanes(&angles);
            for lane in 0..16 {
                assert_eq!(bits((sines[lane], cosines[lane])), bits(sin_cos(angles[lane])), "{:?}", angles[lane]);
            }
        }
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn sines_and_cosines_equal_the_c_librarys() {
        let most = 12.0_f32.to_bits();
        for bits in (0..most).step_by(1009) {
            for angle in [f32::from_bits(bits), -f32::from_bits(bits)] {
                let (sin, cos) = sin_cos(angle);
                assert_eq!((sin.to_bits(), cos.to_bits()), (angle.sin().to_bits(), angle.cos().to_bits()), "{angle:?}");
            }
        }
    }

    #[test]
    fn nan_and_infinity_give_nan() {
        assert!(sin_cos(f32::NAN).0.is_nan());
        assert!(sin_cos(f32::INFINITY).1.is_nan());
    }
}

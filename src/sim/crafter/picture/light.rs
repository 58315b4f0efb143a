//! Applies the light to a picture. Pictures are darker and bluer at night, with random noise, and dim while the player sleeps.
//!
//! The arithmetic is float64, as in numpy, and float32 where the package uses Pillow's `ImageEnhance.Color`. Pixels are
//! processed in blocks, as loops over local arrays of one channel each, which the compiler turns into vector instructions.

use envpool_rs_numeric::simd::SimdKernel;

/// Number of pixels that are processed together.
pub(super) const BLOCK: usize = 16;

/// Daylight (from 0 at night to 1 at noon) below which noise is added.
pub(super) const NOISE_DAYLIGHT: f64 = 0.5;
/// Minimum of the noise's gray values, and the width of their range.
const NOISE: [f64; 2] = [32.0, 127.0 - 32.0];
/// Colour that pixels are mixed with at night: red, green and blue.
const NIGHT: [f64; 3] = [0.0, 16.0, 64.0];
/// Colour that pixels are mixed with while the player sleeps: red, green and blue.
const SLEEP: [f64; 3] = [0.0, 0.0, 16.0];
/// Factor by which the saturation of colours is multiplied at night.
const NIGHT_SATURATION: f32 = 0.4;

/// One colour channel of a block of pixels, as bytes.
pub(super) type ByteBlock = [u8; BLOCK];
/// One colour channel or the noise of a block of pixels, as float64.
pub(super) type FloatBlock = [f64; BLOCK];

/// Light conditions of one picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Light {
    /// Brightness, from 0 at night to 1 at noon.
    pub(super) daylight: f64,
    pub(super) is_sleeping: bool,
}

/// SIMD kernel that computes the light of pixels without noise.
pub(super) struct Day<'a> {
    pub(super) light: Light,
    /// Red, green and blue of the pixels before the light is applied.
    pub(super) colors: [&'a [ByteBlock]; 3],
    /// Output: red, green and blue of each pixel. The output may end inside the last block.
    pub(super) out: &'a mut [u8],
}

/// SIMD kernel that computes the light of pixels with noise.
pub(super) struct Night<'a> {
    pub(super) light: Light,
    /// Red, green and blue of the pixels before the light is applied.
    pub(super) colors: [&'a [ByteBlock]; 3],
    /// Random number of each pixel, from 0 to 1.
    pub(super) noise: &'a [FloatBlock],
    /// Strength of the noise of each pixel in full darkness, from 0 to 1.
    pub(super) vignette: &'a [FloatBlock],
    /// Output: red, green and blue of each pixel. The output may end inside the last block.
    pub(super) out: &'a mut [u8],
}

impl SimdKernel for Day<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (block, out) in self.out.chunks_mut(3 * BLOCK).enumerate() {
            let own = own_colors(&self.colors, block);
            write(finished(lit(&own, &own, self.light.daylight), self.light), out);
        }
    }
}

impl SimdKernel for Night<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let amount = 2.0 * (0.5 - self.light.daylight);
        for (block, out) in self.out.chunks_mut(3 * BLOCK).enumerate() {
            let own = own_colors(&self.colors, block);
            let (noise, vignette) = (self.noise[block], self.vignette[block]);
            let mask = each(|pixel| amount * vignette[pixel]);
            let strength: FloatBlock = each(|pixel| mask[pixel] * (NOISE[0] + NOISE[1] * noise[pixel]));
            let rest: FloatBlock = each(|pixel| 1.0 - mask[pixel]);
            let noisy = [
                with_noise(&own[0], &rest, &strength),
                with_noise(&own[1], &rest, &strength),
                with_noise(&own[2], &rest, &strength),
            ];
            write(finished(lit(&own, &noisy, self.light.daylight), self.light), out);
        }
    }
}

/// Returns a block whose elements are `value(pixel)` for the pixel numbers 0 to `BLOCK - 1`.
#[inline(always)]
fn each<T: Copy + Default>(mut value: impl FnMut(usize) -> T) -> [T; BLOCK] {
    let mut values = [T::default(); BLOCK];
    for (pixel, slot) in values.iter_mut().enumerate() {
        *slot = value(pixel);
    }
    values
}

#[inline(always)]
fn own_colors(planes: &[&[ByteBlock]; 3], block: usize) -> [[i32; BLOCK]; 3] {
    [widened(planes[0][block]), widened(planes[1][block]), widened(planes[2][block])]
}

/// Returns a colour channel mixed with noise; `strength` is the weight of the noise at each pixel.
#[inline(always)]
fn with_noise(own: &[i32; BLOCK], rest: &FloatBlock, strength: &FloatBlock) -> [i32; BLOCK] {
    each(|pixel| truncated(rest[pixel] * f64::from(own[pixel]) + strength[pixel]))
}

#[inline(always)]
fn widened(bytes: ByteBlock) -> [i32; BLOCK] {
    each(|pixel| i32::from(bytes[pixel]))
}

/// Returns the colours of pixels at the brightness `daylight`. `own` are the colours by day, and `seen` are these colours mixed
/// with noise.
#[inline(always)]
fn lit(own: &[[i32; BLOCK]; 3], seen: &[[i32; BLOCK]; 3], daylight: f64) -> [[i32; BLOCK]; 3] {
    let gray = grays(seen);
    [
        lit_channel(&own[0], &seen[0], &gray, NIGHT[0], daylight),
        lit_channel(&own[1], &seen[1], &gray, NIGHT[1], daylight),
        lit_channel(&own[2], &seen[2], &gray, NIGHT[2], daylight),
    ]
}

#[inline(always)]
fn lit_channel(own: &[i32; BLOCK], seen: &[i32; BLOCK], gray: &[i32; BLOCK], night: f64, daylight: f64) -> [i32; BLOCK] {
    let dull: [i32; BLOCK] =
        each(|pixel| truncated_single(gray[pixel] as f32 + NIGHT_SATURATION * (seen[pixel] - gray[pixel]) as f32));
    each(|pixel| {
        let dark = 0.5 * f64::from(dull[pixel]) + 0.5 * night;
        truncated(daylight * f64::from(own[pixel]) + (1.0 - daylight) * dark)
    })
}

/// Returns the final colours of pixels: dimmed if the player sleeps, otherwise unchanged.
#[inline(always)]
fn finished(colors: [[i32; BLOCK]; 3], light: Light) -> [[i32; BLOCK]; 3] {
    if !light.is_sleeping {
        return colors;
    }
    let gray = grays(&colors);
    [asleep(&gray, SLEEP[0]), asleep(&gray, SLEEP[1]), asleep(&gray, SLEEP[2])]
}

#[inline(always)]
fn asleep(gray: &[i32; BLOCK], tint: f64) -> [i32; BLOCK] {
    each(|pixel| truncated(0.5 * f64::from(gray[pixel]) + 0.5 * tint))
}

/// Writes the red, green and blue of each pixel, one pixel after the other.
#[inline(always)]
fn write(colors: [[i32; BLOCK]; 3], out: &mut [u8]) {
    let mut bytes = [0; 3 * BLOCK];
    for pixel in 0..BLOCK {
        bytes[3 * pixel] = colors[0][pixel] as u8;
        bytes[3 * pixel + 1] = colors[1][pixel] as u8;
        bytes[3 * pixel + 2] = colors[2][pixel] as u8;
    }
    match <&mut [u8; 3 * BLOCK]>::try_from(&mut *out) {
        Ok(out) => *out = bytes,
        Err(_) => out.copy_from_slice(&bytes[..out.len()]),
    }
}

/// Returns the gray values of colours as Pillow computes them, from 0 to 255.
#[inline(always)]
fn grays([red, green, blue]: &[[i32; BLOCK]; 3]) -> [i32; BLOCK] {
    each(|pixel| (red[pixel] * 19595 + green[pixel] * 38470 + blue[pixel] * 7471 + 0x8000) >> 16)
}

/// Returns the integer part of a number from 0 to 255.
///
/// The compiler does not vectorise the saturating conversion `as`; with it, a picture at night took 64 us instead of 21 us.
#[inline(always)]
fn truncated(number: f64) -> i32 {
    debug_assert!((0.0..256.0).contains(&number), "{number} is no colour");
    // SAFETY: each number is a weighted mean of a pixel's bytes and of the noise (32 to 127), so it is in the range of a byte.
    // The weights are computed from the number of steps and from `vignette`, and are finite.
    unsafe { number.to_int_unchecked() }
}

/// Returns the integer part of a number from 0 to 255.
#[inline(always)]
fn truncated_single(number: f32) -> i32 {
    debug_assert!((0.0..256.0).contains(&number), "{number} is no colour");
    // SAFETY: each number lies between two colours of a pixel, so it is in the range of a byte.
    unsafe { number.to_int_unchecked() }
}

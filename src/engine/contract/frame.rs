//! Rendering of environments: RGB frames, depth and text.

use crate::contract::error::{Error, Result};

/// Maximum width and height of a frame in pixels.
pub const MAX_SIDE: u32 = 4096;

/// Rendering capabilities of an environment type, known before an environment is created. By default, the environment renders
/// nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RenderSpec {
    /// Width and height of frames in pixels; `None` if the environment renders no images.
    pub frame_size: Option<(u32, u32)>,
    /// Whether the environment renders text (`render_mode="ansi"`).
    pub has_text: bool,
    /// Frames per second of recorded videos.
    pub frames_per_second: u32,
    /// Whether the environment renders from several cameras and returns depth. Frames are then rendered directly in the requested
    /// size.
    pub has_cameras: bool,
}

impl RenderSpec {
    /// Creates the capabilities of an environment that renders frames of `width` by `height` pixels.
    pub const fn with_frame_size(width: u32, height: u32, frames_per_second: u32) -> Self {
        Self { frame_size: Some((width, height)), has_text: false, frames_per_second, has_cameras: false }
    }

    /// Returns a copy of these capabilities that also has cameras and depth.
    #[must_use]
    pub const fn with_cameras(self) -> Self {
        Self { has_cameras: true, ..self }
    }

    /// Returns a copy of these capabilities that also has text output.
    #[must_use]
    pub const fn with_text(self) -> Self {
        Self { has_text: true, ..self }
    }

    /// Returns the common capabilities of several environments: the largest frame size, and features that all of them have.
    pub fn common(renderings: impl Iterator<Item = Self> + Clone) -> Self {
        let largest = renderings.clone().max_by_key(|each| each.frame_size).unwrap_or_default();
        let picture = largest.frame_size.filter(|_| renderings.clone().all(|each| each.frame_size.is_some()));
        let (text, cameras) = (renderings.clone().all(|each| each.has_text), renderings.clone().all(|each| each.has_cameras));
        Self { frame_size: picture, has_text: text, has_cameras: cameras, ..largest }
    }

    /// Returns the frame size for a requested `width` and `height`; 0 selects the task's own size.
    ///
    /// # Errors
    /// `State` if the task renders no images; `Value` for sides that are negative or above [`MAX_SIDE`].
    pub fn size(&self, width: i64, height: i64) -> Result<(u32, u32)> {
        let own = self.frame_size.ok_or_else(|| Error::State("this task draws no pictures".into()))?;
        let side = |name, given, own| match u32::try_from(given) {
            Ok(0) => Ok(own),
            Ok(side) if side <= MAX_SIDE => Ok(side),
            _ => Err(Error::value(name, given, format_args!("1 to {MAX_SIDE}, or 0 for the task's own {own}"))),
        };
        Ok((side("render_width", width, own.0)?, side("render_height", height, own.1)?))
    }

    /// Validates render arguments against these capabilities.
    ///
    /// # Errors
    /// `State` if the task renders no images; `Value` for sides that are negative or above [`MAX_SIDE`]. If the task has no
    /// cameras: `Value` for a camera, `State` for depth.
    pub fn validate(&self, shot: RenderArgs) -> Result<RenderParams> {
        let (width, height) = self.size(shot.width, shot.height)?;
        match shot.camera {
            Some(camera) if camera != -1 && !self.has_cameras => {
                Err(Error::value("camera_id", camera, "None or -1 (there are no cameras)"))
            }
            _ if shot.depth && !self.has_cameras => {
                Err(Error::State("depth=True: expected False (this task renders no depth)".into()))
            }
            camera => Ok(RenderParams { width, height, camera, depth: shot.depth }),
        }
    }
}

/// Render arguments, not yet validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RenderArgs {
    /// Width in pixels; 0 selects the task's default width.
    pub width: i64,
    /// Height in pixels; 0 selects the task's default height.
    pub height: i64,
    /// Number of the camera; -1 for the free camera; `None` for the default camera.
    pub camera: Option<i64>,
    /// Whether to return also the distance of each pixel from the camera.
    pub depth: bool,
}

/// Validated render parameters of one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderParams {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of the camera; -1 for the free camera; `None` for the default camera.
    pub camera: Option<i64>,
    /// Whether to return also the distance of each pixel from the camera.
    pub depth: bool,
}

/// One rendered image: red, green and blue from 0 to 255 for each pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
    depth: Vec<f32>,
}

impl Frame {
    /// Creates an image from RGB bytes.
    ///
    /// # Panics
    /// If there are not exactly `width * height * 3` bytes: a mistake in the environment.
    pub fn new(width: u32, height: u32, pixels: Vec<u8>) -> Self {
        assert_eq!(pixels.len(), width as usize * height as usize * 3, "a picture of {width} x {height} pixels");
        Self { width, height, pixels, depth: Vec::new() }
    }

    /// Adds depth, the distance of each pixel from the camera, to the image.
    ///
    /// # Panics
    /// If there is not exactly one number per pixel: a mistake in the environment.
    #[must_use]
    pub fn with_depth(self, depth: Vec<f32>) -> Self {
        assert_eq!(
            depth.len(),
            self.width as usize * self.height as usize,
            "the depth of {} x {} pixels",
            self.width,
            self.height
        );
        Self { depth, ..self }
    }

    /// Returns the distance of each pixel from the camera, row by row from the top; empty if depth was not requested.
    pub fn depth(&self) -> &[f32] {
        &self.depth
    }

    /// Returns the image's width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns red, green, blue of each pixel, row by row from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Returns the image scaled to another size: averaged if it shrinks, interpolated if it grows.
    #[must_use]
    pub fn scaled(&self, width: u32, height: u32) -> Self {
        let mut pixels = vec![0; width as usize * height as usize * 3];
        self.scale_into(width, height, &mut pixels);
        Self::new(width, height, pixels)
    }

    /// Writes the image to `pixels` as [`Frame::scaled`] does. An image without pixels leaves `pixels` as they are.
    ///
    /// # Panics
    /// If `pixels` has not exactly `width * height * 3` bytes.
    pub fn scale_into(&self, width: u32, height: u32, pixels: &mut [u8]) {
        assert_eq!(pixels.len(), width as usize * height as usize * 3, "a picture of {width} x {height} pixels");
        if (width, height) == self.size() {
            return pixels.copy_from_slice(&self.pixels);
        }
        if self.pixels.is_empty() || pixels.is_empty() {
            return;
        }
        let (old_row, columns) = (self.width as usize * 3, FilterTaps::new(self.width, width));
        let rows = FilterTaps::new(self.height, height);
        // One row of the image's pixels, averaged over the rows that contribute to a row of the result, and one number more: the
        // columns are averaged by four numbers at a time.
        let mut averages = vec![0; old_row + 1];
        for (out, (first, weights)) in pixels.chunks_exact_mut(width as usize * 3).zip(rows.iter()) {
            average_rows(&self.pixels[first * old_row..], old_row, weights, &mut averages);
            // Loops of a constant length are twice as fast. The last takes any number of weights.
            match columns.count {
                1 => columns.average::<1>(&averages, out),
                2 => columns.average::<2>(&averages, out),
                3 => columns.average::<3>(&averages, out),
                _ => columns.average_many(&averages, out),
            }
        }
    }
}

/// Averages rows of `length` bytes by `weights`, whose sum is [`FilterTaps::ONE`]. The loops run over adjacent bytes in 16-bit
/// numbers, so that the compiler vectorises them.
fn average_rows(rows: &[u8], length: usize, weights: &[u16], averages: &mut [u16]) {
    if let [one, other] = weights {
        let bytes = rows[..length].iter().zip(&rows[length..]);
        for (average, (upper, lower)) in averages.iter_mut().zip(bytes) {
            *average = (one * u16::from(*upper) + other * u16::from(*lower) + 128) >> 8;
        }
        return;
    }
    averages.fill(128);
    for (row, weight) in rows.chunks_exact(length).zip(weights) {
        averages.iter_mut().zip(row).for_each(|(sum, byte)| *sum += weight * u16::from(*byte));
    }
    averages.iter_mut().for_each(|sum| *sum >>= 8);
}

/// Weights of the source pixels that contribute to each target pixel along an axis. If the axis shrinks, these are the parts of
/// the source pixels that the target pixel covers. If it grows, the target pixel lies between two source pixels.
struct FilterTaps {
    /// First source pixel of each target pixel.
    firsts: Vec<usize>,
    /// Weights of the source pixels of all target pixels, `count` for each, whose sum is [`FilterTaps::ONE`].
    weights: Vec<u16>,
    count: usize,
}

impl FilterTaps {
    /// The weight 1. A weighted sum of bytes has 16 bits.
    const ONE: f64 = 256.0;

    fn new(old: u32, new: u32) -> Self {
        let (old, new) = (old as usize, new as usize);
        let ratio = old as f64 / new as f64;
        let shrinks = new < old;
        let covered = old.div_ceil(new) + usize::from(!old.is_multiple_of(new));
        let count = if shrinks { covered.min(old) } else { old.min(2) };
        let (mut firsts, mut weights) = (Vec::with_capacity(new), Vec::with_capacity(new * count));
        for target in 0..new {
            let (start, end) = (target as f64 * ratio, (target + 1) as f64 * ratio);
            let middle = (start + end) / 2.0;
            let first = if shrinks { target * old / new } else { (middle - 0.5).max(0.0) as usize };
            let pixels = first.min(old - count)..first.min(old - count) + count;
            let share = |pixel: usize| {
                let left = pixel as f64;
                let part = if shrinks { end.min(left + 1.0) - start.max(left) } else { 1.0 - (left + 0.5 - middle).abs() };
                part.max(0.0)
            };
            let total: f64 = pixels.clone().map(share).sum();
            firsts.push(pixels.start);
            let (mut sum, mut before) = (0.0, 0);
            weights.extend(pixels.map(|pixel| {
                sum += share(pixel);
                let all = (Self::ONE * (sum / total)).round() as u16;
                all - std::mem::replace(&mut before, all)
            }));
        }
        Self { firsts, weights, count }
    }

    /// Returns the first source pixel and the weights of each target pixel.
    fn iter(&self) -> impl Iterator<Item = (usize, &[u16])> {
        self.firsts.iter().copied().zip(self.weights.chunks_exact(self.count))
    }

    /// Averages the pixels of a row, by `COUNT` weights for each target pixel.
    fn average<const COUNT: usize>(&self, row: &[u16], out: &mut [u8]) {
        let weights = self.weights.as_chunks::<COUNT>().0;
        for ((out, first), weights) in out.as_chunks_mut::<3>().0.iter_mut().zip(&self.firsts).zip(weights) {
            *out = weighted_pixel(&row[first * 3..][..COUNT * 3 + 1], weights);
        }
    }

    fn average_many(&self, row: &[u16], out: &mut [u8]) {
        for (out, (first, weights)) in out.as_chunks_mut::<3>().0.iter_mut().zip(self.iter()) {
            *out = weighted_pixel(&row[first * 3..], weights);
        }
    }
}

/// Returns the weighted sum of the first pixels of `row`, whose numbers are bytes. The three colours are added at the same time,
/// each in 16 bits of a 64-bit number; the upper 16 bits have a number of the next pixel.
#[inline(always)]
fn weighted_pixel(row: &[u16], weights: &[u16]) -> [u8; 3] {
    let mut sum = 0x0080_0080_0080_u64;
    for (at, weight) in weights.iter().enumerate() {
        let [red, green, blue, next] = [0, 1, 2, 3].map(|colour| u64::from(row[at * 3 + colour]));
        sum += u64::from(*weight) * (red | green << 16 | blue << 32 | next << 48);
    }
    [sum >> 8, sum >> 24, sum >> 40].map(|colour| colour as u8)
}

/// Frames of several environments, all of one size.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameBatch {
    /// Number of frames.
    pub count: usize,
    /// Width of each frame in pixels.
    pub width: u32,
    /// Height of each frame in pixels.
    pub height: u32,
    /// RGB bytes of all frames in sequence, each row by row: `count * height * width * 3` bytes.
    pub pixels: Vec<u8>,
    /// Distance of each pixel from the camera, in the same order; empty if depth was not requested.
    pub depth: Vec<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(width: u32, height: u32) -> Frame {
        let value = |x: u32, y: u32| [(x * 8) as u8, (y * 8) as u8, 100];
        Frame::new(width, height, (0..height).flat_map(|y| (0..width).flat_map(move |x| value(x, y))).collect())
    }

    #[test]
    fn scaling_a_picture_to_its_own_size_changes_nothing() {
        assert_eq!(ramp(7, 5).scaled(7, 5), ramp(7, 5));
    }

    #[test]
    fn a_uniform_picture_stays_uniform_in_every_size() {
        let gray = Frame::new(9, 4, vec![77; 9 * 4 * 3]);
        for (width, height) in [(1, 1), (3, 8), (9, 2), (100, 31)] {
            let scaled = gray.scaled(width, height);
            assert_eq!(scaled.size(), (width, height));
            assert!(scaled.pixels().iter().all(|value| *value == 77), "{width} x {height}");
        }
    }

    #[test]
    fn every_size_of_a_ramp_is_a_ramp() {
        for (width, height) in [(1, 1), (2, 3), (5, 7), (31, 30), (64, 100), (13, 200)] {
            let scaled = ramp(31, 30).scaled(width, height);
            let pixel = |x: u32, y: u32| &scaled.pixels()[(y * width + x) as usize * 3..][..3];
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let expected = [(x, width, 31.0), (y, height, 30.0)].map(|(at, new, old)| {
                    let middle = (f64::from(at) + 0.5) * old / f64::from(new) - 0.5;
                    8.0 * middle.clamp(0.0, old - 1.0)
                });
                // Near an edge, the filter has less than its whole width.
                let slack = [31.0 / f64::from(width), 30.0 / f64::from(height)].map(|ratio| 1.0 + 4.0 * f64::max(ratio, 1.0));
                assert!((0..2).all(|axis| (f64::from(pixel(x, y)[axis]) - expected[axis]).abs() < slack[axis]));
                assert_eq!(pixel(x, y)[2], 100);
            }
        }
    }

    #[test]
    fn pixels_of_a_shrunk_picture_are_averages_of_the_pixels_that_they_cover() {
        let (width, height) = (24, 12);
        let noise: Vec<u8> = (0..width * height * 3).map(|at: u32| (at.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
        for block in [(1, 2), (2, 1), (2, 2), (3, 3), (4, 2), (8, 6), (24, 12)] {
            let size = (width / block.0, height / block.1);
            let small = Frame::new(width, height, noise.clone()).scaled(size.0, size.1);
            for (at, value) in small.pixels().iter().enumerate() {
                let (x, y, colour) = (at as u32 / 3 % size.0, at as u32 / 3 / size.0, at as u32 % 3);
                let covered = (0..block.0 * block.1).map(|i| (x * block.0 + i % block.0, y * block.1 + i / block.0));
                let sum: u32 = covered.map(|(x, y)| u32::from(noise[((y * width + x) * 3 + colour) as usize])).sum();
                let average = f64::from(sum) / f64::from(block.0 * block.1);
                assert!((f64::from(*value) - average).abs() < 1.6, "{block:?}: {value} instead of {average}");
            }
        }
    }

    #[test]
    fn the_brightest_picture_stays_the_brightest_in_every_size() {
        for old in [(1, 1), (2, 3), (160, 210), (300, 2)] {
            let white = Frame::new(old.0, old.1, vec![255; (old.0 * old.1) as usize * 3]);
            for new in [(1, 1), (3, 1), (84, 84), (159, 211), (1000, 2)] {
                assert!(white.scaled(new.0, new.1).pixels().iter().all(|value| *value == 255), "{old:?} to {new:?}");
            }
        }
    }

    #[test]
    fn halving_averages_pixels_and_keeps_the_orientation() {
        let half = ramp(8, 8).scaled(4, 4);
        let pixels = half.pixels();
        assert!(pixels[0] < pixels[3 * 3], "left is darker in red");
        assert!(pixels[1] < pixels[4 * 3 * 3 + 1], "top is darker in green");
        assert_eq!(pixels[3], 20, "between columns 2 (16) and 3 (24)");
    }

    #[test]
    fn a_picture_with_too_few_bytes_is_refused() {
        assert!(std::panic::catch_unwind(|| Frame::new(2, 2, vec![0; 11])).is_err());
    }

    #[test]
    fn sizes_default_to_the_tasks_size_and_are_bounded() {
        let rendering = RenderSpec::with_frame_size(600, 400, 50);
        assert_eq!(rendering.size(0, 0), Ok((600, 400)));
        assert_eq!(rendering.size(84, 0), Ok((84, 400)));
        let error = rendering.size(0, 4097).unwrap_err().to_string();
        assert_eq!(error, "render_height=4097: expected 1 to 4096, or 0 for the task's own 400");
        assert!(rendering.size(-1, 0).is_err());
        assert!(RenderSpec::default().size(0, 0).is_err());
    }

    #[test]
    fn only_tasks_with_cameras_and_depth_accept_these_options() {
        let (flat, solid) = (RenderSpec::with_frame_size(6, 4, 50), RenderSpec::with_frame_size(6, 4, 50).with_cameras());
        let by = |camera| RenderArgs { camera, ..RenderArgs::default() };
        let deep = RenderArgs { depth: true, ..RenderArgs::default() };
        assert_eq!(flat.validate(by(Some(-1))).unwrap(), RenderParams { width: 6, height: 4, camera: Some(-1), depth: false });
        assert_eq!(
            flat.validate(by(Some(0))).unwrap_err().to_string(),
            "camera_id=0: expected None or -1 (there are no cameras)"
        );
        assert!(matches!(flat.validate(deep), Err(Error::State(_))));
        assert!(solid.validate(by(Some(7))).is_ok() && solid.validate(deep).unwrap().depth);
        assert!(!RenderSpec::common([flat, solid].into_iter()).has_cameras);
    }
}

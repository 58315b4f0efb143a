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

    /// Returns the image scaled to another size: smoothed if it shrinks, interpolated if it grows.
    #[must_use]
    pub fn scaled(&self, width: u32, height: u32) -> Self {
        if (width, height) == self.size() {
            return self.clone();
        }
        if self.pixels.is_empty() {
            return Self::new(width, height, vec![0; width as usize * height as usize * 3]);
        }
        let (old_row, columns) = (self.width as usize * 3, FilterTaps::new(self.width, width));
        let rows = FilterTaps::new(self.height, height);
        let mut pixels = vec![0; width as usize * height as usize * 3];
        let mut sums = vec![0.0_f32; old_row];
        // The rows of the image that contribute to a row of the result are summed first: a loop over adjacent bytes, which the
        // compiler vectorises.
        for (out, (first, weights)) in pixels.chunks_exact_mut(width as usize * 3).zip(rows.iter()) {
            sums.fill(0.0);
            for (row, weight) in self.pixels[first * old_row..].chunks_exact(old_row).zip(weights) {
                sums.iter_mut().zip(row).for_each(|(sum, colour)| *sum += weight * f32::from(*colour));
            }
            for (out, (first, weights)) in out.as_chunks_mut::<3>().0.iter_mut().zip(columns.iter()) {
                let mut sum = [0.5; 3];
                for (pixel, weight) in sums[first * 3..].as_chunks::<3>().0.iter().zip(weights) {
                    (0..3).for_each(|colour| sum[colour] += weight * pixel[colour]);
                }
                *out = sum.map(|colour| colour as u8);
            }
        }
        Self::new(width, height, pixels)
    }
}

/// Weights of the source pixels that contribute to each target pixel along an axis: a triangular filter, whose radius is one
/// target pixel if the axis shrinks, and one source pixel if it grows.
struct FilterTaps {
    /// First source pixel of each target pixel.
    firsts: Vec<usize>,
    /// Weights of the source pixels of all target pixels, `count` for each.
    weights: Vec<f32>,
    count: usize,
}

impl FilterTaps {
    fn new(old: u32, new: u32) -> Self {
        let (old, ratio) = (old as usize, old as f32 / new as f32);
        let reach = ratio.max(1.0);
        let count = old.min((2.0 * reach).ceil() as usize + 1);
        let (mut firsts, mut weights) = (Vec::new(), Vec::new());
        for target in 0..new {
            let middle = (target as f32 + 0.5) * ratio;
            let first = ((middle - reach).floor().max(0.0) as usize).min(old - count);
            firsts.push(first);
            let start = weights.len();
            weights.extend((first..first + count).map(|pixel| (1.0 - (pixel as f32 + 0.5 - middle).abs() / reach).max(0.0)));
            let total: f32 = weights[start..].iter().sum();
            weights[start..].iter_mut().for_each(|weight| *weight /= total);
        }
        Self { firsts, weights, count }
    }

    /// Returns the first source pixel and the weights of each target pixel.
    fn iter(&self) -> impl Iterator<Item = (usize, &[f32])> {
        self.firsts.iter().copied().zip(self.weights.chunks_exact(self.count))
    }
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

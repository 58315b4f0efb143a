//! Converts screens to observed frames: to gray or colour, as the maximum over several screens, and resized.

use envpool_rs_pictures::resize::{Interpolation, Resize};
use envpool_rs_sim_atari::palette;

/// Width of the screen, in pixels.
pub const SCREEN_WIDTH: usize = 160;

/// Converter of console screens (palette numbers) to observed frames: gray or colour, resized.
#[derive(Debug)]
pub struct Preprocessor {
    resize: Resize,
    /// Number of screen pixels that are converted.
    pixels: usize,
    /// Number of pixels of a frame.
    frame_pixels: usize,
    pal: bool,
    format: PixelFormat,
}

/// Layout of a frame's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PixelFormat {
    /// One gray byte per pixel.
    Gray,
    /// Three bytes per pixel: red, green and blue.
    Rgb,
    /// Three planes: red of all pixels, then green, then blue.
    RgbPlanes,
}

impl PixelFormat {
    /// Returns the number of bytes per pixel of a frame.
    pub fn channels(self) -> usize {
        if self == Self::Gray { 1 } else { 3 }
    }
}

impl Preprocessor {
    /// Creates a converter from the first `rows` rows of a screen to frames of `to` rows and columns.
    pub fn new(rows: usize, to: (usize, usize), method: Interpolation, format: PixelFormat, pal: bool) -> Self {
        let resize = Resize::new((rows, SCREEN_WIDTH), to, method, format.channels());
        Self { resize, pixels: rows * SCREEN_WIDTH, frame_pixels: to.0 * to.1, pal, format }
    }

    /// Returns the size of a frame in bytes.
    pub fn frame_size(&self) -> usize {
        self.frame_pixels * self.format.channels()
    }

    /// Converts one screen to a frame in `out`.
    pub fn convert(&self, screen: &[u8], out: &mut [u8]) {
        match self.format {
            PixelFormat::Gray => self.resize.run_gray(&screen[..self.pixels], palette::gray(self.pal), out),
            _ => self.convert_max(&[screen], out),
        }
    }

    /// Converts the pixelwise maximum of two screens to a frame: the brighter gray, or the maximum of each colour channel.
    pub fn convert_max_of_two(&self, a: &[u8], b: &[u8], out: &mut [u8]) {
        match self.format {
            PixelFormat::Gray => self.resize.run_gray_max(&a[..self.pixels], &b[..self.pixels], palette::gray(self.pal), out),
            _ => self.convert_max(&[a, b], out),
        }
    }

    /// Converts the pixelwise maximum of any number of screens to a frame.
    pub fn convert_max(&self, screens: &[&[u8]], out: &mut [u8]) {
        let mut pooled = self.decode(screens[0]);
        for screen in &screens[1..] {
            pooled.iter_mut().zip(self.decode(screen)).for_each(|(pooled, value)| *pooled = value.max(*pooled));
        }
        if self.format != PixelFormat::RgbPlanes {
            return self.resize.run(&pooled, out);
        }
        let mut frame = vec![0; self.frame_size()];
        self.resize.run(&pooled, &mut frame);
        for (channel, plane) in out.chunks_exact_mut(self.frame_pixels).enumerate() {
            plane.iter_mut().zip(frame[channel..].iter().step_by(3)).for_each(|(to, from)| *to = *from);
        }
    }

    /// Converts a screen of palette numbers to gray or colour bytes, without resizing it.
    fn decode(&self, screen: &[u8]) -> Vec<u8> {
        let screen = &screen[..self.pixels];
        match self.format {
            PixelFormat::Gray => screen.iter().map(|pixel| palette::gray(self.pal)[usize::from(*pixel)]).collect(),
            _ => screen.iter().flat_map(|pixel| palette::rgb(self.pal)[usize::from(*pixel)]).collect(),
        }
    }
}

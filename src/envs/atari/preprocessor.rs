//! Converts screens to observed frames: to gray or colour, as the maximum over several screens, and resized.

use envpool_rs_pictures::resize::{Interpolation, PaletteResize};
use envpool_rs_sim_atari::palette;

/// Width of the screen, in pixels.
pub const SCREEN_WIDTH: usize = 160;

/// Converter of console screens (palette numbers) to observed frames: gray or colour, resized.
#[derive(Debug)]
pub struct Preprocessor {
    resize: PaletteResize,
    /// Number of screen pixels that are converted.
    pixels: usize,
    /// Number of pixels of a frame.
    frame_pixels: usize,
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
        let tables = match format {
            PixelFormat::Gray => std::slice::from_ref(palette::gray(pal)),
            PixelFormat::Rgb | PixelFormat::RgbPlanes => palette::channels(pal),
        };
        let resize = PaletteResize::new((rows, SCREEN_WIDTH), to, method, tables);
        Self { resize, pixels: rows * SCREEN_WIDTH, frame_pixels: to.0 * to.1, format }
    }

    /// Returns the size of a frame in bytes.
    pub fn frame_size(&self) -> usize {
        self.frame_pixels * self.format.channels()
    }

    /// Converts the pixelwise maximum of `N` screens to a frame: the brightest gray, or the maximum of each colour channel.
    pub fn convert<const N: usize>(&self, screens: [&[u8]; N], out: &mut [u8]) {
        let screens = screens.map(|screen| &screen[..self.pixels]);
        match self.format {
            PixelFormat::Gray | PixelFormat::RgbPlanes => self.resize.run(&screens, out),
            PixelFormat::Rgb => self.resize.run_interleaved(&screens, out),
        }
    }
}

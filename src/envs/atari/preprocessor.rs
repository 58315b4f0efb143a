//! From screens to frames: gray or coloured, the brighter of two, resized.

use super::resize::{Method, Resize};
use crate::sim::atari::palette;

/// Pixels of a line.
pub const COLUMNS: usize = 160;

/// Makes frames of screens.
#[derive(Debug)]
pub struct Preprocessor {
    resize: Resize,
    /// Pixels of a screen that are looked at.
    pixels: usize,
    /// Pixels of a frame.
    frame_pixels: usize,
    pal: bool,
    is_gray: bool,
}

impl Preprocessor {
    /// Frames of `to` rows and columns from screens' first `rows` rows.
    pub fn new(rows: usize, to: (usize, usize), method: Method, is_gray: bool, pal: bool) -> Self {
        let channels = if is_gray { 1 } else { 3 };
        let resize = Resize::new((rows, COLUMNS), to, method, channels);
        Self { resize, pixels: rows * COLUMNS, frame_pixels: to.0 * to.1, pal, is_gray }
    }

    /// Bytes of a frame.
    pub fn frame_size(&self) -> usize {
        self.frame_pixels * self.channels()
    }

    fn channels(&self) -> usize {
        if self.is_gray { 1 } else { 3 }
    }

    /// The frame of one screen.
    pub fn one(&self, screen: &[u8], out: &mut [u8]) {
        match self.is_gray {
            true => self.resize.run_gray_of_one(&screen[..self.pixels], palette::gray(self.pal), out),
            false => self.resize.run(&self.raw(screen), out),
        }
    }

    /// The frame of two screens: of each pixel, the brighter gray or the greater red, green and blue.
    pub fn two(&self, a: &[u8], b: &[u8], out: &mut [u8]) {
        match self.is_gray {
            true => self.resize.run_gray_of_two(&a[..self.pixels], &b[..self.pixels], palette::gray(self.pal), out),
            false => self.all(&[a, b], out),
        }
    }

    /// The frame of any number of screens.
    pub fn all(&self, screens: &[&[u8]], out: &mut [u8]) {
        let mut pooled = self.raw(screens[0]);
        for screen in &screens[1..] {
            pooled.iter_mut().zip(self.raw(screen)).for_each(|(pooled, value)| *pooled = value.max(*pooled));
        }
        self.resize.run(&pooled, out);
    }

    /// A screen's gray or colours.
    fn raw(&self, screen: &[u8]) -> Vec<u8> {
        let screen = &screen[..self.pixels];
        match self.is_gray {
            true => screen.iter().map(|pixel| palette::gray(self.pal)[usize::from(*pixel)]).collect(),
            false => screen.iter().flat_map(|pixel| palette::rgb(self.pal)[usize::from(*pixel)]).collect(),
        }
    }
}

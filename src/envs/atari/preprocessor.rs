//! From screens to frames: gray or coloured, the brighter of two, resized.

use envpool_rs_pictures::resize::{Method, Resize};
use envpool_rs_sim_atari::palette;

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
    form: Form,
}

/// What a frame's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A gray for each pixel.
    Gray,
    /// Red, green and blue of each pixel.
    Rgb,
    /// The red of all pixels, then the green, then the blue.
    RgbPlanes,
}

impl Form {
    /// Bytes for each pixel.
    pub fn channels(self) -> usize {
        if self == Self::Gray { 1 } else { 3 }
    }
}

impl Preprocessor {
    /// Frames of `to` rows and columns from screens' first `rows` rows.
    pub fn new(rows: usize, to: (usize, usize), method: Method, form: Form, pal: bool) -> Self {
        let resize = Resize::new((rows, COLUMNS), to, method, form.channels());
        Self { resize, pixels: rows * COLUMNS, frame_pixels: to.0 * to.1, pal, form }
    }

    /// Bytes of a frame.
    pub fn frame_size(&self) -> usize {
        self.frame_pixels * self.form.channels()
    }

    /// The frame of one screen.
    pub fn one(&self, screen: &[u8], out: &mut [u8]) {
        match self.form {
            Form::Gray => self.resize.run_gray_of_one(&screen[..self.pixels], palette::gray(self.pal), out),
            _ => self.all(&[screen], out),
        }
    }

    /// The frame of two screens: of each pixel, the brighter gray or the greater red, green and blue.
    pub fn two(&self, a: &[u8], b: &[u8], out: &mut [u8]) {
        match self.form {
            Form::Gray => self.resize.run_gray_of_two(&a[..self.pixels], &b[..self.pixels], palette::gray(self.pal), out),
            _ => self.all(&[a, b], out),
        }
    }

    /// The frame of any number of screens.
    pub fn all(&self, screens: &[&[u8]], out: &mut [u8]) {
        let mut pooled = self.raw(screens[0]);
        for screen in &screens[1..] {
            pooled.iter_mut().zip(self.raw(screen)).for_each(|(pooled, value)| *pooled = value.max(*pooled));
        }
        if self.form != Form::RgbPlanes {
            return self.resize.run(&pooled, out);
        }
        let mut frame = vec![0; self.frame_size()];
        self.resize.run(&pooled, &mut frame);
        for (channel, plane) in out.chunks_exact_mut(self.frame_pixels).enumerate() {
            plane.iter_mut().zip(frame[channel..].iter().step_by(3)).for_each(|(to, from)| *to = *from);
        }
    }

    /// A screen's gray or colours.
    fn raw(&self, screen: &[u8]) -> Vec<u8> {
        let screen = &screen[..self.pixels];
        match self.form {
            Form::Gray => screen.iter().map(|pixel| palette::gray(self.pal)[usize::from(*pixel)]).collect(),
            _ => screen.iter().flat_map(|pixel| palette::rgb(self.pal)[usize::from(*pixel)]).collect(),
        }
    }
}

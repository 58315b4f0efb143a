//! Resizing of pictures, byte for byte equal to OpenCV's `resize`.
//!
//! The reference is the package opencv-python-headless 5.0.0.93, whose results on `uint8` images equal those of OpenCV 4.
//!
//! | module or type | purpose |
//! |---|---|
//! | [`area`](Interpolation::Area) | averages of the source pixels that a target pixel covers |
//! | [`FloatPaletteArea`] | `INTER_AREA` on pictures of palette numbers, in one pass |
//! | [`PaletteArea`] | `INTER_AREA` on palette numbers with integer weights, in integers and vector registers |
//! | [`linear`](Interpolation::Linear) | interpolation of the nearest four pixels, in OpenCV's fixed-point numbers |
//! | `atari_screen` | the most frequent case, 210 x 160 gray pixels to 84 x 84, in integers and vector registers |

mod area;
mod atari_screen;
mod linear;
mod palette_area;
mod palette_area_float;

use self::area::{Area, Blocks};
use self::atari_screen::AtariScreenResize;
use self::linear::{Linear, SampleOrigin};
pub use self::palette_area::PaletteArea;
pub use self::palette_area_float::FloatPaletteArea;

/// Interpolation method of a resize, named after OpenCV's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// OpenCV's `INTER_AREA`.
    Area,
    /// OpenCV's `INTER_LINEAR`.
    Linear,
}

/// Resizes pictures from one fixed size to another, with precomputed tables.
#[derive(Clone, Debug)]
pub struct Resize {
    from: (usize, usize),
    to: (usize, usize),
    channels: usize,
    algorithm: ResizeAlgorithm,
}

#[derive(Clone, Debug)]
enum ResizeAlgorithm {
    Same,
    Blocks(Blocks),
    Area(Area),
    Linear(Linear),
    Screen(Box<AtariScreenResize>),
}

impl Resize {
    /// Creates a resizer from size `from` to size `to`, both as (rows, columns).
    ///
    /// # Panics
    /// If a size is 0, or `channels` is neither 1 nor 3.
    pub fn new(from: (usize, usize), to: (usize, usize), method: Interpolation, channels: usize) -> Self {
        assert!(from.0 > 0 && from.1 > 0 && to.0 > 0 && to.1 > 0, "a picture has at least one pixel");
        assert!(channels == 1 || channels == 3, "a picture is gray or of three colours");
        Self { from, to, channels, algorithm: ResizeAlgorithm::new(from, to, method, channels) }
    }

    /// Resizes `source` into `out`. Both arrays hold pixels of `channels` bytes, row by row and without gaps.
    ///
    /// # Panics
    /// If `source` or `out` has another length than the sizes passed to `new` imply.
    pub fn run(&self, source: &[u8], out: &mut [u8]) {
        assert_eq!(source.len(), self.from.0 * self.from.1 * self.channels, "bytes of the source");
        assert_eq!(out.len(), self.to.0 * self.to.1 * self.channels, "bytes of the result");
        match &self.algorithm {
            ResizeAlgorithm::Same => out.copy_from_slice(source),
            ResizeAlgorithm::Blocks(blocks) => blocks.run(source, out),
            ResizeAlgorithm::Area(area) => area.run(source, out),
            ResizeAlgorithm::Linear(linear) => linear.run(source, out),
            ResizeAlgorithm::Screen(screen) => screen.run(source, out),
        }
    }

    /// Looks up the gray value of each pixel of `screen` in `table`, and resizes the result.
    ///
    /// # Panics
    /// If `channels` is not 1, or if `screen` or `out` has another length than the sizes passed to `new` imply.
    pub fn run_gray(&self, screen: &[u8], table: &[u8; 256], out: &mut [u8]) {
        if let (ResizeAlgorithm::Screen(screen_resize), Ok(screen), Ok(out)) =
            (&self.algorithm, screen.try_into(), (&mut *out).try_into())
        {
            return screen_resize.run_gray_of_one(screen, table, out);
        }
        let gray: Vec<u8> = screen.iter().map(|pixel| table[usize::from(*pixel)]).collect();
        self.run(&gray, out);
    }

    /// Looks up the gray values of two screens in `table`, and resizes their pixelwise maximum.
    ///
    /// # Panics
    /// If `channels` is not 1, or if `one`, `other` or `out` has another length than the sizes passed to `new` imply.
    pub fn run_gray_max(&self, one: &[u8], other: &[u8], table: &[u8; 256], out: &mut [u8]) {
        if let (ResizeAlgorithm::Screen(screen_resize), Ok(one), Ok(other), Ok(out)) =
            (&self.algorithm, one.try_into(), other.try_into(), (&mut *out).try_into())
        {
            return screen_resize.run_gray_of_two(one, other, table, out);
        }
        assert_eq!(one.len(), other.len(), "the screens' bytes");
        let gray = |pixel: &u8| table[usize::from(*pixel)];
        let brighter: Vec<u8> = one.iter().zip(other).map(|(one, other)| gray(one).max(gray(other))).collect();
        self.run(&brighter, out);
    }
}

impl ResizeAlgorithm {
    /// Selects the algorithm as OpenCV does.
    ///
    /// If the source has twice the target's rows and columns, both methods average. If the target is larger than the source,
    /// both methods interpolate.
    fn new(from: (usize, usize), to: (usize, usize), method: Interpolation, channels: usize) -> Self {
        let halved = from == (2 * to.0, 2 * to.1);
        let shrinks = from.0 >= to.0 && from.1 >= to.1;
        if from == to {
            return Self::Same;
        }
        match method {
            Interpolation::Linear if !halved => Self::Linear(Linear::new(from, to, channels, SampleOrigin::Centre)),
            Interpolation::Area if !shrinks => Self::Linear(Linear::new(from, to, channels, SampleOrigin::Corner)),
            _ if from.0.is_multiple_of(to.0) && from.1.is_multiple_of(to.1) => Self::Blocks(Blocks::new(from, to, channels)),
            _ if (from, to, channels) == (atari_screen::FROM, atari_screen::TO, 1) => {
                Self::Screen(Box::new(AtariScreenResize::new()))
            }
            _ => Self::Area(Area::new(from, to, channels)),
        }
    }
}

#[cfg(test)]
mod tests;

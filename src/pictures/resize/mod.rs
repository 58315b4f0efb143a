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
//! | [`PaletteResize`] | the pixelwise maximum of pictures of palette numbers, by any method |
//! | `atari_screen` | its most frequent case, 210 x 160 pixels to 84 x 84, in integers and vector registers |

mod area;
mod atari_screen;
mod linear;
mod palette_area;
mod palette_area_float;
mod palette_resize;
#[cfg(target_arch = "x86_64")]
mod windows;

use self::area::{Area, Blocks};
use self::linear::{Linear, SampleOrigin};
pub use self::palette_area::PaletteArea;
pub use self::palette_area_float::FloatPaletteArea;
pub use self::palette_resize::PaletteResize;

/// Interpolation method of a resize, named after OpenCV's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// OpenCV's `INTER_AREA`.
    Area,
    /// OpenCV's `INTER_LINEAR`.
    Linear,
}

/// Resizes pictures of one byte per pixel from one fixed size to another, with precomputed tables.
#[derive(Clone, Debug)]
pub struct Resize {
    from: (usize, usize),
    to: (usize, usize),
    algorithm: ResizeAlgorithm,
}

#[derive(Clone, Debug)]
enum ResizeAlgorithm {
    Same,
    Blocks(Blocks),
    Area(Area),
    Linear(Linear),
}

impl Resize {
    /// Creates a resizer from size `from` to size `to`, both as (rows, columns).
    ///
    /// # Panics
    /// If a size is 0.
    pub fn new(from: (usize, usize), to: (usize, usize), method: Interpolation) -> Self {
        assert!(from.0 > 0 && from.1 > 0 && to.0 > 0 && to.1 > 0, "a picture has at least one pixel");
        Self { from, to, algorithm: ResizeAlgorithm::new(from, to, method) }
    }

    /// Returns whether the sizes are equal, so that pictures are copied.
    pub(crate) fn is_copy(&self) -> bool {
        matches!(self.algorithm, ResizeAlgorithm::Same)
    }

    /// Resizes `source` into `out`. Both arrays hold pixels of one byte, row by row and without gaps.
    ///
    /// # Panics
    /// If `source` or `out` has another length than the sizes passed to `new` imply.
    pub fn run(&self, source: &[u8], out: &mut [u8]) {
        assert_eq!(source.len(), self.from.0 * self.from.1, "bytes of the source");
        assert_eq!(out.len(), self.to.0 * self.to.1, "bytes of the result");
        match &self.algorithm {
            ResizeAlgorithm::Same => out.copy_from_slice(source),
            ResizeAlgorithm::Blocks(blocks) => blocks.run(source, out),
            ResizeAlgorithm::Area(area) => area.run(source, out),
            ResizeAlgorithm::Linear(linear) => linear.run(source, out),
        }
    }
}

impl ResizeAlgorithm {
    /// Selects the algorithm as OpenCV does.
    ///
    /// If the source has twice the target's rows and columns, both methods average. If the target is larger than the source,
    /// both methods interpolate.
    fn new(from: (usize, usize), to: (usize, usize), method: Interpolation) -> Self {
        let halved = from == (2 * to.0, 2 * to.1);
        let shrinks = from.0 >= to.0 && from.1 >= to.1;
        if from == to {
            return Self::Same;
        }
        match method {
            Interpolation::Linear if !halved => Self::Linear(Linear::new(from, to, SampleOrigin::Centre)),
            Interpolation::Area if !shrinks => Self::Linear(Linear::new(from, to, SampleOrigin::Corner)),
            _ if from.0.is_multiple_of(to.0) && from.1.is_multiple_of(to.1) => Self::Blocks(Blocks::new(from, to)),
            _ => Self::Area(Area::new(from, to)),
        }
    }
}

#[cfg(test)]
mod tests;

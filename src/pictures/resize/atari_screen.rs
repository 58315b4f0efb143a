//! Resizes an Atari screen of 210 x 160 pixels to 84 x 84 with OpenCV's `INTER_AREA` ([`Area`](super::Interpolation::Area)).
//!
//! The same pass over the pixels also looks up their gray values, or the values of one colour channel, and computes the pixelwise
//! maximum of two screens.
//!
//! A target pixel covers 5/2 rows and 160/84 = 40/21 columns. In units of a half row and a 21st of a column all weights are
//! integers: a target pixel is `sum / 200`, where `sum` is the weighted sum of source pixels, at most 51,000. The error of
//! OpenCV's float32 averages is less than the distance between two sums. So `sum / 200` and OpenCV's average round to the same
//! byte, except half-way between two bytes. Pixels that are half-way between two bytes are computed one by one, as in OpenCV.
//!
//! Columns are summed first; then five rows of column sums give two target rows.

use self::covers::{Covers, ScreenPair, covers};
pub(super) use self::covers::{FROM, RESULT, SOURCE, TO};
use super::area::shares;
use envpool_rs_numeric::simd::SimdLevel;

/// Resizes screens of 210 x 160 pixels to 84 x 84 pixels.
#[derive(Clone, Debug)]
pub(super) struct AtariScreenResize {
    covers: Covers,
    simd_path: SimdPath,
}

/// Implementation of the resizing, which depends on the SIMD level, with its tables.
#[derive(Clone, Debug)]
enum SimdPath {
    #[cfg(target_arch = "x86_64")]
    Avx512(Box<avx512::Tables>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<avx2::Tables>),
    Scalar(Box<scalar::Tables>),
}

impl AtariScreenResize {
    pub(super) fn new() -> Self {
        let covers = Covers { columns: covers(&shares(FROM.1, TO.1)), rows: covers(&shares(FROM.0, TO.0)) };
        Self { simd_path: SimdPath::detect(&covers), covers }
    }

    /// Looks up the pixels of two screens in `table`, and resizes their pixelwise maximum.
    pub(super) fn run(&self, screens: [&[u8; SOURCE]; 2], table: &[u8; 256], out: &mut [u8; RESULT]) {
        let two = ScreenPair { screens, table };
        match &self.simd_path {
            // SAFETY: `SimdPath::detect` selects this path only if the processor has the path's instructions.
            #[cfg(target_arch = "x86_64")]
            SimdPath::Avx512(tables) => unsafe { avx512::run(tables, &self.covers, &two, out) },
            // SAFETY: `SimdPath::detect` selects this path only if the processor has the path's instructions.
            #[cfg(target_arch = "x86_64")]
            SimdPath::Avx2(tables) => unsafe { avx2::run(tables, &self.covers, &two, out) },
            SimdPath::Scalar(tables) => tables.run(&self.covers, &two, out),
        }
    }
}

impl SimdPath {
    fn detect(covers: &Covers) -> Self {
        match SimdLevel::detect() {
            #[cfg(target_arch = "x86_64")]
            level if level.has_avx512_vbmi() => Self::Avx512(Box::new(avx512::Tables::new(covers))),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(_) | SimdLevel::Avx2(_) => Self::Avx2(Box::new(avx2::Tables::new(covers))),
            _ => Self::Scalar(Box::new(scalar::Tables::new(covers))),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod covers;
mod scalar;

#[cfg(test)]
mod tests;

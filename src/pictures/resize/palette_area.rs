//! Looks up palette numbers and resizes with `INTER_AREA` in one pass, with integer weights. Each colour plane equals
//! the result of [`area`](super::area).
//!
//! If a target pixel is `a/b` source pixels wide (in lowest terms), all weights and sums are integers in units of `1/b` source
//! pixels. The error of OpenCV's float32 averages is less than the distance between two sums. So the average of the integer
//! sums and OpenCV's average round to the same byte, except half-way between two bytes. Pixels that are half-way between two
//! bytes are computed one by one, as in OpenCV.
//!
//! Source rows are summed first, in 16 bits; then the columns of these sums are summed.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod plan;
mod portable;

use self::plan::{Plan, Taps};
use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

/// Resizes pictures of palette numbers with `INTER_AREA`, to one plane for each table (such as red, green and blue).
#[derive(Clone, Debug)]
pub struct PaletteArea {
    plan: Plan,
    path: SimdPath,
}

#[derive(Clone, Debug)]
enum SimdPath {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Tables),
    Portable(SimdLevel),
}

impl PaletteArea {
    /// Creates a resizer of pictures of size `drawn` to size `to`. The pictures are first averaged to size `native`, which is
    /// `drawn` or half of it.
    ///
    /// Sizes are (rows, columns). Returns `None` if the sizes do not allow integer weights.
    pub fn new(drawn: (usize, usize), native: (usize, usize), to: (usize, usize), tables: &[[u8; 256]]) -> Option<Self> {
        let plan = Plan::new(drawn, native, to, tables)?;
        let path = SimdPath::detect(&plan.columns);
        Some(Self { plan, path })
    }

    /// Looks up the pixels of `screen` in each table, and resizes each resulting plane into `out`, one plane after the other.
    ///
    /// # Panics
    /// If `screen` or `out` has another length than the sizes passed to `new` imply.
    pub fn run(&self, screen: &[u8], out: &mut [u8]) {
        let Plan { tables, to, .. } = &self.plan;
        let drawn = self.plan.drawn();
        assert_eq!(screen.len(), drawn.0 * drawn.1, "bytes of the picture");
        assert_eq!(out.len(), tables.len() * to.0 * to.1, "bytes of the result");
        match &self.path {
            // SAFETY: `SimdPath::detect` selects this path only if the processor has the path's instructions; the
            // assertions above have checked the sizes.
            #[cfg(target_arch = "x86_64")]
            SimdPath::Avx512(tables) => unsafe { avx512::run(&self.plan, tables, screen, out) },
            SimdPath::Portable(level) => level.run(Portable { plan: &self.plan, screen, out }),
        }
    }
}

/// Implementation without intrinsics, compiled for the instructions of a [`SimdLevel`].
struct Portable<'a> {
    plan: &'a Plan,
    screen: &'a [u8],
    out: &'a mut [u8],
}

impl SimdKernel for Portable<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        portable::run(self.plan, self.screen, self.out);
    }
}

impl SimdPath {
    fn detect(columns: &[Taps]) -> Self {
        let level = SimdLevel::detect();
        #[cfg(target_arch = "x86_64")]
        if level.has_avx512_vbmi()
            && let Some(tables) = avx512::Tables::new(columns)
        {
            return Self::Avx512(tables);
        }
        let _they_matter_to_avx512 = columns;
        Self::Portable(level)
    }
}

#[cfg(test)]
mod tests;

//! Canvas of 64 by 64 pixels. Images and rectangles get the same pixels as in Qt 5.9.7's raster engine without antialiasing.

use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

use crate::image::Pixels;
use crate::rect::Rect;
use crate::rules::visible_cells::VisibleCells;
use crate::sampling::{Offsets, Sampled};
#[cfg(target_arch = "x86_64")]
use crate::{avx2, avx512};

/// Number of pixels on each side of a canvas.
pub const SIDE: i32 = 64;
/// Number of pixels of a canvas.
pub const AREA: usize = (SIDE * SIDE) as usize;

/// Picture of 64 by 64 pixels. Pixels are 0xAARRGGBB, in rows from the top; alpha is ignored.
#[derive(Debug)]
pub struct Canvas {
    /// Pixels of the canvas, row by row.
    pub(crate) pixels: Box<[u32; AREA]>,
    /// Rectangle of pixels to which `Canvas::set_clip` limits later drawings.
    clip: Clip,
    /// Instructions with which pixels are drawn.
    pub(crate) level: SimdLevel,
    /// Memory for the cells of the next picture.
    pub(crate) cells: VisibleCells<'static>,
}

/// Rectangle of whole pixels, to which drawings can be limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clip {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Clip {
    /// Rectangle that covers the complete canvas.
    pub const ALL: Self = Self { left: 0, top: 0, right: SIDE, bottom: SIDE };

    /// Converts a rectangle to the pixels that it covers.
    pub fn of(rect: &Rect) -> Self {
        let pixel = |at: f64| round(at).clamp(0, SIDE);
        Self { left: pixel(rect.x), top: pixel(rect.y), right: pixel(rect.right()), bottom: pixel(rect.bottom()) }
    }
}

impl Clone for Canvas {
    fn clone(&self) -> Self {
        Self { pixels: self.pixels.clone(), clip: self.clip, level: self.level, cells: VisibleCells::default() }
    }
}

impl Default for Canvas {
    fn default() -> Self {
        Self {
            pixels: vec![0xff00_0000; AREA].try_into().expect("the length is AREA"),
            clip: Clip::ALL,
            level: SimdLevel::detect(),
            cells: VisibleCells::default(),
        }
    }
}

/// Converts an opacity from 0 to 1 to an integer in 255ths. As in Qt, it is first truncated to 256ths. Returns `None` for full
/// opacity.
pub(crate) fn opacity(alpha: f32) -> Option<u32> {
    let steps = (f64::from(alpha) * 256.0) as u32;
    (steps < 256).then(|| (steps * 255) >> 8)
}

/// Rounds to the nearest integer as Qt's `qRound` does: halves are rounded up.
pub(crate) fn round(value: f64) -> i32 {
    if value >= 0.0 {
        return (value + 0.5) as i32;
    }
    let below = (value - 1.0) as i32;
    (value - f64::from(below) + 0.5) as i32 + below
}

/// Truncates to an integer as x86's conversion does: numbers out of range become the smallest integer.
#[inline]
pub(crate) fn truncate(value: f64) -> i32 {
    if value > -2_147_483_649.0 && value < 2_147_483_648.0 { value as i32 } else { i32::MIN }
}

/// Rounds up to an integer. Without SSE 4.1, the standard library's `ceil` would be a function call.
#[inline]
pub(crate) fn ceil(value: f64) -> i32 {
    let below = truncate(value);
    below.wrapping_add(i32::from(f64::from(below) < value))
}

/// One axis of a scaled drawing: the target pixels `first..first + count`, and the source coordinate of the first one as a
/// 16.16 fixed-point number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Axis {
    pub first: i32,
    pub count: i32,
    pub start: u32,
    pub step: i32,
}

impl Axis {
    /// Creates the axis that maps a target range from coordinate `from` to `to` to a source of `size` pixels. If `to < from`,
    /// the image is mirrored. Returns `None` if the range has no pixels.
    pub fn new(from: f64, to: f64, size: i32) -> Option<Self> {
        // As in Qt, the two corners are converted to a rectangle, and the right edge is computed from the rectangle's width.
        let (length, to) = (to - from, from + (to - from));
        let (low, high) = if to < from { (round(to), round(from)) } else { (round(from), round(to)) };
        let (first, end) = (low.max(0), high.min(SIDE));
        if first >= end {
            return None;
        }
        let scale = length / f64::from(size);
        let step = truncate(65536.0 / scale);
        let mut count = end - first;
        let center = f64::from(first) + 0.5;
        let mut start = if scale < 0.0 {
            (size << 16).wrapping_sub(ceil((to - center) * f64::from(step))).wrapping_add(1) as u32
        } else {
            ceil((center - from) * f64::from(step)).wrapping_sub(1) as u32
        };
        if step < 0 && (start >> 16) as i32 >= size {
            start = start.wrapping_add(step as u32);
            count -= 1;
        }
        let last = start.wrapping_add((step as u32).wrapping_mul((count - 1) as u32)) as i32 >> 16;
        if !(0..size).contains(&last) {
            count -= 1;
        }
        (count > 0).then_some(Self { first, count, start, step })
    }

    /// Creates the axes of images of the same size, as [`Axis::new`] does. Target ranges are pairs of a coordinate and a length; the
    /// lengths are positive, and all numbers less than 1,000.
    pub fn of_cells(ranges: &[(f64, f64)], size: i32, level: SimdLevel) -> impl Iterator<Item = Option<Self>> {
        ranges.chunks(AXES).flat_map(move |ranges| {
            let at = |at: usize| ranges[at.min(ranges.len() - 1)];
            let (from, to) = (std::array::from_fn(|i| at(i).0), std::array::from_fn(|i| at(i).0 + at(i).1));
            let axes = level.run(CellAxes { from, to, size });
            axes.into_iter().take(ranges.len()).map(|axis| (axis.count > 0).then_some(axis))
        })
    }

    /// Limits the axis to the target pixels `low..high`.
    #[inline]
    fn clipped(mut self, low: i32, high: i32) -> Self {
        let skipped = (low - self.first).max(0);
        self.start = self.start.wrapping_add((self.step as u32).wrapping_mul(skipped as u32));
        self.first += skipped;
        self.count = (self.count - skipped).min(high - self.first);
        self
    }

    /// Returns the target pixel after the last.
    pub fn end(&self) -> i32 {
        self.first + self.count
    }

    /// Returns the source coordinate of a target pixel.
    pub fn source_of(&self, target: i32) -> usize {
        (self.start.wrapping_add((self.step as u32).wrapping_mul((target - self.first) as u32)) >> 16) as usize
    }

    /// Writes the source coordinates of the target pixels.
    #[inline(always)]
    pub fn write_offsets(&self, offsets: &mut [u32]) {
        let mut at = self.start;
        for offset in offsets {
            *offset = at >> 16;
            at = at.wrapping_add(self.step as u32);
        }
    }

    /// Returns the axis of an image that is not scaled and starts at target pixel `at`.
    fn unscaled(at: i32, size: i32) -> Option<Self> {
        let (first, end) = (at.max(0), (at + size).min(SIDE));
        (first < end).then(|| Self { first, count: end - first, start: ((first - at) as u32) << 16, step: 1 << 16 })
    }
}

/// Number of axes that are computed together.
const AXES: usize = 16;

/// SIMD kernel that computes axes as [`Axis::new`] does, without its cases for mirrored images and for numbers out of range. Axes
/// without pixels have a count that is not positive.
struct CellAxes {
    from: [f64; AXES],
    to: [f64; AXES],
    size: i32,
}

impl SimdKernel for CellAxes {
    type Output = [Axis; AXES];

    #[inline(always)]
    fn run(self) -> [Axis; AXES] {
        let Self { from, to, size } = self;
        // SAFETY: the limits are in the range of an i32, and replace numbers that are not in it, and NaN.
        #[expect(clippy::manual_clamp, reason = "`clamp` does not replace NaN")]
        let truncate = |value: f64| unsafe { value.max(-2e9).min(2e9).to_int_unchecked::<i32>() };
        let round = |value: f64| {
            let below = truncate(value - 1.0);
            let negative = truncate(value - f64::from(below) + 0.5) + below;
            if value >= 0.0 { truncate(value + 0.5) } else { negative }
        };
        let (mut firsts, mut counts, mut starts, mut steps) = ([0; AXES], [0; AXES], [0; AXES], [0; AXES]);
        for at in 0..AXES {
            let (from, length) = (from[at], to[at] - from[at]);
            let (first, end) = (round(from).max(0), round(from + length).min(SIDE));
            let step = truncate(65536.0 / (length / f64::from(size)));
            let exact = (f64::from(first) + 0.5 - from) * f64::from(step);
            let below = truncate(exact);
            let start = below + i32::from(f64::from(below) < exact) - 1;
            let last = start.wrapping_add(step.wrapping_mul(end - first - 1)) >> 16;
            (firsts[at], starts[at], steps[at]) = (first, start, step);
            counts[at] = end - first - i32::from(last < 0) - i32::from(last >= size);
        }
        std::array::from_fn(|at| Axis { first: firsts[at], count: counts[at], start: starts[at] as u32, step: steps[at] })
    }
}

impl Canvas {
    /// Draws an image, scaled to the rectangle `target` and with the opacity `alpha`.
    pub(crate) fn draw(&mut self, target: &Rect, image: &Pixels, alpha: f32) {
        self.draw_axes(Self::axes(target, image), image, alpha);
    }

    /// Returns the axes with which an image is drawn into a rectangle, for columns and rows.
    pub(crate) fn axes(target: &Rect, image: &Pixels) -> (Option<Axis>, Option<Axis>) {
        let Rect { x, y, width, height } = *target;
        if width == f64::from(image.width) && height == f64::from(image.height) {
            return (Axis::unscaled(round(x), image.width), Axis::unscaled(round(y), image.height));
        }
        if width <= 0.0 || height <= 0.0 {
            return (None, None);
        }
        (Axis::new(x, target.right(), image.width), Axis::new(y, target.bottom(), image.height))
    }

    /// Draws an image into the rectangle between two corners. If the second corner is to the left of or above the first, the
    /// image is mirrored.
    pub(crate) fn draw_scaled(&mut self, [left, top, right, bottom]: [f64; 4], image: &Pixels, alpha: f32) {
        let axes = (Axis::new(left, right, image.width), Axis::new(top, bottom, image.height));
        self.draw_axes(axes, image, alpha);
    }

    /// Draws an image with the given axes for columns and rows. An axis is `None` if it has no pixels.
    pub(crate) fn draw_axes(&mut self, axes: (Option<Axis>, Option<Axis>), image: &Pixels, alpha: f32) {
        let (Some(columns), Some(rows)) = axes else { return };
        let columns = columns.clipped(self.clip.left, self.clip.right);
        let rows = rows.clipped(self.clip.top, self.clip.bottom);
        if columns.count <= 0 || rows.count <= 0 {
            return;
        }
        let source = Sampled { image, offsets: &Offsets::from(&columns), rows: &rows };
        self.draw_sampled(&source, columns.first..columns.end(), opacity(alpha), |_| u64::MAX);
    }

    /// Fills the canvas with black.
    pub(crate) fn clear(&mut self) {
        self.level.run(Clear(&mut self.pixels));
    }

    /// Limits later drawings to a rectangle. Rotated images and lines ignore this limit.
    pub(crate) fn set_clip(&mut self, clip: Clip) {
        self.clip = clip;
    }

    /// Copies the pixels in the rectangle `clip` from another canvas.
    pub(crate) fn copy_from(&mut self, other: &Self, clip: Clip) {
        if clip == Clip::ALL {
            return self.pixels.copy_from_slice(other.pixels.as_slice());
        }
        for y in clip.top..clip.bottom {
            let pixels = (y * SIDE + clip.left) as usize..(y * SIDE + clip.right.max(clip.left)) as usize;
            self.pixels[pixels.clone()].copy_from_slice(&other.pixels[pixels]);
        }
    }

    /// Fills a rectangle with an opaque colour.
    pub(crate) fn fill(&mut self, target: &Rect, [red, green, blue]: [u8; 3]) {
        let span = |from: f64, to: f64, low: i32, high: i32| {
            let (from, to) = (round(from), round(to));
            (from.min(to).clamp(low, high) as usize, from.max(to).clamp(low, high) as usize)
        };
        let (left, right) = span(target.x, target.right(), self.clip.left, self.clip.right);
        let (top, bottom) = span(target.y, target.bottom(), self.clip.top, self.clip.bottom);
        for line in self.pixels.chunks_exact_mut(SIDE as usize).take(bottom).skip(top) {
            line[left..right].fill(u32::from_be_bytes([255, red, green, blue]));
        }
    }

    /// Writes the picture as rows of red, green and blue bytes.
    pub fn write_rgb(&self, out: &mut [u8]) {
        for (to, pixel) in out.as_chunks_mut::<3>().0.iter_mut().zip(self.pixels.iter()) {
            let [_, red, green, blue] = pixel.to_be_bytes();
            *to = [red, green, blue];
        }
    }

    /// Writes the picture as three planes: red, green, blue.
    ///
    /// # Panics
    /// If the length of `out` differs from that of three planes.
    pub fn write_planes(&self, out: &mut [u8]) {
        assert_eq!(out.len(), 3 * AREA, "bytes of three planes");
        match self.level {
            // SAFETY: only detection creates `SimdLevel::Avx512`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(_) => unsafe { avx512::write_planes(&self.pixels, out) },
            // SAFETY: only detection creates `SimdLevel::Avx2`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(_) => unsafe { avx2::write_planes(&self.pixels, out) },
            level => level.run(Planes { pixels: &self.pixels, out }),
        }
    }
}

/// SIMD kernel that fills a picture with black.
struct Clear<'a>(&'a mut [u32; AREA]);

impl SimdKernel for Clear<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.fill(0xff00_0000);
    }
}

/// SIMD kernel that separates the pixels of a picture into three planes of bytes: red, green and blue.
struct Planes<'a> {
    pixels: &'a [u32; AREA],
    out: &'a mut [u8],
}

impl SimdKernel for Planes<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (plane, shift) in self.out.chunks_exact_mut(AREA).zip([16, 8, 0]) {
            for (byte, pixel) in plane.iter_mut().zip(self.pixels) {
                *byte = (pixel >> shift) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_of_cells_are_those_of_single_images() {
        let mut state = 1_u64;
        let mut uniform = |low: f64, high: f64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            low + (high - low) * (state >> 33) as f64 / f64::from(1_u32 << 31)
        };
        for _ in 0..20_000 {
            let (length, size) = (uniform(0.9, 70.0), uniform(1.0, 300.0) as i32);
            let ranges: Vec<_> = (0..uniform(1.0, 20.0) as i32)
                .map(|_| {
                    let from = uniform(-70.0, 70.0);
                    let from = if uniform(0.0, 1.0) < 0.3 { (from * 2.0).round() / 2.0 } else { from };
                    (from, f64::from(length as f32))
                })
                .collect();
            let single: Vec<_> = ranges.iter().map(|(from, length)| Axis::new(*from, from + length, size)).collect();
            for level in SimdLevel::available() {
                assert!(Axis::of_cells(&ranges, size, level).eq(single.iter().copied()), "{level:?} {ranges:?} {size}");
            }
        }
    }
}

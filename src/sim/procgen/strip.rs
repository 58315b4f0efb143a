//! Caches the rows of a background, sampled at the columns of the canvas, for games in which the view moves only vertically.

use envpool_rs_numeric::simd::prefetch;

use crate::canvas::{Axis, Canvas, SIDE};
use crate::image::Pixels;
use crate::mask::{Mask, bits, runs};
use crate::sampling::{Offsets, Sampled};

/// Distance of source columns, in 65536ths, from which on each visible pixel is loaded alone.
const WIDE: i32 = 8 << 16;

/// Rows of a background, sampled at the columns of the canvas.
///
/// A sampled row has 256 consecutive bytes. Without this copy, drawing a row would load many cache lines of the background
/// image, each for only one or two pixels.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strip {
    /// Level number of the background whose rows are stored, and the axis that maps canvas columns to the background's
    /// columns.
    key: Option<(u32, Axis)>,
    /// For each row of the background image, `SIDE` pixels: one for each column of the canvas. `is_filled` says which rows have
    /// been computed.
    pixels: Vec<u32>,
    is_filled: Vec<bool>,
    /// Rows of the last picture's background, and the pixels that opaque cells cover, if the last picture was drawn from the stored
    /// rows.
    shown: Option<(Axis, Mask)>,
}

impl Strip {
    /// Returns whether the stored rows belong to the level number `level` and to the axis `columns`. If not, discards the rows
    /// and stores the new level number and axis.
    fn matches(&mut self, level: u32, columns: Axis) -> bool {
        if self.key == Some((level, columns)) {
            return true;
        }
        self.key = Some((level, columns));
        self.is_filled.clear();
        false
    }

    /// Records that the next picture probably does not need the stored rows.
    pub fn forget_picture(&mut self) {
        self.shown = None;
    }

    /// Starts to load those stored rows that the last picture needed into the processor's cache. Most of them are also in the next
    /// picture, because the view moves by a fraction of a cell.
    pub fn prefetch(&self) {
        let (Some((_, columns)), Some((rows, covered))) = (&self.key, &self.shown) else { return };
        for y in rows.first..rows.end() {
            if covered.rest(y) & bits(columns.first..columns.end()) != 0
                && let Some(row) = self.pixels.chunks_exact(SIDE as usize).nth(rows.source_of(y))
            {
                prefetch(row);
            }
        }
    }

    /// Samples the rows of the background `image` that the next picture shows, if they have not been sampled yet.
    fn fill(&mut self, &Sampled { image, offsets, rows }: &Sampled<'_>, covered: &Mask) {
        let (width, columns) = (image.width as usize, &offsets.columns[..SIDE as usize]);
        if self.is_filled.is_empty() {
            self.is_filled.resize(image.height as usize, false);
            self.pixels.resize((SIDE * image.height) as usize, 0);
        }
        for y in rows.first..rows.end() {
            let row = rows.source_of(y);
            if covered.rest(y) == 0 || std::mem::replace(&mut self.is_filled[row], true) {
                continue;
            }
            let source = &image.pixels[row * width..][..width];
            for (pixel, column) in self.pixels[row * SIDE as usize..].iter_mut().zip(columns) {
                *pixel = source[*column as usize];
            }
        }
    }
}

impl Canvas {
    /// Draws an opaque background of a level, using the sampled rows in `strip` if the view has not moved horizontally. Pixels in
    /// `covered` remain undefined.
    pub(crate) fn draw_background(
        &mut self,
        (columns, rows): (Option<Axis>, Option<Axis>),
        image: &Pixels,
        covered: &Mask,
        level: u32,
        strip: &mut Strip,
    ) {
        let (Some(columns), Some(rows)) = (columns, rows) else { return };
        if !image.is_opaque {
            return self.draw_axes((Some(columns), Some(rows)), image, 1.0);
        }
        let is_kept = strip.matches(level, columns);
        let offsets = Offsets::from(&columns);
        let source = Sampled { image, offsets: &offsets, rows: &rows };
        strip.shown = is_kept.then(|| (rows, covered.clone()));
        let drawn = bits(columns.first..columns.end());
        if is_kept {
            strip.fill(&source, covered);
            let (lines, _) = self.pixels.as_chunks_mut::<{ SIDE as usize }>();
            for (y, line) in (0..).zip(lines).skip(rows.first as usize).take(rows.count as usize) {
                let sampled = &strip.pixels[rows.source_of(y) * SIDE as usize..][..SIDE as usize];
                for run in runs(covered.rest(y) & drawn) {
                    line[run.clone()].copy_from_slice(&sampled[run]);
                }
            }
            return;
        }
        if columns.step.abs() >= WIDE {
            prefetch_visible(image, &rows, &offsets, |y| covered.rest(y) & drawn);
        }
        self.draw_sampled(&source, columns.first..columns.end(), None, |y| covered.rest(y));
    }
}

/// Starts to load the visible pixels of a background into the processor's cache. Their rows are far apart in memory.
fn prefetch_visible(image: &Pixels, rows: &Axis, offsets: &Offsets, uncovered: impl Fn(i32) -> u64) {
    let mut row = rows.start;
    for y in rows.first..rows.end() {
        let source = &image.pixels[(row >> 16) as usize * image.width as usize..][..image.width as usize];
        for gap in runs(uncovered(y)) {
            let [first, last] = [gap.start, gap.end - 1].map(|x| offsets.columns[x] as usize);
            prefetch(&source[first..=last]);
        }
        row = row.wrapping_add(rows.step as u32);
    }
}

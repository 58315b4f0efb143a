//! Caches the rows of a background, sampled at the columns of the canvas, for games in which the view moves only vertically.

use envpool_rs_numeric::simd::prefetch;

use crate::canvas::{Axis, Canvas, SIDE, draw_sampled};
use crate::image::Pixels;
use crate::mask::Mask;

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
            if covered.gaps(y, columns.first..columns.end()).next().is_some()
                && let Some(row) = self.pixels.chunks_exact(SIDE as usize).nth(rows.source_of(y))
            {
                prefetch(row);
            }
        }
    }

    /// Returns the row `row` of the background `image`, sampled at the columns of the canvas. `offsets` are the source
    /// coordinates of these columns.
    fn row(&mut self, row: usize, offsets: &[u32], image: &Pixels) -> &[u32] {
        let width = image.width as usize;
        if self.is_filled.is_empty() {
            self.is_filled.resize(image.height as usize, false);
            self.pixels.resize(image.height as usize * SIDE as usize, 0);
        }
        let reduced = &mut self.pixels[row * SIDE as usize..][..offsets.len()];
        if !std::mem::replace(&mut self.is_filled[row], true) {
            draw_sampled(reduced, &image.pixels[row * width..][..width], offsets, |_, source| source);
        }
        reduced
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
        let mut offsets = [0; SIDE as usize];
        let offsets = &mut offsets[..columns.count as usize];
        columns.write_offsets(offsets);
        strip.shown = is_kept.then(|| (rows, covered.clone()));
        if !is_kept {
            prefetch_visible(image, (&columns, &rows), offsets, covered);
        }
        let mut row = rows.start;
        for y in rows.first..rows.first + rows.count {
            let from = (row >> 16) as usize;
            row = row.wrapping_add(rows.step as u32);
            let mut gaps = covered.gaps(y, columns.first..columns.end()).peekable();
            if gaps.peek().is_none() {
                continue;
            }
            let line = self.line_mut(y);
            if is_kept {
                let sampled = strip.row(from, offsets, image);
                for gap in gaps {
                    line[gap.clone()].copy_from_slice(&sampled[gap.start - columns.first as usize..][..gap.len()]);
                }
                continue;
            }
            let source = &image.pixels[from * image.width as usize..][..image.width as usize];
            for gap in gaps {
                let offsets = &offsets[gap.start - columns.first as usize..][..gap.len()];
                draw_sampled(&mut line[gap], source, offsets, |_, source| source);
            }
        }
    }
}

/// Starts to load the visible pixels of a background into the processor's cache. Their rows are far apart in memory.
fn prefetch_visible(image: &Pixels, (columns, rows): (&Axis, &Axis), offsets: &[u32], covered: &Mask) {
    let mut row = rows.start;
    for y in rows.first..rows.end() {
        let source = &image.pixels[(row >> 16) as usize * image.width as usize..][..image.width as usize];
        for gap in covered.gaps(y, columns.first..columns.end()) {
            let [first, last] = [gap.start, gap.end - 1].map(|x| offsets[x - columns.first as usize] as usize);
            prefetch(&source[first..=last]);
        }
        row = row.wrapping_add(rows.step as u32);
    }
}

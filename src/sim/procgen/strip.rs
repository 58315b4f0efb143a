//! Caches the rows of a background, sampled at the columns of the canvas, for games in which the view moves only vertically.

use crate::canvas::{Axis, Canvas, SIDE};
use crate::image::Pixels;

/// Rows of a background, sampled at the columns of the canvas.
///
/// A sampled row has 256 consecutive bytes. Without this copy, drawing a row would load many cache lines of the background
/// image, each for only one or two pixels.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strip {
    /// Level number of the background that was drawn last, and the axis that maps canvas columns to its columns.
    key: Option<(u32, Axis)>,
    /// For each row of the background image, `SIDE` pixels: one for each column of the canvas. `is_filled` says which rows have
    /// been computed.
    pixels: Vec<u32>,
    is_filled: Vec<bool>,
}

impl Strip {
    /// Returns whether the last background had the level `level` and the columns `columns`. If not, stores both for the next
    /// call.
    fn matches(&mut self, level: u32, columns: Axis) -> bool {
        if self.key == Some((level, columns)) {
            return true;
        }
        self.key = Some((level, columns));
        self.is_filled.clear();
        false
    }

    /// Returns a row of the background, sampled at the columns of the canvas.
    fn row(&mut self, row: usize, columns: Axis, image: &Pixels) -> &[u32] {
        let width = image.width as usize;
        if self.is_filled.is_empty() {
            self.is_filled.resize(image.height as usize, false);
            self.pixels.resize(image.height as usize * SIDE as usize, 0);
        }
        let reduced = &mut self.pixels[row * SIDE as usize..][..columns.count as usize];
        if !std::mem::replace(&mut self.is_filled[row], true) {
            let source = &image.pixels[row * width..][..width];
            let mut column = columns.start;
            for pixel in reduced.iter_mut() {
                *pixel = source[(column >> 16) as usize];
                column = column.wrapping_add(columns.step as u32);
            }
        }
        reduced
    }
}

impl Canvas {
    /// Draws the opaque background of a level. Uses the sampled rows in `strip` if the view has not moved horizontally.
    pub(crate) fn draw_background(
        &mut self,
        (columns, rows): (Option<Axis>, Option<Axis>),
        image: &Pixels,
        level: u32,
        strip: &mut Strip,
    ) {
        let (Some(columns), Some(rows)) = (columns, rows) else { return };
        if !image.is_opaque || !strip.matches(level, columns) {
            return self.draw_axes((Some(columns), Some(rows)), image, 1.0);
        }
        let mut row = rows.start;
        for y in rows.first..rows.first + rows.count {
            let line = &mut self.pixels[(y * SIDE + columns.first) as usize..][..columns.count as usize];
            line.copy_from_slice(strip.row((row >> 16) as usize, columns, image));
            row = row.wrapping_add(rows.step as u32);
        }
    }
}

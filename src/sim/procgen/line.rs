//! Draws lines of one pixel width, with the same pixels as Qt's cosmetic stroker without antialiasing.

use crate::blend::source_over;
use crate::canvas::{Canvas, SIDE};

/// Half a pixel as a 26.6 fixed-point number.
const HALF: i32 = 32;

/// Returns the pixels of a line, each as its coordinates along and across the line's longer axis. Along this axis, the line
/// goes from `from` to `to`.
fn pixels_along((from, from_across): (i32, i32), (to, to_across): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let (start, end, across, across_end) = match from > to {
        true => (to, from, to_across, from_across),
        false => (from, to, from_across, to_across),
    };
    let [start, end, across, across_end] = [start, end, across, across_end].map(|pixel| pixel * 64);
    let slope = (across_end - across) * 65536 / (end - start);
    // The line's square caps extend it by half a pixel at both ends.
    let (first, last) = (start - HALF, end + HALF);
    let position = across * 1024 - (slope >> 1);
    let (at, stop) = ((first + HALF) >> 6, (last + HALF) >> 6);
    let round = if slope > 0 { HALF } else { 0 };
    let position = position + ((((at << 6) + round - first) * slope) >> 6);
    (at..stop).zip(0..).map(move |(at, step)| (at, (position + step * slope) >> 16))
}

impl Canvas {
    /// Draws a line between two pixels.
    pub(crate) fn draw_line(&mut self, from: (i32, i32), to: (i32, i32), color: [u8; 3]) {
        let (dx, dy) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        if from == to {
            return self.set_pixel(from.0, from.1, color);
        }
        if dx < dy {
            for (y, x) in pixels_along((from.1, from.0), (to.1, to.0)) {
                self.set_pixel(x, y, color);
            }
        } else {
            for (x, y) in pixels_along(from, to) {
                self.set_pixel(x, y, color);
            }
        }
    }

    fn set_pixel(&mut self, x: i32, y: i32, [red, green, blue]: [u8; 3]) {
        self.blend_pixel(x, y, u32::from_be_bytes([255, red, green, blue]));
    }

    /// Draws one pixel of the colour `source`, which has premultiplied alpha.
    pub(crate) fn blend_pixel(&mut self, x: i32, y: i32, source: u32) {
        if (0..SIDE).contains(&x) && (0..SIDE).contains(&y) {
            let pixel = &mut self.pixels[(y * SIDE + x) as usize];
            *pixel = source_over(*pixel, source);
        }
    }
}

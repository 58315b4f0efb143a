//! Computes which pixels pygame's functions for polygons and circles cover.
//!
//! Reference environments draw with pygame-ce: `gfxdraw.filled_polygon`, `gfxdraw.aapolygon`, `draw.polygon` and
//! `draw.circle`. Each of these functions rounds differently. This module reproduces the rounding, and passes the covered pixels to a
//! closure, which colours and stores them.

use std::ops::Range;

use super::Color;

/// Column and row of a pixel.
pub type Pixel = (i32, i32);

/// Draw target with the subset of pygame's drawing functions that the reference environments use.
///
/// Reference environments draw with `y` upwards and flip the surface vertically before they write text on it. Shapes
/// that are drawn before the flip are called *flipped*.
pub trait DrawTarget {
    /// Draws a polygon of four to eight corners as `gfxdraw.aapolygon` and then `gfxdraw.filled_polygon` do, before the
    /// vertical flip.
    fn filled_aapolygon(&mut self, corners: &[Pixel], color: Color);

    /// Draws a polygon of four to eight corners as `draw.polygon` does: before the vertical flip if `is_flipped` is set,
    /// otherwise after the flip.
    fn polygon(&mut self, corners: &[Pixel], color: Color, is_flipped: bool);

    /// Fills a rectangle after the vertical flip, on top of all polygons. Columns and rows go from `begin` up to, but not
    /// including, `end`.
    fn fill_rect(&mut self, begin: Pixel, end: Pixel, color: Color);
}

/// Largest number of corners that a polygon may have.
const MAX_CORNERS: usize = 16;

/// Columns in which the edges of a polygon cross a row, in ascending order.
struct Crossings {
    columns: [i32; MAX_CORNERS],
    count: usize,
}

impl Crossings {
    fn new() -> Self {
        Self { columns: [0; MAX_CORNERS], count: 0 }
    }

    fn insert(&mut self, column: i32) {
        let mut at = self.count;
        while at > 0 && self.columns[at - 1] > column {
            self.columns[at] = self.columns[at - 1];
            at -= 1;
        }
        self.columns[at] = column;
        self.count += 1;
    }

    fn pairs(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.columns[..self.count].chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }
}

/// Returns the edges of a polygon that are not horizontal. Each edge starts at the end with the lower row number.
pub fn edges(corners: &[Pixel]) -> impl Iterator<Item = (Pixel, Pixel)> + '_ {
    let before = corners.last().into_iter().chain(corners);
    let order = |(a, b): (&Pixel, &Pixel)| if a.1 < b.1 { (*a, *b) } else { (*b, *a) };
    before.zip(corners).filter(|(a, b)| a.1 != b.1).map(order)
}

fn row_range(corners: &[Pixel]) -> Option<(i32, i32)> {
    let rows = corners.iter().map(|corner| corner.1);
    rows.clone().min().zip(rows.max()).filter(|_| (3..=MAX_CORNERS).contains(&corners.len()))
}

/// Computes the pixels of pygame's `gfxdraw.filled_polygon`. For each row in the range `shown`, calls `span` with the row and
/// the first and last column of each interval that the polygon covers.
///
/// Columns may be outside of the picture.
pub fn filled_polygon(corners: &[Pixel], shown: Range<i32>, mut span: impl FnMut(i32, i32, i32)) {
    let Some((top, bottom)) = row_range(corners) else { return };
    for y in top.max(shown.start)..=bottom.min(shown.end - 1) {
        let mut crossings = Crossings::new();
        for (a, b) in edges(corners) {
            if (y >= a.1 && y < b.1) || (y == bottom && y == b.1) {
                let along = 65536_i32.wrapping_mul(y - a.1) / (b.1 - a.1);
                crossings.insert(along.wrapping_mul(b.0 - a.0).wrapping_add(65536_i32.wrapping_mul(a.0)));
            }
        }
        crossings.pairs().for_each(|(a, b)| span(y, round_fixed(a.wrapping_add(1)), round_fixed(b.wrapping_sub(1))));
    }
}

/// Rounds a 16.16 fixed-point coordinate to the nearest pixel.
#[inline(always)]
pub fn round_fixed(value: i32) -> i32 {
    (value >> 16) + ((value & 0x8000) >> 15)
}

/// Blends `color` over `below` with opacity `part` / 256. A colour has four channels of one byte each.
#[inline(always)]
pub fn blend(below: u32, color: u32, part: u32) -> u32 {
    /// Bit mask that selects every second colour channel of a pixel, with 8 free bits above each for a product.
    const TWO: u32 = 0x00ff_00ff;
    let mixed = |shift: u32| (((below >> shift) & TWO) * (256 - part) + ((color >> shift) & TWO) * part) >> 8 & TWO;
    mixed(0) | mixed(8) << 8
}

/// Computes the pixels of pygame's `draw.polygon` for a triangle, for which pygame has a separate algorithm.
fn draw_triangle(mut corners: [Pixel; 3], shown: Range<i32>, mut span: impl FnMut(i32, i32, i32)) {
    let order = |corners: &mut [Pixel; 3], upper: usize| {
        if corners[upper + 1].1 < corners[upper].1 {
            corners.swap(upper, upper + 1);
        }
    };
    order(&mut corners, 0);
    order(&mut corners, 1);
    order(&mut corners, 0);
    let [a, mut b, mut c] = corners;
    if a.1 == b.1 && b.1 == c.1 && a.0 == b.0 && b.0 != c.0 {
        std::mem::swap(&mut b, &mut c);
    }
    let slope = |a: Pixel, b: Pixel| (f64::from(b.0 - a.0) / (f64::from(b.1 - a.1) + 1e-17)) as f32;
    let at = |from: Pixel, y: i32, slope: f32| from.0.saturating_add(((y - from.1) as f32 * slope) as i32);
    let (long, upper, lower) = (slope(a, c), slope(a, b), slope(b, c));
    for y in a.1.max(shown.start)..=c.1.min(shown.end - 1) {
        span(y, at(a, y, long), if y < b.1 { at(a, y, upper) } else { at(b, y, lower) });
    }
}

/// Computes the pixels of pygame's `draw.polygon`, which rounds the ends of rows differently from [`filled_polygon`].
pub fn polygon(corners: &[Pixel], shown: Range<i32>, mut span: impl FnMut(i32, i32, i32)) {
    if let Ok(corners) = <[Pixel; 3]>::try_from(corners) {
        return draw_triangle(corners, shown, span);
    }
    let Some((top, bottom)) = row_range(corners) else { return };
    if top == bottom {
        let columns = corners.iter().map(|corner| corner.0);
        if let Some((left, right)) = columns.clone().min().zip(columns.max()).filter(|_| shown.contains(&top)) {
            span(top, left, right);
        }
        return;
    }
    for y in top.max(shown.start)..=bottom.min(shown.end - 1) {
        let mut crossings = Crossings::new();
        for (a, b) in edges(corners) {
            if (y >= a.1 && y < b.1) || (y == bottom && b.1 == bottom) {
                let along = (y - a.1).wrapping_mul(b.0 - a.0) as f32 / (b.1 - a.1) as f32;
                let along = if crossings.count.is_multiple_of(2) { along.floor() } else { along.ceil() };
                crossings.insert(along as i32 + a.0);
            }
        }
        crossings.pairs().for_each(|(a, b)| span(y, a, b));
    }
    for (a, b) in corners.iter().cycle().skip(corners.len() - 1).zip(corners) {
        if a.1 == b.1 && top < a.1 && a.1 < bottom && shown.contains(&a.1) {
            span(a.1, a.0.min(b.0), a.0.max(b.0));
        }
    }
}

/// Points of an eighth of a circle around the origin by the midpoint method: column, row, and whether the next point has
/// another row.
fn circle_octant(radius: i32) -> impl Iterator<Item = (i32, i32, bool)> {
    let (mut x, mut y, mut error) = (0, radius, 1 - radius);
    std::iter::from_fn(move || {
        if x >= y {
            return None;
        }
        if error >= 0 {
            y -= 1;
            error -= 2 * y;
        }
        x += 1;
        error += 2 * x + 1;
        Some((x, y, error >= 0))
    })
}

/// Computes the pixels of pygame's `draw.circle` without a width. Calls `span` with the row and the first and last column of each
/// part; parts may overlap.
pub fn circle((column, row): Pixel, radius: i32, mut span: impl FnMut(i32, i32, i32)) {
    let mut both_rows = |away: i32, half: i32| {
        span(row + away - 1, column - half, column + half - 1);
        span(row - away, column - half, column + half - 1);
    };
    for (x, y, is_last) in circle_octant(radius) {
        if is_last {
            both_rows(y, x);
        }
        both_rows(x, y);
    }
}

/// Computes the pixels of pygame's `draw.circle` with a width of 1. Calls `dot` with each pixel.
pub fn ring(center: Pixel, radius: i32, mut dot: impl FnMut(i32, i32)) {
    if radius == 1 {
        return circle(center, radius, |row, a, b| (a..=b).for_each(|column| dot(column, row)));
    }
    for (x, y, _) in circle_octant(radius) {
        for (across, down) in [(x, y), (y, x)] {
            for column in [center.0 + across - 1, center.0 - across] {
                dot(column, center.1 + down - 1);
                dot(column, center.1 - down);
            }
        }
    }
}

/// Computes the pixels of pygame's `gfxdraw.aapolygon`. Calls `dot` with each pixel inside the picture and the outline's
/// opacity in the pixel, from 0 to 255.
pub fn aapolygon(corners: &[Pixel], size: (i32, i32), mut dot: impl FnMut(i32, i32, u32)) {
    if corners.len() < 3 {
        return;
    }
    for i in 0..corners.len() {
        gfx_aaline(corners[i], corners[(i + 1) % corners.len()], size, &mut dot);
    }
}

/// Clips a line to the picture as SDL_gfx does: in whole pixels, at one side of the picture after another. Returns
/// `None` for a line outside of the picture.
pub fn clip_line(mut a: Pixel, mut b: Pixel, (width, height): (i32, i32)) -> Option<(Pixel, Pixel)> {
    let outside = |(x, y): Pixel| {
        let aside = if x < 0 { 1 } else { i32::from(x >= width) * 2 };
        aside | if y < 0 { 8 } else { i32::from(y >= height) * 4 }
    };
    let short = |value: f32| value as i32 as i16 as i32;
    // Each iteration moves one endpoint of the line to a side of the picture. Because of rounding, more than four iterations
    // (one per side) may be necessary.
    for _ in 0..16 {
        let (mut of_a, of_b) = (outside(a), outside(b));
        if of_a | of_b == 0 {
            return Some((a, b));
        }
        if of_a & of_b != 0 {
            return None;
        }
        if of_a == 0 {
            std::mem::swap(&mut a, &mut b);
            of_a = of_b;
        }
        let slope = if a.0 == b.0 { 1.0 } else { (b.1 - a.1) as f32 / (b.0 - a.0) as f32 };
        if of_a & 3 != 0 {
            let side = if of_a & 1 != 0 { 0 } else { width - 1 };
            a = (side, a.1 + short((side - a.0) as f32 * slope));
        } else {
            let side = if of_a & 4 != 0 { height - 1 } else { 0 };
            let x = if a.0 == b.0 { a.0 } else { a.0 + short((side - a.1) as f32 / slope) };
            a = (x, side);
        }
    }
    None
}

#[inline]
fn gfx_aaline(a: Pixel, b: Pixel, size: (i32, i32), dot: &mut impl FnMut(i32, i32, u32)) {
    let Some((a, b)) = clip_line(a, b, size) else { return };
    let (first, last) = if a.1 > b.1 { (b, a) } else { (a, b) };
    let (dx, dy) = (last.0 - first.0, last.1 - first.1);
    if dx == 0 {
        (first.1..=last.1).for_each(|y| dot(first.0, y, 255));
        return;
    }
    if dy == 0 {
        (a.0.min(b.0)..=a.0.max(b.0)).for_each(|x| dot(x, a.1, 255));
        return;
    }
    dot(a.0, a.1, 255);
    let aside = dx.signum();
    let (dx, mut x, mut y) = (dx.abs(), first.0, first.1);
    let mut error = 0_u32;
    // For a line at 45 degrees, the column has no fractional part, and changes at each step.
    let mut advance = |adjust: u32| {
        let before = error;
        error = error.wrapping_add(adjust);
        (i32::from(error <= before), error >> 24)
    };
    let weight = |part: u32| (255 * part) >> 8;
    if dy > dx {
        let adjust = (((dx << 16) / dy) as u32) << 16;
        for _ in 1..dy {
            let (sideways, part) = advance(adjust);
            (x, y) = (x + sideways * aside, y + 1);
            dot(x, y, weight(255 - part));
            if (0..size.0).contains(&(x + aside)) {
                dot(x + aside, y, weight(part));
            }
        }
    } else {
        let adjust = (((dy << 16) / dx) as u32) << 16;
        for _ in 1..dx {
            let (sideways, part) = advance(adjust);
            (x, y) = (x + aside, y + sideways);
            dot(x, y, weight(255 - part));
            if y + 1 < size.1 {
                dot(x, y + 1, weight(part));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(cover: impl FnOnce(&mut dyn FnMut(i32, i32, i32))) -> Vec<(i32, i32, i32)> {
        let mut rows = Vec::new();
        cover(&mut |row, a, b| rows.push((row, a, b)));
        rows
    }

    /// Compares the pixels of [`filled_polygon`] and [`polygon`] with those that pygame-ce 2.5.8 draws.
    #[test]
    fn each_fill_method_has_its_own_span_ends() {
        let corners = [(3, 1), (9, 2), (7, 5), (1, 4)];
        assert_eq!(rows(|span| filled_polygon(&corners, 0..8, span)), [(1, 3, 3), (2, 2, 9), (3, 2, 8), (4, 1, 8), (5, 7, 7)]);
        assert_eq!(rows(|span| polygon(&corners, 0..8, span)), [(1, 3, 3), (2, 2, 9), (3, 1, 9), (4, 1, 7), (5, 7, 7)]);
    }

    /// Compares the pixels of [`circle`] and [`ring`] with those that pygame-ce 2.5.8 draws.
    #[test]
    fn circles_have_pixels_on_both_sides_of_the_center() {
        let mut shown = [[b'.'; 8]; 8];
        circle((4, 4), 3, |row, a, b| shown[row as usize][a as usize..=b as usize].fill(b'x'));
        ring((4, 4), 3, |x, y| shown[y as usize][x as usize] = b'o');
        let rows = shown.map(|row| String::from_utf8(row.to_vec()).unwrap());
        assert_eq!(rows, ["........", "...oo...", "..oxxo..", ".oxxxxo.", ".oxxxxo.", "..oxxo..", "...oo...", "........"]);
    }

    #[test]
    fn an_antialiased_line_of_45_degrees_has_no_fractions() {
        let mut dots = Vec::new();
        gfx_aaline((0, 0), (3, 3), (8, 8), &mut |x, y, part| dots.push((x, y, part)));
        assert_eq!(dots, [(0, 0, 255), (1, 1, 254), (1, 2, 0), (2, 2, 254), (2, 3, 0)]);
    }

    #[test]
    fn lines_are_clipped_at_the_borders() {
        assert_eq!(clip_line((-10, 5), (10, 5), (8, 8)), Some(((7, 5), (0, 5))));
        assert_eq!(clip_line((-10, -5), (-1, 50), (8, 8)), None);
    }
}

//! Surface that implements pygame's drawing functions.

use super::lines;
use super::pygame::{self, DrawTarget, Pixel};
use super::rotation::Rotation;
use super::{Color, Point};

/// Surface that stores exactly the pixels that pygame's functions would draw, with their opacity.
#[derive(Debug, Clone)]
pub struct Surface {
    width: i32,
    height: i32,
    /// Number of columns at the left that are not stored, because they are not part of the picture.
    hidden_columns: i32,
    pixels: Vec<[u8; 4]>,
}

impl Surface {
    /// Creates a surface filled with `background`.
    pub fn new((width, height): (usize, usize), background: Color) -> Self {
        Self::right_part((width, height), width, background)
    }

    /// Creates a surface that stores only its last `shown` columns. Lines are clipped at the sides of the full surface, not at
    /// the sides of the stored part.
    pub fn right_part((width, height): (usize, usize), shown: usize, background: Color) -> Self {
        let pixels = vec![stored(background); shown * height];
        Self { width: width as i32, height: height as i32, hidden_columns: (width - shown) as i32, pixels }
    }

    /// Returns width and height in pixels.
    pub fn size(&self) -> Pixel {
        (self.width, self.height)
    }

    fn span(&mut self, row: i32, a: i32, b: i32, color: [u8; 4]) {
        let (a, b) =
            (a.min(b).max(self.hidden_columns) - self.hidden_columns, a.max(b).min(self.width - 1) - self.hidden_columns);
        if a <= b {
            let row = (row * (self.width - self.hidden_columns)) as usize;
            self.pixels[row + a as usize..=row + b as usize].fill(color);
        }
    }

    fn flip_row(&self, row: i32, is_flipped: bool) -> i32 {
        if is_flipped { self.height - 1 - row } else { row }
    }

    /// Returns the pixel at a position before the vertical flip; `None` if the position is outside of the surface or not
    /// stored.
    fn pixel_mut(&mut self, x: i32, y: i32) -> Option<&mut [u8; 4]> {
        self.stored_mut(x, self.flip_row(y, true))
    }

    /// Returns the pixel in a column and row; `None` if it is outside of the surface or not stored.
    fn stored_mut(&mut self, x: i32, y: i32) -> Option<&mut [u8; 4]> {
        let is_kept = (self.hidden_columns..self.width).contains(&x) && (0..self.height).contains(&y);
        let index = y * (self.width - self.hidden_columns) + x - self.hidden_columns;
        if is_kept { self.pixels.get_mut(index as usize) } else { None }
    }

    /// Draws a line as pygame's `draw.line` does. Row 0 is the top row of the picture.
    pub fn line(&mut self, a: Pixel, b: Pixel, width: i32, color: Color) {
        let size = (self.width, self.height);
        let mut dot = |x, y| self.stored_mut(x, y).into_iter().for_each(|pixel| *pixel = stored(color));
        match width {
            1 if a.0.max(b.0) < 0 || a.1.max(b.1) < 0 || a.0.min(b.0) >= size.0 || a.1.min(b.1) >= size.1 => {}
            1 => lines::thin_line(a, b, dot),
            _ => lines::wide_line(a, b, width, size, &mut dot),
        }
    }

    /// Draws the border of a rectangle, one pixel wide, as pygame's `draw.rect` does: narrow rectangles are filled.
    pub fn outline_rect(&mut self, begin: Pixel, end: Pixel, color: Color) {
        if end.0 - begin.0 <= 2 || end.1 - begin.1 <= 2 {
            return self.fill_rect(begin, end, color);
        }
        self.fill_rect(begin, (end.0, begin.1 + 1), color);
        self.fill_rect((begin.0, end.1 - 1), end, color);
        self.fill_rect(begin, (begin.0 + 1, end.1), color);
        self.fill_rect((end.0 - 1, begin.1), end, color);
    }

    /// Draws a surface, rotated by `transform.rotate`, with its upper left corner at a place. Pixels without opacity are left
    /// out.
    pub fn blit_rotated(&mut self, image: &Self, degrees: f64, (left, top): Pixel) {
        let rotation = Rotation::new(image.width, image.height, degrees as f32);
        let rows = (-top).max(0)..rotation.height.min(self.height - top);
        for row in rows {
            for column in (-left).max(0)..rotation.width.min(self.width - left) {
                let Some((x, y)) = rotation.source(column, row) else { continue };
                let pixel = image.pixels[(y * image.width + x) as usize];
                if pixel[3] != 0 {
                    self.stored_mut(left + column, top + row).into_iter().for_each(|below| *below = pixel);
                }
            }
        }
    }

    /// Draws lines two pixels wide, as pygame's `draw.lines` does. Row 0 is the bottom row of the picture.
    pub fn wide_lines(&mut self, points: &[Pixel], color: Color) {
        let size = (self.width, self.height);
        for ends in points.windows(2) {
            lines::wide_line(ends[0], ends[1], 2, size, |x, y| {
                self.pixel_mut(x, y).into_iter().for_each(|pixel| *pixel = stored(color))
            });
        }
    }

    /// Draws lines one pixel wide, as pygame's `draw.lines` does. Row 0 is the bottom row of the picture.
    pub fn thin_lines(&mut self, points: &[Pixel], color: Color) {
        for ends in points.windows(2) {
            lines::thin_line(ends[0], ends[1], |x, y| self.pixel_mut(x, y).into_iter().for_each(|pixel| *pixel = stored(color)));
        }
    }

    /// Draws an antialiased line, as pygame's `draw.aaline` does. Row 0 is the bottom row of the picture.
    pub fn aaline(&mut self, a: Point, b: Point, color: Color) {
        lines::aaline(a, b, (self.width, self.height), |x, y, part| self.blend(x, y, color, part));
    }

    /// Draws the antialiased outline of a polygon, as pygame's `draw.aalines` does. Row 0 is the bottom row of the picture.
    pub fn aalines(&mut self, corners: &[Point], color: Color) {
        lines::aalines(corners, (self.width, self.height), |x, y, part| self.blend(x, y, color, part));
    }

    fn blend(&mut self, x: i32, y: i32, color: Color, part: f32) {
        let color = stored(color);
        if let Some(pixel) = self.pixel_mut(x, y) {
            *pixel = std::array::from_fn(|i| (part * f32::from(color[i]) + (1.0 - part) * f32::from(pixel[i])) as u8);
        }
    }

    /// Draws the antialiased outline of a polygon, as pygame's `gfxdraw.aapolygon` does. Row 0 is the bottom row of the picture.
    pub fn aapolygon(&mut self, corners: &[Pixel], color: Color) {
        pygame::aapolygon(corners, (self.width, self.height), |x, y, part| {
            if let Some(pixel) = self.pixel_mut(x, y) {
                *pixel = if part == 255 { stored(color) } else { blend_pixel(*pixel, stored(color), part) };
            }
        });
    }

    /// Fills a circle, as pygame's `draw.circle` does. Row 0 is the top row of the picture.
    pub fn circle(&mut self, center: Pixel, radius: i32, color: Color) {
        pygame::circle(center, radius, |row, a, b| self.visible_span(row, a, b, color));
    }

    /// Draws a circle's outline one pixel wide, as pygame's `draw.circle` does. Row 0 is the top row of the picture.
    pub fn ring(&mut self, center: Pixel, radius: i32, color: Color) {
        pygame::ring(center, radius, |column, row| self.visible_span(row, column, column, color));
    }

    fn visible_span(&mut self, row: i32, a: i32, b: i32, color: Color) {
        if (0..self.height).contains(&row) {
            self.span(row, a, b, stored(color));
        }
    }

    /// Returns red, green and blue of each stored pixel, row by row.
    pub fn into_rgb(self) -> Vec<u8> {
        self.pixels.iter().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }

    /// Returns the stored columns, scaled down as pygame's `transform.smoothscale` does: red, green and blue, row by
    /// row.
    pub fn smoothscale(&self, (width, height): (usize, usize)) -> Vec<u8> {
        let mut narrow = Vec::with_capacity(width * self.height as usize);
        for row in self.pixels.chunks_exact((self.width - self.hidden_columns) as usize) {
            let mut average = ShrinkFilter::new((self.width - self.hidden_columns) as usize, width, 1);
            row.chunks_exact(1).for_each(|pixel| average.add_pixels(pixel, &mut narrow));
        }
        let mut small = Vec::with_capacity(width * height);
        let mut average = ShrinkFilter::new(self.height as usize, height, width);
        narrow.chunks_exact(width).for_each(|row| average.add_pixels(row, &mut small));
        small.iter().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }
}

impl DrawTarget for Surface {
    fn filled_aapolygon(&mut self, corners: &[Pixel], color: Color) {
        self.aapolygon(corners, color);
        pygame::filled_polygon(corners, 0..self.height, |row, a, b| self.span(self.flip_row(row, true), a, b, stored(color)));
    }

    fn polygon(&mut self, corners: &[Pixel], color: Color, is_flipped: bool) {
        pygame::polygon(corners, 0..self.height, |row, a, b| self.span(self.flip_row(row, is_flipped), a, b, stored(color)));
    }

    fn fill_rect(&mut self, begin: Pixel, end: Pixel, color: Color) {
        if begin.0 < end.0 {
            (begin.1.max(0)..end.1.min(self.height)).for_each(|row| self.span(row, begin.0, end.0 - 1, stored(color)));
        }
    }
}

fn blend_pixel(below: [u8; 4], color: [u8; 4], part: u32) -> [u8; 4] {
    pygame::blend(u32::from_le_bytes(below), u32::from_le_bytes(color), part).to_le_bytes()
}

fn stored(Color(red, green, blue, opacity): Color) -> [u8; 4] {
    [red, green, blue, opacity]
}

/// Box filter with which pygame's `transform.smoothscale` averages pixels along one axis.
///
/// The filter processes several pixels at a time, in 16-bit arithmetic as pygame's SSE2 code does.
struct ShrinkFilter {
    interval: u32,
    counter: u32,
    sums: Vec<[u16; 4]>,
}

fn mul_high(a: u16, b: u32) -> u16 {
    ((u32::from(a) * b) >> 16) as u16
}

impl ShrinkFilter {
    fn new(from: usize, to: usize, count: usize) -> Self {
        let interval = (0x4000 * from / to) as u32;
        Self { interval, counter: interval, sums: vec![[0; 4]; count] }
    }

    fn add_pixels(&mut self, pixels: &[[u8; 4]], out: &mut Vec<[u8; 4]>) {
        if self.counter > 0x4000 {
            self.counter -= 0x4000;
            for (sum, pixel) in self.sums.iter_mut().zip(pixels) {
                *sum = std::array::from_fn(|i| sum[i] + u16::from(pixel[i]));
            }
            return;
        }
        let (part, rest, reciprocal) = (self.counter, 0x4000 - self.counter, 0x4000_0000 / self.interval);
        for (sum, pixel) in self.sums.iter_mut().zip(pixels) {
            let wide = pixel.map(|part| u16::from(part) << 2);
            out.push(std::array::from_fn(|i| mul_high(sum[i] + mul_high(wide[i], part), reciprocal) as u8));
            *sum = wide.map(|wide| mul_high(wide, rest));
        }
        self.counter = self.interval - rest;
    }
}

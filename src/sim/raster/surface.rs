//! Pictures as pygame makes them.

use super::Color;
use super::pygame::{self, Easel, Pixel};

/// A picture that is drawn on as pygame draws, pixel for pixel.
#[derive(Debug, Clone)]
pub struct Surface {
    width: i32,
    height: i32,
    pixels: Vec<[u8; 4]>,
}

impl Surface {
    /// A surface all of `background`.
    pub fn new((width, height): (usize, usize), background: Color) -> Self {
        let pixels = vec![rgb(background); width * height];
        Self { width: width as i32, height: height as i32, pixels }
    }

    fn span(&mut self, row: i32, a: i32, b: i32, color: [u8; 4]) {
        let (a, b) = (a.min(b).max(0), a.max(b).min(self.width - 1));
        if a <= b {
            let row = (row * self.width) as usize;
            self.pixels[row + a as usize..=row + b as usize].fill(color);
        }
    }

    fn turn(&self, row: i32, is_turned: bool) -> i32 {
        if is_turned { self.height - 1 - row } else { row }
    }

    /// `draw.lines` two pixels wide, before the picture is turned.
    pub fn lines(&mut self, points: &[Pixel], color: Color) {
        let size = (self.width, self.height);
        for ends in points.windows(2) {
            pygame::double_line(ends[0], ends[1], size, |x, y| {
                let at = self.turn(y, true) * self.width + x;
                self.pixels[at as usize] = rgb(color);
            });
        }
    }

    /// `transform.smoothscale` to a smaller size: red, green and blue of each pixel, row by row.
    pub fn shrunk(&self, (width, height): (usize, usize)) -> Vec<u8> {
        let mut narrow = Vec::with_capacity(width * self.height as usize);
        for row in self.pixels.chunks_exact(self.width as usize) {
            let mut average = Average::new(self.width as usize, width, 1);
            row.chunks_exact(1).for_each(|pixel| average.take(pixel, &mut narrow));
        }
        let mut small = Vec::with_capacity(width * height);
        let mut average = Average::new(self.height as usize, height, width);
        narrow.chunks_exact(width).for_each(|row| average.take(row, &mut small));
        small.iter().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }
}

impl Easel for Surface {
    fn smooth_polygon(&mut self, corners: &[Pixel], color: Color) {
        let size = (self.width, self.height);
        pygame::smooth_outline(corners, size, |x, y, part| {
            let at = (self.turn(y, true) * self.width + x) as usize;
            self.pixels[at] = if part == 255 { rgb(color) } else { pygame::blended(self.pixels[at], rgb(color), part) };
        });
        pygame::filled_polygon(corners, size.1, |row, a, b| self.span(self.turn(row, true), a, b, rgb(color)));
    }

    fn polygon(&mut self, corners: &[Pixel], color: Color, is_turned: bool) {
        pygame::polygon(corners, self.height, |row, a, b| self.span(self.turn(row, is_turned), a, b, rgb(color)));
    }

    fn block(&mut self, begin: Pixel, end: Pixel, color: Color) {
        (begin.1.max(0)..end.1.min(self.height)).for_each(|row| self.span(row, begin.0, end.0 - 1, rgb(color)));
    }
}

fn rgb(Color(red, green, blue, _): Color) -> [u8; 4] {
    [red, green, blue, 0]
}

/// Averages over pixels in one direction, several side by side, in the 16 bits that SSE2's code does it in.
struct Average {
    space: u32,
    left: u32,
    sums: Vec<[u16; 4]>,
}

fn high(a: u16, b: u32) -> u16 {
    ((u32::from(a) * b) >> 16) as u16
}

impl Average {
    fn new(from: usize, to: usize, count: usize) -> Self {
        let space = (0x4000 * from / to) as u32;
        Self { space, left: space, sums: vec![[0; 4]; count] }
    }

    fn take(&mut self, pixels: &[[u8; 4]], out: &mut Vec<[u8; 4]>) {
        if self.left > 0x4000 {
            self.left -= 0x4000;
            for (sum, pixel) in self.sums.iter_mut().zip(pixels) {
                *sum = std::array::from_fn(|i| sum[i] + u16::from(pixel[i]));
            }
            return;
        }
        let (part, rest, reciprocal) = (self.left, 0x4000 - self.left, 0x4000_0000 / self.space);
        for (sum, pixel) in self.sums.iter_mut().zip(pixels) {
            let wide = pixel.map(|part| u16::from(part) << 2);
            out.push(std::array::from_fn(|i| high(sum[i] + high(wide[i], part), reciprocal) as u8));
            *sum = wide.map(|wide| high(wide, rest));
        }
        self.left = self.space - rest;
    }
}

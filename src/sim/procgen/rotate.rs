//! Draws rotated images as Qt 5.9.7's `qt_transform_image` does: as three trapezoids, whose slopes are 16.16 fixed-point
//! numbers.

#[cfg(any(target_arch = "x86_64", test))]
use envpool_rs_numeric::simd::SimdLevel;

use crate::blend::blend;
use crate::canvas::{AREA, Canvas, SIDE, ceil, opacity, round, truncate};
use crate::image::Pixels;
use crate::rect::Rect;
#[cfg(target_arch = "x86_64")]
use crate::{avx2, avx512};

/// Corner of the rotated rectangle: its coordinates in pixels of the canvas, and the corresponding coordinates in the source
/// image.
#[derive(Debug, Clone, Copy)]
struct Vertex {
    x: f64,
    y: f64,
    u: f64,
    v: f64,
}

/// Linear map from target pixels to source pixels, in 16.16 fixed-point numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceMap {
    pub dudx: i32,
    pub dvdx: i32,
    dudy: i32,
    dvdy: i32,
    u0: i32,
    v0: i32,
}

/// Edge of a trapezoid, from its upper end to its lower end.
type Edge = [Vertex; 2];

/// Absolute value below which Qt treats a number as zero.
const FUZZ: f64 = 1e-12;

/// Returns the sine and cosine of an angle in degrees. As in `QTransform::rotate`, both are exact for multiples of a right
/// angle.
fn sin_cos(degrees: f64) -> (f64, f64) {
    match degrees {
        90.0 | -270.0 => (1.0, 0.0),
        270.0 | -90.0 => (-1.0, 0.0),
        180.0 => (0.0, -1.0),
        _ => {
            let radians = 0.017_453_292_519_943_295 * degrees;
            (radians.sin(), radians.cos())
        }
    }
}

impl Canvas {
    /// Draws an image into a rectangle that is rotated clockwise by `degrees` around its center.
    pub(crate) fn draw_rotated(&mut self, target: &Rect, degrees: f64, image: &Pixels, alpha: f32) {
        let (dx, dy) = (target.x + target.width / 2.0, target.y + target.height / 2.0);
        let (left, top) = (-target.width / 2.0, -target.height / 2.0);
        let (right, bottom) = (left + target.width, top + target.height);
        let (sin, cos) = sin_cos(degrees);
        if target.width <= 0.0 || target.height <= 0.0 {
            return;
        }
        if sin.abs() <= FUZZ {
            let scale = if (cos - 1.0).abs() <= FUZZ { 1.0 } else { cos };
            let corners = [scale * left + dx, scale * top + dy, scale * right + dx, scale * bottom + dy];
            return self.draw_scaled(corners, image, alpha);
        }
        let (width, height) = (f64::from(image.width), f64::from(image.height));
        let map = |x: f64, y: f64, u: f64, v: f64| Vertex { x: cos * x + -sin * y + dx, y: sin * x + cos * y + dy, u, v };
        let corners = [
            map(left, top, 0.0, 0.0),
            map(right, top, width, 0.0),
            map(right, bottom, width, height),
            map(left, bottom, 0.0, height),
        ];
        self.draw_quadrilateral(corners, image, opacity(alpha));
    }

    fn draw_quadrilateral(&mut self, corners: [Vertex; 4], image: &Pixels, opacity: Option<u32>) {
        let mut v = corners;
        let topmost = (1..4).fold(0, |top, i| if v[i].y < v[top].y { i } else { top });
        v.rotate_left(topmost);
        let (dx1, dy1) = (v[1].x - v[0].x, v[1].y - v[0].y);
        let (dx2, dy2) = (v[3].x - v[0].x, v[3].y - v[0].y);
        if dx1 * dy2 - dx2 * dy1 > 0.0 {
            v.swap(1, 3);
        }
        let Some(map) = SourceMap::new(&v) else { return };
        let (left, right): (Edge, Edge) = ([v[0], v[1]], [v[0], v[3]]);
        let (lower_left, lower_right): (Edge, Edge) = ([v[1], v[2]], [v[3], v[2]]);
        let mut fill = |left: Edge, right: Edge, top: f64, bottom: f64| {
            self.fill_trapezoid([&left, &right], [top, bottom], &map, image, opacity);
        };
        if v[1].y < v[3].y {
            fill(left, right, v[0].y, v[1].y);
            fill(lower_left, right, v[1].y, v[3].y);
            fill(lower_left, lower_right, v[3].y, v[2].y);
        } else {
            fill(left, right, v[0].y, v[3].y);
            fill(left, lower_right, v[3].y, v[1].y);
            fill(lower_left, lower_right, v[1].y, v[2].y);
        }
    }

    /// Fills the rows of a trapezoid between `top` and `bottom`, from the left to the right edge.
    fn fill_trapezoid(
        &mut self,
        edges: [&Edge; 2],
        [top, bottom]: [f64; 2],
        map: &SourceMap,
        image: &Pixels,
        opacity: Option<u32>,
    ) {
        let (y, end) = (round(top).max(0), round(bottom).min(SIDE));
        if y >= end {
            return;
        }
        let [left, right] = edges.map(|[upper, lower]: &Edge| {
            let slope = (lower.x - upper.x) / (lower.y - upper.y);
            let start = upper.x + (0.5 + f64::from(y) - upper.y) * slope + 0.5;
            (truncate(start * 65536.0), truncate(slope * 65536.0))
        });
        let trapezoid = Trapezoid { y, end, left, right };
        match self.level {
            // SAFETY: only detection creates `SimdLevel::Avx512`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(_) => unsafe { avx512::fill_trapezoid(&mut self.pixels, trapezoid, map, image, opacity) },
            // SAFETY: only detection creates `SimdLevel::Avx2`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(_) => unsafe { avx2::fill_trapezoid(&mut self.pixels, trapezoid, map, image, opacity) },
            _ => fill_trapezoid(&mut self.pixels, trapezoid, map, image, opacity),
        }
    }
}

/// Trapezoid with two horizontal sides. Iterates over its rows that have pixels: the row, the first column and the column after
/// the last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trapezoid {
    /// Next row, and the row after the last.
    y: i32,
    end: i32,
    /// Column of each edge in the next row, and its change in each row, in 16.16 fixed-point numbers.
    left: (i32, i32),
    right: (i32, i32),
}

impl Iterator for Trapezoid {
    type Item = (i32, i32, i32);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        while self.y < self.end {
            let (y, first, end) = (self.y, (self.left.0 >> 16).max(0), (self.right.0 >> 16).min(SIDE));
            self.y += 1;
            for edge in [&mut self.left, &mut self.right] {
                edge.0 = edge.0.wrapping_add(edge.1);
            }
            if first < end {
                return Some((y, first, end));
            }
        }
        None
    }
}

/// Draws pixels of an image into a trapezoid.
fn fill_trapezoid(canvas: &mut [u32; AREA], trapezoid: Trapezoid, map: &SourceMap, image: &Pixels, opacity: Option<u32>) {
    let (last_u, last_v) = (image.width - 1, image.height - 1);
    for (y, first, end) in trapezoid {
        let (mut u, mut v) = map.source_of(first, y);
        for pixel in &mut canvas[(y * SIDE + first) as usize..(y * SIDE + end) as usize] {
            // Because of rounding, coordinates may be outside of the source image. As in Qt, they are clamped.
            let (column, row) = ((u >> 16).clamp(0, last_u), (v >> 16).clamp(0, last_v));
            *pixel = blend(*pixel, image.pixels[(row * image.width + column) as usize], opacity);
            (u, v) = (u.wrapping_add(map.dudx), v.wrapping_add(map.dvdx));
        }
    }
}

impl SourceMap {
    /// Returns the source coordinates of a target pixel.
    #[inline(always)]
    pub fn source_of(&self, x: i32, y: i32) -> (i32, i32) {
        let u = self.u0.wrapping_add(x.wrapping_mul(self.dudx)).wrapping_add(y.wrapping_mul(self.dudy));
        let v = self.v0.wrapping_add(x.wrapping_mul(self.dvdx)).wrapping_add(y.wrapping_mul(self.dvdy));
        (u, v)
    }

    /// Computes the map from target to source pixels from three corners; `None` if the corners are on one line.
    fn new(v: &[Vertex; 4]) -> Option<Self> {
        let from_first = |i: usize| {
            let (a, b) = (v[i], v[0]);
            Vertex { x: a.x - b.x, y: a.y - b.y, u: a.u - b.u, v: a.v - b.v }
        };
        let (u, w) = (from_first(1), from_first(2));
        let determinant = u.x * w.y - u.y * w.x;
        if determinant == 0.0 {
            return None;
        }
        let inverse = 1.0 / determinant;
        let m11 = (u.u * w.y - u.y * w.u) * inverse;
        let m12 = (u.x * w.u - u.u * w.x) * inverse;
        let m21 = (u.v * w.y - u.y * w.v) * inverse;
        let m22 = (u.x * w.v - u.v * w.x) * inverse;
        let mdx = v[0].u - m11 * v[0].x - m12 * v[0].y;
        let mdy = v[0].v - m21 * v[0].x - m22 * v[0].y;
        let fixed = |value: f64| truncate(value * 65536.0);
        let start = |value: f64| ceil(value * 65536.0).wrapping_sub(1);
        Some(Self {
            dudx: fixed(m11),
            dvdx: fixed(m21),
            dudy: fixed(m12),
            dvdy: fixed(m22),
            u0: start(0.5 * m11 + 0.5 * m12 + mdx),
            v0: start(0.5 * m21 + 0.5 * m22 + mdy),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::Axis;
    use crate::sampling::{Offsets, Sampled};

    /// Pseudorandom numbers of Knuth's linear congruential generator.
    fn uniform(state: &mut u64, low: f64, high: f64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (*state >> 33) as f64 / f64::from(1_u32 << 31)
    }

    #[test]
    fn all_levels_draw_the_same_pixels() {
        let mut state = 1;
        let image = |state: &mut u64, width: i32, height: i32| {
            let mut pixel = |_| {
                let alpha = (uniform(state, -128.0, 384.0) as i32).clamp(0, 255) as u32;
                crate::blend::premultiply(uniform(state, 0.0, 16_777_216.0) as u32 | alpha << 24)
            };
            Pixels::new(width, height, (0..width * height).map(&mut pixel).collect())
        };
        for _ in 0..300 {
            let widest = if uniform(&mut state, 0.0, 4.0) < 1.0 { 600.0 } else { 90.0 };
            let (width, height) = (uniform(&mut state, 1.0, widest) as i32, uniform(&mut state, 1.0, 90.0) as i32);
            let image = image(&mut state, width, height);
            let mut at = |low: f64, high: f64| uniform(&mut state, low, high);
            let target = Rect::new(at(-30.0, 64.0), at(-30.0, 64.0), at(0.5, 60.0), at(0.5, 60.0));
            let (degrees, alpha) = (at(-360.0, 360.0), at(0.0, 1.5).min(1.0) as f32);
            let ends = [at(0.0, 20.0), at(20.0, 40.0), at(40.0, 60.0), at(60.0, 64.0)];
            let cells: Vec<_> = ends.windows(2).filter_map(|ends| Axis::new(ends[0], ends[1], width)).collect();
            let (offsets, rows) = (Offsets::of_images(cells.iter()), Axis::new(at(-5.0, 30.0), at(31.0, 70.0), height));
            let shown = at(0.0, 1.0).to_bits();
            let drawn = SimdLevel::available().into_iter().map(|level| {
                let mut canvas = Canvas::default();
                canvas.level = level;
                (0..3).for_each(|_| canvas.draw_rotated(&target, degrees, &image, alpha));
                (0..3).for_each(|_| canvas.draw(&target, &image, alpha));
                if let Some(rows) = &rows {
                    let source = Sampled { image: &image, offsets: &offsets, rows };
                    for cell in &cells {
                        canvas.draw_sampled(&source, cell.first..cell.end(), opacity(alpha), |y| shown.rotate_left(y as u32));
                    }
                }
                let mut planes = vec![0; 3 * canvas.pixels.len()];
                canvas.write_planes(&mut planes);
                (canvas.pixels, planes)
            });
            let drawn: Vec<_> = drawn.collect();
            assert!(drawn.windows(2).all(|pair| pair[0] == pair[1]), "{target:?} {degrees} {alpha}");
        }
    }
}

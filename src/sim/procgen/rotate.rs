//! Draws rotated images as Qt 5.9.7's `qt_transform_image` does: as three trapezoids, whose slopes are 16.16 fixed-point
//! numbers.

use crate::blend::{source_over, source_over_with};
use crate::canvas::{Canvas, SIDE, ceil, round, truncate};
use crate::image::Pixels;
use crate::rect::Rect;

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
struct SourceMap {
    dudx: i32,
    dvdx: i32,
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
        let steps = (f64::from(alpha) * 256.0) as u32;
        match steps {
            256.. => self.draw_quadrilateral(corners, image, source_over),
            _ => {
                let opacity = (steps * 255) >> 8;
                self.draw_quadrilateral(corners, image, |below, source| source_over_with(below, source, opacity));
            }
        }
    }

    fn draw_quadrilateral(&mut self, corners: [Vertex; 4], image: &Pixels, blend: impl Fn(u32, u32) -> u32 + Copy) {
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
            self.fill_trapezoid(&left, &right, [top, bottom], &map, image, blend);
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
        left: &Edge,
        right: &Edge,
        [top, bottom]: [f64; 2],
        map: &SourceMap,
        image: &Pixels,
        blend: impl Fn(u32, u32) -> u32,
    ) {
        let (from, to) = (round(top).max(0), round(bottom).min(SIDE));
        if from >= to {
            return;
        }
        let edge = |[upper, lower]: &Edge| {
            let slope = (lower.x - upper.x) / (lower.y - upper.y);
            let start = upper.x + (0.5 + f64::from(from) - upper.y) * slope + 0.5;
            (truncate(start * 65536.0), truncate(slope * 65536.0))
        };
        let ((mut x_left, left_step), (mut x_right, right_step)) = (edge(left), edge(right));
        let (last_u, last_v) = (image.width - 1, image.height - 1);
        for y in from..to {
            let (first, end) = ((x_left >> 16).max(0), (x_right >> 16).min(SIDE));
            let mut u = map.u0.wrapping_add(first.wrapping_mul(map.dudx)).wrapping_add(y.wrapping_mul(map.dudy));
            let mut v = map.v0.wrapping_add(first.wrapping_mul(map.dvdx)).wrapping_add(y.wrapping_mul(map.dvdy));
            if first < end {
                for pixel in &mut self.pixels[(y * SIDE + first) as usize..(y * SIDE + end) as usize] {
                    // Because of rounding, coordinates may be outside of the source image. As in Qt, they are clamped.
                    let (column, row) = ((u >> 16).clamp(0, last_u), (v >> 16).clamp(0, last_v));
                    *pixel = blend(*pixel, image.pixels[(row * image.width + column) as usize]);
                    (u, v) = (u.wrapping_add(map.dudx), v.wrapping_add(map.dvdx));
                }
            }
            (x_left, x_right) = (x_left.wrapping_add(left_step), x_right.wrapping_add(right_step));
        }
    }
}

impl SourceMap {
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

//! Rotation of surfaces as pygame's `transform.rotate` computes it, and of vectors as its `math.Vector2` does.

use super::Point;
use super::pygame::Pixel;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Places from which `transform.rotate` takes the pixels of a rotated surface.
pub(super) struct Rotation {
    /// Size of the rotated surface.
    pub(super) width: i32,
    pub(super) height: i32,
    size: (i32, i32),
    kind: Kind,
}

enum Kind {
    /// Number of quarter turns, counterclockwise.
    Quarters(i32),
    /// Nearest pixels, in 16.16 fixed-point numbers.
    Fixed { sine: i64, cosine: i64, start: (i64, i64) },
}

impl Rotation {
    /// Prepares a rotation of a surface, counterclockwise.
    pub(super) fn new(width: i32, height: i32, degrees: f32) -> Self {
        let size = (width, height);
        if degrees % 90.0 == 0.0 {
            let turns = ((degrees / 90.0) as i32).rem_euclid(4);
            let (width, height) = if turns % 2 == 1 { (height, width) } else { size };
            return Self { width, height, size, kind: Kind::Quarters(turns) };
        }
        // pygame's own constant.
        let (sine, cosine) = (f64::from(degrees) * 0.017_453_292_519_29).sin_cos();
        let (x, y) = (f64::from(width), f64::from(height));
        let extent = |a: f64, b: f64| ((a + b).abs().max((a - b).abs()) as i32).max(1);
        let (wide, high) = (extent(cosine * x, sine * y), extent(sine * x, cosine * y));
        let half = |number: i32| i64::from(number) << 15;
        let middle = |factor: f64| (factor * half(wide - 1) as f64) as i64;
        let (sine_fixed, cosine_fixed) = ((sine * 65536.0) as i64, (cosine * 65536.0) as i64);
        let rows = i64::from(high / 2);
        let start = (
            half(wide) - middle(cosine) + sine_fixed * rows + half(width - wide),
            half(high) - middle(sine) - cosine_fixed * rows + half(height - high),
        );
        Self { width: wide, height: high, size, kind: Kind::Fixed { sine: sine_fixed, cosine: cosine_fixed, start } }
    }

    /// Returns the place in the surface of a pixel of the rotated one; `None` outside.
    #[inline]
    pub(super) fn source(&self, column: i32, row: i32) -> Option<Pixel> {
        let (width, height) = self.size;
        match self.kind {
            Kind::Quarters(turns) => Some(match turns {
                0 => (column, row),
                1 => (width - 1 - row, column),
                2 => (width - 1 - column, height - 1 - row),
                _ => (row, height - 1 - column),
            }),
            Kind::Fixed { sine, cosine, start } => {
                let (column, row) = (i64::from(column), i64::from(row));
                let x = (start.0 - sine * row + cosine * column) >> 16;
                let y = (start.1 + cosine * row + sine * column) >> 16;
                let is_inside = (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y);
                is_inside.then_some((x as i32, y as i32))
            }
        }
    }
}

/// Rotates a vector as `Vector2.rotate` does.
fn rotate((x, y): Point, degrees: f64) -> Point {
    const EPSILON: f64 = 1e-6;
    let angle = degrees * (PI / 180.0) % TAU;
    let angle = if angle < 0.0 { angle + TAU } else { angle };
    if (angle + EPSILON) % FRAC_PI_2 < 2.0 * EPSILON {
        return match ((angle + EPSILON) / FRAC_PI_2) as i32 {
            1 => (-y, x),
            2 => (-x, -y),
            3 => (y, -x),
            _ => (x, y),
        };
    }
    let (sine, cosine) = (angle.sin(), angle.cos());
    (cosine * x - sine * y, sine * x + cosine * y)
}

/// Returns the place of the upper left corner of a rotated surface whose centre is at `center`, as HighwayEnv computes it with
/// `Vector2`.
pub fn rotated_origin((width, height): (i32, i32), degrees: f64, center: Pixel) -> Pixel {
    let (width, height) = (f64::from(width), f64::from(height));
    let corners = [(0.0, 0.0), (width, 0.0), (width, -height), (0.0, -height)].map(|corner| rotate(corner, degrees));
    let least = corners.iter().fold(f64::INFINITY, |least, corner| least.min(corner.0));
    let most = corners.iter().fold(f64::NEG_INFINITY, |most, corner| most.max(corner.1));
    let pivot = (width / 2.0, -(height / 2.0));
    let turned = rotate(pivot, degrees);
    let moved = (turned.0 - pivot.0, turned.1 - pivot.1);
    ((f64::from(center.0) - width / 2.0 + least - moved.0) as i32, (f64::from(center.1) - height / 2.0 - most + moved.1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with pygame-ce 2.5.8.
    #[test]
    fn surfaces_turn_counterclockwise_about_their_centre() {
        let quarter = Rotation::new(3, 2, 90.0);
        assert_eq!((quarter.width, quarter.height), (2, 3));
        assert_eq!(quarter.source(0, 0), Some((2, 0)));
        let rotation = Rotation::new(38, 38, 30.0);
        assert_eq!((rotation.width, rotation.height), (51, 51));
        assert_eq!((rotation.source(0, 0), rotation.source(25, 25)), (None, Some((18, 18))));
    }
}

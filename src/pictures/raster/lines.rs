//! Computes which pixels the lines of pygame cover: `draw.line` and `draw.lines`, `draw.aaline` and `draw.aalines`.

use super::Point;
use super::pygame::Pixel;

/// Computes the pixels of pygame's `draw.line`, one pixel wide. Calls `dot` with the column and row of each pixel, which may be
/// outside of the picture.
pub fn thin_line(mut a: Pixel, b: Pixel, mut dot: impl FnMut(i32, i32)) {
    let (dx, dy) = ((b.0 - a.0).abs(), (b.1 - a.1).abs());
    let (sx, sy) = (if a.0 < b.0 { 1 } else { -1 }, if a.1 < b.1 { 1 } else { -1 });
    let mut error = (if dx > dy { dx } else { -dy }) / 2;
    while a != b {
        dot(a.0, a.1);
        let before = error;
        // pygame draws horizontal and vertical lines by separate code. The loop computes the same pixels: for such lines, the
        // error term stays constant or keeps its sign, so the line never steps sideways.
        if before > -dx && dx > 0 {
            error -= dy;
            a.0 += sx;
        }
        if before < dy && dy > 0 {
            error += dx;
            a.1 += sy;
        }
    }
    dot(b.0, b.1);
}

/// Computes the pixels of pygame's `draw.line`, two or more pixels wide, without the caps at its ends. Calls `dot` with the
/// column and row of each pixel inside the picture.
pub fn wide_line(mut a: Pixel, b: Pixel, width: i32, size: (i32, i32), mut dot: impl FnMut(i32, i32)) {
    let (dx, dy) = ((b.0 - a.0).abs(), (b.1 - a.1).abs());
    let is_upright = dx <= dy;
    let half = width / 2;
    let aside = (1 - width % 2 - half)..=half;
    let reach = |a: i32, b: i32, is_aside: bool| (a.min(b) - i32::from(is_aside) * half, a.max(b) + i32::from(is_aside) * half);
    let (left, right) = reach(a.0, b.0, is_upright);
    let (top, bottom) = reach(a.1, b.1, !is_upright);
    if right < 0 || bottom < 0 || left >= size.0 || top >= size.1 {
        return;
    }
    let mut across = |x: i32, y: i32| {
        for aside in aside.clone() {
            let (x, y) = if is_upright { (x + aside, y) } else { (x, y + aside) };
            if (0..size.0).contains(&x) && (0..size.1).contains(&y) {
                dot(x, y);
            }
        }
    };
    if dx == 0 && dy == 0 {
        return across(a.0, a.1);
    }
    let (sx, sy) = (if b.0 > a.0 { 1 } else { -1 }, if b.1 > a.1 { 1 } else { -1 });
    let mut error = (if dx > dy { dx } else { -dy }) / 2;
    while if is_upright { a.1 != b.1 + sy } else { a.0 != b.0 + sx } {
        across(a.0, a.1);
        let before = error;
        if before > -dx {
            error -= dy;
            a.0 += sx;
        }
        if before < dy {
            error += dx;
            a.1 += sy;
        }
    }
}

/// Point with float32 coordinates, as pygame uses them.
type PointF32 = (f32, f32);

fn to_f32((x, y): Point) -> PointF32 {
    (x as f32, y as f32)
}

/// Which of the two endpoints of an anti-aliased line are drawn.
#[derive(Debug, Clone, Copy)]
struct Endpoints {
    first: bool,
    last: bool,
}

/// Computes the pixels of pygame's `draw.aaline`. Calls `dot` with each pixel and the line's opacity in the pixel. Pixels may
/// be just outside of the picture.
pub fn aaline(a: Point, b: Point, size: (i32, i32), mut dot: impl FnMut(i32, i32, f32)) {
    draw_aaline(to_f32(a), to_f32(b), size, Endpoints { first: true, last: true }, false, &mut dot);
}

/// Computes the pixels of pygame's `draw.aalines` for a closed polygon of at least three corners. Calls `dot` as [`aaline`] does.
pub fn aalines(corners: &[Point], size: (i32, i32), mut dot: impl FnMut(i32, i32, f32)) {
    let (Some(first), true) = (corners.first(), corners.len() > 2) else { return };
    let is_steep = |a: PointF32, b: PointF32| (b.0 - a.0).abs() < (b.1 - a.1).abs();
    let is_whole = |point: PointF32| point.0.round() == point.0 && point.1.round() == point.1;
    let ends = corners.iter().skip(1).chain([first]);
    let mut before = false;
    for (i, (a, b)) in corners.iter().zip(ends).enumerate() {
        let (a, b) = (to_f32(*a), to_f32(*b));
        let extra_pixel = match i {
            0 => {
                // As in pygame, the column of the second corner is compared with the row of the first corner, although columns
                // should be compared with columns.
                let third = to_f32(corners[2]);
                let next = (third.0 - b.0).abs() < (third.1 - a.1).abs();
                is_steep(a, b) & !next
            }
            _ => before != is_steep(a, b),
        };
        let has_ends = is_whole(b);
        draw_aaline(a, b, size, Endpoints { first: has_ends, last: has_ends }, extra_pixel, &mut dot);
        before = is_steep(a, b);
    }
}

/// Returns the two coordinates, swapped if `is_steep`.
fn swap_axes<T>(is_steep: bool, (x, y): (T, T)) -> (T, T) {
    if is_steep { (y, x) } else { (x, y) }
}

fn draw_aaline(
    a: PointF32,
    b: PointF32,
    size: (i32, i32),
    ends: Endpoints,
    extra_pixel: bool,
    dot: &mut impl FnMut(i32, i32, f32),
) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    if f64::from(dx.abs()) < 0.0001 && f64::from(dy.abs()) < 0.0001 {
        dot((f64::from(a.0) + 0.5).floor() as i32, (f64::from(a.1) + 0.5).floor() as i32, 1.0);
        return;
    }
    let is_steep = dx.abs() < dy.abs();
    let (mut from, mut to) = (swap_axes(is_steep, a), swap_axes(is_steep, b));
    let (mut dx, mut dy) = swap_axes(is_steep, (dx, dy));
    let (right, bottom) = swap_axes(is_steep, (size.0 as f32, size.1 as f32));
    let (left, top) = (-1.0_f32, -1.0_f32);
    if dx < 0.0 {
        std::mem::swap(&mut from, &mut to);
        (dx, dy) = (-dx, -dy);
    }
    if to.0 <= left || from.0 >= right {
        return;
    }
    let gradient = dy / dx;
    if from.0 < left {
        from = (left, from.1 + gradient * (left - from.0));
    }
    if to.0 > right {
        to = (right, to.1 + gradient * (right - to.0));
    }
    // The line has been clipped along its longer axis. Now it is clipped along its shorter axis, at the coordinates `top` and
    // `bottom`.
    let (upper, lower) = if gradient > 0.0 { (&mut from, &mut to) } else { (&mut to, &mut from) };
    if lower.1 <= top || upper.1 >= bottom {
        return;
    }
    if upper.1 < top {
        *upper = (upper.0 + (top - upper.1) / gradient, top);
    }
    if lower.1 > bottom {
        *lower = (lower.0 + (bottom - lower.1) / gradient, bottom);
    }
    (from.1, to.1) = (from.1 + 1.0, to.1 + 1.0);
    let mut put = |along: i32, across: i32, part: f32| {
        let (x, y) = swap_axes(is_steep, (along, across));
        dot(x, y, part);
    };
    let mut end = |along: i32, across: f32, gap: f32| {
        let part = across - (across as i32) as f32;
        if ((across as i32) as f32) < across {
            put(along, across as i32, part * gap);
        }
        put(along, across as i32 - 1, (1.0 - part) * gap);
    };
    let (mut start, mut across) = (0, 0.0);
    if ends.first || extra_pixel {
        start = from.0 as i32;
        across = from.1 + gradient * (start as f32 - from.0);
        if to.0 > left + 1.0 {
            end(start, across, (1 + start) as f32 - from.0);
            across += gradient;
            start += 1;
        }
    }
    if !ends.first {
        start = from.0.ceil() as i32;
        across = from.1 + gradient * (start as f32 - from.0);
    }
    let stop = to.0.ceil() as i32;
    if (ends.last || extra_pixel) && from.0 < right - 1.0 {
        end(stop, to.1 + gradient * (stop as f32 - to.0), (1 - stop) as f32 + to.0);
    }
    for along in start..stop {
        let row = across as i32;
        let part = 1.0 - across + row as f32;
        put(along, row - 1, part);
        if (row as f32) < across {
            put(along, row, 1.0 - part);
        }
        across += gradient;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_lines_widen_perpendicular_to_their_direction() {
        let mut dots = Vec::new();
        wide_line((1, 1), (1, 3), 2, (8, 8), |x, y| dots.push((x, y)));
        assert_eq!(dots, [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (2, 3)]);
    }

    #[test]
    fn thin_lines_include_both_ends() {
        let line = |a, b| {
            let mut dots = Vec::new();
            thin_line(a, b, |x, y| dots.push((x, y)));
            dots
        };
        assert_eq!(line((2, 5), (2, 5)), [(2, 5)]);
        assert_eq!(line((4, 1), (2, 1)), [(4, 1), (3, 1), (2, 1)]);
        assert_eq!(line((1, 1), (1, 3)), [(1, 1), (1, 2), (1, 3)]);
        assert_eq!(line((0, 0), (4, 2)), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)]);
    }

    #[test]
    fn antialiased_lines_between_rows_are_split_between_both() {
        let mut dots = Vec::new();
        aaline((0.0, 0.5), (2.0, 0.5), (8, 8), |x, y, part| dots.push((x, y, part)));
        dots.sort_by_key(|(x, y, _)| (*x, *y));
        assert_eq!(dots, [(0, 0, 0.5), (0, 1, 0.5), (1, 0, 0.5), (1, 1, 0.5), (2, 0, 0.5), (2, 1, 0.5)]);
    }

    #[test]
    fn lines_to_nan_and_distant_points_terminate() {
        for far in [f64::NAN, f64::INFINITY, -1e30, 1e30] {
            aaline((far, 1.0), (2.0, far), (8, 8), |_, _, _| ());
            aalines(&[(far, 1.0), (2.0, far), (far, far)], (8, 8), |_, _, _| ());
        }
    }
}

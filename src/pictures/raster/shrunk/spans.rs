//! Spans of polygons: the first and last column that a polygon covers in each row.

use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

use super::line::{self, Line};
use super::sizes::LARGE;
use crate::raster::pygame::{self, Pixel};

/// Span of a row that the polygon does not cover.
const EMPTY: (i16, i16) = (i16::MAX, i16::MIN);
/// Number of rows that are processed together, one per 16-bit lane of a SIMD register.
pub const WINDOW: usize = 16;

/// First columns and last columns of [`WINDOW`] rows.
pub type Window<'a> = (&'a [i16; WINDOW], &'a [i16; WINDOW]);

/// Spans of all polygons, row by row. [`WINDOW`] rows with empty spans separate the polygons.
#[derive(Debug, Default)]
pub struct Spans {
    lefts: Vec<i16>,
    rights: Vec<i16>,
    /// Ranges of columns that contain the span of each row and the pixels of the polygon's anti-aliased outline.
    outer: (Vec<i16>, Vec<i16>),
    /// Number of rows that are in use. The vectors are longer, and are never shortened.
    used: usize,
    /// Leftmost and rightmost column in which an edge of the current polygon crosses each row.
    from: Vec<i32>,
    to: Vec<i32>,
}

/// Corners of a polygon, and the range of its rows that are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Outline<'a> {
    pub corners: &'a [Pixel],
    pub is_smooth: bool,
    /// First row of the polygon that is drawn; `high` is the last.
    pub low: i32,
    pub high: i32,
    /// Last row of the polygon, whether it is drawn or not.
    pub bottom: i32,
}

impl Spans {
    pub fn clear(&mut self) {
        self.used = 0;
        self.reserve(WINDOW);
        self.pad();
    }

    /// Makes space for `rows` more rows and the rows that separate them from the next polygon.
    fn reserve(&mut self, rows: usize) {
        let length = self.used + rows + WINDOW;
        if self.lefts.len() < length {
            for columns in [&mut self.lefts, &mut self.rights, &mut self.outer.0, &mut self.outer.1] {
                columns.resize(length, 0);
            }
        }
        if self.from.len() < rows {
            self.from.resize(rows, 0);
            self.to.resize(rows, 0);
        }
    }

    /// Adds the rows that separate two polygons.
    #[inline(always)]
    fn pad(&mut self) {
        let rows = self.used..self.used + WINDOW;
        for (lefts, rights) in [(&mut self.lefts, &mut self.rights), (&mut self.outer.0, &mut self.outer.1)] {
            lefts[rows.clone()].fill(EMPTY.0);
            rights[rows.clone()].fill(EMPTY.1);
        }
        self.used += WINDOW;
    }

    /// Returns the index at which the first row of the next polygon will be stored.
    pub fn next(&self) -> usize {
        self.used
    }

    /// Returns the first and the last column of the span in each of [`WINDOW`] rows, starting at row index `at`.
    ///
    /// Returns `None` if fewer than [`WINDOW`] rows follow.
    #[inline(always)]
    pub fn window(&self, at: usize) -> Option<Window<'_>> {
        self.lefts.get(at..)?.first_chunk().zip(self.rights.get(at..)?.first_chunk())
    }

    /// Returns the ranges of columns that contain the spans and outlines of [`WINDOW`] rows, as [`Self::window`] does.
    #[inline(always)]
    pub fn outer_window(&self, at: usize) -> Option<Window<'_>> {
        self.outer.0.get(at..)?.first_chunk().zip(self.outer.1.get(at..)?.first_chunk())
    }

    /// Adds a polygon with the anti-aliased outline `lines`, in reverse row order if it is flipped. `lines` are lines and the
    /// steps of all lines.
    ///
    /// Returns whether each row of the polygon has only one span.
    pub fn add(&mut self, outline: &Outline<'_>, lines: (&[Line], &[i16]), is_flipped: bool, level: SimdLevel) -> bool {
        self.reserve((outline.high + 1 - outline.low) as usize);
        level.run(AddSpans { spans: self, outline, lines, is_flipped })
    }
}

/// SIMD kernel of [`Spans::add`].
struct AddSpans<'a> {
    spans: &'a mut Spans,
    outline: &'a Outline<'a>,
    lines: (&'a [Line], &'a [i16]),
    is_flipped: bool,
}

impl SimdKernel for AddSpans<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { spans, outline, lines: (lines, steps), is_flipped } = self;
        let rows = (outline.high + 1 - outline.low) as usize;
        let (from, to) = (&mut spans.from[..rows], &mut spans.to[..rows]);
        from.fill(i32::MAX);
        to.fill(i32::MIN);
        let is_simple = cross(outline, from, to);
        if !is_simple {
            // If the polygon has several spans in some row, the range between its outermost corners is stored for every row; it
            // contains all spans.
            let columns = outline.corners.iter().map(|corner| corner.0);
            let (left, right) = columns.fold((i32::MAX, i32::MIN), |(least, most), x| (least.min(x), most.max(x)));
            from.fill(left);
            to.fill(right);
        }
        let used = spans.used..spans.used + rows;
        let (lefts, rights) = (&mut spans.lefts[used.clone()], &mut spans.rights[used.clone()]);
        let crossings = from.iter().zip(to);
        if is_flipped {
            keep(lefts.iter_mut().rev().zip(rights.iter_mut().rev()).zip(crossings), outline.is_smooth && is_simple);
        } else {
            keep(lefts.iter_mut().zip(rights.iter_mut()).zip(crossings), outline.is_smooth && is_simple);
        }
        let outer = (&mut spans.outer.0[used.clone()], &mut spans.outer.1[used]);
        outer.0.copy_from_slice(lefts);
        outer.1.copy_from_slice(rights);
        line::extend(lines, steps, outline.low, outer);
        spans.used += rows;
        spans.pad();
        is_simple
    }
}

/// Computes the leftmost and rightmost crossing of the polygon's edges with each row. Returns whether each row has only one span.
#[inline(always)]
fn cross(outline: &Outline<'_>, from: &mut [i32], to: &mut [i32]) -> bool {
    let corners = outline.corners;
    if !goes_down_and_up(corners) {
        return false;
    }
    for (a, b) in pygame::edges(corners) {
        let end = if b.1 == outline.bottom { b.1 + 1 } else { b.1 };
        let (begin, end) = (a.1.max(outline.low), end.min(outline.high + 1));
        if begin < end {
            let rows = (begin - outline.low) as usize..(end - outline.low) as usize;
            let (from, to) = (&mut from[rows.clone()], &mut to[rows]);
            if outline.is_smooth {
                cross_smooth(from, to, (a, b, begin));
            } else {
                cross_rough(from, to, (a, b, begin));
            }
        }
    }
    let one = if outline.is_smooth { 0x10000 } else { 1 };
    corners.iter().all(|corner| {
        let at = (corner.1 - outline.low) as usize;
        let x = corner.0.wrapping_mul(one);
        from.get(at).zip(to.get(at)).is_none_or(|(from, to)| *from <= x && x <= *to)
    })
}

/// Converts the crossings of edges with rows to spans.
#[inline(always)]
fn keep<'a>(rows: impl Iterator<Item = ((&'a mut i16, &'a mut i16), (&'a i32, &'a mut i32))>, is_smooth: bool) {
    let near = |x: i32| x.clamp(-16, LARGE.0 as i32 + 16) as i16;
    let store = |(left, right): (&mut i16, &mut i16), (from, to): (i32, i32), is_empty: bool| {
        *left = if is_empty { EMPTY.0 } else { near(from) };
        *right = if is_empty { EMPTY.1 } else { near(to) };
    };
    if is_smooth {
        for (span, (from, to)) in rows {
            let (a, b) = (pygame::round_fixed(from.wrapping_add(1)), pygame::round_fixed(to.wrapping_sub(1)));
            store(span, (a.min(b), a.max(b)), *from > *to);
        }
    } else {
        rows.for_each(|(span, (from, to))| store(span, (*from, *to), *from > *to));
    }
}

/// Returns whether the edges of a closed polygon go down once and up once. Then exactly two edges cross each row.
fn goes_down_and_up(corners: &[Pixel]) -> bool {
    let (mut first, mut before, mut turns) = (0, 0, 0);
    for (a, b) in corners.last().into_iter().chain(corners).zip(corners) {
        let direction = (b.1 - a.1).signum();
        first = if first == 0 { direction } else { first };
        turns += i32::from(direction * before < 0);
        before = if direction == 0 { before } else { direction };
    }
    before != 0 && turns + i32::from(first != before) <= 2
}

/// An edge of a polygon: the endpoint with the lower row number, the other endpoint, and the first row of the edge that is
/// drawn.
type Edge = (Pixel, Pixel, i32);

/// Computes where an edge crosses rows, as `gfxdraw.filled_polygon` does, in units of 2^-16 pixels.
#[inline(always)]
fn cross_smooth(from: &mut [i32], to: &mut [i32], (a, b, begin): Edge) {
    let (height, dx) = ((b.1 - a.1) as u64, b.0 - a.0);
    let base = 65536_i32.wrapping_mul(a.0);
    // Computes 2^16 * y / height with a reciprocal, for y from 0 to the height. Because y and the height are below 2^16, the error
    // is below 2^-32.
    let reciprocal = (1_u64 << 48).div_ceil(height);
    let first = (begin - a.1) as u32;
    for (index, (from, to)) in (0_u32..).zip(from.iter_mut().zip(to)) {
        let along = ((u64::from(first.wrapping_add(index)) * reciprocal) >> 32) as i32;
        let x = along.wrapping_mul(dx).wrapping_add(base);
        (*from, *to) = ((*from).min(x), (*to).max(x));
    }
}

/// Computes where an edge crosses rows, as `draw.polygon` does, in pixels.
#[inline(always)]
fn cross_rough(from: &mut [i32], to: &mut [i32], (a, b, begin): Edge) {
    if a.0 == b.0 {
        from.iter_mut().for_each(|from| *from = a.0.min(*from));
        to.iter_mut().for_each(|to| *to = a.0.max(*to));
        return;
    }
    for (y, (from, to)) in (begin..).zip(from.iter_mut().zip(to)) {
        let along = (y - a.1).wrapping_mul(b.0 - a.0) as f32 / (b.1 - a.1) as f32;
        // In each row, pygame rounds the crossing of the first edge down, and the crossing of the second edge up.
        let whole = along as i32;
        let is_first = *from > *to;
        let down = whole - i32::from(whole as f32 > along);
        let up = whole + i32::from((whole as f32) < along);
        let x = if is_first { down } else { up } + a.0;
        (*from, *to) = ((*from).min(x), (*to).max(x));
    }
}

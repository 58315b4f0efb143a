//! Spans of polygons: the first and last column that a polygon covers in each row.

use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

use super::sizes::LARGE;
use crate::raster::pygame::{self, Pixel};

/// Span of a row that the polygon does not cover.
const EMPTY: (i16, i16) = (i16::MAX, i16::MIN);
/// Number of rows that are processed together, one per 16-bit lane of a SIMD register.
pub const WINDOW: usize = 16;

/// Spans of all polygons, row by row. Rows with empty spans separate the polygons.
#[derive(Debug, Default)]
pub struct Spans {
    lefts: Vec<i16>,
    rights: Vec<i16>,
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
        self.lefts.clear();
        self.rights.clear();
        self.pad();
    }

    fn pad(&mut self) {
        self.lefts.extend([EMPTY.0; WINDOW]);
        self.rights.extend([EMPTY.1; WINDOW]);
    }

    /// Returns the index at which the first row of the next polygon will be stored.
    pub fn next(&self) -> usize {
        self.lefts.len()
    }

    /// Returns the first and the last column of the span in each of [`WINDOW`] rows, starting at row index `at`.
    ///
    /// Returns `None` if fewer than [`WINDOW`] rows follow.
    #[inline(always)]
    pub fn window(&self, at: usize) -> Option<(&[i16; WINDOW], &[i16; WINDOW])> {
        self.lefts.get(at..)?.first_chunk().zip(self.rights.get(at..)?.first_chunk())
    }

    /// Adds a polygon, in reverse row order if it is flipped.
    ///
    /// Returns whether each row of the polygon has only one span.
    pub fn add(&mut self, outline: &Outline<'_>, is_flipped: bool, level: SimdLevel) -> bool {
        let rows = (outline.high + 1 - outline.low) as usize;
        self.from.clear();
        self.to.clear();
        self.from.resize(rows, i32::MAX);
        self.to.resize(rows, i32::MIN);
        let is_simple = self.cross(outline, level);
        if !is_simple {
            // If the polygon has several spans in some row, the range between its outermost corners is stored for every row; it
            // contains all spans.
            let columns = outline.corners.iter().map(|corner| corner.0);
            let (left, right) = columns.fold((i32::MAX, i32::MIN), |(least, most), x| (least.min(x), most.max(x)));
            self.from.fill(left);
            self.to.fill(right);
        }
        self.keep(outline.is_smooth && is_simple, is_flipped, level);
        is_simple
    }

    /// Computes the leftmost and rightmost crossing of the polygon's edges with each row. Returns whether each row has only one
    /// span.
    fn cross(&mut self, outline: &Outline<'_>, level: SimdLevel) -> bool {
        let corners = outline.corners;
        if !goes_down_and_up(corners) {
            return false;
        }
        for (a, b) in pygame::edges(corners) {
            let end = if b.1 == outline.bottom { b.1 + 1 } else { b.1 };
            let (begin, end) = (a.1.max(outline.low), end.min(outline.high + 1));
            if begin < end {
                let rows = (begin - outline.low) as usize..(end - outline.low) as usize;
                let (from, to) = (&mut self.from[rows.clone()], &mut self.to[rows]);
                if outline.is_smooth {
                    level.run(CrossSmooth { from, to, edge: (a, b, begin) });
                } else {
                    cross_rough(from, to, (a, b, begin));
                }
            }
        }
        let one = if outline.is_smooth { 0x10000 } else { 1 };
        corners.iter().all(|corner| {
            let at = (corner.1 - outline.low) as usize;
            let x = corner.0.wrapping_mul(one);
            self.from.get(at).zip(self.to.get(at)).is_none_or(|(from, to)| *from <= x && x <= *to)
        })
    }

    fn keep(&mut self, is_smooth: bool, is_flipped: bool, level: SimdLevel) {
        let Self { lefts, rights, from, to } = self;
        let at = lefts.len();
        lefts.resize(at + from.len(), EMPTY.0);
        rights.resize(at + from.len(), EMPTY.1);
        level.run(Keep { lefts: &mut lefts[at..], rights: &mut rights[at..], crossings: (from, to), is_smooth });
        if is_flipped {
            lefts[at..].reverse();
            rights[at..].reverse();
        }
        self.pad();
    }
}

/// Returns whether the edges of a closed polygon go down once and up once. Then exactly two edges cross each row.
fn goes_down_and_up(corners: &[Pixel]) -> bool {
    let directions = || {
        corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| (b.1 - a.1).signum()).filter(|direction| *direction != 0)
    };
    let Some(mut before) = directions().last() else { return false };
    let turns = directions().filter(|direction| std::mem::replace(&mut before, *direction) != *direction).count();
    turns <= 2
}

/// SIMD kernel that converts the crossings of edges with rows to spans.
struct Keep<'a> {
    lefts: &'a mut [i16],
    rights: &'a mut [i16],
    crossings: (&'a [i32], &'a [i32]),
    is_smooth: bool,
}

impl SimdKernel for Keep<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { lefts, rights, crossings: (from, to), is_smooth } = self;
        let near = |x: i32| x.clamp(-16, LARGE.0 as i32 + 16) as i16;
        let rows = lefts.iter_mut().zip(rights).zip(from.iter().zip(to));
        if is_smooth {
            for ((left, right), (from, to)) in rows {
                let (a, b) = (pygame::round_fixed(from.wrapping_add(1)), pygame::round_fixed(to.wrapping_sub(1)));
                let is_empty = from > to;
                *left = if is_empty { EMPTY.0 } else { near(a.min(b)) };
                *right = if is_empty { EMPTY.1 } else { near(a.max(b)) };
            }
        } else {
            for ((left, right), (from, to)) in rows {
                let is_empty = from > to;
                *left = if is_empty { EMPTY.0 } else { near(*from) };
                *right = if is_empty { EMPTY.1 } else { near(*to) };
            }
        }
    }
}

/// An edge of a polygon: the endpoint with the lower row number, the other endpoint, and the first row of the edge that is
/// drawn.
type Edge = (Pixel, Pixel, i32);

/// SIMD kernel that computes where an edge crosses rows, as `gfxdraw.filled_polygon` does, in units of 2^-16 pixels.
struct CrossSmooth<'a> {
    from: &'a mut [i32],
    to: &'a mut [i32],
    edge: Edge,
}

impl SimdKernel for CrossSmooth<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { from, to, edge: (a, b, begin) } = self;
        let (height, dx) = ((b.1 - a.1) as u64, b.0 - a.0);
        let base = 65536_i32.wrapping_mul(a.0);
        // Computes 2^16 * y / height with a reciprocal, for y from 0 to the height. Because y and the height are below
        // 2^16, the error is below 2^-32.
        let reciprocal = (1_u64 << 48).div_ceil(height);
        let first = (begin - a.1) as u32;
        for (index, (from, to)) in (0_u32..).zip(from.iter_mut().zip(to)) {
            let along = ((u64::from(first.wrapping_add(index)) * reciprocal) >> 32) as i32;
            let x = along.wrapping_mul(dx).wrapping_add(base);
            (*from, *to) = ((*from).min(x), (*to).max(x));
        }
    }
}

/// Computes where an edge crosses rows, as `draw.polygon` does, in pixels.
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

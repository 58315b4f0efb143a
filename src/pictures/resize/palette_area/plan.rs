//! Sizes and weights of a palette resize, shared by the implementations of all SIMD levels.

use crate::resize::area::{SourceWeight, round_to_byte, shares};

/// Maximum sum of the integer weights of a target pixel. For a larger sum of weights, two neighbouring possible averages could
/// differ by less than the error of OpenCV's float32 averages.
pub(super) const MAX_UNITS: u32 = 2000;
/// Number of readable padding bytes after each row of pixels, and of padding numbers after each row of sums.
pub(super) const PADDING: usize = 64;
/// Maximum number of source pixels that a target pixel may cover, per axis.
pub(super) const MAX_TAPS: usize = 8;

/// Source columns (or rows) that a target column (or row) covers: `count` of them, starting at `first`, with their weights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taps {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) units: [i16; MAX_TAPS],
    pub(super) weights: [f32; MAX_TAPS],
}

/// Sizes, look-up tables and weights with which every implementation performs the same palette resize.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) tables: Vec<[u8; 256]>,
    /// Whether the picture is first averaged to half its rows and columns.
    pub(super) is_halved: bool,
    /// Size (rows, columns) before the weighted average; `to` is the size after it.
    pub(super) from: (usize, usize),
    pub(super) to: (usize, usize),
    pub(super) columns: Vec<Taps>,
    pub(super) rows: Vec<Taps>,
    /// Sum of the integer weights of a target pixel.
    pub(super) units: u32,
}

impl Plan {
    /// Creates the plan with which pictures are resized: sizes, tables and weights. Returns `None` if the weights cannot be
    /// integers.
    pub(super) fn new(drawn: (usize, usize), native: (usize, usize), to: (usize, usize), tables: &[[u8; 256]]) -> Option<Self> {
        let halves = drawn == (2 * native.0, 2 * native.1);
        let shrinks = native.0 >= to.0 && native.1 >= to.1;
        let is_whole = native.0.is_multiple_of(to.0) && native.1.is_multiple_of(to.1);
        if !shrinks || is_whole || (drawn != native && !halves) {
            return None;
        }
        let (of_rows, rows) = covers(native.0, to.0)?;
        let (of_columns, columns) = covers(native.1, to.1)?;
        let units = of_rows.checked_mul(of_columns).filter(|units| *units <= MAX_UNITS)?;
        let taps = |covers: &[Taps]| covers.iter().map(|cover| cover.count).max().unwrap_or_default();
        // `wrong` is an upper bound of the error of OpenCV's average: each float32 addition and multiplication has an error of
        // at most 2^-24 times 255.
        let wrong = 255.0 * (taps(&rows) + taps(&columns) + 4) as f64 / f64::from(1 << 24);
        let is_exact = wrong < 0.5 / f64::from(units);
        // The sums over rows must fit into 15 bits.
        if !is_exact || of_rows > 128 || i16::try_from(of_columns).is_err() {
            return None;
        }
        Some(Self { tables: tables.to_vec(), is_halved: halves, from: native, to, columns, rows, units })
    }

    /// Returns the number of rows and columns of the source picture, before it is halved.
    pub(super) fn drawn(&self) -> (usize, usize) {
        if self.is_halved { (2 * self.from.0, 2 * self.from.1) } else { self.from }
    }

    /// Returns a pixel of a plane after the look-up and, if `is_halved`, after the averaging to half the size.
    fn pixel(&self, screen: &[u8], plane: usize, row: usize, column: usize) -> u8 {
        let table = &self.tables[plane];
        let look_up = |row: usize, column: usize| u16::from(table[usize::from(screen[row * self.drawn().1 + column])]);
        match self.is_halved {
            false => look_up(row, column) as u8,
            true => {
                let (row, column) = (2 * row, 2 * column);
                let sum =
                    look_up(row, column) + look_up(row, column + 1) + look_up(row + 1, column) + look_up(row + 1, column + 1);
                ((sum + 2) >> 2) as u8
            }
        }
    }

    /// Computes a target pixel in the same order of float32 operations as OpenCV.
    #[cold]
    #[inline(never)]
    pub(super) fn compute_exactly(&self, screen: &[u8], plane: usize, row: usize, column: usize, out: &mut [u8]) {
        let (rows, columns) = (&self.rows[row], &self.columns[column]);
        let average = |row: usize| {
            (0..columns.count)
                .fold(0.0, |sum, tap| sum + f32::from(self.pixel(screen, plane, row, columns.first + tap)) * columns.weights[tap])
        };
        let sum = (0..rows.count).fold(0.0, |sum, tap| sum + rows.weights[tap] * average(rows.first + tap));
        out[(plane * self.to.0 + row) * self.to.1 + column] = round_to_byte(sum);
    }
}

/// Returns two values for one axis: the sum of the integer weights of a target pixel, and the source pixels of each target
/// pixel. Returns `None` if the weights are not integers.
fn covers(from: usize, to: usize) -> Option<(u32, Vec<Taps>)> {
    let units = from / greatest_divisor(from, to);
    let mut covers = vec![Taps::default(); to];
    for SourceWeight { source, target, weight } in shares(from, to) {
        let cover = &mut covers[target];
        if cover.count == 0 {
            cover.first = source;
        }
        let scaled = weight * units as f32;
        if cover.count == MAX_TAPS || (scaled - scaled.round()).abs() > 1e-3 || cover.first + cover.count != source {
            return None;
        }
        (cover.units[cover.count], cover.weights[cover.count]) = (scaled.round() as i16, weight);
        cover.count += 1;
    }
    let is_whole = |cover: &Taps| cover.units.iter().map(|units| *units as usize).sum::<usize>() == units;
    covers.iter().all(is_whole).then_some((units as u32, covers))
}

fn greatest_divisor(one: usize, other: usize) -> usize {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

/// Constants with which a sum is divided by `units` and rounded to a byte: (2 * sum + units) / (2 * units).
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding {
    pub(super) half: i32,
    pub(super) whole: i32,
    pub(super) inverse: f32,
}

impl Rounding {
    pub(super) fn new(units: u32) -> Self {
        Self { half: units as i32, whole: 2 * units as i32, inverse: 1.0 / (2 * units) as f32 }
    }

    /// Returns an offset that compensates float32 errors of quotients that are integers. The offset is smaller than the distance
    /// of any other quotient to the next integer.
    pub(super) fn nudge(self) -> f32 {
        self.inverse / 4.0
    }
}

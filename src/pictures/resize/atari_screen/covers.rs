//! Weights of the source pixels that each target pixel of an Atari screen covers; used by every SIMD level.

use crate::resize::area::{SourceWeight, round_to_byte};

pub(in crate::resize) const FROM: (usize, usize) = (210, 160);
pub(in crate::resize) const TO: (usize, usize) = (84, 84);
pub(in crate::resize) const SOURCE: usize = FROM.0 * FROM.1;
pub(in crate::resize) const RESULT: usize = TO.0 * TO.1;
/// Number of source rows that two target rows cover together (5/2 rows each).
pub(in crate::resize) const ROW_PERIOD: usize = 5;
/// Sum of the integer column weights of a target pixel. `UNITS` is the sum of all integer weights of a target pixel.
pub(in crate::resize) const COLUMN_UNITS: f32 = 40.0;
pub(in crate::resize) const UNITS: u16 = 200;

/// Source pixels and weights of all target columns and rows.
#[derive(Clone, Debug)]
pub(in crate::resize) struct Covers {
    pub(super) columns: [Cover; TO.1],
    pub(super) rows: [Cover; TO.0],
}

/// Source columns (or rows) that a target column (or row) covers, at most three, with their weights.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::resize) struct Cover {
    pub(super) first: usize,
    pub(super) weights: [f32; 3],
}

/// Two screens of colour numbers, and the gray value of each colour.
pub(in crate::resize) struct ScreenPair<'a> {
    pub(super) screens: [&'a [u8; SOURCE]; 2],
    pub(super) table: &'a [u8; 256],
}

/// Returns row number `row` of a screen.
pub(super) fn row_of(screen: &[u8; SOURCE], row: usize) -> &[u8; FROM.1] {
    let (rows, _) = screen.as_chunks();
    &rows[row]
}

/// Returns whether a row of a screen equals the row above it.
fn is_like_above(screen: &[u8; SOURCE], row: usize) -> bool {
    row > 0 && row_of(screen, row) == row_of(screen, row - 1)
}

impl ScreenPair<'_> {
    #[inline(always)]
    fn pixel(&self, at: usize) -> u8 {
        let [one, other] = self.screens.map(|screen| self.table[usize::from(screen[at])]);
        one.max(other)
    }

    /// Returns whether the row `row` of both screens equals the row above it.
    pub(super) fn equals_row_above(&self, row: usize) -> bool {
        self.screens.iter().all(|screen| is_like_above(screen, row))
    }

    /// Writes the looked-up pixels of the row `row` to `gray`.
    pub(super) fn row(&self, row: usize, gray: &mut [u8; FROM.1]) {
        let [one, other] = self.screens.map(|screen| row_of(screen, row));
        let look_up = |colour: &u8| self.table[usize::from(*colour)];
        gray.iter_mut().zip(one).for_each(|(gray, one)| *gray = look_up(one));
        if one != other {
            gray.iter_mut().zip(other).for_each(|(gray, other)| *gray = look_up(other).max(*gray));
        }
    }
}

impl Covers {
    /// Returns the target pixel in row `row` and column `column`, computed with OpenCV's order of float32 operations.
    pub(super) fn exact(&self, source: &ScreenPair<'_>, row: usize, column: usize) -> u8 {
        let (rows, columns) = (&self.rows[row], &self.columns[column]);
        let average = |row: usize| {
            // If a target pixel covers only two columns, the third column may be outside of the picture; its weight is
            // 0.
            let pixel = |i: usize| f32::from(source.pixel((row * FROM.1 + columns.first + i).min(SOURCE - 1)));
            (0..3).fold(0.0, |sum, i| sum + pixel(i) * columns.weights[i])
        };
        let sum = (0..3).fold(0.0, |sum, i| sum + rows.weights[i] * average(rows.first + i));
        round_to_byte(sum)
    }

    /// Computes those target pixels of a row whose bits are set in `marked`, in the same order of float32 operations as OpenCV.
    #[cold]
    #[inline(never)]
    pub(super) fn compute_exactly(&self, source: &ScreenPair<'_>, row: usize, marked: u128, out: &mut [u8; RESULT]) {
        let mut left = marked;
        while left != 0 {
            let column = left.trailing_zeros() as usize;
            out[row * TO.1 + column] = self.exact(source, row, column);
            left &= left - 1;
        }
    }
}

impl Cover {
    /// Returns the column weights as integers, in 40ths of a target pixel.
    pub(super) fn units(&self) -> [u8; 3] {
        self.weights.map(|weight| (weight * COLUMN_UNITS).round() as u8)
    }
}

/// Groups source pixels by target pixel. If a target pixel covers only two source pixels, the third has weight 0.
pub(in crate::resize) fn covers<const N: usize>(shares: &[SourceWeight]) -> [Cover; N] {
    let mut covers = [Cover::default(); N];
    for (target, cover) in covers.iter_mut().enumerate() {
        let mut of_target = shares.iter().filter(|share| share.target == target).peekable();
        cover.first = of_target.peek().expect("a pixel covers something").source;
        of_target.zip(&mut cover.weights).for_each(|(share, weight)| *weight = share.weight);
    }
    covers
}

/// Shuffles and weights with which a vector register computes adjacent sums, in two steps of byte pairs. The register's source
/// pixels start at the index `first`.
///
/// In each step, a sum uses two of the register's `BYTES` bytes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(in crate::resize) struct Taps<const BYTES: usize> {
    pub(super) picks: [[u8; BYTES]; 2],
    pub(super) weights: [[i8; BYTES]; 2],
    pub(super) first: usize,
}

#[cfg(target_arch = "x86_64")]
impl<const BYTES: usize> Taps<BYTES> {
    pub(super) fn new(columns: &[Cover]) -> Self {
        /// Index with which a byte shuffle of a 128-bit register sets the result byte to zero.
        const NONE: u8 = 0x80;
        let first = columns[0].first;
        let mut taps = Self { picks: [[NONE; BYTES]; 2], weights: [[0; BYTES]; 2], first };
        for (lane, column) in columns.iter().enumerate() {
            for (third, units) in column.units().into_iter().enumerate().filter(|(_, units)| *units > 0) {
                let (step, byte) = (third / 2, 2 * lane + third % 2);
                taps.picks[step][byte] = (column.first + third - first) as u8;
                taps.weights[step][byte] = units as i8;
            }
        }
        taps
    }
}

//! 210 x 160 gray pixels to 84 x 84 by [`Area`](super::Method::Area), with gray look-up and the brighter of two screens.
//!
//! Two and a half rows become one, and 160/84 = 40/21 columns. In fifths of rows and 21sts of columns all shares are
//! integers: a new pixel is `sum / 200`, where no sum exceeds 51,000. OpenCV's float32 averages are nearer to that than two
//! sums are to each other, so they round to the same byte, but for sums half-way between two bytes: those are computed as
//! OpenCV does, one by one.
//!
//! Columns are summed first, and five rows of sums make two new rows.

use super::area::{Share, rounded, shares};
use crate::engine::Vectors;

pub(super) const FROM: (usize, usize) = (210, 160);
pub(super) const TO: (usize, usize) = (84, 84);
const SOURCE: usize = FROM.0 * FROM.1;
const RESULT: usize = TO.0 * TO.1;
/// Rows that make two new ones.
const FIVE: usize = 5;
/// Units of a new pixel's sum that a row's share of columns has, and all of it.
const COLUMN_UNITS: f32 = 40.0;
const UNITS: u16 = 200;

/// The one fixed resize.
#[derive(Clone, Debug)]
pub(super) struct Screen {
    covers: Covers,
    instructions: Instructions,
}

/// What new pixels cover.
#[derive(Clone, Debug)]
struct Covers {
    columns: [Cover; TO.1],
    rows: [Cover; TO.0],
}

/// Up to three old pixels or rows of a new one, with their shares.
#[derive(Clone, Copy, Debug, Default)]
struct Cover {
    first: usize,
    weights: [f32; 3],
}

/// What the processor has, with the tables for it.
#[derive(Clone, Debug)]
enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx512(Box<avx512::Tables>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<avx2::Tables>),
    Scalar(Box<scalar::Tables>),
}

/// Two screens of colour numbers, and their gray.
struct Two<'a> {
    screens: [&'a [u8; SOURCE]; 2],
    table: &'a [u8; 256],
}

/// Where gray pixels come from.
trait Source {
    fn pixel(&self, at: usize) -> u8;
}

impl Source for Two<'_> {
    #[inline(always)]
    fn pixel(&self, at: usize) -> u8 {
        let [one, other] = self.screens.map(|screen| self.table[usize::from(screen[at])]);
        one.max(other)
    }
}

impl Source for [u8; SOURCE] {
    #[inline(always)]
    fn pixel(&self, at: usize) -> u8 {
        self[at]
    }
}

impl Screen {
    pub(super) fn new() -> Self {
        let covers = Covers { columns: covers(&shares(FROM.1, TO.1)), rows: covers(&shares(FROM.0, TO.0)) };
        Self { instructions: Instructions::detect(&covers), covers }
    }

    pub(super) fn run(&self, source: &[u8], out: &mut [u8]) {
        let source: &[u8; SOURCE] = source.try_into().expect("a screen's size");
        let out = out.try_into().expect("the result's size");
        match &self.instructions {
            // SAFETY: `detect` found the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(tables) => unsafe { avx512::run_gray(tables, &self.covers, source, out) },
            // SAFETY: `detect` found the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(tables) => unsafe { avx2::run_gray(tables, &self.covers, source, out) },
            Instructions::Scalar(tables) => tables.run(&self.covers, source, out),
        }
    }

    pub(super) fn run_gray_of_one(&self, screen: &[u8; SOURCE], table: &[u8; 256], out: &mut [u8; RESULT]) {
        self.run_gray_of_two(screen, screen, table, out);
    }

    pub(super) fn run_gray_of_two(&self, one: &[u8; SOURCE], other: &[u8; SOURCE], table: &[u8; 256], out: &mut [u8; RESULT]) {
        let two = Two { screens: [one, other], table };
        match &self.instructions {
            // SAFETY: `detect` found the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(tables) => unsafe { avx512::run_two(tables, &self.covers, &two, out) },
            // SAFETY: `detect` found the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(tables) => unsafe { avx2::run_two(tables, &self.covers, &two, out) },
            Instructions::Scalar(tables) => tables.run(&self.covers, &two, out),
        }
    }
}

impl Instructions {
    fn detect(covers: &Covers) -> Self {
        match Vectors::detect() {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 if std::arch::is_x86_feature_detected!("avx512vbmi") => {
                Self::Avx512(Box::new(avx512::Tables::new(covers)))
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 | Vectors::Avx2 => Self::Avx2(Box::new(avx2::Tables::new(covers))),
            _ => Self::Scalar(Box::new(scalar::Tables::new(covers))),
        }
    }
}

impl Covers {
    /// A new pixel in OpenCV's order of operations.
    fn exact(&self, source: &(impl Source + ?Sized), row: usize, column: usize) -> u8 {
        let (rows, columns) = (&self.rows[row], &self.columns[column]);
        let average = |row: usize| {
            // A third column that there is not may lie beyond the picture. It weighs nothing.
            let pixel = |i: usize| f32::from(source.pixel((row * FROM.1 + columns.first + i).min(SOURCE - 1)));
            (0..3).fold(0.0, |sum, i| sum + pixel(i) * columns.weights[i])
        };
        let sum = (0..3).fold(0.0, |sum, i| sum + rows.weights[i] * average(rows.first + i));
        rounded(sum)
    }

    /// Computes the new pixels whose bits are set.
    #[cold]
    #[inline(never)]
    fn settle(&self, source: &(impl Source + ?Sized), row: usize, marked: u128, out: &mut [u8; RESULT]) {
        let mut left = marked;
        while left != 0 {
            let column = left.trailing_zeros() as usize;
            out[row * TO.1 + column] = self.exact(source, row, column);
            left &= left - 1;
        }
    }
}

impl Cover {
    /// Shares in units.
    fn units(&self) -> [u8; 3] {
        self.weights.map(|weight| (weight * COLUMN_UNITS).round() as u8)
    }
}

/// Shares by what they are shares of. A third one that there is not weighs nothing.
fn covers<const N: usize>(shares: &[Share]) -> [Cover; N] {
    let mut covers = [Cover::default(); N];
    for (target, cover) in covers.iter_mut().enumerate() {
        let mut of_target = shares.iter().filter(|share| share.target == target).peekable();
        cover.first = of_target.peek().expect("a pixel covers something").source;
        of_target.zip(&mut cover.weights).for_each(|(share, weight)| *weight = share.weight);
    }
    covers
}

/// How neighbouring sums come about in a vector register: from bytes beginning at pixel `first`, picked and weighted in pairs,
/// twice. The `BYTES` of a step belong to half as many sums.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Taps<const BYTES: usize> {
    picks: [[u8; BYTES]; 2],
    weights: [[i8; BYTES]; 2],
    first: usize,
}

#[cfg(target_arch = "x86_64")]
impl<const BYTES: usize> Taps<BYTES> {
    fn new(columns: &[Cover]) -> Self {
        /// Picks nothing, in registers of 128 bits.
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

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

#[cfg(test)]
mod tests;

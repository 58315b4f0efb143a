//! 210 x 160 gray pixels to 84 x 84 by [`Area`](super::Method::Area), with gray look-up and the brighter of two screens.
//!
//! Two and a half rows become one, and 160/84 = 40/21 columns. In fifths of rows and 21sts of columns all shares are
//! integers: a new pixel is `sum / 200`, where no sum exceeds 51,000. OpenCV's float32 averages are nearer to that than two
//! sums are to each other, so they round to the same byte, but for sums half-way between two bytes: those are computed as
//! OpenCV does, one by one.
//!
//! Five rows are summed at a time, columns first. A register of 128 bits holds seven of a row's new pixels, which cover at most
//! 16 old ones; its eighth 16-bit lane is empty.

use super::area::{Share, shares};
use crate::engine::Vectors;

pub(super) const FROM: (usize, usize) = (210, 160);
pub(super) const TO: (usize, usize) = (84, 84);
const SOURCE: usize = FROM.0 * FROM.1;
const RESULT: usize = TO.0 * TO.1;
/// Of the share of a whole pixel in a new one's sum: 2/5 of a row and 21/40 of a column.
const COLUMN_UNITS: f32 = 40.0;
/// All of a sum.
const UNITS: u16 = 200;
/// Registers of 256 bits for a row of sums, their lanes, and how many of these are new pixels in each half.
const REGISTERS: usize = 6;
const LANES: usize = 16;
const USED: usize = 7;
/// Bytes that the last register's load touches.
const ROW: usize = 192;

/// A row of gray pixels, and what vectors read beyond it.
type Gray = [u8; ROW];
/// Sums of a row.
type Sums = [[u16; LANES]; REGISTERS];

/// The one fixed resize, with its tables.
#[derive(Clone, Debug)]
pub(super) struct Screen {
    tables: Tables,
    vectors: Level,
}

#[derive(Clone, Debug)]
struct Tables {
    columns: [Cover; TO.1],
    rows: [Cover; TO.0],
    halves: [Half; 2 * REGISTERS],
}

/// Up to three old pixels or rows of a new one, with their shares.
#[derive(Clone, Copy, Debug, Default)]
struct Cover {
    first: usize,
    weights: [f32; 3],
}

/// How 128 bits of sums come about: from 16 pixels, picked and weighted in pairs, twice.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
struct Half {
    picks: [[u8; 16]; 2],
    weights: [[i8; 16]; 2],
    first: usize,
}

/// Instructions that the processor has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Level {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Scalar,
}

impl Level {
    #[cfg(target_arch = "x86_64")]
    fn detect() -> Self {
        match Vectors::detect() {
            Vectors::Avx512 if std::arch::is_x86_feature_detected!("avx512vbmi") => Self::Avx512,
            Vectors::Avx512 | Vectors::Avx2 => Self::Avx2,
            _ => Self::Scalar,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn detect() -> Self {
        Self::Scalar
    }
}

/// What is done a row at a time, with one kind of instructions.
trait Rows {
    /// The brighter of two rows' grays.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn gray(one: &[u8; FROM.1], other: &[u8; FROM.1], table: &[u8; 256], out: &mut Gray);
    /// Sums of columns, 40 units for each new pixel.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn sum(tables: &Tables, gray: &Gray) -> Sums;
    /// `twice[0]` and `twice[1]` count twice, `once` once: rounds to bytes, and marks those that lie half-way.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn round(twice: [&Sums; 2], once: &Sums, out: &mut [u8; TO.1]) -> [u16; REGISTERS];
}

/// Pixels from where they come: two screens and a table, or gray already.
trait Source {
    /// Gray of a row.
    ///
    /// # Safety
    /// The processor has `R`'s instructions.
    unsafe fn read<R: Rows>(&self, row: usize, out: &mut Gray);
}

/// Two screens of colour numbers.
struct Two<'a>(&'a [u8; SOURCE], &'a [u8; SOURCE], &'a [u8; 256]);

impl Source for Two<'_> {
    #[inline(always)]
    unsafe fn read<R: Rows>(&self, row: usize, out: &mut Gray) {
        // SAFETY: passed on to the caller.
        unsafe { R::gray(row_of(self.0, row), row_of(self.1, row), self.2, out) }
    }
}

impl Source for &[u8; SOURCE] {
    #[inline(always)]
    unsafe fn read<R: Rows>(&self, row: usize, out: &mut Gray) {
        out[..FROM.1].copy_from_slice(row_of(self, row));
    }
}

#[inline(always)]
fn row_of(screen: &[u8; SOURCE], row: usize) -> &[u8; FROM.1] {
    screen[row * FROM.1..].first_chunk().expect("a row of the screen")
}

impl Screen {
    pub(super) fn new() -> Self {
        Self { tables: Tables::new(), vectors: Level::detect() }
    }

    pub(super) fn run(&self, source: &[u8], out: &mut [u8]) {
        let source: &[u8; SOURCE] = source.try_into().expect("a screen's size");
        self.dispatch(&source, out.try_into().expect("the result's size"));
    }

    pub(super) fn run_gray_of_one(&self, screen: &[u8; SOURCE], table: &[u8; 256], out: &mut [u8; RESULT]) {
        self.dispatch(&Two(screen, screen, table), out);
    }

    pub(super) fn run_gray_of_two(&self, one: &[u8; SOURCE], other: &[u8; SOURCE], table: &[u8; 256], out: &mut [u8; RESULT]) {
        self.dispatch(&Two(one, other, table), out);
    }

    fn dispatch(&self, source: &impl Source, out: &mut [u8; RESULT]) {
        // SAFETY: `detect` found the instructions.
        unsafe {
            match self.vectors {
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => x86::run_avx512(&self.tables, source, out),
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => x86::run_avx2(&self.tables, source, out),
                Level::Scalar => self.tables.run::<Scalar>(source, out),
            }
        }
    }
}

impl Tables {
    fn new() -> Self {
        let columns = covers(&shares(FROM.1, TO.1));
        Self { columns, rows: covers(&shares(FROM.0, TO.0)), halves: std::array::from_fn(|half| Half::new(&columns, half)) }
    }

    /// # Safety
    /// The processor has `R`'s instructions.
    #[inline(always)]
    unsafe fn run<R: Rows>(&self, source: &impl Source, out: &mut [u8; RESULT]) {
        let mut gray = [[0; ROW]; 5];
        for (five, out) in out.chunks_exact_mut(2 * TO.1).enumerate() {
            // SAFETY: passed on to the caller.
            unsafe {
                gray.iter_mut().enumerate().for_each(|(row, gray)| source.read::<R>(5 * five + row, gray));
                let sums = gray.each_ref().map(|gray| R::sum(self, gray));
                let (upper, lower) = out.split_at_mut(TO.1);
                let upper: &mut [u8; TO.1] = upper.try_into().expect("half of two rows");
                let lower: &mut [u8; TO.1] = lower.try_into().expect("half of two rows");
                let halfway = R::round([&sums[0], &sums[1]], &sums[2], upper);
                self.settle(halfway, &gray, 2 * five, upper);
                let halfway = R::round([&sums[3], &sums[4]], &sums[2], lower);
                self.settle(halfway, &gray, 2 * five + 1, lower);
            }
        }
    }

    /// Computes the marked pixels of new row `row` in OpenCV's order.
    #[inline(always)]
    fn settle(&self, halfway: [u16; REGISTERS], gray: &[Gray; 5], row: usize, out: &mut [u8; TO.1]) {
        for (register, mut marked) in halfway.into_iter().enumerate() {
            while marked != 0 {
                let lane = marked.trailing_zeros() as usize;
                let column = (2 * register + lane / 8) * USED + lane % 8;
                out[column] = self.exact(gray, row, column);
                marked &= marked - 1;
            }
        }
    }

    fn exact(&self, gray: &[Gray; 5], row: usize, column: usize) -> u8 {
        let (rows, columns) = (&self.rows[row], &self.columns[column]);
        let average = |gray: &Gray| {
            let pixels = &gray[columns.first..columns.first + 3];
            pixels.iter().zip(columns.weights).fold(0.0, |sum, (pixel, weight)| sum + f32::from(*pixel) * weight)
        };
        let first = rows.first % 5;
        let sum = (0..3).fold(0.0, |sum, i| sum + rows.weights[i] * average(&gray[first + i]));
        sum.round_ties_even() as u8
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

impl Half {
    fn new(columns: &[Cover; TO.1], number: usize) -> Self {
        /// Picks nothing.
        const NONE: u8 = 0x80;
        let columns = &columns[number * USED..][..USED];
        let first = columns[0].first;
        let mut half = Self { picks: [[NONE; 16]; 2], first, ..Self::default() };
        for (lane, column) in columns.iter().enumerate() {
            for (third, weight) in column.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                let (step, byte) = (third / 2, 2 * lane + third % 2);
                half.picks[step][byte] = (column.first + third - first) as u8;
                half.weights[step][byte] = (weight * COLUMN_UNITS).round() as i8;
            }
        }
        half
    }
}

/// No vectors.
struct Scalar;

impl Rows for Scalar {
    unsafe fn gray(one: &[u8; FROM.1], other: &[u8; FROM.1], table: &[u8; 256], out: &mut Gray) {
        for ((one, other), out) in one.iter().zip(other).zip(out) {
            *out = table[usize::from(*one)].max(table[usize::from(*other)]);
        }
    }

    unsafe fn sum(tables: &Tables, gray: &Gray) -> Sums {
        let mut sums = Sums::default();
        for (number, half) in tables.halves.iter().enumerate() {
            let lanes = &mut sums[number / 2][number % 2 * 8..][..USED];
            for (lane, sum) in lanes.iter_mut().enumerate() {
                for (picks, weights) in half.picks.iter().zip(&half.weights) {
                    for byte in [2 * lane, 2 * lane + 1].into_iter().filter(|byte| picks[*byte] < 16) {
                        *sum += u16::from(gray[half.first + usize::from(picks[byte])]) * weights[byte] as u16;
                    }
                }
            }
        }
        sums
    }

    unsafe fn round(twice: [&Sums; 2], once: &Sums, out: &mut [u8; TO.1]) -> [u16; REGISTERS] {
        let mut marked = [0; REGISTERS];
        for (column, out) in out.iter_mut().enumerate() {
            let (half, lane) = (column / USED, column % USED);
            let (register, lane) = (half / 2, half % 2 * 8 + lane);
            let sum = 2 * (twice[0][register][lane] + twice[1][register][lane]) + once[register][lane] + UNITS / 2;
            *out = (sum / UNITS) as u8;
            marked[register] |= u16::from(sum.is_multiple_of(UNITS)) << lane;
        }
        marked
    }
}

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests;

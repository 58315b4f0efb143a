//! OpenCV's `INTER_AREA` for targets that are not larger than the source: averages the source pixels in the same order
//! of float32 operations as OpenCV.
//!
//! The order matters if an average is half-way between two bytes.

use std::cell::RefCell;

#[cfg(target_arch = "x86_64")]
use super::windows::{Tap, Windows};
use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

/// Number of which buffered rows have a multiple: the target pixels that vector registers compute together.
pub(super) const LANES: usize = 8;
/// Minimum fraction of a source pixel's width that counts as covered by a target pixel.
const MIN_FRACTION: f64 = 1e-3;

/// Weight of a source pixel (or row of pixels) in a target pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SourceWeight {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: f32,
}

/// Returns, for all `to` target pixels along an axis, the source pixels that they cover and their weights; the axis has `from`
/// source pixels.
pub(super) fn shares(from: usize, to: usize) -> Vec<SourceWeight> {
    let scale = 1.0 / (to as f64 / from as f64);
    (0..to).flat_map(|target| weights_of(target, scale, from)).collect()
}

fn weights_of(target: usize, scale: f64, from: usize) -> Vec<SourceWeight> {
    let start = target as f64 * scale;
    let end = start + scale;
    let width = scale.min(from as f64 - start);
    let last_whole = (end.floor() as usize).min(from - 1);
    let first_whole = (start.ceil() as usize).min(last_whole);
    let share = |source: usize, weight: f64| SourceWeight { source, target, weight: weight as f32 };
    let mut found = Vec::new();
    let before = first_whole as f64 - start;
    if before > MIN_FRACTION {
        found.push(share(first_whole - 1, before / width));
    }
    found.extend((first_whole..last_whole).map(|source| share(source, 1.0 / width)));
    let after = end - last_whole as f64;
    if after > MIN_FRACTION {
        found.push(share(last_whole, after.min(1.0).min(width) / width));
    }
    found
}

/// Rounds an average, which is at most 255, to the nearest byte, ties to even.
#[inline(always)]
pub(super) fn round_to_byte(average: f32) -> u8 {
    // From this number on, all float32 numbers are integers, so adding the number rounds to an integer, which the lowest bits of
    // the sum contain. The compiler vectorises this, but neither `round_ties_even` nor conversions to bytes.
    const WHOLE: f32 = 8_388_608.0;
    (average + WHOLE).to_bits() as u8
}

/// Averages as `INTER_AREA` does, for any pair of sizes.
#[derive(Clone, Debug)]
pub(super) struct Area {
    /// Source pixels that each target pixel of a row covers: the first, and the weights of it and the following ones.
    columns: Vec<(usize, Vec<f32>)>,
    #[cfg(target_arch = "x86_64")]
    windows: Option<Box<Windows>>,
    rows: Vec<SourceWeight>,
    /// Number of bytes of a source row and of a target row.
    widths: (usize, usize),
}

thread_local! {
    /// Averages of the columns of a source row, and sums of such rows.
    static BUFFERS: RefCell<[Vec<f32>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

impl Area {
    pub(super) fn new(from: (usize, usize), to: (usize, usize)) -> Self {
        let mut columns: Vec<(usize, Vec<f32>)> = Vec::new();
        for SourceWeight { source, target, weight } in shares(from.1, to.1) {
            match columns.get_mut(target) {
                Some((_, weights)) => weights.push(weight),
                None => columns.push((source, vec![weight])),
            }
        }
        Self {
            #[cfg(target_arch = "x86_64")]
            windows: Windows::new(from.1, &columns.iter().map(taps).collect::<Vec<_>>()).map(Box::new),
            columns,
            rows: shares(from.0, to.0),
            widths: (from.1, to.1),
        }
    }

    pub(super) fn run(&self, source: &[u8], out: &mut [u8]) {
        self.run_at(SimdLevel::detect(), source, out);
    }

    pub(super) fn run_at(&self, level: SimdLevel, source: &[u8], out: &mut [u8]) {
        BUFFERS.with_borrow_mut(|buffers| {
            buffers.iter_mut().for_each(|buffer| {
                buffer.clear();
                buffer.resize(self.widths.1.next_multiple_of(LANES), 0.0);
            });
            level.run(AreaKernel { area: self, level, source, out, buffers });
        });
    }

    /// Averages the columns of a source row.
    #[inline(always)]
    fn average(&self, level: SimdLevel, row: &[u8], out: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if let (Some(windows), SimdLevel::Avx2(_) | SimdLevel::Avx512(_)) = (&self.windows, level) {
            // SAFETY: the level shows that the processor has AVX2.
            return unsafe { windows.sum_float(row, out) };
        }
        let _it_matters_to_x86_64 = level;
        for ((first, weights), out) in self.columns.iter().zip(out) {
            let pixels = row[*first..].iter().zip(weights);
            *out = pixels.fold(0.0, |sum, (pixel, weight)| sum + f32::from(*pixel) * weight);
        }
    }
}

/// Returns the taps of a target pixel that covers the source pixels from `first` on with these weights.
#[cfg(target_arch = "x86_64")]
fn taps((first, weights): &(usize, Vec<f32>)) -> Vec<Tap> {
    let tap = |(tap, weight): (usize, &f32)| Tap { sources: [Some(first + tap), None], weight: weight.to_bits() };
    weights.iter().enumerate().map(tap).collect()
}

/// [`Area::run`], compiled for the instructions of a level.
struct AreaKernel<'a> {
    area: &'a Area,
    level: SimdLevel,
    source: &'a [u8],
    out: &'a mut [u8],
    buffers: &'a mut [Vec<f32>; 2],
}

impl SimdKernel for AreaKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { area, level, source, out, buffers: [averages, sums] } = self;
        let pixels = |row: usize| &source[row * area.widths.0..][..area.widths.0];
        let mut averaged = None;
        for (number, row) in area.rows.iter().enumerate() {
            // A source row that two target rows cover, or that equals the row before, is averaged only once.
            if averaged.is_none_or(|averaged| averaged != row.source && pixels(averaged) != pixels(row.source)) {
                area.average(level, pixels(row.source), averages);
            }
            averaged = Some(row.source);
            sums.iter_mut().zip(&*averages).for_each(|(sum, average)| *sum += row.weight * average);
            if area.rows.get(number + 1).is_none_or(|next| next.target != row.target) {
                let out = &mut out[row.target * area.widths.1..][..area.widths.1];
                out.iter_mut().zip(&*sums).for_each(|(out, sum)| *out = round_to_byte(*sum));
                sums.fill(0.0);
            }
        }
    }
}

/// Averages as `INTER_AREA` does if the source size is a multiple of the target size: each target pixel is then the average of
/// a block of source pixels.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// Number of source rows and columns that are averaged into one pixel.
    block: (usize, usize),
    columns: usize,
}

thread_local! {
    /// Sums of the source rows that one target row covers.
    static ROW_SUMS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

impl Blocks {
    pub(super) fn new(from: (usize, usize), to: (usize, usize)) -> Self {
        Self { block: (from.0 / to.0, from.1 / to.1), columns: to.1 }
    }

    pub(super) fn run(&self, source: &[u8], out: &mut [u8]) {
        self.run_at(SimdLevel::detect(), source, out);
    }

    pub(super) fn run_at(&self, level: SimdLevel, source: &[u8], out: &mut [u8]) {
        ROW_SUMS.with_borrow_mut(|sums| {
            sums.resize(self.columns * self.block.1, 0);
            level.run(BlocksKernel { blocks: self, source, out, sums });
        });
    }

    /// Returns the average of a block, given the sum of its pixels. Ties are rounded up for blocks of two by two
    /// pixels, otherwise to even.
    #[inline(always)]
    fn average(&self, sum: u32) -> u8 {
        match self.block {
            (2, 2) => ((sum + 2) >> 2) as u8,
            (rows, columns) => round_to_byte(sum as f32 * (1.0 / (rows * columns) as f32)),
        }
    }
}

/// [`Blocks::run`], compiled for the instructions of a level.
struct BlocksKernel<'a> {
    blocks: &'a Blocks,
    source: &'a [u8],
    out: &'a mut [u8],
    sums: &'a mut [u32],
}

impl SimdKernel for BlocksKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { blocks, source, out, sums } = self;
        let width = sums.len();
        for (rows, out) in source.chunks_exact(blocks.block.0 * width).zip(out.chunks_exact_mut(blocks.columns)) {
            sums.fill(0);
            for row in rows.chunks_exact(width) {
                sums.iter_mut().zip(row).for_each(|(sum, pixel)| *sum += u32::from(*pixel));
            }
            for (out, sums) in out.iter_mut().zip(sums.chunks_exact(blocks.block.1)) {
                *out = blocks.average(sums.iter().sum());
            }
        }
    }
}

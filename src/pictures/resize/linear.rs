//! Linear interpolation with 11-bit weights, equal to OpenCV's `INTER_LINEAR`, and to OpenCV's `INTER_AREA` for targets that
//! are larger than the source.

use std::cell::RefCell;

use super::area::LANES;
#[cfg(target_arch = "x86_64")]
use super::windows::{Tap, Windows};
use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

/// Fixed-point representation of the weight 1, with 11 fractional bits.
const ONE: f32 = 2048.0;

/// Point of a target pixel whose position in the source picture determines the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SampleOrigin {
    /// Centre of the pixel (`INTER_LINEAR`).
    Centre,
    /// Corner of the pixel. The weight of the second source pixel is the part of the target pixel that overlaps it
    /// (`INTER_AREA`).
    Corner,
}

/// Two adjacent source pixels that are interpolated, and their weights.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    sources: [usize; 2],
    weights: [i32; 2],
}

#[derive(Clone, Debug)]
pub(super) struct Linear {
    columns: Vec<Neighbours>,
    #[cfg(target_arch = "x86_64")]
    windows: Option<Box<Windows>>,
    rows: Vec<Neighbours>,
    /// Number of bytes of a source row and of a target row.
    widths: (usize, usize),
}

thread_local! {
    /// The last two source rows after their horizontal scaling.
    static SCALED_ROWS: RefCell<[Vec<i32>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

impl Linear {
    pub(super) fn new(from: (usize, usize), to: (usize, usize), place: SampleOrigin) -> Self {
        // A target column outside of the first or last source column takes the full weight of one source column. A
        // target row outside of the first or last source row uses that source row twice.
        let columns = (0..to.1).map(|target| match neighbours(target, from.1, to.1, place) {
            (source, _) if source < 0 => Neighbours { sources: [0, 0], weights: [ONE as i32, 0] },
            (source, _) if source + 1 >= from.1 as i64 => Neighbours { sources: [from.1 - 1; 2], weights: [ONE as i32, 0] },
            (source, fraction) => Neighbours { sources: [source as usize, source as usize + 1], weights: weights(fraction) },
        });
        let clamped = |row: i64| row.clamp(0, from.0 as i64 - 1) as usize;
        let rows = (0..to.0).map(|target| {
            let (source, fraction) = neighbours(target, from.0, to.0, place);
            Neighbours { sources: [clamped(source), clamped(source + 1)], weights: weights(fraction) }
        });
        let columns: Vec<_> = columns.collect();
        Self {
            #[cfg(target_arch = "x86_64")]
            windows: Windows::new(from.1, &columns.iter().map(|pair| vec![pair.tap()]).collect::<Vec<_>>()).map(Box::new),
            columns,
            rows: rows.collect(),
            widths: (from.1, to.1),
        }
    }

    pub(super) fn run(&self, source: &[u8], out: &mut [u8]) {
        self.run_at(SimdLevel::detect(), source, out);
    }

    pub(super) fn run_at(&self, level: SimdLevel, source: &[u8], out: &mut [u8]) {
        SCALED_ROWS.with_borrow_mut(|scaled| {
            scaled.iter_mut().for_each(|row| row.resize(self.widths.1.next_multiple_of(LANES), 0));
            level.run(LinearKernel { linear: self, level, source, out, scaled });
        });
    }

    /// Scales a source row to the width of a target row.
    #[inline(always)]
    fn scale(&self, level: SimdLevel, row: &[u8], out: &mut [i32]) {
        #[cfg(target_arch = "x86_64")]
        if let (Some(windows), SimdLevel::Avx2(_) | SimdLevel::Avx512(_)) = (&self.windows, level) {
            // SAFETY: the level shows that the processor has AVX2.
            return unsafe { windows.sum_pairs(row, out) };
        }
        let _it_matters_to_x86_64 = level;
        for (pair, out) in self.columns.iter().zip(out) {
            let [left, right] = pair.sources.map(|source| i32::from(row[source]));
            *out = left * pair.weights[0] + right * pair.weights[1];
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Neighbours {
    fn tap(&self) -> Tap {
        let [left, right] = self.weights.map(|weight| weight as u32);
        Tap { sources: self.sources.map(Some), weight: left | right << 16 }
    }
}

/// [`Linear::run`], compiled for the instructions of a level.
struct LinearKernel<'a> {
    linear: &'a Linear,
    level: SimdLevel,
    source: &'a [u8],
    out: &'a mut [u8],
    scaled: &'a mut [Vec<i32>; 2],
}

impl SimdKernel for LinearKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { linear, level, source, out, scaled } = self;
        // Numbers of the source rows in `scaled`, because the next target rows may reuse them.
        let mut numbers = [usize::MAX; 2];
        for (pair, out) in linear.rows.iter().zip(out.chunks_exact_mut(linear.widths.1)) {
            if numbers[1] == pair.sources[0] {
                numbers.swap(0, 1);
                scaled.swap(0, 1);
            }
            for ((row, number), scaled) in pair.sources.into_iter().zip(&mut numbers).zip(&mut *scaled) {
                if *number != row {
                    *number = row;
                    linear.scale(level, &source[row * linear.widths.0..][..linear.widths.0], scaled);
                }
            }
            let [one, other] = pair.weights;
            for ((out, above), below) in out.iter_mut().zip(&scaled[0]).zip(&scaled[1]) {
                let sum = ((one * (above >> 4)) >> 16) + ((other * (below >> 4)) >> 16);
                *out = ((sum + 2) >> 2).clamp(0, 255) as u8;
            }
        }
    }
}

/// Returns the index of the first of the two source pixels from which a target pixel is interpolated, and the weight of the
/// second. The index may be outside of the picture.
fn neighbours(target: usize, from: usize, to: usize, place: SampleOrigin) -> (i64, f32) {
    let inverse = to as f64 / from as f64;
    let scale = 1.0 / inverse;
    match place {
        SampleOrigin::Centre => {
            let position = ((target as f64 + 0.5) * scale - 0.5) as f32;
            (position.floor() as i64, position - position.floor())
        }
        SampleOrigin::Corner => {
            let source = (target as f64 * scale).floor();
            let beyond = ((target as f64 + 1.0) - (source + 1.0) * inverse) as f32;
            (source as i64, if beyond <= 0.0 { 0.0 } else { beyond - beyond.floor() })
        }
    }
}

fn weights(fraction: f32) -> [i32; 2] {
    [1.0 - fraction, fraction].map(|weight| (weight * ONE).round_ties_even() as i32)
}

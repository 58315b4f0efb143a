//! Linear interpolation with 11-bit weights, equal to OpenCV's `INTER_LINEAR`, and to OpenCV's `INTER_AREA` for targets that
//! are larger than the source.

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
    rows: Vec<Neighbours>,
    /// Number of bytes of a source row and of a target row.
    widths: (usize, usize),
    channels: usize,
}

impl Linear {
    pub(super) fn new(from: (usize, usize), to: (usize, usize), channels: usize, place: SampleOrigin) -> Self {
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
        Self { columns: columns.collect(), rows: rows.collect(), widths: (from.1 * channels, to.1 * channels), channels }
    }

    pub(super) fn run(&self, source: &[u8], out: &mut [u8]) {
        // `kept` holds the last two source rows after their horizontal scaling, because the next target rows may reuse them.
        let mut kept = [(usize::MAX, vec![0; self.widths.1]), (usize::MAX, vec![0; self.widths.1])];
        for (pair, out) in self.rows.iter().zip(out.chunks_exact_mut(self.widths.1)) {
            if kept[1].0 == pair.sources[0] {
                kept.swap(0, 1);
            }
            for (row, kept) in pair.sources.into_iter().zip(&mut kept) {
                if kept.0 != row {
                    kept.0 = row;
                    self.widen(&source[row * self.widths.0..][..self.widths.0], &mut kept.1);
                }
            }
            let [one, other] = pair.weights;
            for ((out, above), below) in out.iter_mut().zip(&kept[0].1).zip(&kept[1].1) {
                let sum = ((one * (above >> 4)) >> 16) + ((other * (below >> 4)) >> 16);
                *out = ((sum + 2) >> 2).clamp(0, 255) as u8;
            }
        }
    }

    fn widen(&self, row: &[u8], out: &mut [i32]) {
        for (pair, out) in self.columns.iter().zip(out.chunks_exact_mut(self.channels)) {
            let [left, right] = pair.sources.map(|source| &row[source * self.channels..][..self.channels]);
            for ((out, left), right) in out.iter_mut().zip(left).zip(right) {
                *out = i32::from(*left) * pair.weights[0] + i32::from(*right) * pair.weights[1];
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

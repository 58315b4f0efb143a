//! OpenCV's `INTER_AREA` for targets that are not larger than the source: averages the source pixels in the same order
//! of float32 operations as OpenCV.
//!
//! The order matters if an average is half-way between two bytes.

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

/// Rounds an average to the nearest byte, ties to even.
pub(super) fn round_to_byte(average: f32) -> u8 {
    // From this number on, all float32 numbers are integers, so adding the number rounds to an integer. The compiler vectorises
    // the addition, but not `round_ties_even`.
    const WHOLE: f32 = 8_388_608.0;
    ((average + WHOLE) - WHOLE) as u8
}

/// Averages as `INTER_AREA` does, for any pair of sizes.
#[derive(Clone, Debug)]
pub(super) struct Area {
    columns: Vec<SourceWeight>,
    rows: Vec<SourceWeight>,
    /// Number of bytes of a source row and of a target row.
    widths: (usize, usize),
    channels: usize,
}

impl Area {
    pub(super) fn new(from: (usize, usize), to: (usize, usize), channels: usize) -> Self {
        let widths = (from.1 * channels, to.1 * channels);
        Self { columns: shares(from.1, to.1), rows: shares(from.0, to.0), widths, channels }
    }

    pub(super) fn run(&self, source: &[u8], out: &mut [u8]) {
        let mut averaged = vec![0.0; self.widths.1];
        let mut sums = vec![0.0; self.widths.1];
        let mut shares = self.rows.iter().peekable();
        while let Some(row) = shares.next() {
            self.average(&source[row.source * self.widths.0..][..self.widths.0], &mut averaged);
            sums.iter_mut().zip(&averaged).for_each(|(sum, average)| *sum += row.weight * average);
            if shares.peek().is_none_or(|next| next.target != row.target) {
                let out = &mut out[row.target * self.widths.1..][..self.widths.1];
                out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = round_to_byte(*sum));
                sums.fill(0.0);
            }
        }
    }

    fn average(&self, row: &[u8], out: &mut [f32]) {
        out.fill(0.0);
        for share in &self.columns {
            let row = &row[share.source * self.channels..][..self.channels];
            let out = &mut out[share.target * self.channels..][..self.channels];
            out.iter_mut().zip(row).for_each(|(out, pixel)| *out += f32::from(*pixel) * share.weight);
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
    channels: usize,
}

impl Blocks {
    pub(super) fn new(from: (usize, usize), to: (usize, usize), channels: usize) -> Self {
        Self { block: (from.0 / to.0, from.1 / to.1), columns: to.1, channels }
    }

    pub(super) fn run(&self, source: &[u8], out: &mut [u8]) {
        let width = self.columns * self.channels;
        let mut sums = vec![0_u32; width];
        for (rows, out) in source.chunks_exact(self.block.0 * self.block.1 * width).zip(out.chunks_exact_mut(width)) {
            sums.fill(0);
            rows.chunks_exact(self.block.1 * width).for_each(|row| self.add(row, &mut sums));
            out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = self.average(*sum));
        }
    }

    fn add(&self, row: &[u8], sums: &mut [u32]) {
        for (pixels, sums) in row.chunks_exact(self.block.1 * self.channels).zip(sums.chunks_exact_mut(self.channels)) {
            for pixel in pixels.chunks_exact(self.channels) {
                sums.iter_mut().zip(pixel).for_each(|(sum, byte)| *sum += u32::from(*byte));
            }
        }
    }

    /// Returns the average of a block, given the sum of its pixels. Ties are rounded up for blocks of two by two
    /// pixels, otherwise to even.
    fn average(&self, sum: u32) -> u8 {
        match self.block {
            (2, 2) => ((sum + 2) >> 2) as u8,
            (rows, columns) => round_to_byte(sum as f32 * (1.0 / (rows * columns) as f32)),
        }
    }
}

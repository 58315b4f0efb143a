//! Looks up palette colours and resizes with `INTER_AREA` in one pass, in float32. Each colour plane equals the result of
//! [`area`](super::area).

use super::area::{SourceWeight, round_to_byte, shares};

/// Range of consecutive source pixels that a target pixel covers.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: usize,
    end: usize,
}

/// Resizes pictures of palette numbers with `INTER_AREA` to three colour planes.
#[derive(Clone, Debug)]
pub struct FloatPaletteArea {
    palette: Box<[[f32; 4]; 256]>,
    runs: Vec<Run>,
    weights: Vec<f32>,
    rows: Vec<SourceWeight>,
    from: (usize, usize),
    to: (usize, usize),
}

impl FloatPaletteArea {
    /// Creates a resizer from size `from` to size `to`, both as (rows, columns).
    ///
    /// The size `to` must neither be larger than `from` nor divide it, because OpenCV uses other algorithms for such
    /// sizes.
    ///
    /// # Panics
    /// If `to` is larger than `from` or divides it.
    pub fn new(from: (usize, usize), to: (usize, usize), palette: &[[u8; 3]; 256]) -> Self {
        let is_whole = from.0.is_multiple_of(to.0) && from.1.is_multiple_of(to.1);
        assert!(from.0 >= to.0 && from.1 >= to.1 && !is_whole, "a picture that is made smaller by no whole number");
        let columns = shares(from.1, to.1);
        let (mut runs, mut weights): (Vec<Run>, Vec<f32>) = (Vec::new(), Vec::new());
        for SourceWeight { source, target, weight } in columns {
            match runs.get_mut(target) {
                Some(run) => run.end = source + 1,
                None => runs.push(Run { first: source, end: source + 1 }),
            }
            weights.push(weight);
        }
        let colour = |[red, green, blue]: [u8; 3]| [f32::from(red), f32::from(green), f32::from(blue), 0.0];
        Self { palette: Box::new(palette.map(colour)), runs, weights, rows: shares(from.0, to.0), from, to }
    }

    /// Resizes `source` to three colour planes in `out`, one after the other.
    ///
    /// # Panics
    /// If `source` or `out` has another length than the sizes passed to `new` imply.
    pub fn run(&self, source: &[u8], out: &mut [u8]) {
        assert_eq!(source.len(), self.from.0 * self.from.1, "bytes of the source");
        let plane = self.to.0 * self.to.1;
        assert_eq!(out.len(), 3 * plane, "bytes of the result");
        let (red, rest) = out.split_at_mut(plane);
        let (green, blue) = rest.split_at_mut(plane);
        let mut averaged = vec![[0.0_f32; 4]; self.to.1];
        let mut sums = vec![[0.0_f32; 4]; self.to.1];
        let (mut at, mut rows) = (usize::MAX, self.rows.iter().peekable());
        while let Some(row) = rows.next() {
            // A source row that two target rows cover is averaged horizontally only once.
            if at != row.source {
                at = row.source;
                self.average(&source[row.source * self.from.1..][..self.from.1], &mut averaged);
            }
            for (sum, average) in sums.iter_mut().zip(&averaged) {
                (0..4).for_each(|colour| sum[colour] += row.weight * average[colour]);
            }
            if rows.peek().is_none_or(|next| next.target != row.target) {
                let first = row.target * self.to.1;
                let planes = red[first..].iter_mut().zip(&mut green[first..]).zip(&mut blue[first..]);
                for (((red, green), blue), sum) in planes.zip(&mut sums) {
                    (*red, *green, *blue) = (round_to_byte(sum[0]), round_to_byte(sum[1]), round_to_byte(sum[2]));
                    *sum = [0.0; 4];
                }
            }
        }
    }

    #[inline]
    fn average(&self, row: &[u8], out: &mut [[f32; 4]]) {
        let mut weights = self.weights.iter();
        for (run, out) in self.runs.iter().zip(out) {
            let mut sum = [0.0; 4];
            for (pixel, weight) in row[run.first..run.end].iter().zip(weights.by_ref()) {
                let pixel = &self.palette[usize::from(*pixel)];
                (0..4).for_each(|colour| sum[colour] += pixel[colour] * weight);
            }
            *out = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resize::{Interpolation, Resize};

    #[test]
    fn planes_equal_separately_resized_planes() {
        let palette: [[u8; 3]; 256] = std::array::from_fn(|k| [k as u8, (k * 7) as u8, (k * 31 + 5) as u8]);
        let mut word = 1_u32;
        for (from, to) in [((240, 320), (84, 84)), ((120, 160), (84, 84)), ((400, 640), (97, 31)), ((240, 320), (240, 84))] {
            let source: Vec<u8> = (0..from.0 * from.1)
                .map(|_| {
                    word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (word >> 24) as u8
                })
                .collect();
            let mut out = vec![0; 3 * to.0 * to.1];
            FloatPaletteArea::new(from, to, &palette).run(&source, &mut out);
            let resize = Resize::new(from, to, Interpolation::Area);
            for (colour, plane) in out.chunks(to.0 * to.1).enumerate() {
                let coloured: Vec<u8> = source.iter().map(|pixel| palette[usize::from(*pixel)][colour]).collect();
                let mut expected = vec![0; to.0 * to.1];
                resize.run(&coloured, &mut expected);
                assert_eq!(plane, expected, "{from:?} to {to:?}, colour {colour}");
            }
        }
    }
}

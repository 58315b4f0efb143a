//! Resizes an Atari screen without explicit vector instructions.
//!
//! Source rows are summed first, in a loop that the compiler vectorises. Then columns of these sums are summed, for one
//! target row at a time.

use super::covers::{Covers, FROM, RESULT, ROW_PERIOD, ScreenPair, TO, UNITS};

/// Period of the column weights: the numbers of target columns and of source columns after which the weights repeat.
const PERIOD: (usize, usize) = (21, 40);

#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// Integer weights of the three source columns that a target column covers.
    units: [[u16; 3]; PERIOD.0],
}

/// Row of gray pixels.
type Gray = [u8; FROM.1];
/// Sums of source rows, one per source column, followed by two sums for columns outside of the picture.
type Sums = [u16; FROM.1 + 2];

impl Tables {
    pub(super) fn new(covers: &Covers) -> Self {
        Self { units: std::array::from_fn(|column| covers.columns[column].units().map(u16::from)) }
    }

    pub(super) fn run(&self, covers: &Covers, source: &ScreenPair<'_>, out: &mut [u8; RESULT]) {
        let mut gray = [[0; FROM.1]; ROW_PERIOD];
        for five in 0..FROM.0 / ROW_PERIOD {
            for row in 0..ROW_PERIOD {
                if source.equals_row_above(ROW_PERIOD * five + row) {
                    gray[row] = gray[(row + ROW_PERIOD - 1) % ROW_PERIOD];
                } else {
                    source.row(ROW_PERIOD * five + row, &mut gray[row]);
                }
            }
            let [first, second, third, fourth, fifth] = &gray;
            for (row, twice) in [(2 * five, [first, second]), (2 * five + 1, [fourth, fifth])] {
                let marked = self.round(&sum(twice, third), &mut out[row * TO.1..][..TO.1]);
                if marked != 0 {
                    covers.compute_exactly(source, row, marked, out);
                }
            }
        }
    }

    /// Computes a row of target pixels from row sums, and writes it to `out`. Returns a bit mask of the pixels whose exact
    /// value is half-way between two bytes.
    fn round(&self, sums: &Sums, out: &mut [u8]) -> u128 {
        let mut marked = 0;
        for (period, out) in out.chunks_exact_mut(PERIOD.0).enumerate() {
            let sums = sums[PERIOD.1 * period..].first_chunk::<{ PERIOD.1 + 2 }>().expect("sums of a period");
            let mut quotients = [0; PERIOD.0];
            let mut rests = [0; PERIOD.0];
            for (column, units) in self.units.iter().enumerate() {
                let first = column * PERIOD.1 / PERIOD.0;
                let sum = sums[first] * units[0] + sums[first + 1] * units[1] + sums[first + 2] * units[2] + UNITS / 2;
                quotients[column] = sum / UNITS;
                rests[column] = sum - quotients[column] * UNITS;
            }
            out.iter_mut().zip(quotients).for_each(|(out, quotient)| *out = quotient as u8);
            if rests.contains(&0) {
                let columns = rests.iter().enumerate().fold(0_u32, |columns, (at, rest)| columns | u32::from(*rest == 0) << at);
                marked |= u128::from(columns) << (period * PERIOD.0);
            }
        }
        marked
    }
}

fn sum(twice: [&Gray; 2], once: &Gray) -> Sums {
    let mut sums = [0; FROM.1 + 2];
    for (column, sum) in sums[..FROM.1].iter_mut().enumerate() {
        *sum = 2 * (u16::from(twice[0][column]) + u16::from(twice[1][column])) + u16::from(once[column]);
    }
    sums
}

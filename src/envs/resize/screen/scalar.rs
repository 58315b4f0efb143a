//! Without vector instructions of our choice.

use super::covers::{Covers, FIVE, FROM, RESULT, Source, TO, UNITS};

#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// First pixel and units of three.
    columns: [(usize, [u16; 3]); TO.1],
}

/// Sums of a row's columns.
type Sums = [u16; TO.1];

impl Tables {
    pub(super) fn new(covers: &Covers) -> Self {
        Self { columns: covers.columns.map(|cover| (cover.first, cover.units().map(u16::from))) }
    }

    pub(super) fn run(&self, covers: &Covers, source: &(impl Source + ?Sized), out: &mut [u8; RESULT]) {
        let mut sums = [[0; TO.1]; FIVE];
        for five in 0..FROM.0 / FIVE {
            for (row, sums) in sums.iter_mut().enumerate() {
                *sums = self.sum(source, FIVE * five + row);
            }
            let [first, second, third, fourth, fifth] = &sums;
            for (row, twice) in [(2 * five, [first, second]), (2 * five + 1, [fourth, fifth])] {
                let marked = round(twice, third, &mut out[row * TO.1..][..TO.1]);
                if marked != 0 {
                    covers.settle(source, row, marked, out);
                }
            }
        }
    }

    fn sum(&self, source: &(impl Source + ?Sized), row: usize) -> Sums {
        // Two bytes more than a row has, for columns that there are not.
        let mut gray = [0_u16; FROM.1 + 2];
        gray[..FROM.1].iter_mut().enumerate().for_each(|(at, gray)| *gray = u16::from(source.pixel(row * FROM.1 + at)));
        self.columns.map(|(first, [one, two, three])| gray[first] * one + gray[first + 1] * two + gray[first + 2] * three)
    }
}

/// Writes what is nearest, and returns which sums lie half-way between two bytes.
fn round(twice: [&Sums; 2], once: &Sums, out: &mut [u8]) -> u128 {
    let mut marked = 0;
    for (column, out) in out.iter_mut().enumerate() {
        let sum = 2 * (twice[0][column] + twice[1][column]) + once[column] + UNITS / 2;
        *out = (sum / UNITS) as u8;
        marked |= u128::from(sum.is_multiple_of(UNITS)) << column;
    }
    marked
}

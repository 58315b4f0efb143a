//! Coloured noise as the package `pink-noise-rl` draws it (`ColoredNoiseProcess`), with the transform of numpy (`np.fft.irfft`).

use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use std::f64::consts::{PI, SQRT_2};

/// Draws two series of equal length with the spectrum of brown noise (`beta=2`) and unit variance into `to`, one after the other.
pub fn draw(to: &mut [f64], random: &mut Generator) {
    let len = to.len() / 2;
    let (transform, frequencies) = (Transform::new(len), len / 2 + 1);
    let scale = |frequency: usize| 1.0 / (frequency.max(1) as f64 * (1.0 / len as f64));
    let weights: Vec<_> = (1..frequencies).map(|index| if index + 1 == frequencies { 0.5 } else { 1.0 } * scale(index)).collect();
    let deviation = 2.0 * numpy::sum_of_squares(&weights).sqrt() / len as f64;
    let mut parts =
        || -> Vec<f64> { (0..2 * frequencies).map(|index| scale(index % frequencies) * random.standard_normal()).collect() };
    let (real, imaginary) = (parts(), parts());
    let spectra = real.chunks_exact(frequencies).zip(imaginary.chunks_exact(frequencies));
    for (series, (real, imaginary)) in to.chunks_exact_mut(len).zip(spectra) {
        series[0] = real[0] * SQRT_2;
        series[len - 1] = real[frequencies - 1] * SQRT_2;
        for index in 1..frequencies - 1 {
            (series[2 * index - 1], series[2 * index]) = (real[index], imaginary[index]);
        }
        transform.apply(series);
        series.iter_mut().for_each(|value| *value /= deviation);
    }
}

/// `np.fft.irfft` for an even length without other prime factors than 2 and 5, and at most one 2 beside the fours.
struct Transform {
    /// Factors of the length, in the order in which the transform takes them.
    factors: Vec<usize>,
    /// Cosines and sines of the first parts of a turn, and of multiples of their number: their products are twiddles.
    twiddles: [Vec<[f64; 2]>; 2],
}

impl Transform {
    fn new(len: usize) -> Self {
        let mut factors = Vec::new();
        let mut left = len;
        for factor in [4, 2, 5] {
            while left.is_multiple_of(factor) {
                factors.push(factor);
                left /= factor;
                if factor == 2 {
                    let last = factors.len() - 1;
                    factors.swap(0, last);
                }
            }
        }
        let exact = |index: usize| {
            let (turn, angle) = (8 * index, |part: usize| part as f64 * (PI / (4 * len) as f64));
            let (half, part) = (turn >= 2 * len, turn % (2 * len));
            let [cosine, sine] = match part < len {
                true => [angle(part).cos(), angle(part).sin()],
                false => [angle(2 * len - part).sin(), angle(2 * len - part).cos()],
            };
            if half { [-sine, cosine] } else { [cosine, sine] }
        };
        // Blocks are the least power of two whose square covers half a turn.
        let block = (1..).map(|bits| 1 << bits).find(|block: &usize| block * block > len / 2).expect("a finite length");
        let table = |step: usize| (0..block).map(|index| exact(index * step)).collect();
        Self { factors, twiddles: [table(1), table(block)] }
    }

    /// Replaces a half spectrum, R0, R1, I1, R2, ... (FFTPACK's order), by its values.
    fn apply(&self, values: &mut [f64]) {
        let len = values.len();
        let (mut from, mut to) = (values.to_vec(), vec![0.0; len]);
        let mut done = 1;
        for &factor in &self.factors {
            let pass = Pass { rows: len / (factor * done), count: done, twiddles: &self.twiddles };
            match factor {
                2 => pass.by_two(&from, &mut to),
                4 => pass.by_four(&from, &mut to),
                _ => pass.by_five(&from, &mut to),
            }
            std::mem::swap(&mut from, &mut to);
            done *= factor;
        }
        values.iter_mut().zip(&from).for_each(|(to, value)| *to = (1.0 / len as f64) * value);
    }
}

/// Step of the transform (`radb2`, `radb4`, `radb5`), whose input has a block of `rows` for each factor and each of `count` columns.
struct Pass<'a> {
    rows: usize,
    count: usize,
    twiddles: &'a [Vec<[f64; 2]>; 2],
}

/// Returns the sum and the difference.
fn both(a: f64, b: f64) -> [f64; 2] {
    [a + b, a - b]
}

/// Returns `c * e + d * f` and `c * f - d * e`.
fn turned(c: f64, d: f64, e: f64, f: f64) -> [f64; 2] {
    [c * e + d * f, c * f - d * e]
}

impl Pass<'_> {
    /// Returns the index of an output.
    fn to(&self, row: usize, column: usize, factor: usize) -> usize {
        row + self.rows * (column + self.count * factor)
    }

    /// Returns the cosine and the sine of `index` parts of a turn, for at most half a turn.
    fn twiddle(&self, index: usize) -> [f64; 2] {
        let [near, far] = self.twiddles;
        let ([c1, s1], [c2, s2]) = (near[index % near.len()], far[index / near.len()]);
        [c1 * c2 - s1 * s2, c1 * s2 + s1 * c2]
    }

    /// Writes the outputs of rows `i - 1` and `i`, turned by the twiddles.
    fn write<const N: usize>(&self, to: &mut [f64], (i, k): (usize, usize), parts: [[f64; 2]; N]) {
        for (factor, [real, imaginary]) in (1..).zip(parts) {
            let [c, s] = self.twiddle(factor * self.count * (i / 2));
            [to[self.to(i, k, factor)], to[self.to(i - 1, k, factor)]] = turned(c, s, imaginary, real);
        }
    }

    /// Of an odd number of rows.
    fn by_two(&self, from: &[f64], to: &mut [f64]) {
        for k in 0..self.count {
            let at = |row: usize, factor: usize| from[row + self.rows * (factor + 2 * k)];
            [to[self.to(0, k, 0)], to[self.to(0, k, 1)]] = both(at(0, 0), at(self.rows - 1, 1));
            for i in (2..self.rows).step_by(2) {
                let ic = self.rows - i;
                let ([real, tr2], [ti2, imaginary]) = (both(at(i - 1, 0), at(ic - 1, 1)), both(at(i, 0), at(ic, 1)));
                (to[self.to(i - 1, k, 0)], to[self.to(i, k, 0)]) = (real, imaginary);
                self.write(to, (i, k), [[tr2, ti2]]);
            }
        }
    }

    fn by_four(&self, from: &[f64], to: &mut [f64]) {
        let (rows, last) = (self.rows, self.rows - 1);
        for k in 0..self.count {
            let at = |row: usize, factor: usize| from[row + rows * (factor + 4 * k)];
            let [tr2, tr1] = both(at(0, 0), at(last, 3));
            let (tr3, tr4) = (2.0 * at(last, 1), 2.0 * at(0, 2));
            [to[self.to(0, k, 0)], to[self.to(0, k, 2)]] = both(tr2, tr3);
            [to[self.to(0, k, 3)], to[self.to(0, k, 1)]] = both(tr1, tr4);
            if rows % 2 == 0 {
                let [ti1, ti2] = both(at(0, 3), at(0, 1));
                let [tr2, tr1] = both(at(last, 0), at(last, 2));
                to[self.to(last, k, 0)] = tr2 + tr2;
                to[self.to(last, k, 1)] = SQRT_2 * (tr1 - ti1);
                to[self.to(last, k, 2)] = ti2 + ti2;
                to[self.to(last, k, 3)] = -SQRT_2 * (tr1 + ti1);
            }
            for i in (2..rows).step_by(2) {
                let ic = rows - i;
                let [tr2, tr1] = both(at(i - 1, 0), at(ic - 1, 3));
                let [ti1, ti2] = both(at(i, 0), at(ic, 3));
                let [tr4, ti3] = both(at(i, 2), at(ic, 1));
                let [tr3, ti4] = both(at(i - 1, 2), at(ic - 1, 1));
                let [first, cr3] = both(tr2, tr3);
                let [second, ci3] = both(ti2, ti3);
                (to[self.to(i - 1, k, 0)], to[self.to(i, k, 0)]) = (first, second);
                let [cr4, cr2] = both(tr1, tr4);
                let [ci2, ci4] = both(ti1, ti4);
                self.write(to, (i, k), [[cr2, ci2], [cr3, ci3], [cr4, ci4]]);
            }
        }
    }

    fn by_five(&self, from: &[f64], to: &mut [f64]) {
        const TR11: f64 = 0.309_016_994_374_947_45;
        const TI11: f64 = 0.951_056_516_295_153_5;
        const TR12: f64 = -0.809_016_994_374_947_5;
        const TI12: f64 = 0.587_785_252_292_473_1;
        let (rows, last) = (self.rows, self.rows - 1);
        for k in 0..self.count {
            let at = |row: usize, factor: usize| from[row + rows * (factor + 5 * k)];
            let (ti5, ti4) = (at(0, 2) + at(0, 2), at(0, 4) + at(0, 4));
            let (tr2, tr3) = (at(last, 1) + at(last, 1), at(last, 3) + at(last, 3));
            to[self.to(0, k, 0)] = at(0, 0) + tr2 + tr3;
            let cr2 = at(0, 0) + TR11 * tr2 + TR12 * tr3;
            let cr3 = at(0, 0) + TR12 * tr2 + TR11 * tr3;
            let [ci5, ci4] = turned(ti5, ti4, TI11, TI12);
            [to[self.to(0, k, 4)], to[self.to(0, k, 1)]] = both(cr2, ci5);
            [to[self.to(0, k, 3)], to[self.to(0, k, 2)]] = both(cr3, ci4);
            for i in (2..rows).step_by(2) {
                let ic = rows - i;
                let [tr2, tr5] = both(at(i - 1, 2), at(ic - 1, 1));
                let [ti5, ti2] = both(at(i, 2), at(ic, 1));
                let [tr3, tr4] = both(at(i - 1, 4), at(ic - 1, 3));
                let [ti4, ti3] = both(at(i, 4), at(ic, 3));
                to[self.to(i - 1, k, 0)] = at(i - 1, 0) + tr2 + tr3;
                to[self.to(i, k, 0)] = at(i, 0) + ti2 + ti3;
                let cr2 = at(i - 1, 0) + TR11 * tr2 + TR12 * tr3;
                let ci2 = at(i, 0) + TR11 * ti2 + TR12 * ti3;
                let cr3 = at(i - 1, 0) + TR12 * tr2 + TR11 * tr3;
                let ci3 = at(i, 0) + TR12 * ti2 + TR11 * ti3;
                let [cr5, cr4] = turned(tr5, tr4, TI11, TI12);
                let [ci5, ci4] = turned(ti5, ti4, TI11, TI12);
                let [dr4, dr3] = both(cr3, ci4);
                let [di3, di4] = both(ci3, cr4);
                let [dr5, dr2] = both(cr2, ci5);
                let [di2, di5] = both(ci2, cr5);
                self.write(to, (i, k), [[dr2, di2], [dr3, di3], [dr4, di4], [dr5, di5]]);
            }
        }
    }
}

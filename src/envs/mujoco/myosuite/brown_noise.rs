//! Coloured noise as the package `pink-noise-rl` draws it (`ColoredNoiseProcess`), with the transform of numpy (`np.fft.irfft`).

use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use std::f64::consts::{PI, SQRT_2};
use std::sync::OnceLock;

/// Number of values of a series.
pub const LEN: usize = 2000;
/// Number of its frequencies.
const FREQUENCIES: usize = LEN / 2 + 1;
/// Factors of [`LEN`], in the order in which the transform takes them.
const FACTORS: [usize; 5] = [4, 4, 5, 5, 5];
/// Twiddles are products of one of the first [`BLOCK`] and of a multiple of it.
const BLOCK: usize = 32;

/// Draws two series with the spectrum of brown noise (`beta=2`) and unit variance into `to`, one after the other.
pub fn draw(to: &mut [f64], random: &mut Generator) {
    let scale = |frequency: usize| 1.0 / (frequency.max(1) as f64 * (1.0 / LEN as f64));
    let weights: Vec<_> = (1..FREQUENCIES).map(|index| if index + 1 == FREQUENCIES { 0.5 } else { 1.0 } * scale(index)).collect();
    let deviation = 2.0 * numpy::sum_of_squares(&weights).sqrt() / LEN as f64;
    let mut parts =
        || -> Vec<f64> { (0..2 * FREQUENCIES).map(|index| scale(index % FREQUENCIES) * random.standard_normal()).collect() };
    let (real, imaginary) = (parts(), parts());
    let spectra = real.chunks_exact(FREQUENCIES).zip(imaginary.chunks_exact(FREQUENCIES));
    for (series, (real, imaginary)) in to.chunks_exact_mut(LEN).zip(spectra) {
        series[0] = real[0] * SQRT_2;
        series[LEN - 1] = real[FREQUENCIES - 1] * SQRT_2;
        for index in 1..FREQUENCIES - 1 {
            (series[2 * index - 1], series[2 * index]) = (real[index], imaginary[index]);
        }
        transform(series);
        series.iter_mut().for_each(|value| *value /= deviation);
    }
}

/// Returns the cosine and the sine of `index` of [`LEN`] parts of a turn, for at most half a turn.
fn twiddle(index: usize) -> [f64; 2] {
    static TABLES: OnceLock<[Vec<[f64; 2]>; 2]> = OnceLock::new();
    let exact = |index: usize| {
        let (turn, angle) = (8 * index, |part: usize| part as f64 * (PI / (4 * LEN) as f64));
        let (half, part) = (turn >= 2 * LEN, turn % (2 * LEN));
        let [cosine, sine] = match part < LEN {
            true => [angle(part).cos(), angle(part).sin()],
            false => [angle(2 * LEN - part).sin(), angle(2 * LEN - part).cos()],
        };
        if half { [-sine, cosine] } else { [cosine, sine] }
    };
    let table = |step: usize| (0..BLOCK).map(|index| exact(index * step)).collect();
    let [near, far] = TABLES.get_or_init(|| [table(1), table(BLOCK)]);
    let ([c1, s1], [c2, s2]) = (near[index % BLOCK], far[index / BLOCK]);
    [c1 * c2 - s1 * s2, c1 * s2 + s1 * c2]
}

/// Computes `np.fft.irfft` of a half spectrum: R0, R1, I1, R2, ... (FFTPACK's order).
fn transform(values: &mut [f64]) {
    let (mut from, mut to) = (values.to_vec(), vec![0.0; LEN]);
    let mut done = 1;
    for factor in FACTORS {
        let pass = Pass { rows: LEN / (factor * done), count: done };
        if factor == 4 {
            pass.by_four(&from, &mut to)
        } else {
            pass.by_five(&from, &mut to)
        }
        std::mem::swap(&mut from, &mut to);
        done *= factor;
    }
    values.iter_mut().zip(&from).for_each(|(to, value)| *to = (1.0 / LEN as f64) * value);
}

/// Step of the transform (`radb4`, `radb5`), whose input has a block of `rows` for each factor and each of `count` columns.
struct Pass {
    rows: usize,
    count: usize,
}

/// Returns the sum and the difference.
fn both(a: f64, b: f64) -> [f64; 2] {
    [a + b, a - b]
}

/// Returns `c * e + d * f` and `c * f - d * e`.
fn turned(c: f64, d: f64, e: f64, f: f64) -> [f64; 2] {
    [c * e + d * f, c * f - d * e]
}

impl Pass {
    /// Returns the index of an output.
    fn to(&self, row: usize, column: usize, factor: usize) -> usize {
        row + self.rows * (column + self.count * factor)
    }

    /// Writes the outputs of rows `i - 1` and `i`, turned by the twiddles.
    fn write<const N: usize>(&self, to: &mut [f64], (i, k): (usize, usize), parts: [[f64; 2]; N]) {
        for (factor, [real, imaginary]) in (1..).zip(parts) {
            let [c, s] = twiddle(factor * self.count * (i / 2));
            [to[self.to(i, k, factor)], to[self.to(i - 1, k, factor)]] = turned(c, s, imaginary, real);
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

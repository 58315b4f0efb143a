//! Noise whose power falls with the square of the frequency (`pink.ColoredNoiseProcess` with `beta=2`).

use std::f64::consts::SQRT_2;

use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;

/// Number of values that are drawn together.
pub const LEN: usize = 10;
/// Number of frequencies of these values.
const FREQUENCIES: usize = LEN / 2 + 1;
/// Cosine and sine of a tenth and of two tenths of a turn.
const TENTH: [f64; 2] = [0.809_016_994_374_947_5, 0.587_785_252_292_473_1];
const FIFTH: [f64; 2] = [0.309_016_994_374_947_4, 0.951_056_516_295_153_5];

/// Draws values with variance 1, and as many others, which are not returned (`powerlaw_psd_gaussian`).
pub fn brown(random: &mut Generator) -> [f64; LEN] {
    let step = 1.0 / LEN as f64;
    let mut scales: [f64; FREQUENCIES] = std::array::from_fn(|harmonic| 1.0 / (harmonic.max(1) as f64 * step));
    let mut draw = || {
        let drawn = scales.map(|scale| random.normal(0.0, scale));
        scales.iter().for_each(|scale| _ = random.normal(0.0, *scale));
        drawn
    };
    let [mut real, imaginary] = [draw(), draw()];
    scales[FREQUENCIES - 1] *= 0.5;
    let deviation = 2.0 * numpy::sum_of_squares(&scales[1..]).sqrt() / LEN as f64;
    [0, FREQUENCIES - 1].into_iter().for_each(|end| real[end] *= SQRT_2);
    inverse(real, imaginary).map(|value| step * value / deviation)
}

/// Computes the real values of a spectrum, without the factor of a tenth, in the order of operations of pocketfft's `rfftp`. The
/// imaginary parts of the first and the last number are not used.
fn inverse(real: [f64; FREQUENCIES], imaginary: [f64; FREQUENCIES]) -> [f64; LEN] {
    // The values with even and those with odd indices are transforms of five numbers each: `radb2`.
    let mut halves = [[0.0; LEN / 2]; 2];
    (halves[0][0], halves[1][0]) = (real[0] + real[5], real[0] - real[5]);
    for (place, [cosine, sine]) in [(1, TENTH), (2, FIFTH)] {
        let mirrored = LEN / 2 - place;
        let (sum, difference) = (imaginary[place] + -imaginary[mirrored], imaginary[place] - -imaginary[mirrored]);
        let turned = real[place] - real[mirrored];
        (halves[0][2 * place - 1], halves[0][2 * place]) = (real[place] + real[mirrored], difference);
        (halves[1][2 * place], halves[1][2 * place - 1]) = (cosine * sum + sine * turned, cosine * turned - sine * sum);
    }
    let [even, odd] = halves.map(fifths);
    std::array::from_fn(|index| [even, odd][index % 2][index / 2])
}

/// Computes the real values of a spectrum of five numbers (`radb5`): a real part, and two real parts, each with its imaginary part.
fn fifths([first, real, imaginary, second_real, second_imaginary]: [f64; 5]) -> [f64; 5] {
    const COSINES: [f64; 2] = [0.309_016_994_374_947_45, -0.809_016_994_374_947_5];
    const SINES: [f64; 2] = [0.951_056_516_295_153_5, 0.587_785_252_292_473_1];
    let [ti5, ti4, tr2, tr3] = [imaginary, second_imaginary, real, second_real].map(|part| part + part);
    let cr2 = first + COSINES[0] * tr2 + COSINES[1] * tr3;
    let cr3 = first + COSINES[1] * tr2 + COSINES[0] * tr3;
    let (ci5, ci4) = (ti5 * SINES[0] + ti4 * SINES[1], ti5 * SINES[1] - ti4 * SINES[0]);
    [first + tr2 + tr3, cr2 - ci5, cr3 - ci4, cr3 + ci4, cr2 + ci5]
}

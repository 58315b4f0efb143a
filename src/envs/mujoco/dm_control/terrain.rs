//! Terrain of the quadruped's escape task: a bowl with smooth bumps, with the operations of numpy and scipy.

use std::f64::consts::PI;

use super::suite::prelude::*;

/// Smallest height of a bump, as a fraction of the largest height.
const LOWEST: f64 = 0.15;
/// Radius of the flat centre of the bowl, as a fraction of half the side length.
const FLAT: f64 = 0.04;
/// Number of coefficients that determine the value of a cubic spline at a point.
const ORDER: usize = 4;
/// Pole of the filter that computes the coefficients of a cubic spline: `sqrt(3) - 2`.
const POLE: f64 = -0.267_949_192_431_122_7;

/// Square height field: a bowl with random bumps.
#[derive(Debug)]
pub struct Terrain {
    /// Number of points along each side of the height field.
    side: usize,
    bowl: Box<[f64]>,
    /// Number of bumps along each side of the height field.
    bumps: usize,
    /// For each point along a side, the index of the first of the four bumps of its height, and their weights.
    weights: Box<[(isize, [f64; ORDER])]>,
}

impl Terrain {
    /// Creates a terrain with `side` points and `bumps` bumps per side.
    pub fn new(side: usize, bumps: usize) -> Self {
        let step = 2.0 / (side - 1) as f64;
        let along = |index: usize| index as f64 * step - 1.0;
        let bowl = |index: usize| {
            let (row, column) = (along(index / side), along(index % side));
            let radius = (column * column + row * row).sqrt().clamp(FLAT, 1.0);
            0.5 - numpy_ufuncs::cos(2.0 * PI * radius) / 2.0
        };
        let step = (bumps - 1) as f64 / (side - 1) as f64;
        let weights = (0..side).map(|index| {
            let position = index as f64 * step;
            (position.floor() as isize - 1, spline(position - position.floor()))
        });
        Self { side, bowl: (0..side * side).map(bowl).collect(), bumps, weights: weights.collect() }
    }

    /// Draws the heights of the bumps, and writes the heights of all points, row by row.
    pub fn draw(&self, random: &mut RandomState, heights: &mut [f32]) {
        let len = self.bumps;
        let mut bumps: Vec<f64> = (0..len * len).map(|_| random.uniform(LOWEST, 1.0)).collect();
        (0..len).for_each(|column| filter(&mut bumps, column, len, len));
        (0..len).for_each(|row| filter(&mut bumps, row * len, 1, len));
        let nearest = |index: isize| if index < 0 { -index } else { index.min(2 * (len as isize - 1) - index) } as usize;
        for (index, (height, bowl)) in heights.iter_mut().zip(&self.bowl).enumerate() {
            let (row, column) = (&self.weights[index / self.side], &self.weights[index % self.side]);
            let mut bump = 0.0;
            for (below, of_row) in (row.0..).zip(row.1) {
                for (bump_column, of_column) in (column.0..).zip(column.1) {
                    bump += bumps[nearest(below) * len + nearest(bump_column)] * of_row * of_column;
                }
            }
            *height = (bowl * bump) as f32;
        }
    }
}

/// Returns a cubic spline's weights at a point. `behind` is its distance from the second bump, in units of the bumps' distance.
fn spline(behind: f64) -> [f64; ORDER] {
    let before = 1.0 - behind;
    let near = |distance: f64| (distance * distance * (distance - 2.0) * 3.0 + 4.0) / 6.0;
    let (first, second, third) = (before * before * before / 6.0, near(behind), near(before));
    [first, second, third, 1.0 - first - second - third]
}

/// Computes spline coefficients of `len` elements from `start`, `apart` apart, as `scipy.ndimage.spline_filter1d` (mirror) does.
fn filter(values: &mut [f64], start: usize, apart: usize, len: usize) {
    let at = |index: usize| start + index * apart;
    let gain = (1.0 - POLE) * (1.0 - 1.0 / POLE);
    (0..len).for_each(|index| values[at(index)] *= gain);
    let last = len - 1;
    let across = POLE.powf(last as f64);
    let mut decay = POLE;
    let mut first = values[at(0)] + across * values[at(last)];
    for index in 1..last {
        first += decay * (values[at(index)] + across * values[at(last - index)]);
        decay *= POLE;
    }
    values[at(0)] = first / (1.0 - across * across);
    for index in 1..len {
        values[at(index)] += POLE * values[at(index - 1)];
    }
    values[at(last)] = (POLE * values[at(last - 1)] + values[at(last)]) * POLE / (POLE * POLE - 1.0);
    for index in (0..last).rev() {
        values[at(index)] = POLE * (values[at(index + 1)] - values[at(index)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Checks heights against results of numpy 2.4.6 and scipy 1.17.1, computed for `RandomState(3)`.
    #[test]
    fn heights_equal_scipys_bit_for_bit() {
        let mut heights = [0.0; 49];
        Terrain::new(7, 5).draw(&mut RandomState::new(3), &mut heights);
        assert_eq!(heights[7..28].iter().map(|height| height.to_bits()).collect::<Vec<_>>(), RECORDED);
    }

    const RECORDED: [u32; 21] = [
        0x00000000, 0x3c9a5e4a, 0x3e2a98f5, 0x3e752cd2, 0x3e161b75, 0x3c69088f, 0x00000000, 0x00000000, 0x3e66c0a3, 0x3ea44757,
        0x3ea5dcee, 0x3e714fad, 0x3e20dab0, 0x00000000, 0x00000000, 0x3e90995f, 0x3f00014f, 0x3c349ce6, 0x3ea85044, 0x3ebaa9f4,
        0x00000000,
    ];
}

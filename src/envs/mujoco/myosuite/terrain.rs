//! Height fields on which legs walk (`heightfields.py`, `TerrainEnvV0`).

use envpool_rs_numeric::numpy_ufuncs;
use envpool_rs_numeric::random::Generator;
use std::f64::consts::{FRAC_PI_2, PI};

/// Number of rows, and of columns, of the walk's height field.
const SIDE: usize = 100;

/// Terrain of a walk.
pub enum WalkTerrain {
    /// Noise, drawn at each reset.
    Rough,
    /// Heights from 0 to 1 by which a scale is multiplied, and the bounds of the scale in metres: equal if it is fixed.
    Shape { heights: Vec<f64>, scale: [f64; 2] },
}

impl WalkTerrain {
    /// Creates the terrain `kind`: `rough`, `hilly` or `stairs`.
    pub fn new(kind: &str, is_fixed: bool) -> Self {
        let (heights, fixed, drawn) = match kind {
            "hilly" => (hills(), 0.63, [0.53, 0.73]),
            "stairs" => (stairs(), 2.5, [1.5, 3.5]),
            _ => return Self::Rough,
        };
        Self::Shape { heights, scale: if is_fixed { [fixed; 2] } else { drawn } }
    }

    /// Writes the heights of an episode in metres.
    pub fn draw(&self, to: &mut [f32], random: &mut Generator) {
        match self {
            Self::Rough => {
                let mut noise: Vec<_> = to.iter().map(|_| random.uniform(-0.5, 0.5)).collect();
                normalise(&mut noise);
                to.iter_mut().zip(noise).for_each(|(height, noise)| *height = (noise * 0.08 - 0.02) as f32);
            }
            Self::Shape { heights, scale: [low, high] } => {
                let scale = if low == high { *low } else { random.uniform(*low, *high) };
                to.iter_mut().zip(heights).for_each(|(height, part)| *height = (part * scale) as f32);
            }
        }
    }
}

/// Scales values to the interval from 0 to 1.
fn normalise(values: &mut [f64]) {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.iter_mut().for_each(|value| *value = (*value - low) / (high - low));
}

/// Computes `np.linspace(0, stop, count)`.
fn linspace(stop: f64, count: usize) -> impl Iterator<Item = f64> {
    let step = stop / (count - 1) as f64;
    (0..count).map(move |index| if index + 1 == count { stop } else { index as f64 * step })
}

/// Returns a plain that hills follow, from 0 to 1, the last row first.
fn hills() -> Vec<f64> {
    const FLAT: usize = 3000;
    let wave = linspace(3.0 * PI, SIDE * SIDE - FLAT).map(|phase| -2.0 + 0.5 * (numpy_ufuncs::sin(phase + FRAC_PI_2) - 1.0));
    let mut heights: Vec<_> = std::iter::repeat_n(-2.0, FLAT).chain(wave).collect();
    normalise(&mut heights);
    heights.reverse();
    heights
}

/// Returns a plain that stairs follow, from 0 to 1, the last row first.
fn stairs() -> Vec<f64> {
    const STAIRS: usize = 12;
    const ROWS: usize = 4;
    const RISE: f64 = 0.1;
    let rows = std::iter::repeat_n(-2.0, SIDE - ROWS * STAIRS)
        .chain((0..ROWS * STAIRS).map(|row| -2.0 + RISE * (row / ROWS) as f64))
        .map(|height| (height + 2.0) / (2.0 + RISE * STAIRS as f64));
    let mut heights: Vec<_> = rows.flat_map(|height| [height; SIDE]).collect();
    heights.reverse();
    heights
}

//! Height fields on which legs walk and run (`TerrainEnvV0`, `HeightField`).

use super::streams::Streams;
use crate::robot::Range;
use envpool_rs_engine::{Error, Result};
use envpool_rs_numeric::numpy_ufuncs;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::Model;
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::Path;

/// Number of rows, and of columns, of the walk's height field.
const SIDE: usize = 100;
/// Number of heights of a square field.
pub const SQUARE_LEN: usize = SIDE * SIDE;

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

/// Number of columns of a track's height field.
const COLUMNS: usize = 20;
/// Number of heights of a track.
pub const TRACK_LEN: usize = 600 * COLUMNS;

/// Index of noise among the kinds of terrain of a track.
const ROUGH: usize = 2;

/// Track whose patches get more difficult along the way, from the last row to the first.
pub struct TrackField {
    /// Differences in height of stairs, heights of hills and largest heights of noise in metres, for each patch from the start.
    difficulties: [Vec<f64>; 3],
    /// Whether each patch draws its kind.
    is_mixed: bool,
}

impl TrackField {
    /// Number of rows.
    const ROWS: usize = TRACK_LEN / COLUMNS;
    /// Number of patches, the last of which stays flat, if each draws its kind.
    const MIXED: usize = 24;

    /// Creates a track. Fails with the number of a kind, and with what is expected of its difficulties.
    pub fn new(difficulties: [Vec<f64>; 3], is_mixed: bool) -> Result<Self, (usize, String)> {
        let track = Self { difficulties, is_mixed };
        let is_refused = |kind: &usize| {
            let count = track.difficulties[*kind].len();
            let is_negative = *kind == ROUGH && track.difficulties[*kind].iter().any(|height| *height < 0.0);
            is_negative || !(1..=Self::ROWS).contains(&count) || track.patches(*kind) > count
        };
        match (0..track.difficulties.len()).find(is_refused) {
            Some(kind) => {
                let least = if is_mixed { Self::MIXED - 1 } else { 1 };
                let sign = if kind == ROUGH { " from 0" } else { "" };
                Err((kind, format!("{least} to 600 numbers{sign}, as many as the track of 600 rows has patches")))
            }
            None => Ok(track),
        }
    }

    /// Returns the number of rows of a patch of a kind.
    fn rows(&self, kind: usize) -> usize {
        Self::ROWS / if self.is_mixed { Self::MIXED } else { self.difficulties[kind].len() }
    }

    /// Returns the number of patches that are not flat.
    fn patches(&self, kind: usize) -> usize {
        Self::ROWS.div_ceil(self.rows(kind)) - 1
    }

    /// Draws kinds of terrain, and writes the heights of an episode in metres. The first patch of rows after the end is flat.
    ///
    /// The noise is of the package's global random stream.
    pub fn draw(&self, to: &mut [f32], random: &mut Streams) {
        let kinds = self.difficulties.len();
        let mut kind = if self.is_mixed { 0 } else { random.environment.choice(kinds) };
        let (rows, patches) = (self.rows(kind), self.patches(kind));
        for (index, patch) in to.chunks_exact_mut(rows * COLUMNS).take(patches).enumerate() {
            if self.is_mixed {
                kind = random.environment.choice(kinds);
            }
            let difficulties = &self.difficulties[kind];
            let difficulty = &difficulties[difficulties.len() - 1 - index];
            let heights = match kind {
                0 => steps(patch.len() / COLUMNS, *difficulty),
                1 => {
                    let mut wave: Vec<_> = linspace(PI, patch.len()).map(numpy_ufuncs::sin).collect();
                    normalise(&mut wave);
                    wave.iter().rev().map(|height| height * difficulty).collect()
                }
                _ => {
                    let mut noise: Vec<_> = patch.iter().map(|_| random.global().uniform(-1.0, 1.0)).collect();
                    let scale = random.environment.uniform(0.0, *difficulty);
                    normalise(&mut noise);
                    noise.iter().map(|height| height * scale).collect()
                }
            };
            patch.iter_mut().zip(heights).for_each(|(to, height)| *to = height as f32);
        }
    }
}

/// Returns heights of stairs that rise thrice and fall again, in as many whole rows as they need.
fn steps(rows: usize, rise: f64) -> Vec<f64> {
    const STEPS: usize = 6;
    let mut height = 0.0;
    let heights = (0..STEPS).flat_map(|step| {
        let present = height;
        height += if step < STEPS / 2 { rise } else { -rise };
        std::iter::repeat_n(present, rows / STEPS * COLUMNS)
    });
    heights.collect()
}

/// Field of three by three patches for games of tag.
pub struct QuadField {
    /// Bounds of the heights of hills, noise and relief in metres.
    ranges: [Range; 3],
    /// Heights of the relief from 0 to 1, in rows.
    relief: Vec<f64>,
}

impl QuadField {
    /// Number of rows, and of columns, of a patch.
    const PATCH: usize = 33;
    /// Number of patches along a side.
    const PATCHES: usize = 3;
    /// Length of a side in metres.
    const METRES: f64 = 12.0;

    /// Reads the relief, which is in a folder next to that of the model's file.
    ///
    /// # Errors
    /// `NotFound` if there is no such file, `Value` if it has another size.
    pub fn load(model: &Model, ranges: [Range; 3]) -> Result<Self> {
        check_heights(model, SQUARE_LEN)?;
        let folder = model.path().and_then(|path| path.parent()?.parent()).unwrap_or(Path::new(""));
        let path = folder.join("myo_relief.npy");
        let bytes = std::fs::read(&path).map_err(|error| Error::NotFound(format!("{}: {error}", path.display())))?;
        let Some((_, heights)) = bytes.split_last_chunk::<{ Self::PATCH * Self::PATCH }>() else {
            return Err(Error::Value(format!("{}: expected the relief of myosuite 2.12.2", path.display())));
        };
        let mut relief: Vec<_> = heights.iter().map(|height| f64::from(*height)).collect();
        normalise(&mut relief);
        Ok(Self { ranges, relief })
    }

    /// Draws the patches, and writes their heights in metres. The last row and column stay.
    pub fn draw(&self, to: &mut [f32], random: &mut Generator) {
        const HILLY: usize = 1;
        const ROUGH: usize = 2;
        let mut hilly = 0;
        for patch in 0..Self::PATCHES * Self::PATCHES {
            let mut kind = random.choice(3);
            while kind == HILLY && hilly >= 2 {
                kind = random.choice(3);
            }
            let heights = match kind {
                HILLY => self.hills(random),
                ROUGH => self.noise(random),
                _ => vec![0.0; Self::PATCH * Self::PATCH],
            };
            hilly += usize::from(kind == HILLY);
            Self::fill(to, [patch / Self::PATCHES, patch % Self::PATCHES], &heights);
        }
        if random.random() < 0.2 {
            let place = [(); 2].map(|()| random.integers(0, Self::PATCHES as i64) as usize);
            let Range { low, high } = self.ranges[2];
            let scale = random.uniform(low, high);
            let rows = self.relief.chunks_exact(Self::PATCH).rev();
            Self::fill(to, place, &rows.flatten().map(|height| height * scale).collect::<Vec<_>>());
        }
    }

    /// Flattens the patch of a start at `place`. As in the package, x and y are not those of the model.
    pub fn flatten(to: &mut [f32], place: [f64; 2]) {
        let index = |coordinate: f64| {
            let index = (coordinate / (Self::METRES / SIDE as f64) + SIDE as f64 / 2.0) as i64;
            index.clamp(0, SIDE as i64 - 2) as usize / Self::PATCH
        };
        Self::fill(to, place.map(index), &[0.0; Self::PATCH * Self::PATCH]);
    }

    fn fill(to: &mut [f32], [row, column]: [usize; 2], heights: &[f64]) {
        let rows = to.chunks_exact_mut(SIDE).skip(row * Self::PATCH);
        for (to, heights) in rows.zip(heights.chunks_exact(Self::PATCH)) {
            let to = &mut to[column * Self::PATCH..][..Self::PATCH];
            to.iter_mut().zip(heights).for_each(|(to, height)| *to = *height as f32);
        }
    }

    fn noise(&self, random: &mut Generator) -> Vec<f64> {
        let mut noise: Vec<_> = (0..Self::PATCH * Self::PATCH).map(|_| random.uniform(-1.0, 1.0)).collect();
        normalise(&mut noise);
        let scale = random.uniform(self.ranges[1].low, self.ranges[1].high);
        noise.iter().map(|height| height * scale - 0.02).collect()
    }

    fn hills(&self, random: &mut Generator) -> Vec<f64> {
        const WAVES: f64 = 10.0;
        let scale = random.uniform(self.ranges[0].low, self.ranges[0].high);
        let wave = linspace(WAVES * PI, Self::PATCH * Self::PATCH);
        let mut heights: Vec<_> = wave.map(|phase| numpy_ufuncs::sin(phase + FRAC_PI_2) - 1.0).collect();
        normalise(&mut heights);
        heights.reverse();
        heights.iter_mut().for_each(|height| *height *= scale);
        if random.random() >= 0.5 {
            return heights;
        }
        let turned = (0..heights.len()).map(|index| {
            let (row, column) = (index / Self::PATCH, index % Self::PATCH);
            heights[column * Self::PATCH + Self::PATCH - 1 - row]
        });
        turned.collect()
    }
}

/// Checks that the height fields of a model have `len` heights.
///
/// # Errors
/// `Value` if they have another number.
pub fn check_heights(model: &Model, len: usize) -> Result<()> {
    match model.hfield_data().len() {
        found if found == len => Ok(()),
        found => {
            Err(Error::Value(format!("the model has {found} heights of height fields: expected {len}, as in myosuite 2.12.2")))
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

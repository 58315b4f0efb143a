//! Patterns of a sample picture: their weights, and which patterns may be adjacent.

use std::collections::{BTreeMap, BTreeSet};

use envpool_rs_numeric::random::Mt19937;

/// Set of patterns, with one bit per pattern.
pub type Patterns = u64;

/// Offsets of a cell's neighbours, as (first index, second index). Directions `d` and `(d + 2) % 4` are opposite.
pub const DIRECTIONS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Hash of a pattern, a signed 64-bit integer as in numpy. Patterns are ordered by their hashes.
type Hash = i64;
type Picture = Vec<Vec<Hash>>;

/// Patterns of a sample, numbered in ascending order of their hashes.
#[derive(Debug)]
pub struct PatternCatalogue {
    /// Weight with which each pattern is drawn.
    pub weights: Vec<f64>,
    /// Patterns whose first pixel is black; a cell with such a pattern becomes a wall.
    pub walls: Patterns,
    /// For each direction and each pattern of the neighbour in this direction, the patterns that are compatible with it.
    compatible: [Vec<Patterns>; 4],
}

impl PatternCatalogue {
    /// Collects the patterns of `width` x `width` pixels from a sample picture, its reflections and its rotations.
    pub fn new(sample: &[&str], width: usize) -> Self {
        let factors = hash_factors(width * width);
        let mut picture: Picture = sample.iter().map(|row| row.chars().map(|pixel| tile(pixel, &factors)).collect()).collect();
        let mut entries: BTreeMap<Hash, (Vec<Hash>, f64)> = BTreeMap::new();
        // Eight steps visit the reflections and rotations of the picture. As in the reference, three of these pictures are
        // visited twice, which doubles the weights of their patterns.
        for step in 0..8 {
            picture = match step {
                0 => picture,
                1 | 3 | 5 | 7 => reflected(&picture),
                _ => rotated(&picture),
            };
            // In each reflected or rotated picture, a pattern counts once, even if it occurs several times.
            for pattern in patterns(&picture, width) {
                entries.entry(hash(&pattern, &factors)).or_insert((pattern, 0.0)).1 += 1.0;
            }
        }
        let entries: Vec<_> = entries.into_values().collect();
        assert!(entries.len() <= Patterns::BITS as usize, "{} patterns: a set of them holds 64", entries.len());
        let numbered = |is_in: &dyn Fn(&[Hash]) -> bool| {
            let numbers = (0..entries.len()).filter(|number| is_in(&entries[*number].0));
            numbers.fold(0, |all: Patterns, number| all | 1 << number)
        };
        let compatible = DIRECTIONS.map(|direction| {
            let fitting = |(second, _): &(Vec<Hash>, f64)| numbered(&|first| overlaps(first, second, direction, width));
            entries.iter().map(fitting).collect()
        });
        Self {
            weights: entries.iter().map(|(_, weight)| *weight).collect(),
            walls: numbered(&|pattern| pattern[0] == 0),
            compatible,
        }
    }

    /// Returns the set of all patterns of the sample picture.
    pub fn all(&self) -> Patterns {
        Patterns::MAX >> (Patterns::BITS as usize - self.weights.len())
    }

    /// Returns the patterns that a cell can have if its neighbour in direction `direction` has one of the patterns
    /// `neighbours`.
    pub fn supported(&self, direction: usize, neighbours: Patterns) -> Patterns {
        members(neighbours).fold(0, |all, pattern| all | self.compatible[direction][pattern])
    }
}

/// Returns the numbers of the patterns in a set, in ascending order.
pub fn members(mut patterns: Patterns) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (patterns != 0).then(|| patterns.trailing_zeros() as usize);
        patterns &= patterns.wrapping_sub(1);
        next
    })
}

/// Returns the factors of the hash function, which are `RandomState(0).randint(1 - 2**63, 2**63, count)` in numpy.
fn hash_factors(count: usize) -> Vec<Hash> {
    let mut random = Mt19937::init_genrand(0);
    let words = std::iter::repeat_with(move || random.next_u64()).filter(|word| *word != u64::MAX);
    words.take(count.max(3)).map(|word| (1 - (1_i128 << 63) + i128::from(word)) as Hash).collect()
}

/// Returns the hash of `elements`: their inner product with `factors` in 64-bit integers, which wraps around on overflow, as in
/// the reference.
fn hash(elements: &[Hash], factors: &[Hash]) -> Hash {
    elements.iter().zip(factors).fold(0, |sum: Hash, (element, factor)| sum.wrapping_add(element.wrapping_mul(*factor)))
}

/// Returns the hash of a pixel, which is 0 for black.
fn tile(pixel: char, factors: &[Hash]) -> Hash {
    let brightness = match pixel {
        '#' => 0,
        ',' => 254,
        _ => 255,
    };
    hash(&[brightness; 3], factors)
}

/// Returns the picture mirrored left to right.
fn reflected(picture: &Picture) -> Picture {
    picture.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

/// Returns the picture rotated clockwise by 90 degrees.
fn rotated(picture: &Picture) -> Picture {
    (0..picture[0].len()).map(|column| picture.iter().rev().map(|row| row[column]).collect()).collect()
}

/// Returns the distinct patterns of a picture that wraps around at its edges. The pixels of each pattern are listed row by row.
fn patterns(picture: &Picture, width: usize) -> BTreeSet<Vec<Hash>> {
    let (rows, columns) = (picture.len(), picture[0].len());
    let pixel = |row: usize, column: usize| picture[row % rows][column % columns];
    let pattern = |top: usize, left: usize| {
        (0..width * width).map(|pixel_of| pixel(top + pixel_of / width, left + pixel_of % width)).collect()
    };
    (0..rows).flat_map(|top| (0..columns).map(move |left| (top, left))).map(|(top, left)| pattern(top, left)).collect()
}

/// Returns whether two patterns have equal pixels where they overlap, if the second is shifted by `(right, down)`.
///
/// In this function, the first number of a direction counts columns, as in the reference. Elsewhere, the first number is added
/// to the first index of a cell.
fn overlaps(first: &[Hash], second: &[Hash], (right, down): (i32, i32), width: usize) -> bool {
    let side = width as i32;
    let inside = |row: i32, column: i32| (0..side).contains(&row) && (0..side).contains(&column);
    (0..side).flat_map(|row| (0..side).map(move |column| (row, column))).all(|(row, column)| {
        let (row_of, column_of) = (row - down, column - right);
        !inside(row_of, column_of) || first[(row * side + column) as usize] == second[(row_of * side + column_of) as usize]
    })
}

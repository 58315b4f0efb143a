//! Wave function collapse (M. Gumin, 2016): fills a square with overlapping patterns, drawn cell by cell.

use super::patterns::{DIRECTIONS, PatternCatalogue, Patterns, members};
use envpool_rs_sim_grid_world::{GenError, GenResult, WorldBuilder};

/// Square of cells; each cell has the set of patterns that are still possible for it.
struct Wave<'a> {
    catalogue: &'a PatternCatalogue,
    side: usize,
    is_periodic: bool,
    cells: Vec<Patterns>,
    /// Cells whose neighbours must be updated, because their sets of patterns changed.
    changed: Vec<usize>,
}

/// Generates a square of cells. For each cell, returns whether it is free; the cells are listed column by column.
///
/// # Errors
/// `Rejected` if all attempts end in a contradiction.
pub fn collapse(
    catalogue: &PatternCatalogue,
    side: usize,
    is_periodic: bool,
    attempts: u32,
    builder: &mut WorldBuilder<'_>,
) -> GenResult<Vec<bool>> {
    let noise: Vec<f64> = (0..side * side).map(|_| builder.rand_float() * 0.1).collect();
    let cells = vec![catalogue.all(); side * side];
    let mut wave = Wave { catalogue, side, is_periodic, cells, changed: Vec::new() };
    let is_possible = wave.start();
    let start = wave.cells.clone();
    for _ in 0..attempts {
        if is_possible && wave.collapse(&noise, builder) {
            return Ok(wave.cells.iter().map(|patterns| patterns & catalogue.walls == 0).collect());
        }
        wave.cells.clone_from(&start);
        wave.changed.clear();
    }
    Err(GenError::Rejected)
}

impl Wave<'_> {
    /// Removes the patterns that are incompatible with all patterns of a neighbouring cell, before any pattern is drawn.
    /// Returns whether each cell still has a possible pattern.
    fn start(&mut self) -> bool {
        for cell in 0..self.cells.len() {
            for direction in 0..DIRECTIONS.len() {
                if self.neighbour(cell, direction).is_none() {
                    // A cell at the edge of the square has no neighbour in this direction. Such a cell keeps only the patterns
                    // that have a compatible pattern in this direction.
                    self.cells[cell] &= self.catalogue.supported(direction, self.catalogue.all());
                }
            }
        }
        self.changed.extend(0..self.cells.len());
        self.propagate() && self.cells.iter().all(|patterns| *patterns != 0)
    }

    /// Draws patterns for cells until each cell has one pattern. Returns `false` if there is a contradiction.
    fn collapse(&mut self, noise: &[f64], builder: &mut WorldBuilder<'_>) -> bool {
        let mut probabilities = vec![0.0; self.catalogue.weights.len()];
        loop {
            // If every cell has only one pattern before the first draw, a pattern is still drawn for the first cell, as in the
            // reference.
            let cell = self.least_entropy(noise).unwrap_or(0);
            self.draw_into(cell, &mut probabilities, builder);
            if !self.propagate() {
                return false;
            }
            if self.cells.iter().all(|patterns| patterns.is_power_of_two()) {
                return true;
            }
        }
    }

    /// Returns the cell with the fewest possible patterns among cells with more than one. Random noise is added to these
    /// numbers. Returns `None` if each cell has only one pattern.
    fn least_entropy(&self, noise: &[f64]) -> Option<usize> {
        let mut least = (None, f64::INFINITY);
        for (cell, patterns) in self.cells.iter().enumerate() {
            let count = patterns.count_ones();
            let entropy = noise[cell] + f64::from(count);
            if count > 1 && entropy < least.1 {
                least = (Some(cell), entropy);
            }
        }
        least.0
    }

    fn draw_into(&mut self, cell: usize, probabilities: &mut [f64], builder: &mut WorldBuilder<'_>) {
        let (patterns, weights) = (self.cells[cell], &self.catalogue.weights);
        let total: f64 = members(patterns).map(|pattern| weights[pattern]).sum();
        probabilities.fill(0.0);
        members(patterns).for_each(|pattern| probabilities[pattern] = weights[pattern] / total);
        self.cells[cell] = 1 << builder.choice_weighted(probabilities);
        self.changed.push(cell);
    }

    /// Removes patterns that are incompatible with all patterns of a neighbouring cell; the order of removals does not change
    /// the result. Returns `false` if there is a contradiction.
    fn propagate(&mut self) -> bool {
        while let Some(changed) = self.changed.pop() {
            for direction in 0..DIRECTIONS.len() {
                let Some(cell) = self.neighbour(changed, (direction + 2) % DIRECTIONS.len()) else { continue };
                let before = self.cells[cell];
                let after = before & self.catalogue.supported(direction, self.cells[changed]);
                if after == 0 {
                    return false;
                }
                if after != before {
                    self.cells[cell] = after;
                    self.changed.push(cell);
                }
            }
        }
        true
    }

    /// Returns the neighbour of a cell in a direction; `None` beyond the edge of a square that is not periodic.
    fn neighbour(&self, cell: usize, direction: usize) -> Option<usize> {
        let side = self.side as i32;
        let (first, second) = DIRECTIONS[direction];
        let (first, second) = (cell as i32 / side + first, cell as i32 % side + second);
        let is_inside = (0..side).contains(&first) && (0..side).contains(&second);
        (is_inside || self.is_periodic).then(|| (first.rem_euclid(side) * side + second.rem_euclid(side)) as usize)
    }
}

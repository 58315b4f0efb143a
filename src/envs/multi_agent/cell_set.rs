//! Order of CPython's sets, which decides ties in the references.

use crate::grid::Cell;

/// Set of cells, which iterates in the order of a CPython set of tuples `(x, y)` that has only grown.
pub struct CellSet {
    table: Vec<Option<Cell>>,
    used: usize,
}

impl CellSet {
    /// Number of further slots that CPython tries next to a slot.
    const LINEAR_PROBES: usize = 9;

    pub fn of(cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self { table: vec![None; 8], used: 0 };
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.table.iter().flatten().copied()
    }

    /// Returns the slot of a cell, or the free slot that it takes.
    fn slot(&self, cell: Cell) -> usize {
        let mask = self.table.len() - 1;
        let hash = tuple_hash(cell);
        let (mut index, mut perturb) = (hash as usize & mask, hash);
        loop {
            let last = if index + Self::LINEAR_PROBES <= mask { index + Self::LINEAR_PROBES } else { index };
            if let Some(slot) = (index..=last).find(|slot| self.table[*slot].is_none_or(|other| other == cell)) {
                return slot;
            }
            perturb >>= 5;
            index = (index.wrapping_mul(5).wrapping_add(1).wrapping_add(perturb as usize)) & mask;
        }
    }

    fn insert(&mut self, cell: Cell) {
        let slot = self.slot(cell);
        if self.table[slot].is_some() {
            return;
        }
        self.table[slot] = Some(cell);
        self.used += 1;
        if self.used * 5 >= (self.table.len() - 1) * 3 {
            let mut size = 8;
            while size <= self.used * 4 {
                size *= 2;
            }
            let old = std::mem::replace(&mut self.table, vec![None; size]);
            for cell in old.into_iter().flatten() {
                let slot = self.slot(cell);
                self.table[slot] = Some(cell);
            }
        }
    }
}

/// Returns CPython's `hash((x, y))` of two small non-negative integers (xxHash, since CPython 3.8).
fn tuple_hash(cell: Cell) -> u64 {
    const PRIMES: [u64; 3] = [11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 2_870_177_450_012_600_261];
    let mut hash = PRIMES[2];
    for number in [cell.x, cell.y] {
        hash = hash.wrapping_add((number as u64).wrapping_mul(PRIMES[1]));
        hash = hash.rotate_left(31).wrapping_mul(PRIMES[0]);
    }
    hash.wrapping_add(2 ^ PRIMES[2] ^ 3_527_539)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_equal_cpythons() {
        // Values of `hash((x, y)) & (2**64 - 1)`, CPython 3.11.
        assert_eq!(tuple_hash(Cell { x: 0, y: 0 }), 9_988_604_870_027_030_631);
        assert_eq!(tuple_hash(Cell { x: 3, y: 17 }), 15_479_928_778_882_835_559);
    }

    #[test]
    fn sets_iterate_in_cpythons_order() {
        // `list({(5, 1), (5, 2), (4, 2), (6, 2), (5, 3), (9, 9)})` by insertion in this order, CPython 3.11.
        let cells = [(5, 1), (5, 2), (4, 2), (6, 2), (5, 3), (9, 9)].map(|(x, y)| Cell { x, y });
        let order: Vec<_> = CellSet::of(cells).cells().map(|cell| (cell.x, cell.y)).collect();
        assert_eq!(order, [(6, 2), (9, 9), (5, 1), (4, 2), (5, 3), (5, 2)]);
    }
}

//! Set of pairs of small integers with the iteration order of CPython 3.11 to 3.14, which depends on hashes and on the order of
//! insertions.

/// Element of the set: a pair (first, second) of small integers.
type Pair = (usize, usize);

/// Number of consecutive entries of the hash table that a lookup probes before it jumps to another entry.
const LINEAR_PROBES: usize = 9;
const PERTURB_SHIFT: u32 = 5;
const SMALLEST: usize = 8;

/// Set of pairs, from which elements are never removed.
#[derive(Debug)]
pub struct TupleSet {
    table: Vec<Option<Pair>>,
    used: usize,
}

impl TupleSet {
    /// Returns the elements in CPython's order.
    pub fn iter(&self) -> impl Iterator<Item = Pair> + '_ {
        self.table.iter().flatten().copied()
    }

    fn add(&mut self, pair: Pair) {
        let entry = free_or_equal(&self.table, pair);
        if self.table[entry].is_some() {
            return;
        }
        self.table[entry] = Some(pair);
        self.used += 1;
        if self.used * 5 >= (self.table.len() - 1) * 3 {
            let size = (self.used * 4 + 1).next_power_of_two().max(SMALLEST);
            let old = std::mem::replace(&mut self.table, vec![None; size]);
            for pair in old.into_iter().flatten() {
                let entry = free_or_equal(&self.table, pair);
                self.table[entry] = Some(pair);
            }
        }
    }
}

impl FromIterator<Pair> for TupleSet {
    fn from_iter<I: IntoIterator<Item = Pair>>(pairs: I) -> Self {
        let mut set = Self { table: vec![None; SMALLEST], used: 0 };
        pairs.into_iter().for_each(|pair| set.add(pair));
        set
    }
}

/// Returns the index of the table entry that holds `pair`, or of the free entry in which to insert it.
fn free_or_equal(table: &[Option<Pair>], pair: Pair) -> usize {
    let mask = table.len() - 1;
    let mut perturb = hash(pair) as usize;
    let mut start = perturb & mask;
    loop {
        let last = if start + LINEAR_PROBES <= mask { start + LINEAR_PROBES } else { start };
        if let Some(entry) = (start..=last).find(|entry| table[*entry].is_none_or(|other| other == pair)) {
            return entry;
        }
        perturb >>= PERTURB_SHIFT;
        start = (start * 5).wrapping_add(1 + perturb) & mask;
    }
}

/// Returns CPython's hash of a tuple of two integers, which is a simplified xxHash.
fn hash((first, second): Pair) -> u64 {
    const PRIMES: [u64; 3] = [11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 2_870_177_450_012_600_261];
    let mixed = [first, second].into_iter().fold(PRIMES[2], |sum, element| {
        sum.wrapping_add((element as u64).wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0])
    });
    match mixed.wrapping_add(2 ^ (PRIMES[2] ^ 3_527_539)) {
        u64::MAX => 1_546_275_796,
        hash => hash,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_equal_those_of_cpythons_tuples() {
        assert_eq!(hash((3, 4)) as i64, HASH_OF_3_4);
        assert_eq!(hash((0, 22)) as i64, HASH_OF_0_22);
    }

    const HASH_OF_3_4: i64 = 1_079_245_023_883_434_373;
    const HASH_OF_0_22: i64 = -8_335_006_623_742_201_010;
}

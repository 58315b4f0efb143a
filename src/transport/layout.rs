//! Layout of the rows, which hold the leaves (plain arrays) of each environment's observations.

use super::{Error, Result};

/// Alignment of leaves in bytes, for fast copies of complete arrays.
const LEAF_ALIGNMENT: usize = 64;

/// Maximum size of all rows in bytes, so that they end before the long messages in the file.
const MAX_BYTES: usize = 1 << 39;

/// Size of one array (leaf) of an observation. Caller and workers must agree on the array's dtype and shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafSize {
    /// Number of bytes of the array in one environment's row.
    pub bytes: usize,
}

/// Set of rows of an environment: for the current or for the final observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowSet {
    /// Rows of the environment's current observation.
    Current,
    /// Rows of an episode's last observation, for steps that start the next episode.
    Final,
}

/// Offsets of all rows in shared memory. All processes compute equal layouts from the same leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowLayout {
    /// Offset and length in bytes of each leaf's row, by environment.
    spans: Vec<Vec<(usize, usize)>>,
    /// Whether all environments have the same leaves, and each leaf's rows are contiguous.
    uniform: bool,
    /// Size in bytes of one set of rows (all current or all final rows).
    set_bytes: usize,
    sets: usize,
}

impl RowLayout {
    /// Computes the layout of the rows of all environments. Rows are grouped by leaf if `is_uniform` and all environments have
    /// equal leaf sizes, otherwise by environment.
    ///
    /// # Errors
    /// `Value` if all rows together would take more than 512 GiB.
    pub fn new(envs: &[Vec<LeafSize>], final_rows: bool, is_uniform: bool) -> Result<Self> {
        let uniform = is_uniform && envs.windows(2).all(|pair| pair[0] == pair[1]);
        let mut end = 0_usize;
        let mut allocate = |bytes: usize, rows: usize| -> Result<usize> {
            let begin = end.next_multiple_of(LEAF_ALIGNMENT);
            end = bytes.checked_mul(rows).and_then(|total| total.checked_add(begin)).filter(|end| *end <= MAX_BYTES).ok_or_else(
                || {
                    Error::Value(format!(
                        "observations of {bytes} bytes for {} environments: expected at most 512 GiB",
                        envs.len()
                    ))
                },
            )?;
            Ok(begin)
        };
        let mut spans = vec![Vec::new(); envs.len()];
        if uniform {
            for leaf in envs.first().into_iter().flatten() {
                let begin = allocate(leaf.bytes, envs.len())?;
                spans.iter_mut().enumerate().for_each(|(env, spans)| spans.push((begin + env * leaf.bytes, leaf.bytes)));
            }
        } else {
            for (spans, leaves) in spans.iter_mut().zip(envs) {
                for leaf in leaves {
                    spans.push((allocate(leaf.bytes, 1)?, leaf.bytes));
                }
            }
        }
        Ok(Self { spans, uniform, set_bytes: end.next_multiple_of(LEAF_ALIGNMENT), sets: 1 + usize::from(final_rows) })
    }

    /// Returns whether each leaf's rows form one array over all environments.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// Returns a non-zero hash of the layout. Equal layouts have equal hashes, and different layouts almost certainly different
    /// ones.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        // Computes the FNV-1a hash of the layout, word by word.
        let mix = |hash: u64, word: usize| (hash ^ word as u64).wrapping_mul(0x0000_0100_0000_01b3);
        let whole = [usize::from(self.uniform), self.set_bytes, self.sets, self.spans.len()];
        let spans = self
            .spans
            .iter()
            .flat_map(|leaves| std::iter::once(leaves.len()).chain(leaves.iter().flat_map(|(offset, bytes)| [*offset, *bytes])));
        whole.into_iter().chain(spans).fold(0xcbf2_9ce4_8422_2325, mix) | 1
    }

    /// Returns the size of all rows in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.set_bytes * self.sets
    }

    /// Returns the number of leaves of an environment.
    #[must_use]
    pub fn leaves(&self, env: usize) -> usize {
        self.spans[env].len()
    }

    /// Returns offset and length of a row in bytes; `None` if the row does not exist.
    #[must_use]
    pub fn span(&self, env: usize, leaf: usize, set: RowSet) -> Option<(usize, usize)> {
        let (offset, bytes) = *self.spans.get(env)?.get(leaf)?;
        match set {
            RowSet::Current => Some((offset, bytes)),
            RowSet::Final if self.sets > 1 => Some((offset + self.set_bytes, bytes)),
            RowSet::Final => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_disjoint_and_within_the_segment(
            envs in prop::collection::vec(prop::collection::vec(0_usize..200, 0..4), 1..6), final_rows: bool, is_uniform: bool,
        ) {
            let mut envs: Vec<Vec<LeafSize>> =
                envs.iter().map(|leaves| leaves.iter().map(|bytes| LeafSize { bytes: *bytes }).collect()).collect();
            if is_uniform {
                let first = envs[0].clone();
                envs.fill(first);
            }
            let layout = RowLayout::new(&envs, final_rows, true).unwrap();
            let mut taken = vec![false; layout.bytes()];
            for (env, leaves) in envs.iter().enumerate() {
                for (leaf, LeafSize { bytes }) in leaves.iter().enumerate() {
                    for set in [RowSet::Current, RowSet::Final] {
                        let Some((offset, len)) = layout.span(env, leaf, set) else {
                            prop_assert!(set == RowSet::Final && !final_rows);
                            continue;
                        };
                        prop_assert_eq!(len, *bytes);
                        for byte in &mut taken[offset..offset + len] {
                            prop_assert!(!std::mem::replace(byte, true));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn rows_of_equal_environments_form_one_array() {
        let layout = RowLayout::new(&vec![vec![LeafSize { bytes: 16 }, LeafSize { bytes: 4 }]; 3], false, true).unwrap();
        assert!(layout.is_uniform());
        assert_eq!(layout.span(2, 0, RowSet::Current), Some((32, 16)));
        assert_eq!(layout.span(2, 1, RowSet::Current), Some((64 + 8, 4)));
        assert_eq!(layout.span(2, 2, RowSet::Current), None);
    }

    #[test]
    fn rows_beyond_the_address_space_are_refused() {
        assert!(RowLayout::new(&vec![vec![LeafSize { bytes: usize::MAX / 2 }]; 3], false, true).is_err());
    }
}

//! Row of output arrays without a pool, used by unit tests of environments.

use crate::contract::row::LeafTarget;
use crate::contract::row::Row;
use crate::contract::space::Dtype;

/// Output arrays of one environment, all of one element type, for unit tests of `observe` and `info`.
#[derive(Debug)]
pub struct RowBuffer {
    leaves: Vec<Vec<u64>>,
    targets: Vec<LeafTarget>,
}

impl RowBuffer {
    /// Creates one zeroed array for each entry of `lengths`. The entry is the array's number of elements.
    pub fn new(dtype: Dtype, lengths: &[usize]) -> Self {
        // Allocates words of 8 bytes, so that every element type is aligned.
        let mut leaves: Vec<_> = lengths.iter().map(|len| vec![0_u64; (len * dtype.size()).div_ceil(8)]).collect();
        let pointers = leaves.iter_mut().map(|leaf| leaf.as_mut_ptr().cast::<u8>());
        let targets = pointers.zip(lengths).map(|(data, &len)| LeafTarget { data, stride: 0, dtype, len }).collect();
        Self { leaves, targets }
    }

    /// Calls `write` with the row. Returns all elements, array after array, each as the unsigned integer with the same
    /// little-endian bytes.
    pub fn bits(&mut self, write: impl FnOnce(&mut Row<'_>)) -> Vec<u64> {
        // SAFETY: each target points at a leaf of this buffer, allocated in `new` and borrowed mutably here.
        write(&mut unsafe { Row::new(&self.targets, 0) });
        let leaves = self.leaves.iter().zip(&self.targets);
        leaves.flat_map(|(leaf, target)| elements(leaf, target.dtype.size()).take(target.len)).collect()
    }
}

fn elements(words: &[u64], size: usize) -> impl Iterator<Item = u64> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let number = move |chunk: &[u8]| chunk.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    bytes.chunks(size).map(number).collect::<Vec<_>>().into_iter()
}

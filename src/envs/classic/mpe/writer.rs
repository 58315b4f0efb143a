//! Writer of observations, and the order of neighbours.

use super::world::{Vector, distance};
use envpool_rs_engine::Row;

/// Writer that fills an observation array from its start.
pub(super) struct Writer<'a, 'b> {
    row: &'a mut Row<'b>,
    leaf: usize,
    written: usize,
}

impl<'a, 'b> Writer<'a, 'b> {
    #[inline]
    pub(super) fn new(row: &'a mut Row<'b>) -> Self {
        Self { row, leaf: 0, written: 0 }
    }

    /// Continues with the start of array number `leaf`.
    #[inline]
    pub(super) fn start(&mut self, leaf: usize) {
        (self.leaf, self.written) = (leaf, 0);
    }

    #[inline(always)]
    pub(super) fn write(&mut self, values: &[f64]) {
        self.row.write_at(self.leaf, self.written, values);
        self.written += values.len();
    }

    #[inline(always)]
    pub(super) fn vectors(&mut self, vectors: impl IntoIterator<Item = Vector>) {
        for vector in vectors {
            self.write(&vector);
        }
    }

    /// Writes all vectors, or the `count` shortest ones by ascending length, padded with zeros. Of equal ones, the first comes
    /// first; the order of numpy's argsort is unspecified then.
    #[inline]
    pub(super) fn nearest(&mut self, count: Option<usize>, vectors: impl Iterator<Item = Vector> + Clone) {
        let Some(count) = count else { return self.vectors(vectors) };
        let (mut last, total) = (None, vectors.clone().count());
        for rank in 0..count {
            last = if rank < total { next_nearest(vectors.clone(), last) } else { None };
            self.write(&last.map_or([0.0; 2], |(.., vector)| vector));
        }
    }
}

/// Returns length, index and value of the vector that follows `last` in ascending order of length; the shortest one if `last` is
/// `None`. For few vectors, this is cheaper than sorting, because it allocates no memory.
#[inline]
fn next_nearest(vectors: impl Iterator<Item = Vector>, last: Option<Nearest>) -> Option<Nearest> {
    let order = |a: &Nearest, b: &Nearest| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    vectors
        .enumerate()
        .map(|(index, vector)| (distance(vector, [0.0; 2]), index, vector))
        .filter(|candidate| last.is_none_or(|last| order(candidate, &last).is_gt()))
        .min_by(order)
}

/// Length, index and value of a vector.
type Nearest = (f64, usize, Vector);

/// Returns the indices of vectors by ascending length, equal ones in order.
pub(super) fn by_distance(vectors: impl Iterator<Item = Vector>) -> Vec<usize> {
    let lengths: Vec<_> = vectors.map(|vector| distance(vector, [0.0; 2])).collect();
    let mut order: Vec<_> = (0..lengths.len()).collect();
    order.sort_by(|a, b| lengths[*a].total_cmp(&lengths[*b]));
    order
}

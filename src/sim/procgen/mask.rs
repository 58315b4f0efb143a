//! Sets of pixels of a canvas.

use std::ops::Range;

use crate::canvas::{Axis, SIDE};

/// Set of pixels: one bit for each column, in one word for each row.
#[derive(Debug, Clone)]
pub(crate) struct Mask([u64; SIDE as usize]);

impl Default for Mask {
    fn default() -> Self {
        Self([0; SIDE as usize])
    }
}

/// Returns the runs of columns whose bits are set in a word of a [`Mask`].
pub(crate) fn runs(mut bits: u64) -> impl Iterator<Item = Range<usize>> {
    std::iter::from_fn(move || {
        let first = bits.trailing_zeros();
        let length = bits.checked_shr(first)?.trailing_ones();
        bits &= !(u64::MAX >> (SIDE as u32 - length) << first);
        Some(first as usize..(first + length) as usize)
    })
}

/// Returns a word of a [`Mask`] in which the bits of the columns `columns` are set. The range must not be empty.
pub(crate) fn bits(columns: Range<i32>) -> u64 {
    u64::MAX >> (SIDE - (columns.end - columns.start)) << columns.start
}

impl Mask {
    /// Adds the pixels in the columns `columns` of all canvas rows that the axis `rows` covers.
    pub fn add(&mut self, columns: Range<i32>, rows: &Axis) {
        let bits = bits(columns);
        for row in &mut self.0[rows.first as usize..][..rows.count as usize] {
            *row |= bits;
        }
    }

    /// Returns the pixels in the canvas row `row` that are not in this set.
    pub fn rest(&self, row: i32) -> u64 {
        !self.0[row as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(first: i32, count: i32) -> Axis {
        Axis { first, count, start: 0, step: 1 }
    }

    #[test]
    fn gaps_are_the_pixels_between_rectangles() {
        let mut mask = Mask::default();
        mask.add(3..10, &axis(0, 2));
        mask.add(8..12, &axis(1, 63));
        mask.add(62..64, &axis(1, 1));
        let gaps = |row, columns| runs(mask.rest(row) & bits(columns)).collect::<Vec<_>>();
        assert_eq!(gaps(0, 0..64), [0..3, 10..64]);
        assert_eq!(gaps(1, 0..64), [0..3, 12..62]);
        assert_eq!(gaps(1, 2..42), [2..3, 12..42]);
        assert_eq!(gaps(63, 8..12), []);
    }

    #[test]
    fn a_row_can_be_empty_or_full() {
        let mut mask = Mask::default();
        assert!(runs(mask.rest(5)).eq(std::iter::once(0..64)));
        mask.add(0..64, &axis(5, 1));
        assert_eq!(mask.rest(5), 0);
    }
}

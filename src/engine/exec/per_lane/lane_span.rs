//! Runs of consecutive lanes of any length, whose values are copied together.

use std::ops::Range;

use super::{InThread, LaneCells, LanesGuard};

/// Access to the values of consecutive lanes.
#[derive(Clone, Copy)]
pub struct LaneSpan<'g> {
    first: usize,
    count: usize,
    _guard: InThread<'g>,
}

impl LanesGuard<'_> {
    /// Returns the lanes of the items `items`, if the lanes are consecutive.
    ///
    /// # Panics
    /// If an item does not belong to the guard.
    #[inline]
    pub fn span(&self, items: Range<usize>) -> Option<LaneSpan<'_>> {
        assert!(items.start >= self.items.start && items.end <= self.items.end, "items of others");
        self.list.is_span(items.clone()).then(|| LaneSpan {
            first: if items.is_empty() { 0 } else { self.list.get(items.start) },
            count: items.len(),
            _guard: self.guard,
        })
    }
}

impl<T: Copy> LaneCells<T> {
    /// Copies the values of consecutive lanes into `out`.
    ///
    /// # Panics
    /// If `out` has another length.
    #[inline]
    pub fn read(&self, lanes: LaneSpan<'_>, out: &mut [T]) {
        assert_eq!(out.len(), lanes.count, "values of other lanes");
        // SAFETY: `address` checks that all lanes are in range, no other thread has the lanes, no references into the storage
        // exist, and `out` has `lanes.count` elements.
        unsafe { out.as_mut_ptr().copy_from_nonoverlapping(self.0.address(lanes.first, lanes.count), lanes.count) };
    }

    /// Replaces the values of consecutive lanes.
    ///
    /// # Panics
    /// If `values` has another length.
    #[inline]
    pub fn write(&self, lanes: LaneSpan<'_>, values: &[T]) {
        assert_eq!(values.len(), lanes.count, "values of other lanes");
        // SAFETY: `address` checks that all lanes are in range, no other thread has the lanes, no references into the storage
        // exist, and `values` has `lanes.count` elements.
        unsafe { self.0.address(lanes.first, lanes.count).copy_from_nonoverlapping(values.as_ptr(), lanes.count) };
    }
}

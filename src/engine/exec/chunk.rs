//! A chunk (consecutive items of a request that one thread runs at once), and access to its lanes and output rows.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::time::Instant;

use crate::contract::error::Error;
use crate::contract::row::{Action, ActionColumn};
use crate::exec::episode_tracker::{EpisodeRules, EpisodeTracker};
use crate::exec::lane_table::LaneTable;
use crate::exec::per_lane::LanesGuard;
use crate::exec::request_kind::{LaneList, RequestKind};
use crate::results::batch_ring::BatchRing;
use crate::results::pointers::BatchPointers;
use crate::results::row_slot::{RowBlock, RowSlot};
use crate::results::row_span::RowSpan;

/// Destination of the rows that a chunk writes.
#[derive(Clone, Copy)]
pub enum RowSink<'a> {
    /// The result of item `i` of the request goes into row `i` of this batch.
    Rows(&'a BatchPointers),
    /// Each result goes into the next free row of the ring buffer, in the order of completion.
    BatchRing(&'a BatchRing),
}

/// Consecutive items `start..end` of a request, run by one thread. The thread's [`ChunkGuard`] grants access to their lanes and
/// rows.
pub struct Chunk<'a> {
    pub lanes: &'a LaneList,
    pub actions: &'a [ActionColumn],
    pub kind: &'a RequestKind,
    pub start: usize,
    pub end: usize,
    pub table: &'a LaneTable,
    pub rules: EpisodeRules,
    /// First item that is not done. After a panic, the chunk continues from this item.
    pub progress: Cell<usize>,
    /// Number of items, starting at `progress`, that fail if the environment panics.
    pub span: Cell<usize>,
    /// Items whose environments failed without a panic, with their errors. Rows of these items are not written yet.
    pub failed: &'a RefCell<Vec<(usize, Error)>>,
    /// Time of the chunk's rows, used for episode durations; `None` until [`Self::now`] reads the clock.
    pub clock: Cell<Option<Instant>>,
}

impl<'a> Chunk<'a> {
    /// Returns the action of item `index` of the request.
    #[inline(always)]
    pub fn action(&self, index: usize) -> Action<'a> {
        Action::new(self.actions, index)
    }

    /// Returns the episode rules of the chunk's lanes.
    #[inline(always)]
    pub fn episodes(&self) -> EpisodeTracker<'a> {
        EpisodeTracker { table: self.table, rules: self.rules }
    }

    /// Returns the time of the chunk. Reads the clock once per chunk.
    pub fn now(&self) -> Instant {
        let now = self.clock.get().unwrap_or_else(Instant::now);
        self.clock.set(Some(now));
        now
    }
}

/// Exclusive access of a thread to the lanes and output rows of a chunk.
pub struct ChunkGuard<'g> {
    pub lanes: LanesGuard<'g>,
    pub rows: RowReservation<'g>,
}

impl<'g> ChunkGuard<'g> {
    /// Creates the guard for the lanes and rows of these items.
    ///
    /// # Safety
    /// The lanes are distinct, and no other thread accesses them for the lifetime of the guard. `sink` has a row for each of
    /// these items, to which the caller has exclusive access. A ring has a row for each item in flight.
    #[inline]
    pub unsafe fn new(list: &'g LaneList, items: Range<usize>, sink: RowSink<'g>) -> Self {
        // SAFETY: the caller guarantees that the lanes are distinct and that no other thread accesses them.
        let lanes = unsafe { LanesGuard::new(list, items.clone()) };
        Self { lanes, rows: RowReservation { sink, items, claimed: None } }
    }
}

/// Rows of a chunk. Rows of a ring buffer are claimed at the first access.
pub struct RowReservation<'g> {
    sink: RowSink<'g>,
    items: Range<usize>,
    /// Number of the first row of the ring buffer that was claimed for the chunk; `None` before the claim.
    claimed: Option<u64>,
}

impl RowReservation<'_> {
    /// Claims the chunk's rows if the sink is a ring buffer, and returns the first one.
    #[inline(always)]
    pub fn claim(&mut self) -> Option<u64> {
        match self.sink {
            RowSink::Rows(_) => None,
            RowSink::BatchRing(ring) => Some(*self.claimed.get_or_insert_with(|| ring.claim(self.items.len()))),
        }
    }

    /// Returns the output row of item `index`.
    ///
    /// # Panics
    /// If the item does not belong to the chunk.
    #[inline(always)]
    pub fn row(&mut self, index: usize) -> RowSlot<'_> {
        assert!(self.items.contains(&index), "an item of others");
        let (pointers, row) = match (self.sink, self.claim()) {
            (RowSink::BatchRing(ring), Some(first)) => ring.locate(first + (index - self.items.start) as u64),
            (RowSink::Rows(pointers), _) => (pointers, index),
            (RowSink::BatchRing(_), None) => unreachable!("rows of a ring are claimed"),
        };
        // SAFETY: `ChunkGuard::new` requires one exclusive row for each item; `&mut self` allows one borrowed row at a time.
        unsafe { RowSlot::new(pointers, row) }
    }

    /// Returns the rows of items `index..index + W`, if they are consecutive.
    ///
    /// # Panics
    /// If any of the items does not belong to the chunk.
    #[inline(always)]
    pub fn block<const W: usize>(&mut self, index: usize) -> Option<RowBlock<'_, W>> {
        assert!(index >= self.items.start && index + W <= self.items.end, "items of others");
        let (pointers, row) = match (self.sink, self.claim()) {
            (RowSink::BatchRing(ring), Some(first)) => {
                let first = first + (index - self.items.start) as u64;
                ring.is_run(first, W).then(|| ring.locate(first))?
            }
            (RowSink::Rows(pointers), _) => (pointers, index),
            (RowSink::BatchRing(_), None) => unreachable!("rows of a ring are claimed"),
        };
        // SAFETY: `ChunkGuard::new` requires one exclusive row for each item; these `W` rows are consecutive, by the order of the
        // items or, in a ring buffer, by the check `is_run`.
        Some(unsafe { RowBlock::new(pointers, row) })
    }

    /// Returns the longest run of consecutive rows that starts with the row of item `items.start` and ends before `items.end`.
    ///
    /// # Panics
    /// If any of the items does not belong to the chunk, or if `items` is empty.
    pub fn run(&mut self, items: Range<usize>) -> RowSpan<'_> {
        assert!(items.start >= self.items.start && items.end <= self.items.end && !items.is_empty(), "items of others");
        let (pointers, row, count) = match (self.sink, self.claim()) {
            (RowSink::BatchRing(ring), Some(first)) => {
                let first = first + (items.start - self.items.start) as u64;
                let (pointers, row) = ring.locate(first);
                (pointers, row, items.len().min(ring.rows_left(first)))
            }
            (RowSink::Rows(pointers), _) => (pointers, items.start, items.len()),
            (RowSink::BatchRing(_), None) => unreachable!("rows of a ring are claimed"),
        };
        // SAFETY: `ChunkGuard::new` requires one exclusive row for each item; these rows are consecutive, by the order of the
        // items or, in a ring buffer, because `rows_left` limits their number.
        unsafe { RowSpan::new(pointers, row, count) }
    }
}

/// Returns the message of a panic, or the message of the error if the environment raised an error.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.or_else(|| panic.downcast_ref::<Error>().map(Error::to_string));
    text.unwrap_or_else(|| "panic without a message".to_owned())
}

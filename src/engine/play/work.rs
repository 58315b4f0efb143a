//! What a thread is asked to do: a chunk of a request, and where its results go.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::time::Instant;

use crate::contract::error::Error;
use crate::contract::row::{Action, ActionColumn};
use crate::play::episodes::{Episodes, Rules};
use crate::play::kind::{Kind, LaneList};
use crate::play::lane_table::LaneTable;
use crate::play::lanes::LanesGuard;
use crate::results::pointers::Pointers;
use crate::results::ring::Ring;
use crate::results::row_slot::{RowBlock, RowSlot};

/// Where results go.
#[derive(Clone, Copy)]
pub enum Sink<'a> {
    /// Result of item `i` of the request into row `i`.
    Rows(&'a Pointers),
    /// Each into the next free row, first come, first served.
    Ring(&'a Ring),
}

/// A chunk of a request: items `start..end`. Their lanes and rows are the [`ChunkGuard`]'s that goes with it.
pub struct Work<'a> {
    pub lanes: &'a LaneList,
    pub actions: &'a [ActionColumn],
    pub kind: &'a Kind,
    pub start: usize,
    pub end: usize,
    pub table: &'a LaneTable,
    pub rules: Rules,
    /// First item that is not yet done: where to begin, and for whoever has to go on after a panic.
    pub progress: Cell<usize>,
    /// Items that a panic at `progress` takes with it.
    pub span: Cell<usize>,
    /// Items whose lanes failed by themselves, and have no row yet.
    pub failed: &'a RefCell<Vec<(usize, Error)>>,
    /// When the chunk is played, once somebody has asked.
    pub clock: Cell<Option<Instant>>,
}

impl<'a> Work<'a> {
    /// The action of item `index`.
    #[inline(always)]
    pub fn action(&self, index: usize) -> Action<'a> {
        Action::new(self.actions, index)
    }

    /// The rules of its lanes' episodes.
    #[inline(always)]
    pub fn episodes(&self) -> Episodes<'a> {
        Episodes { table: self.table, rules: self.rules }
    }

    /// When the chunk is played: the clock is looked at once.
    pub fn now(&self) -> Instant {
        let now = self.clock.get().unwrap_or_else(Instant::now);
        self.clock.set(Some(now));
        now
    }
}

/// The lanes and rows of a chunk, which belong to the thread that has this.
pub struct ChunkGuard<'g> {
    pub lanes: LanesGuard<'g>,
    pub rows: RowReservation<'g>,
}

impl<'g> ChunkGuard<'g> {
    /// Takes the lanes of these items, and their rows.
    ///
    /// # Safety
    /// As [`LanesGuard::new`]; `sink` has rows for these items (or, a ring, for as many as are in flight), which belong to the caller alone.
    #[inline]
    pub unsafe fn new(list: &'g LaneList, items: Range<usize>, sink: Sink<'g>) -> Self {
        // SAFETY: passed on to the caller.
        let lanes = unsafe { LanesGuard::new(list, items.clone()) };
        Self { lanes, rows: RowReservation { sink, items, claimed: None } }
    }
}

/// The rows of a chunk, those of a ring claimed when the first one is asked for.
pub struct RowReservation<'g> {
    sink: Sink<'g>,
    items: Range<usize>,
    /// First row of the ring claimed for the chunk.
    claimed: Option<u64>,
}

impl RowReservation<'_> {
    /// Claims the rows, if they are a ring's.
    #[inline(always)]
    pub fn claim(&mut self) -> Option<u64> {
        match self.sink {
            Sink::Rows(_) => None,
            Sink::Ring(ring) => Some(*self.claimed.get_or_insert_with(|| ring.claim(self.items.len()))),
        }
    }

    /// The row of item `index`.
    ///
    /// # Panics
    /// Where the item is none of these.
    #[inline(always)]
    pub fn row(&mut self, index: usize) -> RowSlot<'_> {
        assert!(self.items.contains(&index), "an item of others");
        let (pointers, row) = match (self.sink, self.claim()) {
            (Sink::Ring(ring), Some(first)) => ring.locate(first + (index - self.items.start) as u64),
            (Sink::Rows(pointers), _) => (pointers, index),
            (Sink::Ring(_), None) => unreachable!("rows of a ring are claimed"),
        };
        // SAFETY: whoever made the guard promised that there is a row for each item, and one item at a time is borrowed.
        unsafe { RowSlot::new(pointers, row) }
    }

    /// The rows of items `index..index + W`, where they lie one after the other.
    ///
    /// # Panics
    /// Where not all items are of these.
    #[inline(always)]
    pub fn block<const W: usize>(&mut self, index: usize) -> Option<RowBlock<'_, W>> {
        assert!(index >= self.items.start && index + W <= self.items.end, "items of others");
        let (pointers, row) = match (self.sink, self.claim()) {
            (Sink::Ring(ring), Some(first)) => {
                let first = first + (index - self.items.start) as u64;
                ring.is_run(first, W).then(|| ring.locate(first))?
            }
            (Sink::Rows(pointers), _) => (pointers, index),
            (Sink::Ring(_), None) => unreachable!("rows of a ring are claimed"),
        };
        // SAFETY: as in `row`, for all of them.
        Some(unsafe { RowBlock::new(pointers, row) })
    }
}

/// What a panic said, or the error that an environment ended its turn with.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.or_else(|| panic.downcast_ref::<Error>().map(Error::to_string));
    text.unwrap_or_else(|| "panic without a message".to_owned())
}

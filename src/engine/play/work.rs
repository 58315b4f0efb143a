//! What a thread is asked to do: a chunk of a request, and where its results go.

use std::cell::{Cell, RefCell};
use std::time::Instant;

use crate::contract::error::Error;
use crate::contract::row::{Action, ActionColumn};
use crate::play::episodes::{Episodes, Rules};
use crate::play::kind::{Kind, LaneList};
use crate::play::lanes::LaneTable;
use crate::results::batch::{Pointers, RowPlace};
use crate::results::ring::Ring;

/// Where results go.
#[derive(Clone, Copy)]
pub enum Sink<'a> {
    /// Result of item `i` of the request into row `i`.
    Rows(&'a Pointers),
    /// Each into the next free row, first come, first served.
    Ring(&'a Ring),
}

/// A chunk of a request: items `start..end`, whose lanes belong to the thread that holds this.
pub struct Work<'a> {
    pub lanes: &'a LaneList,
    pub actions: &'a [ActionColumn],
    pub kind: &'a Kind,
    pub start: usize,
    pub end: usize,
    pub table: &'a LaneTable,
    pub rules: Rules,
    pub sink: Sink<'a>,
    /// First item that is not yet done: where to begin, and for whoever has to go on after a panic.
    pub progress: Cell<usize>,
    /// Items that a panic at `progress` takes with it.
    pub span: Cell<usize>,
    /// First row of the ring claimed for the chunk.
    pub claimed: Cell<Option<u64>>,
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

    /// The rows of this chunk, claimed at the first call.
    #[inline(always)]
    pub fn claim(&self) -> Claim<'a> {
        match self.sink {
            Sink::Rows(pointers) => Claim::Rows { pointers, first: self.start },
            Sink::Ring(ring) => {
                let first = self.claimed.get().unwrap_or_else(|| {
                    let first = ring.claim(self.end - self.start);
                    self.claimed.set(Some(first));
                    first
                });
                Claim::Ring { ring, first }
            }
        }
    }

    /// The row of item `index`.
    #[inline(always)]
    pub fn place(&self, index: usize) -> RowPlace<'a> {
        self.claim().place(index - self.start)
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

/// Rows claimed for consecutive items.
#[derive(Clone, Copy)]
pub enum Claim<'a> {
    Rows { pointers: &'a Pointers, first: usize },
    Ring { ring: &'a Ring, first: u64 },
}

impl<'a> Claim<'a> {
    /// The row of claimed item number `offset`.
    #[inline(always)]
    pub fn place(&self, offset: usize) -> RowPlace<'a> {
        match *self {
            Self::Rows { pointers, first } => RowPlace { pointers, row: first + offset },
            Self::Ring { ring, first } => ring.row_place(first + offset as u64),
        }
    }

    /// The row of item `offset` where it and the `count - 1` after it lie one after the other.
    #[inline(always)]
    pub fn run(&self, offset: usize, count: usize) -> Option<RowPlace<'a>> {
        match *self {
            Self::Rows { .. } => Some(self.place(offset)),
            Self::Ring { ring, first } => {
                let first = first + offset as u64;
                ring.is_run(first, count).then(|| ring.row_place(first))
            }
        }
    }
}

/// What a panic said, or the error that an environment ended its turn with.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.or_else(|| panic.downcast_ref::<Error>().map(Error::to_string));
    text.unwrap_or_else(|| "panic without a message".to_owned())
}

//! What a thread is asked to do: a chunk of a request, and where its results go.

use std::cell::Cell;
use std::time::Instant;

use crate::engine::contract::options::ResetOptions;
use crate::engine::contract::row::{Action, ActionColumn};
use crate::engine::play::episodes::{Episodes, Rules};
use crate::engine::play::lanes::LaneTable;
use crate::engine::results::batch::{Pointers, RowPlace};
use crate::engine::results::ring::Ring;

/// What is to be done with the lanes of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Step,
    /// A seed per lane (in the request's order) where given, and the options of the reset.
    Reset {
        seeds: Vec<Option<u64>>,
        options: ResetOptions,
        /// Where given, the items that are reset; the others only show themselves.
        only: Option<Vec<bool>>,
    },
}

impl Kind {
    /// Whether item `index` is only to be looked at.
    #[inline(always)]
    pub fn only_shows(&self, index: usize) -> bool {
        matches!(self, Self::Reset { only: Some(only), .. } if !only[index])
    }
}

/// The lanes of a request, in the order of its rows.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneList {
    /// Lanes 0, 1, ... up to this number.
    All(usize),
    /// These.
    Some(Vec<u32>),
}

impl LaneList {
    pub fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(lanes) => lanes.len(),
        }
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> usize {
        match self {
            Self::All(_) => index,
            Self::Some(lanes) => lanes[index] as usize,
        }
    }

    /// Whether the lanes of items `index..index + W` are consecutive.
    #[inline(always)]
    pub fn is_run<const W: usize>(&self, index: usize) -> bool {
        match self {
            Self::All(_) => true,
            Self::Some(lanes) => {
                let lanes = &lanes[index..index + W];
                (0..W).fold(true, |run, i| run & (lanes[i] == lanes[0].wrapping_add(i as u32)))
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }
}

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

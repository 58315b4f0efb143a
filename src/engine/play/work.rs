//! What a thread is asked to do: a chunk of a request, and where its results go.

use std::cell::Cell;
use std::time::Instant;

use crate::engine::contract::config::AutoresetMode;
use crate::engine::contract::options::ResetOptions;
use crate::engine::contract::row::{Action, ActionColumn};
use crate::engine::play::lanes::{Episode, LaneTable, Phase};
use crate::engine::results::batch::{Outcome, Pointers, Slot};
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

/// The count of elapsed steps after `elapsed`: it stops short of `i32::MAX`, the time limit of episodes that have none.
#[inline(always)]
pub fn next_step(elapsed: i32) -> i32 {
    elapsed.saturating_add(1).min(i32::MAX - 1)
}

/// Rules that hold for all lanes of a pool.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Steps after which an episode is truncated; `i32::MAX` for never.
    pub max_episode_steps: i32,
    pub autoreset: AutoresetMode,
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
    pub fn slot(&self, index: usize) -> Slot<'a> {
        self.claim().slot(index - self.start)
    }

    /// Brings a lane's episode statistics up to date and writes them.
    ///
    /// # Safety
    /// The lane and the slot's row must belong to the caller alone.
    #[inline]
    pub unsafe fn episode(&self, lane: usize, slot: &Slot<'_>, outcome: Outcome, reward: f64, now: Instant) {
        let Some(episodes) = &self.table.episode else { return };
        // SAFETY: the lane is the caller's.
        let episode = unsafe { episodes.get(lane) };
        if outcome.first {
            *episode = Episode { total: 0.0, length: 0, start: now };
        } else {
            episode.total += reward;
            episode.length += 1;
        }
        let done = outcome.terminated || outcome.truncated;
        let (total, length, seconds) = match done {
            true => (episode.total, episode.length, now.duration_since(episode.start).as_secs_f64()),
            false => (0.0, 0, 0.0), // statistics are of ended episodes
        };
        // SAFETY: the row is the caller's.
        unsafe { slot.pointers.write_episode(slot.row, total, i64::from(length), seconds) };
        if self.rules.autoreset == AutoresetMode::SameStep && done {
            *episode = Episode { total: 0.0, length: 0, start: now };
        }
    }

    /// The clock, where anything needs it.
    #[inline]
    pub fn now(&self) -> Option<Instant> {
        self.table.episode.as_ref().map(|_| Instant::now())
    }

    /// Whether this lane is to be reset rather than stepped.
    #[inline(always)]
    pub fn resets(&self, phase: Phase) -> bool {
        phase != Phase::Running || matches!(self.kind, Kind::Reset { .. })
    }

    /// Whether item `index` is only to be looked at.
    #[inline(always)]
    pub fn only_shows(&self, index: usize) -> bool {
        matches!(self.kind, Kind::Reset { only: Some(only), .. } if !only[index])
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
    pub fn slot(&self, offset: usize) -> Slot<'a> {
        match *self {
            Self::Rows { pointers, first } => Slot { pointers, row: first + offset },
            Self::Ring { ring, first } => ring.slot(first + offset as u64),
        }
    }

    /// The row of item `offset` where it and the `count - 1` after it lie one after the other.
    #[inline(always)]
    pub fn run(&self, offset: usize, count: usize) -> Option<Slot<'a>> {
        match *self {
            Self::Rows { .. } => Some(self.slot(offset)),
            Self::Ring { ring, first } => {
                let first = first + offset as u64;
                ring.is_run(first, count).then(|| ring.slot(first))
            }
        }
    }
}

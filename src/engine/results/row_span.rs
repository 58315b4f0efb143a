//! Any number of consecutive rows of a batch, written column by column.

use std::ops::Range;

use crate::contract::row::LeafTarget;
use crate::results::pointers::BatchPointers;
use crate::results::row_slot::{RowSlot, Transition};

/// Results of one step of several lanes. Each array has one element for each lane; the rewards have one for each player of each
/// lane.
#[derive(Default)]
pub struct TransitionSpan {
    pub players: usize,
    pub lanes: Vec<u32>,
    pub elapsed: Vec<i32>,
    pub rewards: Vec<f64>,
    pub terminated: Vec<u8>,
    pub truncated: Vec<u8>,
    pub done: Vec<u8>,
    pub begins_episode: Vec<u8>,
    pub did_act: Vec<u8>,
    pub zero_discount: Vec<u8>,
}

impl TransitionSpan {
    /// Sets the number of lanes, and sets all values to those of a step with reward 0. The caller sets elapsed steps and flags.
    pub fn start(&mut self, lanes: usize, players: usize) {
        if (self.lanes.len(), self.players) != (lanes, players) {
            self.resize(lanes, players);
        }
        self.rewards.fill(0.0);
        self.begins_episode.fill(0);
        self.did_act.fill(1);
    }

    #[cold]
    fn resize(&mut self, lanes: usize, players: usize) {
        self.players = players;
        self.lanes.resize(lanes, 0);
        self.elapsed.resize(lanes, 0);
        self.rewards.resize(lanes * players, 0.0);
        for flags in [
            &mut self.terminated,
            &mut self.truncated,
            &mut self.done,
            &mut self.begins_episode,
            &mut self.did_act,
            &mut self.zero_discount,
        ] {
            flags.resize(lanes, 0);
        }
    }

    /// Returns the results of lane number `i` of the span.
    #[inline(always)]
    pub fn transition(&self, i: usize) -> Transition {
        Transition {
            lane: self.lanes[i],
            elapsed: self.elapsed[i],
            terminated: self.terminated[i] != 0,
            truncated: self.truncated[i] != 0,
            begins_episode: self.begins_episode[i] != 0,
            did_act: self.did_act[i] != 0,
            zero_discount: self.zero_discount[i] != 0,
        }
    }
}

/// Group of output columns: observations or infos, of the current or the ended episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowPart {
    Observation,
    Info,
    FinalObservation,
    FinalInfo,
}

/// Consecutive rows of a batch, for writing.
pub struct RowSpan<'a> {
    pub(super) pointers: &'a BatchPointers,
    pub(super) row: usize,
    pub(super) count: usize,
}

impl<'a> RowSpan<'a> {
    /// Creates access to `count` rows, starting at row number `row`.
    ///
    /// # Safety
    /// The rows exist, and the caller has exclusive access to them for the lifetime of the value.
    #[inline]
    pub unsafe fn new(pointers: &'a BatchPointers, row: usize, count: usize) -> Self {
        Self { pointers, row, count }
    }

    /// Returns the number of rows in the span.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether some rows do not report all infos.
    #[inline]
    pub fn has_conditional_infos(&self) -> bool {
        !self.pointers.conditional_infos.is_empty()
    }

    /// Returns access to row `i` of the span.
    ///
    /// # Panics
    /// If the span has fewer rows.
    #[inline]
    pub fn slot(&mut self, i: usize) -> RowSlot<'_> {
        assert!(i < self.count, "a row of others");
        RowSlot { pointers: self.pointers, row: self.row + i }
    }

    /// Returns the arrays of the group `part`. The data of each array starts at the first row of the span; it is null for arrays
    /// that are not needed.
    #[inline]
    pub fn targets(&mut self, part: RowPart) -> impl ExactSizeIterator<Item = LeafTarget> {
        let row = self.row;
        let targets = match part {
            RowPart::Observation => &self.pointers.leaves,
            RowPart::Info => &self.pointers.infos,
            RowPart::FinalObservation => &self.pointers.final_leaves,
            RowPart::FinalInfo => &self.pointers.final_infos,
        };
        targets.iter().map(move |target| match target.data.is_null() {
            true => *target,
            // SAFETY: `new` requires that the row exists, so the address is inside the array.
            false => LeafTarget { data: unsafe { target.data.add(row * target.stride) }, ..*target },
        })
    }

    /// Writes the engine's columns (reward, flags, ids): one row for each element of `run` in the range `from`.
    ///
    /// # Panics
    /// If the length of `from` differs from the number of rows.
    pub fn write(&mut self, run: &TransitionSpan, from: Range<usize>) {
        assert_eq!(from.len(), self.count, "transitions of other rows");
        let rewards = &run.rewards[from.start * run.players..from.end * run.players];
        assert_eq!(self.pointers.players, run.players, "rewards of other players");
        self.write_each(|i| run.transition(from.start + i), |i| rewards[i]);
    }

    /// Writes the engine's columns (reward, flags, ids). `transition` returns the data of each row, and `reward` the rewards of all
    /// players, row after row.
    #[inline(always)]
    pub(super) fn write_each(&mut self, transition: impl Fn(usize) -> Transition, reward: impl Fn(usize) -> f64) {
        let (to, players) = (self.pointers, self.pointers.players);
        match to.reward_is_f64 {
            true => self.put(to.reward.cast::<f64>(), players, &reward),
            false => self.put(to.reward.cast::<f32>(), players, |i| reward(i) as f32),
        }
        self.put(to.terminated, 1, |i| u8::from(transition(i).terminated));
        self.put(to.truncated, 1, |i| u8::from(transition(i).truncated));
        self.put(to.done, 1, |i| u8::from(transition(i).is_done()));
        self.put(to.step_type, 1, |i| match transition(i) {
            Transition { begins_episode: true, .. } => 0,
            transition => 1 + i32::from(transition.is_done()),
        });
        self.put(to.env_id, 1, |i| transition(i).lane as i32);
        self.put(to.lane, 1, |i| transition(i).lane);
        self.put(to.elapsed_step, 1, |i| transition(i).elapsed);
        self.write_present(&transition);
        if to.discount.is_null() && to.player_env_id.is_null() {
            return;
        }
        for i in 0..self.count {
            let (mut row, transition) = (RowSpan { pointers: to, row: self.row + i, count: 1 }, transition(i));
            let discount = f32::from(u8::from(!transition.is_done() && !transition.zero_discount));
            row.put(to.discount, players, |_| discount);
            row.put(to.player_env_id, players, |_| transition.lane as i32);
        }
    }

    /// Writes the presence flags of the infos, after resets and steps.
    #[inline(always)]
    pub(super) fn write_present(&mut self, transition: &impl Fn(usize) -> Transition) {
        let to = self.pointers;
        for (present, timing) in &to.info_present {
            self.put(*present, 1, |i| {
                let transition = transition(i);
                u8::from(transition.did_act & timing.is_reported(transition.terminated, to.shows_reset(&transition)))
            });
        }
    }

    /// Writes `per_row` elements of each row of a column. Does nothing if the column is null.
    #[inline(always)]
    pub(super) fn put<T>(&mut self, column: *mut T, per_row: usize, value: impl Fn(usize) -> T) {
        if column.is_null() {
            return;
        }
        for i in 0..self.count * per_row {
            // SAFETY: `column` is a column of the batch and has `per_row` elements of this type for each of these rows, to which
            // `new` requires exclusive access.
            unsafe { column.add(self.row * per_row + i).write_unaligned(value(i)) };
        }
    }
}

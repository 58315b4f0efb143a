//! Any number of consecutive rows of a batch, written column by column.

use std::ops::Range;

use crate::contract::row::LeafTarget;
use crate::contract::spec::InfoTiming;
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
    pointers: &'a BatchPointers,
    row: usize,
    count: usize,
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
        // SAFETY: the row is one of the span's rows, to which `new` requires exclusive access; `&mut self` borrows it.
        unsafe { RowSlot::new(self.pointers, self.row + i) }
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
        let (to, players) = (self.pointers, self.pointers.players);
        let rewards = &run.rewards[from.start * run.players..from.end * run.players];
        assert_eq!(players, run.players, "rewards of other players");
        match to.reward_is_f64 {
            true => self.put(to.reward.cast::<f64>(), players, rewards, |reward| *reward),
            false => self.put(to.reward.cast::<f32>(), players, rewards, |reward| *reward as f32),
        }
        let done = &run.done[from.clone()];
        self.put(to.terminated, 1, &run.terminated[from.clone()], |flag| *flag);
        self.put(to.truncated, 1, &run.truncated[from.clone()], |flag| *flag);
        self.put(to.done, 1, done, |flag| *flag);
        let begins = &run.begins_episode[from.clone()];
        if !to.step_type.is_null() {
            self.put_each(to.step_type, 1, |i| if begins[i] != 0 { 0 } else { 1 + i32::from(done[i]) });
        }
        let lanes = &run.lanes[from.clone()];
        self.put(to.env_id, 1, lanes, |lane| *lane as i32);
        self.put(to.lane, 1, lanes, |lane| *lane);
        self.put(to.elapsed_step, 1, &run.elapsed[from.clone()], |elapsed| *elapsed);
        let zero = &run.zero_discount[from.clone()];
        if !to.discount.is_null() {
            self.put_each(to.discount, players, |i| f32::from(u8::from(done[i / players] | zero[i / players] == 0)));
        }
        if !to.player_env_id.is_null() {
            self.put_each(to.player_env_id, players, |i| lanes[i / players] as i32);
        }
        self.write_present(run, from);
    }

    /// Writes the presence flags of the infos: one row for each element of `run` in the range `from`.
    fn write_present(&mut self, run: &TransitionSpan, from: Range<usize>) {
        let to = self.pointers;
        for (present, timing) in &to.info_present {
            if present.is_null() {
                continue;
            }
            self.put_each(*present, 1, |i| {
                let i = from.start + i;
                let is_reset = run.begins_episode[i] | (u8::from(to.has_final_columns) & run.done[i]);
                let is_reported = match timing {
                    InfoTiming::Always => 1,
                    InfoTiming::Steps => 1 - is_reset,
                    InfoTiming::Terminations => run.terminated[i] & (1 - is_reset),
                };
                run.did_act[i] & is_reported
            });
        }
    }

    /// Writes `per_row` elements of each row of a column, after converting them. Does nothing if the column is null.
    #[inline(always)]
    fn put<S, T>(&mut self, column: *mut T, per_row: usize, values: &[S], convert: impl Fn(&S) -> T) {
        if column.is_null() {
            return;
        }
        let values = &values[..self.count * per_row];
        // SAFETY: `column` is a column of the batch and has `per_row` elements of this type for each of these rows, to which
        // `new` requires exclusive access.
        let first = unsafe { column.add(self.row * per_row) };
        for (i, value) in values.iter().enumerate() {
            // SAFETY: `first` points at the first element of the rows, and `i` is below their number of elements.
            unsafe { first.add(i).write_unaligned(convert(value)) };
        }
    }

    /// Writes `per_row` elements of each row of a column that is not null.
    #[inline(always)]
    fn put_each<T>(&mut self, column: *mut T, per_row: usize, value: impl Fn(usize) -> T) {
        for i in 0..self.count * per_row {
            // SAFETY: `column` is a column of the batch and has `per_row` elements of this type for each of these rows, to which
            // `new` requires exclusive access.
            unsafe { column.add(self.row * per_row + i).write_unaligned(value(i)) };
        }
    }
}

//! Discounted returns of lanes, gathered in the order of a batch's rows.

use crate::contract::normalization::NormalizationRules;
use crate::results::normalize::RowCause;
use crate::results::normalize::reward_kernels::{GymnasiumReturns, Sb3Returns};
use crate::results::normalize::state::LaneReturns;
use envpool_rs_numeric::reduce::Float;
use envpool_rs_numeric::simd::SimdLevel;

/// Formula by which rewards update discounted returns.
pub struct ReturnUpdate {
    pub rules: NormalizationRules,
    pub gamma: f64,
}

/// Discounted returns of all lanes, and those of the lanes of a batch in the order of its rows. All arrays have one element for
/// each player of each lane or row.
pub struct ReturnRows {
    players: usize,
    /// Returns of all lanes.
    returns: Vec<f64>,
    /// Whether the last row of each lane ended the lane's episode.
    has_ended: Vec<u8>,
    /// Whether the batch has one row for each lane, in the order of lanes. The batch's returns are then `returns` itself.
    is_whole: bool,
    row_returns: Vec<f64>,
    terminated: Vec<u8>,
    done: Vec<u8>,
    /// Whether each row of the batch is a step of an environment.
    active: Vec<u8>,
}

impl ReturnRows {
    /// Creates the returns of lanes that have not been stepped. `starts_by_step`: whether the first step of a lane resets it.
    pub fn new(lanes: usize, players: usize, starts_by_step: bool) -> Self {
        let size = lanes * players;
        Self {
            players,
            returns: vec![0.0; size],
            has_ended: vec![u8::from(starts_by_step); size],
            is_whole: false,
            row_returns: Vec::with_capacity(size),
            terminated: Vec::with_capacity(size),
            done: Vec::with_capacity(size),
            active: Vec::with_capacity(size),
        }
    }

    /// Gathers the returns of a batch's lanes. `flags` are the batch's columns `(terminated, done)`, `causes` the causes of its
    /// rows.
    pub fn load(&mut self, lanes: &[u32], flags: (&[u8], &[u8]), causes: Option<&[RowCause]>, is_same_step: bool) {
        let players = self.players;
        self.is_whole = lanes.len() * players == self.returns.len() && is_ascending(lanes);
        spread(flags.0, players, &mut self.terminated);
        spread(flags.1, players, &mut self.done);
        self.active.clear();
        if self.is_whole {
            self.active.extend(self.has_ended.iter().map(|ended| u8::from(is_same_step) | (1 - ended)));
        } else {
            self.row_returns.clear();
            for lane in lanes {
                let slots = slots(*lane as usize, players);
                self.row_returns.extend_from_slice(&self.returns[slots.clone()]);
                self.active.extend(self.has_ended[slots].iter().map(|ended| u8::from(is_same_step) | (1 - ended)));
            }
        }
        if let Some(causes) = causes {
            self.apply_causes(lanes, causes);
        }
    }

    /// Excludes rows that are no steps. Resets start new returns, and repeated rows change nothing.
    fn apply_causes(&mut self, lanes: &[u32], causes: &[RowCause]) {
        for (row, (lane, cause)) in lanes.iter().zip(causes).enumerate() {
            let (here, own) = (slots(row, self.players), slots(*lane as usize, self.players));
            match cause {
                RowCause::Step => {}
                RowCause::Reset => {
                    self.active[here.clone()].fill(0);
                    self.batch_returns()[here].fill(0.0);
                }
                RowCause::Peek => {
                    self.active[here.clone()].fill(0);
                    self.done[here].copy_from_slice(&self.has_ended[own]);
                }
            }
        }
    }

    fn batch_returns(&mut self) -> &mut [f64] {
        if self.is_whole { &mut self.returns } else { &mut self.row_returns }
    }

    /// Updates the returns of the batch's steps.
    pub fn update<T: Float>(&mut self, rewards: &[T], update: &ReturnUpdate) {
        let returns = if self.is_whole { &mut self.returns } else { &mut self.row_returns };
        let (terminated, active) = (&self.terminated, &self.active);
        let level = SimdLevel::detect();
        match update.rules {
            NormalizationRules::Gymnasium => {
                level.run(GymnasiumReturns { returns, rewards, terminated, active, gamma: update.gamma as f32 });
            }
            NormalizationRules::Sb3 => level.run(Sb3Returns { returns, rewards, active, gamma: update.gamma }),
        }
    }

    /// Returns the returns of the batch's steps, in the memory of `out`.
    pub fn active_returns<'a, T: Float>(&self, out: &'a mut Vec<T>) -> &'a [T] {
        let returns = if self.is_whole { &self.returns } else { &self.row_returns };
        out.resize(returns.len(), T::default());
        let mut count = 0;
        for (value, active) in returns.iter().zip(&self.active) {
            // Without a branch: `count` advances only after a step, so the next row overwrites the return of a row that is no
            // step.
            out[count] = T::round(*value);
            count += usize::from(*active);
        }
        &out[..count]
    }

    /// Stores the batch's returns, and whether each row ended an episode, for the lanes. `resets_returns`: whether ended episodes
    /// start new returns at once.
    pub fn store(&mut self, lanes: &[u32], resets_returns: bool) {
        let returns = if self.is_whole { &mut self.returns } else { &mut self.row_returns };
        if resets_returns {
            for (value, done) in returns.iter_mut().zip(&self.done) {
                *value = if *done != 0 { 0.0 } else { *value };
            }
        }
        if self.is_whole {
            self.has_ended.copy_from_slice(&self.done);
            return;
        }
        for (row, lane) in lanes.iter().enumerate() {
            let (here, own) = (slots(row, self.players), slots(*lane as usize, self.players));
            self.returns[own.clone()].copy_from_slice(&self.row_returns[here.clone()]);
            self.has_ended[own].copy_from_slice(&self.done[here]);
        }
    }

    /// Returns the returns of all lanes.
    pub fn all(&self) -> &[f64] {
        &self.returns
    }

    /// Replaces the returns of all lanes.
    pub fn set_all(&mut self, returns: &[f64]) {
        self.returns.copy_from_slice(returns);
    }

    /// Returns the discounted returns of a lane, and whether its episode has ended.
    pub fn lane(&self, lane: usize) -> LaneReturns {
        let slots = slots(lane, self.players);
        let has_ended = self.has_ended.get(slots.start).is_some_and(|ended| *ended != 0);
        LaneReturns { returns: self.returns.get(slots).unwrap_or_default().to_vec(), has_ended }
    }

    /// Replaces the discounted returns of a lane, and whether its episode has ended.
    pub fn set_lane(&mut self, lane: usize, returns: &[f64], has_ended: bool) {
        let slots = slots(lane, self.players);
        self.returns[slots.clone()].copy_from_slice(returns);
        self.has_ended[slots].fill(u8::from(has_ended));
    }
}

/// Returns the range of elements, one for each player, that belong to the lane or row `index`.
fn slots(index: usize, players: usize) -> std::ops::Range<usize> {
    index * players..(index + 1) * players
}

/// Returns whether the lanes are 0, 1, 2 and so on.
fn is_ascending(lanes: &[u32]) -> bool {
    lanes.iter().enumerate().fold(true, |is, (index, lane)| is & (*lane == index as u32))
}

/// Copies each row's flag to `out`, once for each player.
fn spread(flags: &[u8], players: usize, out: &mut Vec<u8>) {
    out.clear();
    match players {
        1 => out.extend_from_slice(flags),
        _ => out.extend(flags.iter().flat_map(|flag| std::iter::repeat_n(*flag, players))),
    }
}

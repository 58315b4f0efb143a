//! Scaling of rewards by the standard deviation of discounted returns, and clipping.

use crate::contract::config::AutoresetMode;
use crate::contract::normalization::{NormalizationConfig, NormalizationRules};
use crate::contract::row::Element;
use crate::contract::space::Dtype;
use crate::results::batch::Batch;
use crate::results::layout::{Layout, Role};
use crate::results::normalize::RowCause;
use crate::results::normalize::return_rows::{ReturnRows, ReturnUpdate};
use crate::results::normalize::reward_kernels::ScaleRewards;
use crate::results::normalize::running_mean_std::{BatchMoments, RunningMeanStd};
use crate::results::normalize::state::LaneReturns;
use envpool_rs_numeric::reduce::{Float, mean_and_variance};
use envpool_rs_numeric::simd::SimdLevel;

/// Scales rewards by the standard deviation of discounted returns, and clips them.
pub struct RewardNormalizer {
    /// Running statistics of the discounted returns; `None` if rewards are clipped only.
    pub statistics: Option<RunningMeanStd>,
    rules: Option<NormalizationRules>,
    epsilon: f64,
    bound: f64,
    gamma: f64,
    is_same_step: bool,
    players: usize,
    /// Whether the first step of a lane that was never reset resets the lane.
    starts_by_step: bool,
    columns: RewardColumns,
    /// Discounted return of each player of each lane, and whether the lane's episode had ended in its last row.
    rows: ReturnRows,
    /// Returns to merge into the statistics, in the type in which the rules add them.
    narrow: Vec<f32>,
    wide: Vec<f64>,
}

/// Numbers of the batch columns that normalised rewards depend on.
struct RewardColumns {
    reward: usize,
    is_wide: bool,
    /// Columns with the flags of terminated and of ended episodes; `None` if rewards are clipped only.
    flags: Option<(usize, usize)>,
}

impl RewardNormalizer {
    /// Creates the normaliser of batches with this layout. `size` holds the number of lanes and the number of players of each
    /// lane.
    pub fn new(
        config: &NormalizationConfig,
        layout: &Layout,
        (lanes, players): (usize, usize),
        autoreset: AutoresetMode,
        starts_by_step: bool,
    ) -> Self {
        let reward = layout.index(Role::Reward).expect("a pool has rewards");
        let flags = layout.index_of_all(Role::Terminated).zip(layout.index_of_all(Role::Done));
        let (size, wide) = match config.rewards {
            None => (0, 0),
            Some(NormalizationRules::Gymnasium) => (lanes, 0),
            Some(NormalizationRules::Sb3) => (lanes, lanes * players),
        };
        Self {
            statistics: config.rewards.map(|_| RunningMeanStd::new(1)),
            rules: config.rewards,
            epsilon: config.epsilon,
            bound: config.reward_bound(),
            gamma: config.gamma,
            is_same_step: autoreset == AutoresetMode::SameStep,
            players,
            starts_by_step,
            columns: RewardColumns {
                reward,
                is_wide: layout.column(reward).dtype == Dtype::F64,
                flags: flags.filter(|_| config.rewards.is_some()),
            },
            rows: ReturnRows::new(size, players, starts_by_step),
            narrow: Vec::with_capacity(size * players),
            wide: Vec::with_capacity(wide),
        }
    }

    /// Updates the returns and, if `updates`, the statistics by the steps of the batch; then changes the rewards.
    pub fn apply(&mut self, batch: &mut Batch, causes: Option<&[RowCause]>, updates: bool) {
        match self.columns.is_wide {
            true => self.apply_to::<f64>(batch, causes, updates),
            false => self.apply_to::<f32>(batch, causes, updates),
        }
    }

    fn apply_to<T: Float + Element>(&mut self, batch: &mut Batch, causes: Option<&[RowCause]>, updates: bool) {
        if let Some((terminated, done)) = self.columns.flags {
            let rewards = batch.cells::<T>(self.columns.reward);
            let flags = (batch.cells::<u8>(terminated), batch.cells::<u8>(done));
            self.rows.load(batch.lanes(), flags, causes, self.is_same_step);
            let rules = self.rules.unwrap_or(NormalizationRules::Gymnasium);
            if updates || rules == NormalizationRules::Gymnasium {
                self.rows.update(rewards, &ReturnUpdate { rules, gamma: self.gamma });
            }
            if updates {
                self.update_statistics(rules);
            }
            let resets_returns = self.is_same_step || rules == NormalizationRules::Sb3;
            self.rows.store(batch.lanes(), resets_returns);
        }
        let divisor = self.statistics.as_ref().map_or(1.0, |statistics| (statistics.var[0] + self.epsilon).sqrt());
        let rounds_to_f32 = self.rules == Some(NormalizationRules::Sb3);
        let rewards = batch.cells_mut::<T>(self.columns.reward);
        SimdLevel::detect().run(ScaleRewards { rewards, divisor, bound: self.bound, rounds_to_f32 });
    }

    fn update_statistics(&mut self, rules: NormalizationRules) {
        let Some(statistics) = &mut self.statistics else { return };
        match rules {
            NormalizationRules::Gymnasium => merge(statistics, self.rows.active_returns(&mut self.narrow)),
            NormalizationRules::Sb3 => merge(statistics, self.rows.active_returns(&mut self.wide)),
        }
    }

    /// Returns the discounted return of each player of each lane.
    pub fn returns(&self) -> &[f64] {
        self.rows.all()
    }

    /// Replaces the discounted returns.
    pub fn set_returns(&mut self, returns: &[f64]) {
        self.rows.set_all(returns);
    }

    /// Returns the discounted returns of a lane, and whether its episode has ended.
    pub fn lane(&self, lane: usize) -> LaneReturns {
        self.rows.lane(lane)
    }

    /// Restores the discounted returns of a lane, and whether its episode has ended. If `given` has another number of players,
    /// starts new returns.
    pub fn set_lane(&mut self, lane: usize, given: &LaneReturns) {
        if self.rules.is_none() {
            return;
        }
        match given.returns.len() == self.players {
            true => self.rows.set_lane(lane, &given.returns, given.has_ended),
            false => self.rows.set_lane(lane, &vec![0.0; self.players], given.has_ended || self.starts_by_step),
        }
    }

    /// Starts new discounted returns in a lane.
    pub fn clear_lane(&mut self, lane: usize) {
        if self.rules.is_some() {
            self.rows.set_lane(lane, &vec![0.0; self.players], false);
        }
    }
}

/// Merges discounted returns into the statistics.
fn merge<T: Float>(statistics: &mut RunningMeanStd, returns: &[T]) {
    if returns.is_empty() {
        return;
    }
    let (mut mean, mut var) = ([T::default()], [T::default()]);
    mean_and_variance(returns, &mut mean, &mut var);
    statistics.merge_batch::<f64, T>(&BatchMoments { mean: &mean, var: &var, count: returns.len() as f64 }, false);
}

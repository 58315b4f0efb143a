//! Normalisation of a batch's observations and rewards by running statistics.
//!
//! [`Normalizer::apply`] changes a batch in the receiver's thread, once, before the batch is returned. Each operation adds in
//! numpy's order and rounds to numpy's type, so that results equal those of the reference libraries.

mod observations;
mod return_rows;
mod reward_kernels;
mod rewards;
mod row_kernels;
mod running_mean_std;
mod state;

pub use running_mean_std::RunningMeanStd;
pub use state::{LaneReturns, NormalizationState, SavedNormalization};

use crate::contract::config::{AutoresetMode, FirstStepPolicy, PoolConfig};
use crate::contract::error::Result;
use crate::contract::normalization::NormalizationRules;
use crate::results::batch::Batch;
use crate::results::layout::Layout;
use observations::ObservationNormalizer;
use rewards::RewardNormalizer;
use state::{MomentLimits, StateLimits, largest_return};

/// Operation that caused a row of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum RowCause {
    /// A step, or a reset by autoreset.
    Step = 0,
    /// A reset that the caller requested.
    Reset = 1,
    /// A request that repeats the lane's last observation without a step.
    Peek = 2,
}

/// Normalises the batches of a pool.
pub struct Normalizer {
    observations: Option<ObservationNormalizer>,
    rewards: Option<RewardNormalizer>,
    /// Whether batches update the statistics.
    update_running_mean: bool,
    limits: StateLimits,
}

impl Normalizer {
    /// Creates the normaliser of a pool whose batches have this layout; `None` if the pool's results are not changed.
    pub fn new(config: &PoolConfig, layout: &Layout, players: usize) -> Option<Self> {
        let normalization = config.normalization;
        if !normalization.is_on() {
            return None;
        }
        let observations = normalization.changes_observations().then(|| ObservationNormalizer::new(&normalization, layout));
        let starts_by_step = config.first_step == FirstStepPolicy::Reset && config.autoreset_mode == AutoresetMode::NextStep;
        let rewards = normalization.changes_rewards().then(|| {
            RewardNormalizer::new(&normalization, layout, (config.num_envs, players), config.autoreset_mode, starts_by_step)
        });
        let rows = config.num_envs * players;
        let largest = |is_wide| if is_wide { f64::MAX } else { f64::from(f32::MAX) };
        let has_wide = observations.as_ref().is_some_and(ObservationNormalizer::has_wide_statistics);
        let epsilon = normalization.epsilon;
        let starts_narrow = normalization.observations == Some(NormalizationRules::Gymnasium);
        let limits = StateLimits {
            observations: MomentLimits { largest: largest(has_wide), rows, epsilon, starts_narrow },
            returns: MomentLimits { largest: f64::MAX, rows, epsilon, starts_narrow: false },
            largest_return: largest_return(largest(normalization.rewards != Some(NormalizationRules::Gymnasium)), rows),
        };
        Some(Self { observations, rewards, update_running_mean: true, limits })
    }

    /// Normalises the rows of a batch. `causes` has one entry for each row; it is `None` if all rows are of steps.
    pub fn apply(&mut self, batch: &mut Batch, causes: Option<&[RowCause]>) {
        if batch.rows() == 0 {
            return;
        }
        if let Some(observations) = &mut self.observations {
            observations.apply(batch, causes, self.update_running_mean);
        }
        if let Some(rewards) = &mut self.rewards {
            rewards.apply(batch, causes, self.update_running_mean);
        }
    }

    /// Starts new discounted returns in a lane, because the row of its reset was discarded before it was received.
    pub fn clear_lane(&mut self, lane: usize) {
        if let Some(rewards) = &mut self.rewards {
            rewards.clear_lane(lane);
        }
    }

    /// Returns the statistics.
    pub fn state(&self) -> NormalizationState {
        let rewards = self.rewards.as_ref();
        NormalizationState {
            observations: self.observations.as_ref().and_then(|each| each.statistics.clone()),
            returns: rewards.and_then(|each| each.statistics.clone()),
            discounted_returns: rewards.map(|each| each.returns().to_vec()).unwrap_or_default(),
            update_running_mean: self.update_running_mean,
        }
    }

    /// Replaces the statistics.
    ///
    /// # Errors
    /// `Value` if the numbers have another length, or are no means, variances and counts of a size that keeps results finite;
    /// nothing is changed then.
    pub fn set_state(&mut self, state: &NormalizationState) -> Result<()> {
        let current = self.state();
        state.check_size(&current)?;
        state.check_returns(&current)?;
        state.check_values(&current, &self.limits)?;
        self.set_statistics(state)?;
        if let Some(own) = &mut self.rewards {
            own.set_returns(&state.discounted_returns);
        }
        Ok(())
    }

    /// Checks that the statistics of a snapshot have the same size as this normaliser's, and that a pool could have computed them.
    ///
    /// # Errors
    /// `Value`, naming the attribute.
    pub fn check_statistics(&self, state: &NormalizationState) -> Result<()> {
        state.check_size(&self.state())?;
        state.check_possible(&self.limits)
    }

    /// Replaces the statistics, without the returns of the lanes.
    ///
    /// # Errors
    /// `Value`, naming the attribute, if [`Normalizer::check_statistics`] refuses `state`; nothing is changed then.
    pub fn set_statistics(&mut self, state: &NormalizationState) -> Result<()> {
        self.check_statistics(state)?;
        if let Some(own) = &mut self.observations {
            own.statistics.clone_from(&state.observations);
        }
        if let Some(own) = &mut self.rewards {
            own.statistics.clone_from(&state.returns);
        }
        self.update_running_mean = state.update_running_mean;
        Ok(())
    }

    /// Returns the discounted returns of one lane, for a snapshot.
    pub fn lane(&self, lane: usize) -> LaneReturns {
        self.rewards.as_ref().map(|rewards| rewards.lane(lane)).unwrap_or_default()
    }

    /// Restores the discounted returns of one lane. If they are of another number of players, starts new ones.
    pub fn set_lane(&mut self, lane: usize, returns: &LaneReturns) {
        if let Some(rewards) = &mut self.rewards {
            rewards.set_lane(lane, returns);
        }
    }
}

#[cfg(test)]
mod tests;

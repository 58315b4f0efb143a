//! `Losses`: counts how often hosts were lost and applies the engine's recovery rules, for callers whose requests the engine does
//! not log.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use envpool_rs_engine::{self as engine, LossDecision, RecoveryConfig, RecoveryPolicy};

/// Counts how often each host was lost, and marks environments that need recovery. Applies the engine's recovery policy.
#[pyclass(subclass, frozen, module = "envpool_rs._core")]
pub struct Losses {
    losses: Mutex<engine::LossTracker>,
    num_envs: usize,
}

#[pymethods]
impl Losses {
    /// Creates the counts for `num_envs` environments, whose hosts were never lost. If `restart` is true, environments start a
    /// new episode after their host was lost and restarted.
    #[new]
    #[pyo3(signature = (num_envs, *, restart))]
    fn new(num_envs: usize, restart: bool) -> Self {
        let policy = if restart { RecoveryPolicy::NewEpisode } else { RecoveryPolicy::Raise };
        let recovery = RecoveryConfig { policy, ..RecoveryConfig::default() };
        Self { losses: Mutex::new(engine::LossTracker::new(recovery, (0..num_envs).map(|_| None))), num_envs }
    }

    /// Records the loss of the host `host`, which ran the environments `env_ids`. If the host must be restarted, marks its
    /// environments for a reset and returns 0. Otherwise, returns the number of times in a row that the host was lost.
    fn note_loss(&self, host: usize, env_ids: Vec<u32>) -> PyResult<u32> {
        env_ids.iter().try_for_each(|env_id| self.check(*env_id as usize))?;
        Ok(match self.tracker().record_loss(host, &env_ids) {
            LossDecision::Restart => 0,
            LossDecision::GiveUp(in_a_row) => in_a_row,
        })
    }

    /// Records that environments have replied, and therefore that their hosts work.
    fn note_answers(&self, env_ids: Vec<usize>) -> PyResult<()> {
        env_ids.iter().try_for_each(|env_id| self.check(*env_id))?;
        let mut tracker = self.tracker();
        env_ids.iter().for_each(|env_id| tracker.record_reply(*env_id));
        Ok(())
    }

    /// Returns whether a host was restarted and has not replied since.
    #[getter]
    fn is_unproven(&self) -> bool {
        self.tracker().has_unproven_host()
    }

    /// Records the seed of an environment's last seeded reset.
    fn note_seed(&self, env_id: usize, seed: u64) -> PyResult<()> {
        self.check(env_id)?;
        self.tracker().record_seed(env_id, seed);
        Ok(())
    }

    /// Returns the seed for an environment's first episode after its host was lost. The seed differs each time the host is lost,
    /// and is reproducible. Returns `None` for environments that were never seeded.
    fn next_seed(&self, env_id: usize) -> PyResult<Option<u64>> {
        self.check(env_id)?;
        Ok(self.tracker().next_seed(env_id))
    }

    /// Returns the environments among `env_ids` whose next operation must be a reset, because their host was lost.
    fn owing(&self, env_ids: Vec<usize>) -> PyResult<Vec<usize>> {
        env_ids.iter().try_for_each(|env_id| self.check(*env_id))?;
        let tracker = self.tracker();
        Ok(env_ids.into_iter().filter(|env_id| tracker.needs_recovery(*env_id)).collect())
    }

    /// Returns whether any environment must be reset because its host was lost.
    #[getter]
    fn is_any_owing(&self) -> bool {
        self.tracker().any_needs_recovery()
    }

    /// Sets whether environments need a reset. Callers clear the mark when they request the reset, and set it again if the reply
    /// to the reset was not collected.
    fn set_owing(&self, env_ids: Vec<usize>, owing: bool) -> PyResult<()> {
        env_ids.iter().try_for_each(|env_id| self.check(*env_id))?;
        let mut tracker = self.tracker();
        env_ids.iter().for_each(|env_id| tracker.set_needs_recovery(*env_id, owing));
        Ok(())
    }
}

impl Losses {
    fn tracker(&self) -> MutexGuard<'_, engine::LossTracker> {
        self.losses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self, env_id: usize) -> PyResult<()> {
        let last = self.num_envs as i64 - 1;
        if env_id < self.num_envs { Ok(()) } else { Err(PyIndexError::new_err(format!("env_id {env_id}: expected 0 to {last}"))) }
    }
}

//! `Losses`: the engine's books of what is lost, for those whose requests the engine does not keep.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use envpool_rs_engine::{self as engine, Fate, Policy, Recovery};

/// How often places were lost that play environments, and what these are owed for it: the numbers of the engine's policy.
#[pyclass(subclass, frozen, module = "envpool_rs._core")]
pub struct Losses {
    losses: Mutex<engine::Losses>,
    num_envs: usize,
}

#[pymethods]
impl Losses {
    /// No losses of `num_envs` environments, which begin new episodes after the first ones to come, unless they are not to `restart`.
    #[new]
    #[pyo3(signature = (num_envs, *, restart))]
    fn new(num_envs: usize, restart: bool) -> Self {
        let policy = if restart { Policy::NewEpisode } else { Policy::Raise };
        let recovery = Recovery { policy, ..Recovery::default() };
        Self { losses: Mutex::new(engine::Losses::new(recovery, (0..num_envs).map(|_| None))), num_envs }
    }

    /// Notes that a place was lost in which these environments lived. 0: it is to be made anew, and they owe a reset; else so many
    /// losses in a row, after which it is given up.
    fn note_loss(&self, place: usize, env_ids: Vec<u32>) -> PyResult<u32> {
        env_ids.iter().try_for_each(|env_id| self.check(*env_id as usize))?;
        Ok(match self.books().note_loss(place, &env_ids) {
            Fate::Renewed => 0,
            Fate::GivenUp(in_a_row) => in_a_row,
        })
    }

    /// Notes that environments have answered, and the places with them that they live in.
    fn note_answers(&self, env_ids: Vec<usize>) -> PyResult<()> {
        env_ids.iter().try_for_each(|env_id| self.check(*env_id))?;
        let mut books = self.books();
        env_ids.iter().for_each(|env_id| books.note_answer(*env_id));
        Ok(())
    }

    /// Whether a place was made anew and has not answered since.
    #[getter]
    fn is_unproven(&self) -> bool {
        self.books().is_unproven()
    }

    /// Notes what an environment was seeded with.
    fn note_seed(&self, env_id: usize, seed: u64) -> PyResult<()> {
        self.check(env_id)?;
        self.books().note_seed(env_id, seed);
        Ok(())
    }

    /// The seed of the episode after a loss: another one for each, the same whenever the same happens; `None` for environments that
    /// were never seeded.
    fn next_seed(&self, env_id: usize) -> PyResult<Option<u64>> {
        self.check(env_id)?;
        Ok(self.books().next_seed(env_id))
    }

    /// Those of `env_ids` that owe a reset.
    fn owing(&self, env_ids: Vec<usize>) -> PyResult<Vec<usize>> {
        env_ids.iter().try_for_each(|env_id| self.check(*env_id))?;
        let books = self.books();
        Ok(env_ids.into_iter().filter(|env_id| books.is_owed(*env_id)).collect())
    }

    /// Whether any environment owes a reset.
    #[getter]
    fn is_any_owing(&self) -> bool {
        self.books().is_any_owed()
    }

    /// Says whether environments owe a reset: not any more where it has been asked for, again where nobody has taken its answer.
    fn set_owing(&self, env_ids: Vec<usize>, owing: bool) -> PyResult<()> {
        env_ids.iter().try_for_each(|env_id| self.check(*env_id))?;
        let mut books = self.books();
        env_ids.iter().for_each(|env_id| books.set_owed(*env_id, owing));
        Ok(())
    }
}

impl Losses {
    fn books(&self) -> MutexGuard<'_, engine::Losses> {
        self.losses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self, env_id: usize) -> PyResult<()> {
        let last = self.num_envs as i64 - 1;
        if env_id < self.num_envs { Ok(()) } else { Err(PyIndexError::new_err(format!("env_id {env_id}: expected 0 to {last}"))) }
    }
}

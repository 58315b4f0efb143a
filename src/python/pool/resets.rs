//! Converts the Python arguments of a pool's resets.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::Pool;
use super::episode_options::{OF_ALL, OF_IDS};
use crate::convert::{entries, entry_count, env_ids, integer, reset_options};
use crate::given::OptionValues;
use crate::raise::OrRaise;
use envpool_rs_engine::{self as engine, Error, Payload, RequestBuilder, ResetOptions, check_seed, consecutive_seeds};

impl Pool {
    /// Converts the options of a reset of `count` environments: numbers by name and values of the task's options, or a pickled dict
    /// for environments that a backend runs.
    fn reset_options(
        &self,
        py: Python<'_>,
        options: Option<&Bound<'_, PyDict>>,
        ids: Option<&[i64]>,
        count: usize,
    ) -> PyResult<ResetOptions> {
        let Some(options) = options else { return Ok(ResetOptions::default()) };
        let reader = self.backend.as_ref().and_then(|backend| backend.action_parser.as_ref());
        let Some(reader) = reader else {
            let others = PyDict::new(py);
            let counted = if ids.is_some() { OF_IDS } else { OF_ALL };
            let values =
                self.named_values(py, options, (ids, count, counted), Some(&others))?.into_iter().map(|(name, values)| {
                    match values {
                        OptionValues::Same(value) => Ok((name, value)),
                        OptionValues::Each(_) => Err(PyValueError::new_err(format!(
                            "{name}: expected one value for all environments of a reset; queue_resets takes one for each"
                        ))),
                    }
                });
            let values = values.collect::<PyResult<Vec<_>>>()?;
            return Ok(reset_options(Some(&others))?.with_values(values));
        };
        let keywords = PyDict::new(py);
        keywords.set_item("options", options)?;
        let pickled = reader.dumps.bind(py).call1((keywords,))?.cast_into::<PyBytes>()?;
        Ok(ResetOptions::from_payload(Payload::copied(&[pickled.as_bytes()]).or_raise()?))
    }

    /// Converts the Python arguments of a reset for the engine.
    pub(super) fn reset_arguments(
        &self,
        py: Python<'_>,
        env_id: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<ResetArguments> {
        let ids = env_id.filter(|ids| !ids.is_none()).map(env_ids).transpose()?;
        let count = ids.as_ref().map_or(self.pool.config().num_envs, Vec::len);
        let seeds = reset_seeds(seed.filter(|seed| !seed.is_none()), ids.as_deref(), count)?;
        let options = self.reset_options(py, options, ids.as_deref(), count)?;
        self.check_callable()?;
        Ok(ResetArguments { ids, seeds, options })
    }

    pub(super) fn prepare_reset(
        &self,
        py: Python<'_>,
        arguments: ResetArguments,
        all_rows: bool,
    ) -> PyResult<RequestBuilder<'_>> {
        self.wait_for_recording(py)?;
        let ResetArguments { ids, seeds, options } = arguments;
        let pool = &*self.pool;
        let request = self.call_engine(py, || match &ids {
            Some(ids) if all_rows => masked_reset(pool, ids, &seeds, options),
            ids => pool.reset(ids.as_deref(), seeds, options),
        })?;
        self.note_reset(py, ids.as_deref())?;
        Ok(request)
    }
}

/// Converted arguments of a reset.
pub(super) struct ResetArguments {
    pub(super) ids: Option<Vec<i64>>,
    seeds: Vec<Option<u64>>,
    options: ResetOptions,
}

/// Prepares a reset of the environments `ids`, with a row for every environment of the pool.
fn masked_reset<'a>(
    pool: &'a engine::Pool,
    ids: &[i64],
    seeds: &[Option<u64>],
    options: ResetOptions,
) -> engine::Result<RequestBuilder<'a>> {
    if pool.is_async() {
        return Err(Error::Value("all_rows needs a pool whose batch_size is num_envs".into()));
    }
    drop(pool.reset(Some(ids), Vec::new(), options.clone())?); // raises an exception for invalid ids
    let count = pool.config().num_envs;
    let options = options.scattered(ids, count);
    let (mut only, mut lane_seeds) = (vec![false; count], vec![None; count]);
    for (index, id) in ids.iter().enumerate() {
        only[*id as usize] = true;
        lane_seeds[*id as usize] = seeds.get(index).copied().flatten();
    }
    pool.reset_masked(only, lane_seeds, options)
}

/// Converts the seeds of a reset to one for each environment. Returns an empty list if `seed` is missing.
fn reset_seeds(seed: Option<&Bound<'_, PyAny>>, ids: Option<&[i64]>, count: usize) -> PyResult<Vec<Option<u64>>> {
    let Some(seed) = seed else { return Ok(Vec::new()) };
    if seed.try_iter().is_ok() {
        let entry = |entry: PyResult<Bound<'_, PyAny>>| {
            let entry = entry?;
            if entry.is_none() { Ok(None) } else { Ok(Some(check_seed(integer("seed", &entry)?).or_raise()?)) }
        };
        let seeds = entries(seed, count, entry)?;
        return match seeds.len() == count {
            true => Ok(seeds),
            false => {
                let got = entry_count(seeds.len(), count);
                Err(PyValueError::new_err(format!("seed has {got}: expected {count}")))
            }
        };
    }
    let first = integer("seed", seed)?;
    match ids {
        None => Ok(consecutive_seeds(first, count).or_raise()?.into_iter().map(Some).collect()),
        Some(ids) => ids.iter().map(|id| Ok(Some(check_seed(first.saturating_add(i128::from(*id))).or_raise()?))).collect(),
    }
}

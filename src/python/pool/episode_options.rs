//! Options of later episodes, and queues of resets: arguments and results of the pool's methods.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::Pool;
use crate::convert::{entries, entry_count, env_ids, integer, is_sequence, option_name, repr, reset_options, wrong_type};
use crate::given::{OptionValues, values};
use crate::option_values::to_python;
use crate::pool_options::POOL_OPTIONS;
use crate::raise::OrRaise;
use envpool_rs_engine::{ResetOptions, Value, check_seed, suggestion};

/// What messages write before the number of environments of a call: of all of the pool, or of the argument `env_ids`.
pub(super) const OF_ALL: &str = "num_envs=";
pub(super) const OF_IDS: &str = "env_ids: ";

/// Values of options, one for all environments of a call or one for each.
type NamedValues = Vec<(String, OptionValues)>;

impl Pool {
    /// Sets options of the next episodes of environments: one value for all, one for each, or a distribution.
    pub(super) fn set_episode_options(
        &self,
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        ids: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let ids = ids.filter(|ids| !ids.is_none()).map(env_ids).transpose()?;
        let count = ids.as_ref().map_or(self.pool.config().num_envs, Vec::len);
        let counted = if ids.is_some() { OF_IDS } else { OF_ALL };
        let named = self.named_values(py, options, (ids.as_deref(), count, counted), None)?;
        self.check_callable()?;
        let rows = match named.iter().all(|(_, values)| matches!(values, OptionValues::Same(_))) {
            true => vec![row(&named, 0)],
            false => (0..count).map(|index| row(&named, index)).collect(),
        };
        self.wait(py, true, |_| self.pool.set_options(ids.as_deref(), &rows))?;
        self.forget_delivered(py)
    }

    /// Returns the options in force in environments: of each option a list with one value for each environment.
    pub(super) fn episode_options<'py>(&self, py: Python<'py>, ids: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let ids = ids.filter(|ids| !ids.is_none()).map(env_ids).transpose()?;
        self.check_callable()?;
        let options = self.call_engine(py, || self.pool.options(ids.as_deref()))?;
        let named = PyDict::new(py);
        let specs = self.pool.option_specs(0); // of a list without ids
        let names = match options.first() {
            Some(options) => options.names_per_episode().collect::<Vec<_>>(),
            None => specs.iter().filter(|spec| spec.per_episode).map(|spec| spec.name).collect(),
        };
        for name in names.into_iter().filter(|name| options.iter().all(|options| options.find(name).is_some())) {
            let values = options.iter().map(|options| to_python(py, options.get(name))).collect::<PyResult<Vec<_>>>()?;
            named.set_item(name, PyList::new(py, values)?)?;
        }
        Ok(named)
    }

    /// Appends resets to the queues of environments: `seeds` is one seed or one for each id, `options` are task options and reset
    /// options, each with one value or one for each id.
    pub(super) fn queue_episode_resets(
        &self,
        py: Python<'_>,
        ids: Option<&Bound<'_, PyAny>>,
        seeds: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let (ids, counted) = match ids.filter(|ids| !ids.is_none()) {
            Some(ids) => (env_ids(ids)?, OF_IDS),
            None => ((0..self.pool.config().num_envs as i64).collect(), OF_ALL),
        };
        let seeds = seeds.filter(|seeds| !seeds.is_none()).map(|seeds| queued_seeds(seeds, ids.len(), counted)).transpose()?;
        let others = PyDict::new(py);
        let named = match options {
            Some(options) => self.named_values(py, options, (Some(&ids), ids.len(), counted), Some(&others))?,
            None => Vec::new(),
        };
        let first = ids.first().copied().unwrap_or(0);
        let is_number = |name: &str| self.pool.has_reset_number(first, name);
        let common = queued_options(&others, ids.len(), counted, is_number)?;
        self.check_callable()?;
        let resets = (0..ids.len()).map(|index| {
            let reset = common.of_item(index).with_values(row(&named, index).to_vec());
            match seeds.as_ref().and_then(|seeds| seeds[index]) {
                Some(seed) => reset.with_seed(seed),
                None => reset,
            }
        });
        let resets: Vec<ResetOptions> = resets.collect();
        self.wait(py, true, |_| self.pool.queue_resets(&ids, resets))?;
        self.forget_delivered(py)
    }

    pub(super) fn queued_episode_resets(&self, py: Python<'_>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
        let ids = ids.filter(|ids| !ids.is_none()).map(env_ids).transpose()?;
        self.check_callable()?;
        self.call_engine(py, || self.pool.queued_resets(ids.as_deref()))
    }

    pub(super) fn clear_queued_resets(&self, py: Python<'_>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let ids = ids.filter(|ids| !ids.is_none()).map(env_ids).transpose()?;
        self.check_callable()?;
        self.call_engine(py, || self.pool.clear_resets(ids.as_deref()))?;
        self.forget_delivered(py)
    }

    /// Converts the values of the task's options among `options`, for `count` environments. Other options, and reset options, are
    /// added to `others` or, without it, refused.
    pub(super) fn named_values(
        &self,
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        (ids, count, counted): (Option<&[i64]>, usize, &str),
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<NamedValues> {
        let first = ids.map_or(0, |ids| ids.first().copied().unwrap_or(0));
        let specs = self.pool.option_specs(first);
        if specs.is_empty() && others.is_none() {
            self.call_engine(py, || self.pool.options(Some(&[first])))?; // raises an exception for other pools and ids
        }
        let mut named = Vec::new();
        for (name, object) in options {
            let name = option_name(if others.is_some() { "reset option" } else { "option" }, &name)?;
            let is_reset_option = others.is_some() && self.pool.has_reset_option(first, &name);
            match (specs.iter().find(|spec| spec.name == name && !is_reset_option), others) {
                (Some(spec), _) => named.push((name, values(spec, &object, count, counted)?)),
                (None, Some(others)) => others.set_item(name, object)?,
                (None, None) if POOL_OPTIONS.iter().any(|option| option.name == name) => {
                    let remedy = if name == "seed" { "queue_resets(seeds=...) seeds later episodes" } else { "make a new pool" };
                    return Err(PyValueError::new_err(format!(
                        "{name}={}: expected an option of the task; {name} is fixed when the pool is made: {remedy}",
                        repr(&object)
                    )));
                }
                (None, None) => {
                    let names: Vec<_> = specs.iter().filter(|spec| spec.per_episode).map(|spec| spec.name).collect();
                    return Err(PyTypeError::new_err(format!("unknown option {name:?}{}", suggestion(&name, &names))));
                }
            }
        }
        Ok(named)
    }
}

/// Returns the values of item `index`.
fn row(named: &NamedValues, index: usize) -> Arc<[(String, Value)]> {
    named.iter().map(|(name, values)| (name.clone(), values.get(index).clone())).collect()
}

/// Converts the reset options of queued resets: each has one value for all `count` entries, or one for each. `is_number` is whether
/// an option is a single number; others are numbers, dicts or texts, of which an entry may have several.
fn queued_options(
    options: &Bound<'_, PyDict>,
    count: usize,
    counted: &str,
    is_number: impl Fn(&str) -> bool,
) -> PyResult<ResetOptions> {
    let (common, mut rows) = (PyDict::new(options.py()), Vec::new());
    for (name, object) in options {
        match name.extract::<String>() {
            Ok(name) if is_number(&name) && is_sequence(&object) => {
                let number = |entry: PyResult<Bound<'_, PyAny>>| {
                    let entry = entry?;
                    let number = if entry.is_none() { Ok(f64::NAN) } else { entry.extract() };
                    number.map_err(|_| wrong_type(&name, &entry, "a number or None"))
                };
                let numbers = entries(&object, count, number)?;
                check_count(&name, numbers.len(), count, counted)?;
                rows.push((name, numbers));
            }
            _ => common.set_item(name, object)?,
        }
    }
    let converted = reset_options(Some(&common))?;
    converted.rows().try_for_each(|(name, numbers)| check_count(name, numbers.len(), count, counted))?;
    Ok(converted.with_more_rows(rows))
}

fn check_count(name: &str, got: usize, count: usize, counted: &str) -> PyResult<()> {
    match got == count {
        true => Ok(()),
        false => {
            let got = entry_count(got, count);
            Err(PyValueError::new_err(format!("{name} has {got}: expected one value, or {counted}{count} of them")))
        }
    }
}

/// Converts one seed for all entries of a queue, or one (or `None`) for each.
fn queued_seeds(seeds: &Bound<'_, PyAny>, count: usize, counted: &str) -> PyResult<Vec<Option<u64>>> {
    let seed = |seed: &Bound<'_, PyAny>| check_seed(integer("seeds", seed)?).or_raise();
    if seeds.try_iter().is_err() {
        return Ok(vec![Some(seed(seeds)?); count]);
    }
    let each = entries(seeds, count, |entry| {
        let entry = entry?;
        if entry.is_none() { Ok(None) } else { seed(&entry).map(Some) }
    })?;
    check_count("seeds", each.len(), count, counted)?;
    Ok(each)
}

//! Reads the values that Python environments return from `reset` and `step`.

use super::{EnvHost, HostedEnv, Reply};
use envpool_rs_transport::{RowSet, WorkerClaim, flags};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyTuple};

/// Returns whether all leaves of an observation are arrays.
pub(super) fn contains_only_arrays(observation: &Bound<'_, PyAny>) -> bool {
    if let Ok(parts) = observation.cast::<PyDict>() {
        return parts.iter().all(|(_, part)| contains_only_arrays(&part));
    }
    if let Ok(parts) = observation.cast::<PyTuple>() {
        return parts.iter().all(|part| contains_only_arrays(&part));
    }
    observation.is_instance_of::<PyUntypedArray>()
}

pub(super) fn bad_reward(reward: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("reward is {}: expected a number", crate::convert::repr(reward)))
}

/// Returns the four or five values of a step.
pub(super) fn step_values<'py>(result: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let values: Option<Vec<_>> = if let Ok(tuple) = result.cast::<PyTuple>() {
        Some(tuple.iter().collect())
    } else {
        result.cast::<PyList>().ok().map(|list| list.iter().collect())
    };
    let values = values.ok_or_else(|| {
        let kind = result.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("step returned a {kind}: expected a tuple of 5 values (4 in old gym)"))
    })?;
    match values.len() {
        4 | 5 => Ok(values),
        count => Err(PyValueError::new_err(format!("step returned {count} values: expected 5 (4 in old gym)"))),
    }
}

/// Returns the flag `TimeLimit.truncated` of an info, with which old gym reports truncation.
pub(super) fn is_time_limit(info: &Bound<'_, PyAny>) -> PyResult<bool> {
    match info.cast::<PyDict>() {
        Ok(info) => info.get_item(intern!(info.py(), "TimeLimit.truncated"))?.map_or(Ok(false), |flag| flag.is_truthy()),
        Err(_) => Ok(false),
    }
}

/// Returns observation and info if a reset returned both: a pair whose second value is a dict, unless the callable
/// `is_observation` accepts it as an observation. Otherwise returns `None`.
pub(super) fn observation_and_info<'py>(
    result: &Bound<'py, PyAny>,
    is_observation: Option<&Py<PyAny>>,
) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let Some(pair) = result.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2) else { return Ok(None) };
    let (observation, info) = (pair.get_item(0)?, pair.get_item(1)?);
    if !info.is_instance_of::<PyDict>() {
        return Ok(None);
    }
    let is_observation = match is_observation {
        Some(accepts) => accepts.bind(result.py()).call1((result,))?.is_truthy()?,
        None => false,
    };
    Ok((!is_observation).then_some((observation, info)))
}

impl EnvHost {
    /// Returns whether an info has entries.
    ///
    /// # Errors
    /// `TypeError` if the info is not a dict, unless this host accepts any object as info.
    pub(super) fn has_info(&self, info: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(info) = info.cast::<PyDict>() {
            return Ok(!info.is_empty());
        }
        if self.lenient {
            return Ok(true);
        }
        let name = info.get_type().name()?;
        Err(PyTypeError::new_err(format!("info is of type {name}: expected a dict")))
    }

    pub(super) fn add_info<'py>(&self, reply: &mut Reply<'py>, info: &Bound<'py, PyAny>) -> PyResult<()> {
        if self.has_info(info)? { reply.add_info(info, self.block.message_bytes()) } else { Ok(()) }
    }

    pub(super) fn add_reward<'py>(&self, reply: &mut Reply<'py>, reward: &Bound<'py, PyAny>) -> PyResult<()> {
        let py = reward.py();
        let array = reward.cast::<PyUntypedArray>().is_ok_and(|array| array.ndim() > 0);
        let number = if reward.is_instance_of::<PyFloat>() || reward.is_instance_of::<PyInt>() {
            Some(reward.extract::<f64>()?)
        } else if array && !self.lenient {
            // An array of one element, of any dimension, counts as a number; `item` rejects arrays with more elements.
            Some(reward.call_method0(intern!(py, "item")).and_then(|item| item.extract()).map_err(|_| bad_reward(reward))?)
        } else if array {
            None
        } else {
            match reward.extract::<f64>() {
                Ok(number) => Some(number),
                Err(_) if self.lenient => None,
                Err(_) => return Err(bad_reward(reward)),
            }
        };
        match number {
            Some(number) => reply.completion.reward = number,
            None => {
                reply.completion.flags |= flags::REWARD_IN_MESSAGE;
                reply.add(intern!(py, "reward"), reward)?;
            }
        }
        Ok(())
    }

    /// Writes an observation into its rows, or adds it to the message if the rows cannot hold it.
    pub(super) fn add_observation<'py>(
        &self,
        hosted: &HostedEnv,
        claim: &mut WorkerClaim<'_>,
        reply: &mut Reply<'py>,
        observation: &Bound<'py, PyAny>,
        set: RowSet,
    ) -> PyResult<()> {
        let py = observation.py();
        let (flag, key) = match set {
            RowSet::Current => (flags::OBSERVATION_IN_ROW, intern!(py, "observation")),
            RowSet::Final => (flags::FINAL_IN_ROW, intern!(py, "final_observation")),
        };
        if self.store(hosted, claim, observation, set)? {
            reply.completion.flags |= flag;
            Ok(())
        } else {
            reply.add(key, observation)
        }
    }

    fn store(
        &self,
        hosted: &HostedEnv,
        claim: &mut WorkerClaim<'_>,
        observation: &Bound<'_, PyAny>,
        set: RowSet,
    ) -> PyResult<bool> {
        let Some(structure) = &hosted.structure else { return Ok(false) };
        let shared = self.shared.get();
        if shared.leaves.get().is_none() {
            return Ok(false);
        }
        let mut store = |leaf: usize, value: &Bound<'_, PyAny>| {
            let (of_type, row) = (shared.leaves_of(hosted.id).get(leaf), claim.row_mut(leaf, set));
            of_type.zip(row).is_some_and(|(of_type, row)| of_type.store(value, row))
        };
        let has_rows = shared.leaves_of(hosted.id).len() == structure.leaves();
        if has_rows && structure.visit_leaves(observation, &mut store)? {
            return Ok(true);
        }
        // The rows do not hold this type, so the callable `conform` converts the observation, rejects it, or adds it to the
        // message.
        let conformed = self.conform.bind(observation.py()).call1((hosted.id, observation))?;
        if conformed.is_none() || !has_rows {
            return Ok(false);
        }
        let arrays = conformed.cast_into::<PyList>()?;
        let stored = arrays.len() == shared.leaves_of(hosted.id).len()
            && arrays.iter().enumerate().all(|(leaf, array)| store(leaf, &array));
        if stored { Ok(true) } else { Err(PyRuntimeError::new_err("a conformed observation does not fit its rows")) }
    }
}

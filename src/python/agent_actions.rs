//! Reads actions from RLlib's nested dicts, `{env_id: {agent: action}}`.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString};

use super::arrays::elements;

/// Collects the integer actions of environments with one agent each into an int64 array `(n,)`.
///
/// `everyone` is the list of environment ids 0, 1, ... Returns `None` for any other input: missing or additional environments,
/// environments in another order, different or additional agents, or actions that are not integers. Python handles such input;
/// this function is the fast path of a call that is made thousands of times a second.
#[pyfunction]
pub fn only_actions<'py>(
    action_dict: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyString>,
    everyone: &Bound<'py, PyList>,
) -> PyResult<Option<Bound<'py, PyArray1<i64>>>> {
    let mut actions = Vec::with_capacity(everyone.len());
    let taken = visit_only_actions(action_dict, agent, everyone, |action| {
        action.extract::<i64>().map(|action| actions.push(action)).is_ok()
    })?;
    Ok(taken.then(|| PyArray1::from_vec(action_dict.py(), actions)))
}

/// Passes the only action of each environment to `take`. Returns false as soon as `take` returns false, or the dicts are not
/// nested in the expected way.
fn visit_only_actions<'py>(
    action_dict: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyString>,
    everyone: &Bound<'py, PyList>,
    mut take: impl FnMut(Bound<'py, PyAny>) -> bool,
) -> PyResult<bool> {
    let Ok(action_dict) = action_dict.cast_exact::<PyDict>() else { return Ok(false) };
    if action_dict.len() != everyone.len() {
        return Ok(false);
    }
    // Keys and values are read into lists first, because an integer's `__index__` may run code that changes the dict.
    let (ids, of_environments) = (action_dict.keys(), action_dict.values());
    for (index, (id, of_agents)) in ids.iter().zip(of_environments.iter()).enumerate() {
        // The ids are usually the objects that a poll returned, so identity is checked before equality.
        let same = everyone.get_item(index).is_ok_and(|expected| expected.is(&id));
        if !same && (!id.is_exact_instance_of::<PyInt>() || id.extract::<usize>().ok() != Some(index)) {
            return Ok(false);
        }
        let Ok(of_agents) = of_agents.cast_exact::<PyDict>() else { return Ok(false) };
        let action = if of_agents.len() == 1 { of_agents.get_item(agent)? } else { None };
        if !action.is_some_and(&mut take) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Collects the float32 actions of environments with one agent each into an array `(n, *shape)`.
///
/// `everyone` is the list of environment ids 0, 1, ...; each action must be a float32 array of `shape`. Returns `None` for any
/// other input: missing or additional environments, environments in another order, different or additional agents.
#[pyfunction]
pub fn only_action_arrays<'py>(
    action_dict: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyString>,
    everyone: &Bound<'py, PyList>,
    shape: Vec<usize>,
) -> PyResult<Option<Bound<'py, PyArrayDyn<f32>>>> {
    let mut actions = Vec::with_capacity(everyone.len() * shape.iter().product::<usize>());
    let taken = visit_only_actions(action_dict, agent, everyone, |action| {
        let Ok(action) = action.cast::<PyUntypedArray>() else { return false };
        let Some(values) = elements::<f32>(action) else { return false };
        actions.extend_from_slice(values);
        action.shape() == shape
    })?;
    if !taken {
        return Ok(None);
    }
    let whole: Vec<usize> = std::iter::once(everyone.len()).chain(shape).collect();
    PyArray1::from_vec(action_dict.py(), actions).reshape(whole).map(Some)
}

//! Actions out of dicts of dicts, as RLlib sends them.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString};

use super::arrays::elements;

/// The actions of environments 0, 1, ... (the list `everyone`) with one agent each, where every one of them is an integer: `(n,)`,
/// int64.
///
/// `None` for everything else (other environments, another order or agent, further agents, no integers), which is for Python to look
/// at: this is the short way of what is sent thousands of times a second.
#[pyfunction]
pub fn only_actions<'py>(
    action_dict: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyString>,
    everyone: &Bound<'py, PyList>,
) -> PyResult<Option<Bound<'py, PyArray1<i64>>>> {
    let mut actions = Vec::with_capacity(everyone.len());
    let taken = each_only_action(action_dict, agent, everyone, |action| {
        action.extract::<i64>().map(|action| actions.push(action)).is_ok()
    })?;
    Ok(taken.then(|| PyArray1::from_vec(action_dict.py(), actions)))
}

/// Hands the only action of every environment to `take`; `false` as soon as that refuses one, or anything is not as it should be.
fn each_only_action<'py>(
    action_dict: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyString>,
    everyone: &Bound<'py, PyList>,
    mut take: impl FnMut(Bound<'py, PyAny>) -> bool,
) -> PyResult<bool> {
    let Ok(action_dict) = action_dict.cast_exact::<PyDict>() else { return Ok(false) };
    if action_dict.len() != everyone.len() {
        return Ok(false);
    }
    // Lists of keys and values, because an integer's `__index__` may run code that changes the dict.
    let (ids, of_environments) = (action_dict.keys(), action_dict.values());
    for (index, (id, of_agents)) in ids.iter().zip(of_environments.iter()).enumerate() {
        // Mostly they are the very objects that a poll returned.
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

/// The actions of environments 0, 1, ... (the list `everyone`) with one agent each, where every one of them is a float32 array of
/// `shape`: `(n, *shape)`.
///
/// `None` for everything else, as [`only_actions`].
#[pyfunction]
pub fn only_action_arrays<'py>(
    action_dict: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyString>,
    everyone: &Bound<'py, PyList>,
    shape: Vec<usize>,
) -> PyResult<Option<Bound<'py, PyArrayDyn<f32>>>> {
    let mut actions = Vec::with_capacity(everyone.len() * shape.iter().product::<usize>());
    let taken = each_only_action(action_dict, agent, everyone, |action| {
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

//! Actions out of dicts of dicts, as RLlib sends them.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

/// The actions of environments 0, 1, ... `count - 1` with one agent each, where every one of them is an integer: `(count,)`, int64.
///
/// `None` for everything else (other environments, another order or agent, further agents, no integers), which is for Python to look
/// at: this is the short way of what is sent thousands of times a second.
#[pyfunction]
pub fn only_actions<'py>(
    action_dict: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyString>,
    count: usize,
) -> PyResult<Option<Bound<'py, PyArray1<i64>>>> {
    let Ok(action_dict) = action_dict.cast_exact::<PyDict>() else { return Ok(None) };
    if action_dict.len() != count {
        return Ok(None);
    }
    // Lists of keys and values, because an integer's `__index__` may run code that changes the dict.
    let (ids, of_environments) = (action_dict.keys(), action_dict.values());
    let mut actions = Vec::with_capacity(count);
    for (index, (id, of_agents)) in ids.iter().zip(of_environments.iter()).enumerate() {
        if !id.is_exact_instance_of::<PyInt>() || id.extract::<usize>().ok() != Some(index) {
            return Ok(None);
        }
        let Some(action) = only_action(&of_agents, agent)? else { return Ok(None) };
        actions.push(action);
    }
    Ok(Some(PyArray1::from_vec(action_dict.py(), actions)))
}

fn only_action(of_agents: &Bound<'_, PyAny>, agent: &Bound<'_, PyString>) -> PyResult<Option<i64>> {
    let Ok(of_agents) = of_agents.cast_exact::<PyDict>() else { return Ok(None) };
    if of_agents.len() != 1 {
        return Ok(None);
    }
    Ok(of_agents.get_item(agent)?.and_then(|action| action.extract::<i64>().ok()))
}

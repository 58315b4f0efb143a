//! Rewards of goals, for programs that relabel stored steps.

use numpy::{PyArray1, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arrays::elements;
use crate::raise::OrRaise;
use envpool_rs::envs::mujoco::maze::goal;

/// Computes the rewards of pairs of goals in C-contiguous float64 arrays with two values for each goal.
///
/// # Errors
/// `TypeError` for other arrays; `ValueError` for arrays that differ in size, and for an unknown reward type.
#[pyfunction]
pub fn maze_rewards<'py>(
    py: Python<'py>,
    achieved_goal: &Bound<'py, PyUntypedArray>,
    desired_goal: &Bound<'py, PyUntypedArray>,
    reward_type: &str,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (Some(achieved), Some(desired)) = (elements::<f64>(achieved_goal), elements::<f64>(desired_goal)) else {
        return Err(PyTypeError::new_err("achieved_goal, desired_goal: expected C-contiguous arrays of float64"));
    };
    let rewards = goal::compute_rewards(achieved, desired, reward_type).or_raise()?;
    Ok(PyArray1::from_vec(py, rewards))
}

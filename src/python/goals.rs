//! Rewards of goals, for programs that relabel stored steps.

use numpy::{PyArray1, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::arrays::elements;
use crate::raise::OrRaise;
use envpool_rs::envs::mujoco::goals::RewardType;
use envpool_rs::envs::mujoco::hand::goal::GoalRules;
use envpool_rs::envs::mujoco::{fetch, hand, kitchen, maze};

/// Returns the values of two C-contiguous float64 arrays of goals.
///
/// # Errors
/// `TypeError` for other arrays.
fn values<'a>(
    achieved: &'a Bound<'_, PyUntypedArray>,
    desired: &'a Bound<'_, PyUntypedArray>,
) -> PyResult<(&'a [f64], &'a [f64])> {
    match (elements::<f64>(achieved), elements::<f64>(desired)) {
        (Some(achieved), Some(desired)) => Ok((achieved, desired)),
        _ => Err(PyTypeError::new_err("achieved_goal, desired_goal: expected C-contiguous arrays of float64")),
    }
}

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
    let (achieved, desired) = values(achieved_goal, desired_goal)?;
    Ok(PyArray1::from_vec(py, maze::goal::compute_rewards(achieved, desired, reward_type).or_raise()?))
}

/// Computes the rewards of pairs of the Fetch robot's goals in C-contiguous float64 arrays with three values for each goal.
///
/// # Errors
/// `TypeError` for other arrays; `ValueError` for arrays that differ in size, and for an unknown reward type.
#[pyfunction]
pub fn fetch_rewards<'py>(
    py: Python<'py>,
    achieved_goal: &Bound<'py, PyUntypedArray>,
    desired_goal: &Bound<'py, PyUntypedArray>,
    reward_type: &str,
    distance_threshold: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (achieved, desired) = values(achieved_goal, desired_goal)?;
    Ok(PyArray1::from_vec(py, fetch::goal::compute_rewards(achieved, desired, reward_type, distance_threshold).or_raise()?))
}

/// Computes the rewards of pairs of the Shadow hand's goals in C-contiguous float64 arrays with seven values for each goal of an
/// object, fifteen for each goal of the fingers. `thresholds` are in metres and radians; `ignored` says whether positions, whether
/// orientations, and whether turns about the axis z do not count.
///
/// # Errors
/// `TypeError` for other arrays; `ValueError` for arrays that differ in size, and for an unknown reward type.
#[pyfunction]
pub fn hand_rewards<'py>(
    py: Python<'py>,
    achieved_goal: &Bound<'py, PyUntypedArray>,
    desired_goal: &Bound<'py, PyUntypedArray>,
    is_of_object: bool,
    reward_type: &str,
    thresholds: (f64, f64),
    ignored: (bool, bool, bool),
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (achieved, desired) = values(achieved_goal, desired_goal)?;
    let ((threshold, angle_threshold), (ignores_position, ignores_rotation, ignores_z)) = (thresholds, ignored);
    let rules =
        GoalRules { reward_type: RewardType::Sparse, threshold, angle_threshold, ignores_position, ignores_rotation, ignores_z };
    let rewards = hand::goal::compute_rewards(achieved, desired, is_of_object, reward_type, rules).or_raise()?;
    Ok(PyArray1::from_vec(py, rewards))
}

/// Returns the number of values of the goal of each task in the kitchen.
#[pyfunction]
pub fn kitchen_goal_sizes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    kitchen::goal::TASKS.iter().map(|task| (task.name, task.goal.len())).into_py_dict(py)
}

/// Computes for pairs of goals of one of the kitchen's tasks, in C-contiguous float64 arrays with `size` values for each goal,
/// whether the task is completed: 1 or 0.
///
/// # Errors
/// `TypeError` for other arrays; `ValueError` for arrays that differ in size.
#[pyfunction]
pub fn kitchen_completions<'py>(
    py: Python<'py>,
    achieved_goal: &Bound<'py, PyUntypedArray>,
    desired_goal: &Bound<'py, PyUntypedArray>,
    size: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (achieved, desired) = values(achieved_goal, desired_goal)?;
    Ok(PyArray1::from_vec(py, kitchen::goal::completions(achieved, desired, size).or_raise()?))
}

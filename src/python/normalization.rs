//! Python access to the running statistics with which a pool normalises its results.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::pool::Pool;
use crate::raise::OrRaise;
use envpool_rs_engine::{NormalizationState, RunningMeanStd};

/// Running statistics in the form that Python passes: mean, variance and count.
type Moments<'py> = (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>, f64);

fn to_tuple<'py>(py: Python<'py>, statistics: &RunningMeanStd) -> PyResult<Bound<'py, PyAny>> {
    let array = |values: &[f64]| PyArray1::from_slice(py, values);
    Ok((array(&statistics.mean), array(&statistics.var), statistics.count).into_pyobject(py)?.into_any())
}

fn from_tuple((mean, var, count): &Moments<'_>) -> PyResult<RunningMeanStd> {
    Ok(RunningMeanStd { mean: mean.as_array().to_vec(), var: var.as_array().to_vec(), count: *count })
}

/// Returns the normalisation statistics of a pool as a dict; `None` if the pool normalises nothing.
#[pyfunction]
pub fn normalization_state<'py>(py: Python<'py>, pool: &Pool) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(state) = pool.engine_pool().normalization().or_raise()? else { return Ok(None) };
    let dict = PyDict::new(py);
    let moments = |statistics: &Option<RunningMeanStd>| statistics.as_ref().map(|each| to_tuple(py, each)).transpose();
    dict.set_item("obs_rms", moments(&state.observations)?)?;
    dict.set_item("return_rms", moments(&state.returns)?)?;
    dict.set_item("returns", PyArray1::from_vec(py, state.discounted_returns))?;
    dict.set_item("update_running_mean", state.update_running_mean)?;
    Ok(Some(dict))
}

/// Replaces the normalisation statistics of a pool.
#[pyfunction]
#[pyo3(signature = (pool, *, obs_rms, return_rms, returns, update_running_mean))]
pub fn set_normalization_state(
    pool: &Pool,
    obs_rms: Option<Moments<'_>>,
    return_rms: Option<Moments<'_>>,
    returns: PyReadonlyArray1<'_, f64>,
    update_running_mean: bool,
) -> PyResult<()> {
    let state = NormalizationState {
        observations: obs_rms.as_ref().map(from_tuple).transpose()?,
        returns: return_rms.as_ref().map(from_tuple).transpose()?,
        discounted_returns: returns.as_array().to_vec(),
        update_running_mean,
    };
    pool.engine_pool().set_normalization(&state).or_raise()
}

/// Merges several running statistics, and returns the statistics of all their rows.
#[pyfunction]
pub fn merge_moments<'py>(py: Python<'py>, parts: Vec<Moments<'py>>) -> PyResult<Bound<'py, PyAny>> {
    let mut parts = parts.iter().map(from_tuple);
    let mut merged = parts.next().expect("the caller passes at least one")?;
    for part in parts {
        merged.merge(&part?);
    }
    to_tuple(py, &merged)
}

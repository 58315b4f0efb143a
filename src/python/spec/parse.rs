//! Parses formats, dialects and autoreset modes, and converts spaces to Python values.

use super::super::convert::wrong_type;
use super::super::raise::Raise;
use envpool_rs_engine::{AutoresetMode, Dialect, EnvSpec, Error, Format, Space, entropy_seed};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

pub(super) fn array<'py>(
    py: Python<'py>,
    name: &str,
    dtype: &str,
    shape: &[usize],
    per_player: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let sizes = per_player.then_some(-1).into_iter().chain(shape.iter().map(|size| *size as i64));
    (name, dtype, PyTuple::new(py, sizes.collect::<Vec<_>>())?).into_pyobject(py)
}

pub(super) fn check_players(players: i64, env: &EnvSpec) -> PyResult<()> {
    match usize::try_from(players) {
        Ok(players) if players == env.players => Ok(()),
        _ => {
            Err(Error::value("max_num_players", players, format_args!("{}, the players of this task", env.players)).into_py_err())
        }
    }
}

pub(super) fn default_seed(dialect: Dialect) -> u64 {
    match dialect {
        Dialect::EnvPool => 42,
        Dialect::Gymnasium => entropy_seed(),
    }
}

/// Parses the name of a result format.
pub fn parse_format(layout: &str) -> PyResult<Format> {
    match layout {
        "gymnasium" => Ok(Format::Gymnasium),
        "gym" => Ok(Format::Gym),
        "dm" => Ok(Format::Dm),
        _ => Err(Error::value("layout", format_args!("{layout:?}"), "gymnasium, gym or dm").into_py_err()),
    }
}

/// Parses the name of a dialect.
pub fn parse_dialect(name: &str) -> PyResult<Dialect> {
    match name {
        "envpool" => Ok(Dialect::EnvPool),
        "gymnasium" => Ok(Dialect::Gymnasium),
        _ => Err(Error::value("dialect", format_args!("{name:?}"), "\"envpool\" or \"gymnasium\"").into_py_err()),
    }
}

/// Parses an autoreset mode: a name, or gymnasium's `AutoresetMode`.
pub fn parse_autoreset_mode(mode: &Bound<'_, PyAny>) -> PyResult<AutoresetMode> {
    let text = mode.getattr("value").unwrap_or_else(|_| mode.clone());
    let Ok(text) = text.extract::<String>() else { return Err(wrong_type("autoreset_mode", mode, "a str or an AutoresetMode")) };
    match text.to_lowercase().replace(['_', '-'], "").as_str() {
        "nextstep" => Ok(AutoresetMode::NextStep),
        "samestep" => Ok(AutoresetMode::SameStep),
        "disabled" => Ok(AutoresetMode::Disabled),
        _ => Err(Error::value("autoreset_mode", format_args!("{text:?}"), "next_step, same_step or disabled").into_py_err()),
    }
}

/// Converts a space to nested tuples, which Python code converts to a gymnasium space.
pub(super) fn space_descriptor<'py>(py: Python<'py>, space: &Space) -> PyResult<Bound<'py, PyTuple>> {
    match space {
        Space::Box { low, high, shape, dtype } => {
            let bound = |values: &[f64]| match values {
                [value] if shape.iter().product::<usize>() != 1 => {
                    value.into_pyobject(py).map(Bound::into_any).map_err(PyErr::from)
                }
                values => values.to_vec().into_pyobject(py),
            };
            ("box", bound(low)?, bound(high)?, PyTuple::new(py, shape)?, dtype.name()).into_pyobject(py)
        }
        Space::Discrete { n, start, dtype } => ("discrete", n, start, dtype.name()).into_pyobject(py),
        Space::MultiBinary { shape } => ("multi_binary", PyTuple::new(py, shape)?).into_pyobject(py),
        Space::MultiDiscrete { counts, shape, dtype } => {
            ("multi_discrete", counts.clone(), PyTuple::new(py, shape)?, dtype.name()).into_pyobject(py)
        }
        Space::Text { shape: [length], charset } => ("text", length, charset).into_pyobject(py),
        Space::Dict(parts) => {
            let parts: PyResult<Vec<_>> =
                parts.iter().map(|(key, part)| Ok((key.as_str(), space_descriptor(py, part)?))).collect();
            ("dict", parts?).into_pyobject(py)
        }
        Space::Tuple(parts) => {
            let parts: PyResult<Vec<_>> = parts.iter().map(|part| space_descriptor(py, part)).collect();
            ("tuple", parts?).into_pyobject(py)
        }
    }
}

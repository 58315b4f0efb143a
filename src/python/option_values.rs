//! Converts the engine's option values to Python values.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use envpool_rs_engine::{Distribution, OptionDecision, Value};

/// Converts an option's value to the Python value that a user would pass for the option.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::None => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Int(value) => value.into_pyobject(py)?.into_any(),
        Value::Big(value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::Text(value) => value.into_pyobject(py)?.into_any(),
        Value::Lines(value) => value.into_pyobject(py)?.into_any(),
        Value::Floats(value) => value.into_pyobject(py)?.into_any(),
        Value::Ints(value) => value.into_pyobject(py)?.into_any(),
        Value::Table(entries) => table(py, entries)?.into_any(),
        Value::Distribution(draw) => distribution(py, draw)?.into_any(),
    })
}

/// Option whose value was decided at load time, as Python values: name, decided value, and reason.
pub type DecisionParts<'py> = (&'static str, Bound<'py, PyAny>, String);

/// Converts an option whose value was decided at load time.
pub fn decision_parts<'py>(py: Python<'py>, decided: &OptionDecision) -> PyResult<DecisionParts<'py>> {
    Ok((decided.option, to_python(py, &decided.value)?, decided.reason.clone()))
}

/// Converts a table to a dict. Names that are numbers become ints; entries of several values become tuples.
fn table<'py>(py: Python<'py>, entries: &[(String, Vec<f64>)]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, values) in entries {
        let values = match values.as_slice() {
            [value] => value.into_pyobject(py)?.into_any(),
            _ => PyTuple::new(py, values)?.into_any(),
        };
        match name.parse::<i64>() {
            Ok(number) => dict.set_item(number, values)?,
            Err(_) => dict.set_item(name, values)?,
        }
    }
    Ok(dict)
}

/// Converts a distribution to the tuple that a user would pass for the option.
fn distribution<'py>(py: Python<'py>, draw: &Distribution) -> PyResult<Bound<'py, PyTuple>> {
    match draw {
        Distribution::Uniform(low, high) => ("uniform", *low, *high).into_pyobject(py),
        Distribution::Integers(low, high) => ("integers", *low, *high).into_pyobject(py),
        Distribution::Choice(values) => {
            let mut all = vec!["choice".into_pyobject(py)?.into_any()];
            for value in values {
                all.push(to_python(py, value)?);
            }
            PyTuple::new(py, all)
        }
    }
}

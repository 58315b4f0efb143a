//! The engine's values of options, as Python's.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use envpool_rs_engine::{Decided, Distribution, Value};

/// As the user gives it.
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
        Value::Drawn(draw) => distribution(py, draw)?.into_any(),
    })
}

/// An option, the value that was decided on, and why.
pub type DecidedParts<'py> = (&'static str, Bound<'py, PyAny>, String);

/// What was decided, for Python.
pub fn decided_parts<'py>(py: Python<'py>, decided: &Decided) -> PyResult<DecidedParts<'py>> {
    Ok((decided.option, to_python(py, &decided.value)?, decided.reason.clone()))
}

/// A dict, with numbers for names that are numbers, and tuples where there are several values.
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

/// A distribution as the user gives it.
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

//! Python values into the engine's.

use numpy::{PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::engine::{ResetOptions, Value};

/// An int of Python or numpy (not a float, even an integral one), for the argument `name`.
pub fn integer(name: &str, object: &Bound<'_, PyAny>) -> PyResult<i128> {
    object.extract::<i128>().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(object.py()) {
            PyTypeError::new_err(format!("{name}={}: expected an int", repr(object)))
        } else {
            PyValueError::new_err(format!("{name}={}: expected an int of a sensible size", repr(object)))
        }
    })
}

/// As `integer`; beyond int64 the nearest int64, which every check of a range refuses alike.
pub fn small_integer(name: &str, object: &Bound<'_, PyAny>) -> PyResult<i64> {
    let value = integer(name, object)?;
    Ok(i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX }))
}

/// The value of an environment's option.
pub fn value(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_none() {
        return Ok(Value::None);
    }
    if object.is_instance_of::<PyString>() {
        return Ok(Value::Text(object.extract()?));
    }
    if object.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(object.extract()?));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Value::Int(small_integer(name, object)?));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(object.extract()?));
    }
    if let Ok(item) = object.call_method0("item") {
        return value(name, &item); // a numpy scalar, or an array of one element
    }
    if let Ok(lines) = object.extract::<Vec<String>>() {
        return Ok(Value::Lines(lines));
    }
    if let Ok(numbers) = object.extract::<Vec<f64>>() {
        return Ok(Value::Floats(numbers));
    }
    let kind = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("{name}={}: a {kind} is no value for an option", repr(object))))
}

/// The options of a reset: numbers by name.
pub fn reset_options(options: Option<&Bound<'_, PyDict>>) -> PyResult<ResetOptions> {
    let mut values = Vec::new();
    for (name, object) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        let number = object
            .extract::<f64>()
            .map_err(|_| PyValueError::new_err(format!("reset option {name}={}: expected a number", repr(&object))))?;
        values.push((name, number));
    }
    Ok(ResetOptions::new(values))
}

/// Ids of environments: a one-dimensional array (or sequence) of any integer dtype.
pub fn env_ids(object: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let py = object.py();
    let array = match object.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => py.import("numpy")?.call_method1("asarray", (object,))?.cast_into::<PyUntypedArray>()?,
    };
    if array.ndim() != 1 {
        let shape = array.shape();
        return Err(PyValueError::new_err(format!("env_id has shape {shape:?}: expected one dimension")));
    }
    if array.len() == 0 {
        return Ok(Vec::new());
    }
    if !matches!(array.dtype().kind(), b'i' | b'u') {
        let dtype = array.dtype();
        return Err(PyTypeError::new_err(format!("env_id has dtype {dtype}: expected integers")));
    }
    if let Ok(ids) = array.cast::<numpy::PyArray1<i32>>() {
        return Ok(ids.readonly().as_array().iter().map(|id| i64::from(*id)).collect());
    }
    let ids = array.call_method1("astype", ("int64",))?.cast_into::<numpy::PyArray1<i64>>()?;
    Ok(ids.readonly().as_array().to_vec())
}

/// How Python would print an object.
pub fn repr(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string_lossy().into_owned())
}

//! Converts Python values to values of the engine.

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMemoryView, PyString, PyTuple};

use super::arrays::elements;
use crate::raise::OrRaise;
use envpool_rs_engine::{Payload, ResetOptions, Value, shortened};

/// Largest number of entries that a sequence option may have.
const MAX_ENTRIES: usize = 1 << 20;

/// Copies bytes to Python; a `MemoryError` if there is no memory for them, at which `PyBytes::new` panics.
pub fn to_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |memory| {
        memory.copy_from_slice(bytes);
        Ok(())
    })
}

/// Copies bytes of Python for the engine.
pub fn payloads_of(messages: &[PyBackedBytes]) -> PyResult<Vec<Payload>> {
    messages.iter().map(|message| Payload::copied(&[&message[..]]).or_raise()).collect()
}

/// Converts an int of Python or numpy for the argument `name`. Rejects bools and floats, even floats with an integral value.
pub fn integer(name: &str, object: &Bound<'_, PyAny>) -> PyResult<i128> {
    if is_bool(object) {
        return Err(wrong_type(name, object, "an int"));
    }
    object.extract::<i128>().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(object.py()) {
            wrong_type(name, object, "an int")
        } else {
            PyValueError::new_err(format!("{name}={}: expected an int of a sensible size", brief_repr(object)))
        }
    })
}

/// Returns whether an object is a bool of Python or numpy.
fn is_bool(object: &Bound<'_, PyAny>) -> bool {
    let is_numpys = || {
        let kind = object.get_type();
        kind.module().is_ok_and(|module| module == "numpy") && kind.name().is_ok_and(|name| name == "bool" || name == "bool_")
    };
    object.is_instance_of::<PyBool>() || (!object.is_instance_of::<PyInt>() && is_numpys())
}

/// Converts a bool of Python or numpy for the argument `name`.
pub fn flag(name: &str, object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.extract().map_err(|_| wrong_type(name, object, "a bool"))
}

/// Converts an int as [`integer`] does, and rejects values that do not fit an i64.
pub fn small_integer(name: &str, object: &Bound<'_, PyAny>) -> PyResult<i64> {
    let value = integer(name, object)?;
    i64::try_from(value).map_err(|_| PyValueError::new_err(format!("{name}={value}: expected an integer that fits 64 bits")))
}

/// Converts the Python value of an environment option to an engine value.
pub fn value(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Some(value) = scalar(name, object)? {
        return Ok(value);
    }
    refuse_masked(name, object)?;
    // The object is a numpy scalar, or an array of one element. `item` is called only once: the `item` method of an object may
    // return that object itself, forever.
    let item = object.call_method0("item").ok().map(|item| scalar(name, &item)).transpose()?.flatten();
    if let Some(value) = item {
        return Ok(value);
    }
    let kind = object.get_type().name()?;
    if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
        return Err(PyTypeError::new_err(format!("{name}={}: a {kind} is no value for an option", brief_repr(object))));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        return table(name, dict);
    }
    if is_too_long(object) {
        return Err(PyValueError::new_err(format!(
            "{name}: a {kind} of more than {MAX_ENTRIES} entries is no value for an option"
        )));
    }
    if let Ok(lines) = object.extract::<Vec<String>>() {
        return Ok(Value::Lines(lines));
    }
    if let Ok(integers) = object.extract::<Vec<i64>>() {
        return Ok(Value::Ints(integers));
    }
    if let Ok(numbers) = object.extract::<Vec<f64>>() {
        return Ok(Value::Floats(numbers));
    }
    Err(PyTypeError::new_err(format!("{name}={}: a {kind} is no value for an option", repr(object))))
}

/// Converts a dict of numbers. Keys are strings or integers; each value is a number or a sequence of numbers.
fn table(name: &str, dict: &Bound<'_, PyDict>) -> PyResult<Value> {
    if dict.len() > MAX_ENTRIES {
        return Err(PyValueError::new_err(format!(
            "{name}: a dict of more than {MAX_ENTRIES} entries is no value for an option"
        )));
    }
    let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let expected = "a dict of numbers, or of as many numbers for each key";
        let wrong_value = || wrong_type(name, dict, expected);
        let key = match key.extract::<i64>() {
            Ok(number) => number.to_string(),
            Err(_) => key.extract::<String>().map_err(|_| wrong_value())?,
        };
        let numbers = match value.extract::<f64>() {
            Ok(number) => vec![number],
            Err(_) if is_too_long(&value) => return Err(wrong_value()),
            Err(_) => value.extract::<Vec<f64>>().map_err(|_| wrong_value())?,
        };
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(PyValueError::new_err(format!("{name}={}: expected finite numbers", repr(dict))));
        }
        Ok((key, numbers))
    };
    dict.iter().map(entry).collect::<PyResult<_>>().map(Value::Table)
}

/// Returns whether an object has, or claims to have, more entries than an option accepts. Extracting its entries would allocate
/// memory for the claimed number, and would never end for an endless iterable.
fn is_too_long(object: &Bound<'_, PyAny>) -> bool {
    claims_too_many(object) || object.try_iter().is_ok_and(|entries| entries.take(MAX_ENTRIES + 1).count() > MAX_ENTRIES)
}

fn claims_too_many(object: &Bound<'_, PyAny>) -> bool {
    match object.len() {
        Ok(length) => length > MAX_ENTRIES,
        Err(error) => error.is_instance_of::<PyOverflowError>(object.py()),
    }
}

fn scalar(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    Ok(Some(if object.is_none() {
        Value::None
    } else if object.is_instance_of::<PyString>() {
        let text = object.extract::<String>();
        Value::Text(
            text.map_err(|_| PyValueError::new_err(format!("{name}={}: expected text that UTF-8 can hold", repr(object))))?,
        )
    } else if object.is_instance_of::<PyBool>() {
        Value::Bool(object.extract()?)
    } else if object.is_instance_of::<PyInt>() {
        let value = integer(name, object)?;
        i64::try_from(value).map_or(Value::Big(value), Value::Int)
    } else if object.is_instance_of::<PyFloat>() {
        Value::Float(object.extract()?)
    } else {
        return Ok(None);
    }))
}

/// Converts up to `count + 1` entries of an iterable with `convert`. The surplus entry shows that there are too many, even in an
/// endless iterable.
pub fn entries<'py, T>(
    iterable: &Bound<'py, PyAny>,
    count: usize,
    convert: impl FnMut(PyResult<Bound<'py, PyAny>>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    iterable.try_iter()?.take(count.saturating_add(1)).map(convert).collect()
}

/// Returns "5 entries", or "more than 4 entries" if [`entries`] returned a surplus entry.
pub fn entry_count(got: usize, expected: usize) -> String {
    if got > expected { format!("more than {expected} entries") } else { format!("{got} entries") }
}

/// Converts the options of a reset: a dict of names and values. A value is a number, a list of numbers, or a list with a list of
/// numbers (or `None`) for each environment. The components of a list are the options `name[0]`, `name[1]`, ...
///
/// A value may also be a dict of such values, or a list with a dict (or `None`) for each environment. The entries of a dict are
/// the options `name.key`.
pub fn reset_options(options: Option<&Bound<'_, PyDict>>) -> PyResult<ResetOptions> {
    let mut converted = ConvertedOptions::default();
    for (name, object) in options.into_iter().flatten() {
        let name = reset_name(&name)?;
        if object.is_none() || is_all_none(&object) {
            converted.absent.push(name);
        } else if let Ok(dict) = object.cast::<PyDict>() {
            if dict.is_empty() {
                return Err(PyValueError::new_err(format!("reset option {name}={{}}: expected a dict with entries")));
            }
            for (key, value) in dict {
                converted.add(format!("{name}.{}", reset_name(&key)?), &value)?;
            }
        } else if let Some(dicts) = dicts(&object) {
            for (key, rows) in rows_by_key(object.py(), &dicts)? {
                converted.add(format!("{name}.{key}"), &rows)?;
            }
        } else {
            converted.add(name, &object)?;
        }
    }
    let ConvertedOptions { values, rows, absent } = converted;
    Ok(ResetOptions::new(values).with_rows(rows).with_absent(absent))
}

/// Parts of [`ResetOptions`].
#[derive(Default)]
struct ConvertedOptions {
    values: Vec<(String, f64)>,
    rows: Vec<(String, Vec<f64>)>,
    absent: Vec<String>,
}

impl ConvertedOptions {
    /// Adds a number, numbers, or numbers for each environment.
    fn add(&mut self, name: String, object: &Bound<'_, PyAny>) -> PyResult<()> {
        refuse_masked(&name, object)?;
        if let Ok(number) = object.extract::<f64>() {
            self.values.push((name, number));
        } else if let Some(numbers) = numbers(object) {
            self.values.extend(numbers.into_iter().enumerate().map(|(index, number)| (format!("{name}[{index}]"), number)));
        } else if let Some(columns) = reset_rows(object) {
            self.rows.extend(columns.into_iter().enumerate().map(|(index, column)| (format!("{name}[{index}]"), column)));
        } else {
            return Err(PyValueError::new_err(format!(
                "reset option {name}={}: expected a number, or numbers for each environment",
                repr(object)
            )));
        }
        Ok(())
    }
}

/// Converts the name of an option; `kind` is what messages call it.
pub fn option_name(kind: &str, name: &Bound<'_, PyAny>) -> PyResult<String> {
    name.extract().map_err(|_| PyTypeError::new_err(format!("{kind} {}: expected a str as its name", repr(name))))
}

/// Converts the name of a reset option, or the key of an entry.
fn reset_name(name: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = option_name("reset option", name)?;
    if text.contains(['[', '.']) {
        return Err(PyValueError::new_err(format!("unknown reset option {text:?}")));
    }
    Ok(text)
}

/// Returns the entries of a list or tuple that holds only dicts and `None`, and at least one dict.
fn dicts<'py>(object: &Bound<'py, PyAny>) -> Option<Vec<Option<Bound<'py, PyDict>>>> {
    if !(object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()) {
        return None;
    }
    let entry = |item: PyResult<Bound<'py, PyAny>>| match item.ok()? {
        item if item.is_none() => Some(None),
        item => item.cast_into::<PyDict>().ok().map(Some),
    };
    object.try_iter().ok()?.map(entry).collect()
}

/// Returns the values of each key of several dicts: a list with the value of each dict, `None` for dicts without the key.
fn rows_by_key<'py>(py: Python<'py>, dicts: &[Option<Bound<'py, PyDict>>]) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let mut rows: Vec<(String, Bound<'py, PyAny>)> = Vec::new();
    for key in dicts.iter().flatten().flat_map(|dict| dict.keys()) {
        let name = reset_name(&key)?;
        if rows.iter().all(|(known, _)| *known != name) {
            let value = |dict: &Option<Bound<'py, PyDict>>| dict.as_ref().map_or(Ok(None), |dict| dict.get_item(&key));
            let values = dicts.iter().map(value).collect::<PyResult<Vec<_>>>()?;
            rows.push((name, PyList::new(py, values)?.into_any()));
        }
    }
    Ok(rows)
}

/// Returns whether an object is a list or tuple of only `None`, at least one: no environment has the option.
fn is_all_none(object: &Bound<'_, PyAny>) -> bool {
    let is_list = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    let items = || object.try_iter().ok()?.collect::<PyResult<Vec<_>>>().ok();
    is_list && items().is_some_and(|items| !items.is_empty() && items.iter().all(|item| item.is_none()))
}

/// Largest number of components of a reset option.
const MAX_COMPONENTS: usize = 64;

pub fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() || object.cast::<PyUntypedArray>().is_ok()
}

/// Converts a list, tuple or array of at least one and at most [`MAX_COMPONENTS`] finite numbers.
fn numbers(object: &Bound<'_, PyAny>) -> Option<Vec<f64>> {
    if !is_sequence(object) {
        return None;
    }
    let read = |each: PyResult<Bound<'_, PyAny>>| each?.extract::<f64>();
    let numbers = entries(object, MAX_COMPONENTS, read).ok()?;
    ((1..=MAX_COMPONENTS).contains(&numbers.len()) && numbers.iter().all(|number| number.is_finite())).then_some(numbers)
}

/// Converts a list with a list of numbers (or `None`) for each environment into columns, one for each component. Environments with
/// `None` have NaN. Returns `None` if the entries do not have the same number of components.
fn reset_rows(object: &Bound<'_, PyAny>) -> Option<Vec<Vec<f64>>> {
    if !is_sequence(object) {
        return None;
    }
    let rows: Vec<_> = object.try_iter().ok()?.collect::<PyResult<_>>().ok()?;
    let width = rows.iter().filter(|row| !row.is_none()).find_map(numbers)?.len();
    let mut columns = vec![Vec::with_capacity(rows.len()); width];
    for row in rows {
        let given = if row.is_none() { vec![f64::NAN; width] } else { numbers(&row)? };
        if given.len() != width {
            return None;
        }
        columns.iter_mut().zip(given).for_each(|(column, number)| column.push(number));
    }
    Some(columns)
}

/// Converts environment ids from a one-dimensional array (or sequence) of any integer dtype, or one id.
pub fn env_ids(object: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let array = match object.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => array("env_id", object)?,
    };
    refuse_masked("env_id", &array)?;
    if array.ndim() > 1 {
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
    if let Some(ids) = elements::<i32>(&array) {
        return Ok(ids.iter().map(|id| i64::from(*id)).collect());
    }
    if let Some(ids) = elements::<i64>(&array) {
        return Ok(ids.to_vec());
    }
    let is_unsigned = array.dtype().kind() == b'u';
    let ids = array.call_method1("astype", ("int64", "C"))?.cast_into::<PyUntypedArray>()?;
    let ids = elements::<i64>(&ids).ok_or_else(|| PyTypeError::new_err("env_id is not an array of integers"))?;
    // In `ids`, values of unsigned dtypes above the int64 range have become negative numbers.
    match ids.iter().position(|id| is_unsigned && *id < 0) {
        Some(index) => {
            let id = ids[index].cast_unsigned();
            Err(PyIndexError::new_err(format!("env_id[{index}]={id}: expected the number of an environment, below num_envs")))
        }
        None => Ok(ids.to_vec()),
    }
}

/// Refuses an array with masked entries, which have no values: numpy's functions read the numbers behind the mask.
pub fn refuse_masked(name: &str, object: &Bound<'_, PyAny>) -> PyResult<()> {
    if object.is_exact_instance_of::<PyUntypedArray>() || !object.is_instance_of::<PyUntypedArray>() {
        return Ok(());
    }
    if object.py().import("numpy.ma")?.call_method1("is_masked", (object,))?.is_truthy()? {
        return Err(PyValueError::new_err(format!(
            "{name}={}: expected no masked entries; give filled(...)",
            brief_repr(object)
        )));
    }
    Ok(())
}

/// Returns whether an object's entries are in memory, unlike those of a range.
fn is_allocated(object: &Bound<'_, PyAny>) -> bool {
    let is_plain = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    is_plain || object.hasattr("__array__").unwrap_or(false) || PyMemoryView::from(object).is_ok()
}

/// Converts an array-like to a numpy array, for the argument `name`.
pub fn array<'py>(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = object.py();
    if claims_too_many(object) && !is_allocated(object) {
        let given = brief_repr(object);
        return Err(PyValueError::new_err(format!("{name}={given}: expected at most {MAX_ENTRIES} entries")));
    }
    let array = py.import("numpy")?.call_method1("asarray", (object,)).map_err(|error| match error {
        error if error.is_instance_of::<PyValueError>(py) => {
            PyValueError::new_err(format!("{name}={}: expected an array ({})", brief_repr(object), error.value(py)))
        }
        error => error,
    })?;
    Ok(array.cast_into()?)
}

/// Returns an object's bytes, if it is `bytes` or one-dimensional memory of bytes: a `bytearray`, a `memoryview` or an array of
/// uint8.
pub fn bytes<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyBytes>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Some(bytes.clone());
    }
    let view = PyMemoryView::from(object).ok()?;
    let format: String = view.getattr("format").and_then(|format| format.extract()).ok()?;
    let dimensions: usize = view.getattr("ndim").and_then(|dimensions| dimensions.extract()).ok()?;
    let is_bytes = dimensions == 1 && ["B", "b", "c"].contains(&format.as_str());
    is_bytes.then(|| view.call_method0("tobytes").ok()?.cast_into::<PyBytes>().ok()).flatten()
}

/// Returns an object's `repr`, shortened if it is long.
pub fn repr(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "?".to_owned(), |text| shortened(&text.to_string_lossy()))
}

/// Returns the first 80 characters of an object's `repr`. Used for objects with a long `repr`, such as arrays and snapshots.
pub fn brief_repr(object: &Bound<'_, PyAny>) -> String {
    const MAX_SHOWN: usize = 80;
    let text = repr(object);
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Creates the error for an argument whose value has the wrong type.
pub fn wrong_type(name: &str, got: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    PyTypeError::new_err(format!("{name}={}: expected {expected}", repr(got)))
}

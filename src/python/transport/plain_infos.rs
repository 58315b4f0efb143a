//! Encodes infos whose values are numbers, without pickle: a list of keys and kinds, and eight bytes for each number.
//!
//! A message holds the length of the list (four bytes), the list, and the numbers. The list contains for each key its kind (one
//! byte), its length (two bytes), and its characters. If several environments have the same list, byte for byte, their numbers
//! form columns.

use numpy::npyffi::{NpyTypes, PY_ARRAY_API, get_type_object};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use super::leaf_type::{data, new_array};
use super::plain_values::{descriptor, scalar};

/// Kind codes of Python numbers. A numpy scalar has the number of its dtype as kind code.
const INT: u8 = 0x80;
const FLOAT: u8 = 0x81;
const BOOL: u8 = 0x82;

/// Number of bytes that an encoded number takes, independent of its kind.
const WIDTH: usize = 8;

/// Whether the numeric encoding of infos is supported. The encoding requires that numpy's `int` is int64 in every numpy release.
/// On other systems infos are pickled.
const IS_SUPPORTED: bool = cfg!(all(target_pointer_width = "64", target_endian = "little", not(windows)));

/// Encodes a non-empty dict whose keys are strings and whose values are numbers. Returns `None` for other infos, and for messages
/// of more than `most` bytes.
pub fn write_info(info: &Bound<'_, PyAny>, most: usize) -> Option<Vec<u8>> {
    let info = info.cast_exact::<PyDict>().ok().filter(|info| IS_SUPPORTED && !info.is_empty())?;
    let mut message = vec![0; 4];
    let mut numbers = Vec::with_capacity(WIDTH * info.len());
    for (key, value) in info {
        let key = key.cast_exact::<PyString>().ok()?.to_str().ok()?.to_owned();
        let (kind, number) = number(&value)?;
        message.push(kind);
        message.extend(u16::try_from(key.len()).ok()?.to_le_bytes());
        message.extend(key.as_bytes());
        numbers.extend(number);
    }
    let list = u32::try_from(message.len() - 4).ok()?;
    message[..4].copy_from_slice(&list.to_le_bytes());
    message.extend(numbers);
    (message.len() <= most).then_some(message)
}

/// Returns the kind code and the bytes of a number. Returns `None` if the value is not numeric, or if the encoding does not
/// support its type or size.
fn number(value: &Bound<'_, PyAny>) -> Option<(u8, [u8; WIDTH])> {
    if let Ok(float) = value.cast_exact::<PyFloat>() {
        return Some((FLOAT, float.extract::<f64>().ok()?.to_le_bytes()));
    }
    if let Ok(truth) = value.cast_exact::<PyBool>() {
        return Some((BOOL, u64::from(truth.is_true()).to_le_bytes()));
    }
    if let Ok(integer) = value.cast_exact::<PyInt>() {
        return Some((INT, integer.extract::<i64>().ok()?.to_le_bytes()));
    }
    numpy_number(value)
}

/// Encodes a numpy integer or float of up to eight bytes. Booleans are excluded, because Python code collects numpy booleans in
/// arrays of objects.
fn numpy_number(value: &Bound<'_, PyAny>) -> Option<(u8, [u8; WIDTH])> {
    let py = value.py();
    // SAFETY: numpy's own types live as long as numpy. `PyType_IsSubtype` has confirmed that `value` is a numpy scalar before its
    // descriptor is read. Its size is checked against `WIDTH`, the size of `number`.
    unsafe {
        let generic = get_type_object(py, NpyTypes::PyGenericArrType_Type);
        if pyo3::ffi::PyType_IsSubtype(value.get_type_ptr(), generic) == 0 {
            return None;
        }
        let descr = PY_ARRAY_API.PyArray_DescrFromScalar(py, value.as_ptr());
        let descr = Bound::from_owned_ptr_or_opt(py, descr.cast())?.cast_into_unchecked::<PyArrayDescr>();
        let kind = u8::try_from(descr.num()).ok().filter(|kind| (1..=12).contains(kind))?;
        // Instances of subclasses of numpy's scalar types are excluded, because decoding would lose their type.
        if !value.get_type().is(descr.typeobj()) || descr.itemsize() > WIDTH {
            return None;
        }
        let mut number = [0; WIDTH];
        PY_ARRAY_API.PyArray_ScalarAsCtype(py, value.as_ptr(), number.as_mut_ptr().cast());
        Some((kind, number))
    }
}

/// A message of the numeric encoding, split into the list of keys and the numbers.
struct EncodedInfo<'a> {
    list: &'a [u8],
    numbers: &'a [u8],
}

fn damaged_error() -> PyErr {
    PyRuntimeError::new_err("an info was damaged on its way")
}

impl<'a> EncodedInfo<'a> {
    fn new(message: &'a [u8]) -> PyResult<Self> {
        let (length, rest) = message.split_first_chunk::<4>().ok_or_else(damaged_error)?;
        let (list, numbers) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(damaged_error)?;
        Ok(Self { list, numbers })
    }

    /// Returns the kind code and name of each key, in order.
    fn keys(&self) -> PyResult<Vec<(u8, &'a str)>> {
        let (mut keys, mut rest) = (Vec::with_capacity(self.numbers.len() / WIDTH), self.list);
        while let Some(([kind, low, high], more)) = rest.split_first_chunk::<3>() {
            let length = usize::from(u16::from_le_bytes([*low, *high]));
            let (key, more) = more.split_at_checked(length).ok_or_else(damaged_error)?;
            keys.push((*kind, std::str::from_utf8(key).map_err(|_| damaged_error())?));
            rest = more;
        }
        let whole = rest.is_empty() && self.numbers.len() == WIDTH * keys.len();
        whole.then_some(keys).ok_or_else(damaged_error)
    }
}

/// Returns numpy's descriptor for a column of numbers with this kind code.
fn column_descriptor(py: Python<'_>, kind: u8) -> PyResult<Bound<'_, PyArrayDescr>> {
    match kind {
        INT => Ok(numpy::dtype::<i64>(py)),
        FLOAT => Ok(numpy::dtype::<f64>(py)),
        BOOL => Ok(numpy::dtype::<bool>(py)),
        other => descriptor(py, other).filter(|descr| descr.itemsize() <= WIDTH).ok_or_else(damaged_error),
    }
}

/// Decodes the info of a message.
pub fn read_info<'py>(py: Python<'py>, message: &[u8]) -> PyResult<Bound<'py, PyDict>> {
    let info = EncodedInfo::new(message)?;
    let dict = PyDict::new(py);
    for ((kind, key), number) in info.keys()?.into_iter().zip(info.numbers.as_chunks::<WIDTH>().0) {
        match kind {
            INT => dict.set_item(key, i64::from_le_bytes(*number))?,
            FLOAT => dict.set_item(key, f64::from_le_bytes(*number))?,
            BOOL => dict.set_item(key, number[0] != 0)?,
            _ => {
                let descr = column_descriptor(py, kind)?;
                dict.set_item(key, scalar(&descr, &number[..descr.itemsize()])?)?;
            }
        }
    }
    Ok(dict)
}

/// Builder of the columns of numeric infos: an array for each key, with zeros in rows without a message.
pub struct InfoColumnBuilder<'py> {
    rows: usize,
    list: Vec<u8>,
    /// For each column: the key, whether its values are Python numbers, the number of bytes per element, and the array.
    columns: Vec<(Bound<'py, PyString>, bool, usize, Bound<'py, PyUntypedArray>)>,
}

impl<'py> InfoColumnBuilder<'py> {
    /// Creates a builder for columns of `rows` rows.
    pub fn new(rows: usize) -> Self {
        Self { rows, list: Vec::new(), columns: Vec::new() }
    }

    /// Stores the numbers of a row. Returns false if the row's keys differ from those of the first message.
    pub fn store_row(&mut self, py: Python<'py>, row: usize, message: &[u8]) -> PyResult<bool> {
        let info = EncodedInfo::new(message)?;
        if self.list.is_empty() {
            info.list.clone_into(&mut self.list);
            for (kind, key) in info.keys()? {
                let descr = column_descriptor(py, kind)?;
                let array = new_array(&descr, &[self.rows])?;
                // SAFETY: the array was just created with `rows` elements of this size.
                unsafe { data(&array).write_bytes(0, self.rows * descr.itemsize()) };
                self.columns.push((PyString::intern(py, key), kind >= INT, descr.itemsize(), array));
            }
        }
        if info.list != self.list || info.numbers.len() != WIDTH * self.columns.len() || row >= self.rows {
            return Ok(false);
        }
        for ((.., bytes, array), number) in self.columns.iter().zip(info.numbers.as_chunks::<WIDTH>().0) {
            // SAFETY: `columns` creates the array with `rows` elements of `bytes`, at most eight, bytes; `row < rows` is checked
            // above.
            unsafe { data(array).add(row * bytes).copy_from_nonoverlapping(number.as_ptr(), *bytes) };
        }
        Ok(true)
    }

    /// Returns the arrays by key, and the keys whose values were Python numbers.
    pub fn finish(self, py: Python<'py>) -> PyResult<(Bound<'py, PyDict>, Vec<Bound<'py, PyString>>)> {
        let (dict, mut own) = (PyDict::new(py), Vec::new());
        for (key, is_own, _, array) in self.columns {
            dict.set_item(&key, array)?;
            own.extend(is_own.then_some(key));
        }
        Ok((dict, own))
    }
}

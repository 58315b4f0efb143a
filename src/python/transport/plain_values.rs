//! Encodes actions: numbers and arrays as their bytes in memory, and other objects with pickle.
//!
//! A message is a head and a body. The head contains the kind, the dtype's number and the number of dimensions, one byte each,
//! then five bytes of padding, then each dimension in eight bytes. The environment receives an object of the type that the caller
//! gave.

use std::borrow::Cow;

use numpy::npyffi::PY_ARRAY_API;
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt};

use super::leaf_type::{data, is_contiguous, is_plain, new_array};
use crate::convert::to_bytes;

const PICKLED: u8 = 0;
const SCALAR: u8 = 1;
const ARRAY: u8 = 2;
const INT: u8 = 3;
const FLOAT: u8 = 4;
const BOOL: u8 = 5;
const NONE: u8 = 6;

/// Number of bytes of a head without its dimensions.
const FIXED_BYTES: usize = 8;

/// Largest number of dimensions of a numpy array.
const MAX_DIMENSIONS: usize = 64;

/// Head of a message. It describes the type and shape of the encoded object, and is stored without heap allocation.
struct Head {
    bytes: [u8; FIXED_BYTES + 8 * MAX_DIMENSIONS],
    len: usize,
}

impl Head {
    fn new(kind: u8, dtype: u8, shape: &[usize]) -> Self {
        let mut head = Self { bytes: [0; _], len: FIXED_BYTES + 8 * shape.len() };
        (head.bytes[0], head.bytes[1], head.bytes[2]) = (kind, dtype, shape.len() as u8);
        for (field, size) in head.bytes[FIXED_BYTES..].chunks_exact_mut(8).zip(shape) {
            field.copy_from_slice(&(*size as u64).to_ne_bytes());
        }
        head
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Returns an array of numbers in C order, copied if it is in another order. Returns `None` if its elements are not numbers in
/// native byte order.
pub fn plain_array<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    if !is_plain(&array.dtype()) || array.ndim() > MAX_DIMENSIONS {
        return Ok(None);
    }
    if is_contiguous(array) {
        return Ok(Some(array.clone()));
    }
    // numpy copies the array into an array of its own class, because the `copy` method of a subclass might return any object.
    // `is_plain` has checked the native byte order.
    let numpy = array.py().import("numpy")?;
    let copied = numpy.call_method1("require", (array, array.dtype(), ("C", "A", "E")))?.cast_into::<PyUntypedArray>()?;
    Ok(Some(copied).filter(|copied| is_contiguous(copied) && copied.shape() == array.shape()))
}

/// Encodes an object and appends it to `message`.
pub fn append_value(message: &mut Vec<u8>, value: &Bound<'_, PyAny>, dumps: &Bound<'_, PyAny>) -> PyResult<()> {
    with_value(value, dumps, |head, body| {
        message.extend_from_slice(head);
        message.extend_from_slice(body);
        Ok(())
    })
}

/// Returns the head of messages that contain a row of this dtype and shape.
pub fn row_head(descr: &Bound<'_, PyArrayDescr>, shape: &[usize]) -> Vec<u8> {
    let kind = if shape.is_empty() { SCALAR } else { ARRAY };
    Head::new(kind, descr.num() as u8, shape).bytes().to_vec()
}

/// Returns the bytes of the elements of an array that [`plain_array`] returned.
pub fn element_bytes<'a>(array: &'a Bound<'_, PyUntypedArray>) -> &'a [u8] {
    let bytes = array.dtype().itemsize() * array.len();
    // SAFETY: callers pass arrays from `plain_array`, which are in C order. The borrow keeps the array alive, and writing needs
    // the interpreter's lock, which this thread holds.
    unsafe { std::slice::from_raw_parts(data(array), bytes) }
}

/// Encodes an object as a message, and passes the message's head and body to `write`.
fn with_value(
    value: &Bound<'_, PyAny>,
    dumps: &Bound<'_, PyAny>,
    write: impl FnOnce(&[u8], &[u8]) -> PyResult<()>,
) -> PyResult<()> {
    let (head, body): (Head, Cow<'_, [u8]>) = if value.is_none() {
        (Head::new(NONE, 0, &[]), Cow::Borrowed(&[]))
    } else if let Ok(truth) = value.cast_exact::<PyBool>() {
        (Head::new(BOOL, 0, &[]), Cow::Owned(vec![truth.is_true().into()]))
    } else if let Some(number) = value.cast_exact::<PyInt>().ok().and_then(|value| value.extract::<i64>().ok()) {
        (Head::new(INT, 0, &[]), Cow::Owned(number.to_ne_bytes().into()))
    } else if let Ok(number) = value.cast_exact::<PyFloat>() {
        (Head::new(FLOAT, 0, &[]), Cow::Owned(number.extract::<f64>()?.to_ne_bytes().into()))
    } else if let Some((head, array)) = plain_object(value)? {
        return write(head.bytes(), element_bytes(&array));
    } else {
        let pickled = dumps.call1((value,))?.cast_into::<PyBytes>()?;
        return write(Head::new(PICKLED, 0, &[]).bytes(), pickled.as_bytes());
    };
    write(head.bytes(), &body)
}

/// Returns the object as an array if it is an array or a numpy scalar; a scalar becomes an array without dimensions. Returns
/// `None` for instances of subclasses, which would lose their type.
fn plain_object<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<(Head, Bound<'py, PyUntypedArray>)>> {
    let py = value.py();
    let (kind, array) = if let Ok(array) = value.cast_exact::<PyUntypedArray>() {
        (ARRAY, array.clone())
    } else if value.hasattr("dtype")? && value.is_instance(&py.import("numpy")?.getattr("generic")?)? {
        (SCALAR, py.import("numpy")?.call_method1("asarray", (value,))?.cast_into::<PyUntypedArray>()?)
    } else {
        return Ok(None);
    };
    // An empty shape represents a scalar, so arrays without dimensions are pickled.
    if kind == ARRAY && array.ndim() == 0 {
        return Ok(None);
    }
    let Some(array) = plain_array(&array)? else { return Ok(None) };
    Ok(Some((Head::new(kind, array.dtype().num() as u8, array.shape()), array)))
}

/// Decodes the object that a message contains.
pub fn read_value<'py>(py: Python<'py>, message: &[u8], loads: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let damaged = || PyRuntimeError::new_err("an action was damaged on its way");
    let (fixed, rest) = message.split_at_checked(FIXED_BYTES).ok_or_else(damaged)?;
    let (sizes, body) = rest.split_at_checked(8 * usize::from(fixed[2])).ok_or_else(damaged)?;
    let eight = || body.first_chunk::<8>().copied().ok_or_else(damaged);
    match fixed[0] {
        NONE => Ok(py.None().into_bound(py)),
        BOOL => Ok(PyBool::new(py, body.first() == Some(&1)).to_owned().into_any()),
        INT => Ok(i64::from_ne_bytes(eight()?).into_pyobject(py)?.into_any()),
        FLOAT => Ok(f64::from_ne_bytes(eight()?).into_pyobject(py)?.into_any()),
        SCALAR | ARRAY => {
            let shape: Vec<usize> = sizes.as_chunks::<8>().0.iter().map(|size| u64::from_ne_bytes(*size) as usize).collect();
            let descr = descriptor(py, fixed[1]).ok_or_else(damaged)?;
            let elements = shape.iter().try_fold(descr.itemsize(), |bytes, size| bytes.checked_mul(*size));
            let is_one = fixed[0] == ARRAY || shape.is_empty();
            if elements != Some(body.len()) || !is_one {
                return Err(damaged());
            }
            if fixed[0] == SCALAR { scalar(&descr, body) } else { array(&descr, &shape, body) }
        }
        _ => loads.call1((to_bytes(py, body)?,)),
    }
}

/// Returns numpy's descriptor of the numeric dtype with type number `number`; `None` for other type numbers.
pub fn descriptor(py: Python<'_>, number: u8) -> Option<Bound<'_, PyArrayDescr>> {
    // SAFETY: numpy accepts any type number, and returns null for unknown numbers.
    unsafe {
        let descr = PY_ARRAY_API.PyArray_DescrFromType(py, number.into());
        let descr = Bound::from_owned_ptr_or_opt(py, descr.cast())?.cast_into_unchecked::<PyArrayDescr>();
        is_plain(&descr).then_some(descr)
    }
}

/// Creates a numpy scalar of a numeric dtype from its bytes.
///
/// # Panics
/// If `body` has another length than the dtype.
pub fn scalar<'py>(descr: &Bound<'py, PyArrayDescr>, body: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let py = descr.py();
    assert_eq!(body.len(), descr.itemsize(), "a scalar has the bytes of its dtype");
    // The buffer `element` is aligned for every numeric dtype.
    let mut element = [0_u128; 2];
    // SAFETY: no element of a numeric dtype is longer than 32 bytes (complex long double), and `body` has the dtype's length, as
    // asserted above; numpy copies it.
    unsafe {
        element.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(body.as_ptr(), body.len());
        let scalar = PY_ARRAY_API.PyArray_Scalar(py, element.as_mut_ptr().cast(), descr.as_dtype_ptr(), std::ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, scalar)
    }
}

fn array<'py>(descr: &Bound<'py, PyArrayDescr>, shape: &[usize], body: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let array = new_array(descr, shape)?;
    // SAFETY: the caller has checked that the new array has as many bytes as `body`.
    unsafe { data(&array).copy_from_nonoverlapping(body.as_ptr(), body.len()) };
    Ok(array.into_any())
}

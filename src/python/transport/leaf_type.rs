//! Dtype and shape of an observation's leaf, with methods that copy values into and out of rows.

use std::ffi::c_int;
use std::ptr;

use numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NpyTypes, PY_ARRAY_API, get_type_object, npy_intp};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyType};

/// Dtype and shape of a leaf in one environment's row.
pub struct LeafType {
    descr: Py<PyArrayDescr>,
    /// numpy type of the dtype's scalars.
    scalar: Py<PyType>,
    number: c_int,
    shape: Vec<usize>,
    /// Number of bytes of the leaf in one environment's row.
    pub bytes: usize,
}

/// Returns whether the bytes of this dtype's elements have the same meaning in every process. This holds for booleans, and for
/// real and complex numbers in native byte order.
pub fn is_plain(descr: &Bound<'_, PyArrayDescr>) -> bool {
    let number = descr.num();
    let numeric = (0..=16).contains(&number) || number == 23;
    numeric && descr.is_native_byteorder() != Some(false)
}

/// Creates an array with uninitialised contents.
pub fn new_array<'py>(descr: &Bound<'py, PyArrayDescr>, shape: &[usize]) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = descr.py();
    let mut sizes: Vec<npy_intp> = shape.iter().map(|size| *size as npy_intp).collect();
    // SAFETY: numpy allocates the memory, and takes over the reference to the descriptor, which `clone` creates.
    unsafe {
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            get_type_object(py, NpyTypes::PyArray_Type),
            descr.clone().into_dtype_ptr(),
            sizes.len() as c_int,
            sizes.as_mut_ptr(),
            ptr::null_mut(),
            ptr::null_mut(),
            0,
            ptr::null_mut(),
        );
        Ok(Bound::from_owned_ptr_or_err(py, array)?.cast_into_unchecked())
    }
}

/// Returns the address of an array's first element.
pub fn data(array: &Bound<'_, PyUntypedArray>) -> *mut u8 {
    // SAFETY: the borrow keeps the numpy array alive, so its fields can be read.
    unsafe { (*array.as_array_ptr()).fields.data.cast() }
}

/// Returns whether an array is C-contiguous and aligned.
pub fn is_contiguous(array: &Bound<'_, PyUntypedArray>) -> bool {
    const WANTED: c_int = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    // SAFETY: the borrow keeps the numpy array alive, so its fields can be read.
    unsafe { (*array.as_array_ptr()).fields.flags & WANTED == WANTED }
}

impl LeafType {
    /// Creates the type from a dtype and a shape.
    ///
    /// # Errors
    /// `TypeError` unless the dtype is a number in native byte order; `MemoryError` if a row does not fit the address space.
    pub fn new(py: Python<'_>, dtype: &Bound<'_, PyAny>, shape: Vec<usize>) -> PyResult<Self> {
        let descr = PyArrayDescr::new(py, dtype)?;
        if !is_plain(&descr) {
            return Err(PyTypeError::new_err(format!("dtype {descr}: expected a number of native byte order")));
        }
        let bytes = shape.iter().try_fold(descr.itemsize(), |bytes, size| bytes.checked_mul(*size));
        let bytes =
            bytes.ok_or_else(|| PyMemoryError::new_err(format!("shape={shape:?}: expected an observation that fits memory")))?;
        let (scalar, number) = (descr.typeobj().unbind(), descr.num());
        Ok(Self { descr: descr.unbind(), scalar, number, shape, bytes })
    }

    /// Returns numpy's descriptor of the dtype.
    pub fn descr<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArrayDescr> {
        self.descr.bind(py)
    }

    /// Returns the shape of an array of `rows` rows, or of one row for `None`.
    pub fn shape_of(&self, rows: Option<usize>) -> Vec<usize> {
        rows.into_iter().chain(self.shape.iter().copied()).collect()
    }

    /// Copies a value into a row if both have the same dtype and shape. The value is an array or, for an empty shape, a scalar.
    /// Returns whether the value was copied.
    pub fn store(&self, value: &Bound<'_, PyAny>, row: &mut [u8]) -> bool {
        assert_eq!(row.len(), self.bytes, "a row of this type");
        if let Ok(array) = value.cast::<PyUntypedArray>() {
            let fits = self.has_dtype_of(array) && array.shape() == self.shape && is_contiguous(array);
            if fits {
                // SAFETY: dtype and shape are equal, so the array has as many bytes as the row. `copy_from` allows overlap: the
                // array may be a view of the row.
                unsafe { row.as_mut_ptr().copy_from(data(array), self.bytes) };
            }
            return fits;
        }
        self.shape.is_empty() && self.store_scalar(value, row)
    }

    fn has_dtype_of(&self, array: &Bound<'_, PyUntypedArray>) -> bool {
        let descr = array.dtype();
        descr.as_dtype_ptr() == self.descr.as_ptr().cast() || (descr.num() == self.number && is_plain(&descr))
    }

    fn store_scalar(&self, value: &Bound<'_, PyAny>, row: &mut [u8]) -> bool {
        let py = value.py();
        if value.get_type().is(self.scalar.bind(py)) {
            // SAFETY: a scalar of the row's dtype has as many bytes as the row, and rows are aligned for any dtype.
            unsafe { PY_ARRAY_API.PyArray_ScalarAsCtype(py, value.as_ptr(), row.as_mut_ptr().cast()) };
            return true;
        }
        // numpy converts Python's int to int64 and Python's float to float64.
        let descr = self.descr(py);
        let integer = descr.kind() == b'i' && self.bytes == 8 && value.is_exact_instance_of::<PyInt>();
        let float = descr.kind() == b'f' && self.bytes == 8 && value.is_exact_instance_of::<PyFloat>();
        if integer && let Ok(number) = value.extract::<i64>() {
            row.copy_from_slice(&number.to_ne_bytes());
            return true;
        }
        if float && let Ok(number) = value.extract::<f64>() {
            row.copy_from_slice(&number.to_ne_bytes());
            return true;
        }
        false
    }
}

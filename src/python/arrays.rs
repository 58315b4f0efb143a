//! numpy arrays that share the engine's memory, without a copy.
//!
//! An array's `base` is a [`MemoryOwner`], which shares ownership of the memory with the batch. Every holder of an array keeps
//! the memory alive, even after the pool is dropped. Views, memoryviews and dlpack capsules of an array hold the array, too. The
//! pool writes into the memory again only after [`Array::is_untouched`] has returned that the pool is the array's only holder.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Arc;

use numpy::npyffi::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_CARRAY, NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API, PyArrayObject,
    get_type_object, npy_intp,
};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods, dtype};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;

use super::refcount;
use envpool_rs_engine::{AlignedBuffer, Dtype};

/// Python object that owns an array's memory, together with the batch.
#[pyclass(frozen, module = "envpool_rs._core")]
struct MemoryOwner(#[expect(dead_code, reason = "held for its drop")] Arc<AlignedBuffer>);

/// numpy array that this module created and may reuse.
pub struct Array {
    object: Py<PyAny>,
    /// Size and stride of each dimension.
    shape: Vec<(npy_intp, npy_intp)>,
    /// Fields of the array at its creation. A user may assign to some fields, which [`Array::is_unchanged`] detects.
    made: Fields,
}

/// A numpy array of the caller whose memory stays where it is while this value exists.
///
/// numpy resizes an array that others refer to if the caller says `refcheck=False`, and frees its memory. It resizes no array that
/// has a weak reference. (An export of the buffer does not stop it.)
pub struct PinnedArray {
    _array: Py<PyUntypedArray>,
    _reference: Py<PyWeakrefReference>,
}

impl PinnedArray {
    /// Pins an array.
    pub fn new(array: &Bound<'_, PyUntypedArray>) -> PyResult<Self> {
        Ok(Self { _array: array.clone().unbind(), _reference: PyWeakrefReference::new(array)?.unbind() })
    }

    /// Pins several arrays.
    pub fn all<'a, 'py: 'a>(arrays: impl IntoIterator<Item = &'a Bound<'py, PyUntypedArray>>) -> PyResult<Vec<Self>> {
        arrays.into_iter().map(Self::new).collect()
    }
}

/// Fields of an array that show whether the array is unchanged since its creation.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fields {
    data: *mut std::ffi::c_char,
    nd: c_int,
    dimensions: *mut npy_intp,
    base: *mut pyo3::ffi::PyObject,
    descr: *mut c_void,
    flags: c_int,
    weak: *mut pyo3::ffi::PyObject,
}

// SAFETY: the addresses are used only under the interpreter's lock: the callers (`results`, `agent_rows`) hold a `Python` token.
unsafe impl Send for Array {}
// SAFETY: the addresses are used only under the interpreter's lock: the callers (`results`, `agent_rows`) hold a `Python` token.
unsafe impl Sync for Array {}

impl Fields {
    /// Reads the fields of a numpy array.
    ///
    /// # Safety
    /// `array` must be a live numpy array.
    #[inline(always)]
    unsafe fn read(array: *mut PyArrayObject) -> Self {
        // SAFETY: the caller guarantees that `array` is a live numpy array.
        let fields = unsafe { &(*array).fields };
        Self {
            data: fields.data,
            nd: fields.nd,
            dimensions: fields.dimensions,
            base: fields.base,
            descr: fields.descr.cast(),
            flags: fields.flags,
            weak: fields.weakreflist,
        }
    }
}

/// Returns numpy's descriptor of an element type.
pub fn descriptor(py: Python<'_>, of: Dtype) -> Bound<'_, PyArrayDescr> {
    match of {
        Dtype::Bool => dtype::<bool>(py),
        Dtype::U8 => dtype::<u8>(py),
        Dtype::I8 => dtype::<i8>(py),
        Dtype::I16 => dtype::<i16>(py),
        Dtype::I32 => dtype::<i32>(py),
        Dtype::I64 => dtype::<i64>(py),
        Dtype::F32 => dtype::<f32>(py),
        Dtype::F64 => dtype::<f64>(py),
        Dtype::Raw(bytes) => PyArrayDescr::new(py, format!("V{bytes}")).expect("numpy has elements of any size"),
    }
}

impl Array {
    /// Creates a writable, C-contiguous array over the start of `memory`.
    pub fn new(memory: &Arc<AlignedBuffer>, descr: &Bound<'_, PyArrayDescr>, shape: &[usize]) -> PyResult<Self> {
        let py = descr.py();
        let shape: Vec<npy_intp> = shape.iter().map(|size| *size as npy_intp).collect();
        let owner = Py::new(py, MemoryOwner(Arc::clone(memory)))?;
        // SAFETY: `AlignedBuffer` is aligned for every element type and holds at least the elements of `shape`: no result has
        // more rows than its batch. The buffer lives as long as the base, whose reference `PyArray_SetBaseObject` takes over;
        // `NewFromDescr` takes over the descriptor's reference.
        unsafe {
            let api = &PY_ARRAY_API;
            let object = api.PyArray_NewFromDescr(
                py,
                get_type_object(py, NpyTypes::PyArray_Type),
                descr.clone().into_dtype_ptr(),
                shape.len() as c_int,
                shape.as_ptr().cast_mut(),
                ptr::null_mut(),
                memory.data().cast(),
                NPY_ARRAY_CARRAY,
                ptr::null_mut(),
            );
            let object = Bound::from_owned_ptr_or_err(py, object)?;
            if api.PyArray_SetBaseObject(py, object.as_ptr().cast(), owner.into_ptr()) < 0 {
                return Err(PyErr::fetch(py));
            }
            let array: *mut PyArrayObject = object.as_ptr().cast();
            let strides = std::slice::from_raw_parts((*array).fields.strides, shape.len());
            let shape = shape.into_iter().zip(strides.iter().copied()).collect();
            Ok(Self { object: object.unbind(), shape, made: Fields::read(array) })
        }
    }

    /// Makes the array read-only for Python code.
    pub fn read_only(mut self) -> Self {
        let array: *mut PyArrayObject = self.object.as_ptr().cast();
        // SAFETY: the array is live, and `self` is its only holder until other code gets the array.
        unsafe { (*array).fields.flags &= !NPY_ARRAY_WRITEABLE };
        self.made.flags &= !NPY_ARRAY_WRITEABLE;
        self
    }

    /// Returns the numpy array as a Python object.
    #[inline]
    pub fn object(&self) -> &Py<PyAny> {
        &self.object
    }

    /// Wraps a numpy array that was created by other code.
    pub fn made(array: Bound<'_, PyUntypedArray>) -> Self {
        let object: *mut PyArrayObject = array.as_array_ptr();
        let sizes = array.shape().iter().map(|size| *size as npy_intp);
        let shape = sizes.zip(array.strides().iter().copied()).collect();
        // SAFETY: `array` is a live numpy array, kept alive by its owned reference.
        let made = unsafe { Fields::read(object) };
        Self { object: array.into_any().unbind(), shape, made }
    }

    /// Returns the address of the array's first element.
    pub fn data(&self) -> *mut u8 {
        self.made.data.cast()
    }

    /// Returns whether another array is C-contiguous and has the same type and shape.
    pub fn is_like(&self, other: &Bound<'_, PyUntypedArray>) -> bool {
        let sizes = self.shape.iter().map(|(size, _)| *size as usize);
        // SAFETY: `other` is a live numpy array, kept alive by its borrow.
        let fields = unsafe { Fields::read(other.as_array_ptr()) };
        fields.descr == self.made.descr && fields.flags & NPY_ARRAY_C_CONTIGUOUS != 0 && sizes.eq(other.shape().iter().copied())
    }

    /// Returns whether the array is unchanged since its creation and has exactly `owners` references, all of which the pool
    /// holds.
    #[inline(always)]
    pub fn is_unchanged(&self, owners: u32) -> bool {
        refcount::count(self.object.as_ptr()) == owners && self.is_unmodified()
    }

    /// Returns whether the array is unchanged since its creation.
    #[inline(always)]
    pub fn is_unmodified(&self) -> bool {
        let array: *mut PyArrayObject = self.object.as_ptr().cast();
        // SAFETY: `self.object` keeps the array alive. Its dimensions and strides have `nd` entries each, and `nd` is compared
        // first (in `Fields`).
        unsafe {
            Fields::read(array) == self.made
                && self.shape.iter().enumerate().all(|(axis, (size, stride))| {
                    *self.made.dimensions.add(axis) == *size && *(*array).fields.strides.add(axis) == *stride
                })
        }
    }

    /// Returns whether [`is_unchanged`](Self::is_unchanged) holds and the array is the only holder of its [`MemoryOwner`].
    #[inline(always)]
    pub fn is_untouched(&self, owners: u32) -> bool {
        self.is_unchanged(owners) && refcount::count(self.made.base) == 1
    }
}

/// Returns the elements of a C-contiguous, aligned array of exactly this type and native byte order. Returns `None` for any other
/// array.
///
/// The numpy crate's `cast` and `readonly` would do the same, but keep a table of borrowed arrays, which costs 50 ns.
#[inline]
pub fn elements<'a, T: numpy::Element>(array: &'a Bound<'_, PyUntypedArray>) -> Option<&'a [T]> {
    const WANTED: c_int = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    // SAFETY: the borrow keeps the array alive; its type (numpy has one descriptor for each native type) and memory order are
    // checked below. No thread writes into the array while the slice is in use, because writing needs the interpreter's lock,
    // which this thread holds. `refcount::require_lock` has checked at import that the lock exists. If another thread lets numpy
    // write into the array without the lock during a step, the step uses old or new values; `ActionColumn::fill` refuses an array
    // that changes while it reads.
    unsafe {
        let fields = &(*array.as_array_ptr()).fields;
        if fields.flags & WANTED != WANTED || fields.descr != dtype::<T>(array.py()).as_dtype_ptr() {
            return None;
        }
        let len = (0..fields.nd as usize).map(|axis| *fields.dimensions.add(axis) as usize).product();
        if len == 0 {
            return Some(&[]);
        }
        Some(std::slice::from_raw_parts(fields.data.cast(), len))
    }
}

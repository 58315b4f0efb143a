//! Arrays of [`MujocoBatch`](super::MujocoBatch): checks of arguments, and allocation of results.

use std::ffi::c_int;
use std::sync::Arc;

use numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{Array, descriptor, elements};
use crate::raise::OrRaise;
use envpool_rs_engine::{AlignedBuffer, Dtype, check_fits};
use envpool_rs_sim_mujoco::batch::{Rows, Stage};

/// Memory of an array: address and size in bytes.
pub struct Memory(*mut u8, usize);

fn memory(array: &Bound<'_, PyUntypedArray>, name: &str, wanted: c_int) -> PyResult<Memory> {
    // SAFETY: the borrow of `array` keeps the numpy array alive, so its fields can be read.
    let fields = unsafe { &(*array.as_array_ptr()).fields };
    if fields.flags & wanted != wanted || !array.dtype().is_native_byteorder().unwrap_or(true) {
        let text = format!("{name}: expected a C-contiguous array of native numbers, writable for results");
        return Err(PyTypeError::new_err(text));
    }
    Ok(Memory(fields.data.cast(), array.len() * array.dtype().itemsize()))
}

/// Checks an array that a call reads, and returns its memory.
pub fn constant(array: &Bound<'_, PyUntypedArray>, name: &str) -> PyResult<Memory> {
    memory(array, name, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED)
}

/// Checks an array that a call writes into, and returns its memory.
pub fn mutable(array: &Bound<'_, PyUntypedArray>, name: &str) -> PyResult<Memory> {
    memory(array, name, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE)
}

/// Returns the rows of an array, which must hold `count` rows of `bytes` bytes each.
pub fn rows(Memory(data, size): Memory, name: &str, count: usize, bytes: usize) -> PyResult<Rows> {
    if count.checked_mul(bytes) != Some(size) {
        return Err(PyValueError::new_err(format!("{name} has {size} bytes: expected {count} rows of {bytes}")));
    }
    // SAFETY: the check above ensures that the array holds `count` rows, and the caller pins the array during the call
    // (`PinnedArray`).
    Ok(unsafe { Rows::new(data, bytes) })
}

/// Returns the ids of the simulations that a call applies to; all ids for `None`. The ids must be in ascending order.
pub fn ids_of(ids: Option<&Bound<'_, PyUntypedArray>>, nsim: usize) -> PyResult<Vec<usize>> {
    let Some(ids) = ids else { return Ok((0..nsim).collect()) };
    let ids = elements::<i32>(ids).ok_or_else(|| PyTypeError::new_err("ids: expected a contiguous array of int32"))?;
    let found: Vec<_> = ids.iter().filter_map(|id| usize::try_from(*id).ok().filter(|id| *id < nsim)).collect();
    if found.len() != ids.len() || !found.is_sorted_by(|one, next| one < next) {
        return Err(PyValueError::new_err(format!("ids: expected increasing numbers in [0, {nsim})")));
    }
    Ok(found)
}

/// Returns the stage with this number in MuJoCo's enum `mjtStage`.
pub fn stage_of(stage: i32) -> PyResult<Stage> {
    match stage {
        0 => Ok(Stage::None),
        1 => Ok(Stage::Position),
        2 => Ok(Stage::Velocity),
        3 => Ok(Stage::Acceleration),
        _ => Err(PyValueError::new_err(format!("stage={stage}: expected an mjtStage: 0 to 3"))),
    }
}

/// Allocates an array of the given shape, of elements of type `of` with `width` bytes each. The first dimension is the simulations.
///
/// # Errors
/// `MemoryError` if the array does not fit into the machine's memory.
pub(super) fn allocate(py: Python<'_>, of: Dtype, shape: &[usize], width: usize) -> PyResult<(Arc<AlignedBuffer>, Py<PyAny>)> {
    let bytes = shape.iter().try_fold(width, |product, size| product.checked_mul(*size));
    let bytes = bytes.filter(|bytes| isize::try_from(*bytes).is_ok());
    let bytes = bytes.ok_or_else(|| PyValueError::new_err(format!("nsim={}: expected fewer simulations", shape[0])))?;
    check_fits(bytes as u128, &format!("an array of nsim={}", shape[0])).or_raise()?;
    let memory = Arc::new(AlignedBuffer::new(bytes).or_raise()?);
    let array = Array::new(&memory, &descriptor(py, of), shape)?;
    let object = array.object().clone_ref(py);
    Ok((memory, object))
}

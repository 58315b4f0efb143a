//! Arrays of [`MujocoBatch`](super::MujocoBatch): checks of arguments, and allocation of results.

use std::sync::Arc;

use numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{Array, descriptor, elements};
use crate::raise::OrRaise;
use envpool_rs_engine::{AlignedBuffer, Dtype, check_fits};
use envpool_rs_sim_mujoco::batch::{Rows, Stage};

/// Reason why an array is refused: a `TypeError` for another dtype or memory order, a `ValueError` for another shape.
pub enum Refused {
    Type(String),
    Shape(String),
}

impl Refused {
    /// Returns the error as a `ValueError` in both cases.
    pub fn into_value_error(self) -> PyErr {
        let (Self::Type(text) | Self::Shape(text)) = self;
        PyValueError::new_err(text)
    }
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Type(text) => PyTypeError::new_err(text),
            refused => refused.into_value_error(),
        }
    }
}

/// Returns the rows of an array, which must have the dtype `of` and the given shape, and be writable for a result. The first
/// dimension is the simulations of the call.
pub fn rows(
    array: &Bound<'_, PyUntypedArray>,
    name: &str,
    of: &Bound<'_, PyArrayDescr>,
    shape: &[usize],
    is_result: bool,
) -> Result<Rows, Refused> {
    let wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | if is_result { NPY_ARRAY_WRITEABLE } else { 0 };
    // SAFETY: the borrow of `array` keeps the numpy array alive, so its fields can be read.
    let fields = unsafe { &(*array.as_array_ptr()).fields };
    if fields.flags & wanted != wanted || !array.dtype().is_equiv_to(of) {
        let kind = if is_result { "writable C-contiguous" } else { "C-contiguous" };
        return Err(Refused::Type(format!("{name}: expected a {kind} array of {of}")));
    }
    if array.shape() != shape {
        let shown = |shape: &[usize]| shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        return Err(Refused::Shape(format!("{name} must have shape ({}), got ({})", shown(shape), shown(array.shape()))));
    }
    let bytes = shape[1..].iter().product::<usize>() * of.itemsize();
    // SAFETY: the checks above ensure that the array holds rows of `bytes` bytes, and the caller pins the array during the call
    // (`PinnedArray`).
    Ok(unsafe { Rows::new(fields.data.cast(), bytes) })
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

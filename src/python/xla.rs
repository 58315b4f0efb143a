//! Functions that return the handlers for `jax.ffi`, and the parameters with which XLA programs use a pool.

use std::ffi::c_void;
use std::ptr::NonNull;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};

use super::convert::to_bytes;
use super::pool::Pool;
use super::results::column_name;
use envpool_rs_engine::Column;
use envpool_rs_interop::xla::{HANDLERS, OTHER_PLATFORMS};

/// Platform of AMD's GPUs, by jax's name. Calls on this platform return an error message.
const REFUSED_PLATFORM: &str = "ROCM";

/// Returns the handlers that Python registers with jax: name, platform and capsule of each.
#[pyfunction]
pub fn xla_handlers(py: Python<'_>) -> PyResult<Vec<(&'static str, &'static str, Bound<'_, PyCapsule>)>> {
    let mut all = Vec::new();
    for named in HANDLERS {
        all.push((named.name, "cpu", capsule(py, named.handler as *mut c_void)?));
        all.push((named.name, "CUDA", capsule(py, named.cuda_handler as *mut c_void)?));
        all.push((named.name, REFUSED_PLATFORM, capsule(py, OTHER_PLATFORMS as *mut c_void)?));
    }
    Ok(all)
}

fn capsule(py: Python<'_>, function: *mut c_void) -> PyResult<Bound<'_, PyCapsule>> {
    let address = NonNull::new(function).expect("functions have addresses");
    // SAFETY: the address is that of a function, so it stays valid as long as the process runs; jax calls the capsule's pointer
    // as this function.
    unsafe { PyCapsule::new_with_pointer(py, address, c"xla._CUSTOM_CALL_TARGET") }
}

/// Description of one array of a result: name, dtype, number of rows for each environment, and shape of a row.
type Array<'py> = (&'static str, &'static str, usize, Bound<'py, PyTuple>);

/// Returns the parameters with which XLA programs use a pool: its number, its handle, and the arrays of a result.
#[pyfunction]
pub fn xla_exposure<'py>(py: Python<'py>, pool: &Pool) -> PyResult<(i64, Bound<'py, PyBytes>, Vec<Array<'py>>)> {
    let exposed = pool.exposed()?;
    let columns = exposed.results().iter().map(|index| &exposed.pool().layout().columns[*index]);
    let array =
        |column: &Column| Ok((column_name(column.role), column.dtype.name(), column.rows, PyTuple::new(py, &column.shape)?));
    let arrays: PyResult<_> = columns.map(array).collect();
    Ok((exposed.number(), to_bytes(py, &exposed.handle())?, arrays?))
}

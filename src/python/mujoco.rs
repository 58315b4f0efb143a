//! MuJoCo's library, as Python's package has it.

use std::path::PathBuf;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

use crate::sim::mujoco::kernels::{self, Kernel, Kernels};
use crate::sim::mujoco::{
    install,
    numeric::{self, Dots},
    programs,
};

/// Opens the library at `path`, whose structs are laid out as `layout` says, adds up as numpy does in `squares` (vectors and their
/// products with themselves), multiplies as it does (whether a Python float times a number of single precision is one of single precision),
/// and computes functions by numpy's own loops: their names, the loops' addresses and those of their data.
///
/// # Errors
/// `ImportError` where it cannot be used.
#[pyfunction]
pub fn install_mujoco(
    path: PathBuf,
    layout: &str,
    squares: Vec<(Vec<f64>, f64)>,
    keeps_single: bool,
    kernels: Vec<(String, usize, usize)>,
) -> PyResult<i32> {
    // SAFETY: Python's package says where its own library lies and what its structs look like, and has checked that.
    let library = unsafe { install(&path, layout) }.map_err(|fault| PyImportError::new_err(fault.to_string()))?;
    if let Some(way) = Dots::that_give(&squares) {
        way.adopt();
    }
    numeric::adopt_products(keeps_single);
    let find = |name: &str| {
        let (_, function, data) = kernels.iter().find(|(each, function, _)| each == name && *function != 0)?;
        // SAFETY: numpy says where its own loops for numbers of double precision lie.
        Some(unsafe { Kernel::at(*function, *data) })
    };
    if let Some(found) = Kernels::found(find) {
        kernels::adopt(found);
    }
    Ok(library.version())
}

/// The functions that are computed by numpy's own code.
#[pyfunction]
pub fn numpy_kernels() -> Vec<&'static str> {
    Kernels::NAMES.to_vec()
}

/// Lets `program` make the models of which there are no files: it is called with their names, and gives their text.
#[pyfunction]
pub fn make_models_with(program: Py<PyAny>) {
    programs::make_with(Box::new(move |name| {
        Python::attach(|py| program.call1(py, (name,))?.extract::<String>(py)).map_err(|error| error.to_string())
    }));
}

//! MuJoCo's library, as Python's package has it.

use std::path::PathBuf;

use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::prelude::*;

use super::callbacks;
use envpool_rs_sim_mujoco::kernels::{self, Kernel, Kernels};
use envpool_rs_sim_mujoco::{
    install, live_simulations,
    numeric::{self, Dots},
    programs,
    render::{self, backend},
    signatures,
};

/// Opens the library at `path`, whose structs are laid out as `layout` says, adds up as numpy does in `products` of vectors and in
/// `matrix_products` (rows, columns, elements), multiplies as it does (whether a Python float times a number of single precision is one of
/// single precision), and computes functions by numpy's own loops: their names, the loops' addresses and those of their data.
///
/// # Errors
/// `ImportError` where it cannot be used.
#[pyfunction]
fn install_mujoco(
    path: PathBuf,
    layout: &str,
    products: Vec<(Vec<f64>, Vec<f64>, f64)>,
    matrix_products: Vec<(Vec<f64>, Vec<f64>, f64)>,
    keeps_single: bool,
    kernels: Vec<(String, usize, usize)>,
) -> PyResult<i32> {
    // SAFETY: Python's package says where its own library lies and what its structs look like, and has checked that.
    let library = unsafe { install(&path, layout) }.map_err(|fault| PyImportError::new_err(fault.to_string()))?;
    if let Some(way) = Dots::that_give(&products) {
        way.adopt();
    }
    if let Some(way) = Dots::that_give(&matrix_products) {
        way.adopt_for_matrices();
    }
    numeric::adopt_products(keeps_single);
    let find = |name: &str| {
        let (_, function, data) = kernels.iter().find(|(each, function, _)| each == name && *function != 0)?;
        // SAFETY: `envpool_rs._spec` passes the addresses of numpy's own loops for float64, and is the only caller: the function is
        // private to this module, and `_core` is not a public module.
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

/// Lists the functions that are looked up in the library: name, types of the arguments and of the result, as Rust text.
#[pyfunction]
fn mujoco_signatures() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    signatures().map(|function| (function.name, function.arguments.to_vec(), function.result)).collect()
}

/// Counts the simulations that this process has made and not ended.
#[pyfunction]
fn mujoco_simulations() -> usize {
    live_simulations()
}

/// Lets `program` make the models of which there are no files: it is called with their names, and gives their text.
#[pyfunction]
pub fn make_models_with(program: Py<PyAny>) {
    programs::make_with(Box::new(move |name| {
        let made = Python::attach(|py| {
            let _entered = callbacks::enter(py);
            program.call1(py, (name,))?.extract::<String>(py)
        });
        made.map_err(|error: PyErr| error.to_string())
    }));
}

/// The GL that MuJoCo's pictures are drawn by: "egl" or "osmesa".
///
/// # Errors
/// `RuntimeError` where there is none.
#[pyfunction]
pub fn picture_backend() -> PyResult<&'static str> {
    backend().map_err(|fault| PyRuntimeError::new_err(fault.to_string()))
}

/// How long the end of the interpreter waits for pictures that are being drawn. One takes some milliseconds.
const LONGEST_PICTURE: std::time::Duration = std::time::Duration::from_secs(5);

/// Lets nobody draw from now on, and waits until nobody does.
#[pyfunction]
fn end_pictures(py: Python<'_>) {
    py.detach(|| render::end(LONGEST_PICTURE));
}

/// Has the interpreter do so when it ends: pools that are alive then may be drawing, which a driver that takes itself down does not survive.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(install_mujoco, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco_signatures, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco_simulations, module)?)?;
    let end = wrap_pyfunction!(end_pictures, module)?;
    module.py().import("atexit")?.call_method1("register", (end,)).map(|_| ())
}

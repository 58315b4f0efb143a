//! Loads MuJoCo's library from the Python package `mujoco`, and configures the simulators.

use std::path::PathBuf;

use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use super::callbacks;
use envpool_rs_numeric::numpy::{self, DotRounding};
use envpool_rs_numeric::numpy_ufuncs::{self, Kernels, Ufunc};
use envpool_rs_sim_mujoco::{
    install, is_expandable, live_simulations, model_generator,
    render::{self, backend},
    signatures,
};

/// Opens MuJoCo's library at `path`, and makes the simulators compute the same bits as the installed numpy.
///
/// `layout` describes the library's structs. `products` and `matrix_products` (rows, columns, elements) are numpy's dot products
/// of sample vectors and matrices. The simulators use the kind of summation, with or without fused multiply-add, that gives the
/// same results. `keeps_single` says whether the product of a Python float and a numpy float32 is a float32. `kernels` lists
/// numpy's inner loops: name, address of the function, address of its data. Returns the library's version.
///
/// # Errors
/// `ImportError` if the library cannot be used.
#[pyfunction]
fn install_mujoco(
    path: PathBuf,
    layout: &str,
    products: Vec<(Vec<f64>, Vec<f64>, f64)>,
    matrix_products: Vec<(Vec<f64>, Vec<f64>, f64)>,
    keeps_single: bool,
    kernels: Vec<(String, usize, usize)>,
) -> PyResult<i32> {
    // SAFETY: `envpool_rs._spec`, the only caller, passes MuJoCo's library of the Python package `mujoco` and the layout of its
    // structs, and has checked both.
    let library = unsafe { install(&path, layout) }.map_err(|fault| PyImportError::new_err(fault.to_string()))?;
    if let Some(rounding) = DotRounding::that_give(&products) {
        rounding.adopt();
    }
    if let Some(rounding) = DotRounding::that_give(&matrix_products) {
        rounding.adopt_for_matrices();
    }
    numpy::adopt_products(keeps_single);
    adopt_numpy_kernels(kernels);
    Ok(library.version())
}

/// Makes environments call numpy's inner loops, listed by name, address of the function, address of its data.
#[pyfunction]
pub fn adopt_numpy_kernels(kernels: Vec<(String, usize, usize)>) {
    let find = |name: &str| {
        let (_, function, data) = kernels.iter().find(|(each, function, _)| each == name && *function != 0)?;
        // SAFETY: `envpool_rs._spec` passes the addresses of numpy's own loops, and is the only caller: the function
        // is private to this module, and `_core` is not a public module.
        Some(unsafe { Ufunc::at(*function, *data) })
    };
    if let Some(found) = Kernels::found(find) {
        numpy_ufuncs::adopt(found);
    }
}

/// Returns the names of the numpy functions whose inner loops the simulators call.
#[pyfunction]
pub fn numpy_kernels() -> Vec<&'static str> {
    Kernels::NAMES.to_vec()
}

/// Returns those of `names`, fields of `mjModel`, of which each simulation of a batch can have its own values.
#[pyfunction]
fn mujoco_expandable(names: Vec<String>) -> Vec<String> {
    names.into_iter().filter(|name| is_expandable(name)).collect()
}

/// Returns the functions that are looked up in MuJoCo's library: name, argument types and result type, in Rust syntax.
#[pyfunction]
fn mujoco_signatures() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    signatures().map(|function| (function.name, function.arguments.to_vec(), function.result)).collect()
}

/// Returns the number of MuJoCo simulations that exist in this process.
#[pyfunction]
fn mujoco_simulations() -> usize {
    live_simulations()
}

/// Sets the Python callable that generates models for which no file exists. Its argument is a model's name, and it returns the
/// model's XML or MJB as bytes.
#[pyfunction]
pub fn make_models_with(program: Py<PyAny>) {
    model_generator::set_generator(Box::new(move |name| {
        let made = Python::attach(|py| {
            let _entered = callbacks::enter(py);
            Ok(program.call1(py, (name,))?.extract::<PyBackedBytes>(py)?.to_vec())
        });
        made.map_err(|error: PyErr| error.to_string())
    }));
}

/// Returns the OpenGL platform that renders MuJoCo's frames: "egl" or "osmesa".
///
/// # Errors
/// `RuntimeError` if no OpenGL platform is available.
#[pyfunction]
pub fn picture_backend() -> PyResult<&'static str> {
    backend().map_err(|fault| PyRuntimeError::new_err(fault.to_string()))
}

/// Longest time to wait for running renders when the interpreter ends. One render takes some milliseconds.
const MAX_RENDER_WAIT: std::time::Duration = std::time::Duration::from_secs(5);

/// Blocks further renders, and waits until running renders have finished, but at most 5 s.
#[pyfunction]
fn end_pictures(py: Python<'_>) {
    py.detach(|| render::end(MAX_RENDER_WAIT));
}

/// Registers the functions of this file with the module. Registers `end_pictures` with `atexit`, because a pool that renders
/// while the OpenGL driver unloads itself would crash the process.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(install_mujoco, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco_signatures, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco_expandable, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco_simulations, module)?)?;
    let end = wrap_pyfunction!(end_pictures, module)?;
    module.py().import("atexit")?.call_method1("register", (end,)).map(|_| ())
}

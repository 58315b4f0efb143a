//! MuJoCo's library, as Python's package has it.

use std::path::PathBuf;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

use crate::sim::mujoco::{install, numeric::Dots};

/// Opens the library at `path`, whose structs are laid out as `layout` says, and adds up as numpy does in `squares`: vectors and their
/// products with themselves.
///
/// # Errors
/// `ImportError` where it cannot be used.
#[pyfunction]
pub fn install_mujoco(path: PathBuf, layout: &str, squares: Vec<(Vec<f64>, f64)>) -> PyResult<i32> {
    // SAFETY: Python's package says where its own library lies and what its structs look like, and has checked that.
    let library = unsafe { install(&path, layout) }.map_err(|fault| PyImportError::new_err(fault.to_string()))?;
    if let Some(way) = Dots::that_give(&squares) {
        way.adopt();
    }
    Ok(library.version())
}

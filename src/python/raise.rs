//! Maps errors of the crates below to Python exceptions.

use pyo3::{PyErr, PyResult};

/// An error with a Python exception.
pub(crate) trait Raise {
    /// Returns the Python exception.
    fn into_py_err(self) -> PyErr;
}

/// A result whose error has a Python exception.
pub(crate) trait OrRaise<T> {
    /// Replaces an error by its Python exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Raise> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(Raise::into_py_err)
    }
}

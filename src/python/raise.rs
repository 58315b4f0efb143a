//! Maps errors of other crates to Python exceptions.

use pyo3::{PyErr, PyResult};

/// Error that can be converted to a Python exception.
pub(crate) trait Raise {
    /// Converts the error to a Python exception.
    fn into_py_err(self) -> PyErr;
}

/// Result whose error can be converted to a Python exception.
pub(crate) trait OrRaise<T> {
    /// Replaces an error by its Python exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Raise> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(Raise::into_py_err)
    }
}

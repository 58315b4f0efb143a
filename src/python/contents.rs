//! Dicts and tuples of results, and checks whether another owner holds or has changed them.

use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::refcount;

/// Dict or tuple that this crate created and may reuse.
pub struct Container {
    object: Py<PyAny>,
    contents: Contents,
}

/// Recorded contents of a container, with which changes are detected.
pub enum Contents {
    /// Contents of a tuple, which never changes.
    Fixed,
    /// Addresses of keys and values, in order. Comparing them detects changes that keep the length: a renamed key, two swapped
    /// values. Keys and values have other owners as long as the recorded addresses are used, so their addresses are not reused.
    Entries(Vec<(usize, usize)>),
}

impl Container {
    /// Wraps a dict whose keys are interned and whose values the result owns.
    pub fn dict(dict: &Bound<'_, PyDict>) -> Self {
        let entries = dict.iter().map(|(key, value)| (key.as_ptr() as usize, value.as_ptr() as usize)).collect();
        Self { object: dict.clone().into_any().unbind(), contents: Contents::Entries(entries) }
    }

    /// Wraps a tuple.
    pub fn tuple(tuple: &Bound<'_, PyTuple>) -> Self {
        Self { object: tuple.clone().into_any().unbind(), contents: Contents::Fixed }
    }

    /// Visits the dict or tuple, for the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.object)
    }

    /// Returns the dict or tuple as a Python object.
    pub fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.object.bind(py).clone()
    }

    /// Returns the address of the dict or tuple.
    pub fn as_ptr(&self) -> *mut ffi::PyObject {
        self.object.as_ptr()
    }

    /// Returns whether the dict or tuple has unchanged contents and exactly `owners` references, all of which the pool holds.
    #[inline]
    pub fn is_untouched(&self, py: Python<'_>, owners: u32) -> bool {
        refcount::count(self.object.as_ptr()) == owners && self.is_unmodified(py)
    }

    /// Returns whether the dict or tuple still has the contents that the pool stored in it.
    #[inline]
    pub fn is_unmodified(&self, py: Python<'_>) -> bool {
        match &self.contents {
            Contents::Fixed => true,
            Contents::Entries(entries) => self.has_entries(py, entries),
        }
    }

    #[inline]
    fn has_entries(&self, _lock: Python<'_>, entries: &[(usize, usize)]) -> bool {
        let (mut position, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
        let mut next = || {
            // SAFETY: `Container::dict` is the only constructor of `Entries`, so the object is a dict; `_lock` proves that the
            // interpreter's lock is held, and nothing here changes the dict.
            let found = unsafe { ffi::PyDict_Next(self.object.as_ptr(), &mut position, &mut key, &mut value) };
            (found != 0).then_some((key as usize, value as usize))
        };
        entries.iter().all(|entry| next() == Some(*entry)) && next().is_none()
    }
}

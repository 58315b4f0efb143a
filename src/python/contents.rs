//! Dicts and tuples that results are made of: whether anyone else holds or has changed them.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::refcount;

/// A dict or tuple that we made and may use again.
pub struct Container {
    object: Py<PyAny>,
    contents: Contents,
}

/// What is in it.
pub enum Contents {
    /// Whatever it was made of: a tuple never changes.
    Fixed,
    /// Addresses of keys and values, in order. Comparing them notices what the length does not: a renamed key, two values that were
    /// swapped. Keys and values are held elsewhere for as long as this is, so that their addresses stay theirs.
    Entries(Vec<(usize, usize)>),
}

impl Container {
    /// Around a dict of interned keys and objects of ours.
    pub fn dict(dict: &Bound<'_, PyDict>) -> Self {
        let entries = dict.iter().map(|(key, value)| (key.as_ptr() as usize, value.as_ptr() as usize)).collect();
        Self { object: dict.clone().into_any().unbind(), contents: Contents::Entries(entries) }
    }

    /// Around a tuple.
    pub fn tuple(tuple: &Bound<'_, PyTuple>) -> Self {
        Self { object: tuple.clone().into_any().unbind(), contents: Contents::Fixed }
    }

    /// The dict or tuple.
    pub fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.object.bind(py).clone()
    }

    /// Whether `owners` references, all of them ours, are the only ones, and its contents are what they were.
    #[inline]
    pub fn is_untouched(&self, py: Python<'_>, owners: u32) -> bool {
        refcount::count(self.object.as_ptr()) == owners
            && match &self.contents {
                Contents::Fixed => true,
                Contents::Entries(entries) => self.holds(py, entries),
            }
    }

    #[inline]
    fn holds(&self, _lock: Python<'_>, entries: &[(usize, usize)]) -> bool {
        let (mut position, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
        let mut next = || {
            // SAFETY: the object is a dict, the interpreter's lock is held, and nothing here changes the dict.
            let found = unsafe { ffi::PyDict_Next(self.object.as_ptr(), &mut position, &mut key, &mut value) };
            (found != 0).then_some((key as usize, value as usize))
        };
        entries.iter().all(|entry| next() == Some(*entry)) && next().is_none()
    }
}

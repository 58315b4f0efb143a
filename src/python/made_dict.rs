//! Dicts that we made and may hand out again, as long as nobody changed them.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::refcount;

/// A dict and the entries that it was made with.
pub struct MadeDict {
    dict: Py<PyDict>,
    /// Addresses of keys and values, in order.
    entries: Vec<Entry>,
}

type Entry = [usize; 2];

impl MadeDict {
    /// Remembers the entries of `dict`; keys and values have to outlive this.
    pub fn new(dict: &Bound<'_, PyDict>) -> Self {
        let mut entries = Vec::with_capacity(dict.len());
        for_each_entry(dict, |entry| {
            entries.push(entry);
            true
        });
        Self { dict: dict.clone().unbind(), entries }
    }

    /// The dict.
    #[inline]
    pub fn object(&self) -> &Py<PyDict> {
        &self.dict
    }

    /// Whether `owners` references, all of them ours, are the only ones, and the dict holds what it was made with.
    ///
    /// Comparing lengths would not do: `info["x"] = info.pop("env_id")` and a swap of two values keep it.
    #[inline]
    pub fn is_untouched(&self, py: Python<'_>, owners: u32) -> bool {
        if refcount::count(self.dict.as_ptr()) != owners {
            return false;
        }
        let mut expected = self.entries.iter();
        for_each_entry(self.dict.bind(py), |entry| expected.next() == Some(&entry)) && expected.next().is_none()
    }
}

/// Calls `look` with each entry until it returns false; whether it never did.
#[inline]
fn for_each_entry(dict: &Bound<'_, PyDict>, mut look: impl FnMut(Entry) -> bool) -> bool {
    let (mut position, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: the dict lives and the interpreter's lock is held; `look` only reads the (borrowed) addresses, so that the dict stays
    // as it is meanwhile.
    while unsafe { ffi::PyDict_Next(dict.as_ptr(), &mut position, &mut key, &mut value) } != 0 {
        if !look([key.addr(), value.addr()]) {
            return false;
        }
    }
    true
}

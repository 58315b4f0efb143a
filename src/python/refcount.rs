//! Reference counts: whether anyone but us still holds an object.
//!
//! Where they cannot tell (free-threaded builds, other interpreters), nothing is ever taken for unreferenced, and every result is made
//! of fresh objects.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// Whether counts are exact here. Set once, while the module is imported.
static EXACT: AtomicBool = AtomicBool::new(false);

/// Finds out whether reference counts can be relied upon.
pub fn detect(py: Python<'_>) -> PyResult<()> {
    let sys = py.import("sys")?;
    let name: String = sys.getattr("implementation")?.getattr("name")?.extract()?;
    let free_threaded =
        sys.getattr("abiflags").and_then(|flags| flags.extract::<String>()).is_ok_and(|flags| flags.contains('t'));
    let layout = cfg!(all(target_pointer_width = "64", target_endian = "little"));
    EXACT.store(name == "cpython" && !free_threaded && layout, Ordering::Relaxed);
    Ok(())
}

/// Whether counts are exact here.
pub fn is_exact() -> bool {
    EXACT.load(Ordering::Relaxed)
}

/// References to `object`. Meaningful only where counts are exact.
///
/// The count is the low half of the object's first word in every CPython from 3.10 to 3.14 (later halves hold flags), which the
/// stable ABI offers no cheaper way to read.
#[inline(always)]
pub fn count(object: *mut pyo3::ffi::PyObject) -> u32 {
    // SAFETY: callers hold a reference and the interpreter's lock; every object begins with its reference count.
    unsafe { object.cast::<u32>().read() }
}

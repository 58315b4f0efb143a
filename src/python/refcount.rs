//! Reference counts: whether anyone but us still holds an object.
//!
//! Where they cannot tell (free-threaded builds, other interpreters, releases that are not known yet), nothing is ever taken for
//! unreferenced, and every result is made of fresh objects.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Whether counts are exact here. Set once, while the module is imported.
static EXACT: AtomicBool = AtomicBool::new(false);

/// The last CPython whose counts are known to lie where [`count`] looks, and to mean what it says. The wheel's ABI lets it be imported
/// by later ones, too.
const LAST_KNOWN: (u8, u8) = (3, 14);

/// Finds out whether reference counts can be relied upon.
pub fn detect(py: Python<'_>) -> PyResult<()> {
    let sys = py.import("sys")?;
    let name: String = sys.getattr("implementation")?.getattr("name")?.extract()?;
    let (major, minor): (u8, u8) = sys.getattr("version_info")?.get_item(pyo3::types::PySlice::new(py, 0, 2, 1))?.extract()?;
    let known = name == "cpython" && (3, 10) <= (major, minor) && (major, minor) <= LAST_KNOWN;
    let layout = cfg!(all(target_pointer_width = "64", target_endian = "little"));
    EXACT.store(known && layout && !is_free_threaded_build(py)? && is_calibrated(py), Ordering::Relaxed);
    Ok(())
}

/// Refuses interpreters that run without their lock. `UnderLock`, `arrays::elements` and all that is guarded by a `Python` token rely on
/// it; free-threaded builds get it back while this module is loaded, unless they were told not to.
pub fn require_lock(py: Python<'_>) -> PyResult<()> {
    let is_enabled = py.import("sys")?.getattr_opt("_is_gil_enabled")?;
    if is_enabled.map_or(Ok(true), |is_enabled| is_enabled.call0()?.is_truthy())? {
        return Ok(());
    }
    Err(PyImportError::new_err("envpool_rs needs the interpreter's global lock: expected no PYTHON_GIL=0 and no -X gil=0"))
}

/// Whether objects are, for all we know, those of a free-threaded build, which begin with something else and count otherwise, lock or
/// no lock.
fn is_free_threaded_build(py: Python<'_>) -> PyResult<bool> {
    let flags = py.import("sys")?.getattr_opt("abiflags")?;
    if flags.map_or(Ok(String::new()), |flags| flags.extract::<String>())?.contains('t') {
        return Ok(true);
    }
    // Packed applications may lack the file that it reads.
    let flag = py.import("sysconfig").and_then(|sysconfig| sysconfig.call_method1("get_config_var", ("Py_GIL_DISABLED",)));
    Ok(flag.map_or(true, |flag| flag.is_truthy().unwrap_or(true)))
}

/// Whether an object whose references are known is said to have as many.
fn is_calibrated(py: Python<'_>) -> bool {
    let object = PyList::empty(py);
    let counts = |expected: u32| count(object.as_ptr()) == expected;
    let one = counts(1);
    let others = [object.clone(), object.clone(), object.clone()];
    let four = counts(4);
    drop(others);
    one && four && counts(1)
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
    // SAFETY: callers hold a reference and the interpreter's lock; every object begins with a word at least.
    unsafe { object.cast::<u32>().read() }
}

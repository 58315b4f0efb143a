//! Reads reference counts of Python objects, to find out whether an object has other holders.
//!
//! If counts are not reliable (other interpreters, unknown releases), no object counts as unreferenced, and every result gets new
//! objects.
//!
//! Objects of free-threaded builds have another header. The wheel of the stable ABI does not know it. An extension that is built
//! for such an interpreter reads it: an object counts the references of the thread that created it apart from those of other
//! threads, and only that thread reads an exact sum.

#[cfg(Py_GIL_DISABLED)]
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Whether reference counts are exact in this interpreter. Set once, while the extension module is imported.
static EXACT: AtomicBool = AtomicBool::new(false);

/// Last CPython version whose object layout and reference counting are known. The wheel's ABI allows import by later releases,
/// too.
const LAST_KNOWN: (u8, u8) = (3, 14);

/// Determines whether reference counts are reliable, and stores the answer for [`is_exact`].
pub fn detect(py: Python<'_>) -> PyResult<()> {
    let sys = py.import("sys")?;
    let name: String = sys.getattr("implementation")?.getattr("name")?.extract()?;
    let (major, minor): (u8, u8) = sys.getattr("version_info")?.get_item(pyo3::types::PySlice::new(py, 0, 2, 1))?.extract()?;
    let known = name == "cpython" && (3, 10) <= (major, minor) && (major, minor) <= LAST_KNOWN;
    let layout = cfg!(all(target_pointer_width = "64", target_endian = "little"));
    let is_known_build = cfg!(Py_GIL_DISABLED) || !is_free_threaded_build(py)?;
    EXACT.store(known && layout && is_known_build, Ordering::Relaxed);
    EXACT.store(is_exact() && is_calibrated(py), Ordering::Relaxed);
    Ok(())
}

/// Rejects interpreters that run without their global lock, on which `GilCell`, `arrays::elements` and every value guarded by a
/// `Python` token rely. Free-threaded builds enable the lock while this module is loaded, unless PYTHON_GIL=0 or -X gil=0 forbids
/// it.
pub fn require_lock(py: Python<'_>) -> PyResult<()> {
    let is_enabled = py.import("sys")?.getattr_opt("_is_gil_enabled")?;
    if is_enabled.map_or(Ok(true), |is_enabled| is_enabled.call0()?.is_truthy())? {
        return Ok(());
    }
    Err(PyImportError::new_err("envpool_rs needs the interpreter's global lock: expected no PYTHON_GIL=0 and no -X gil=0"))
}

/// Returns whether objects may belong to a free-threaded build. In such builds, the object header and the reference counts
/// differ, whether the lock is enabled or not.
fn is_free_threaded_build(py: Python<'_>) -> PyResult<bool> {
    let flags = py.import("sys")?.getattr_opt("abiflags")?;
    if flags.map_or(Ok(String::new()), |flags| flags.extract::<String>())?.contains('t') {
        return Ok(true);
    }
    // Packaged applications may lack the file that `sysconfig` reads.
    let flag = py.import("sysconfig").and_then(|sysconfig| sysconfig.call_method1("get_config_var", ("Py_GIL_DISABLED",)));
    Ok(flag.map_or(true, |flag| flag.is_truthy().unwrap_or(true)))
}

/// Returns whether `count` returns the right number for an object with a known number of references.
fn is_calibrated(py: Python<'_>) -> bool {
    let object = PyList::empty(py);
    let counts = |expected: u32| count(object.as_ptr()) == expected;
    let one = counts(1);
    let others = [object.clone(), object.clone(), object.clone()];
    let four = counts(4);
    drop(others);
    one && four && counts(1)
}

/// Returns whether reference counts are exact in this interpreter. Each thread calls this before [`count`].
#[cfg(not(Py_GIL_DISABLED))]
pub fn is_exact() -> bool {
    EXACT.load(Ordering::Relaxed)
}

/// Returns the number of references to `object`. Meaningful only if counts are exact.
///
/// The count is the low half of the object's first word in every CPython from 3.10 to 3.14 (later releases keep flags in the
/// other half). The stable ABI offers no cheaper way to read it.
#[cfg(not(Py_GIL_DISABLED))]
#[inline(always)]
pub fn count(object: *mut pyo3::ffi::PyObject) -> u32 {
    // SAFETY: callers hold a reference and the interpreter's lock, and every object begins with at least one word.
    unsafe { object.cast::<u32>().read() }
}

#[cfg(Py_GIL_DISABLED)]
thread_local! {
    /// `ob_tid` of the objects that this thread creates; 0 before [`is_exact`] has read it.
    static THREAD: Cell<usize> = const { Cell::new(0) };
}

/// Count of an object that another thread has created, larger than any count that callers expect. The sum of those of a
/// result's parts does not overflow.
#[cfg(Py_GIL_DISABLED)]
const UNKNOWN: u32 = 1 << 24;

/// Returns whether reference counts are exact in this interpreter. Each thread calls this before [`count`].
#[cfg(Py_GIL_DISABLED)]
pub fn is_exact() -> bool {
    if THREAD.get() == 0 {
        // SAFETY: the list is live, and this thread has just created it.
        THREAD.set(Python::attach(|py| unsafe { (*PyList::empty(py).as_ptr()).ob_tid }));
    }
    EXACT.load(Ordering::Relaxed)
}

/// Returns the number of references to `object`, or [`UNKNOWN`]. Meaningful only if counts are exact.
///
/// An object without an owning thread (0) has one count. Otherwise, only its owning thread changes `ob_ref_local`.
#[cfg(Py_GIL_DISABLED)]
#[inline(always)]
pub fn count(object: *mut pyo3::ffi::PyObject) -> u32 {
    // SAFETY: callers hold a reference and the interpreter's lock.
    let object = unsafe { &*object };
    // The lowest two bits are flags. `Acquire`: another thread's reads of the object precede its release of the object.
    let shared = (object.ob_ref_shared.load(Ordering::Acquire) >> 2) as u32;
    match object.ob_tid {
        0 => shared,
        owner if owner == THREAD.get() => object.ob_ref_local.load(Ordering::Relaxed).wrapping_add(shared),
        _ => UNKNOWN,
    }
}

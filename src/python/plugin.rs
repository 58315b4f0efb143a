//! Loads shared libraries of environments (plugins), and adds their tasks.

use std::collections::HashMap;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::given::option_values;
use super::pool_options::{POOL_OPTIONS, PYTHON_OPTIONS};
use super::task_list::REGISTRY;
use crate::raise::OrRaise;
use envpool_rs_plugin::abi::{CONSTANTS, LAYOUTS, Layout};
use envpool_rs_plugin::host::{self, LibraryInfo, check_task};

/// Name, version and task ids of a library.
type LibraryParts = (String, String, Vec<&'static str>);

fn parts(info: LibraryInfo) -> LibraryParts {
    (info.name, info.version, info.ids)
}

/// Returns the names that options of libraries cannot have.
fn reserved() -> Vec<&'static str> {
    POOL_OPTIONS.iter().chain(&PYTHON_OPTIONS).map(|option| option.name).collect()
}

/// Loads the library at `path`, and adds its tasks. Loading a library again has no effect.
#[pyfunction]
pub fn load_plugin(py: Python<'_>, path: PathBuf) -> PyResult<LibraryParts> {
    // SAFETY: the user has chosen to load this library. Loading executes its code, as importing an extension module does.
    let loaded = py.detach(|| unsafe { host::load_file(&path, &REGISTRY, &reserved()) });
    loaded.map(parts).or_raise()
}

/// Adds the tasks of an `epr_library` struct in memory. `keep_alive`, which owns the memory, is never released.
#[pyfunction]
pub fn load_plugin_table(py: Python<'_>, address: usize, origin: &str, keep_alive: Py<PyAny>) -> PyResult<LibraryParts> {
    // The owner of the table is never released, even if the table is refused, so no address in the table is read after it was
    // freed.
    let _never_released = keep_alive.into_ptr();
    // SAFETY: the caller in Python passes the address of a table that `keep_alive` owns.
    let loaded = py.detach(|| unsafe { host::load_table(address, origin, &REGISTRY, &reserved()) });
    loaded.map(parts).or_raise()
}

/// Records in a file the library's function that each thread is calling, for a process that outlives a crash of the library.
#[pyfunction]
pub fn record_plugin_calls(path: PathBuf) -> PyResult<()> {
    Ok(host::record_calls(&path)?)
}

/// A struct of the C interface: its name, and name and type of each field, as numpy and C write them.
type Struct = (&'static str, Vec<(&'static str, &'static str)>);

/// Returns the structs of the C interface, and the value of each constant. The names have no prefix. A field has the type `f8`,
/// `i8` or `u8`, or is the struct `value`.
#[pyfunction]
pub fn plugin_layouts() -> (Vec<Struct>, HashMap<&'static str, u64>) {
    let kind = |name| match name {
        "f64" => "f8",
        "i64" => "i8",
        "Value" => "value",
        _ => "u8", // counts, flags and addresses
    };
    let fields = |layout: &Layout| layout.fields.iter().map(|(field, _, name)| (*field, kind(*name))).collect();
    let name = |layout: &Layout| layout.name.strip_prefix("epr_").unwrap_or(layout.name);
    (LAYOUTS.iter().map(|layout| (name(layout), fields(layout))).collect(), CONSTANTS.iter().copied().collect())
}

/// Returns the addresses of the pool's functions for tasks that Numba compiles, by name.
#[pyfunction]
pub fn numba_functions() -> HashMap<&'static str, usize> {
    host::numba_functions().into()
}

/// Returns name, version, origin and task ids of each loaded library.
#[pyfunction]
pub fn plugin_libraries(py: Python<'_>) -> Vec<(String, String, String, Vec<&'static str>)> {
    // Another thread may hold the lock of the libraries while it runs a library's code.
    py.detach(host::libraries).into_iter().map(|info| (info.name, info.version, info.origin, info.ids)).collect()
}

/// Runs tasks of libraries for `steps` steps, and returns the problems found: the task, the check that failed, and a sentence.
///
/// `options` are given to all tasks. Ctrl-C ends the checks after the current task.
#[pyfunction]
pub fn check_plugin(
    py: Python<'_>,
    ids: Vec<String>,
    options: Option<&Bound<'_, PyDict>>,
    steps: usize,
) -> PyResult<Vec<(String, &'static str, String)>> {
    let given = match options {
        Some(options) => option_values(options)?,
        None => Vec::new(),
    };
    let mut findings = Vec::new();
    for id in ids {
        py.check_signals()?;
        let task = REGISTRY.task(&id).or_raise()?;
        if task.library.is_none() {
            return Err(PyValueError::new_err(format!("ids={id:?}: expected a task of a library; this one is built in")));
        }
        let found = py.detach(|| check_task(task, &given, steps)).or_raise()?;
        findings.extend(found.into_iter().map(|finding| (finding.task, finding.check, finding.text)));
    }
    Ok(findings)
}

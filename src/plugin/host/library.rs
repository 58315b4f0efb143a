//! Loads libraries and registers their tasks. A library is loaded once, and never unloaded.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::abi::{self, ABI_VERSION, LIBRARY_SYMBOL, LibraryFn};
use crate::host::current_call::CurrentCall;
use crate::host::describe::task_id;
use crate::host::elf;
use crate::host::env::{CHECK_OPTION, LibraryEnv, TaskTable};
use crate::host::functions::HOST;
use crate::host::table::{TablePath, intern};
use envpool_rs_engine::{Error, ForeignEnv, OptionSpec, Options, Registry, Result, Task};
use envpool_rs_sync::{AppendList, ForkMutex};

/// Largest number of tasks of a library.
const MAX_TASKS: u64 = 1 << 16;

/// Versions of the interface whose symbols are searched for, so that the error explains why a library is refused.
const OTHER_VERSIONS: std::ops::Range<u64> = ABI_VERSION + 1..32;

/// Description of the option that every task of a library has.
const CHECK_DOC: &str = "checks each call of the library: memory, bounds, repeatability; for tests of a library, slow";

/// Name, version, origin and tasks of a loaded library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryInfo {
    /// The library's name.
    pub name: String,
    /// The library's version.
    pub version: String,
    /// Path of the library's file, or the origin of a table in memory.
    pub origin: String,
    /// Ids of the library's tasks.
    pub ids: Vec<&'static str>,
}

/// Identity of a loaded table, by which a second request to load it is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    File(PathBuf, FileVersion),
    Table(usize),
}

/// Identity of a file's content, by which a change of the file is detected.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileVersion {
    length: u64,
    modified: Option<SystemTime>,
    /// Device and number of the file; zeros on systems without these numbers.
    number: (u64, u64),
}

/// Libraries that were loaded. Reading them takes no lock, so that tasks can be listed while a library loads.
static LOADED: AppendList<(Source, LibraryInfo)> = AppendList::new();
/// Mutex that is locked while a thread loads a library.
static LOADING: ForkMutex<()> = ForkMutex::new(());

/// Returns all loaded libraries, in the order of loading.
pub fn libraries() -> Vec<LibraryInfo> {
    LOADED.iter().map(|(_, info)| info.clone()).collect()
}

/// Loads the library at `path`, and adds its tasks to `registry`. Loading a library again has no effect. Options cannot have the
/// names in `reserved`.
///
/// # Errors
/// `NotFound` if there is no such file; `Value` if the file is not a library with the expected symbol, or if its table is
/// refused; `State` if the file has changed since it was loaded.
///
/// # Safety
/// The library follows the rules of `envpool_rs.h`.
pub unsafe fn load_file(path: &Path, registry: &Registry, reserved: &[&str]) -> Result<LibraryInfo> {
    let absolute = path.canonicalize().map_err(|error| Error::NotFound(format!("path={}: {error}", path.display())))?;
    let version = file_version(&absolute).map_err(|error| Error::NotFound(format!("path={}: {error}", path.display())))?;
    let _turn = LOADING.lock();
    let same = |(source, _): &&(Source, LibraryInfo)| matches!(source, Source::File(other, _) if *other == absolute);
    if let Some((source, info)) = LOADED.iter().find(same) {
        return match *source == Source::File(absolute, version) {
            true => Ok(info.clone()),
            false => Err(Error::State(format!(
                "path={}: the file has changed since it was loaded: restart the program to load it again",
                path.display()
            ))),
        };
    }
    let origin = absolute.display().to_string();
    elf::check(&absolute).map_err(|reason| Error::value("path", &origin, reason))?;
    // SAFETY: the caller guarantees that the library follows the rules of `envpool_rs.h`.
    let library = unsafe { open(&absolute, &origin) }.map_err(|reason| Error::value("path", &origin, reason))?;
    // The library is never unloaded, because tasks, pools and strings point into the library.
    let library = Box::leak(Box::new(library));
    // SAFETY: the header declares the function of this name with the type `LibraryFn`.
    let function = unsafe { library.get::<LibraryFn>(LIBRARY_SYMBOL) }.map_err(|_| {
        // SAFETY: the symbol is only looked up, and the function is not called.
        let has = |version: &u64| unsafe { library.get::<LibraryFn>(format!("envpool_rs_library_{version}")) }.is_ok();
        let newer = OTHER_VERSIONS.into_iter().find(has);
        let newer = newer.map_or_else(String::new, |version| format!("; it has version {version}, for a newer envpool_rs"));
        Error::value("path", &origin, format_args!("a library that exports {LIBRARY_SYMBOL}{newer}"))
    })?;
    let table = {
        let path = TablePath { library: origin.clone(), task: String::new() };
        let _call = CurrentCall::enter(&path, LIBRARY_SYMBOL);
        // SAFETY: the caller guarantees that the library's function follows the rules of `envpool_rs.h`.
        unsafe { function(&raw const HOST) }
    };
    if table.is_null() {
        return Err(Error::value("path", &origin, format_args!("a table; {LIBRARY_SYMBOL} returned null")));
    }
    // SAFETY: the caller guarantees that the library's table follows the rules of `envpool_rs.h`.
    let info = unsafe { add(table, origin, registry, reserved) }?;
    LOADED.extend([(Source::File(absolute, version), info.clone())]);
    Ok(info)
}

/// Adds the tasks of the `epr_library` at `address` in memory. Loading a table again has no effect. Options cannot have the names
/// in `reserved`.
///
/// # Errors
/// `Value` if the table is refused.
///
/// # Safety
/// `address` is zero, or a table by the rules of `envpool_rs.h` that lives until the process ends.
pub unsafe fn load_table(address: usize, origin: &str, registry: &Registry, reserved: &[&str]) -> Result<LibraryInfo> {
    let (_turn, source) = (LOADING.lock(), Source::Table(address));
    if let Some((_, info)) = LOADED.iter().find(|(other, _)| *other == source) {
        return Ok(info.clone());
    }
    // SAFETY: the caller guarantees that the table at `address` follows the rules of `envpool_rs.h`.
    let info = unsafe { add(address as *const abi::Library, origin.to_owned(), registry, reserved) }?;
    LOADED.extend([(source, info.clone())]);
    Ok(info)
}

/// Opens a library, and resolves all its symbols immediately.
///
/// # Safety
/// Running the initialisation code of the library at `path` must be safe.
unsafe fn open(path: &Path, origin: &str) -> Result<libloading::Library, String> {
    let _call = CurrentCall::enter(&TablePath { library: origin.to_owned(), task: String::new() }, "its initialisation");
    #[cfg(unix)]
    // SAFETY: the caller guarantees that running the library's initialisation code is safe.
    let opened = unsafe {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        Library::open(Some(path), RTLD_NOW | RTLD_LOCAL).map(libloading::Library::from)
    };
    #[cfg(not(unix))]
    // SAFETY: the caller guarantees that running the library's initialisation code is safe.
    let opened = unsafe { libloading::Library::new(path) };
    opened.map_err(|error| {
        let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        format!("a shared library for this system ({cause})")
    })
}

/// Returns the file's device, number, size and time of change, which identify its content.
fn file_version(path: &Path) -> std::io::Result<FileVersion> {
    let metadata = path.metadata()?;
    #[cfg(unix)]
    let number = {
        use std::os::unix::fs::MetadataExt;
        (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let number = (0, 0);
    Ok(FileVersion { length: metadata.len(), modified: metadata.modified().ok(), number })
}

/// Reads a library's table, and adds its tasks to `registry`.
///
/// # Safety
/// `address` is null, or a table by the rules of `envpool_rs.h` that lives until the process ends.
unsafe fn add(address: *const abi::Library, origin: String, registry: &Registry, reserved: &[&str]) -> Result<LibraryInfo> {
    let mut path = TablePath { library: origin.clone(), task: String::new() };
    // SAFETY: the caller guarantees that `address` is null or points to a struct that begins with its size.
    let (library, _) = unsafe { path.read("library", "epr_library", address) }?;
    // SAFETY: the caller guarantees that the table's strings end with zero bytes.
    let (name, version) = unsafe { (path.text("library.name", library.name)?, path.text("library.version", library.version)?) };
    for (field, text) in [("library.name", &name), ("library.version", &version)] {
        let is_name = (1..=100).contains(&text.len()) && text.chars().all(|c| c.is_alphanumeric() || "_-.+ ".contains(c));
        path.check(is_name, field, format_args!("{text:?}"), "1 to 100 letters, digits, spaces and _ - . +")?;
    }
    path.library = format!("{name} {version} ({origin})");
    let count = path.count("library.tasks", library.tasks, (1, MAX_TASKS))?;
    // SAFETY: the caller guarantees that the table's list has `count` addresses of tasks.
    let addresses = unsafe { path.list("library.task", library.task, count) }?;
    let shared = SharedParts { label: intern(&format!("{name} {version}")), lock: Box::leak(Box::default()), reserved };
    let mut tasks = Vec::with_capacity(count);
    for (index, address) in addresses.iter().enumerate() {
        // SAFETY: the caller guarantees that each address in the list is that of a task.
        tasks.push(unsafe { shared.task(&path, &format!("library.task[{index}]"), *address) }?);
    }
    let ids: Vec<_> = tasks.iter().map(|task| task.id).collect();
    let mut seen = HashSet::new();
    if let Some(id) = ids.iter().find(|id| !seen.insert(**id)) {
        return Err(path.refuse("id", format_args!("{id:?}"), "another id for each task"));
    }
    registry.extend(tasks).map_err(|error| Error::Value(format!("{path}: {error}")))?;
    Ok(LibraryInfo { name, version, origin, ids })
}

/// Makes the environment of a task with these options.
fn make_env(table: &Arc<TaskTable>, options: &Options) -> Result<LibraryEnv> {
    let _call = CurrentCall::enter(&table.path, "make");
    LibraryEnv::make(table, options)
}

/// Data that all tasks of a library share.
struct SharedParts<'a> {
    /// Name and version of the library.
    label: &'static str,
    lock: &'static ForkMutex<()>,
    reserved: &'a [&'a str],
}

impl SharedParts<'_> {
    /// Reads a task, and makes its environment once with the default options.
    ///
    /// # Safety
    /// `address` is null, or a task by the rules of `envpool_rs.h` that lives until the process ends.
    unsafe fn task(&self, library: &TablePath, field: &str, address: *const abi::Task) -> Result<Task> {
        // SAFETY: the caller guarantees that `address` is null or points to a struct that begins with its size.
        let (task, _) = unsafe { library.read(field, "epr_task", address) }?;
        // SAFETY: the caller guarantees that the task's strings end with zero bytes.
        let id = task_id(library, unsafe { library.text(&format!("{field}.id"), task.id) }?)?;
        let path = TablePath { task: id.to_owned(), ..library.clone() };
        path.count("max_episode_steps", task.max_episode_steps, (0, i32::MAX as u64 - 1))?;
        let threshold = task.reward_threshold;
        path.check(!threshold.is_infinite(), "reward_threshold", threshold, "a finite number, or NaN for none")?;
        let reserved: Vec<_> = self.reserved.iter().copied().chain([CHECK_OPTION]).collect();
        // SAFETY: the caller guarantees that the task's list of options is valid.
        let mut options = unsafe { path.options(task.option, task.options, &reserved) }?;
        // Snapshots do not depend on the option `check`, so this option is declared like a path.
        options.push(OptionSpec { is_path: true, ..OptionSpec::new(CHECK_OPTION, false, CHECK_DOC) });
        let count = path.count("reset_options", task.reset_options, (0, 1024))?;
        // SAFETY: the caller guarantees that the task's list has `count` strings, which end with zero bytes.
        let names = unsafe { path.texts("reset_option", task.reset_option, count) }?;
        let mut reset_options: Vec<&'static str> = Vec::with_capacity(count);
        for (index, name) in names.into_iter().enumerate() {
            let name = intern(&path.identifier(&format!("reset_option[{index}]"), name)?);
            let is_new = !reset_options.contains(&name);
            path.check(is_new, &format!("reset_option[{index}]"), format_args!("{name:?}"), "a name of its own")?;
            reset_options.push(name);
        }
        let reset_options: &'static [_] = Vec::leak(reset_options);
        let make = path.function("make", task.make)?;
        let (library, lock) = (self.label, self.lock);
        let drawn = options.iter().filter(|option| option.per_episode).count();
        let table = Arc::new(TaskTable { path, library, address, make, reset_options, drawn, lock });
        let describe = Arc::clone(&table);
        let create = move |options: &Options| Ok(Box::new(make_env(&table, options)?) as Box<dyn ForeignEnv>);
        let mut described = Task::foreign(id, self.label, (options, reset_options), create);
        if task.max_episode_steps > 0 {
            described = described.max_episode_steps(task.max_episode_steps as u32);
        }
        if !threshold.is_nan() && threshold != 0.0 {
            described = described.reward_threshold(threshold);
        }
        make_env(&describe, &described.resolve(&[])?)?;
        Ok(described)
    }
}

//! Compiles models from MJCF or URDF files, which may exist in memory only.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Mutex;

use crate::faults::{Fault, Handlers, take_warning};
use crate::fields::RawModel;
use crate::library::{Functions, Library};
use envpool_rs_sync::fork;

/// Size of the buffer for MuJoCo's error messages, in bytes.
pub(super) const MESSAGE: usize = 1024;

/// Upper bound of the size of MuJoCo's struct `mjVFS`, in words of 8 bytes; the struct holds a single pointer.
pub(super) const VIRTUAL_FILES: usize = 64;

/// MuJoCo's virtual file system (`mjVFS`): files that exist in memory only.
pub(super) struct VirtualFiles<'a> {
    pub(super) raw: Box<[u64; VIRTUAL_FILES]>,
    pub(super) handlers: Handlers,
    pub(super) functions: &'a Functions,
}

impl<'a> VirtualFiles<'a> {
    /// Creates an empty virtual file system with the MuJoCo functions `functions`; `handlers` catch MuJoCo's errors.
    pub(super) fn new(handlers: Handlers, functions: &'a Functions) -> Result<Self, Fault> {
        let mut raw = Box::new([0; VIRTUAL_FILES]);
        // SAFETY: the buffer `raw` is at least as large as an `mjVFS`.
        handlers.during(|| unsafe { (functions.mj_defaultVFS)(raw.as_mut_ptr().cast()) })?;
        Ok(Self { raw, handlers, functions })
    }

    /// Adds a file to the virtual file system. Returns whether MuJoCo accepted it.
    pub(super) fn add(&mut self, name: &CStr, bytes: &[u8]) -> Result<bool, Fault> {
        let Ok(len) = c_int::try_from(bytes.len()) else { return Ok(false) };
        // SAFETY: `name` is a C string, so it is NUL-terminated, and `len` is the length of `bytes`; MuJoCo copies both.
        let added = self.handlers.during(|| unsafe {
            (self.functions.mj_addBufferVFS)(self.raw.as_mut_ptr().cast(), name.as_ptr(), bytes.as_ptr().cast(), len)
        })?;
        Ok(added == 0)
    }

    pub(super) fn raw(&self) -> *const c_void {
        self.raw.as_ptr().cast()
    }
}

impl Drop for VirtualFiles<'_> {
    fn drop(&mut self) {
        // SAFETY: `VirtualFiles::new` has initialized the virtual file system, and `drop` deletes it once. `mj_deleteVFS`
        // raises no error.
        unsafe { (self.functions.mj_deleteVFS)(self.raw.as_mut_ptr().cast()) };
    }
}

/// Checks that the system can create as many threads as MuJoCo may need to read a model.
///
/// If thread creation fails inside MuJoCo, MuJoCo throws an exception that nothing can catch, which ends the process.
pub(super) fn check_threads() -> std::io::Result<()> {
    /// Upper bound of the number of threads that MuJoCo creates to read a model.
    const MOST: usize = 16;
    const STACK: usize = 8 << 20;
    let count = std::thread::available_parallelism().map_or(1, usize::from).min(MOST);
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        // Each thread waits for the lock of `gate`, so all threads exist at the same time until the last one has started.
        let _closed = gate.lock();
        let begin = |_| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            fork::without_forks(|| thread.spawn_scoped(scope, || drop(gate.lock()))).map(|_| ())
        };
        (0..count).try_for_each(begin)
    })
}

/// Source of a model: the path of a file, and its text if the file exists in memory only.
pub(super) struct Source<'a> {
    pub(super) path: &'a Path,
    pub(super) file: CString,
    pub(super) text: Option<&'a str>,
}

impl Source<'_> {
    pub(super) fn refused(&self, reason: impl Into<String>) -> Fault {
        Fault::Model { path: self.path.to_owned(), reason: reason.into() }
    }

    /// Compiles the model.
    ///
    /// Forks wait meanwhile: a child that is forked while MuJoCo replaces its last specification (`SetGlobalXmlSpec`) would wait
    /// for that lock forever.
    pub(super) fn compile(&self, library: &Library) -> Result<NonNull<RawModel>, Fault> {
        check_threads().map_err(|error| Fault::Threads(error.to_string()))?;
        fork::without_forks(|| self.compile_with(library.handlers, &library.functions))
    }

    /// Compiles the model with the MuJoCo functions `functions`; `handlers` catch MuJoCo's errors.
    fn compile_with(&self, handlers: Handlers, functions: &Functions) -> Result<NonNull<RawModel>, Fault> {
        let mut files = self.text.map(|_| VirtualFiles::new(handlers, functions)).transpose()?;
        if let (Some(files), Some(text)) = (&mut files, self.text)
            && !files.add(&self.file, text.as_bytes())?
        {
            return Err(self.refused("the library does not take its text"));
        }
        let files = files.as_ref().map_or(std::ptr::null(), VirtualFiles::raw);
        let mut message: [c_char; MESSAGE] = [0; MESSAGE];
        // SAFETY: the file name is a C string, the virtual file system is initialized or null, and the error buffer has `MESSAGE`
        // bytes.
        let load = || unsafe { (functions.mj_loadXML)(self.file.as_ptr(), files, message.as_mut_ptr(), MESSAGE as c_int) };
        let loaded = handlers.during(load);
        take_warning();
        let raw = loaded.map_err(|fault| self.refused(fault.to_string()))?;
        // SAFETY: MuJoCo NUL-terminates its messages, and a buffer that MuJoCo did not write to holds zeros.
        let said = || unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().trim().to_owned();
        NonNull::new(raw).ok_or_else(|| self.refused(said()))
    }

    /// Compiles the source with the library of the Python package `mujoco`, and copies the compiled model to `library` in
    /// MuJoCo's binary format. Returns `None` if Python has not opened its library, or if the library rejects the source.
    ///
    /// Forks do not wait: that library may call callbacks in Python, which wait for the lock that a forking thread holds.
    pub(super) fn compile_elsewhere(&self, library: &Library) -> Option<NonNull<RawModel>> {
        let (handlers, functions, _open) = library.packages()?;
        check_threads().ok()?;
        let model = self.compile_with(handlers, &functions).ok()?;
        // SAFETY: the MuJoCo library of `functions` has just compiled the model, which is deleted once, after its last use.
        let bytes = unsafe {
            let bytes = saved(&functions, model.as_ptr());
            (functions.mj_deleteModel)(model.as_ptr());
            bytes
        };
        load(library, &bytes).ok()?
    }
}

/// Loads a model from bytes in MuJoCo's MJB format; `None` if the library rejects them.
pub(super) fn load(library: &Library, bytes: &[u8]) -> Result<Option<NonNull<RawModel>>, Fault> {
    let mut files = VirtualFiles::new(library.handlers, &library.functions)?;
    if !files.add(BINARY, bytes)? {
        return Ok(None);
    }
    // SAFETY: the file name `BINARY` is NUL-terminated, and the virtual file system is initialized.
    let loaded = library.call(|functions| unsafe { (functions.mj_loadModel)(BINARY.as_ptr(), files.raw()) });
    take_warning();
    Ok(NonNull::new(loaded?))
}

/// Returns the bytes of a model in MuJoCo's binary format MJB (`mj_saveModel`).
///
/// # Safety
/// `model` must be a live model of the library of `functions`.
pub(super) unsafe fn saved(functions: &Functions, model: *const RawModel) -> Vec<u8> {
    // SAFETY: the caller guarantees that `model` belongs to the library of `functions`; the buffer has the size that
    // `mj_sizeModel` returns.
    unsafe {
        let mut bytes = vec![0_u8; usize::try_from((functions.mj_sizeModel)(model)).unwrap_or(0)];
        (functions.mj_saveModel)(model, std::ptr::null(), bytes.as_mut_ptr().cast(), bytes.len() as i64);
        bytes
    }
}

/// Name of the in-memory file that holds a model in MuJoCo's binary format MJB.
pub(super) const BINARY: &CStr = c"model.mjb";

/// MuJoCo's error message for a file type without a decoder.
pub(super) const NO_DECODER: &str = "no decoder found";

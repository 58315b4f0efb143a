//! The library: where it lies is said once for the process, since there is one of it.

use std::f64::consts::PI;
use std::ffi::{c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::dynamic_library::{FunctionTable, MissingFunction, Signature, functions, open_apart};
use super::faults::{Fault, Handlers, LogHandler, TextHandler};
use super::fields::{DataFields, Flag, ModelFields, RawData, RawModel};
use super::layout::Layout;

/// Returns the functions that simulations look up in the library.
pub(crate) fn signatures() -> &'static [Signature] {
    Functions::SIGNATURES
}

/// `mjVFS`, of which nothing is known.
type Vfs = c_void;

functions! {
    /// The functions that are called. Those that compute may throw.
    Functions: "C-unwind";
    mj_version() -> c_int;
    mj_loadXML(*const c_char, *const Vfs, *mut c_char, c_int) -> *mut RawModel;
    mj_defaultVFS(*mut Vfs);
    mj_addBufferVFS(*mut Vfs, *const c_char, *const c_void, c_int) -> c_int;
    mj_deleteVFS(*mut Vfs);
    mj_deleteModel(*mut RawModel);
    mj_name2id(*const RawModel, c_int, *const c_char) -> c_int;
    mj_makeData(*const RawModel) -> *mut RawData;
    mj_deleteData(*mut RawData);
    mj_resetData(*const RawModel, *mut RawData);
    mj_forward(*const RawModel, *mut RawData);
    mj_fwdPosition(*const RawModel, *mut RawData);
    mj_kinematics(*const RawModel, *mut RawData);
    mj_comPos(*const RawModel, *mut RawData);
    mj_comVel(*const RawModel, *mut RawData);
    mj_subtreeVel(*const RawModel, *mut RawData);
    mj_sensorPos(*const RawModel, *mut RawData);
    mj_sensorVel(*const RawModel, *mut RawData);
    mj_step(*const RawModel, *mut RawData);
    mj_step1(*const RawModel, *mut RawData);
    mj_step2(*const RawModel, *mut RawData);
    mj_rnePostConstraint(*const RawModel, *mut RawData);
    mj_objectVelocity(*const RawModel, *const RawData, c_int, c_int, *mut f64, c_int);
    mju_axisAngle2Quat(*mut f64, *const f64, f64);
    mj_stateSize(*const RawModel, c_int) -> c_int;
    mj_getState(*const RawModel, *const RawData, *mut f64, c_int);
    mj_setState(*const RawModel, *mut RawData, *const f64, c_int);
    mj_sizeModel(*const RawModel) -> i64;
    mj_saveModel(*const RawModel, *const c_char, *mut c_void, i64);
    mj_loadModel(*const c_char, *const Vfs) -> *mut RawModel;
}

functions! {
    /// From 4.0 on: the setter of the calling thread's one function for all messages.
    LogSetter: "C";
    _mjPRIVATE_setTlsLogHandler(Option<LogHandler>) -> Option<LogHandler>;
}

functions! {
    /// Up to 3.x: the getters and setters of the calling thread's functions for errors and warnings.
    TextSetters: "C";
    _mjPRIVATE__get_tls_error_fn() -> Option<TextHandler>;
    _mjPRIVATE__set_tls_error_fn(Option<TextHandler>);
    _mjPRIVATE__get_tls_warning_fn() -> Option<TextHandler>;
    _mjPRIVATE__set_tls_warning_fn(Option<TextHandler>);
}

impl From<MissingFunction> for Fault {
    fn from(MissingFunction(name): MissingFunction) -> Self {
        Self::Library(format!("this version of MuJoCo has no function {name}"))
    }
}

/// The library, open for as long as the process lives.
#[derive(Debug)]
pub struct Library {
    pub(super) functions: Functions,
    pub(super) handlers: Handlers,
    pub(super) model: ModelFields,
    pub(super) data: DataFields,
    path: PathBuf,
    layout: Layout,
    open: libloading::Library,
}

static LIBRARY: OnceLock<Library> = OnceLock::new();
/// Held while one is opened.
static OPENING: Mutex<()> = Mutex::new(());

/// Opens the library at `path`, whose structs are laid out as `layout` says ([`Layout::parse`]). Once it is open, that was it: saying so
/// again does nothing.
///
/// # Errors
/// `Library` where it cannot be opened, is of a version that cannot be used, or is another than the one that is open.
///
/// # Safety
/// `path` must be a library of MuJoCo's, and `layout` true of it.
pub unsafe fn install(path: &Path, layout: &str) -> Result<&'static Library, Fault> {
    let _turn = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(library) = LIBRARY.get() {
        return match library.path == path {
            true => Ok(library),
            false => Err(Fault::Library(format!(
                "MuJoCo's library is open, {}: expected no other, such as {}",
                library.path.display(),
                path.display()
            ))),
        };
    }
    // SAFETY: passed on to the caller.
    let library = unsafe { Library::open(path, layout) }?;
    Ok(LIBRARY.get_or_init(|| library))
}

/// Opens the library that a file names in its first line; the others are [`install`]'s `layout`. Such a file is written by
/// `envpool-rs mujoco-library FILE`, for programs without Python.
///
/// # Errors
/// `Library` for a file that cannot be read, and as [`install`].
///
/// # Safety
/// As for [`install`].
pub unsafe fn install_described(file: &Path) -> Result<&'static Library, Fault> {
    let unread = |reason: String| Fault::Library(format!("{}: {reason}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| unread(error.to_string()))?;
    let (path, layout) =
        text.split_once('\n').ok_or_else(|| unread("expected a library's path, then a line for each field".into()))?;
    // SAFETY: passed on to the caller.
    unsafe { install(Path::new(path), layout) }
}

/// The library, if [`install`] has opened it.
pub fn installed() -> Option<&'static Library> {
    LIBRARY.get()
}

impl Library {
    /// # Safety
    /// As for [`install`].
    unsafe fn open(path: &Path, layout: &str) -> Result<Self, Fault> {
        let layout = Layout::parse(layout)?;
        // The package's copy has a clock that each stage of a step is timed by (a quarter of a small robot's step), and functions of the
        // user's own that only a thread of Python's may call.
        // SAFETY: the caller says that it is MuJoCo's, whose initialisation asks for nothing.
        let open = unsafe { open_apart(path) }
            .map_err(|reason| Fault::Library(format!("{} cannot be opened: {reason}", path.display())))?;
        let library = Self {
            functions: Functions::find(&open)?,
            handlers: handlers(&open)?,
            model: ModelFields::find(&layout)?,
            data: DataFields::find(&layout)?,
            path: path.to_owned(),
            layout,
            open,
        };
        // In single precision it would take other numbers for the axis, and write others.
        match library.quaternion(&[0.0, 1.0, 0.0], 0.0) {
            [1.0, 0.0, 0.0, 0.0] if library.quaternion(&[0.0, 1.0, 0.0], PI)[2] == 1.0 => Ok(library),
            _ => Err(Fault::Library(format!("{} computes in single precision", library.path.display()))),
        }
    }

    /// Its version, such as 3006000 for 3.6.0.
    pub fn version(&self) -> i32 {
        // SAFETY: takes nothing, returns a number.
        unsafe { (self.functions.mj_version)() }
    }

    /// The bit by which a stage is left out.
    pub(super) fn bit(&self, flag: Flag) -> c_int {
        match flag {
            Flag::Islands => self.model.islands,
            Flag::MidPhase => self.model.mid_phase,
            Flag::Actuation => self.model.actuation,
        }
    }

    /// The quaternion of a rotation by `angle` about `axis`.
    pub fn quaternion(&self, axis: &[f64; 3], angle: f64) -> [f64; 4] {
        let mut quaternion = [0.0; 4];
        // SAFETY: three numbers are read and four written; it throws nothing.
        unsafe { (self.functions.mju_axisAngle2Quat)(quaternion.as_mut_ptr(), axis.as_ptr(), angle) };
        quaternion
    }

    /// Ends a model.
    pub(super) fn delete_model(&self, model: std::ptr::NonNull<RawModel>) {
        // SAFETY: whoever has the last of it calls this, once.
        unsafe { (self.functions.mj_deleteModel)(model.as_ptr()) };
    }

    /// The library that Python's package has opened, which may read kinds of files that a copy does not; it has error handlers of its own.
    /// Where it is not open, none.
    pub(super) fn packages(&self) -> Option<(Handlers, Functions, libloading::Library)> {
        // SAFETY: it is MuJoCo's, as `install` requires, whose initialisation asks for nothing.
        let library = unsafe { libloading::Library::new(&self.path) }.ok()?;
        Some((handlers(&library).ok()?, Functions::find(&library).ok()?, library))
    }

    /// Where to look for further functions.
    pub(super) fn symbols(&self) -> &libloading::Library {
        &self.open
    }

    /// Where the fields of its structs lie.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Runs `work`, which may call the library.
    ///
    /// # Errors
    /// `Refused` where the library tells of an error: what it was working at is not to be used again.
    pub(super) fn call<R>(&self, work: impl FnOnce(&Functions) -> R) -> Result<R, Fault> {
        self.handlers.during(|| work(&self.functions))
    }
}

fn handlers(library: &libloading::Library) -> Result<Handlers, Fault> {
    if let Ok(table) = LogSetter::find(library) {
        return Ok(Handlers::Log(table._mjPRIVATE_setTlsLogHandler));
    }
    let table = TextSetters::find(library)
        .map_err(|_| Fault::Library("this version of MuJoCo tells of its errors in a way that is not known".into()))?;
    Ok(Handlers::Texts {
        error: table._mjPRIVATE__get_tls_error_fn,
        set_error: table._mjPRIVATE__set_tls_error_fn,
        warning: table._mjPRIVATE__get_tls_warning_fn,
        set_warning: table._mjPRIVATE__set_tls_warning_fn,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_library_is_an_error_that_names_it() {
        // SAFETY: there is nothing to be opened.
        let error = unsafe { Library::open(Path::new("/nowhere/libmujoco.so"), "") }.unwrap_err().to_string();
        assert!(error.starts_with("/nowhere/libmujoco.so cannot be opened: "), "{error}");
        // SAFETY: as above.
        let error = unsafe { install_described(Path::new("/nowhere/mujoco.txt")) }.unwrap_err().to_string();
        assert!(error.starts_with("/nowhere/mujoco.txt: "), "{error}");
    }
}

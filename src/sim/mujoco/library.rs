//! Opens the process-wide MuJoCo library, once and from a given path.

use std::f64::consts::PI;
use std::ffi::{c_char, c_int, c_void};
use std::path::{Path, PathBuf};

use crate::dynamic_library::{FunctionTable, MissingFunction, Signature, functions, open_private};
use crate::faults::{Fault, Handlers, LogHandler, TextHandler};
use crate::fields::{ContactFields, DataFields, DisableFlag, ModelFields, RawData, RawModel};
use crate::layout::Layout;
use envpool_rs_sync::{ForkMutex, ForkOnce};

/// Returns the signatures of the MuJoCo functions that simulations call.
pub(crate) fn signatures() -> &'static [Signature] {
    Functions::SIGNATURES
}

/// Opaque type of MuJoCo's virtual file system (`mjVFS`).
type Vfs = c_void;

functions! {
    /// Table of MuJoCo's functions. Their ABI allows a panic of the error handler to unwind through MuJoCo's frames.
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
    mj_resetDataKeyframe(*const RawModel, *mut RawData, c_int);
    mj_copyData(*mut RawData, *const RawModel, *const RawData) -> *mut RawData;
    mj_forward(*const RawModel, *mut RawData);
    mj_fwdPosition(*const RawModel, *mut RawData);
    mj_kinematics(*const RawModel, *mut RawData);
    mj_collision(*const RawModel, *mut RawData);
    mj_comPos(*const RawModel, *mut RawData);
    mj_comVel(*const RawModel, *mut RawData);
    mj_subtreeVel(*const RawModel, *mut RawData);
    mj_sensorPos(*const RawModel, *mut RawData);
    mj_sensorVel(*const RawModel, *mut RawData);
    mj_sensorAcc(*const RawModel, *mut RawData);
    mj_tendon(*const RawModel, *mut RawData);
    mj_transmission(*const RawModel, *mut RawData);
    mj_fwdVelocity(*const RawModel, *mut RawData);
    mj_fwdActuation(*const RawModel, *mut RawData);
    mj_energyPos(*const RawModel, *mut RawData);
    mj_energyVel(*const RawModel, *mut RawData);
    mj_flex(*const RawModel, *mut RawData);
    mj_jac(*const RawModel, *const RawData, *mut f64, *mut f64, *const f64, c_int);
    mj_jacSite(*const RawModel, *const RawData, *mut f64, *mut f64, c_int);
    mj_ray(*const RawModel, *const RawData, *const f64, *const f64, *const u8, u8, c_int, *mut c_int, *mut f64) -> f64;
    mju_rayGeom(*const f64, *const f64, *const f64, *const f64, *const f64, c_int, *mut f64) -> f64;
    mj_setConst(*mut RawModel, *mut RawData);
    mj_copyModel(*mut RawModel, *const RawModel) -> *mut RawModel;
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
    /// Setter of the calling thread's handler for all messages, in MuJoCo 4.0 and later.
    LogSetter: "C";
    _mjPRIVATE_setTlsLogHandler(Option<LogHandler>) -> Option<LogHandler>;
}

functions! {
    /// Getters and setters of the calling thread's handlers for errors and warnings, in MuJoCo 3.
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

/// The MuJoCo library, which stays open until the process ends.
#[derive(Debug)]
pub struct Library {
    pub(super) functions: Functions,
    pub(super) handlers: Handlers,
    pub(super) model: ModelFields,
    pub(super) data: DataFields,
    /// Fields of contacts; `None` if the layout table does not describe them.
    pub(super) contact: Option<ContactFields>,
    path: PathBuf,
    layout: Layout,
    open: libloading::Library,
}

static LIBRARY: ForkOnce<Library> = ForkOnce::new();
/// Mutex that is locked while a thread opens the MuJoCo library, so that the library is opened only once.
static OPENING: ForkMutex<()> = ForkMutex::new(());

/// Opens the library at `path`, whose struct layout is `layout` ([`Layout::parse`]). Later calls with the same library have no
/// effect.
///
/// # Errors
/// `Library` if the library cannot be opened, has an unsupported version, or differs from the library that is already open.
///
/// # Safety
/// `path` must be a MuJoCo library, and `layout` must describe it.
pub unsafe fn install(path: &Path, layout: &str) -> Result<&'static Library, Fault> {
    let _turn = OPENING.lock();
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
    // SAFETY: the caller guarantees that `path` is a MuJoCo library and that `layout` describes it.
    let library = unsafe { Library::open(path, layout) }?;
    Ok(LIBRARY.get_or_init(|| library))
}

/// Opens the MuJoCo library that a file describes: the first line is the library's path, and the other lines are the argument
/// `layout` of [`install`]. `envpool-rs mujoco-library FILE` writes such a file, for programs without Python.
///
/// # Errors
/// `Library` if the file cannot be read, or if the library cannot be opened, has an unsupported version, or differs from the
/// library that is already open.
///
/// # Safety
/// The file must name a MuJoCo library and describe its layout.
pub unsafe fn install_described(file: &Path) -> Result<&'static Library, Fault> {
    let unread = |reason: String| Fault::Library(format!("{}: {reason}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| unread(error.to_string()))?;
    let (path, layout) =
        text.split_once('\n').ok_or_else(|| unread("expected a library's path, then a line for each field".into()))?;
    // SAFETY: the caller guarantees that `path` is a MuJoCo library and that `layout` describes it.
    unsafe { install(Path::new(path), layout) }
}

/// Returns the MuJoCo library, or `None` if [`install`] has not opened it.
pub fn installed() -> Option<&'static Library> {
    LIBRARY.get()
}

impl Library {
    /// Opens the MuJoCo library at `path`.
    ///
    /// # Safety
    /// `path` must be a MuJoCo library, and `layout` must describe it.
    unsafe fn open(path: &Path, layout: &str) -> Result<Self, Fault> {
        let layout = Layout::parse(layout)?;
        // A private copy of the library avoids the callbacks that the Python package `mujoco` installs in its own copy. One
        // callback measures the time of each stage of a step, which takes a quarter of the time of a small robot's step. The
        // user's own callbacks may be called only on Python threads. SAFETY: the caller guarantees that the file is MuJoCo,
        // whose initialization has no preconditions.
        let open = unsafe { open_private(path) }
            .map_err(|reason| Fault::Library(format!("{} cannot be opened: {reason}", path.display())))?;
        let library = Self {
            functions: Functions::find(&open)?,
            handlers: handlers(&open)?,
            model: ModelFields::find(&layout)?,
            data: DataFields::find(&layout)?,
            contact: ContactFields::find(&layout).ok().filter(|fields| fields.geom.count == 2),
            path: path.to_owned(),
            layout,
            open,
        };
        let (version, described) = (library.version(), library.layout.number("mj_version").ok());
        if let Some(described) = described.filter(|described| *described != version) {
            let path = library.path.display();
            return Err(Fault::Library(format!(
                "{path} has the version {version}: expected {described}, whose structs are described"
            )));
        }
        // A single-precision build of MuJoCo is rejected: it would read the axis and write the quaternion as float32, so the
        // result would differ.
        match library.quaternion(&[0.0, 1.0, 0.0], 0.0) {
            [1.0, 0.0, 0.0, 0.0] if library.quaternion(&[0.0, 1.0, 0.0], PI)[2] == 1.0 => Ok(library),
            _ => Err(Fault::Library(format!("{} computes in single precision", library.path.display()))),
        }
    }

    /// Returns the library's version number (`mj_version`), such as 3006000 for MuJoCo 3.6.0.
    pub fn version(&self) -> i32 {
        // SAFETY: `mj_version` has no arguments and no preconditions.
        unsafe { (self.functions.mj_version)() }
    }

    /// Returns the bit in `opt.disableflags` (`mjtDisableBit`) that disables a stage of the step.
    pub(super) fn bit(&self, flag: DisableFlag) -> c_int {
        match flag {
            DisableFlag::Islands => self.model.islands,
            DisableFlag::MidPhase => self.model.mid_phase,
            DisableFlag::Actuation => self.model.actuation,
        }
    }

    /// Returns the quaternion of a rotation by `angle` about `axis` (`mju_axisAngle2Quat`).
    pub fn quaternion(&self, axis: &[f64; 3], angle: f64) -> [f64; 4] {
        let mut quaternion = [0.0; 4];
        // SAFETY: `axis` has the three elements that `mju_axisAngle2Quat` reads, and `quaternion` the four that it writes.
        // The function raises no error.
        unsafe { (self.functions.mju_axisAngle2Quat)(quaternion.as_mut_ptr(), axis.as_ptr(), angle) };
        quaternion
    }

    /// Deletes a model and frees its memory (`mj_deleteModel`).
    pub(super) fn delete_model(&self, model: std::ptr::NonNull<RawModel>) {
        // SAFETY: only the last owner of the model calls `delete_model`, and calls it once.
        unsafe { (self.functions.mj_deleteModel)(model.as_ptr()) };
    }

    /// Returns the MuJoCo library that the Python package `mujoco` has opened; `None` if Python has not opened it.
    ///
    /// The package's library has its own error handlers. It may read file types that the private copy cannot read, because the
    /// package registers plugins with its own library.
    pub(super) fn packages(&self) -> Option<(Handlers, Functions, libloading::Library)> {
        // SAFETY: `install` requires that the file is a MuJoCo library, whose initialization has no preconditions.
        let library = unsafe { libloading::Library::new(&self.path) }.ok()?;
        Some((handlers(&library).ok()?, Functions::find(&library).ok()?, library))
    }

    /// Returns the handle of the shared library, in which further symbols can be looked up.
    pub(super) fn symbols(&self) -> &libloading::Library {
        &self.open
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Calls the function `work`, which may call MuJoCo, with the library's functions.
    /// Fails with MuJoCo's errors. The models and simulations that `work` used must not be used again.
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
    fn a_file_that_is_not_a_library_is_an_error_that_names_the_file() {
        // SAFETY: no file exists at the path `/nowhere/libmujoco.so`, so no library is initialized.
        let error = unsafe { Library::open(Path::new("/nowhere/libmujoco.so"), "") }.unwrap_err().to_string();
        assert!(error.starts_with("/nowhere/libmujoco.so cannot be opened: "), "{error}");
        // SAFETY: no file exists at the path `/nowhere/mujoco.txt`, so no library is initialized.
        let error = unsafe { install_described(Path::new("/nowhere/mujoco.txt")) }.unwrap_err().to_string();
        assert!(error.starts_with("/nowhere/mujoco.txt: "), "{error}");
    }
}

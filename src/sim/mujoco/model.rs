//! Models (`mjModel`): bodies, joints, actuators. A model is immutable once it is shared.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, OnceLock};

use super::faults::{Fault, Handlers, take_warning};
use super::fields::{DisableFlag, ModelSizes, RawModel, at, integer, model_arrays};
use super::library::{Functions, Library};
use super::own_model::{Array, BaseModel, ModelOverrides};

/// Type of a named object (`mjtObj`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A body.
    Body,
    /// A joint.
    Joint,
    /// A geometry.
    Geom,
    /// A site.
    Site,
    /// A light.
    Light,
    /// A camera.
    Camera,
    /// An actuator.
    Actuator,
    /// A sensor.
    Sensor,
    /// A material.
    Material,
}

/// Joint type (`mjtJoint`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Seven positions and six velocities.
    Free,
    /// Four positions and three velocities.
    Ball,
    /// Translation along an axis.
    Slide,
    /// Rotation about an axis.
    Hinge,
}

/// Compiled model. Clones share it.
#[derive(Debug, Clone)]
pub struct Model(Arc<Owned>);

#[derive(Debug)]
struct Owned {
    raw: NonNull<RawModel>,
    library: &'static Library,
    sizes: ModelSizes,
    state_len: usize,
    /// The model with actuation disabled.
    passive: OnceLock<ModelOverrides>,
    /// Hash of the compiled model.
    fingerprint: OnceLock<u64>,
}

// SAFETY: a model is not modified once it is shared (`set` requires `Arc::get_mut`), and MuJoCo allows any number of threads to
// read it.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: this value owns the model, and `drop` runs once.
        unsafe { (self.library.functions.mj_deleteModel)(self.raw.as_ptr()) };
    }
}

/// Size of the buffer for MuJoCo's error messages, in bytes.
const MESSAGE: usize = 1024;
/// Upper bound of the size of `mjVFS`, which is a pointer, in words of 8 bytes.
const VIRTUAL_FILES: usize = 64;

/// Virtual file system (`mjVFS`): files that only MuJoCo sees.
struct VirtualFiles<'a> {
    raw: Box<[u64; VIRTUAL_FILES]>,
    handlers: Handlers,
    functions: &'a Functions,
}

impl<'a> VirtualFiles<'a> {
    /// Creates an empty file system for the library of `functions`, with errors caught by `handlers`.
    fn new(handlers: Handlers, functions: &'a Functions) -> Result<Self, Fault> {
        let mut raw = Box::new([0; VIRTUAL_FILES]);
        // SAFETY: the buffer is at least as large as an `mjVFS`.
        handlers.during(|| unsafe { (functions.mj_defaultVFS)(raw.as_mut_ptr().cast()) })?;
        Ok(Self { raw, handlers, functions })
    }

    /// Adds a file. Returns whether it could be added.
    fn add(&mut self, name: &CStr, bytes: &[u8]) -> Result<bool, Fault> {
        let Ok(len) = c_int::try_from(bytes.len()) else { return Ok(false) };
        // SAFETY: the name is NUL-terminated by its type, and `len` is the length of `bytes`; MuJoCo copies both.
        let added = self.handlers.during(|| unsafe {
            (self.functions.mj_addBufferVFS)(self.raw.as_mut_ptr().cast(), name.as_ptr(), bytes.as_ptr().cast(), len)
        })?;
        Ok(added == 0)
    }

    fn raw(&self) -> *const c_void {
        self.raw.as_ptr().cast()
    }
}

impl Drop for VirtualFiles<'_> {
    fn drop(&mut self) {
        // SAFETY: `new` has initialized the file system, and `drop` runs once. The function throws nothing.
        unsafe { (self.functions.mj_deleteVFS)(self.raw.as_mut_ptr().cast()) };
    }
}

/// Checks that the system can create the threads by which MuJoCo may read a model. If thread creation fails there, MuJoCo throws
/// an exception that nothing can catch, which ends the process.
fn check_threads() -> std::io::Result<()> {
    /// Upper bound of the number of MuJoCo's threads.
    const MOST: usize = 16;
    const STACK: usize = 8 << 20;
    let count = std::thread::available_parallelism().map_or(1, usize::from).min(MOST);
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        // All threads live until the last one has started.
        let _closed = gate.lock();
        let begin = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || drop(gate.lock())).map(|_| ());
        (0..count).try_for_each(begin)
    })
}

/// Source of a model: a path, and the text if the file is virtual.
struct Source<'a> {
    path: &'a Path,
    file: CString,
    text: Option<&'a str>,
}

impl Source<'_> {
    fn refused(&self, reason: impl Into<String>) -> Fault {
        Fault::Model { path: self.path.to_owned(), reason: reason.into() }
    }

    /// Compiles the source by the library of `functions`, with errors caught by `handlers`.
    fn compile(&self, (handlers, functions): (Handlers, &Functions)) -> Result<NonNull<RawModel>, Fault> {
        check_threads().map_err(|error| Fault::Threads(error.to_string()))?;
        let mut files = self.text.map(|_| VirtualFiles::new(handlers, functions)).transpose()?;
        if let (Some(files), Some(text)) = (&mut files, self.text)
            && !files.add(&self.file, text.as_bytes())?
        {
            return Err(self.refused("the library does not take its text"));
        }
        let files = files.as_ref().map_or(std::ptr::null(), VirtualFiles::raw);
        let mut message: [c_char; MESSAGE] = [0; MESSAGE];
        // SAFETY: the file's name is NUL-terminated by its type, the file system is initialized or null, and the buffer has
        // `MESSAGE` bytes.
        let loaded = handlers
            .during(|| unsafe { (functions.mj_loadXML)(self.file.as_ptr(), files, message.as_mut_ptr(), MESSAGE as c_int) });
        take_warning();
        let raw = loaded.map_err(|fault| self.refused(fault.to_string()))?;
        // SAFETY: MuJoCo terminates its messages; an untouched buffer is empty.
        let said = || unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().trim().to_owned();
        NonNull::new(raw).ok_or_else(|| self.refused(said()))
    }

    /// Compiles the source by the package's own library, and copies the model as bytes. Returns `None` if that library is not
    /// open or rejects the source.
    fn compile_elsewhere(&self, library: &Library) -> Option<NonNull<RawModel>> {
        let (handlers, functions, _open) = library.packages()?;
        let model = self.compile((handlers, &functions)).ok()?;
        // SAFETY: the model was just compiled by the library of `functions`, and is deleted once, after its last use.
        let bytes = unsafe {
            let bytes = saved(&functions, model.as_ptr());
            (functions.mj_deleteModel)(model.as_ptr());
            bytes
        };
        let mut files = VirtualFiles::new(library.handlers, &library.functions).ok()?;
        if !files.add(BINARY, &bytes).ok()? {
            return None;
        }
        // SAFETY: the name is NUL-terminated, and the file system is initialized.
        let loaded = library.call(|functions| unsafe { (functions.mj_loadModel)(BINARY.as_ptr(), files.raw()) });
        take_warning();
        NonNull::new(loaded.ok()?)
    }
}

/// Returns the model's bytes in MuJoCo's MJB format (`mj_saveModel`).
///
/// # Safety
/// `model` must be a model of the library of `functions`.
unsafe fn saved(functions: &Functions, model: *const RawModel) -> Vec<u8> {
    // SAFETY: the caller guarantees the model; the buffer has the size that `mj_sizeModel` returns.
    unsafe {
        let mut bytes = vec![0_u8; usize::try_from((functions.mj_sizeModel)(model)).unwrap_or(0)];
        (functions.mj_saveModel)(model, std::ptr::null(), bytes.as_mut_ptr().cast(), bytes.len() as i64);
        bytes
    }
}

/// File name of a binary model.
const BINARY: &CStr = c"model.mjb";

/// MuJoCo's error message for a file type without a decoder.
const NO_DECODER: &str = "no decoder found";

impl Model {
    /// Compiles an MJCF or URDF file, with the stages `without` disabled.
    ///
    /// # Errors
    /// `Model` for a file that is missing or invalid, with MuJoCo's message.
    pub fn from_xml(library: &'static Library, path: &Path, without: &[DisableFlag]) -> Result<Self, Fault> {
        Self::compile(library, path, None, without)
    }

    /// Compiles MJCF or URDF text under the path of a file that need not exist. Files that it refers to have to exist.
    ///
    /// # Errors
    /// As for `from_xml`.
    pub fn from_text(library: &'static Library, path: &Path, text: &str, without: &[DisableFlag]) -> Result<Self, Fault> {
        Self::compile(library, path, Some(text), without)
    }

    fn compile(library: &'static Library, path: &Path, text: Option<&str>, without: &[DisableFlag]) -> Result<Self, Fault> {
        let refused = |reason: &str| Fault::Model { path: path.to_owned(), reason: reason.to_owned() };
        let file = CString::new(path.to_string_lossy().as_bytes()).map_err(|_| refused("a name with a zero in it"))?;
        let source = Source { path, file, text };
        let raw = match source.compile((library.handlers, &library.functions)) {
            // Up to MuJoCo 3.9, plugins read meshes; the package registers them only with its own library.
            Err(Fault::Model { path, reason }) if reason.contains(NO_DECODER) => {
                source.compile_elsewhere(library).ok_or(Fault::Model { path, reason })?
            }
            compiled => compiled?,
        };
        // SAFETY: the library has just created the model, and no other reference exists, so it may be written to.
        unsafe {
            let flags = at::<c_int>(raw.as_ptr(), library.model.disableflags);
            for flag in without {
                *flags.cast_mut() |= library.bit(*flag);
            }
            let sizes = library.model.sizes.read(raw.as_ptr());
            let state_len = (library.functions.mj_stateSize)(raw.as_ptr(), library.model.integration) as usize;
            Ok(Self(Arc::new(Owned { raw, library, sizes, state_len, passive: OnceLock::new(), fingerprint: OnceLock::new() })))
        }
    }

    /// Sets an element of an array, for all future simulations. The fingerprint stays that of the compiled model.
    ///
    /// # Panics
    /// If the model is shared, or the index is out of range.
    pub fn set(&mut self, array: Array<f64>, index: usize, value: f64) {
        self.fingerprint();
        let owned = Arc::get_mut(&mut self.0).expect("a model is changed before it is shared");
        assert!(index < array.len(&owned.sizes), "number {index} of an array of {}", array.len(&owned.sizes));
        // SAFETY: the field is a pointer to `array.len()` numbers of this type, `index` is less, and `Arc::get_mut` has shown
        // that no other reference exists.
        unsafe { (*at::<*mut f64>(owned.raw.as_ptr(), array.field(owned.library))).add(index).write(value) };
    }

    /// Returns the model with actuation disabled.
    pub(super) fn passive(&self) -> *const RawModel {
        let make = || {
            let mut own = ModelOverrides::new(self.original());
            own.set_disabled(self.library(), DisableFlag::Actuation, true);
            own
        };
        self.0.passive.get_or_init(make).raw()
    }

    /// Returns the base model of simulations' own models, which keep it alive.
    pub(super) fn original(&self) -> BaseModel<'_> {
        // SAFETY: the model is the library's and has these sizes, and each holder of a copy also holds this model.
        unsafe { BaseModel::new(self.raw(), self.library(), self.sizes()) }
    }

    pub(super) fn raw(&self) -> *const RawModel {
        self.0.raw.as_ptr()
    }

    pub(super) fn library(&self) -> &'static Library {
        self.0.library
    }

    /// Returns the sizes (`nq`, `nv`, ...).
    pub fn sizes(&self) -> &ModelSizes {
        &self.0.sizes
    }

    /// Returns the memory of the arrays, in bytes.
    pub fn bytes(&self) -> usize {
        // SAFETY: the layout says that the field is an integer of the model.
        unsafe { integer(self.raw(), self.library().model.nbuffer) as usize }
    }

    /// Returns the timestep, in seconds.
    pub fn timestep(&self) -> f64 {
        // SAFETY: the layout says that the field is a float64 of the model.
        unsafe { *at::<f64>(self.raw(), self.library().model.timestep) }
    }

    /// Returns the gravitational acceleration, in m/s².
    pub fn gravity(&self) -> [f64; 3] {
        // SAFETY: the layout says that the field is three float64 of the model.
        unsafe { *at::<[f64; 3]>(self.raw(), self.library().model.gravity) }
    }

    /// Returns whether the integrator is `mjINT_RK4`, with four evaluations per step.
    pub fn is_runge_kutta(&self) -> bool {
        let fields = &self.library().model;
        // SAFETY: the layout says that the field is an integer of the model.
        unsafe { integer(self.raw(), fields.integrator) == i64::from(fields.runge_kutta) }
    }

    /// Returns the `mjtObj` number of an object type.
    pub(super) fn number_of(&self, kind: ObjectKind) -> c_int {
        let kinds = &self.library().model.kinds;
        match kind {
            ObjectKind::Body => kinds.body,
            ObjectKind::Joint => kinds.joint,
            ObjectKind::Geom => kinds.geom,
            ObjectKind::Site => kinds.site,
            ObjectKind::Light => kinds.light,
            ObjectKind::Actuator => kinds.actuator,
            ObjectKind::Sensor => kinds.sensor,
            ObjectKind::Material => kinds.material,
            ObjectKind::Camera => kinds.camera,
        }
    }

    /// Returns the id of a named object (`mj_name2id`).
    pub fn id(&self, kind: ObjectKind, name: &str) -> Option<usize> {
        let kind = self.number_of(kind);
        let name = CString::new(name).ok()?;
        // SAFETY: the name is NUL-terminated by its type, and the model is alive.
        let id = unsafe { (self.library().functions.mj_name2id)(self.raw(), kind, name.as_ptr()) };
        usize::try_from(id).ok()
    }

    /// Returns an address that is unique among the models that are alive.
    pub fn address(&self) -> usize {
        self.raw().addr()
    }

    /// Returns the number of cameras.
    pub fn cameras(&self) -> usize {
        // SAFETY: the layout says that the field is an integer of the model.
        unsafe { integer(self.raw(), self.library().model.ncam) as usize }
    }

    /// Returns the spatial extent (`stat.extent`), in metres.
    pub fn extent(&self) -> f64 {
        // SAFETY: the layout says that the field is a float64 of the model.
        unsafe { *at::<f64>(self.raw(), self.library().model.extent) }
    }

    /// Returns the quaternion of a rotation by `angle` about `axis` (`mju_axisAngle2Quat`).
    pub fn quaternion(&self, axis: &[f64; 3], angle: f64) -> [f64; 4] {
        self.library().quaternion(axis, angle)
    }

    /// Returns the type of a joint.
    pub fn joint_kind(&self, joint: usize) -> JointKind {
        let kinds = &self.library().model.joints;
        match self.jnt_type()[joint] {
            kind if kind == kinds.free => JointKind::Free,
            kind if kind == kinds.ball => JointKind::Ball,
            kind if kind == kinds.slide => JointKind::Slide,
            kind => {
                debug_assert_eq!(kind, kinds.hinge, "there are four kinds");
                JointKind::Hinge
            }
        }
    }

    /// Returns the length of a state vector (`mjSTATE_INTEGRATION`).
    pub fn state_len(&self) -> usize {
        self.0.state_len
    }

    /// Returns a hash of everything that MuJoCo saves of the model: sizes, options, arrays and names.
    pub fn fingerprint(&self) -> u64 {
        *self.0.fingerprint.get_or_init(|| self.hash())
    }

    fn hash(&self) -> u64 {
        // SAFETY: the model is the library's.
        let bytes = unsafe { saved(&self.library().functions, self.raw()) };
        // FNV-1a over words of 8 bytes.
        let words = bytes.chunks(size_of::<u64>()).map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29))
    }

    /// Returns an array of the model.
    pub fn array<T: Copy>(&self, array: Array<T>) -> &[T] {
        self.original().array(array)
    }
}

macro_rules! accessors {
    ($($(#[$doc:meta])* $type:ident $kind:ident $constant:ident $name:ident: $width:literal * $size:ident),*) => {
        impl Model {
            $(
                $(#[$doc])*
                pub fn $name(&self) -> &[$type] {
                    self.array(super::own_model::$constant)
                }
            )*
        }
    };
}
model_arrays!(accessors);

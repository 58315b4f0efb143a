//! What a simulation is of: bodies, joints, actuators. Never written to once it is shared.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, OnceLock};

use super::faults::{Fault, Handlers, take_warning};
use super::fields::{Flag, ModelSizes, RawModel, at, integer, model_arrays};
use super::library::{Functions, Library};
use super::own_model::{Array, Original, OwnModel};

/// Things that have names.
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
    /// What surfaces look like.
    Material,
}

/// Kinds of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Seven positions, six velocities.
    Free,
    /// Four positions, three velocities.
    Ball,
    /// Along an axis.
    Slide,
    /// About an axis.
    Hinge,
}

/// A model. Copies are the same one.
#[derive(Debug, Clone)]
pub struct Model(Arc<Owned>);

#[derive(Debug)]
struct Owned {
    raw: NonNull<RawModel>,
    library: &'static Library,
    sizes: ModelSizes,
    state_len: usize,
    /// The same without actuators.
    passive: OnceLock<OwnModel>,
    /// Of what was compiled.
    fingerprint: OnceLock<u64>,
}

// SAFETY: a model is not written to once it is shared, and the library allows any number of threads to read it.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: it is this value's own, and this is its end.
        unsafe { (self.library.functions.mj_deleteModel)(self.raw.as_ptr()) };
    }
}

/// Bytes of the library's messages about models.
const MESSAGE: usize = 1024;
/// Bytes that are more than enough for a `mjVFS`, which is an address.
const VIRTUAL_FILES: usize = 64;

/// Files that exist for the library only.
struct VirtualFiles<'a> {
    raw: Box<[u64; VIRTUAL_FILES]>,
    handlers: Handlers,
    functions: &'a Functions,
}

impl<'a> VirtualFiles<'a> {
    /// An empty set for `functions` of a library, whose errors `handlers` catch.
    fn new(handlers: Handlers, functions: &'a Functions) -> Result<Self, Fault> {
        let mut raw = Box::new([0; VIRTUAL_FILES]);
        // SAFETY: there is room for one.
        handlers.during(|| unsafe { (functions.mj_defaultVFS)(raw.as_mut_ptr().cast()) })?;
        Ok(Self { raw, handlers, functions })
    }

    /// Adds a file; whether it could be added.
    fn add(&mut self, name: &CStr, bytes: &[u8]) -> Result<bool, Fault> {
        let Ok(len) = c_int::try_from(bytes.len()) else { return Ok(false) };
        // SAFETY: the name ends, and there are as many bytes as is said; both are copied.
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
        // SAFETY: `new` has made it, and this is its end. It throws nothing.
        unsafe { (self.functions.mj_deleteVFS)(self.raw.as_mut_ptr().cast()) };
    }
}

/// Whether the system gives the threads by which the library may read a model. It throws where it gets none, and nobody can catch that:
/// the process would end.
fn check_threads() -> std::io::Result<()> {
    /// More than the library takes.
    const MOST: usize = 16;
    const STACK: usize = 8 << 20;
    let count = std::thread::available_parallelism().map_or(1, usize::from).min(MOST);
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        // All of them live until the last has begun.
        let _closed = gate.lock();
        let begin = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || drop(gate.lock())).map(|_| ());
        (0..count).try_for_each(begin)
    })
}

/// What a model is made of: a file, and its text where it is not there.
struct Source<'a> {
    path: &'a Path,
    file: CString,
    text: Option<&'a str>,
}

impl Source<'_> {
    fn refused(&self, reason: impl Into<String>) -> Fault {
        Fault::Model { path: self.path.to_owned(), reason: reason.into() }
    }

    /// Compiles it by `functions` of a library, whose errors `handlers` catch.
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
        // SAFETY: the file's name ends, the virtual files are there or none, and the message has as many bytes as it says.
        let loaded = handlers
            .during(|| unsafe { (functions.mj_loadXML)(self.file.as_ptr(), files, message.as_mut_ptr(), MESSAGE as c_int) });
        take_warning();
        let raw = loaded.map_err(|fault| self.refused(fault.to_string()))?;
        // SAFETY: the library ends its messages; an untouched one is empty.
        let said = || unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().trim().to_owned();
        NonNull::new(raw).ok_or_else(|| self.refused(said()))
    }

    /// Compiles it by the package's library, whose model it takes over as bytes. `None` where that one is not open, or refuses it.
    fn compile_elsewhere(&self, library: &Library) -> Option<NonNull<RawModel>> {
        let (handlers, functions, _open) = library.packages()?;
        let model = self.compile((handlers, &functions)).ok()?;
        // SAFETY: the model was just made, and has so many bytes as it says.
        let bytes = unsafe {
            let bytes = saved(&functions, model.as_ptr());
            (functions.mj_deleteModel)(model.as_ptr());
            bytes
        };
        let mut files = VirtualFiles::new(library.handlers, &library.functions).ok()?;
        if !files.add(BINARY, &bytes).ok()? {
            return None;
        }
        // SAFETY: the name ends, and the files are there.
        let loaded = library.call(|functions| unsafe { (functions.mj_loadModel)(BINARY.as_ptr(), files.raw()) });
        take_warning();
        NonNull::new(loaded.ok()?)
    }
}

/// The model's bytes, as the library saves it to files of its own format.
///
/// # Safety
/// `model` must be a model of the library of `functions`.
unsafe fn saved(functions: &Functions, model: *const RawModel) -> Vec<u8> {
    // SAFETY: passed on to the caller; the buffer has the size that the library asks for.
    unsafe {
        let mut bytes = vec![0_u8; usize::try_from((functions.mj_sizeModel)(model)).unwrap_or(0)];
        (functions.mj_saveModel)(model, std::ptr::null(), bytes.as_mut_ptr().cast(), bytes.len() as i64);
        bytes
    }
}

/// The name of a model that is bytes.
const BINARY: &CStr = c"model.mjb";

/// What the library says of files of a kind that it cannot read by itself.
const NO_DECODER: &str = "no decoder found";

impl Model {
    /// Compiles a file of MJCF or URDF, for steps without the stages `without`.
    ///
    /// # Errors
    /// `Model` for a file that is missing or none, with the library's words.
    pub fn from_xml(library: &'static Library, path: &Path, without: &[Flag]) -> Result<Self, Fault> {
        Self::compile(library, path, None, without)
    }

    /// The same for a file of this text, which need not exist; what it refers to has to.
    ///
    /// # Errors
    /// As for `from_xml`.
    pub fn from_text(library: &'static Library, path: &Path, text: &str, without: &[Flag]) -> Result<Self, Fault> {
        Self::compile(library, path, Some(text), without)
    }

    fn compile(library: &'static Library, path: &Path, text: Option<&str>, without: &[Flag]) -> Result<Self, Fault> {
        let refused = |reason: &str| Fault::Model { path: path.to_owned(), reason: reason.to_owned() };
        let file = CString::new(path.to_string_lossy().as_bytes()).map_err(|_| refused("a name with a zero in it"))?;
        let source = Source { path, file, text };
        let raw = match source.compile((library.handlers, &library.functions)) {
            // Up to MuJoCo 3.9, meshes are read by plugins, which the package registers with its own library.
            Err(Fault::Model { path, reason }) if reason.contains(NO_DECODER) => {
                source.compile_elsewhere(library).ok_or(Fault::Model { path, reason })?
            }
            compiled => compiled?,
        };
        // SAFETY: the library has just made it, and nobody else has it: it may be written to.
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

    /// Changes a number of an array, for all simulations that there will be. Its fingerprint stays that of what was compiled.
    ///
    /// # Panics
    /// Where the model is shared, or has no such number.
    pub fn set(&mut self, array: Array<f64>, index: usize, value: f64) {
        self.fingerprint();
        let owned = Arc::get_mut(&mut self.0).expect("a model is changed before it is shared");
        assert!(index < array.len(&owned.sizes), "number {index} of an array of {}", array.len(&owned.sizes));
        // SAFETY: the field is the address of so many numbers of this type, and nobody else has the model.
        unsafe { (*at::<*mut f64>(owned.raw.as_ptr(), array.field(owned.library))).add(index).write(value) };
    }

    /// The same without actuators.
    pub(super) fn passive(&self) -> *const RawModel {
        let make = || {
            let mut own = OwnModel::new(self.original());
            own.set_disabled(self.library(), Flag::Actuation, true);
            own
        };
        self.0.passive.get_or_init(make).raw()
    }

    /// What simulations' own models are copies of; they hold on to this one.
    pub(super) fn original(&self) -> Original<'_> {
        // SAFETY: it is the library's, these are its sizes, and whoever copies it has it.
        unsafe { Original::new(self.raw(), self.library(), self.sizes()) }
    }

    pub(super) fn raw(&self) -> *const RawModel {
        self.0.raw.as_ptr()
    }

    pub(super) fn library(&self) -> &'static Library {
        self.0.library
    }

    /// Numbers of things in it.
    pub fn sizes(&self) -> &ModelSizes {
        &self.0.sizes
    }

    /// Bytes that its arrays take.
    pub fn bytes(&self) -> usize {
        // SAFETY: the field is an integer of the model.
        unsafe { integer(self.raw(), self.library().model.nbuffer) as usize }
    }

    /// Seconds of a step.
    pub fn timestep(&self) -> f64 {
        // SAFETY: the field is a float64 of the model.
        unsafe { *at::<f64>(self.raw(), self.library().model.timestep) }
    }

    /// Acceleration of what falls, in m/s².
    pub fn gravity(&self) -> [f64; 3] {
        // SAFETY: the field is three float64 of the model.
        unsafe { *at::<[f64; 3]>(self.raw(), self.library().model.gravity) }
    }

    /// Whether its steps are those of Runge and Kutta's method, of four evaluations each.
    pub fn is_runge_kutta(&self) -> bool {
        let fields = &self.library().model;
        // SAFETY: the field is an integer of the model.
        unsafe { integer(self.raw(), fields.integrator) == i64::from(fields.runge_kutta) }
    }

    /// The library's number for a kind of things.
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

    /// The number of the thing of this name.
    pub fn id(&self, kind: ObjectKind, name: &str) -> Option<usize> {
        let kind = self.number_of(kind);
        let name = CString::new(name).ok()?;
        // SAFETY: the name ends, and the model is there.
        let id = unsafe { (self.library().functions.mj_name2id)(self.raw(), kind, name.as_ptr()) };
        usize::try_from(id).ok()
    }

    /// A number that no other model has while this one is there.
    pub fn address(&self) -> usize {
        self.raw().addr()
    }

    /// How many cameras it has.
    pub fn cameras(&self) -> usize {
        // SAFETY: the field is an integer of the model.
        unsafe { integer(self.raw(), self.library().model.ncam) as usize }
    }

    /// How far it reaches, in metres.
    pub fn extent(&self) -> f64 {
        // SAFETY: the field is a float64 of the model.
        unsafe { *at::<f64>(self.raw(), self.library().model.extent) }
    }

    /// The quaternion of a rotation by `angle` about `axis`.
    pub fn quaternion(&self, axis: &[f64; 3], angle: f64) -> [f64; 4] {
        self.library().quaternion(axis, angle)
    }

    /// The kind of a joint.
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

    /// Numbers of the state that a simulation goes on from.
    pub fn state_len(&self) -> usize {
        self.0.state_len
    }

    /// A number that tells models apart: a hash of all that the library saves of the model, sizes, settings, arrays and names.
    pub fn fingerprint(&self) -> u64 {
        *self.0.fingerprint.get_or_init(|| self.hash())
    }

    fn hash(&self) -> u64 {
        // SAFETY: the model is the library's.
        let bytes = unsafe { saved(&self.library().functions, self.raw()) };
        // FNV-1a, word by word.
        let words = bytes.chunks(size_of::<u64>()).map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29))
    }

    /// An array of it.
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

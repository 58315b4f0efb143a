//! MuJoCo models (`mjModel`). A model is immutable once simulations share it.

mod source;

use std::ffi::{CString, c_int};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use self::source::{NO_DECODER, Source, load, saved};
use crate::faults::Fault;
use crate::fields::{DisableFlag, ModelSizes, RawModel, at, elements, integer, model_arrays};
use crate::library::Library;
use crate::mjt::{MJDYN_MUSCLE, MJEQ_WELD, MJTRN_JOINT, MJTRN_JOINTINPARENT};
use crate::model_overrides::{Array, BaseModel, ModelOverrides};

/// Type of a named object of a model (`mjtObj`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of MuJoCo")]
pub enum ObjectKind {
    Body,
    Joint,
    Geom,
    Site,
    Light,
    Camera,
    Actuator,
    Sensor,
    Material,
}

/// Joint type (`mjtJoint`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Free joint, with seven positions and six velocities.
    Free,
    /// Ball joint, with four positions and three velocities.
    Ball,
    /// Joint that translates along an axis.
    Slide,
    /// Joint that rotates about an axis.
    Hinge,
}

/// Compiled MuJoCo model (`mjModel`). Clones share the model's memory.
#[derive(Debug, Clone)]
pub struct Model(Arc<Owned>);

#[derive(Debug)]
struct Owned {
    raw: NonNull<RawModel>,
    library: &'static Library,
    sizes: ModelSizes,
    state_len: usize,
    /// File from which the model was compiled; `None` for a model from bytes.
    path: Option<PathBuf>,
    /// Copy of the model with actuation disabled, created on first use.
    passive: OnceLock<ModelOverrides>,
    /// Copy of the model for steps (see [`Model::stepping`]), created on first use.
    stepping: OnceLock<ModelOverrides>,
    /// Hash of the compiled model (see [`Model::fingerprint`]), computed on first use.
    fingerprint: OnceLock<u64>,
    /// Geoms whose shapes simulations change.
    shaped: Vec<usize>,
}

// SAFETY: a shared model is not modified (`set` requires `Arc::get_mut`), and MuJoCo allows any number of threads to read a
// model.
unsafe impl Send for Owned {}
// SAFETY: a shared model is not modified (`set` requires `Arc::get_mut`), and MuJoCo allows any number of threads to read a
// model.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        self.library.delete_model(self.raw);
    }
}

impl Model {
    /// Compiles an MJCF or URDF file. The stages of a step in the list `without` are disabled in the model.
    ///
    /// # Errors
    /// `Model` if the file is missing or invalid, with MuJoCo's message.
    pub fn from_xml(library: &'static Library, path: &Path, without: &[DisableFlag]) -> Result<Self, Fault> {
        Self::compile(library, path, None, without)
    }

    /// Compiles MJCF or URDF text as if it were the content of the file `path`, which need not exist. Files that the text refers
    /// to must exist.
    ///
    /// # Errors
    /// `Model` if the text is invalid or a file that it refers to is missing, with MuJoCo's message.
    pub fn from_text(library: &'static Library, path: &Path, text: &str, without: &[DisableFlag]) -> Result<Self, Fault> {
        Self::compile(library, path, Some(text), without)
    }

    fn compile(library: &'static Library, path: &Path, text: Option<&str>, without: &[DisableFlag]) -> Result<Self, Fault> {
        let refused = |reason: &str| Fault::Model { path: path.to_owned(), reason: reason.to_owned() };
        let file = CString::new(path.to_string_lossy().as_bytes()).map_err(|_| refused("a name with a zero in it"))?;
        let source = Source { path, file, text };
        let raw = match source.compile(library) {
            // Up to MuJoCo 3.9, meshes are decoded by plugins, which the Python package registers only with its own copy of the
            // library. So the Python package's copy of the library compiles the model, if Python has opened it.
            Err(Fault::Model { path, reason }) if reason.contains(NO_DECODER) => {
                source.compile_elsewhere(library).ok_or(Fault::Model { path, reason })?
            }
            compiled => compiled?,
        };
        // SAFETY: the MuJoCo library has just created the model, and no other reference to it exists, so the model's options
        // may be written.
        unsafe {
            let flags = at::<c_int>(raw.as_ptr(), library.model.disableflags);
            for flag in without {
                *flags.cast_mut() |= library.bit(*flag);
            }
            Ok(Self::owned(library, raw, Some(path.to_owned())))
        }
    }

    /// Loads a compiled model from bytes in MuJoCo's MJB format, as `mj_saveModel` of the same version writes them.
    ///
    /// # Errors
    /// `MujocoError` if the library rejects them.
    pub fn from_bytes(library: &'static Library, bytes: &[u8]) -> Result<Self, Fault> {
        let raw = load(library, bytes)?.ok_or_else(|| Fault::MujocoError("the library rejects the model's bytes".into()))?;
        // SAFETY: the MuJoCo library has just created the model `raw`, and no other reference to the model exists.
        Ok(unsafe { Self::owned(library, raw, None) })
    }

    /// Creates a [`Model`] that owns the `mjModel` at `raw`.
    ///
    /// # Safety
    /// `raw` must be a model of the library to which no other reference exists.
    unsafe fn owned(library: &'static Library, raw: NonNull<RawModel>, path: Option<PathBuf>) -> Self {
        // SAFETY: the caller guarantees that `raw` is a model of `library`.
        unsafe {
            let sizes = library.model.sizes.read(raw.as_ptr());
            let state_len = (library.functions.mj_stateSize)(raw.as_ptr(), library.model.integration) as usize;
            let (passive, stepping, fingerprint) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
            Self(Arc::new(Owned { raw, library, sizes, state_len, path, passive, stepping, fingerprint, shaped: Vec::new() }))
        }
    }

    /// Sets an element of a model array, for all simulations created later. The result of `fingerprint` does not change.
    ///
    /// # Panics
    /// If the model is shared, or if `index` is out of range.
    pub fn set(&mut self, array: Array<f64>, index: usize, value: f64) {
        self.fingerprint();
        let owned = Arc::get_mut(&mut self.0).expect("a model is changed before it is shared");
        assert!(index < array.len(&owned.sizes), "number {index} of an array of {}", array.len(&owned.sizes));
        // SAFETY: the `mjModel` field points to `array.len()` elements of this type, and `index` is less than `array.len()`.
        // `Arc::get_mut` has shown that no other reference to the model exists.
        unsafe { (*at::<*mut f64>(owned.raw.as_ptr(), array.field(owned.library))).add(index).write(value) };
    }

    /// Sets the number of dimensions of a geom's contacts (`geom_condim`), as [`set`](Self::set) does.
    ///
    /// # Panics
    /// If the model is shared, if it has no geom `geom`, or if there are no contacts of `dimensions`.
    pub fn set_condim(&mut self, geom: usize, dimensions: i32) {
        self.fingerprint();
        assert!(matches!(dimensions, 1 | 3 | 4 | 6) && geom < self.sizes().ngeom, "{dimensions} dimensions of geom {geom}");
        let owned = Arc::get_mut(&mut self.0).expect("a model is changed before it is shared");
        let field = crate::model_overrides::GEOM_CONDIM.field(owned.library);
        // SAFETY: the `mjModel` field points to `ngeom` integers, and `geom` is less than `ngeom`. `Arc::get_mut` has shown that no
        // other reference to the model exists.
        unsafe { (*at::<*mut i32>(owned.raw.as_ptr(), field)).add(geom).write(dimensions) };
    }

    /// Announces that simulations change the sizes, types and places of these geoms, or the heights of height fields. The native stepper
    /// then allows these changes.
    ///
    /// # Panics
    /// If the model is shared.
    pub fn set_shaped(&mut self, geoms: Vec<usize>) {
        Arc::get_mut(&mut self.0).expect("a model is changed before it is shared").shaped = geoms;
    }

    pub(super) fn shaped(&self) -> &[usize] {
        &self.0.shaped
    }

    /// Returns the indices of the weld constraints (`mjEQ_WELD`).
    pub fn welds(&self) -> impl Iterator<Item = usize> {
        self.eq_type().iter().enumerate().filter(|(_, kind)| i64::from(**kind) == MJEQ_WELD).map(|(weld, _)| weld)
    }

    /// Returns the two bodies of the equality constraint `index`; `None` if the constraint is of other objects.
    ///
    /// # Panics
    /// If the model has no constraint `index`.
    pub fn constrained_bodies(&self, index: usize) -> Option<[usize; 2]> {
        let are_bodies = self.eq_objtype()[index] == self.number_of(ObjectKind::Body);
        are_bodies.then(|| [self.eq_obj1id()[index] as usize, self.eq_obj2id()[index] as usize])
    }

    /// Returns the joint that an actuator moves (`mjTRN_JOINT` or `mjTRN_JOINTINPARENT`); `None` if it moves another object.
    ///
    /// # Panics
    /// If the model has no actuator `actuator`.
    pub fn actuated_joint(&self, actuator: usize) -> Option<usize> {
        let is_joint = matches!(i64::from(self.actuator_trntype()[actuator]), MJTRN_JOINT | MJTRN_JOINTINPARENT);
        is_joint.then(|| self.actuator_trnid()[2 * actuator] as usize)
    }

    /// Returns whether an actuator has the activation dynamics of a muscle (`mjDYN_MUSCLE`).
    ///
    /// # Panics
    /// If the model has no actuator `actuator`.
    pub fn is_muscle(&self, actuator: usize) -> bool {
        i64::from(self.actuator_dyntype()[actuator]) == MJDYN_MUSCLE
    }

    /// Returns the positions of the keyframe `key` (`key_qpos`); `None` if the model has no such keyframe.
    pub fn key_qpos(&self, key: usize) -> Option<&[f64]> {
        let ModelSizes { nq, nkey, .. } = *self.sizes();
        // SAFETY: `key_qpos` points to `nq` float64 for each of the `nkey` keyframes, which live as long as the model.
        (key < nkey).then(|| unsafe { &elements(self.raw(), self.library().model.key_qpos, nkey * nq)[key * nq..][..nq] })
    }

    /// Returns the velocities of the keyframe `key` (`key_qvel`); `None` if the model has no such keyframe.
    pub fn key_qvel(&self, key: usize) -> Option<&[f64]> {
        let ModelSizes { nv, nkey, .. } = *self.sizes();
        // SAFETY: `key_qvel` points to `nv` float64 for each of the `nkey` keyframes, which live as long as the model.
        (key < nkey).then(|| unsafe { &elements(self.raw(), self.library().model.key_qvel, nkey * nv)[key * nv..][..nv] })
    }

    /// Sets the first parameters of an equality constraint (`eq_data`), for all simulations created later. The result of
    /// `fingerprint` does not change.
    ///
    /// # Errors
    /// `Library` if the layout table does not give the number of parameters, or if there are fewer than `values`.
    ///
    /// # Panics
    /// If the model is shared, or if it has no constraint `index`.
    pub fn set_equality(&mut self, index: usize, values: &[f64]) -> Result<(), Fault> {
        self.fingerprint();
        let owned = Arc::get_mut(&mut self.0).expect("a model is changed before it is shared");
        assert!(index < owned.sizes.neq, "constraint {index} of {}", owned.sizes.neq);
        let width = owned.library.model.equality_width.and_then(|width| usize::try_from(width).ok());
        let Some(width) = width.filter(|width| values.len() <= *width) else {
            return Err(Fault::Library("this version of MuJoCo has equality constraints with other parameters".into()));
        };
        // SAFETY: `eq_data` points to `width` float64 for each of the `neq` constraints, and `index` is less than `neq`.
        // `Arc::get_mut` has shown that no other reference to the model exists.
        unsafe {
            let start = (*at::<*mut f64>(owned.raw.as_ptr(), owned.library.model.eq_data)).add(index * width);
            std::slice::from_raw_parts_mut(start, values.len()).copy_from_slice(values);
        }
        Ok(())
    }

    /// Returns a copy of the model with actuation disabled.
    pub(super) fn passive(&self) -> *const RawModel {
        let make = || {
            let mut own = ModelOverrides::new(self.original());
            own.set_disabled(self.library(), DisableFlag::Actuation, true);
            own
        };
        self.0.passive.get_or_init(make).raw()
    }

    /// Returns a copy without nodes in bounding volume hierarchies, for faster steps: see [`ModelOverrides::swap_nbvh`].
    pub(super) fn stepping(&self) -> *const RawModel {
        let make = || {
            let mut own = ModelOverrides::new(self.original());
            own.swap_nbvh(self.library(), &mut 0);
            own
        };
        self.0.stepping.get_or_init(make).raw()
    }

    /// Returns the base model, of which simulations make copies when they change arrays. Each copy keeps the base model alive.
    pub(super) fn original(&self) -> BaseModel<'_> {
        // SAFETY: the arguments are the model's own library and sizes, and each holder of a copy also holds a clone of this
        // model.
        unsafe { BaseModel::new(self.raw(), self.library(), self.sizes()) }
    }

    pub(super) fn raw(&self) -> *const RawModel {
        self.0.raw.as_ptr()
    }

    pub(super) fn library(&self) -> &'static Library {
        self.0.library
    }

    /// Returns the sizes of the model (`nq`, `nv`, ...).
    pub fn sizes(&self) -> &ModelSizes {
        &self.0.sizes
    }

    /// Returns the size of the model's arrays (`nbuffer`), in bytes.
    pub fn bytes(&self) -> usize {
        // SAFETY: the layout table says that `nbuffer` is an integer field of `mjModel`.
        unsafe { integer(self.raw(), self.library().model.nbuffer) as usize }
    }

    /// Returns the file from which the model was compiled; `None` for a model from bytes.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns the timestep of the simulation, in seconds.
    pub fn timestep(&self) -> f64 {
        // SAFETY: the layout table says that `opt.timestep` is a float64 of the model.
        unsafe { *at::<f64>(self.raw(), self.library().model.timestep) }
    }

    /// Returns the gravitational acceleration, in m/s².
    pub fn gravity(&self) -> [f64; 3] {
        // SAFETY: the layout table says that `opt.gravity` is three float64 of the model.
        unsafe { *at::<[f64; 3]>(self.raw(), self.library().model.gravity) }
    }

    /// Returns whether the model's integrator is `mjINT_RK4`, which evaluates the dynamics four times per step.
    pub fn is_runge_kutta(&self) -> bool {
        let fields = &self.library().model;
        // SAFETY: the layout table says that `opt.integrator` is an integer of the model.
        unsafe { integer(self.raw(), fields.integrator) == i64::from(fields.runge_kutta) }
    }

    /// Returns the value of MuJoCo's enumeration `mjtObj` for an object type.
    pub(super) fn number_of(&self, kind: ObjectKind) -> c_int {
        self.library().model.kinds[kind as usize]
    }

    /// Returns the id of a named object (`mj_name2id`); `None` if the model has no such object.
    pub fn id(&self, kind: ObjectKind, name: &str) -> Option<usize> {
        let kind = self.number_of(kind);
        let name = CString::new(name).ok()?;
        // SAFETY: `name` is a C string, so it is NUL-terminated, and the model is alive.
        let id = unsafe { (self.library().functions.mj_name2id)(self.raw(), kind, name.as_ptr()) };
        usize::try_from(id).ok()
    }

    /// Returns the address of the `mjModel`, which is unique among the models that are alive.
    pub fn address(&self) -> usize {
        self.raw().addr()
    }

    /// Returns the number of cameras in the model.
    pub fn cameras(&self) -> usize {
        // SAFETY: the layout table says that `ncam` is an integer of the model.
        unsafe { integer(self.raw(), self.library().model.ncam) as usize }
    }

    /// Returns the spatial extent of the model (`stat.extent`), in metres.
    pub fn extent(&self) -> f64 {
        // SAFETY: the layout table says that `stat.extent` is a float64 of the model.
        unsafe { *at::<f64>(self.raw(), self.library().model.extent) }
    }

    /// Returns the quaternion of a rotation by `angle` about `axis` (`mju_axisAngle2Quat`).
    pub fn quaternion(&self, axis: &[f64; 3], angle: f64) -> [f64; 4] {
        self.library().quaternion(axis, angle)
    }

    /// Returns the type of a joint.
    pub fn joint_kind(&self, joint: usize) -> JointKind {
        let kind = self.jnt_type()[joint];
        match self.library().model.joints.iter().position(|known| *known == kind) {
            Some(0) => JointKind::Free,
            Some(1) => JointKind::Ball,
            Some(2) => JointKind::Slide,
            _ => JointKind::Hinge,
        }
    }

    /// Returns the length of a simulation's state vector (`mjSTATE_INTEGRATION`).
    pub fn state_len(&self) -> usize {
        self.0.state_len
    }

    /// Returns the number of values of the components `bits` of `mjtState`.
    ///
    /// # Errors
    /// `MujocoError` if there is no such component.
    pub fn state_size(&self, bits: c_int) -> Result<usize, Fault> {
        // SAFETY: the model is alive, and MuJoCo reports an error for bits of no component.
        self.library().call(|functions| unsafe { (functions.mj_stateSize)(self.raw(), bits) as usize })
    }

    /// Returns the ranges of `mjSTATE_INTEGRATION` that hold the components `bits`, in their order; `None` if one is missing.
    pub(super) fn state_ranges(&self, bits: c_int) -> Option<Vec<Range<usize>>> {
        let Library { functions, model, .. } = self.library();
        if bits & !model.integration != 0 {
            return None;
        }
        // SAFETY: the model is alive, and the bits are components of the state vector.
        let size = |bits: c_int| unsafe { (functions.mj_stateSize)(self.raw(), bits) } as usize;
        let each = (0..c_int::BITS - 1).map(|shift| 1 << shift).filter(|bit| bits & bit != 0);
        let range = |bit| {
            let start = size(model.integration & (bit - 1));
            start..start + size(bit)
        };
        Some(each.map(range).collect())
    }

    /// Returns a hash of all data that MuJoCo saves of the model: sizes, options, arrays and names.
    pub fn fingerprint(&self) -> u64 {
        *self.0.fingerprint.get_or_init(|| self.hash())
    }

    fn hash(&self) -> u64 {
        // SAFETY: the model belongs to `self.library()` and is alive.
        let bytes = unsafe { saved(&self.library().functions, self.raw()) };
        // The hash is FNV-1a, over words of 8 bytes.
        let words = bytes.chunks(size_of::<u64>()).map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29))
    }

    /// Returns the array of the model that `array` identifies.
    pub fn array<T: Copy>(&self, array: Array<T>) -> &[T] {
        self.original().array(array)
    }
}

macro_rules! accessors {
    ($($type:ident $kind:ident $constant:ident $name:ident: $width:literal * $size:ident),*) => {
        impl Model {
            $(
                #[doc = concat!("`", stringify!($name), "` of `mjModel`: ", $width, " for each of `", stringify!($size), "`")]
                pub fn $name(&self) -> &[$type] {
                    self.array(crate::model_overrides::$constant)
                }
            )*
        }
    };
}
model_arrays!(accessors);

//! What a simulation is of: bodies, joints, actuators. Never written to once it is shared.

use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

use super::faults::{Fault, take_warning};
use super::fields::{ModelSizes, RawModel, at, floats, integer};
use super::layout::Field;
use super::library::Library;

/// Things that have names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A body.
    Body,
}

/// Stages of a step that a model may go without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    /// The search for islands: groups of bodies that do not touch one another.
    Islands,
    /// The search for pairs of bodies by boxes within boxes.
    MidPhase,
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

/// Numbers that an actuator's gear is made of.
const GEAR: usize = 6;

impl Model {
    /// Compiles a file of MJCF or URDF, for steps without the stages `without`.
    ///
    /// # Errors
    /// `Model` for a file that is missing or none, with the library's words.
    pub fn from_xml(library: &'static Library, path: &Path, without: &[Flag]) -> Result<Self, Fault> {
        let refused = |reason: String| Fault::Model { path: path.to_owned(), reason };
        let file = CString::new(path.to_string_lossy().as_bytes()).map_err(|_| refused("a name with a zero in it".into()))?;
        let mut message: [c_char; MESSAGE] = [0; MESSAGE];
        // SAFETY: the file's name ends, there are no virtual files, and the message has as many bytes as it says.
        let loaded = library.call(|functions| unsafe {
            (functions.mj_loadXML)(file.as_ptr(), std::ptr::null(), message.as_mut_ptr(), MESSAGE as c_int)
        });
        take_warning();
        let raw = loaded.map_err(|fault| refused(fault.to_string()))?;
        let Some(raw) = NonNull::new(raw) else {
            // SAFETY: the library ends its messages; an untouched one is empty.
            return Err(refused(unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().trim().to_owned()));
        };
        // SAFETY: the library has just made it, and nobody else has it: it may be written to.
        unsafe {
            let flags = at::<c_int>(raw.as_ptr(), library.model.disableflags);
            for flag in without {
                *flags.cast_mut() |= match flag {
                    Flag::Islands => library.model.islands,
                    Flag::MidPhase => library.model.mid_phase,
                };
            }
            let sizes = library.model.sizes.read(raw.as_ptr());
            let state_len = (library.functions.mj_stateSize)(raw.as_ptr(), library.model.integration) as usize;
            Ok(Self(Arc::new(Owned { raw, library, sizes, state_len })))
        }
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

    /// The number of the thing of this name.
    pub fn id(&self, kind: ObjectKind, name: &str) -> Option<usize> {
        let kind = match kind {
            ObjectKind::Body => self.library().model.body_kind,
        };
        let name = CString::new(name).ok()?;
        // SAFETY: the name ends, and the model is there.
        let id = unsafe { (self.library().functions.mj_name2id)(self.raw(), kind, name.as_ptr()) };
        usize::try_from(id).ok()
    }

    /// Masses of the bodies, in kg.
    pub fn body_mass(&self) -> &[f64] {
        self.floats(self.library().model.body_mass, self.sizes().nbody)
    }

    /// Lowest and highest control of each actuator, one after the other.
    pub fn actuator_ctrlrange(&self) -> &[f64] {
        self.floats(self.library().model.actuator_ctrlrange, 2 * self.sizes().nu)
    }

    /// The position that simulations begin with.
    pub fn qpos0(&self) -> &[f64] {
        self.floats(self.library().model.qpos0, self.sizes().nq)
    }

    /// Numbers of the state that a simulation goes on from.
    pub fn state_len(&self) -> usize {
        self.0.state_len
    }

    /// A number that tells models apart: of its sizes, its time step and what its dynamics are made of.
    pub fn fingerprint(&self) -> u64 {
        let (fields, sizes) = (&self.library().model, self.sizes());
        let arrays = [
            (fields.body_mass, sizes.nbody),
            (fields.body_inertia, 3 * sizes.nbody),
            (fields.body_pos, 3 * sizes.nbody),
            (fields.dof_damping, sizes.nv),
            (fields.dof_armature, sizes.nv),
            (fields.qpos0, sizes.nq),
            (fields.actuator_gear, GEAR * sizes.nu),
            (fields.actuator_ctrlrange, 2 * sizes.nu),
        ];
        let ModelSizes { nq, nv, nu, na, nbody, nsite, ntendon } = *sizes;
        let counts = [nq, nv, nu, na, nbody, nsite, ntendon].map(|size| size as u64);
        let floats = arrays.iter().flat_map(|(field, len)| self.floats(*field, *len)).map(|value| value.to_bits());
        let words = counts.into_iter().chain([self.timestep().to_bits()]).chain(floats);
        // FNV-1a, word by word.
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29))
    }

    fn floats(&self, field: Field, len: usize) -> &[f64] {
        // SAFETY: the field is the address of so many floats, which live as long as the model.
        unsafe { floats(self.raw(), field, len) }
    }
}

//! MuJoCo simulations, by the library of the user's own `mujoco` package, loaded at run time.
//!
//! | module | contents |
//! |---|---|
//! | [`library`] | the process-wide MuJoCo library and its functions |
//! | `dynamic_library` | loading of shared libraries at run time: MuJoCo's, and those of GL |
//! | `fields` | fields of `mjModel` and `mjData` that are read, and access to them |
//! | [`layout`] | field offsets of MuJoCo's structs, which differ between versions |
//! | [`model`] | `mjModel`, shared by all its simulations |
//! | `model_table` | all fields of `mjModel`, and which of them a native step depends on |
//! | [`model_overrides`] | per-simulation overrides of model arrays |
//! | [`data`] | `mjData`, one simulation |
//! | [`contacts`] | contacts of a simulation, and their forces |
//! | [`batch`] | many simulations of one model: rows of states, outputs, models of their own |
//! | [`workspace`] | one simulation per thread, shared by many lanes |
//! | [`faults`] | MuJoCo's errors and warnings as values; by default they end the process or are written to a file |
//! | [`render`] | offscreen rendering, by EGL or OSMesa |
//! | [`native`] | native `mj_step` for several simulations at once, with MuJoCo's bits and in less time |
//! | [`numeric`] | sums, norms and clipping as numpy computes them |
//! | [`numpy_ufuncs`] | logarithms and other functions as numpy computes them |
//! | [`model_generator`] | models whose MJCF text a program generates |
//!
//! The crate neither links MuJoCo nor reads its headers: the caller that has the package (Python) passes the library's path and
//! struct layout to [`install`]. Without the library, only the creation of models fails.
//!
//! Calls into MuJoCo go through [`Library::call`](library::Library), which turns MuJoCo's errors into values. A simulation with
//! an error must not be used again.

mod access;
pub mod batch;
mod collision;
mod contact_fields;
pub mod contacts;
pub mod data;
mod dynamic_library;
pub mod faults;
mod fields;
pub mod layout;
pub mod library;
pub mod model;
pub mod model_generator;
pub mod model_overrides;
mod model_table;
pub mod native;
pub mod numeric;
pub mod numpy_ufuncs;
pub mod render;
#[cfg(test)]
mod tests;
pub mod workspace;

pub use self::contacts::Contact;
pub use self::data::{Data, DetachedOverrides, live_simulations};
pub use self::dynamic_library::Signature;
pub use self::faults::Fault;
pub use self::fields::{DisableFlag, ModelSizes};
pub use self::library::{Library, install, install_described, installed};
pub use self::model::{JointKind, Model, ObjectKind};
pub use self::model_overrides::{Array, SavedOverrides};
pub use self::model_table::is_expandable;
pub use self::native::{Derived, Lane, LaneField, LaneFields, LaneOutcome, STEPPER_LANES, STEPPER_STACK_BYTES, Stepper};
pub use self::workspace::Workspace;

/// Lists the signatures of all MuJoCo functions that this crate looks up. A test compares the signatures with the description
/// in the `mujoco` package.
#[doc(hidden)]
pub fn signatures() -> impl Iterator<Item = &'static Signature> {
    library::signatures().iter().chain(render::signatures())
}

//! MuJoCo simulations, by the library of the user's own `mujoco` package, loaded at run time.
//!
//! The crate neither links MuJoCo nor reads its headers: the caller that has the package (Python) passes the library's path and
//! struct layout to [`install`]. Without the library, only the creation of models fails.
//!
//! Calls into MuJoCo go through [`Library::call`](library::Library), which turns MuJoCo's errors into values. A simulation with
//! an error must not be used again.

mod access;
pub mod batch;
mod collision;
pub mod contacts;
pub mod data;
mod dynamic_library;
pub mod faults;
mod fields;
pub mod layout;
pub mod library;
mod mjt;
pub mod model;
pub mod model_generator;
pub mod model_overrides;
mod model_table;
pub mod native;
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
pub use self::native::{
    Derived, Lane, LaneField, LaneFields, LaneOutcome, STEPPER_LANES, STEPPER_STACK_BYTES, Stepper, saved_values,
};
pub use self::workspace::Workspace;

/// Lists the signatures of all MuJoCo functions in use, which a test compares with those of the package `mujoco`.
#[doc(hidden)]
pub fn signatures() -> impl Iterator<Item = &'static Signature> {
    library::signatures().iter().chain(render::signatures())
}

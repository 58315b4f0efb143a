//! Physics by MuJoCo: the library of the user's own `mujoco` package, opened at run time.
//!
//! | module | |
//! |---|---|
//! | [`library`] | the library: opened once for the process, its functions |
//! | `dynamic_library` | libraries opened at run time: MuJoCo's, and those of GL |
//! | `fields` | which of their fields are read, and how |
//! | [`layout`] | where the fields of its structs lie, which changes from version to version |
//! | [`model`] | what a simulation is of, shared by all that is simulated of it |
//! | [`own_model`] | what a simulation has changed of its model, for itself alone |
//! | [`data`] | one simulation |
//! | [`workspace`] | a simulation for each thread, at which lanes take turns |
//! | [`faults`] | its errors and warnings, which would otherwise end the process, or be written into a file |
//! | [`render`] | pictures of a simulation, by EGL or OSMesa |
//! | [`native`] | its step once more, for several simulations at once: the same bits, sooner |
//! | [`numeric`] | sums, norms and cut-offs as numpy computes them |
//! | [`kernels`] | logarithms and other functions as numpy computes them |
//! | [`programs`] | models whose text a program makes |
//!
//! Nothing of MuJoCo is linked, and no header of it is read: whoever has the package (Python does) says by [`install`] where its library
//! lies and what its structs look like. Without it, all that fails is making a model.
//!
//! What the library is told to do goes through [`Library::call`](library::Library), which turns its errors into values: a simulation that
//! had one is not to be used again.

pub mod data;
mod dynamic_library;
pub mod faults;
mod fields;
pub mod kernels;
pub mod layout;
pub mod library;
pub mod model;
pub mod native;
pub mod numeric;
pub mod own_model;
pub mod programs;
pub mod render;
#[cfg(test)]
mod tests;
pub mod workspace;

pub use self::data::{Changed, Data, live_simulations};
pub use self::dynamic_library::Signature;
pub use self::faults::Fault;
pub use self::fields::{Flag, ModelSizes};
pub use self::library::{Library, install, install_described, installed};
pub use self::model::{JointKind, Model, ObjectKind};
pub use self::native::{Derived, Lane, Stepper};
pub use self::own_model::{Array, Changes};
pub use self::workspace::Workspace;

/// Lists all functions that are looked up in the library, so that a test can compare them with the package's own description.
#[doc(hidden)]
pub fn signatures() -> impl Iterator<Item = &'static Signature> {
    library::signatures().iter().chain(render::signatures())
}

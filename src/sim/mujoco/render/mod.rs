//! Pictures of a simulation, by MuJoCo's own renderer on a GL that needs no screen.
//!
//! | module | |
//! |---|---|
//! | [`studio`] | what draws the simulations of a model, in as many threads as ask at once |
//! | `stage` | what one thread draws on: a GL context, MuJoCo's own beside it, a scene, a copy of a simulation |
//! | [`look`] | what is drawn, how well, and from where |
//! | `visuals` | the library's functions for pictures, and where the fields of their structs lie |
//! | [`gl`] | GL contexts, of EGL or OSMesa, opened at run time |
//!
//! A picture is drawn of a copy of the simulation, so that drawing changes nothing. GL's state belongs to a thread only while it draws:
//! whatever was current there before is current again afterwards, and contexts are ended with their studio, whoever used them last.

pub mod gl;
pub mod look;
mod stage;
pub mod studio;
mod visuals;

pub use self::gl::end;
pub use self::look::{Camera, Frame, FreeCamera, Look};
pub use self::studio::{Studio, backend};
pub(super) use self::visuals::signatures;

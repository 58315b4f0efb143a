//! Offscreen rendering of simulations, by MuJoCo's own renderer.
//!
//! | module | contents |
//! |---|---|
//! | [`renderer`] | renderer of a model's simulations, for any number of threads |
//! | `context` | rendering context of one thread at a time: GL context, MuJoCo's context, scene, copy of a simulation |
//! | [`options`] | rendering options and cameras |
//! | `mjr_api` | MuJoCo's rendering functions, and field offsets of their structs |
//! | [`gl`] | GL contexts by EGL or OSMesa, whose libraries are opened at run time |
//!
//! A picture is rendered from a copy of the simulation, so rendering has no side effects. GL state belongs to a thread only
//! while it renders: the previously current context is restored afterwards. Dropping the renderer frees all its GL contexts,
//! regardless of which threads used them.

mod context;
pub mod gl;
mod mjr_api;
pub mod options;
pub mod renderer;

pub use self::gl::end;
pub(super) use self::mjr_api::signatures;
pub use self::options::{Camera, FreeCamera, RenderOptions, RenderTarget};
pub use self::renderer::{Renderer, backend};

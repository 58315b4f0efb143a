//! Offscreen rendering of simulations, by MuJoCo's own renderer.
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

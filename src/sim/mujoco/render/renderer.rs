//! Renderer of a model's simulations, for concurrent use by any number of threads.

use std::sync::{Arc, Mutex, PoisonError};

use crate::data::Data;
use crate::faults::Fault;
use crate::model::Model;
use crate::render::context::RenderContext;
use crate::render::gl;
use crate::render::options::{Camera, RenderOptions, RenderTarget};

/// Renderer of a model's simulations. It creates a rendering context whenever all existing contexts are in use, and frees its
/// contexts when it is dropped. Clones share the contexts.
#[derive(Debug, Clone)]
pub struct Renderer(Arc<Owned>);

#[derive(Debug)]
struct Owned {
    model: Model,
    look: RenderOptions,
    idle: Mutex<Vec<RenderContext>>,
}

impl Renderer {
    /// Creates a renderer for simulations of `model`. Rendering contexts are created on first use.
    pub fn new(model: &Model, look: RenderOptions) -> Self {
        Self(Arc::new(Owned { model: model.clone(), look, idle: Mutex::default() }))
    }

    /// Checks that an OpenGL backend can render a picture of the model.
    ///
    /// # Errors
    /// `Rendering` if no OpenGL backend is available, with the package to install; `MujocoError` if MuJoCo cannot render.
    pub fn check(&self) -> Result<(), Fault> {
        let stage = self.take_context(1, 1)?;
        self.return_context(stage);
        Ok(())
    }

    /// Renders a simulation of the renderer's model, or of a copy that differs only in the values of its arrays.
    ///
    /// # Errors
    /// `Rendering` if no OpenGL backend is available, with the package to install; `MujocoError` if MuJoCo cannot render.
    pub fn draw(&self, data: &Data, camera: &Camera, frame: &mut RenderTarget<'_>) -> Result<(), Fault> {
        let mut stage = self.take_context(frame.width, frame.height)?;
        stage.draw(data, camera, frame)?;
        self.return_context(stage);
        Ok(())
    }

    /// Takes the rendering context that was used last, whose memory may still be in the processor's cache, or creates a context
    /// if none is idle. Drops contexts that the driver has lost.
    fn take_context(&self, width: u32, height: u32) -> Result<RenderContext, Fault> {
        let take_idle = || self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let idle = std::iter::from_fn(take_idle).find(|context| context.gl.is_alive());
        idle.map_or_else(|| RenderContext::new(&self.0.model, &self.0.look, width, height), Ok)
    }

    fn return_context(&self, stage: RenderContext) {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).push(stage);
    }

    /// Returns the number of idle rendering contexts.
    pub fn contexts(&self) -> usize {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Returns the name of the OpenGL backend, as in `MUJOCO_GL`.
///
/// # Errors
/// `Rendering` if no OpenGL backend is available.
pub fn backend() -> Result<&'static str, Fault> {
    gl::open().map(|gl| gl.name())
}

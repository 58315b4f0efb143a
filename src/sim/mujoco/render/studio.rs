//! Renderer of a model's simulations, for concurrent use by any number of threads.

use std::sync::{Arc, Mutex, PoisonError};

use super::gl;
use super::look::{Camera, Frame, Look};
use super::stage::Stage;
use crate::data::Data;
use crate::faults::Fault;
use crate::model::Model;

/// Renderer of a model's simulations. It creates a context whenever all others are in use, and keeps them until it is dropped.
/// Clones share it.
#[derive(Debug, Clone)]
pub struct Studio(Arc<Owned>);

#[derive(Debug)]
struct Owned {
    model: Model,
    look: Look,
    idle: Mutex<Vec<Stage>>,
}

impl Studio {
    /// Creates a renderer for simulations of `model`. Contexts are created on first use.
    pub fn new(model: &Model, look: Look) -> Self {
        Self(Arc::new(Owned { model: model.clone(), look, idle: Mutex::default() }))
    }

    /// Checks that there is a GL backend that renders.
    ///
    /// # Errors
    /// As [`Studio::draw`].
    pub fn check(&self) -> Result<(), Fault> {
        let stage = self.stage(1, 1)?;
        self.keep(stage);
        Ok(())
    }

    /// Renders a simulation of its model, or of one that differs in numbers only.
    ///
    /// # Errors
    /// `Picture` if there is no GL, naming what to install; `Refused` if MuJoCo cannot render.
    pub fn draw(&self, data: &Data, camera: &Camera, frame: &mut Frame<'_>) -> Result<(), Fault> {
        let mut stage = self.stage(frame.width, frame.height)?;
        stage.draw(data, camera, frame)?;
        self.keep(stage);
        Ok(())
    }

    /// Takes the context that was used last, or creates one. The last one's memory may still be in this processor's cache.
    fn stage(&self, width: u32, height: u32) -> Result<Stage, Fault> {
        let idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| Stage::new(&self.0.model, &self.0.look, width, height), Ok)
    }

    fn keep(&self, stage: Stage) {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).push(stage);
    }

    /// Returns the number of idle contexts.
    pub fn contexts(&self) -> usize {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Returns the name of the GL backend, as in `MUJOCO_GL`.
///
/// # Errors
/// `Picture` if there is none.
pub fn backend() -> Result<&'static str, Fault> {
    gl::open().map(|gl| gl.name())
}

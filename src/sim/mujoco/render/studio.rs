//! What draws the simulations of a model, in as many threads as ask at once.

use std::sync::{Arc, Mutex, PoisonError};

use super::gl;
use super::look::{Camera, Frame, Look};
use super::stage::Stage;
use crate::data::Data;
use crate::faults::Fault;
use crate::model::Model;

/// What draws simulations of a model. It makes a context for each thread that draws while all others are in use, keeps them, and ends
/// them with itself. Copies are the same one.
#[derive(Debug, Clone)]
pub struct Studio(Arc<Owned>);

#[derive(Debug)]
struct Owned {
    model: Model,
    look: Look,
    idle: Mutex<Vec<Stage>>,
}

impl Studio {
    /// For simulations of `model`. Nothing is opened before something is drawn.
    pub fn new(model: &Model, look: Look) -> Self {
        Self(Arc::new(Owned { model: model.clone(), look, idle: Mutex::default() }))
    }

    /// Makes sure that there is a GL, and that it draws.
    ///
    /// # Errors
    /// As [`Studio::draw`].
    pub fn check(&self) -> Result<(), Fault> {
        let stage = self.stage(1, 1)?;
        self.keep(stage);
        Ok(())
    }

    /// Draws a simulation: of its model, or of one that differs in numbers only.
    ///
    /// # Errors
    /// `Picture` where there is no GL, naming what to install; `Refused` where the library cannot draw.
    pub fn draw(&self, data: &Data, camera: &Camera, frame: &mut Frame<'_>) -> Result<(), Fault> {
        let mut stage = self.stage(frame.width, frame.height)?;
        stage.draw(data, camera, frame)?;
        self.keep(stage);
        Ok(())
    }

    /// The one that was used last, whose memory may still be in this processor's cache, or another.
    fn stage(&self, width: u32, height: u32) -> Result<Stage, Fault> {
        let idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| Stage::new(&self.0.model, &self.0.look, width, height), Ok)
    }

    fn keep(&self, stage: Stage) {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).push(stage);
    }

    /// How many contexts it has that nobody is using.
    pub fn contexts(&self) -> usize {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// The GL that pictures are drawn by, as `MUJOCO_GL` has it.
///
/// # Errors
/// `Picture` where there is none.
pub fn backend() -> Result<&'static str, Fault> {
    gl::open().map(|gl| gl.name())
}

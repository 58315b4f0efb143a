//! There are no translations here: everything is interpreted.

use std::sync::Arc;

use super::cost::Cost;
use crate::cartridge::Scheme;
use crate::image::Image;
use crate::machine::Machine;

/// Why there are none.
const ABSENT: &str = "this build of envpool_rs has no translations";

/// Why this process can have no translations.
pub fn refusal() -> Option<String> {
    Some(ABSENT.to_owned())
}

/// Translations of a cartridge, of which there are none.
#[derive(Debug)]
pub enum Translations {}

impl Translations {
    /// None.
    ///
    /// # Errors
    /// [`refusal`]'s.
    pub(crate) fn new(_image: Arc<Image>, _scheme: Scheme, _most_bytes: usize) -> Result<Self, String> {
        Err(ABSENT.to_owned())
    }

    /// Why no more is translated.
    pub fn refusal(&self) -> Option<String> {
        match *self {}
    }

    /// Plays one frame.
    pub fn play_frame(&self, _machine: &mut Machine) {
        match *self {}
    }

    /// Executes instructions.
    pub fn execute(&self, _machine: &mut Machine, _budget: u32) {
        match *self {}
    }

    /// What has been translated so far.
    pub fn cost(&self) -> Cost {
        match *self {}
    }
}

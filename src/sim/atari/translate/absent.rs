//! There are no translations here: everything is interpreted.

use std::sync::Arc;

use super::cost::Cost;
use crate::cartridge::Scheme;
use crate::image::Image;
use crate::machine::Machine;

/// Translations of a cartridge, of which there are none.
#[derive(Debug)]
pub enum Translations {}

impl Translations {
    /// None.
    pub(crate) fn new(_image: Arc<Image>, _scheme: Scheme, _most_bytes: usize) -> Option<Self> {
        None
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

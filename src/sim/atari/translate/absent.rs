//! There are no translations here: everything is interpreted.

use std::sync::Arc;

use super::cost::Cost;
use crate::sim::atari::cartridge::Scheme;
use crate::sim::atari::image::Image;
use crate::sim::atari::machine::Machine;

/// Translations of a cartridge, of which there are none.
#[derive(Debug)]
pub enum Translations {}

impl Translations {
    /// None.
    pub(in crate::sim::atari) fn new(_image: Arc<Image>, _scheme: Scheme, _most_bytes: usize) -> Option<Self> {
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

//! Stub for builds without the recompiler: everything is interpreted.

use std::sync::Arc;

use super::stats::CacheStats;
use crate::bank_switching::BankSwitching;
use crate::machine::Machine;
use crate::rom_image::RomImage;

/// Reason for the missing recompiler.
const ABSENT: &str = "this build of envpool_rs has no recompiler";

/// Reason why this process has no code cache.
pub fn refusal() -> Option<String> {
    Some(ABSENT.to_owned())
}

/// Code cache of a cartridge; uninhabited in this build.
#[derive(Debug)]
pub enum CodeCache {}

impl CodeCache {
    /// Returns an error.
    ///
    /// # Errors
    /// The reason from [`refusal`].
    pub(crate) fn new(_image: Arc<RomImage>, _scheme: BankSwitching, _most_bytes: usize) -> Result<Self, String> {
        Err(ABSENT.to_owned())
    }

    /// Reason why no more code is compiled.
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

    /// Size and compile time.
    pub fn stats(&self) -> CacheStats {
        match *self {}
    }
}

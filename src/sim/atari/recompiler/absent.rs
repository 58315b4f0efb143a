//! Stub that replaces the recompiler in builds without it; all programs are then interpreted.

use std::sync::Arc;

use super::stats::CacheStats;
use crate::bank_switching::BankSwitching;
use crate::machine::Machine;
use crate::rom_image::RomImage;

/// Reason why this build has no recompiler.
const ABSENT: &str = "this build of envpool_rs has no recompiler";

/// Returns the reason why this process has no code cache.
pub fn refusal() -> Option<String> {
    Some(ABSENT.to_owned())
}

/// Code cache of a cartridge. In a build without recompiler, no value of this type exists.
#[derive(Debug)]
pub enum CodeCache {}

impl CodeCache {
    /// Returns an error.
    ///
    /// # Errors
    /// Always; the error states that this build has no recompiler.
    pub(crate) fn new(_image: Arc<RomImage>, _scheme: BankSwitching, _most_bytes: usize) -> Result<Self, String> {
        Err(ABSENT.to_owned())
    }

    /// Returns the reason why no more program code is compiled. This function is never called, because no `CodeCache` exists.
    pub fn refusal(&self) -> Option<String> {
        match *self {}
    }

    /// Plays one frame. This function is never called, because no `CodeCache` exists.
    pub fn play_frame(&self, _machine: &mut Machine) {
        match *self {}
    }

    /// Executes instructions. This function is never called, because no `CodeCache` exists.
    pub fn execute(&self, _machine: &mut Machine, _budget: u32) {
        match *self {}
    }

    /// Returns size and compile time of the code. This function is never called, because no `CodeCache` exists.
    pub fn stats(&self) -> CacheStats {
        match *self {}
    }
}

//! What consoles with the same cartridge need play only once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::games::{Game, Progress};
use super::machine::Machine;

/// Positions of the two difficulty switches.
const DIFFICULTIES: u8 = 4;

/// What all consoles with a cartridge go through when they are made and reset first: chance has no part in it, so that it
/// need be played only once for each mode and difficulty.
///
/// Nobody holds a lock while playing or copying one: a process that is forked meanwhile would wait for it for ever.
#[derive(Debug, Default)]
pub struct Beginnings {
    pub(super) loaded: OnceLock<Beginning>,
    reset: OnceLock<BTreeMap<(u16, u8), OnceLock<Beginning>>>,
}

impl Beginnings {
    /// The place for the first reset into a mode and difficulty, if the game has them.
    pub(super) fn of_reset(&self, game: &Game, mode: u16, difficulty: u8) -> Option<&OnceLock<Beginning>> {
        let places = || {
            let pairs = game.modes.iter().flat_map(|mode| (0..DIFFICULTIES).map(move |difficulty| (*mode, difficulty)));
            pairs.map(|pair| (pair, OnceLock::new())).collect()
        };
        self.reset.get_or_init(places).get(&(mode, difficulty))
    }
}

/// What a console has come to.
#[derive(Clone, Debug)]
pub struct Beginning {
    pub(super) machine: Machine,
    pub(super) progress: Progress,
    pub(super) frames: u32,
    pub(super) episode_frames: u32,
}

//! Start states shared by all consoles of a cartridge.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::games::{Game, RomState};
use super::machine::Machine;

/// Number of positions of the two difficulty switches.
const DIFFICULTIES: u8 = 4;

/// Start states of a cartridge: after loading, and after the first reset in each mode and difficulty.
///
/// They do not depend on random numbers, so they are computed only once per mode and difficulty.
///
/// No lock is held while a state is computed or copied: a process that is forked meanwhile would wait for it forever.
#[derive(Debug, Default)]
pub struct StartStates {
    pub(super) loaded: OnceLock<StartState>,
    reset: OnceLock<BTreeMap<(u16, u8), OnceLock<StartState>>>,
}

impl StartStates {
    /// The cell for the first reset into a mode and difficulty, if the game has them.
    pub(super) fn reset_cell(&self, game: &Game, mode: u16, difficulty: u8) -> Option<&OnceLock<StartState>> {
        let places = || {
            let pairs = game.modes.iter().flat_map(|mode| (0..DIFFICULTIES).map(move |difficulty| (*mode, difficulty)));
            pairs.map(|pair| (pair, OnceLock::new())).collect()
        };
        self.reset.get_or_init(places).get(&(mode, difficulty))
    }
}

/// State of a console at a fixed point.
#[derive(Clone, Debug)]
pub struct StartState {
    pub(super) machine: Machine,
    pub(super) progress: RomState,
    pub(super) frames: u32,
    pub(super) episode_frames: u32,
}

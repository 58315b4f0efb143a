//! Start states, which all consoles of a cartridge share.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::games::{Game, RomState};
use super::machine::Machine;

/// Number of positions of the two difficulty switches.
const DIFFICULTIES: u8 = 4;

/// Start states of a cartridge: after loading, and after the first reset in each mode and difficulty.
///
/// Start states do not depend on random numbers, so each is computed only once per mode and difficulty.
///
/// No lock is held while a state is computed or copied, because a process that is forked during this time would wait for the
/// lock forever.
#[derive(Debug, Default)]
pub struct StartStates {
    pub(super) loaded: OnceLock<StartState>,
    reset: OnceLock<BTreeMap<(u16, u8), OnceLock<StartState>>>,
}

impl StartStates {
    /// Returns the cell that stores the state after the first reset in a mode and a difficulty; `None` if the game does not
    /// have this mode or difficulty.
    pub(super) fn reset_cell(&self, game: &Game, mode: u16, difficulty: u8) -> Option<&OnceLock<StartState>> {
        let cells = || {
            let pairs = game.modes.iter().flat_map(|mode| (0..DIFFICULTIES).map(move |difficulty| (*mode, difficulty)));
            pairs.map(|pair| (pair, OnceLock::new())).collect()
        };
        self.reset.get_or_init(cells).get(&(mode, difficulty))
    }
}

/// State of a console after loading, or after the first reset.
#[derive(Clone, Debug)]
pub struct StartState {
    pub(super) machine: Machine,
    pub(super) progress: RomState,
    pub(super) frames: u32,
    pub(super) episode_frames: u32,
}

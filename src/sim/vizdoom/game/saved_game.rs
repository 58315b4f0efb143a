//! A saved game, which is stored as the journal of its inputs.

use serde::{Deserialize, Serialize};

use super::reward_state::RewardState;
use super::settings::Settings;
use crate::game_variables;
use crate::journal::Journal;

/// Maximum number of tics of a replay: eight hours of game time, which an engine replays in a few minutes.
pub(super) const MAX_REPLAY_TICS: u64 = 1 << 20;
/// Tolerance for the length of a saved game, in tics and in frames. A game may exceed its time limit because the limit may fall
/// within a step.
const REPLAY_SLACK: u64 = 64;
/// Game variables that the engine does not reset when a game starts: frags, deaths, hits, damage.
pub(super) const CUMULATIVE: std::ops::Range<usize> = 3..9;

/// A saved game. It is stored as the journal of its inputs and restored by a replay, because the engine cannot save its state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedGame {
    /// Journals of the earlier games that the same engine process played and that affect the frames of this game.
    pub(super) previous: Vec<Journal>,
    pub(super) journal: Journal,
    /// Values of all game variables at the end of the journal, with which a replay is verified.
    pub(super) variables: Vec<f64>,
    /// Checksum of all buffers at the end of the journal, with which a replay is verified.
    pub(super) frame_digest: u32,
    pub(super) tic: u32,
    pub(super) reward: f64,
    pub(super) reward_state: RewardState,
}

impl SavedGame {
    /// Returns the journal of the earlier game with the index `number`, or that of the last game if there is no such earlier
    /// game.
    pub(super) fn journal_at(&self, number: usize) -> &Journal {
        self.previous.get(number).unwrap_or(&self.journal)
    }

    /// Lengthens the saved game by `tics` journal entries of one tic each, for tests.
    #[cfg(test)]
    pub(crate) fn longer(mut self, tics: u32) -> Self {
        (0..tics).for_each(|_| self.journal.record(&[0], &[1.0], 1, true));
        self
    }

    /// Returns the number of tics that a replay of all journals plays.
    pub(super) fn replay_tics(&self) -> u64 {
        self.previous.iter().chain([&self.journal]).map(Journal::replay_tics).fold(0, u64::saturating_add)
    }

    /// Checks that an engine with the given settings can have produced this saved game.
    ///
    /// # Errors
    /// If the settings cannot have produced the game; the error states the reason.
    pub fn validate(&self, settings: &Settings) -> Result<(), String> {
        if !self.previous.iter().chain([&self.journal]).all(Journal::is_valid) || self.variables.len() != game_variables::COUNT {
            return Err("its values are out of range".into());
        }
        let (limit, start) = (u64::from(settings.config.episode_timeout), u64::from(settings.config.episode_start_time));
        let longest = self.previous.iter().chain([&self.journal]).map(Journal::replay_tics).max().unwrap_or(0);
        // A valid game exceeds its time limit by at most the remaining tics of one step and one additional update.
        if limit > 0 && longest > limit + start + REPLAY_SLACK {
            return Err(format!("it has a game of {longest} tics: expected at most {limit}"));
        }
        match self.replay_tics() {
            length if length > MAX_REPLAY_TICS => {
                Err(format!("it has {length} tics to replay: expected at most {MAX_REPLAY_TICS}"))
            }
            _ => Ok(()),
        }
    }
}

//! Saves a game as the journal of its inputs, replays it in another engine and verifies the result.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::rewards::RewardState;
use super::stages::Stage;
use super::{CUMULATIVE, Game, MSG_CODE_TIC, MSG_CODE_TIC_AND_UPDATE, MSG_CODE_UPDATE, Settings};
use crate::engine_fault::EngineFault;
use crate::journal::Journal;
use crate::shared_memory::Region;
use crate::spawner::Spawner;
use crate::{buttons, game_variables};

/// Most tics of a replay: eight hours of game time, which take an engine some minutes.
const MAX_REPLAY_TICS: u64 = 1 << 20;
/// Tics and frames by which a game may exceed its limit.
const REPLAY_SLACK: u64 = 64;

/// A game that can be replayed, because the engine cannot save its state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedGame {
    /// Earlier games on which the frames of this one depend.
    previous: Vec<Journal>,
    journal: Journal,
    /// All game variables, to verify a replay.
    variables: Vec<f64>,
    /// Checksum of all buffers, to verify a replay.
    frame_digest: u32,
    tic: u32,
    reward: f64,
    reward_state: RewardState,
}

impl SavedGame {
    /// Returns the journal of an earlier game by index, or of the last game.
    fn journal_at(&self, number: usize) -> &Journal {
        self.previous.get(number).unwrap_or(&self.journal)
    }

    /// Appends entries of one tic each.
    #[cfg(test)]
    pub(crate) fn longer(mut self, tics: u32) -> Self {
        (0..tics).for_each(|_| self.journal.record(&[0], &[1.0], 1, true));
        self
    }

    /// Returns the tics needed to replay all journals.
    fn replay_tics(&self) -> u64 {
        self.previous.iter().chain([&self.journal]).map(Journal::replay_tics).fold(0, u64::saturating_add)
    }

    /// Checks that these settings can have produced this game.
    ///
    /// # Errors
    /// Returns the reason if they cannot.
    pub fn validate(&self, settings: &Settings) -> Result<(), String> {
        if !self.previous.iter().chain([&self.journal]).all(Journal::is_valid) || self.variables.len() != game_variables::COUNT {
            return Err("its values are out of range".into());
        }
        let (limit, start) = (u64::from(settings.config.episode_timeout), u64::from(settings.config.episode_start_time));
        let longest = self.previous.iter().chain([&self.journal]).map(Journal::replay_tics).max().unwrap_or(0);
        // A game exceeds its limit only by the rest of a step and an extra update.
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

impl Game {
    /// Queues the start of an engine that replays a game. The replayed game is verified against the saved one.
    pub fn start_replay(settings: &Arc<Settings>, spawner: &Spawner, saved: SavedGame) -> Self {
        // Only the first game of an engine depends on the seed of its start.
        let mut game = Self::start(settings, spawner, saved.journal_at(0).seed);
        game.replay = Some((Box::new(saved), 0));
        game
    }

    /// Returns the game in a form that can be replayed.
    ///
    /// # Errors
    /// Returns the reason if it cannot be replayed.
    pub fn save(&self) -> Result<SavedGame, &'static str> {
        if self.settings.recording_folder.is_some() {
            return Err("a recorded game cannot be saved; leave lmp_save_dir empty");
        }
        if self.memory().is_multiplayer() {
            return Err("a multiplayer game cannot be saved");
        }
        let saved = SavedGame {
            previous: if Journal::has_settled(std::slice::from_ref(&self.journal)) { Vec::new() } else { self.previous.clone() },
            journal: self.journal.clone(),
            variables: (0..game_variables::COUNT).map(|variable| self.game_variable(variable)).collect(),
            frame_digest: self.frame_digest(),
            tic: self.memory().map_tic(),
            reward: self.memory().map_reward(),
            reward_state: self.reward_state.clone(),
        };
        match saved.replay_tics() > MAX_REPLAY_TICS {
            true => Err("a game of more than 1048576 tics (eight hours of game time) cannot be saved"),
            false => Ok(saved),
        }
    }

    /// Returns a checksum of all buffers.
    fn frame_digest(&self) -> u32 {
        let mut digest = crc32fast::Hasher::new();
        for region in [Region::Screen, Region::Depth, Region::Labels, Region::Automap] {
            digest.update(self.memory().region(region));
        }
        digest.finalize()
    }

    /// Continues a replay after an episode has started (`begins_episode`) or after the last entry.
    pub(super) fn resume_replay(&mut self, begins_episode: bool) -> Result<(), EngineFault> {
        match (&self.replay, begins_episode) {
            (None, _) => Ok(()),
            (Some((saved, number)), true) if self.journal.is_first && !saved.journal_at(*number).is_first => {
                let held = &saved.journal_at(*number).held_buttons;
                if held.is_empty() {
                    return self.begin_replay();
                }
                held.iter().for_each(|(button, value)| self.memory().set_button_state(usize::from(*button), *value));
                self.stage = Stage::PressingHeldButtons;
                self.send([(MSG_CODE_TIC, "")], 1)
            }
            (Some(_), true) => self.replay_entry(0, 0),
            (Some(_), false) => match self.replay.take() {
                Some((saved, _)) => self.verify_replay(*saved),
                None => Ok(()),
            },
        }
    }

    /// Starts the next game of a replay in an engine that has played another one.
    pub(super) fn begin_replay(&mut self) -> Result<(), EngineFault> {
        let seed = self.replay.as_ref().map_or(0, |(saved, number)| saved.journal_at(*number).seed);
        self.new_episode(seed, None)
    }

    /// Sends the journal entry at byte `at`: `left` repetitions, or all of them for 0. Then continues with the next game.
    pub(super) fn replay_entry(&mut self, at: usize, left: u64) -> Result<(), EngineFault> {
        let Some((saved, number)) = &mut self.replay else { return Ok(()) };
        let Some((entry, next)) = saved.journal_at(*number).entry(at) else {
            if *number < saved.previous.len() {
                *number += 1;
                return self.begin_replay();
            }
            self.stage = Stage::Idle;
            return self.resume_replay(false);
        };
        (0..buttons::COUNT).for_each(|button| self.memory().set_button_state(button, entry.values[button]));
        let left = if left == 0 { entry.times } else { left } - 1;
        self.stage = Stage::Replaying { at: if left == 0 { next } else { at }, left };
        let tics = entry.tics as usize;
        let last = match (tics, entry.renders) {
            (0, _) => MSG_CODE_UPDATE,
            (_, true) => MSG_CODE_TIC_AND_UPDATE,
            (_, false) => MSG_CODE_TIC,
        };
        self.send(std::iter::repeat_n((MSG_CODE_TIC, ""), tics.saturating_sub(1)).chain([(last, "")]), tics.max(1))
    }

    /// Verifies that a replayed game equals the saved one.
    fn verify_replay(&mut self, saved: SavedGame) -> Result<(), EngineFault> {
        let memory = self.memory();
        if (memory.map_tic(), memory.map_reward()) != (saved.tic, saved.reward) {
            return Err(EngineFault::ReplayMismatch("time or reward"));
        }
        let mut before = [0.0; CUMULATIVE.end - CUMULATIVE.start];
        for (variable, value) in saved.variables.iter().enumerate() {
            let now = memory.game_variable(variable);
            match CUMULATIVE.contains(&variable) {
                true => before[variable - CUMULATIVE.start] = value - now,
                false if now.to_bits() == value.to_bits() => {}
                false => return Err(EngineFault::ReplayMismatch("game variables")),
            }
        }
        if self.frame_digest() != saved.frame_digest {
            return Err(EngineFault::ReplayMismatch("frames"));
        }
        (self.cumulative_before, self.reward_state) = (before, saved.reward_state);
        (self.previous, self.journal) = (saved.previous, saved.journal);
        Ok(())
    }
}

//! Replays a saved game in another engine process, and verifies that the result is equal.

use std::sync::Arc;

use super::Game;
use super::messages::{MSG_CODE_TIC, MSG_CODE_TIC_AND_UPDATE, MSG_CODE_UPDATE};
use super::saved_game::{CUMULATIVE, MAX_REPLAY_TICS, SavedGame};
use super::settings::Settings;
use super::stage::Stage;
use crate::engine_fault::EngineFault;
use crate::journal::Journal;
use crate::shared_memory::Region;
use crate::spawner::Spawner;
use crate::{buttons, game_variables};

impl Game {
    /// Queues the start of an engine process that replays a saved game and verifies the result.
    pub fn start_replay(settings: &Arc<Settings>, spawner: &Spawner, saved: SavedGame) -> Self {
        // Only the first game of an engine process depends on the seed with which the process is started.
        let mut game = Self::start(settings, spawner, saved.journal_at(0).seed);
        game.replay = Some((Box::new(saved), 0));
        game
    }

    /// Returns the saved game: the journals with which another engine process can replay this game.
    ///
    /// # Errors
    /// If the game cannot be replayed; the error states the reason.
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

    /// Returns a checksum of the engine's screen, depth, label and automap buffers.
    fn frame_digest(&self) -> u32 {
        let mut digest = crc32fast::Hasher::new();
        for region in [Region::Screen, Region::Depth, Region::Labels, Region::Automap] {
            digest.update(self.memory().region(region));
        }
        digest.finalize()
    }

    /// Continues a replay after an episode has started (`begins_episode`), or after the last entry of the current journal has
    /// been replayed.
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

    /// Starts the next game of a replay, in an engine process that has already played another game.
    pub(super) fn begin_replay(&mut self) -> Result<(), EngineFault> {
        let seed = self.replay.as_ref().map_or(0, |(saved, number)| saved.journal_at(*number).seed);
        self.new_episode(seed, None)
    }

    /// Sends the journal entry at byte `at` to the engine, repeated `left` times, or as often as the entry itself states if
    /// `left` is 0. After the last entry of a journal, starts the next game of the replay.
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

    /// Verifies that a replayed game equals the saved game.
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

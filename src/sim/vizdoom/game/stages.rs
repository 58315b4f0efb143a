//! Operations of an engine process, stage by stage: startup, new episode and step.

use std::sync::Arc;

use super::Game;
use super::messages::{MSG_CODE_COMMAND, MSG_CODE_TIC, MSG_CODE_TIC_AND_UPDATE, MSG_CODE_UPDATE};
use super::stage::Stage;
use crate::buttons;
use crate::engine::RECORDING_LINK;
use crate::engine_fault::EngineFault;
use crate::journal::Journal;
use crate::shared_files::{SM_NAME_BASE, shared_memory_path};
use crate::shared_memory::{Region, SharedMemory};

/// Maximum number of tics that are sent to the engine at once before an episode starts.
const MAX_WARMUP_BATCH: u32 = 40;
/// Maximum number of tics of a step that are sent to the engine at once, if the episode may end during these tics. It is low
/// enough that a dead player does not respawn.
const MAX_STEP_BATCH: u32 = 16;
/// Number of tics after which a map that has not started is requested again.
const MAP_RETRY_TICS: u32 = 3;

impl Game {
    /// Starts the next episode. If `recording` is given, the engine records a demo of the episode in the file with this name in
    /// the recording folder.
    ///
    /// # Errors
    /// If the engine has failed.
    pub fn new_episode(&mut self, seed: u32, recording: Option<&str>) -> Result<(), EngineFault> {
        let map = &self.settings.config.doom_map;
        let memory = self.memory();
        let (records, multiplayer) = (memory.is_recording(), memory.is_multiplayer());
        let held = (0..buttons::COUNT).map(|button| (button as u8, memory.button_state(button)));
        let held = held.filter(|(_, value)| *value != 0.0).collect();
        self.map_command = match recording {
            _ if multiplayer => format!("changemap {map}"),
            Some(file) => format!("recordmap {RECORDING_LINK}/{file} {map}"),
            None => format!("map {map}"),
        };
        self.previous.push(std::mem::replace(&mut self.journal, Journal::new(seed, false, held)));
        while Journal::has_settled(&self.previous[1..]) {
            self.previous.remove(0);
        }
        (0..buttons::COUNT).for_each(|button| self.memory().set_button_state(button, 0.0));
        let seed = format!("viz_set_seed {seed}");
        let command = self.map_command.clone();
        let commands = records.then_some("stop").into_iter().chain([seed.as_str(), command.as_str()]);
        let commands = commands.map(|command| (MSG_CODE_COMMAND, command));
        self.stage = Stage::Restarting { tics: 1 };
        match multiplayer {
            true => self.send(
                commands.chain([(MSG_CODE_COMMAND, "-use"), (MSG_CODE_COMMAND, "+use"), (MSG_CODE_TIC, "")]).collect::<Vec<_>>(),
                1,
            ),
            false => self.send(commands.chain([(MSG_CODE_TIC, "")]).collect::<Vec<_>>(), 1),
        }
    }

    /// Returns whether the episode has ended.
    pub fn is_episode_finished(&self) -> bool {
        let memory = self.memory();
        memory.has_map_ended() || (memory.is_dead() && !memory.is_multiplayer()) || self.is_episode_timeout_reached()
    }

    /// Returns whether the episode has reached a time limit, which is that of the configuration or that of the map.
    pub fn is_episode_timeout_reached(&self) -> bool {
        let (memory, config) = (self.memory(), &self.settings.config);
        let tic = memory.map_tic();
        (config.episode_timeout > 0 && config.episode_timeout + config.episode_start_time <= tic)
            || (memory.map_tic_limit() > 0 && memory.map_tic_limit() <= tic)
    }

    /// Starts a step of `tics` tics with one value for each available button. If `exactly` is set, no tic is played after the
    /// end of the episode.
    ///
    /// # Errors
    /// If the engine has failed.
    pub fn step(&mut self, values: &[f64], tics: u32, exactly: bool) -> Result<(), EngineFault> {
        let settings = Arc::clone(&self.settings);
        settings
            .config
            .available_buttons
            .iter()
            .zip(values)
            .for_each(|(button, value)| self.memory().set_button_state(*button, *value));
        if self.is_episode_finished() || tics == 0 {
            self.stage = Stage::Idle;
            return Ok(());
        }
        if exactly || tics > MAX_STEP_BATCH || self.memory().is_multiplayer() {
            self.step_values.clear();
            self.step_values.extend(values);
            return self.play_tic(tics);
        }
        let tic = self.memory().map_tic();
        let limits =
            [settings.config.episode_timeout.saturating_add(settings.config.episode_start_time), self.memory().map_tic_limit()];
        let limited = [settings.config.episode_timeout > 0, self.memory().map_tic_limit() > 0];
        let left = limits.iter().zip(limited).filter(|(_, limited)| *limited).map(|(limit, _)| limit.saturating_sub(tic)).min();
        let tics = left.map_or(tics, |left| tics.min(left.max(1)));
        self.reward_state.last_tic = tic + tics;
        self.journal.record(&settings.config.available_buttons, values, tics, true);
        self.stage = Stage::Last { is_first: false, begins_episode: false };
        self.send(
            std::iter::repeat_n((MSG_CODE_TIC, ""), tics as usize - 1).chain([(MSG_CODE_TIC_AND_UPDATE, "")]),
            tics as usize,
        )
    }

    /// Requests the next tic of a step in which `left` tics are still to be played.
    fn play_tic(&mut self, left: u32) -> Result<(), EngineFault> {
        self.reward_state.last_tic = self.memory().map_tic() + 1;
        self.journal.record(&self.settings.config.available_buttons, &self.step_values, 1, left == 1);
        self.stage = Stage::SteppingTics { left };
        self.send([(if left == 1 { MSG_CODE_TIC_AND_UPDATE } else { MSG_CODE_TIC }, "")], 1)
    }

    /// Moves to the next stage after all replies of the current stage have arrived.
    pub(super) fn next_stage(&mut self) -> Result<(), EngineFault> {
        match self.stage {
            Stage::Idle | Stage::Launching => {}
            Stage::Booting => {
                self.handshake()?;
                self.play_warmup(true)?;
            }
            Stage::WarmingUp { is_first } => self.play_warmup(is_first)?,
            Stage::Restarting { tics } => {
                let (is_elsewhere, multiplayer) = {
                    let memory = self.memory();
                    (memory.has_map_ended() || memory.map_tic() > self.reward_state.last_tic, memory.is_multiplayer())
                };
                let is_retry = tics > MAP_RETRY_TICS && !multiplayer;
                let command = self.map_command.clone();
                if is_retry {
                    self.send([(MSG_CODE_COMMAND, command.as_str())], 0)?;
                }
                if !is_elsewhere {
                    if multiplayer {
                        self.send([(MSG_CODE_COMMAND, "-use")], 0)?;
                    }
                    return self.play_warmup(false);
                }
                let tics = if is_retry { 1 } else { tics + 1 };
                self.stage = Stage::Restarting { tics };
                match multiplayer {
                    true => {
                        self.send([(MSG_CODE_COMMAND, if tics % 2 == 1 { "+use" } else { "-use" }), (MSG_CODE_TIC, "")], 1)?
                    }
                    false => self.send([(MSG_CODE_TIC, "")], 1)?,
                }
            }
            Stage::SteppingTics { left } => {
                let left = left - 1;
                match (self.is_episode_finished(), left) {
                    (_, 0) => self.stage = Stage::Idle,
                    (true, _) => {
                        self.journal.record(&self.settings.config.available_buttons, &self.step_values, 0, true);
                        self.stage = Stage::Last { is_first: false, begins_episode: false };
                        self.send([(MSG_CODE_UPDATE, "")], 1)?;
                    }
                    (false, left) => self.play_tic(left)?,
                }
            }
            Stage::Last { is_first, begins_episode } => {
                if is_first {
                    let settings = Arc::clone(&self.settings);
                    self.memory().set_available_buttons(&settings.config.available_buttons);
                }
                if begins_episode {
                    self.reset_reward_state();
                }
                self.stage = Stage::Idle;
                return self.resume_replay(begins_episode);
            }
            Stage::PressingHeldButtons => self.begin_replay()?,
            Stage::Replaying { at, left } => self.replay_entry(at, left)?,
        }
        Ok(())
    }

    /// Opens and checks the shared memory of an engine that has started.
    fn handshake(&mut self) -> Result<(), EngineFault> {
        let path = shared_memory_path(&format!("{SM_NAME_BASE}{}", self.id));
        let memory = SharedMemory::open(&path)?;
        // The names of the message queues are removed, so that no file remains in shared memory if this process crashes.
        if let Some(engine) = &mut self.engine {
            engine.unlink_names(self.settings.recording_folder.is_some());
        }
        let (width, height) = self.settings.render_size;
        let pixels = width as usize * height as usize;
        let (has_width, has_height, pitch) = memory.screen_size();
        if (has_width, has_height) != (width, height)
            || memory.region(Region::Screen).len() != pixels * self.settings.pixel_format.bytes_per_pixel()
        {
            let expected = format!("expected {width} x {height}");
            return Err(EngineFault::Unsupported(format!(
                "it renders {has_width} x {has_height} pixels with a pitch of {pitch}: {expected}"
            )));
        }
        if memory.is_netgame() {
            return Err(EngineFault::Unsupported("it plays a network game: expected a game in one process".into()));
        }
        if let (Some(patch), Some(process)) = (&self.settings.screen_copy_patch, self.process()) {
            // Without access to its memory, the engine runs unchanged.
            let _no_access = patch.apply(process);
        }
        self.memory = Some(memory);
        Ok(())
    }

    /// Requests the remaining tics of the warm-up before an episode, or the update of state and buffers that follows the last
    /// of these tics.
    fn play_warmup(&mut self, is_first: bool) -> Result<(), EngineFault> {
        let left = self.settings.config.episode_start_time.saturating_sub(self.memory().map_tic());
        if left > 0 {
            self.stage = Stage::WarmingUp { is_first };
            let tics = left.min(MAX_WARMUP_BATCH) as usize;
            return self.send(std::iter::repeat_n((MSG_CODE_TIC, ""), tics), tics);
        }
        self.stage = Stage::Last { is_first, begins_episode: true };
        match is_first {
            true => self.send([(MSG_CODE_UPDATE, "")], 1),
            false => self.send([(MSG_CODE_COMMAND, "viz_override_player 0"), (MSG_CODE_UPDATE, "")], 1),
        }
    }

    /// Returns whether the current operation is complete once the awaited replies have arrived, so that it sends no further
    /// messages.
    pub fn is_last_stage(&self) -> bool {
        matches!(self.stage, Stage::Idle | Stage::Last { .. })
    }
}

//! Resets of a console: power-on, start states and modes.

use super::super::action::Action;
use super::super::games::{EnvironmentWrapper, ModeSelect};
use super::super::start_states::StartState;
use super::{Console, MAX_SELECT_ATTEMPTS, NO_HELD_ACTION, PADDLE_MIN, POWER_ON_FRAMES};

impl Console {
    pub(super) fn start_state(&self) -> StartState {
        let Self { machine, progress, frames, episode_frames, .. } = self;
        StartState { machine: machine.clone(), progress: progress.clone(), frames: *frames, episode_frames: *episode_frames }
    }

    pub(super) fn load_start_state(&mut self, beginning: &StartState) {
        self.machine = beginning.machine.clone();
        self.progress = beginning.progress.clone();
        self.frames = beginning.frames;
        self.episode_frames = beginning.episode_frames;
    }

    pub(super) fn load(&mut self) {
        self.set_television();
        self.first_reset();
    }

    /// Sets the visible part of the picture from the game's table. ALE determines it by playing the game for one second and
    /// counting lines.
    fn set_television(&mut self) {
        self.machine.reset();
        for _ in 0..POWER_ON_FRAMES {
            self.play_frame();
        }
        self.machine.state.tia.set_picture(self.game.visible_picture());
        self.machine.reset();
    }

    /// Resets the console in the default mode, as ALE does while it loads a game. Resets do not clear RAM, so the contents of
    /// RAM in later episodes depend on this first reset.
    fn first_reset(&mut self) {
        let settings = self.settings.clone();
        self.settings.mode = None;
        self.settings.difficulty = None;
        self.play_reset();
        self.settings = settings;
    }

    /// Starts a new episode. Returns false if the mode in the settings could not be reached.
    pub fn reset(&mut self) -> bool {
        self.episode_frames = 0;
        let Some(beginnings) = self.start_states.take() else { return self.play_reset() };
        let Some(cell) = beginnings.reset_cell(self.game, self.mode(), self.difficulty()) else { return self.play_reset() };
        if let Some(found) = cell.get() {
            self.load_start_state(found);
            self.held = NO_HELD_ACTION;
            return true;
        }
        let reached = self.play_reset();
        if reached {
            cell.set(self.start_state()).ok();
        }
        reached
    }

    fn play_reset(&mut self) -> bool {
        self.machine.state.input.difficulty = self.difficulty();
        self.machine.state.input.paddles = [PADDLE_MIN + (self.game.paddle_max - PADDLE_MIN) / 2; 2];
        self.machine.reset();
        self.emulate(Action::Noop, POWER_ON_FRAMES);
        self.soft_reset();
        self.progress = self.game.start(self.progress.setting);
        let reached = self.select_mode();
        self.soft_reset();
        for (action, times) in self.game.starting_actions {
            self.emulate(*action, *times);
        }
        reached
    }

    pub(super) fn count_frame(&mut self) {
        self.frames = self.frames.wrapping_add(1);
        self.episode_frames = self.episode_frames.wrapping_add(1);
    }

    fn select_mode(&mut self) -> bool {
        let mode = i32::from(self.mode());
        match self.game.select {
            ModeSelect::Fixed => true,
            ModeSelect::Own(select) => select(self, mode),
            ModeSelect::Poll { first, hold, is_chosen } => {
                if first > 0 {
                    self.press_select(first);
                }
                for _ in 0..MAX_SELECT_ATTEMPTS {
                    if is_chosen(self.memory(), mode) {
                        return self.soft_reset();
                    }
                    self.press_select(hold);
                }
                false
            }
        }
    }
}

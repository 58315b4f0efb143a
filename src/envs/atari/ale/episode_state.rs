//! State of ALE's environment, and the frames of a preprocessed step.

use envpool_rs_pictures::FrameStack;
use envpool_rs_sim_atari::{Action, Console};

use crate::atari_preprocessing::AtariPreprocessing;

/// State of one ALE environment.
#[derive(Debug)]
pub struct EpisodeState {
    pub(super) console: Box<Console>,
    /// Frame stack; empty if observations are taken from the console without a stack.
    pub(super) stack: FrameStack,
    pub(super) lives: i32,
    /// Whether the environment has not been stepped since the last reset.
    pub(super) is_after_reset: bool,
    /// Whether the player lost a life in the last step, which ends the episode.
    pub(super) life_lost: bool,
    /// The two screens before the current step; valid only during a step.
    pub(super) previous_screens: [Vec<u8>; 2],
}

/// Result of one step of the ALE environment that `AtariPreprocessing` wraps: reward and number of frames.
pub(super) struct FramesPlayed {
    pub(super) reward: i32,
    pub(super) frames: u32,
}

impl EpisodeState {
    pub(super) fn is_over(&self) -> bool {
        self.life_lost || self.console.is_over()
    }

    /// Repeats an action until `frame_skip` frames are played or the episode ends. Returns the reward and the number of frames.
    pub(super) fn play_frames(&mut self, wrapper: &AtariPreprocessing, action: Action) -> FramesPlayed {
        let console = &mut self.console;
        if !wrapper.terminal_on_life_loss {
            let played = console.play(action, wrapper.frame_skip, 2);
            return FramesPlayed { reward: played.reward, frames: played.frames };
        }
        let mut played = FramesPlayed { reward: 0, frames: 0 };
        while played.frames < wrapper.frame_skip && !self.is_over() {
            played.reward += self.console.play(action, 1, 1).reward;
            played.frames += 1;
            self.update_lives(wrapper);
        }
        played
    }

    pub(super) fn update_lives(&mut self, wrapper: &AtariPreprocessing) {
        if wrapper.terminal_on_life_loss {
            let lives = self.console.lives();
            self.life_lost = lives < self.lives;
            self.lives = lives;
        }
    }

    /// Pushes the last screen of a step to the frame stack, without taking the maximum over two screens. At the end of an
    /// episode, pushes the previous stacked frame again.
    pub(super) fn push_single_frame(&mut self, wrapper: &AtariPreprocessing, over: bool) {
        let console = &self.console;
        match over {
            true => self.stack.repeat_newest(),
            false => self.stack.push(|frame| wrapper.preprocessor.convert([console.screen()], frame)),
        }
    }

    /// Pushes the pixelwise maximum of the last two frames of a step, of which `played` frames were played, to the stack.
    ///
    /// The screen after an episode's end is not used. If the episode ended in the step's last frame, the screens that were stored
    /// before the step replace that screen. If it ended earlier, the newest stacked frame is pushed again.
    pub(super) fn push_pooled_frame(&mut self, wrapper: &AtariPreprocessing, played: u32) {
        let over = self.is_over();
        let was_after_reset = std::mem::take(&mut self.is_after_reset);
        let Self { console, previous_screens: [last, previous], stack, .. } = self;
        let preprocessor = &wrapper.preprocessor;
        if !over {
            stack.push(|frame| preprocessor.convert([console.previous_screen(), console.screen()], frame));
        } else if played < wrapper.frame_skip {
            stack.repeat_newest();
        } else if was_after_reset {
            stack.push(|frame| preprocessor.convert([last, console.previous_screen()], frame));
        } else {
            stack.push(|frame| preprocessor.convert([last, previous, console.previous_screen()], frame));
        }
    }
}

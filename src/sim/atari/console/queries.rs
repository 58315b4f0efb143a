//! Read access to a console: the game, its counters, memory and screens.

use super::super::games::Game;
use super::super::tia::{VisiblePicture, WIDTH};
use super::super::{palette, phosphor};
use super::Console;

impl Console {
    /// Returns the description of the game that the cartridge contains.
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// Returns the number of the mode that is being played.
    pub fn mode(&self) -> u16 {
        self.settings.mode.unwrap_or(self.game.modes[0])
    }

    /// Returns the difficulty that is being played.
    pub fn difficulty(&self) -> u8 {
        self.settings.difficulty.unwrap_or(0)
    }

    /// Returns the console's RAM.
    pub fn ram(&self) -> &[u8; 128] {
        &self.machine.state.riot.ram
    }

    /// Returns the number of lives left.
    pub fn lives(&self) -> i32 {
        self.game.lives(&self.progress)
    }

    /// Returns whether the game has ended. After its end, no frames are played until the next reset.
    pub fn game_over(&self) -> bool {
        self.progress.ended
    }

    /// Returns whether the episode has reached its maximum number of frames.
    pub fn is_truncated(&self) -> bool {
        self.settings.max_episode_frames.is_some_and(|most| self.episode_frames >= most)
    }

    /// Returns whether the episode is over (game over or truncated). After its end, no frames are played until the next reset.
    pub fn is_over(&self) -> bool {
        self.progress.ended || self.is_truncated()
    }

    /// Returns the number of frames played since the start of the last reset. Of the frames that the reset itself plays, only
    /// those that select a mode count.
    pub fn episode_frames(&self) -> u32 {
        self.episode_frames
    }

    /// Returns the number of frames played since the console was created, counted as in [`Self::episode_frames`].
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Returns the size and position of the visible part of the picture.
    pub fn picture(&self) -> VisiblePicture {
        self.machine.state.tia.picture()
    }

    /// Returns the pixels of the screen as palette numbers: 160 for each of `picture().rows` rows.
    pub fn screen(&self) -> &[u8] {
        &self.machine.screen.pixels()[..usize::from(self.picture().rows) * WIDTH]
    }

    /// Returns the pixels of the frame before the current [`screen`](Self::screen), in the same format as `screen`.
    pub fn previous_screen(&self) -> &[u8] {
        if !self.overdrawn.is_empty() {
            return &self.overdrawn;
        }
        &self.machine.screen.previous_pixels()[..usize::from(self.picture().rows) * WIDTH]
    }

    /// Writes the [phosphor blend](phosphor) of the last two frames, as palette numbers.
    ///
    /// Both frames must have been drawn (see [`Self::play`]).
    pub fn screen_averaged(&self, out: &mut [u8]) {
        let blend = phosphor::blend(self.picture().pal);
        // The blend uses both frame buffers, even if the last frame was drawn into the buffer of the frame before.
        let previous = self.machine.screen.previous_pixels();
        for ((one, other), out) in self.screen().iter().zip(previous).zip(out) {
            *out = blend[usize::from(*one)][usize::from(*other)];
        }
    }

    /// Writes the screen as red, green and blue bytes, row by row.
    pub fn screen_rgb(&self, out: &mut [u8]) {
        let palette = palette::rgb(self.picture().pal);
        for (pixel, out) in self.screen().iter().zip(out.chunks_exact_mut(3)) {
            out.copy_from_slice(&palette[usize::from(*pixel)]);
        }
    }

    /// Writes the screen as grayscale bytes.
    pub fn screen_gray(&self, out: &mut [u8]) {
        let palette = palette::gray(self.picture().pal);
        for (pixel, out) in self.screen().iter().zip(out) {
            *out = palette[usize::from(*pixel)];
        }
    }
}

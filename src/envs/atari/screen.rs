//! The picture of a game: the console's screen, as it is.

use super::preprocessor::COLUMNS;
use crate::{
    engine::{Picture, Rendering},
    sim::atari::{Console, Game},
};

/// Pictures per second that `ale_py` gives its own environment.
const FRAMES_PER_SECOND: u32 = 30;

/// What a game can show.
pub fn rendering(game: &Game) -> Rendering {
    Rendering::pictures(COLUMNS as u32, u32::from(game.shown().rows), FRAMES_PER_SECOND)
}

/// The screen.
pub fn picture(game: &Game, console: &Console) -> Picture {
    let rows = game.shown().rows;
    let mut pixels = vec![0; usize::from(rows) * COLUMNS * 3];
    console.screen_rgb(&mut pixels);
    Picture::new(COLUMNS as u32, u32::from(rows), pixels)
}

//! The picture of a game: the console's screen, as it is.

use super::preprocessor::COLUMNS;
use envpool_rs_engine::{Picture, Rendering};
use envpool_rs_sim_atari::{Console, Game};

/// Pictures per second that `ale_py` gives its own environment.
const FRAMES_PER_SECOND: u32 = 30;

/// What a game can show: this many rows.
pub fn rendering(rows: u16) -> Rendering {
    Rendering::pictures(COLUMNS as u32, u32::from(rows), FRAMES_PER_SECOND)
}

/// The screen, or its upper `rows` where the game has more.
pub fn picture(game: &Game, console: &Console, rows: u16) -> Picture {
    let mut pixels = vec![0; usize::from(game.shown().rows) * COLUMNS * 3];
    console.screen_rgb(&mut pixels);
    pixels.truncate(usize::from(rows) * COLUMNS * 3);
    Picture::new(COLUMNS as u32, u32::from(rows), pixels)
}

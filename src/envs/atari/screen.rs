//! Pictures of Atari games: the console's screen, unprocessed.

use super::preprocessor::SCREEN_WIDTH;
use envpool_rs_engine::{Frame, RenderSpec};
use envpool_rs_sim_atari::{Console, Game};

/// Frame rate of rendered pictures in pictures per second, as in `ale_py`'s environment.
const FRAMES_PER_SECOND: u32 = 30;

/// Returns the size and the frame rate of rendered pictures that have `rows` rows.
pub fn rendering(rows: u16) -> RenderSpec {
    RenderSpec::with_frame_size(SCREEN_WIDTH as u32, u32::from(rows), FRAMES_PER_SECOND)
}

/// Returns the screen as a picture, cropped to its upper `rows` rows.
pub fn picture(game: &Game, console: &Console, rows: u16) -> Frame {
    let mut pixels = vec![0; usize::from(game.visible_picture().rows) * SCREEN_WIDTH * 3];
    console.screen_rgb(&mut pixels);
    pixels.truncate(usize::from(rows) * SCREEN_WIDTH * 3);
    Frame::new(SCREEN_WIDTH as u32, u32::from(rows), pixels)
}

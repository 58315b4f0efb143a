//! Draws the pictures of CliffWalking.

use super::{BLOCK, GRASS, INK, draw_flag, draw_walker, letters};
use envpool_rs_engine::{Frame, RenderSpec};
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{Canvas, Color};

const COLUMNS: u32 = 12;
const ROWS: u32 = 4;
const CELL: u32 = 64;
const EDGE: Color = Color::rgb(172, 194, 130);
const ROCK: Color = Color::rgb(168, 124, 82);
const DEEP: Color = Color::rgb(126, 90, 58);
const CHASM: Color = Color::rgb(74, 70, 78);

/// Size and frame rate of the pictures of CliffWalking, which also has a text rendering.
pub const RENDERING: RenderSpec = RenderSpec::with_frame_size(COLUMNS * CELL, ROWS * CELL, 4).with_text();

/// Draws the grid with the player in cell `player`.
pub fn picture(player: u32, size: (u32, u32)) -> Frame {
    let mut canvas = Canvas::stretched((COLUMNS * CELL, ROWS * CELL), size, GRASS);
    let corner = |cell: u32| (f64::from(cell % COLUMNS * CELL), f64::from(cell / COLUMNS * CELL));
    for cell in 0..COLUMNS * ROWS {
        let (x, y) = corner(cell);
        canvas.rectangle((x, y), (64.0, BLOCK), EDGE);
        canvas.rectangle((x, y), (BLOCK, 64.0), EDGE);
    }
    let last_row = COLUMNS * (ROWS - 1);
    draw_cliff(&mut canvas, corner(last_row + 1), 64.0 * 10.0);
    for (cell, letter) in [(last_row, "S"), (last_row + COLUMNS - 1, "G")] {
        let (x, y) = corner(cell);
        letters::write(&mut canvas, letter, (x + 8.0, y + 8.0), BLOCK, INK);
    }
    let (x, y) = corner(last_row + COLUMNS - 1);
    draw_flag(&mut canvas, (x + 28.0, y + 16.0), BLOCK);
    let (x, y) = corner(player);
    draw_walker(&mut canvas, (x + 20.0, y + 20.0), BLOCK);
    into_picture(canvas)
}

/// Draws the cliff: the edge of the rock, its cracked face and the chasm below.
fn draw_cliff(canvas: &mut Canvas, (x, y): (f64, f64), width: f64) {
    canvas.rectangle((x, y), (width, 64.0), INK);
    canvas.rectangle((x + BLOCK, y + BLOCK), (width - 2.0 * BLOCK, 44.0), ROCK);
    canvas.rectangle((x + BLOCK, y + 48.0), (width - 2.0 * BLOCK, 8.0), DEEP);
    canvas.rectangle((x + BLOCK, y + 56.0), (width - 2.0 * BLOCK, 8.0), CHASM);
    for crack in 0..19 {
        let (across, down) = (f64::from(crack) * 32.0 + 24.0, f64::from(crack * 7 % 5) * BLOCK);
        canvas.rectangle((x + across, y + 8.0 + down), (BLOCK, 12.0), DEEP);
    }
}

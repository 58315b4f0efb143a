//! Draws the pictures of FrozenLake.

use super::{INK, draw_flag, draw_walker, letters};
use envpool_rs_engine::Frame;
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{Canvas, Color, Point};

const ICE: Color = Color::rgb(198, 224, 242);
const EDGE: Color = Color::rgb(174, 205, 230);
const WATER: Color = Color::rgb(92, 138, 190);
const SHORE: Color = Color::rgb(70, 112, 164);
/// Maximum width and height of a cell, in pixels; `LONGEST` is the maximum width and height of a picture.
const CELL: u32 = 64;
const LONGEST: u32 = 512;
/// Width in pixels below which a cell is drawn in a single colour, without details.
const SMALLEST_DETAIL: f64 = 8.0;

/// Returns the width and height in pixels of the picture of a map with `columns` columns and `rows` rows.
pub fn size(columns: usize, rows: usize) -> (u32, u32) {
    let side = |cells: usize| u32::try_from(cells).map_or(LONGEST, |cells| cells.saturating_mul(CELL).min(LONGEST));
    (side(columns), side(rows))
}

/// Draws the cells of a map, given row by row, with the player in cell `player`, as a picture of `to` pixels.
pub fn picture(map: &[u8], columns: usize, player: usize, to: (u32, u32)) -> Frame {
    let rows = map.len() / columns;
    let (width, height) = size(columns, rows);
    let cell = (cell_side(width, columns), cell_side(height, rows));
    let mut canvas = Canvas::stretched((width, height), to, envpool_rs_pictures::raster::BLACK);
    for (index, letter) in map.iter().enumerate() {
        let corner = ((index % columns) as f64 * cell.0, (index / columns) as f64 * cell.1);
        draw_cell(&mut canvas, *letter, corner, cell, (index % columns * 3 + index / columns * 5) % 7 < 2);
    }
    if map[player] != b'H' {
        let block = cell.0.min(cell.1) / 16.0;
        let corner = ((player % columns) as f64 * cell.0, (player / columns) as f64 * cell.1);
        let inset = ((cell.0 - 10.0 * block) / 2.0, (cell.1 - 9.0 * block) / 2.0);
        draw_walker(&mut canvas, (corner.0 + inset.0, corner.1 + inset.1), block);
    }
    into_picture(canvas)
}

/// Returns the width and height of a cell in pixels if `cells` cells fill `length` pixels. Values of at least one pixel are
/// rounded down.
fn cell_side(length: u32, cells: usize) -> f64 {
    let side = f64::from(length) / cells as f64;
    if side < 1.0 { side } else { side.floor() }
}

fn draw_cell(canvas: &mut Canvas, letter: u8, (x, y): Point, (width, height): Point, is_cracked: bool) {
    if width.min(height) < SMALLEST_DETAIL {
        canvas.rectangle((x, y), (width, height), if letter == b'H' { WATER } else { ICE });
        return;
    }
    let (across, down) = (width / 16.0, height / 16.0);
    let mut part = |column: f64, row: f64, columns: f64, rows: f64, color| {
        canvas.rectangle((x + column * across, y + row * down), (columns * across, rows * down), color);
    };
    part(0.0, 0.0, 16.0, 16.0, EDGE);
    part(0.5, 0.5, 15.0, 15.0, ICE);
    match letter {
        b'H' => {
            part(2.0, 2.0, 12.0, 12.0, SHORE);
            part(2.0, 3.0, 12.0, 11.0, WATER);
            part(4.0, 6.0, 2.0, 1.0, EDGE);
            part(5.0, 7.0, 3.0, 1.0, EDGE);
            part(9.0, 11.0, 3.0, 1.0, EDGE);
        }
        b'F' if is_cracked => (0..4).for_each(|k| part(5.0 + f64::from(k), 5.0 + f64::from(k * k % 5), 1.0, 1.0, EDGE)),
        _ => {}
    }
    let (block, margin) = (across.min(down), (width * 0.06).round());
    match letter {
        b'S' => letters::write(canvas, "S", (x + margin, y + margin), block, INK),
        b'G' => {
            letters::write(canvas, "G", (x + margin, y + margin), block, INK);
            draw_flag(canvas, (x + width / 2.0 - 3.0 * block, y + 14.0 * down - 8.0 * block), block);
        }
        _ => {}
    }
}

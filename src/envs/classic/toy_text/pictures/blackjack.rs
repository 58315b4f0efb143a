//! Draws the pictures of Blackjack.

use super::{BLOCK, GRASS, INK, RED, letters};
use envpool_rs_engine::{Frame, RenderSpec};
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{Canvas, Color, Point};

/// Size and frame rate of the pictures of Blackjack.
pub const RENDERING: RenderSpec = RenderSpec::with_frame_size(384, 376, 4);

const PAPER: Color = Color::rgb(253, 253, 251);
const BACK: Color = Color::rgb(200, 116, 106);
const SHADE: Color = Color::rgb(150, 152, 160);
const CARD: Point = (80.0, 112.0);

/// Glyphs of the suits clubs, diamonds, hearts and spades, row by row.
const SUITS: [[&str; 7]; 4] = [
    ["..###..", "..###..", "##.#.##", "#######", "##.#.##", "...#...", "..###.."],
    ["...r...", "..rrr..", ".rrrrr.", "rrrrrrr", ".rrrrr.", "..rrr..", "...r..."],
    [".rr.rr.", "rrrrrrr", "rrrrrrr", "rrrrrrr", ".rrrrr.", "..rrr..", "...r..."],
    ["...#...", "..###..", ".#####.", "#######", "#######", "...#...", "..###.."],
];

/// The parts of a Blackjack game's state that are drawn into a picture.
pub struct BlackjackView {
    /// Sum of the player's hand.
    pub player: u8,
    /// Whether an ace of the player counts 11.
    pub has_usable_ace: bool,
    /// Value of the dealer's open card; an ace is 1.
    pub dealer_shows: u8,
    /// Suit of the dealer's open card: clubs, diamonds, hearts, spades.
    pub suit: u8,
    /// Face of an open card of value ten: jack, queen or king.
    pub face: u8,
}

/// Draws the dealer's cards in the upper part and the player's sum in the lower part.
pub fn picture(table: &BlackjackView, size: (u32, u32)) -> Frame {
    let mut canvas = Canvas::stretched((384, 376), size, GRASS);
    letters::write(&mut canvas, "DEALER:", (40.0, 32.0), BLOCK, INK);
    letters::write(&mut canvas, &table.dealer_shows.to_string(), (160.0, 32.0), BLOCK, INK);
    draw_card(&mut canvas, (96.0, 72.0), table);
    draw_back(&mut canvas, (208.0, 72.0));
    letters::write(&mut canvas, "PLAYER", (40.0, 208.0), BLOCK, INK);
    write_centered(&mut canvas, &table.player.to_string(), 248.0, 3.0 * BLOCK);
    if table.has_usable_ace {
        write_centered(&mut canvas, "USABLE ACE", 328.0, BLOCK);
    }
    into_picture(canvas)
}

fn write_centered(canvas: &mut Canvas, text: &str, top: f64, block: f64) {
    let left = (384.0 - letters::width(text) * block) / 2.0;
    letters::write(canvas, text, ((left / BLOCK).floor() * BLOCK, top), block, INK);
}

fn draw_blank_card(canvas: &mut Canvas, (x, y): Point, color: Color) {
    canvas.rectangle((x + BLOCK, y), (CARD.0 - 2.0 * BLOCK, CARD.1), SHADE);
    canvas.rectangle((x, y + BLOCK), (CARD.0, CARD.1 - 2.0 * BLOCK), SHADE);
    canvas.rectangle((x + BLOCK, y + BLOCK), (CARD.0 - 2.0 * BLOCK, CARD.1 - 2.0 * BLOCK), color);
}

fn draw_back(canvas: &mut Canvas, (x, y): Point) {
    draw_blank_card(canvas, (x, y), BACK);
    for row in 0..11 {
        for column in (row % 2..8).step_by(2) {
            let corner = (x + 8.0 + f64::from(column) * 8.0, y + 12.0 + f64::from(row) * 8.0);
            canvas.rectangle(corner, (BLOCK, BLOCK), BACK.darker(0.85));
        }
    }
}

fn draw_card(canvas: &mut Canvas, (x, y): Point, table: &BlackjackView) {
    draw_blank_card(canvas, (x, y), PAPER);
    let rank = match table.dealer_shows {
        1 => "A".to_owned(),
        10 => ["J", "Q", "K"].get(usize::from(table.face)).copied().unwrap_or("10").to_owned(),
        rank => rank.to_string(),
    };
    let suit = &SUITS[usize::from(table.suit) % SUITS.len()];
    let color = if matches!(table.suit, 1 | 2) { RED } else { INK };
    letters::write(canvas, &rank, (x + 8.0, y + 8.0), BLOCK, color);
    canvas.sprite(suit, &[('#', INK), ('r', RED)], (x + 26.0, y + 48.0), BLOCK);
}

//! Draws the pictures of Taxi.

use super::{BLOCK, INK, RED, letters};
use envpool_rs_engine::{Frame, RenderSpec};
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{Canvas, Color, Point, WHITE};

/// Size and frame rate of the pictures of Taxi, which also has a text rendering.
pub const RENDERING: RenderSpec = RenderSpec::with_frame_size(536, 456, 4).with_text();

const PAPER: Color = Color::rgb(250, 250, 246);
const STREET: Color = Color::rgb(233, 231, 225);
const KERB: Color = Color::rgb(212, 210, 202);
const GREEN: Color = Color::rgb(152, 184, 110);
const BLUE: Color = Color::rgb(116, 150, 198);
const YELLOW: Color = Color::rgb(232, 196, 88);
const BRICK: Color = Color::rgb(205, 166, 94);
const GLASS: Color = Color::rgb(198, 224, 242);
const WOOD: Color = Color::rgb(122, 86, 58);
const ORIGIN: Point = (48.0, 128.0);
const CELL: Point = (88.0, 56.0);

/// Letters and colours of the four locations where passengers wait or go.
const STOPS: [(&str, Color); 4] = [("R", RED), ("G", GREEN), ("Y", YELLOW), ("B", BLUE)];

/// Sprite of a car seen from above, heading north.
const CAR: [&str; 14] = [
    "..#####..",
    ".#yyyyy#.",
    ".#ybbby#.",
    "##bbbbb##",
    "##ybbby##",
    ".#yyyyy#.",
    ".#ykykyk.",
    ".#kykyk#.",
    ".#yyyyy#.",
    "##ybbby##",
    "##yyyyy##",
    ".#yyyyy#.",
    ".#ryyyr#.",
    "..#####..",
];

const PASSENGER: [&str; 6] = [".##.", ".oo.", "####", "#rr#", ".rr.", ".##."];

/// Parts of a Taxi game's state that are drawn into a picture; positions are (row, column).
pub struct TaxiView {
    pub taxi: (u32, u32),
    /// Heading of the taxi: 0 south, 1 north, 2 east, 3 west.
    pub heading: u8,
    /// Position of the waiting passenger; `None` while the passenger is in the taxi.
    pub passenger: Option<(u32, u32)>,
    /// Destination of the passenger.
    pub destination: (u32, u32),
    /// The four locations where passengers wait or go.
    pub stops: [(u32, u32); 4],
    /// Whether a wall (or the border) stands east of a cell, by row and column.
    pub wall_east: &'static [[bool; 5]; 5],
}

/// Draws the map with taxi, passenger and destination.
pub fn picture(town: &TaxiView, size: (u32, u32)) -> Frame {
    let mut canvas = Canvas::stretched((536, 456), size, PAPER);
    draw_streets(&mut canvas, town);
    draw_house(&mut canvas, (403.0, 36.0));
    draw_destination(&mut canvas, corner(town.destination));
    if let Some(passenger) = town.passenger {
        let (x, y) = corner(passenger);
        canvas.rectangle((x + 32.0, y + 16.0), (24.0, 28.0), WHITE);
        canvas.sprite(&PASSENGER, &[('#', INK), ('o', PAPER), ('r', RED)], (x + 36.0, y + 18.0), BLOCK);
    }
    draw_taxi(&mut canvas, town);
    into_picture(canvas)
}

fn corner((row, column): (u32, u32)) -> Point {
    (ORIGIN.0 + f64::from(column) * CELL.0, ORIGIN.1 + f64::from(row) * CELL.1)
}

fn draw_streets(canvas: &mut Canvas, town: &TaxiView) {
    canvas.rectangle((36.0, 116.0), (460.0, 304.0), INK);
    canvas.rectangle((44.0, 124.0), (444.0, 288.0), KERB);
    for row in 0..5 {
        for column in 0..5 {
            let (x, y) = corner((row, column));
            canvas.rectangle((x + 4.0, y + 4.0), (80.0, 48.0), STREET);
        }
    }
    for (stop, (letter, color)) in town.stops.iter().zip(STOPS) {
        let (x, y) = corner(*stop);
        canvas.rectangle((x + 4.0, y + 4.0), (80.0, 48.0), color);
        letters::write(canvas, letter, (x + 38.0, y + 18.0), BLOCK, WHITE);
    }
    for (row, walls) in (0..).zip(town.wall_east) {
        for (column, _) in (0..4).zip(walls).filter(|(_, wall)| **wall) {
            let (x, y) = corner((row, column + 1));
            canvas.rectangle((x - 4.0, y), (8.0, 56.0), INK);
        }
    }
}

fn draw_destination(canvas: &mut Canvas, (x, y): Point) {
    for (offset, size) in
        [((0.0, 0.0), (88.0, 8.0)), ((0.0, 48.0), (88.0, 8.0)), ((0.0, 0.0), (8.0, 56.0)), ((80.0, 0.0), (8.0, 56.0))]
    {
        canvas.rectangle((x + offset.0, y + offset.1), size, INK);
    }
}

fn draw_house(canvas: &mut Canvas, (x, y): Point) {
    canvas.polygon(&[(x - 6.0, y + 34.0), (x + 40.0, y), (x + 86.0, y + 34.0)], INK);
    canvas.polygon(&[(x + 4.0, y + 31.0), (x + 40.0, y + 5.0), (x + 76.0, y + 31.0)], RED);
    canvas.rectangle((x, y + 32.0), (80.0, 64.0), INK);
    canvas.rectangle((x + 4.0, y + 36.0), (72.0, 56.0), BRICK);
    for column in [12.0, 52.0] {
        canvas.rectangle((x + column, y + 44.0), (16.0, 16.0), INK);
        canvas.rectangle((x + column + 3.0, y + 47.0), (10.0, 10.0), GLASS);
    }
    canvas.rectangle((x + 32.0, y + 64.0), (16.0, 28.0), WOOD);
}

fn draw_taxi(canvas: &mut Canvas, town: &TaxiView) {
    let light = if town.passenger.is_none() { INK } else { PAPER };
    let palette = [('#', INK), ('y', YELLOW), ('b', GLASS), ('k', light), ('r', RED)];
    let (x, y) = corner(town.taxi);
    match town.heading {
        0 => canvas.sprite(&upside_down(), &palette, (x + 26.0, y), BLOCK),
        1 => canvas.sprite(&CAR, &palette, (x + 26.0, y), BLOCK),
        2 => canvas.sprite(&sideways(true), &palette, (x + 16.0, y + 10.0), BLOCK),
        _ => canvas.sprite(&sideways(false), &palette, (x + 16.0, y + 10.0), BLOCK),
    }
}

fn upside_down() -> Vec<&'static str> {
    CAR.iter().rev().copied().collect()
}

/// Returns the car's sprite rotated by a quarter turn: heading right if `to_the_right` is set, and otherwise left.
fn sideways(to_the_right: bool) -> Vec<String> {
    let letter = |column: usize, row: usize| char::from(CAR[row].as_bytes()[column]);
    let rows = |column: usize| -> String {
        let along = (0..CAR.len()).map(|row| letter(column, row));
        if to_the_right { along.rev().collect() } else { along.collect() }
    };
    (0..CAR[0].len()).map(rows).collect()
}

//! Pictures of the toy texts: the layout of gymnasium 1.4.0's, with drawings of our own, in squares of four pixels.

pub mod blackjack;
pub mod cliff_walking;
pub mod frozen_lake;
mod letters;
pub mod taxi;

use envpool_rs_pictures::raster::{Canvas, Color, Point, WHITE};

/// Side of the squares that the drawings are made of.
const BLOCK: f64 = 4.0;

const INK: Color = Color::rgb(56, 58, 70);
const SILVER: Color = Color::rgb(208, 210, 216);
const RED: Color = Color::rgb(202, 102, 92);
const GRASS: Color = Color::rgb(196, 216, 158);

/// Someone with a hat, seen from the front.
const WALKER: [&str; 9] = [
    "....##....",
    "...####...",
    "...oooo...",
    "...#oo#...",
    "..rrrrrr..",
    "..r.rr.r..",
    "..o.rr.o..",
    "...#..#...",
    "..##..##..",
];

/// A pennant on its pole.
const FLAG: [&str; 8] = ["#.....", "#rr...", "#rrrr.", "#rrrrr", "#rr...", "#.....", "#.....", "#....."];

const PALETTE: [(char, Color); 4] = [('#', INK), ('o', SILVER), ('r', RED), ('w', WHITE)];

/// The player of a grid with its top left corner at `corner`, `block` pixels for each of its 10 by 9 squares.
fn draw_walker(canvas: &mut Canvas, corner: Point, block: f64) {
    canvas.sprite(&WALKER, &PALETTE, corner, block);
}

/// The goal's flag, 6 by 8 squares.
fn draw_flag(canvas: &mut Canvas, corner: Point, block: f64) {
    canvas.sprite(&FLAG, &PALETTE, corner, block);
}

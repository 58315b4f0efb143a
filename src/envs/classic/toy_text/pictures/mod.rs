//! Pictures of the toy text environments: gymnasium 1.4.0's layout with original sprites of 4-pixel blocks.

pub mod blackjack;
pub mod cliff_walking;
pub mod frozen_lake;
mod letters;
pub mod taxi;

use envpool_rs_pictures::raster::{Canvas, Color, Point, WHITE};

/// Width and height of the blocks that sprites are made of, in pixels.
const BLOCK: f64 = 4.0;

const INK: Color = Color::rgb(56, 58, 70);
const SILVER: Color = Color::rgb(208, 210, 216);
const RED: Color = Color::rgb(202, 102, 92);
const GRASS: Color = Color::rgb(196, 216, 158);

/// Sprite of the player: a person with a hat, seen from the front.
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

/// Sprite of a flag: a pennant on a pole.
const FLAG: [&str; 8] = ["#.....", "#rr...", "#rrrr.", "#rrrrr", "#rr...", "#.....", "#.....", "#....."];

const PALETTE: [(char, Color); 4] = [('#', INK), ('o', SILVER), ('r', RED), ('w', WHITE)];

/// Draws the player, 10 by 9 blocks of `block` pixels, with its top left corner at `corner`.
fn draw_walker(canvas: &mut Canvas, corner: Point, block: f64) {
    canvas.sprite(&WALKER, &PALETTE, corner, block);
}

/// Draws the goal's flag, 6 by 8 blocks.
fn draw_flag(canvas: &mut Canvas, corner: Point, block: f64) {
    canvas.sprite(&FLAG, &PALETTE, corner, block);
}

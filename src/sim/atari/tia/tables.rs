//! Shapes along a line, as functions of the distance from an object's position, written out as tables.
//!
//! Tables repeat after 160 entries, so that `table[x + 160 - position]` is the object's pixel at `x`, wrapped around the
//! line. (The entries from 320 on are there to be read with a whole block, and not to be drawn.)

use super::PF;

/// Entries of a table.
pub(super) const SPAN: usize = 328;

/// Distances of the copies of each of the eight modes.
const COPIES: [&[usize]; 8] = [&[0], &[0, 16], &[0, 32], &[0, 16, 32], &[0, 64], &[0], &[0, 32, 64], &[0]];
/// By how many clocks a player's pixels are stretched, as a shift.
const STRETCH: [usize; 8] = [0, 0, 0, 0, 0, 1, 0, 2];

/// The graphics' bit that a player shows, by mode, whether the first copy is suppressed, and distance.
pub(super) static PLAYERS: [[[u8; SPAN]; 2]; 8] = players();
/// One where a missile shows, by mode, size and distance.
pub(super) static MISSILES: [[[u8; SPAN]; 4]; 8] = missiles();
/// One where the ball shows, by size and distance.
pub(super) static BALLS: [[u8; SPAN]; 4] = balls();
/// The playfield's bit at each column of four pixels, without and with reflection.
pub(super) static PLAYFIELD: [[u32; 40]; 2] = playfield();

const fn players() -> [[[u8; SPAN]; 2]; 8] {
    let mut table = [[[0; SPAN]; 2]; 8];
    let mut mode = 0;
    while mode < 8 {
        let mut copy = 0;
        while copy < COPIES[mode].len() {
            let mut pixel = 0;
            while pixel < 8 << STRETCH[mode] {
                // Stretched players start a pixel later.
                let at = COPIES[mode][copy] + pixel + (STRETCH[mode] != 0) as usize;
                let bit = 0x80 >> (pixel >> STRETCH[mode]);
                let mut suppressed = 0;
                while suppressed < 2 {
                    if suppressed == 0 || copy > 0 {
                        table[mode][suppressed][at] = bit;
                        table[mode][suppressed][at + 160] = bit;
                    }
                    suppressed += 1;
                }
                pixel += 1;
            }
            copy += 1;
        }
        mode += 1;
    }
    table
}

const fn missiles() -> [[[u8; SPAN]; 4]; 8] {
    let mut table = [[[0; SPAN]; 4]; 8];
    let mut mode = 0;
    while mode < 8 {
        let mut size = 0;
        while size < 4 {
            let mut copy = 0;
            while copy < COPIES[mode].len() {
                let mut pixel = 0;
                while pixel < 1 << size {
                    table[mode][size][COPIES[mode][copy] + pixel] = 1;
                    table[mode][size][COPIES[mode][copy] + pixel + 160] = 1;
                    pixel += 1;
                }
                copy += 1;
            }
            size += 1;
        }
        mode += 1;
    }
    table
}

const fn balls() -> [[u8; SPAN]; 4] {
    let mut table = [[0; SPAN]; 4];
    let mut size = 0;
    while size < 4 {
        let mut pixel = 0;
        while pixel < 1 << size {
            table[size][pixel] = 1;
            table[size][pixel + 160] = 1;
            pixel += 1;
        }
        size += 1;
    }
    table
}

/// The left half shows PF0's four bits from the lowest, PF1's from the highest, PF2's from the lowest.
const fn playfield() -> [[u32; 40]; 2] {
    let mut table = [[0; 40]; 2];
    let mut column = 0;
    while column < 20 {
        let bit = match column {
            0..4 => column,
            4..12 => 15 - column,
            _ => column,
        };
        table[0][column] = 1 << bit;
        table[0][column + 20] = 1 << bit;
        table[1][column] = 1 << bit;
        table[1][39 - column] = 1 << bit;
        column += 1;
    }
    table
}

/// Graphics mirrored.
pub(super) fn mirrored(graphics: u8) -> u8 {
    graphics.reverse_bits()
}

/// What a player's position is to a copy of it at a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Landing {
    /// In none of the copies.
    Elsewhere,
    /// In the four pixels before one starts.
    Before,
    /// Where one is being drawn.
    Within,
}

/// Where a player that stands `distance` pixels before the new position lands among its own copies.
pub(super) fn landing(mode: usize, distance: usize) -> Landing {
    let width = 8 << STRETCH[mode];
    let mut found = Landing::Elsewhere;
    for copy in COPIES[mode] {
        let into = (distance + 160 - copy) % 160;
        if into < 4 {
            found = Landing::Before;
        } else if into < 4 + width {
            found = Landing::Within;
        }
    }
    found
}

/// Which of the four colours a set of objects shows, by half of the line, priority bits, and set.
pub(super) static SHOWN: [[[u8; 64]; 4]; 2] = shown();

/// Indices of the colours.
pub(super) const BACKGROUND: u8 = 0;
pub(super) const FIELD: u8 = 1;
pub(super) const FIRST: u8 = 2;
pub(super) const SECOND: u8 = 3;

const fn shown() -> [[[u8; 64]; 4]; 2] {
    let mut table = [[[0; 64]; 4]; 2];
    let mut half = 0;
    while half < 2 {
        let mut priority = 0;
        while priority < 4 {
            let mut objects = 0;
            while objects < 64 {
                table[half][priority][objects] = colour_of(half, priority, objects as u8);
                objects += 1;
            }
            priority += 1;
        }
        half += 1;
    }
    table
}

const fn colour_of(half: usize, priority: usize, objects: u8) -> u8 {
    let first = objects & (super::P0 | super::M0) != 0;
    let second = objects & (super::P1 | super::M1) != 0;
    let field = objects & (PF | super::BL) != 0;
    let score = priority & 1 != 0;
    // With nothing but the playfield, score mode comes before priority.
    let field_first = priority & 2 != 0 && field;
    if field_first {
        FIELD
    } else if first {
        FIRST
    } else if second {
        SECOND
    } else if objects & PF != 0 && score {
        if half == 0 { FIRST } else { SECOND }
    } else if field {
        FIELD
    } else {
        BACKGROUND
    }
}

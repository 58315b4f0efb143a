//! Shapes along a line, as functions of the distance from an object's position, written out as tables.
//!
//! Tables repeat after 160 entries, so that `table[x + 160 - position]` is the object's pixel at `x`, wrapped around the
//! line.

/// Entries of a table.
pub(super) const SPAN: usize = 320;

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

/// The playfield as a bit for each of its forty columns, the leftmost lowest. The left half shows PF0's four bits from the
/// lowest, PF1's from the highest, PF2's from the lowest; the right half repeats or mirrors it.
pub(super) fn columns(playfield: u32, mirrored: bool) -> u64 {
    const HALF: u32 = 20;
    let middle = (playfield >> 4) as u8;
    let left = playfield & 0xff00f | u32::from(middle.reverse_bits()) << 4;
    let right = if mirrored { left.reverse_bits() >> (u32::BITS - HALF) } else { left };
    u64::from(left) | u64::from(right) << HALF
}

/// In which chunks of sixteen pixels a player may show, by mode and position: a bit for each chunk.
pub(super) static PLAYER_CHUNKS: [[u16; 160]; 8] = chunks_of_copies(true);
/// The same of a missile, whatever its size.
pub(super) static MISSILE_CHUNKS: [[u16; 160]; 8] = chunks_of_copies(false);

const fn chunks_of_copies(player: bool) -> [[u16; 160]; 8] {
    let mut table = [[0; 160]; 8];
    let mut mode = 0;
    while mode < 8 {
        // Stretched players start a pixel later.
        let width = if player { (8 << STRETCH[mode]) + 1 } else { 8 };
        let mut position = 0;
        while position < 160 {
            let mut copy = 0;
            while copy < COPIES[mode].len() {
                let mut pixel = 0;
                while pixel < width {
                    table[mode][position] |= 1 << ((position + COPIES[mode][copy] + pixel) % 160 / 16);
                    pixel += 1;
                }
                copy += 1;
            }
            position += 1;
        }
        mode += 1;
    }
    table
}

/// In which chunks of sixteen pixels a playfield of these columns shows.
pub(super) fn chunks_of_columns(columns: u64) -> u16 {
    (0..10).fold(0, |chunks, chunk| chunks | u16::from(columns >> (4 * chunk) & 0x0f != 0) << chunk)
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

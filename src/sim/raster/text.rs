//! Letters made of 8 by 8 blocks.

use font8x8::legacy::BASIC_LEGACY;

/// Blocks that a letter is wide and high.
const SIDE: u32 = 8;

/// Width of a text in blocks.
pub fn text_width(text: &str) -> u32 {
    text.chars().count() as u32 * SIDE
}

/// Column and row of every filled block of a text; what is not ASCII is left blank.
pub fn glyph_blocks(text: &str) -> Vec<(u32, u32)> {
    let blocks_of = |(index, letter): (usize, char)| {
        let rows = BASIC_LEGACY.get(letter as usize).copied().unwrap_or_default();
        let filled = move |row: u32| (0..SIDE).filter(move |column| rows[row as usize] >> column & 1 == 1);
        (0..SIDE).flat_map(move |row| filled(row).map(move |column| (index as u32 * SIDE + column, row)))
    };
    text.chars().enumerate().flat_map(blocks_of).collect()
}

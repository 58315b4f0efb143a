//! Draws strings in a bitmap font of 8 by 8 blocks.

use font8x8::legacy::BASIC_LEGACY;

/// Width and height of a letter, in blocks.
const GLYPH_SIDE: u32 = 8;

/// Returns the width of a string in blocks.
pub fn text_width(text: &str) -> u32 {
    text.chars().count() as u32 * GLYPH_SIDE
}

/// Calls `block` with the column and row of every filled block of a string. Characters outside of ASCII stay
/// blank.
pub fn for_each_block(text: impl Iterator<Item = char>, mut block: impl FnMut(u32, u32)) {
    for (index, letter) in text.enumerate() {
        let rows = BASIC_LEGACY.get(letter as usize).copied().unwrap_or_default();
        for (row, columns) in rows.into_iter().enumerate() {
            let filled = (0..GLYPH_SIDE).filter(|column| columns >> column & 1 == 1);
            filled.for_each(|column| block(index as u32 * GLYPH_SIDE + column, row as u32));
        }
    }
}

/// Returns the column and row of every filled block of a string.
pub fn glyph_blocks(text: &str) -> Vec<(u32, u32)> {
    let mut blocks = Vec::new();
    for_each_block(text.chars(), |column, row| blocks.push((column, row)));
    blocks
}

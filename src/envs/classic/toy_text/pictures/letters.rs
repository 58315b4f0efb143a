//! Draws strings in a font of three by five blocks.

use envpool_rs_pictures::raster::{Canvas, Color, Point};

/// Width of a letter plus the gap after it, in blocks.
const ADVANCE: f64 = 4.0;

/// Glyphs of the font: for each letter, five rows from the top, of three bits each, the leftmost bit highest.
const LETTERS: [(char, [u8; 5]); 27] = [
    ('0', [7, 5, 5, 5, 7]),
    ('1', [2, 6, 2, 2, 7]),
    ('2', [7, 1, 7, 4, 7]),
    ('3', [7, 1, 3, 1, 7]),
    ('4', [5, 5, 7, 1, 1]),
    ('5', [7, 4, 7, 1, 7]),
    ('6', [7, 4, 7, 5, 7]),
    ('7', [7, 1, 2, 2, 2]),
    ('8', [7, 5, 7, 5, 7]),
    ('9', [7, 5, 7, 1, 7]),
    (':', [0, 2, 0, 2, 0]),
    ('A', [2, 5, 7, 5, 5]),
    ('B', [6, 5, 6, 5, 6]),
    ('C', [3, 4, 4, 4, 3]),
    ('D', [6, 5, 5, 5, 6]),
    ('E', [7, 4, 6, 4, 7]),
    ('G', [3, 4, 5, 5, 3]),
    ('J', [1, 1, 1, 5, 2]),
    ('K', [5, 5, 6, 5, 5]),
    ('L', [4, 4, 4, 4, 7]),
    ('P', [6, 5, 6, 4, 4]),
    ('Q', [2, 5, 5, 6, 3]),
    ('R', [6, 5, 6, 5, 5]),
    ('S', [3, 4, 2, 1, 6]),
    ('U', [5, 5, 5, 5, 7]),
    ('Y', [5, 5, 2, 2, 2]),
    ('T', [7, 2, 2, 2, 2]),
];

/// Draws `text` with its top left corner at `corner`, `block` pixels per block.
///
/// Characters without a glyph stay blank.
pub fn write(canvas: &mut Canvas, text: &str, corner: Point, block: f64, color: Color) {
    for (index, letter) in text.chars().enumerate() {
        let Some((_, rows)) = LETTERS.iter().find(|(name, _)| *name == letter) else { continue };
        let filled = (0..5)
            .flat_map(|row| (0..3).filter(move |column| rows[row] >> (2 - column) & 1 == 1).map(move |column| (column, row)));
        for (column, row) in filled {
            let across = (index as f64 * ADVANCE + f64::from(column)) * block;
            canvas.rectangle((corner.0 + across, corner.1 + row as f64 * block), (block, block), color);
        }
    }
}

/// Returns the width of a string in blocks.
pub fn width(text: &str) -> f64 {
    text.chars().count() as f64 * ADVANCE - 1.0
}

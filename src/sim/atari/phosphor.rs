//! Phosphor blend of two frames: ALE's `color_averaging`.
//!
//! For each channel of a pixel, take its darker value `a` and its brighter value `b` in the last two frames. The blend is `a +
//! 0.77 * (b - a)`. The pixel gets the palette's colour that is nearest to the blended channels.
//!
//! ALE's result for pixels without colour (odd palette numbers, PAL only) depends on uninitialised memory; in this module,
//! these pixels are black.

use super::palette;
use envpool_rs_sync::ForkOnce;

/// Weight of the brighter value in a blend, in hundredths.
const PERSISTENCE: u32 = 77;
/// Number of low bits of a channel that are cleared before the search for the nearest colour.
const CLEARED_BITS: u32 = 2;

/// Blended palette number, indexed by the palette numbers of a pixel in two frames. The table is symmetric.
pub type BlendTable = [[u8; 256]; 256];

static BLENDS: [ForkOnce<Box<BlendTable>>; 2] = [const { ForkOnce::new() }; 2];

/// Returns the blend table of a PAL or NTSC television.
pub fn blend(pal: bool) -> &'static BlendTable {
    BLENDS[usize::from(pal)].get_or_init(|| new_blend(palette::rgb(pal)))
}

fn new_blend(colours: &[[u8; 3]; 256]) -> Box<BlendTable> {
    let mut blend = Box::new([[0; 256]; 256]);
    for one in (0..256).step_by(2) {
        for other in (0..=one).step_by(2) {
            let between = std::array::from_fn(|channel| blend_channel(colours[one][channel], colours[other][channel]));
            let shown = nearest(colours, between);
            blend[one][other] = shown;
            blend[other][one] = shown;
        }
    }
    blend
}

fn blend_channel(one: u8, other: u8) -> u8 {
    let value = u32::from(one.abs_diff(other)) * PERSISTENCE / 100 + u32::from(one.min(other));
    (value >> CLEARED_BITS << CLEARED_BITS) as u8
}

/// Returns the palette number whose colour is nearest to `wanted`, by the sum of the channels' absolute differences. If several
/// colours are equally near, returns the first.
fn nearest(colours: &[[u8; 3]; 256], wanted: [u8; 3]) -> u8 {
    let distance = |number: u8| -> u32 {
        let channels = colours[usize::from(number)].iter().zip(&wanted);
        channels.map(|(one, other)| u32::from(one.abs_diff(*other))).sum()
    };
    (0..=254).step_by(2).min_by_key(|number| distance(*number)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blended_pictures_equal_the_references_colours() {
        let american = blend(false);
        let shown = [(34, 14), (184, 38), (70, 144), (74, 144), (52, 160), (6, 10)].map(|(one, other)| american[one][other]);
        assert_eq!(shown, [10, 6, 82, 84, 2, 8]);
        let european = blend(true);
        assert_eq!([(8, 42), (42, 42), (128, 204)].map(|(one, other)| european[one][other]), [74, 42, 200]);
    }

    #[test]
    fn blending_does_not_depend_on_the_order_of_pictures() {
        let american = blend(false);
        assert!((0..256).all(|one| (0..256).all(|other| american[one][other] == american[other][one])));
    }
}

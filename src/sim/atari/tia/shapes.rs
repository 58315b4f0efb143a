//! Computes the pixels of objects from their registers.
//!
//! After a change of an object's registers, its pixels are computed when the next pixel of the picture is drawn.

use super::Tia;
use super::line::{BL, M0, M1, P0, P1, PF, WIDTH};
use super::pixels::{COLOURS, WORDS, repeat_byte};
use super::tables::{self, FACTORS, Factors};

impl Tia {
    /// Recomputes the cached pixels and colours of objects whose registers have changed. An invisible playfield has
    /// no pixels.
    #[inline(always)]
    pub(super) fn update_pixels(&mut self) {
        let stale = !self.pixels.valid & (self.visible_objects | PF | COLOURS);
        if stale == 0 {
            return;
        }
        self.pixels.valid |= stale;
        if stale & COLOURS != 0 {
            let colours = [self.colubk, self.ball.colupf, self.players[1].colup, self.players[0].colup];
            self.pixels.colours = colours.map(repeat_byte);
        }
        if stale & P0 != 0 {
            self.pixels.set(P0, self.player_pixels(0));
        }
        if stale & P1 != 0 {
            self.pixels.set(P1, self.player_pixels(1));
        }
        if stale & PF != 0 {
            let words = self.pixels.merged_playfield(tables::playfield(self.pf, self.reflect_now));
            self.pixels.set(PF, words);
        }
        if stale & BL != 0 {
            self.pixels.set(BL, place_copies(missile_copy(self.ball.size), &[1, 0], self.ball.position));
        }
        if stale & M0 != 0 {
            self.pixels.set(M0, self.missile_pixels(0));
        }
        if stale & M1 != 0 {
            self.pixels.set(M1, self.missile_pixels(1));
        }
    }

    #[inline(always)]
    fn player_pixels(&self, index: usize) -> [u64; WORDS] {
        let player = &self.players[index];
        let factors = &FACTORS[usize::from(player.nusiz & 7)][usize::from(player.suppressed)];
        place_copies(tables::player_pixels(player.nusiz, player.current_grp), factors, player.position)
    }

    #[inline(always)]
    fn missile_pixels(&self, index: usize) -> [u64; WORDS] {
        let missile = &self.missiles[index];
        let size = match (index, self.stars.shape) {
            (0, 2) => return [0; WORDS],
            (0, 1) => missile.size | 1,
            _ => missile.size,
        };
        place_copies(missile_copy(size), &FACTORS[usize::from(self.players[index].nusiz & 7)][0], missile.position)
    }
}

/// Returns a mask of the pixels of one copy of a missile or of the ball; `size` is the binary logarithm of its width.
#[inline(always)]
fn missile_copy(size: u8) -> u64 {
    (1 << (1 << (size & 3))) - 1
}

/// Returns masks of the pixels of all copies of an object at `position`. `copy` is the mask of one copy. Copies wrap around at
/// the end of the line.
#[inline(always)]
fn place_copies(copy: u64, factors: &Factors, position: u8) -> [u64; WORDS] {
    /// Number of pixels in the last word of a line.
    const LAST: u32 = WIDTH as u32 % 64;
    let [low, high] = factors.map(|factor| copy.wrapping_mul(factor));
    let shift = u32::from(position) % 64;
    let words = [low << shift, low >> 1 >> (63 - shift) | high << shift, high >> 1 >> (63 - shift)];
    match position / 64 {
        0 => words,
        1 => [words[1] >> LAST | words[2] << LAST, words[0], words[1] & 0xffff_ffff],
        _ => [words[0] >> LAST | words[1] << LAST, words[1] >> LAST | words[2] << LAST, words[0] & 0xffff_ffff],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(words: [u64; WORDS]) -> Vec<usize> {
        (0..3 * 64).filter(|x| words[x / 64] >> (x % 64) & 1 != 0).collect()
    }

    #[test]
    fn copies_have_their_distances_and_wrap_around_the_line() {
        let distances: [&[usize]; 8] = [&[0], &[0, 16], &[0, 32], &[0, 16, 32], &[0, 64], &[0], &[0, 32, 64], &[0]];
        for (mode, distances) in distances.iter().enumerate() {
            for suppressed in [0, 1] {
                for position in 0..WIDTH {
                    let found = pixels(place_copies(0x81, &FACTORS[mode][suppressed], position as u8));
                    let mut expected: Vec<usize> =
                        distances[suppressed..].iter().flat_map(|d| [0, 7].map(|at| (position + d + at) % WIDTH)).collect();
                    expected.sort_unstable();
                    assert_eq!(found, expected, "mode {mode}, suppressed {suppressed}, at {position}");
                }
            }
        }
    }

    #[test]
    fn stretched_players_are_wider_and_start_a_pixel_later() {
        assert_eq!(tables::player_pixels(0, 0xc1), 0x83);
        assert_eq!(tables::player_pixels(5, 0xc1), 0b1100_0000_0000_1111 << 1);
        assert_eq!(tables::player_pixels(7, 0x81), 0xf000_000f << 1);
        for position in 0..WIDTH {
            let found = pixels(place_copies(tables::player_pixels(7, 0xff), &FACTORS[7][0], position as u8));
            let mut expected: Vec<usize> = (1..33).map(|at| (position + at) % WIDTH).collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{position}");
        }
    }

    #[test]
    fn the_playfields_columns_are_four_pixels_wide() {
        for bit in 0..20 {
            // PF0 and PF2 are displayed starting with their lowest bit, PF1 starting with its highest bit.
            let column = if (4..12).contains(&bit) { 15 - bit } else { bit };
            for (mirrored, other) in [(false, 20 + column), (true, 39 - column)] {
                let expected: Vec<usize> = [column, other].iter().flat_map(|column| 4 * column..4 * column + 4).collect();
                assert_eq!(pixels(tables::playfield(1 << bit, mirrored)), expected, "bit {bit}, {mirrored}");
            }
        }
    }
}

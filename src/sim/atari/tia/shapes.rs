//! Computes the pixels of objects from their registers, when something is drawn after the registers have changed.

use super::Tia;
use super::line::{BL, M0, M1, P0, P1, PF, WIDTH};
use super::pixels::{COLOURS, WORDS, four_times};
use super::tables::{self, FACTORS, Factors};

impl Tia {
    /// Updates all stale pixels and colours.
    #[inline(always)]
    pub(super) fn shape(&mut self) {
        let stale = !self.pixels.fresh & (self.visible | COLOURS);
        if stale == 0 {
            return;
        }
        self.pixels.fresh |= stale;
        if stale & COLOURS != 0 {
            let colours = [self.background, self.ball.colour, self.players[1].colour, self.players[0].colour];
            self.pixels.colours = colours.map(four_times);
        }
        if stale & P0 != 0 {
            self.pixels.set(P0, self.shape_of_player(0));
        }
        if stale & P1 != 0 {
            self.pixels.set(P1, self.shape_of_player(1));
        }
        if stale & PF != 0 {
            self.pixels.set(PF, tables::playfield(self.playfield, self.reflect_now));
        }
        if stale & BL != 0 {
            self.pixels.set(BL, placed(wide(self.ball.size), &[1, 0], self.ball.position));
        }
        if stale & M0 != 0 {
            self.pixels.set(M0, self.shape_of_missile(0));
        }
        if stale & M1 != 0 {
            self.pixels.set(M1, self.shape_of_missile(1));
        }
    }

    #[inline(always)]
    fn shape_of_player(&self, index: usize) -> [u64; WORDS] {
        let player = &self.players[index];
        let factors = &FACTORS[usize::from(player.copies & 7)][usize::from(player.suppressed)];
        placed(tables::stretched(player.copies, player.shown), factors, player.position)
    }

    #[inline(always)]
    fn shape_of_missile(&self, index: usize) -> [u64; WORDS] {
        let missile = &self.missiles[index];
        let size = match (index, self.stars.shape) {
            (0, 2) => return [0; WORDS],
            (0, 1) => missile.size | 1,
            _ => missile.size,
        };
        placed(wide(size), &FACTORS[usize::from(self.players[index].copies & 7)][0], missile.position)
    }
}

/// Returns the pixels of a missile or a ball of a size.
#[inline(always)]
fn wide(size: u8) -> u64 {
    (1 << (1 << (size & 3))) - 1
}

/// Returns the pixels of all copies of an object at `position`, wrapped around the line.
#[inline(always)]
fn placed(copy: u64, factors: &Factors, position: u8) -> [u64; WORDS] {
    /// Pixels of the last word.
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
    fn copies_stand_at_their_distances_and_wrap_around_the_line() {
        let distances: [&[usize]; 8] = [&[0], &[0, 16], &[0, 32], &[0, 16, 32], &[0, 64], &[0], &[0, 32, 64], &[0]];
        for (mode, distances) in distances.iter().enumerate() {
            for suppressed in [0, 1] {
                for position in 0..WIDTH {
                    let found = pixels(placed(0x81, &FACTORS[mode][suppressed], position as u8));
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
        assert_eq!(tables::stretched(0, 0xc1), 0x83);
        assert_eq!(tables::stretched(5, 0xc1), 0b1100_0000_0000_1111 << 1);
        assert_eq!(tables::stretched(7, 0x81), 0xf000_000f << 1);
        for position in 0..WIDTH {
            let found = pixels(placed(tables::stretched(7, 0xff), &FACTORS[7][0], position as u8));
            let mut expected: Vec<usize> = (1..33).map(|at| (position + at) % WIDTH).collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{position}");
        }
    }

    #[test]
    fn the_playfields_columns_are_four_pixels_wide() {
        for bit in 0..20 {
            // PF0 and PF2 show their lowest bits first, PF1 its highest.
            let column = if (4..12).contains(&bit) { 15 - bit } else { bit };
            for (mirrored, other) in [(false, 20 + column), (true, 39 - column)] {
                let expected: Vec<usize> = [column, other].iter().flat_map(|column| 4 * column..4 * column + 4).collect();
                assert_eq!(pixels(tables::playfield(1 << bit, mirrored)), expected, "bit {bit}, {mirrored}");
            }
        }
    }
}

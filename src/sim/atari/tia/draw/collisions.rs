//! Detects collisions of objects, and tabulates the pairs of objects that can collide.

use super::super::pixels::{OBJECT_SLOTS, WORDS};
use super::super::{BL, M0, M1, P0, P1, PF, Tia, WIDTH};
use super::{LAST, between};

/// For each set of objects that cover the same pixel, the bits of the collision registers that their collisions set.
///
/// Each register, starting with CXM0P, has two bits; bit 6 comes before bit 7.
pub(super) static COLLISIONS: [u16; 64] = collisions();

pub(super) const PAIRS: [(u8, u8); 16] = [
    (M0, P0),
    (M0, P1),
    (M1, P1),
    (M1, P0),
    (P0, BL),
    (P0, PF),
    (P1, BL),
    (P1, PF),
    (M0, BL),
    (M0, PF),
    (M1, BL),
    (M1, PF),
    // The collision register CXBLPF has no bit 6, so this entry is unused.
    (0, 0),
    (BL, PF),
    (M0, M1),
    (P0, P1),
];

pub(super) const fn collisions() -> [u16; 64] {
    let mut table = [0; 64];
    let mut objects = 0;
    while objects < 64 {
        let mut pair = 0;
        while pair < 16 {
            let both = PAIRS[pair].0 | PAIRS[pair].1;
            if both != 0 && objects as u8 & both == both {
                table[objects] |= 1 << pair;
            }
            pair += 1;
        }
        objects += 1;
    }
    table
}

/// For each bit of the collision registers, the bit indices (in sets of objects) of the two objects whose collision it reports.
pub(super) static OBJECTS_OF_PAIRS: [[u8; 2]; 16] = {
    let mut indices = [[0; 2]; 16];
    let mut pair = 0;
    while pair < 16 {
        if PAIRS[pair].0 != 0 {
            indices[pair] = [PAIRS[pair].0.trailing_zeros() as u8, PAIRS[pair].1.trailing_zeros() as u8];
        }
        pair += 1;
    }
    indices
};

/// Returns a mask of the pixels that more than one object covers.
#[inline(always)]
pub(super) fn overlapping_pixels(objects: &[u64; OBJECT_SLOTS]) -> u64 {
    let (mut any, mut several) = (0, 0);
    for object in &objects[..6] {
        several |= any & object;
        any |= object;
    }
    several
}

impl Tia {
    /// Returns the set of the objects that may have undrawn pixels on the current line.
    #[inline(always)]
    pub(in super::super) fn objects_on_line(&self) -> u8 {
        self.visible_objects | self.pixels.changed
    }

    /// Returns the collision bits of those pairs of objects on the current line that have not collided yet.
    #[inline(always)]
    fn possible_collisions(&self) -> u16 {
        COLLISIONS[usize::from(self.objects_on_line() & 63)] & !(self.collisions | self.undetected)
    }

    /// Returns whether two objects are on the current line that have not collided yet.
    #[inline(always)]
    pub(super) fn may_collide(&self) -> bool {
        self.possible_collisions() != 0
    }

    /// Detects collisions in the pixels from `from` to `to` (exclusive) of a line, without painting the line. Does nothing if no
    /// collision is possible.
    #[inline(always)]
    pub(super) fn collide_between(&mut self, from: usize, to: usize) {
        if self.may_collide() && !self.is_blanked() {
            self.update_pixels();
            self.collide(from, to);
        }
    }

    /// Detects collisions in the pixels from `from` to `to` (exclusive).
    #[inline(always)]
    pub(super) fn collide(&mut self, from: usize, to: usize) {
        // Words are read one by one, because they were just stored one by one. A vector load of all words would stall until
        // these stores have reached the cache.
        if to - from == WIDTH {
            self.collide_in(0, u64::MAX);
            self.collide_in(1, u64::MAX);
            self.collide_in(2, LAST);
            return;
        }
        if from < 64 {
            self.collide_in(0, between(from, to, 0));
        }
        if from < 128 && to > 64 {
            self.collide_in(1, between(from, to, 1));
        }
        if to > 128 {
            self.collide_in(2, between(from, to, 2));
        }
    }

    /// Detects collisions in those of the 64 pixels of word `word` that the mask `inside` selects.
    #[inline(always)]
    fn collide_in(&mut self, word: usize, inside: u64) {
        let inside = inside & overlapping_pixels(&self.pixels.words[word]);
        if inside != 0 {
            self.collide_pairs(word, inside);
        }
    }

    /// Sets the collision bits for those pixels of word `word` that the mask `inside` selects. Each of these pixels is covered
    /// by several objects.
    #[inline(never)]
    fn collide_pairs(&mut self, word: usize, inside: u64) {
        let objects = &self.pixels.words[word % WORDS];
        let mut left = self.possible_collisions();
        while left != 0 {
            let bit = left & left.wrapping_neg();
            left ^= bit;
            let indices = OBJECTS_OF_PAIRS[bit.trailing_zeros() as usize % 16];
            let [one, other] = indices.map(|index| objects[usize::from(index) % OBJECT_SLOTS]);
            if one & other & inside != 0 {
                self.collisions |= bit;
            }
        }
    }
}

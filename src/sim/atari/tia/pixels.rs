//! Pixels of the line that each object covers, and their colours.
//!
//! Each object has three words with one bit per pixel: 64 pixels in the first two words, and 32 in the last.
//!
//! If the playfield changes in the middle of a line, its words keep the earlier pixels before the change until the line ends. So
//! the line is painted once, with all of these changes.

use super::{PF, WIDTH};

/// Number of 64-bit words per line. `OBJECT_SLOTS` is the number of slots for objects, a power of two, so that indices need no
/// bounds checks.
pub(super) const WORDS: usize = 3;
pub(super) const OBJECT_SLOTS: usize = 8;

/// Returns a 32-bit number in which each of the four bytes is `colour`.
#[inline(always)]
pub(super) fn repeat_byte(colour: u8) -> u32 {
    u32::from(colour) * 0x0101_0101
}

/// Bit of the field `valid` that says whether the cached colours are valid.
pub(super) const COLOURS: u8 = 0x40;

/// Cached pixels and colours of the objects. Initially, no cached value is valid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ObjectPixels {
    /// Masks of the pixels that each object covers, indexed by word and by the object's bit number. Invisible objects have no
    /// pixels.
    pub(super) words: [[u64; OBJECT_SLOTS]; WORDS],
    /// Colours of the background, the ball, the second player and the first player, each stored as four equal bytes.
    ///
    /// Each colour is stored as 32 bits at once. A vector load of bytes that were stored one by one would stall until the
    /// stores have reached the cache.
    pub(super) colours: [u32; 4],
    /// Set of the objects (and `COLOURS`) whose cached values match the registers.
    pub(super) valid: u8,
    /// The playfield's bit if it has changed on the current line, so that it may have pixels although it is not visible.
    pub(super) changed: u8,
    /// Position of the playfield's last change on the current line; 0 if it has not changed.
    changed_at: u8,
    /// Pixels of the playfield before its last change on the current line.
    earlier: [u64; WORDS],
}

/// For each position on the line, masks of the pixels before this position, one mask per word of 64 pixels. The table has 256
/// entries, so that bytes as indices need no bounds checks.
pub(super) static PIXELS_BEFORE: [[u64; WORDS]; 256] = {
    let mut table = [[0; WORDS]; 256];
    let mut width = 1;
    while width < 256 {
        table[width] = table[width - 1];
        if width <= WIDTH {
            table[width][(width - 1) / 64] |= 1 << ((width - 1) % 64);
        }
        width += 1;
    }
    table
};

impl ObjectPixels {
    /// Marks the cached values of objects as stale, after their registers have changed.
    #[inline(always)]
    pub(super) fn invalidate(&mut self, objects: u8) {
        self.valid &= !objects;
    }

    /// Sets the cached colour at index `index`.
    #[inline(always)]
    pub(super) fn colour(&mut self, index: usize, colour: u8) {
        self.colours[index] = repeat_byte(colour);
    }

    /// Clears the cached pixels of an object that is no longer visible.
    #[inline(always)]
    pub(super) fn clear(&mut self, object: u8) {
        self.set(object, [0; WORDS]);
    }

    #[inline(always)]
    pub(super) fn set(&mut self, object: u8, words: [u64; WORDS]) {
        let object = object.trailing_zeros() as usize % OBJECT_SLOTS;
        for (all, word) in self.words.iter_mut().zip(words) {
            all[object] = word;
        }
    }

    /// Returns the cached pixels of the playfield.
    #[inline(always)]
    pub(super) fn playfield(&self) -> [u64; WORDS] {
        self.words.map(|objects| objects[PF.trailing_zeros() as usize])
    }

    /// Returns the pixels of the playfield on the current line: those of its registers, `words`, except before its last change.
    #[inline(always)]
    pub(super) fn merged_playfield(&self, words: [u64; WORDS]) -> [u64; WORDS] {
        let before = &PIXELS_BEFORE[usize::from(self.changed_at)];
        [0, 1, 2].map(|word| self.earlier[word] | words[word] & !before[word])
    }

    /// Keeps those of the playfield's pixels `words` that are before the position `at` until the line ends, because its registers
    /// are about to change.
    #[inline(always)]
    pub(super) fn change_playfield(&mut self, words: [u64; WORDS], at: u8) {
        self.earlier = [0, 1, 2].map(|word| words[word] & PIXELS_BEFORE[usize::from(at)][word]);
        (self.changed, self.changed_at) = (PF, at);
    }

    /// Forgets the playfield's earlier pixels at the end of a line.
    #[inline(always)]
    pub(super) fn end_line(&mut self) {
        if self.changed != 0 {
            (self.changed, self.changed_at) = (0, 0);
            self.earlier = [0; WORDS];
            self.invalidate(PF);
        }
    }
}

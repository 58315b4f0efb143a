//! Pixels of the line that each object covers, and their colours.
//!
//! Each object has three words with one bit per pixel: 64 pixels in the first two words, and 32 in the last.

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
}

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
}

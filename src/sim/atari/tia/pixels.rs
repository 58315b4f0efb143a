//! Which pixels of the line each object covers: bits, three words of 64 pixels (32 in the last) for each object. And the colours to
//! put there.

/// Words of a line, and places for objects: a power of two, so that indices need no checks.
pub(super) const WORDS: usize = 3;
pub(super) const PLACES: usize = 8;

/// A byte four times.
#[inline(always)]
pub(super) fn four_times(colour: u8) -> u32 {
    u32::from(colour) * 0x0101_0101
}

/// The bit of all colours in sets of what is stale.
pub(super) const COLOURS: u8 = 0x40;

/// The objects' pixels, and their colours. New ones are stale.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pixels {
    /// Objects lie in the order of their bits in sets. Those that are not visible have no pixels.
    pub(super) words: [[u64; PLACES]; WORDS],
    /// The background's colour, the ball's, the second player's and the first one's, four times each. (Bytes that have just been
    /// stored beside others could not be loaded into vector registers before they are in the cache.)
    pub(super) colours: [u32; 4],
    /// Objects whose pixels, and colours that, are what the registers make.
    pub(super) fresh: u8,
}

impl Pixels {
    /// The registers of these have changed.
    #[inline(always)]
    pub(super) fn spoil(&mut self, objects: u8) {
        self.fresh &= !objects;
    }

    /// One of the colours has changed.
    #[inline(always)]
    pub(super) fn colour(&mut self, place: usize, colour: u8) {
        self.colours[place] = four_times(colour);
    }

    /// The object is not visible any more.
    #[inline(always)]
    pub(super) fn clear(&mut self, object: u8) {
        self.set(object, [0; WORDS]);
    }

    #[inline(always)]
    pub(super) fn set(&mut self, object: u8, words: [u64; WORDS]) {
        let object = object.trailing_zeros() as usize % PLACES;
        for (all, word) in self.words.iter_mut().zip(words) {
            all[object] = word;
        }
    }
}

//! MT19937, the Mersenne Twister, with the seedings of numpy's legacy streams.
//!
//! M. Matsumoto and T. Nishimura, "Mersenne Twister: A 623-dimensionally Equidistributed Uniform Pseudo-random Number
//! Generator" (1998), and their `init_genrand` and `init_by_array` of 2002.

use serde::{Deserialize, Serialize};

use super::bounded::Words;

/// Words of state.
const LENGTH: usize = 624;
/// Distance of the words that are combined.
const MIDDLE: usize = 397;
const UPPER: u32 = 0x8000_0000;
const TWIST: u32 = 0x9908_b0df;

/// numpy's `MT19937` bit generator: 32 random bits at a time.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Mt19937 {
    key: [u32; LENGTH],
    /// Words of `key` used up.
    position: usize,
}

impl std::fmt::Debug for Mt19937 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mt19937").field("position", &self.position).finish_non_exhaustive()
    }
}

impl Mt19937 {
    /// `init_genrand`: what numpy's legacy seeding does with an integer.
    pub fn from_integer(seed: u32) -> Self {
        let mut key = [seed; LENGTH];
        for i in 1..LENGTH {
            key[i] = 1_812_433_253_u32.wrapping_mul(shifted_xor(key[i - 1])).wrapping_add(i as u32);
        }
        Self { key, position: LENGTH }
    }

    /// `init_by_array`: what numpy's legacy seeding does with a list of integers.
    ///
    /// # Panics
    /// Where there are none.
    pub fn from_words(seed: &[u32]) -> Self {
        assert!(!seed.is_empty(), "Mt19937::from_words([]): at least one word is needed");
        let mut key = Self::from_integer(19_650_218).key;
        let mut at = 1;
        for k in 0..LENGTH.max(seed.len()) {
            let word = k % seed.len();
            let mixed = key[at] ^ shifted_xor(key[at - 1]).wrapping_mul(1_664_525);
            key[at] = mixed.wrapping_add(seed[word]).wrapping_add(word as u32);
            at = following(&mut key, at);
        }
        for _ in 1..LENGTH {
            let mixed = key[at] ^ shifted_xor(key[at - 1]).wrapping_mul(1_566_083_941);
            key[at] = mixed.wrapping_sub(at as u32);
            at = following(&mut key, at);
        }
        key[0] = UPPER;
        Self { key, position: LENGTH }
    }

    /// The next 32 bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if self.position == LENGTH {
            self.twist();
        }
        let mut word = self.key[self.position];
        self.position += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// The next 64 bits: two words, the upper first.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let upper = u64::from(self.next_u32());
        upper << 32 | u64::from(self.next_u32())
    }

    /// A float64 of `[0, 1)`, a multiple of 2**-53, from the upper 27 and 26 bits of two words.
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        let upper = u64::from(self.next_u32() >> 5);
        let lower = u64::from(self.next_u32() >> 6);
        (upper << 26 | lower) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Makes the next 624 words.
    #[cold]
    fn twist(&mut self) {
        let key = &mut self.key;
        for i in 0..LENGTH - MIDDLE {
            key[i] = key[i + MIDDLE] ^ twisted(key[i], key[i + 1]);
        }
        for i in LENGTH - MIDDLE..LENGTH - 1 {
            key[i] = key[i + MIDDLE - LENGTH] ^ twisted(key[i], key[i + 1]);
        }
        key[LENGTH - 1] = key[MIDDLE - 1] ^ twisted(key[LENGTH - 1], key[0]);
        self.position = 0;
    }
}

impl Words for Mt19937 {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        self.next_u32()
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.next_u64()
    }
}

#[inline]
fn shifted_xor(word: u32) -> u32 {
    word ^ word >> 30
}

/// The place after `at` in the circle that `init_by_array` walks: the last word also stands before the first.
#[inline]
fn following(key: &mut [u32; LENGTH], at: usize) -> usize {
    if at + 1 < LENGTH {
        return at + 1;
    }
    key[0] = key[LENGTH - 1];
    1
}

#[inline]
fn twisted(upper: u32, lower: u32) -> u32 {
    let joined = upper & UPPER | lower & !UPPER;
    (joined >> 1) ^ ((joined & 1) * TWIST)
}

/// [`Mt19937`] outside: serde knows no arrays of 624 elements.
#[derive(Serialize, Deserialize)]
struct Saved {
    key: Vec<u32>,
    position: usize,
}

impl From<Mt19937> for Saved {
    fn from(twister: Mt19937) -> Self {
        Self { key: twister.key.to_vec(), position: twister.position }
    }
}

impl TryFrom<Saved> for Mt19937 {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let key: [u32; LENGTH] = saved.key.try_into().map_err(|_| "an MT19937 has 624 words")?;
        if saved.position > LENGTH {
            return Err("the position of an MT19937 is at most 624");
        }
        // From these bits alone follows all that is drawn; when all are zero, so is every draw, and rejection never ends.
        if key[0] & UPPER == 0 && key[1..].iter().all(|word| *word == 0) {
            return Err("an MT19937 is not all zero");
        }
        Ok(Self { key, position: saved.position })
    }
}

//! MT19937, the Mersenne Twister, with the seedings of numpy's legacy streams.
//!
//! Sources: M. Matsumoto and T. Nishimura, "Mersenne Twister: A 623-dimensionally Equidistributed Uniform Pseudo-random Number
//! Generator" (1998), and their functions `init_genrand` and `init_by_array` of 2002.

use serde::{Deserialize, Serialize};

use super::bounded::BitGenerator;
use crate::simd::{SimdKernel, SimdLevel};

/// Number of words of the generator's state.
const N: usize = 624;
/// Offset between the state words that are combined with each other.
const M: usize = 397;
const UPPER_MASK: u32 = 0x8000_0000;
const MATRIX_A: u32 = 0x9908_b0df;

/// numpy's `MT19937` bit generator, which generates words of 32 random bits.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedMt19937", into = "UncheckedMt19937")]
pub struct Mt19937 {
    key: [u32; N],
    /// Number of words of the state `key` that have been output.
    pos: usize,
}

impl std::fmt::Debug for Mt19937 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mt19937").field("position", &self.pos).finish_non_exhaustive()
    }
}

impl Mt19937 {
    /// Seeds the state with an integer, as numpy's legacy seeding does.
    pub fn init_genrand(seed: u32) -> Self {
        let mut key = [seed; N];
        for i in 1..N {
            key[i] = 1_812_433_253_u32.wrapping_mul(shifted_xor(key[i - 1])).wrapping_add(i as u32);
        }
        Self { key, pos: N }
    }

    /// Seeds the state with a list of integers, as numpy's legacy seeding does.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn init_by_array(seed: &[u32]) -> Self {
        assert!(!seed.is_empty(), "Mt19937::init_by_array([]): at least one word is needed");
        let mut key = Self::init_genrand(19_650_218).key;
        let mut at = 1;
        for k in 0..N.max(seed.len()) {
            let word = k % seed.len();
            let mixed = key[at] ^ shifted_xor(key[at - 1]).wrapping_mul(1_664_525);
            key[at] = mixed.wrapping_add(seed[word]).wrapping_add(word as u32);
            at = next_index(&mut key, at);
        }
        for _ in 1..N {
            let mixed = key[at] ^ shifted_xor(key[at - 1]).wrapping_mul(1_566_083_941);
            key[at] = mixed.wrapping_sub(at as u32);
            at = next_index(&mut key, at);
        }
        key[0] = UPPER_MASK;
        Self { key, pos: N }
    }

    /// Returns the next 32 random bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if self.pos == N {
            self.twist();
        }
        let word = self.key[self.pos];
        self.pos += 1;
        temper(word)
    }

    /// Returns the next 64 random bits: two 32-bit words, of which the first is the upper half.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let upper = u64::from(self.next_u32());
        upper << 32 | u64::from(self.next_u32())
    }

    /// Returns a float64 in `[0, 1)`, a multiple of 2**-53, from the upper 27 bits of one word and the upper 26 bits of the
    /// next.
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        let upper = self.next_u32();
        float_of(upper, self.next_u32())
    }

    /// Fills `out` with the floats that [`next_f64`](Self::next_f64) would return, but generates many at a time.
    pub fn fill_f64(&mut self, out: &mut [f64]) {
        let mut rest = out;
        while !rest.is_empty() {
            if self.pos == N {
                self.twist();
            }
            let count = rest.len().min((N - self.pos) / 2);
            let (floats, others) = rest.split_at_mut(count.max(1));
            if count == 0 {
                // The first float is formed from the last word of one block and the first word of the next block.
                floats[0] = self.next_f64();
            } else {
                let words = &self.key[self.pos..self.pos + 2 * count];
                SimdLevel::detect().run(Floats { words, floats });
                self.pos += 2 * count;
            }
            rest = others;
        }
    }

    /// Generates the next block of 624 words.
    #[cold]
    fn twist(&mut self) {
        SimdLevel::detect().run(Twist(&mut self.key));
        self.pos = 0;
    }
}

/// SIMD kernel that replaces the 624 state words by the next 624 state words.
struct Twist<'a>(&'a mut [u32; N]);

impl SimdKernel for Twist<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let key = self.0;
        for i in 0..N - M {
            key[i] = key[i + M] ^ twist_word(key[i], key[i + 1]);
        }
        for i in N - M..N - 1 {
            key[i] = key[i + M - N] ^ twist_word(key[i], key[i + 1]);
        }
        key[N - 1] = key[M - 1] ^ twist_word(key[N - 1], key[0]);
    }
}

/// SIMD kernel that converts pairs of state words to floats, and first tempers the words.
struct Floats<'a> {
    words: &'a [u32],
    floats: &'a mut [f64],
}

impl SimdKernel for Floats<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (float, words) in self.floats.iter_mut().zip(self.words.chunks_exact(2)) {
            *float = float_of(temper(words[0]), temper(words[1]));
        }
    }
}

impl BitGenerator for Mt19937 {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        self.next_u32()
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.next_u64()
    }
}

/// Returns the generator's output word for a state word (the tempering of the Mersenne Twister).
#[inline(always)]
fn temper(mut word: u32) -> u32 {
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c_5680;
    word ^= word << 15 & 0xefc6_0000;
    word ^ word >> 18
}

/// Returns the float64 in `[0, 1)` that two words form. The bits that are used of each word fit into signed 32-bit integers,
/// which vector instructions can convert to floats.
#[inline(always)]
fn float_of(upper: u32, lower: u32) -> f64 {
    let (upper, lower) = ((upper >> 5) as i32, (lower >> 6) as i32);
    (f64::from(upper) * (1 << 26) as f64 + f64::from(lower)) * (1.0 / (1_u64 << 53) as f64)
}

#[inline]
fn shifted_xor(word: u32) -> u32 {
    word ^ word >> 30
}

/// Returns the index that follows `at` in `init_by_array`. After the last index, copies the last word to the first word, and
/// continues at index 1.
#[inline]
fn next_index(key: &mut [u32; N], at: usize) -> usize {
    if at + 1 < N {
        return at + 1;
    }
    key[0] = key[N - 1];
    1
}

#[inline(always)]
fn twist_word(upper: u32, lower: u32) -> u32 {
    let joined = upper & UPPER_MASK | lower & !UPPER_MASK;
    (joined >> 1) ^ ((joined & 1) * MATRIX_A)
}

/// Deserialized [`Mt19937`] before validation. serde does not support arrays of 624 elements, so the words are a vector.
#[derive(Serialize, Deserialize)]
struct UncheckedMt19937 {
    key: Vec<u32>,
    position: usize,
}

impl From<Mt19937> for UncheckedMt19937 {
    fn from(twister: Mt19937) -> Self {
        Self { key: twister.key.to_vec(), position: twister.pos }
    }
}

impl TryFrom<UncheckedMt19937> for Mt19937 {
    type Error = &'static str;

    fn try_from(saved: UncheckedMt19937) -> Result<Self, Self::Error> {
        let key: [u32; N] = saved.key.try_into().map_err(|_| "an MT19937 has 624 words")?;
        if saved.position > N {
            return Err("the position of an MT19937 is at most 624");
        }
        // All future words depend only on the bits that this condition tests. If all tested bits are zero, every future word
        // is zero, and drawing by rejection would never end.
        if key[0] & UPPER_MASK == 0 && key[1..].iter().all(|word| *word == 0) {
            return Err("an MT19937 is not all zero");
        }
        Ok(Self { key, pos: saved.position })
    }
}

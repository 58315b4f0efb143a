//! numpy's `SeedSequence`: hashes seeds of any quality and length to well-mixed words.
//!
//! The code follows `numpy/random/bit_generator.pyx` of numpy 2.4, which credits M. E. O'Neill's "Developing a seed_seq
//! Alternative" (2015). Only the default pool of 128 bits is supported, because it seeds every bit generator of numpy.

/// Number of words in the entropy pool.
const POOL_SIZE: usize = 4;

const XSHIFT: u32 = 16;
const INIT_A: u32 = 0x43b0_d7e5;
const MULT_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULT_B: u32 = 0x58f3_8ded;
const MIX_MULT_L: u32 = 0xca01_f9dd;
const MIX_MULT_R: u32 = 0x4973_f715;

/// numpy's `SeedSequence`, reduced to its mixed entropy pool, which alone determines the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedSequence {
    pool: [u32; POOL_SIZE],
}

impl SeedSequence {
    /// Creates `SeedSequence(seed)`.
    #[inline]
    pub fn new(seed: u64) -> Self {
        // numpy treats a seed below 2**32 as one word, not two. In the entropy pool, a missing word counts as zero. So this
        // function can always pass two words: a second word of zero does not change the pool.
        Self::mix_entropy(&[seed as u32, (seed >> 32) as u32, 0, 0], &[])
    }

    /// Creates `SeedSequence(entropy, spawn_key=spawn_key)` for lists of 32-bit words.
    ///
    /// A larger integer must be given as its 32-bit words, the least significant first, without leading zeros (see
    /// [`u32_words`]).
    pub fn from_words(entropy: &[u32], spawn_key: &[u32]) -> Self {
        let mut words = entropy.to_vec();
        // numpy pads the entropy with zeros, so that a spawn key's words are not used as missing entropy words.
        if words.len() < POOL_SIZE {
            words.resize(POOL_SIZE, 0);
        }
        words.extend_from_slice(spawn_key);
        let (first, rest) = words.split_at(POOL_SIZE);
        Self::mix_entropy(first.try_into().expect("split at the pool's length"), rest)
    }

    /// Creates `SeedSequence(entropy, spawn_key=spawn_key)` for lists of integers below 2**64.
    pub fn from_integers(entropy: &[u64], spawn_key: &[u64]) -> Self {
        let words = |integers: &[u64]| integers.iter().copied().flat_map(u32_words).collect::<Vec<_>>();
        Self::from_words(&words(entropy), &words(spawn_key))
    }

    /// Returns `generate_state(N, np.uint32)`.
    #[inline]
    pub fn generate_u32<const N: usize>(&self) -> [u32; N] {
        let mut hash = INIT_B;
        std::array::from_fn(|i| hashmix(self.pool[i % POOL_SIZE], &mut hash, MULT_B))
    }

    /// Returns `generate_state(N, np.uint64)`.
    #[inline]
    pub fn generate_u64<const N: usize>(&self) -> [u64; N] {
        let mut hash = INIT_B;
        std::array::from_fn(|i| {
            let low = hashmix(self.pool[(2 * i) % POOL_SIZE], &mut hash, MULT_B);
            let high = hashmix(self.pool[(2 * i + 1) % POOL_SIZE], &mut hash, MULT_B);
            u64::from(high) << 32 | u64::from(low)
        })
    }

    #[inline]
    fn mix_entropy(first: &[u32; POOL_SIZE], rest: &[u32]) -> Self {
        let mut hash = INIT_A;
        let mut pool = first.map(|word| hashmix(word, &mut hash, MULT_A));
        for source in 0..POOL_SIZE {
            for target in (0..POOL_SIZE).filter(|target| *target != source) {
                pool[target] = mix(pool[target], hashmix(pool[source], &mut hash, MULT_A));
            }
        }
        for word in rest {
            for target in &mut pool {
                *target = mix(*target, hashmix(*word, &mut hash, MULT_A));
            }
        }
        Self { pool }
    }
}

/// Splits an integer into 32-bit words, as numpy does.
///
/// The least significant word comes first. There are no leading zeros, but zero itself is one word.
pub fn u32_words(integer: u64) -> impl Iterator<Item = u32> {
    let high = (integer >> 32) as u32;
    std::iter::once(integer as u32).chain((high != 0).then_some(high))
}

/// Hashes one word and advances `hash`, so that equal words at different positions hash differently.
#[inline]
fn hashmix(word: u32, hash: &mut u32, multiplier: u32) -> u32 {
    let keyed = word ^ *hash;
    *hash = hash.wrapping_mul(multiplier);
    let product = keyed.wrapping_mul(*hash);
    product ^ product >> XSHIFT
}

#[inline]
fn mix(left: u32, right: u32) -> u32 {
    let difference = MIX_MULT_L.wrapping_mul(left).wrapping_sub(MIX_MULT_R.wrapping_mul(right));
    difference ^ difference >> XSHIFT
}

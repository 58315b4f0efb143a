//! numpy's `SeedSequence`: turns seeds of any quality and length into well-mixed words.
//!
//! Follows `numpy/random/bit_generator.pyx` of numpy 2.4, which credits M. E. O'Neill's "Developing a seed_seq Alternative"
//! (2015). Only the default pool of 128 bits is offered, because that is what seeds every bit generator of numpy.

/// Words in the entropy pool.
const POOL: usize = 4;

const XSHIFT: u32 = 16;
const INIT_A: u32 = 0x43b0_d7e5;
const MULT_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULT_B: u32 = 0x58f3_8ded;
const MIX_LEFT: u32 = 0xca01_f9dd;
const MIX_RIGHT: u32 = 0x4973_f715;

/// numpy's `SeedSequence`, reduced to what its output depends on: the mixed pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedSequence {
    pool: [u32; POOL],
}

impl SeedSequence {
    /// `SeedSequence(seed)`.
    #[inline]
    pub fn new(seed: u64) -> Self {
        // A seed below 2**32 is one word to numpy, not two; inside the pool the missing word counts as zero, so both are the
        // same and no branch is needed.
        Self::mixed(&[seed as u32, (seed >> 32) as u32, 0, 0], &[])
    }

    /// `SeedSequence(entropy, spawn_key=spawn_key)` for lists of 32-bit words; a larger integer in a list counts as its
    /// words, the least significant first, without leading zeros (see [`words_of`]).
    pub fn from_words(entropy: &[u32], spawn_key: &[u32]) -> Self {
        let mut words = entropy.to_vec();
        // numpy pads the entropy so that a spawn key never takes the place of a missing entropy word.
        if words.len() < POOL {
            words.resize(POOL, 0);
        }
        words.extend_from_slice(spawn_key);
        let (first, rest) = words.split_at(POOL);
        Self::mixed(first.try_into().expect("split at the pool's length"), rest)
    }

    /// `SeedSequence(entropy, spawn_key=spawn_key)` for lists of integers below 2**64.
    pub fn from_integers(entropy: &[u64], spawn_key: &[u64]) -> Self {
        let words = |integers: &[u64]| integers.iter().copied().flat_map(words_of).collect::<Vec<_>>();
        Self::from_words(&words(entropy), &words(spawn_key))
    }

    /// `generate_state(N, np.uint32)`.
    #[inline]
    pub fn generate_u32<const N: usize>(&self) -> [u32; N] {
        let mut hash = INIT_B;
        std::array::from_fn(|i| scramble(self.pool[i % POOL], &mut hash, MULT_B))
    }

    /// `generate_state(N, np.uint64)`.
    #[inline]
    pub fn generate_u64<const N: usize>(&self) -> [u64; N] {
        let mut hash = INIT_B;
        std::array::from_fn(|i| {
            let low = scramble(self.pool[(2 * i) % POOL], &mut hash, MULT_B);
            let high = scramble(self.pool[(2 * i + 1) % POOL], &mut hash, MULT_B);
            u64::from(high) << 32 | u64::from(low)
        })
    }

    #[inline]
    fn mixed(first: &[u32; POOL], rest: &[u32]) -> Self {
        let mut hash = INIT_A;
        let mut pool = first.map(|word| scramble(word, &mut hash, MULT_A));
        for source in 0..POOL {
            for target in (0..POOL).filter(|target| *target != source) {
                pool[target] = mix(pool[target], scramble(pool[source], &mut hash, MULT_A));
            }
        }
        for word in rest {
            for target in &mut pool {
                *target = mix(*target, scramble(*word, &mut hash, MULT_A));
            }
        }
        Self { pool }
    }
}

/// The 32-bit words of an integer as numpy splits it: the least significant first, no leading zeros, but one word for zero.
pub fn words_of(integer: u64) -> impl Iterator<Item = u32> {
    let high = (integer >> 32) as u32;
    std::iter::once(integer as u32).chain((high != 0).then_some(high))
}

/// Hashes one word; `hash` advances, so that equal words at different places come out differently.
#[inline]
fn scramble(word: u32, hash: &mut u32, multiplier: u32) -> u32 {
    let keyed = word ^ *hash;
    *hash = hash.wrapping_mul(multiplier);
    let product = keyed.wrapping_mul(*hash);
    product ^ product >> XSHIFT
}

#[inline]
fn mix(left: u32, right: u32) -> u32 {
    let difference = MIX_LEFT.wrapping_mul(left).wrapping_sub(MIX_RIGHT.wrapping_mul(right));
    difference ^ difference >> XSHIFT
}

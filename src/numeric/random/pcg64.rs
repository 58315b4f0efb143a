//! PCG64, numpy's default bit generator: a 128-bit linear congruential generator with the XSL-RR output function.
//!
//! M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number Generation"
//! (2014), with the seeding of numpy 2.4's `PCG64`.

use serde::{Deserialize, Serialize};

use super::SeedSequence;
use super::bounded::Words;

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// numpy's `PCG64`: 64 random bits at a time, or 32 of which every second call comes from a buffer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    /// The upper half of the last word drawn by [`Self::next_u32`] (numpy's `has_uint32` and `uinteger`).
    spare: Option<u32>,
}

/// numpy's `state`, `inc`, and `uinteger` where `has_uint32` is 1.
pub type Parts = (u128, u128, Option<u32>);

impl Words for Pcg64 {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        self.next_u32()
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.next_u64()
    }
}

impl Pcg64 {
    /// `PCG64(sequence)`.
    #[inline]
    pub fn new(sequence: &SeedSequence) -> Self {
        let [state_high, state_low, stream_high, stream_low] = sequence.generate_u64();
        let state = u128::from(state_high) << 64 | u128::from(state_low);
        let stream = u128::from(stream_high) << 64 | u128::from(stream_low);
        let mut pcg = Self { state: 0, increment: stream << 1 | 1, spare: None };
        pcg.step();
        pcg.state = pcg.state.wrapping_add(state);
        pcg.step();
        pcg
    }

    /// What numpy's `bit_generator.state` tells of it.
    pub fn parts(&self) -> Parts {
        (self.state, self.increment, self.spare)
    }

    /// The next 64 bits. Leaves the buffered half alone, as numpy does.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// The next 32 bits: the lower half of a fresh word, then its upper half.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let word = self.next_u64();
        self.spare = Some((word >> 32) as u32);
        word as u32
    }

    /// A float64 of `[0, 1)`, a multiple of 2**-53.
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A float32 of `[0, 1)`, a multiple of 2**-24.
    #[inline]
    pub fn next_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 * (1.0 / (1_u32 << 24) as f32)
    }

    #[inline]
    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }
}

/// [`Pcg64`] as it comes from outside. An even increment would make a generator that repeats itself soon, and a draw by
/// rejection might never end.
#[derive(Deserialize)]
struct Saved {
    state: u128,
    increment: u128,
    spare: Option<u32>,
}

impl TryFrom<Saved> for Pcg64 {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let Saved { state, increment, spare } = saved;
        if increment & 1 == 0 { Err("the increment of a PCG64 is odd") } else { Ok(Self { state, increment, spare }) }
    }
}

//! PCG64, numpy's default bit generator: a 128-bit linear congruential generator with XSL-RR output.
//!
//! Source: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
//! Generation" (2014). The seeding is that of numpy 2.4's `PCG64`.

use serde::{Deserialize, Serialize};

use super::SeedSequence;
use super::bounded::BitGenerator;

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// numpy's `PCG64` bit generator. It generates words of 64 random bits; each draw of 32 bits uses one half of a word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedPcg64")]
pub struct Pcg64 {
    state: u128,
    inc: u128,
    /// Upper half of the last word, which [`Self::next_u32`] will return next; `None` if no half word is buffered (numpy's
    /// `has_uint32` is 0).
    uinteger: Option<u32>,
}

/// State of PCG64 in numpy's terms: `state`, `inc`, and `uinteger` if `has_uint32` is 1.
pub type Pcg64State = (u128, u128, Option<u32>);

impl BitGenerator for Pcg64 {
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
    /// Creates numpy's `PCG64(sequence)`.
    #[inline]
    pub fn new(sequence: &SeedSequence) -> Self {
        let [state_high, state_low, stream_high, stream_low] = sequence.generate_u64();
        let state = u128::from(state_high) << 64 | u128::from(state_low);
        let stream = u128::from(stream_high) << 64 | u128::from(stream_low);
        let mut pcg = Self { state: 0, inc: stream << 1 | 1, uinteger: None };
        pcg.step();
        pcg.state = pcg.state.wrapping_add(state);
        pcg.step();
        pcg
    }

    /// Creates the generator from values of numpy's `bit_generator.state`. The increment is made odd, because every PCG64 has an
    /// odd increment.
    #[inline]
    pub fn from_state((state, inc, uinteger): Pcg64State) -> Self {
        Self { state, inc: inc | 1, uinteger }
    }

    /// Returns the values of numpy's `bit_generator.state`.
    pub fn state(&self) -> Pcg64State {
        (self.state, self.inc, self.uinteger)
    }

    /// Returns the next 64 random bits. As in numpy, a buffered half word is neither used nor discarded.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// Returns the next 32 random bits: the lower half of a new word, then its upper half.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if let Some(uinteger) = self.uinteger.take() {
            return uinteger;
        }
        let word = self.next_u64();
        self.uinteger = Some((word >> 32) as u32);
        word as u32
    }

    /// Returns a float64 in `[0, 1)`, a multiple of 2**-53.
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Returns a float32 in `[0, 1)`, a multiple of 2**-24.
    #[inline]
    pub fn next_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 * (1.0 / (1_u32 << 24) as f32)
    }

    #[inline]
    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.inc);
    }
}

/// Deserialized [`Pcg64`] before validation.
///
/// A generator with an even increment would have a short period, so a draw by rejection might never end.
#[derive(Deserialize)]
struct UncheckedPcg64 {
    state: u128,
    inc: u128,
    uinteger: Option<u32>,
}

impl TryFrom<UncheckedPcg64> for Pcg64 {
    type Error = &'static str;

    fn try_from(saved: UncheckedPcg64) -> Result<Self, Self::Error> {
        let UncheckedPcg64 { state, inc, uinteger } = saved;
        if inc & 1 == 0 { Err("the increment of a PCG64 is odd") } else { Ok(Self { state, inc, uinteger }) }
    }
}

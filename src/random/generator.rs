//! numpy's `Generator`, what `np.random.default_rng(seed)` and gymnasium's `np_random(seed)` return.

use serde::{Deserialize, Serialize};

use super::bounded::bounded_u64;
use super::{Pcg64, RandomStream, SeedSequence};

/// numpy's `Generator(PCG64(SeedSequence(seed)))`: every method draws what the method of that name draws for one value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {
    pcg: Pcg64,
}

impl RandomStream for Generator {
    #[inline]
    fn from_seed(seed: u64) -> Self {
        Self::new(seed)
    }
}

impl Generator {
    /// `np.random.default_rng(seed)`.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self::from_sequence(&SeedSequence::new(seed))
    }

    /// `np.random.default_rng(sequence)`.
    #[inline]
    pub fn from_sequence(sequence: &SeedSequence) -> Self {
        Self { pcg: Pcg64::new(sequence) }
    }

    /// `random()`: a float64 of `[0, 1)`, a multiple of 2**-53.
    #[inline]
    pub fn random(&mut self) -> f64 {
        (self.pcg.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// `random(dtype=np.float32)`: a float32 of `[0, 1)`, a multiple of 2**-24.
    #[inline]
    pub fn random_f32(&mut self) -> f32 {
        (self.pcg.next_u32() >> 8) as f32 * (1.0 / (1_u32 << 24) as f32)
    }

    /// `uniform(low, high)`: a float64 between the two, usually without `high`.
    #[inline]
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random()
    }

    /// `integers(low, high)`, of dtype int64: an integer of `low..high`.
    ///
    /// # Panics
    /// Where `low >= high`.
    #[inline]
    pub fn integers(&mut self, low: i64, high: i64) -> i64 {
        assert!(low < high, "integers({low}, {high}): low must be below high");
        let span = (high - 1).wrapping_sub(low) as u64;
        low.wrapping_add(bounded_u64(&mut self.pcg, span) as i64)
    }

    /// `choice(count)`: an index below `count`.
    ///
    /// # Panics
    /// Where `count` is zero.
    #[inline]
    pub fn choice(&mut self, count: usize) -> usize {
        assert!(count > 0, "choice(0): there is nothing to choose from");
        bounded_u64(&mut self.pcg, count as u64 - 1) as usize
    }
}

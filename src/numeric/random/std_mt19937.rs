//! C++'s `std::mt19937` with the distributions of libstdc++, GNU's C++ library, from release 11 on.
//!
//! The standard fixes the generator; what a distribution makes of it is the library's own. Those of libstdc++ are Lemire's method for
//! integers ("Fast Random Integer Generation in an Interval", 2019) and two words for a float64.

use serde::{Deserialize, Serialize};

use super::bounded::lemire_u32;
use super::{Mt19937, RandomStream};

/// How many values a word has.
const WORDS: u64 = 1 << 32;

/// `std::mt19937(seed)`: every method draws what libstdc++'s distribution of that name draws for one value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StdMt19937(Mt19937);

impl RandomStream for StdMt19937 {
    /// Of larger seeds the lower 32 bits count, as in C++.
    fn from_seed(seed: u64) -> Self {
        Self(Mt19937::from_integer(seed as u32))
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.uniform_real(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.uniform_int(low, high - 1)
    }
}

impl StdMt19937 {
    /// `std::uniform_int_distribution<std::int64_t>(low, high)`, whose narrower sisters draw the same: an integer of `low..=high`. A single
    /// possible value costs a draw, too.
    ///
    /// # Panics
    /// Where `low` is greater than `high`.
    pub fn uniform_int(&mut self, low: i64, high: i64) -> i64 {
        assert!(low <= high, "uniform_int({low}, {high}): the first is the greater one");
        low.wrapping_add(self.up_to((high as u64).wrapping_sub(low as u64)) as i64)
    }

    /// An integer of `0..=span`.
    fn up_to(&mut self, span: u64) -> u64 {
        if span < WORDS - 1 {
            return u64::from(lemire_u32(&mut self.0, span as u32 + 1));
        }
        if span == WORDS - 1 {
            return u64::from(self.0.next_u32());
        }
        loop {
            let upper = self.up_to(span / WORDS).wrapping_mul(WORDS);
            let value = upper.wrapping_add(u64::from(self.0.next_u32()));
            if value <= span && value >= upper {
                return value;
            }
        }
    }

    /// `std::uniform_real_distribution<double>(low, high)`: a float64 of `low..high`.
    pub fn uniform_real(&mut self, low: f64, high: f64) -> f64 {
        let lower = f64::from(self.0.next_u32());
        let sum = lower + f64::from(self.0.next_u32()) * WORDS as f64;
        let unit = (sum / (WORDS as f64 * WORDS as f64)).min(1.0_f64.next_down());
        unit * (high - low) + low
    }
}

//! C++'s `std::mt19937` with the distributions of libstdc++, GNU's C++ library, since release 11.
//!
//! The C++ standard specifies the generator but not the distributions. libstdc++ draws integers by Lemire's method ("Fast Random
//! Integer Generation in an Interval", 2019), and a float64 from two words.

use serde::{Deserialize, Serialize};

use super::bounded::lemire_u32;
use super::{Mt19937, RandomStream};

/// Number of different values of a 32-bit word.
const WORD_VALUES: u64 = 1 << 32;

/// C++'s `std::mt19937(seed)`. Every method draws one value, as the libstdc++ distribution of the same name does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StdMt19937(Mt19937);

impl RandomStream for StdMt19937 {
    /// Seeds the generator with the lower 32 bits of `seed`, as in C++.
    fn from_seed(seed: u64) -> Self {
        Self(Mt19937::init_genrand(seed as u32))
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.uniform_real(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.uniform_int(low, high - 1)
    }
}

impl StdMt19937 {
    /// Draws `std::uniform_int_distribution<std::int64_t>(low, high)`: an integer in `low..=high`.
    ///
    /// Narrower integer types draw the same numbers. One word is drawn even if only one value is possible.
    ///
    /// # Panics
    /// If `low > high`.
    pub fn uniform_int(&mut self, low: i64, high: i64) -> i64 {
        assert!(low <= high, "uniform_int({low}, {high}): the first is the greater one");
        low.wrapping_add(self.uniform_u64((high as u64).wrapping_sub(low as u64)) as i64)
    }

    /// Draws an integer in `0..=span` by Lemire's method.
    fn uniform_u64(&mut self, span: u64) -> u64 {
        if span < WORD_VALUES - 1 {
            return u64::from(lemire_u32(&mut self.0, span as u32 + 1));
        }
        if span == WORD_VALUES - 1 {
            return u64::from(self.0.next_u32());
        }
        loop {
            let upper = self.uniform_u64(span / WORD_VALUES).wrapping_mul(WORD_VALUES);
            let value = upper.wrapping_add(u64::from(self.0.next_u32()));
            if value <= span && value >= upper {
                return value;
            }
        }
    }

    /// Draws `std::uniform_real_distribution<double>(low, high)`: a float64 in `low..high`.
    pub fn uniform_real(&mut self, low: f64, high: f64) -> f64 {
        let lower = f64::from(self.0.next_u32());
        let sum = lower + f64::from(self.0.next_u32()) * WORD_VALUES as f64;
        let unit = (sum / (WORD_VALUES as f64 * WORD_VALUES as f64)).min(1.0_f64.next_down());
        unit * (high - low) + low
    }
}

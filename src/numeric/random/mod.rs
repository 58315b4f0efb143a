//! Random streams that are bit-identical to those of numpy 2.4 and of C++'s standard library.
//!
//! The reference is numpy on x86-64 with the same C library for `log`, `log1p` and `exp`. If numpy's compiler may fuse a
//! multiplication and an addition (aarch64), numpy's floats can differ from this module's in the last bit.
//!
//! [`Generator`] is the stream of gymnasium's environments. [`RandomState`] is the legacy stream, which some environments still
//! use. Both types reproduce those calls of numpy that draw a single value. [`StdMt19937`] is C++'s stream, for environments
//! with a C++ reference. Invalid arguments panic, because they come from environments and not from users.

mod bounded;
mod generator;
mod integer;
mod mt19937;
mod pcg64;
mod random_state;
mod seed_sequence;
mod std_mt19937;
#[cfg(test)]
mod tests;
mod weighted;
mod ziggurat;
mod ziggurat_tables;

use serde::{Serialize, de::DeserializeOwned};

pub use generator::Generator;
pub use integer::Integer;
pub use mt19937::Mt19937;
pub use pcg64::{Pcg64, Pcg64State};
pub use random_state::RandomState;
pub use seed_sequence::{SeedSequence, u32_words};
pub use std_mt19937::StdMt19937;
use weighted::weighted_index;

/// Stream of random numbers that a seed determines.
pub trait RandomStream: Serialize + DeserializeOwned + Send + 'static {
    /// Creates the stream that the reference library (numpy or libstdc++) creates from `seed`.
    fn from_seed(seed: u64) -> Self;

    /// Draws a float from `low` to `high`, by the uniform distribution of the reference library.
    fn float_between(&mut self, low: f64, high: f64) -> f64;

    /// Draws an integer from `low` to `high - 1`, by the reference library's method (numpy: `integers` or `randint`).
    fn integer_between(&mut self, low: i64, high: i64) -> i64;

    /// Returns the bit generator if it is numpy's `PCG64`, otherwise `None`.
    fn pcg64(&self) -> Option<&Pcg64> {
        None
    }
}

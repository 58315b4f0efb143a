//! What a seed becomes: one for the console's own chance, and numpy's stream.

use serde::{Deserialize, Serialize};

use crate::random::{Generator, RandomStream, SeedSequence};

/// What chance there is in a game and around it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Seeded {
    /// Seed of the sticky actions of the lane's console.
    pub console_seed: u32,
    /// Whether the seed is new: the next reset is to begin with a new console then.
    pub is_new: bool,
    /// Draws numbers of NOOPs and of frames.
    pub generator: Generator,
}

/// As EnvPool has it: the seed is the console's. EnvPool's own numbers of NOOPs come from another generator than ours.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EnvPoolSeeded(pub Seeded);

impl RandomStream for EnvPoolSeeded {
    fn from_seed(seed: u64) -> Self {
        Self(Seeded { console_seed: seed as u32, is_new: true, generator: Generator::new(seed) })
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.0.generator.float_between(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.0.generator.integer_between(low, high)
    }
}

/// As `ale_py` has it: `numpy_seed, console_seed = SeedSequence(seed).generate_state(2)`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AleSeeded(pub Seeded);

impl RandomStream for AleSeeded {
    fn from_seed(seed: u64) -> Self {
        let [numpy_seed, console_seed] = SeedSequence::new(seed).generate_u32();
        Self(Seeded { console_seed, is_new: true, generator: Generator::new(u64::from(numpy_seed)) })
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.0.generator.float_between(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.0.generator.integer_between(low, high)
    }
}

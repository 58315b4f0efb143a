//! Random stream of an environment of the benchmark MT1.

use envpool_rs_numeric::random::{Generator, Pcg64, RandomState, RandomStream};
use serde::{Deserialize, Serialize};

/// Number of goals among which a reset chooses.
const GOALS: usize = 50;

/// Random stream of MT1: numpy's legacy stream draws 50 goals once, and numpy's generator chooses one of them at each reset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GoalStream {
    seed: u64,
    generator: Generator,
}

impl GoalStream {
    /// Chooses one of the 50 goals, and returns its random vector. `draw` draws a random vector of the task.
    ///
    /// While the reference makes its goals, each reset draws two vectors, of which it keeps the second.
    pub fn choose<R>(&mut self, mut draw: impl FnMut(&mut RandomState) -> R) -> R {
        let goal = self.generator.choice(GOALS);
        let mut random = RandomState::new(self.seed);
        for _ in 0..2 * goal + 1 {
            draw(&mut random);
        }
        draw(&mut random)
    }
}

impl RandomStream for GoalStream {
    fn from_seed(seed: u64) -> Self {
        Self { seed, generator: Generator::from_seed(seed) }
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.generator.float_between(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.generator.integer_between(low, high)
    }

    fn pcg64(&self) -> Option<&Pcg64> {
        self.generator.pcg64()
    }
}

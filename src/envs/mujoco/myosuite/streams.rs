//! Random streams of an environment.

use envpool_rs_numeric::random::{Generator, Pcg64, RandomState, RandomStream};
use serde::{Deserialize, Serialize};

/// The environment's random stream, and that of the model of fatigue; both start from the environment's seed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Streams {
    pub environment: Generator,
    pub fatigue: Generator,
    /// Whether nothing has been drawn, not even what the package draws when it creates an environment.
    pub is_new: bool,
    seed: u64,
    /// Stream in the place of numpy's global one, which few tasks draw from.
    global: Option<Box<RandomState>>,
}

impl Streams {
    /// Returns `np.random.RandomState(seed)` of the environment's seed, in the place of numpy's global stream.
    pub fn global(&mut self) -> &mut RandomState {
        self.global.get_or_insert_with(|| Box::new(RandomState::new(self.seed)))
    }
}

impl RandomStream for Streams {
    fn from_seed(seed: u64) -> Self {
        let [environment, fatigue] = [(); 2].map(|()| Generator::from_seed(seed));
        Self { environment, fatigue, is_new: true, seed, global: None }
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.environment.float_between(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.environment.integer_between(low, high)
    }

    fn pcg64(&self) -> Option<&Pcg64> {
        self.environment.pcg64()
    }
}

//! Random stream of an environment: for each episode, a new `RandomState`, seeded by a hash of the environment's seed and the
//! episode's number.

use envpool_rs_numeric::random::{RandomState, RandomStream};
use serde::{Deserialize, Serialize};

/// Random stream of `crafter.Env(seed=seed)`. Episodes are numbered starting at 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpisodeRandom {
    seed: u64,
    /// Number of episodes that have been started.
    episode: u64,
    stream: RandomState,
}

impl EpisodeRandom {
    /// Starts the next episode: creates its random stream.
    pub fn start_episode(&mut self) {
        self.episode = self.episode.wrapping_add(1);
        self.stream = RandomState::new(episode_seed(self.seed, self.episode));
    }

    /// Returns the random stream of the current episode.
    #[inline]
    pub fn stream(&mut self) -> &mut RandomState {
        &mut self.stream
    }
}

impl RandomStream for EpisodeRandom {
    fn from_seed(seed: u64) -> Self {
        Self { seed, episode: 0, stream: RandomState::new(episode_seed(seed, 0)) }
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.stream.uniform(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.stream.randint(low, high)
    }
}

/// Returns `hash((seed, episode)) % (2**31 - 1)` as CPython 3.8 and later compute it on 64-bit systems. CPython hashes tuples
/// with xxHash.
fn episode_seed(seed: u64, episode: u64) -> u64 {
    const PRIME_1: u64 = 11_400_714_785_074_694_791;
    const PRIME_2: u64 = 14_029_467_366_897_019_727;
    const PRIME_5: u64 = 2_870_177_450_012_600_261;
    /// Prime number modulo which CPython hashes integers.
    const INTEGER_MODULUS: u64 = (1 << 61) - 1;

    let items = [seed, episode];
    let mix = |hash: u64, item: &u64| {
        hash.wrapping_add((item % INTEGER_MODULUS).wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
    };
    let hash = items.iter().fold(PRIME_5, mix).wrapping_add(items.len() as u64 ^ (PRIME_5 ^ 3_527_539));
    // CPython reserves the hash -1 for errors, and replaces it by this number.
    let hash = if hash == u64::MAX { 1_546_275_796 } else { hash };
    (hash as i64).rem_euclid((1 << 31) - 1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn episode_seeds_equal_pythons_hashes() {
        // The expected values are the results of `python3 -c "print([hash((s, e)) % (2**31 - 1) for s, e in ...])"`.
        let cases = [
            (0, 1, 1_256_191_933),
            (0, 2, 744_553_801),
            (42, 1, 550_904_604),
            (123_456_789, 7, 597_719_495),
            ((1 << 61) - 1, 3, 1_246_819_891),
            (u64::MAX, 1000, 585_172_509),
        ];
        for (seed, episode, expected) in cases {
            assert_eq!(episode_seed(seed, episode), expected, "hash(({seed}, {episode}))");
        }
    }
}

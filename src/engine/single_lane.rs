//! One lane of an [`Env`] without a pool: how the tests of environments play them.

use super::{Action, ActionColumn, Dtype, Env, InfoSpec, ResetOptions, Result, Row, Space, Target};
use crate::random::RandomStream;

/// An environment, its state and its random stream. Everything it writes is read back as float64.
pub(crate) struct SingleLane<E: Env> {
    env: E,
    state: E::State,
    rng: E::Random,
}

impl<E: Env> SingleLane<E> {
    /// A lane that has not been reset yet.
    pub fn new(env: E) -> Self {
        Self { state: env.create(), env, rng: E::Random::from_seed(0) }
    }

    /// Begins an episode: on a new stream with a seed, without one on the stream as it stands.
    pub fn reset(&mut self, seed: Option<u64>, options: &ResetOptions) -> Result<()> {
        self.env.check_reset(options)?;
        if let Some(seed) = seed {
            self.rng = E::Random::from_seed(seed);
        }
        self.env.reset(&mut self.state, options, &mut self.rng);
        Ok(())
    }

    /// Plays a step with the action's columns, one per action key: each player's reward, and whether the episode terminated.
    pub fn step(&mut self, action: &[ActionColumn]) -> (Vec<f64>, bool) {
        let mut rewards = vec![0.0; self.env.spec().players];
        let terminated = self.env.step(&mut self.state, &Action::new(action, 0), &mut rewards, &mut self.rng);
        (rewards, terminated)
    }

    /// The leaves of the observation.
    pub fn observation(&self) -> Vec<Vec<f64>> {
        let spec = self.env.spec();
        let lengths = spec.observation.leaves().iter().map(|leaf| leaf.space.size() * spec.rows()).collect();
        collect(lengths, |row| self.env.observe(&self.state, row))
    }

    /// The info arrays.
    pub fn info(&self) -> Vec<Vec<f64>> {
        let size = |info: &InfoSpec| Space::uniform(0.0, 0.0, &info.shape, info.dtype).size();
        collect(self.env.spec().info.iter().map(size).collect(), |row| self.env.info(&self.state, row))
    }

    /// Whether the environment would take its present state from a snapshot.
    pub fn is_valid(&self) -> bool {
        self.env.is_valid(&self.state)
    }
}

/// What `write` writes into arrays of these lengths; NaN where it writes nothing.
fn collect(lengths: Vec<usize>, write: impl FnOnce(&mut Row<'_>)) -> Vec<Vec<f64>> {
    let mut arrays: Vec<_> = lengths.into_iter().map(|length| vec![f64::NAN; length]).collect();
    let target = |array: &mut Vec<f64>| Target { data: array.as_mut_ptr().cast(), dtype: Dtype::F64, len: array.len() };
    let targets: Vec<_> = arrays.iter_mut().map(target).collect();
    write(&mut Row { targets: &targets });
    arrays
}

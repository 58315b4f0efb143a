//! NChain: go forwards to a large reward at the chain's end, or go back to the start for a small reward.
//!
//! Follows gym 0.19.0 (`NChain-v0`), after Strens, "A Bayesian Framework for Reinforcement Learning" (2000), section 6.1.
//!
//! gym drew random numbers from numpy's legacy `RandomState`. This environment has gym's rules, but draws from numpy's
//! `Generator`, as gymnasium's environments do. Each step draws one `random()`, which decides whether the action slips; a reset
//! draws nothing.

use envpool_rs_engine::{
    Action, Env, EnvPoolClass, EnvSpec, OptionSpec, Options, ResetOptions, Result, Row, Scheduling, Space, Task,
};
use envpool_rs_numeric::random::Generator;

/// NChain environment.
///
/// - Observation: int64 `()`, the position in the chain.
/// - Action: `Discrete(2)`: forwards, backwards.
/// - Reward: `small` for every step backwards, `large` for a step forwards at the end, else 0.
/// - Never terminates.
#[derive(Debug)]
pub struct NChain {
    last: u32,
    slip: f64,
    small: f64,
    large: f64,
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("toy_text", "NChain", "NChain-v0");

/// Returns the task `NChain-v0`.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<NChain>("NChain-v0").envpool_class(&CLASS).max_episode_steps(1000)]
}

impl Env for NChain {
    /// State of one environment: the position in the chain.
    type State = u32;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("n", 5, "length of the chain").integers(1..=i64::from(i32::MAX)),
            OptionSpec::new("slip", 0.2, "probability that the other action is played").probability().per_episode(),
            OptionSpec::new("small", 2.0, "reward for going backwards").per_episode(),
            OptionSpec::new("large", 10.0, "reward for going forwards at the end").per_episode(),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let length = options.int("n");
        let slip = options.float("slip");
        Ok(Self { last: length as u32 - 1, slip, small: options.float("small"), large: options.float("large") })
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::discrete(i64::from(self.last) + 1), Space::discrete(2))
    }

    fn create(&self, _lane: usize) -> Result<u32> {
        Ok(0)
    }

    #[inline]
    fn reset(&self, state: &mut u32, _options: &ResetOptions, _rng: &mut Generator) {
        *state = 0;
    }

    #[inline]
    fn step(&self, state: &mut u32, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let slips = rng.random() < self.slip;
        let backwards = (action.discrete() == 1) != slips;
        if backwards {
            rewards[0] = self.small;
            *state = 0;
        } else if *state < self.last {
            *state += 1;
        } else {
            rewards[0] = self.large;
        }
        false
    }

    #[inline]
    fn observe(&self, state: &u32, out: &mut Row<'_>) {
        out.scalar(0, i64::from(*state));
    }

    fn is_valid(&self, state: &u32) -> bool {
        *state <= self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_text::replay::{replays_like_the_reference, with_options};

    #[test]
    fn n_chain_equals_gyms() {
        replays_like_the_reference::<NChain>("NChain-v0");
    }

    #[test]
    fn a_chain_without_links_is_refused() {
        let error = with_options::<NChain>("NChain-v0", &[("n", 0.into())]).unwrap_err();
        assert_eq!(error.to_string(), "n=0: expected an integer from 1 to 2147483647");
    }

    #[test]
    fn snapshots_beyond_the_end_are_refused() {
        let env = with_options::<NChain>("NChain-v0", &[]).unwrap();
        assert!(env.is_valid(&4) && !env.is_valid(&5));
    }
}

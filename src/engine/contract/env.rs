//! The two ways to write an environment.
//!
//! # Adding an environment
//! Write one file in `src/envs/<family>/`, holding a struct with the environment's parameters that implements [`Env`]
//! (or [`Kernel`], for dynamics so cheap that stepping many lanes in SIMD registers pays), and add one line to the table in
//! `src/envs/mod.rs`. Time limit, autoreset, elapsed steps, seeding, batches, threads and snapshots are the engine's.
//!
//! The implementing struct holds what all environments of a pool share (options, tables); what changes while one of them is
//! played is its [`Env::State`].

use serde::{Serialize, de::DeserializeOwned};

use crate::engine::contract::error::Result;
use crate::engine::contract::options::{OptionSpec, Options, ResetOptions};
use crate::engine::contract::picture::{Picture, Rendering};
use crate::engine::contract::row::{Action, Row};
use crate::engine::contract::spec::EnvSpec;
use crate::random::RandomStream;

/// An environment that is stepped one lane at a time: what most environments implement.
pub trait Env: Sized + Send + Sync + 'static {
    /// Everything that changes while one environment is played, but for its random generator, which the engine keeps.
    type State: Serialize + DeserializeOwned + Send + 'static;

    /// The random stream it draws from: [`crate::random::Generator`] for gymnasium's environments,
    /// [`crate::random::RandomState`] for those built on numpy's legacy streams.
    type Random: RandomStream;

    /// Whether every step costs about the same and under a microsecond. Such lanes are handed out many at a time; others one
    /// by one, so that a slow one never holds back its neighbours.
    const UNIFORM: bool = false;

    /// Whether a step that reaches the time limit is only truncated, even where the environment would have terminated: so do
    /// environments that watch the limit themselves. In gymnasium's such a step is both.
    const LIMIT_FIRST: bool = false;

    /// Names of the numbers that `reset(options=...)` may carry.
    const RESET_OPTIONS: &'static [&'static str] = &[];

    /// The options that tasks built on this environment take.
    fn options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// The environment with its options fixed.
    ///
    /// # Errors
    /// `Value` or `Type`, naming the option, its value and what is allowed.
    fn new(options: &Options) -> Result<Self>;

    /// Fetches what it takes to play and not to describe: files. Called once, when a pool is made.
    ///
    /// # Errors
    /// `NotFound` or `Value`, naming the file.
    fn prepare(&mut self) -> Result<()> {
        Ok(())
    }

    /// The same for an environment of the same task whose options differ only in such as may change from episode to episode
    /// ([`OptionSpec::each_episode`]); called for every episode then, so it should take what `prepared` has.
    ///
    /// # Errors
    /// As `prepare`.
    fn prepare_like(&mut self, _prepared: &Self) -> Result<()> {
        self.prepare()
    }

    /// Spaces, players and infos.
    fn spec(&self) -> EnvSpec;

    /// Bytes that a lane's state takes once it is played, beside `size_of::<State>()`: what it keeps on the heap. So that pools
    /// that do not fit the machine are refused when they are made.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Bytes that the environment itself keeps on the heap, whatever the number of its lanes: tables. In a pool in which each lane
    /// has options of its own, there are as many environments.
    fn shared_bytes(&self) -> usize {
        0
    }

    /// The state of a lane before its first reset; a reset always follows before a step.
    fn create(&self) -> Self::State;

    /// Refuses reset options that make no sense together.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, _options: &ResetOptions) -> Result<()> {
        Ok(())
    }

    /// Starts an episode, drawing from `rng` exactly what the reference draws.
    fn reset(&self, state: &mut Self::State, options: &ResetOptions, rng: &mut Self::Random);

    /// Starts the episode after one that ended, when nobody asked for a reset. Environments whose episodes are parts of
    /// something longer (lives of one game) may go on with that, and return the steps since its beginning.
    fn next_episode(&self, state: &mut Self::State, _ended: Ended, rng: &mut Self::Random) -> i32 {
        self.reset(state, &ResetOptions::default(), rng);
        0
    }

    /// Plays one step: writes the reward of each player into `rewards` (zeroed before) and returns whether the episode
    /// terminated. The action has been checked against the action space.
    fn step(&self, state: &mut Self::State, action: &Action<'_>, rewards: &mut [f64], rng: &mut Self::Random) -> bool;

    /// Whether the last step reached a limit that the environment watches itself.
    #[inline(always)]
    fn is_truncated(&self, _state: &Self::State) -> bool {
        false
    }

    /// Whether nothing that follows the last step counts, although the episode may go on: its `discount` is 0.
    #[inline(always)]
    fn discounts_all(&self, _state: &Self::State) -> bool {
        false
    }

    /// Writes the observation, leaf by leaf in the order of the observation space.
    fn observe(&self, state: &Self::State, out: &mut Row<'_>);

    /// Writes the infos, in the order of `EnvSpec::info`.
    fn info(&self, _state: &Self::State, _out: &mut Row<'_>) {}

    /// What it can show of itself: the size of its pictures, whether it has text, and how fast a film of it runs.
    fn rendering(&self) -> Rendering {
        Rendering::default()
    }

    /// A picture of one environment. Called only where `rendering` promises pictures, in the size it says, for an environment
    /// that has been reset; a state from a snapshot may hold any numbers that `is_valid` lets pass.
    fn draw(&self, _state: &Self::State) -> Picture {
        Picture::default()
    }

    /// One environment in text. Called only where `rendering` promises text, for an environment that has been reset.
    fn text(&self, _state: &Self::State) -> String {
        String::new()
    }

    /// Whether a state that came from a snapshot can be played (indices in range and so on).
    fn is_valid(&self, _state: &Self::State) -> bool {
        true
    }

    /// Gives a state that came from a snapshot back what snapshots leave out. False if it cannot be played.
    fn adopt(&self, state: &mut Self::State) -> bool {
        self.is_valid(state)
    }
}

/// How an episode came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Steps since its beginning, or since that of what it is a part of.
    pub elapsed: i32,
    /// Whether it reached the time limit.
    pub at_limit: bool,
}

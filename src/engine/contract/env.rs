//! The two ways to write an environment.
//!
//! # Adding an environment
//! Write one file in the crate of its family (`src/envs/<family>`), holding a struct with the environment's parameters that implements
//! [`Env`] (or [`Kernel`], for dynamics so cheap that stepping many lanes in SIMD registers pays), and add one line to the `tasks` of
//! that crate's `lib.rs`. Time limit, autoreset, elapsed steps, seeding, batches, threads and snapshots are the engine's.
//!
//! The implementing struct holds what all environments of a pool share (options, tables); what changes while one of them is
//! played is its [`Env::State`].

use serde::{Serialize, de::DeserializeOwned};

use crate::contract::error::{Error, Result};
use crate::contract::options::{OptionSpec, Options, ResetOptions};
use crate::contract::picture::{Picture, Rendering, View};
use crate::contract::row::{Action, Row};
use crate::contract::spec::EnvSpec;
use crate::contract::state::{read_value, refused_state, write_value};
use crate::contract::store::Store;
use envpool_rs_numeric::random::RandomStream;

/// An environment that is stepped one lane at a time: what most environments implement.
pub trait Env: Sized + Send + Sync + 'static {
    /// Everything that changes while one environment is played, but for its random generator, which the engine keeps. Usually a struct
    /// that derives serde's `Serialize` and `Deserialize`; see [`LaneState`] for others.
    type State: LaneState<Self>;

    /// The random stream it draws from: [`envpool_rs_numeric::random::Generator`] for gymnasium's environments,
    /// [`envpool_rs_numeric::random::RandomState`] for those built on numpy's legacy streams.
    type Random: RandomStream;

    /// How its lanes are handed out to threads.
    const SCHEDULING: Scheduling = Scheduling::OneByOne;

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

    /// Whether `spec` depends on what [`Env::load`] loads: it is then called also where a task is only described.
    const IS_DESCRIBED_BY_FILES: bool = false;

    /// Loads what it takes to play: files, a model, a library. Called when a pool is made, before `spec` and before its memory is
    /// counted, for each group of the pool and each episode with options of its own: what they share belongs into `store`.
    ///
    /// # Errors
    /// `NotFound` or `Value`, naming the file.
    fn load(&mut self, _store: &Store) -> Result<()> {
        Ok(())
    }

    /// Whether [`Env::load`] may take long, with what `store` has: it then runs in a thread of its own, which an interrupt leaves to
    /// finish by itself.
    fn is_slow_to_load(&self, _store: &Store) -> bool {
        false
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

    /// Bytes that each thread takes while it steps: working memory, such as [`PerThread`](super::store::PerThread) lends.
    fn thread_bytes(&self) -> usize {
        0
    }

    /// The state of lane number `lane` before its first reset; a reset always follows before a step. Called when the pool is made, by
    /// several threads where steps are not uniform, and once more before the reset of a lane that failed.
    ///
    /// # Errors
    /// Any: the pool is not made, or the lane fails again.
    fn create(&self, lane: usize) -> Result<Self::State>;

    /// Ends what `create` has begun, in order. Called once for each state, by whichever thread is the last to need it.
    fn close(&self, _state: Self::State) {}

    /// Refuses reset options that make no sense together.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, _options: &ResetOptions) -> Result<()> {
        Ok(())
    }

    /// Starts an episode, drawing from `rng` exactly what the reference draws. An environment that can fail here, or in a step, does so
    /// by [`Error::raise`](super::error::Error::raise).
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

    /// How its lanes are handed out to threads, where that depends on its options or on what it has loaded: as `SCHEDULING` says,
    /// [`Scheduling::Together`] instead of [`Scheduling::OneByOne`], or [`Scheduling::OneByOne`] instead of [`Scheduling::Uniform`].
    fn scheduling(&self) -> Scheduling {
        Self::SCHEDULING
    }

    /// Plays one step of several lanes, all in the middle of an episode: what [`Scheduling::Together`] is for.
    fn step_together(&self, lanes: &mut [Stepped<'_, Self>]) {
        for lane in lanes {
            lane.terminated = self.step(lane.state, &lane.action, lane.rewards, lane.random);
        }
    }

    /// Whether the last step reached a limit that the environment watches itself.
    #[inline(always)]
    fn is_truncated(&self, _state: &Self::State) -> bool {
        false
    }

    /// Whether nothing that follows the last step counts, although the episode may go on: its `discount` is 0.
    #[inline(always)]
    fn has_zero_discount(&self, _state: &Self::State) -> bool {
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
    fn paint(&self, _state: &Self::State) -> Picture {
        Picture::default()
    }

    /// A picture as it is asked for. Called as `paint` is; environments without cameras have one picture, which the engine scales.
    ///
    /// # Errors
    /// `Index` for a camera that does not exist; `State` where there is nothing to draw with.
    fn show(&self, state: &Self::State, _view: &View) -> Result<Picture> {
        Ok(self.paint(state))
    }

    /// One environment in text. Called only where `rendering` promises text, for an environment that has been reset.
    fn text(&self, _state: &Self::State) -> String {
        String::new()
    }

    /// Whether a state that came from a snapshot can be played (indices in range and so on).
    fn is_valid(&self, _state: &Self::State) -> bool {
        true
    }
}

/// What an environment keeps of a lane. Whatever derives serde's `Serialize` and `Deserialize` is one; memory of another library, or
/// what only makes sense beside the environment's tables, says itself how it is saved and loaded.
pub trait LaneState<E>: Sized + Send + 'static {
    /// Appends to `bytes` all that it takes to play on elsewhere.
    fn save(&self, env: &E, bytes: &mut Vec<u8>);

    /// Takes what `save` wrote off the front of `bytes`, which may hold anything, and makes a state of it that can be played.
    ///
    /// # Errors
    /// [`refused_state`] where that is not possible.
    fn load(env: &E, bytes: &mut &[u8]) -> Result<Self>;
}

impl<E: Env<State = S>, S: Serialize + DeserializeOwned + Send + 'static> LaneState<E> for S {
    fn save(&self, _env: &E, bytes: &mut Vec<u8>) {
        write_value(bytes, self);
    }

    fn load(env: &E, bytes: &mut &[u8]) -> Result<Self> {
        let state = read_value(bytes)?;
        if env.is_valid(&state) { Ok(state) } else { Err(refused_state("its values are out of range")) }
    }
}

/// How lanes are handed out to threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduling {
    /// Every step costs about the same, and under a microsecond: many at a time.
    Uniform,
    /// Steps may take any time: one by one, so that a slow lane never holds back its neighbours.
    OneByOne,
    /// Lanes gain from being stepped together ([`Env::step_together`]), and are not cheap: so many at a time. Which ones changes from step
    /// to step; there are fewer where some are due for a reset.
    Together(usize),
}

/// A lane that is stepped together with others.
pub struct Stepped<'a, E: Env> {
    /// Its state.
    pub state: &'a mut E::State,
    /// Its random stream.
    pub random: &'a mut E::Random,
    /// Its action.
    pub action: Action<'a>,
    /// The reward of each of its players, zeroed before.
    pub rewards: &'a mut [f64],
    /// Whether the episode terminated: to be set.
    pub terminated: bool,
    /// Why the lane fails, and it alone: to be set instead. A panic would take all lanes with it.
    pub failure: Option<Error>,
}

/// How an episode came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Steps since its beginning, or since that of what it is a part of.
    pub elapsed: i32,
    /// Whether it reached the time limit.
    pub at_limit: bool,
}

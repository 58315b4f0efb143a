//! The `Env` trait: an environment that is stepped one lane at a time.
//!
//! # Adding an environment Write one file in the crate of its family (`src/envs/<family>`). The file holds a struct with the
//! environment's parameters; the struct implements [`Env`]. If the dynamics are cheap enough to gain from stepping many lanes in
//! SIMD registers, the struct implements [`Kernel`] instead. Add one line to the `tasks` of that crate's `lib.rs`. The engine
//! provides time limits, autoreset, elapsed steps, seeding, batches, threads and snapshots.
//!
//! The implementing struct holds the data that all environments of a pool share (options, tables). Data that changes during an
//! episode belongs to its [`Env::State`].

use serde::{Serialize, de::DeserializeOwned};

use crate::contract::asset_cache::AssetCache;
use crate::contract::error::{Error, Result};
use crate::contract::frame::{Frame, RenderParams, RenderSpec};
use crate::contract::options::{OptionSpec, Options, ResetOptions};
use crate::contract::row::{Action, Row};
use crate::contract::spec::EnvSpec;
use crate::contract::state::{read_value, refused_state, write_value};
use envpool_rs_numeric::random::RandomStream;

/// An environment that is stepped one lane at a time. Most environments implement this trait.
pub trait Env: Sized + Send + Sync + 'static {
    /// All data of one environment that changes during an episode, except its random generator, which the engine stores. Usually
    /// a struct that derives serde's `Serialize` and `Deserialize`; see [`LaneState`] for other types.
    type State: LaneState<Self>;

    /// The environment's random stream: [`envpool_rs_numeric::random::Generator`] for gymnasium's environments,
    /// [`envpool_rs_numeric::random::RandomState`] for environments that use numpy's legacy streams.
    type Random: RandomStream;

    /// Policy by which lanes are distributed among threads, unless [`Env::scheduling`] returns another value.
    const SCHEDULING: Scheduling = Scheduling::OneByOne;

    /// Whether a step that reaches the time limit is only truncated, even if the environment terminates in that step. True for
    /// environments that check the limit themselves. In gymnasium's environments such a step is both terminated and truncated.
    const TRUNCATION_WINS: bool = false;

    /// Names of the numeric options that `reset(options=...)` accepts.
    const RESET_OPTIONS: &'static [&'static str] = &[];

    /// Returns the options of tasks that use this environment.
    fn options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// Creates the environment from resolved options.
    ///
    /// # Errors
    /// `Value` or `Type`, naming the option, its value and the allowed values.
    fn new(options: &Options) -> Result<Self>;

    /// Whether `spec` depends on the data that [`Env::load`] loads. If so, `load` is called also when a task is only described.
    const SPEC_NEEDS_LOAD: bool = false;

    /// Loads the resources that the environment needs: files, a model, a library.
    ///
    /// Called during the creation of a pool, once for each group, before `spec` and before memory use is computed. Also called
    /// for each episode whose options are drawn. Resources that groups or episodes share belong in `store`.
    ///
    /// # Errors
    /// `NotFound` or `Value`, naming the file.
    fn load(&mut self, _store: &AssetCache) -> Result<()> {
        Ok(())
    }

    /// Returns whether [`Env::load`] may take long, given the content of `store`. If so, the pool calls `load` in a separate
    /// thread; an interrupt returns to the caller while that thread finishes.
    fn is_slow_to_load(&self, _store: &AssetCache) -> bool {
        false
    }

    /// Returns the environment's specification: spaces, number of players and infos.
    fn spec(&self) -> EnvSpec;

    /// Returns the heap bytes of one lane's state during an episode, in addition to `size_of::<State>()`. The engine uses it to
    /// refuse pools that do not fit into the machine's memory.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Returns the heap bytes that all lanes share, such as tables. A pool whose lanes have individual options holds one
    /// environment for each lane.
    fn shared_bytes(&self) -> usize {
        0
    }

    /// Returns the bytes that each thread needs while it steps, such as the scratch memory of
    /// [`ScratchPool`](super::asset_cache::ScratchPool).
    fn thread_bytes(&self) -> usize {
        0
    }

    /// Returns the bytes of stack that a step or reset may use. A calling thread that has less left steps no lanes itself, unless
    /// the pool has no other threads. Threads with any stack step environments with [`Scheduling::Uniform`], which may use 128 KiB.
    fn stack_bytes(&self) -> usize {
        DEFAULT_STACK_BYTES
    }

    /// Creates the state of lane number `lane` before its first reset. The engine resets a state before the first step.
    ///
    /// Called during the creation of the pool, by several threads unless steps are uniform, and again before the reset of a
    /// failed lane.
    ///
    /// # Errors
    /// Any error: the creation of the pool fails, or the lane fails again.
    fn create(&self, lane: usize) -> Result<Self::State>;

    /// Releases the resources that `create` acquired. Called once for each state, by the last thread that needs it.
    fn close(&self, _state: Self::State) {}

    /// Returns the names of the reset options, if they depend on the task's options.
    fn reset_options(&self) -> &[&'static str] {
        Self::RESET_OPTIONS
    }

    /// Rejects inconsistent reset options.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, _options: &ResetOptions) -> Result<()> {
        Ok(())
    }

    /// Starts an episode, drawing from `rng` exactly the numbers that the reference draws. To report a failure, call
    /// [`Error::raise`](super::error::Error::raise) here or in `step`.
    fn reset(&self, state: &mut Self::State, options: &ResetOptions, rng: &mut Self::Random);

    /// Starts the next episode by autoreset, and returns the number of steps that already count towards the new episode, 0 for a
    /// new game.
    ///
    /// Environments whose episodes are parts of a longer game (one life each) may continue that game; they return the steps since
    /// its start.
    fn next_episode(&self, state: &mut Self::State, _ended: EpisodeEnd, rng: &mut Self::Random) -> i32 {
        self.reset(state, &ResetOptions::default(), rng);
        0
    }

    /// Runs one step: writes the reward of each player into `rewards` (initially zero) and returns whether the episode
    /// terminated. The engine has checked the action against the action space.
    fn step(&self, state: &mut Self::State, action: &Action<'_>, rewards: &mut [f64], rng: &mut Self::Random) -> bool;

    /// Returns how lanes are distributed among threads, if that depends on options or loaded resources.
    ///
    /// The result must equal `SCHEDULING`, with two exceptions: [`Scheduling::Batched`] may replace [`Scheduling::OneByOne`], and
    /// [`Scheduling::OneByOne`] may replace [`Scheduling::Uniform`].
    fn scheduling(&self) -> Scheduling {
        Self::SCHEDULING
    }

    /// Runs one step of several lanes, all in the middle of an episode. Called under [`Scheduling::Batched`].
    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        for lane in lanes {
            lane.terminated = self.step(lane.state, &lane.action, lane.rewards, lane.random);
        }
    }

    /// Returns whether [`Env::reset_lanes`] is faster than resets of one lane after another. Only environments with the default
    /// [`Env::next_episode`] may return true.
    fn resets_together(&self) -> bool {
        false
    }

    /// Starts an episode in each of several lanes, with the results of [`Env::reset`]. Called under [`Scheduling::Batched`] if
    /// [`Env::resets_together`] returns true.
    ///
    /// Some lanes are reset by [`Env::reset`] all the same: those whose episode ended in the same step, recreated lanes, and lanes
    /// with options that are drawn for each episode or in exported libraries.
    fn reset_lanes(&self, lanes: &mut [LaneReset<'_, Self>]) {
        for lane in lanes {
            self.reset(lane.state, &lane.options, lane.random);
        }
    }

    /// Returns whether the last step reached a limit that the environment checks itself.
    #[inline(always)]
    fn is_truncated(&self, _state: &Self::State) -> bool {
        false
    }

    /// Returns whether rewards after the last step have discount 0, although the episode may continue (dm_env's `discount`).
    #[inline(always)]
    fn has_zero_discount(&self, _state: &Self::State) -> bool {
        false
    }

    /// Writes the observation, leaf by leaf in the order of the observation space.
    fn observe(&self, state: &Self::State, out: &mut Row<'_>);

    /// Writes the infos, in the order of `EnvSpec::info`.
    fn info(&self, _state: &Self::State, _out: &mut Row<'_>) {}

    /// Returns the rendering capabilities: frame size, text output, and frames per second.
    fn render_spec(&self) -> RenderSpec {
        RenderSpec::default()
    }

    /// Renders one environment as an RGB image. `size` is the requested width and height, by default that of
    /// [`Env::render_spec`]. The engine scales images of another size.
    ///
    /// Called only if `render_spec` declares images, and only after a reset. A state from a snapshot may hold any numbers that
    /// `is_valid` accepts.
    fn render_frame(&self, _state: &Self::State, _size: (u32, u32)) -> Frame {
        Frame::default()
    }

    /// Renders one environment with the given parameters, under the conditions of [`Env::render_frame`]. Environments without
    /// cameras render the image of [`Env::render_frame`].
    ///
    /// # Errors
    /// `Index` for a camera that does not exist; `State` if no renderer is available.
    fn render_view(&self, state: &Self::State, view: &RenderParams) -> Result<Frame> {
        Ok(self.render_frame(state, (view.width, view.height)))
    }

    /// Renders one environment as text. Called only if [`Env::render_spec`] declares text, and only after a reset.
    fn render_text(&self, _state: &Self::State) -> String {
        String::new()
    }

    /// Returns whether a state that was read from a snapshot can be stepped: its indices are in range, for example.
    fn is_valid(&self, _state: &Self::State) -> bool {
        true
    }
}

/// State of one lane that can be saved and loaded.
///
/// Types that derive serde's `Serialize` and `Deserialize` implement this trait automatically. Implement it by hand for memory of
/// a foreign library, and for state that depends on the environment's tables.
pub trait LaneState<E>: Sized + Send + 'static {
    /// Appends the serialized state to `bytes`, with all data needed to continue in another lane or process.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the bytes.
    fn save(&self, env: &E, bytes: &mut Vec<u8>) -> Result<()>;

    /// Reads a state that `save` wrote from the front of `bytes`, and advances `bytes`. The bytes are untrusted: the method
    /// validates them, so that the engine can step every state that it returns.
    ///
    /// # Errors
    /// [`refused_state`] if the bytes are not a valid state.
    fn load(env: &E, bytes: &mut &[u8]) -> Result<Self>;

    /// Moves the data that belongs to the lane instead of the snapshot, such as the lane's number and caches, from `previous` to
    /// this state. Called when this loaded state replaces the state `previous`.
    fn inherit(&mut self, _previous: &mut Self) {}
}

impl<E: Env<State = S>, S: Serialize + DeserializeOwned + Send + 'static> LaneState<E> for S {
    fn save(&self, _env: &E, bytes: &mut Vec<u8>) -> Result<()> {
        write_value(bytes, self)
    }

    fn load(env: &E, bytes: &mut &[u8]) -> Result<Self> {
        let state = read_value(bytes)?;
        if env.is_valid(&state) { Ok(state) } else { Err(refused_state("its values are out of range")) }
    }
}

/// Policy by which the engine distributes lanes among threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduling {
    /// Every step takes about the same time, less than a microsecond. A thread takes many lanes at a time.
    Uniform,
    /// Steps may take any time: a thread takes one lane at a time, so that a slow lane never delays others.
    OneByOne,
    /// Stepping several lanes together is faster than one by one ([`Env::step_lanes`]), and steps are not cheap: a thread takes
    /// up to this number of lanes at a time, and fewer if other threads would be idle otherwise. Each step may combine different
    /// lanes. A call also has fewer lanes if some of them need a reset.
    Batched(usize),
}

impl Scheduling {
    /// Returns whether lanes may be created by several threads and run in batches. Code for that is compiled only if so.
    pub(crate) const fn is_costly(self) -> bool {
        !matches!(self, Self::Uniform)
    }
}

/// One lane in a call of [`Env::step_lanes`].
pub struct LaneStep<'a, E: Env> {
    /// State of the lane.
    pub state: &'a mut E::State,
    /// Random stream of the lane.
    pub random: &'a mut E::Random,
    /// Action of the lane.
    pub action: Action<'a>,
    /// Reward of each player of the lane, initially zero.
    pub rewards: &'a mut [f64],
    /// Output: whether the episode terminated.
    pub terminated: bool,
    /// Output: the error, if this lane alone fails. A panic would fail all lanes of the call.
    pub error: Option<Error>,
}

/// Bytes of stack that most environments need at most, also without optimisation.
pub const DEFAULT_STACK_BYTES: usize = 512 << 10;

/// One lane in a call of [`Env::reset_lanes`].
pub struct LaneReset<'a, E: Env> {
    /// State of the lane.
    pub state: &'a mut E::State,
    /// Random stream of the lane.
    pub random: &'a mut E::Random,
    /// Options of the reset.
    pub options: ResetOptions,
    /// Output: the error, if this lane alone fails. A panic would fail all lanes of the call, and those that were stepped with them.
    pub error: Option<Error>,
}

/// State of an episode at its end: number of steps, and whether it reached the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpisodeEnd {
    /// Number of steps since the start of the episode, or of the longer game that contains the episode.
    pub elapsed: i32,
    /// Whether the episode reached the time limit.
    pub at_limit: bool,
}

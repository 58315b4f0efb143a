//! The `ForeignEnv` trait: an environment whose functions run several lanes in each call, in memory that it lays out itself.
//!
//! Environments of shared libraries implement it. The engine finds the due operations and passes several lanes in one call. The
//! engine gives the environment pointers to the actions and to the output rows. So no element is copied if the environment and
//! the pool use the same dtype for an array.

use std::marker::PhantomData;
use std::ops::Range;

use crate::contract::env::Scheduling;
use crate::contract::error::{Error, Result};
use crate::contract::frame::{Frame, RenderSpec};
use crate::contract::options::{Options, ResetOptions};
use crate::contract::spec::EnvSpec;
use envpool_rs_numeric::random::{Generator, Pcg64};

/// Bits that a step or a reset sets for each lane.
pub mod lane_end {
    /// The environment's rules ended the episode.
    pub const TERMINATED: u8 = 1;
    /// The episode reached a limit that the environment checks itself.
    pub const TRUNCATED: u8 = 2;
    /// Later rewards have discount 0, although the episode may continue.
    pub const ZERO_DISCOUNT: u8 = 4;
    /// The operation failed in this lane only.
    pub const FAILED: u8 = 8;
}

/// Bits that describe the cause of a lane's reset.
pub mod reset_cause {
    /// The reset has a seed.
    pub const SEEDED: u8 = 1;
    /// The reset is an autoreset after an episode.
    pub const NEXT_EPISODE: u8 = 2;
    /// The episode before the reset reached the time limit.
    pub const AFTER_LIMIT: u8 = 4;
}

/// Properties of a [`ForeignEnv`] that stay constant after its creation.
#[derive(Debug, Clone, Copy)]
pub struct ForeignProperties {
    /// Policy by which the lanes are distributed among threads. Under `OneByOne`, each call has one lane.
    pub scheduling: Scheduling,
    /// Largest number of lanes in a call, 1 or more.
    pub max_lanes: usize,
    /// Whether a step that reaches a limit is only truncated, even if the environment terminates in that step.
    pub truncation_wins: bool,
    /// Memory of one lane in bytes: its state and random stream.
    pub lane_bytes: usize,
    /// Memory in bytes that all lanes share.
    pub shared_bytes: usize,
    /// Memory in bytes that each thread needs while it steps lanes.
    pub thread_bytes: usize,
}

/// Type of the function that makes an environment from resolved options.
type MakeForeign = dyn Fn(&Options) -> Result<Box<dyn ForeignEnv>> + Send + Sync;

/// Maker of the environments of a task.
pub(crate) struct ForeignMaker(pub Box<MakeForeign>);

/// An environment with its options fixed, whose functions run several lanes in each call.
pub trait ForeignEnv: Send + Sync + 'static {
    /// Returns the environment's specification: spaces, number of players and infos.
    fn spec(&self) -> EnvSpec;

    /// Returns the rendering capabilities: frame size, text output, and frames per second.
    fn render_spec(&self) -> RenderSpec;

    /// Returns the environment's scheduling and memory use.
    fn properties(&self) -> ForeignProperties;

    /// Returns whether [`ForeignEnv::load`] may take long.
    fn is_slow_to_load(&self) -> bool;

    /// Loads the resources that the lanes need.
    ///
    /// # Errors
    /// Any error: the creation of the pool fails.
    fn load(&mut self) -> Result<()>;

    /// Creates the states of these lanes of a pool. The environment calls `check` at intervals; `check` returns an error if the
    /// creation must stop.
    ///
    /// # Errors
    /// Any error, including one that `check` returned: the creation of the pool fails.
    fn create_lanes(self: Box<Self>, lanes: Range<usize>, check: &mut dyn FnMut() -> Result<()>)
    -> Result<Box<dyn ForeignLanes>>;
}

/// Lanes of a [`ForeignEnv`]. Lane numbers count from its first lane.
///
/// An error of a call fails all lanes of the call. `Ok(Some(error))` is an error only of the lanes whose bits in `ends` include
/// [`lane_end::FAILED`].
pub trait ForeignLanes: Send + Sync {
    /// Returns the accepted names of reset options.
    fn reset_options(&self) -> &[&'static str];

    /// Refuses inconsistent reset options.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, options: &ResetOptions) -> Result<()>;

    /// Replaces the states of failed lanes by newly created states.
    ///
    /// # Errors
    /// An error that fails all of the lanes.
    fn recreate(&self, lanes: &LaneSet<'_>) -> Result<()>;

    /// Starts an episode in each of the lanes.
    ///
    /// # Errors
    /// An error that fails all of the lanes.
    fn reset(&self, lanes: &LaneSet<'_>, resets: ForeignResets<'_>) -> Result<Option<Error>>;

    /// Runs one step of each lane: writes the rewards of each player into `rewards`, and into `ends` the bits of [`lane_end`].
    /// The caller has set `rewards` and `ends` to zero.
    ///
    /// # Errors
    /// An error that fails all of the lanes.
    fn step(
        &self,
        lanes: &LaneSet<'_>,
        actions: &ForeignActions<'_>,
        rewards: &mut [f64],
        ends: &mut [u8],
    ) -> Result<Option<Error>>;

    /// Writes the observations: a row for each lane, in the dtypes of the observation space.
    ///
    /// # Errors
    /// An error that fails all of the lanes.
    fn observe(&self, lanes: &LaneSet<'_>, rows: &mut OutputRows<'_>) -> Result<()>;

    /// Writes the infos: a row for each lane, in the dtypes of [`InfoSpec::dtype`](super::spec::InfoSpec::dtype).
    ///
    /// # Errors
    /// An error that fails all of the lanes.
    fn inform(&self, lanes: &LaneSet<'_>, rows: &mut OutputRows<'_>) -> Result<()>;

    /// Replaces a lane's random stream by one that starts from `seed`.
    fn seed(&self, lane: &LaneSet<'_>, seed: u64);

    /// Returns a copy of the bit generator of a lane's random stream, if that is numpy's `PCG64`.
    fn pcg64(&self, lane: &LaneSet<'_>) -> Option<Pcg64>;

    /// Calls `draw` with the random stream that the pool seeds for a lane.
    fn draw_options(&self, lane: &LaneSet<'_>, draw: &mut dyn FnMut(&mut Generator));

    /// Sets the values of a lane's options that may change from episode to episode, in declaration order. They are in force from
    /// the next call with this lane.
    fn set_options(&self, lane: &LaneSet<'_>, values: &[f64]);

    /// Appends a lane's state and random stream to `bytes`.
    ///
    /// # Errors
    /// `State` if the environment cannot save its states.
    fn save(&self, lane: &LaneSet<'_>, bytes: &mut Vec<u8>) -> Result<()>;

    /// Replaces a lane's state and random stream by the bytes that `save` wrote.
    ///
    /// # Errors
    /// `Value` if `save` did not write the bytes; the lane is then unchanged.
    fn load(&self, lane: &LaneSet<'_>, bytes: &[u8]) -> Result<()>;

    /// Renders a lane as an image of the size in [`RenderSpec`].
    ///
    /// # Errors
    /// The environment's error, if the lane cannot be rendered.
    fn render_frame(&self, lane: &LaneSet<'_>) -> Result<Frame>;

    /// Renders a lane as text.
    ///
    /// # Errors
    /// The environment's error, if the lane cannot be rendered.
    fn render_text(&self, lane: &LaneSet<'_>) -> Result<String>;
}

/// Exclusive access to some lanes of a [`ForeignLanes`] during one call.
pub struct LaneSet<'a> {
    numbers: &'a [u32],
    is_consecutive: bool,
    /// Makes the type neither `Send` nor `Sync`, so that the value stays in its thread.
    guard: PhantomData<*const ()>,
}

impl<'a> LaneSet<'a> {
    /// Creates access to the lanes with these numbers; `is_consecutive`: whether each number is its predecessor plus 1.
    ///
    /// # Safety
    /// The numbers differ from each other. For the lifetime of the value, the caller has exclusive access to these lanes.
    #[inline]
    pub unsafe fn new(numbers: &'a [u32], is_consecutive: bool) -> Self {
        debug_assert!(!is_consecutive || numbers.windows(2).all(|pair| pair[1] == pair[0] + 1));
        Self { numbers, is_consecutive, guard: PhantomData }
    }

    /// Returns the numbers of the lanes in this set, each once.
    #[inline]
    pub fn numbers(&self) -> &'a [u32] {
        self.numbers
    }

    /// Returns whether each lane number is its predecessor plus 1.
    #[inline]
    pub fn is_consecutive(&self) -> bool {
        self.is_consecutive
    }

    /// Returns access to some of these lanes, selected by their positions in this set.
    #[inline]
    pub fn part(&self, range: Range<usize>) -> LaneSet<'_> {
        LaneSet { numbers: &self.numbers[range], is_consecutive: self.is_consecutive, guard: PhantomData }
    }

    /// Returns the end position of the run of consecutive lane numbers that starts at position `start`.
    #[inline]
    pub fn run_end(&self, start: usize) -> usize {
        if self.is_consecutive {
            return self.numbers.len();
        }
        let rest = &self.numbers[start..];
        start + 1 + rest.windows(2).take_while(|pair| pair[1] == pair[0].wrapping_add(1)).count()
    }

    /// Returns access to the lanes at positions `range`, whose numbers must be consecutive.
    ///
    /// # Panics
    /// In debug builds, if the lane numbers are not consecutive.
    #[inline]
    pub fn run(&self, range: Range<usize>) -> LaneSet<'_> {
        // SAFETY: `self` has exclusive access to the lanes with these numbers, and stays borrowed for the lifetime of the result.
        unsafe { LaneSet::new(&self.numbers[range], true) }
    }
}

/// Arguments and results of a reset, one for each lane.
pub struct ForeignResets<'a> {
    /// Bits of [`reset_cause`] for each lane.
    pub causes: &'a [u8],
    /// Seeds of the lanes whose cause has [`reset_cause::SEEDED`]. Those lanes' random streams are already seeded.
    pub seeds: &'a [u64],
    /// Steps that count towards each lane's episode. Input: steps of the ended episode. Output: steps that already count towards
    /// the new episode.
    pub elapsed: &'a mut [i64],
    /// Reset options, the same for all lanes of the call.
    pub options: &'a ResetOptions,
    /// Output: bits of [`lane_end`] for each lane, initially zero.
    pub ends: &'a mut [u8],
}

/// Actions of the lanes of a call: int32 for discrete keys, float32 or float64 for others, one row for each lane.
pub struct ForeignActions<'a> {
    data: &'a [*const u8],
    strides: &'a [u64],
}

impl<'a> ForeignActions<'a> {
    /// Creates the actions from the address and the stride of each key.
    ///
    /// # Safety
    /// Each key has a row of its type at `data + i * stride` for each lane `i` of the call, for the lifetime of the value.
    #[inline]
    pub unsafe fn new(data: &'a [*const u8], strides: &'a [u64]) -> Self {
        Self { data, strides }
    }

    /// Returns the address of the first lane's row, for each key.
    #[inline]
    pub fn data(&self) -> &'a [*const u8] {
        self.data
    }

    /// Returns the number of bytes from one lane's row to the next, for each key.
    #[inline]
    pub fn strides(&self) -> &'a [u64] {
        self.strides
    }
}

/// Rows of output arrays for the lanes of a call, in the environment's dtypes.
pub struct OutputRows<'a> {
    data: &'a [*mut u8],
    strides: &'a [u64],
}

impl<'a> OutputRows<'a> {
    /// Creates the rows from the address and the stride of each array; null for arrays that are not needed.
    ///
    /// # Safety
    /// Each array has a row at `data + i * stride` for each lane `i` of the call. The caller has exclusive access to these rows
    /// for the lifetime of the value.
    #[inline]
    pub unsafe fn new(data: &'a [*mut u8], strides: &'a [u64]) -> Self {
        Self { data, strides }
    }

    /// Returns the address of the first lane's row of each array; null for arrays that are not needed.
    #[inline]
    pub fn data(&mut self) -> &'a [*mut u8] {
        self.data
    }

    /// Returns the number of bytes from one row to the next, for each array.
    #[inline]
    pub fn strides(&self) -> &'a [u64] {
        self.strides
    }
}

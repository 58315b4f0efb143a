//! Interface between the pool and the lanes of one environment type. A thread runs all lanes of a chunk with one virtual call.

use std::any::Any;
use std::sync::Arc;

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderParams, RenderSpec};
use crate::contract::options::{Options, ResetOptions};
use crate::contract::state::decoded_bytes;
use crate::contract::value::Value;
use crate::exec::chunk::{Chunk, ChunkGuard};
use crate::exec::lane_options::{EpisodeOptions, GroupOptions, LaneOptions};
use crate::exec::per_lane::LaneMut;
use envpool_rs_numeric::random::Pcg64;

/// Options of a lane's next episodes, prepared by a [`BatchEnv`] for one of its lanes, or for several with the same options.
#[derive(Clone)]
pub struct OptionChange {
    /// Addresses of the lane's group, and of the options that the change starts from; 0 for those of the group.
    origin: (usize, usize),
    values: Arc<[(String, Value)]>,
    /// An `Option<Arc<EpisodeOptions<E>>>`.
    options: Arc<dyn Any + Send + Sync>,
}

impl OptionChange {
    /// Returns the change of a lane's options `own` by `values`: `previous`, if that is the same one, or else what `make` returns.
    ///
    /// # Errors
    /// The error of `make`.
    pub(crate) fn new<E: Send + Sync + 'static>(
        group: &GroupOptions,
        own: &LaneOptions<E>,
        values: &Arc<[(String, Value)]>,
        previous: Option<&Self>,
        make: impl FnOnce() -> Result<Option<Arc<EpisodeOptions<E>>>>,
    ) -> Result<Self> {
        let before = own.next().map_or(0, |next| Arc::as_ptr(next).addr());
        let origin = (std::ptr::from_ref(group).addr(), before);
        match previous.filter(|previous| previous.origin == origin && previous.values == *values) {
            Some(previous) => Ok(previous.clone()),
            None => Ok(Self { origin, values: Arc::clone(values), options: Arc::new(make()?) }),
        }
    }

    /// Returns the prepared options; `None` for those of the group.
    ///
    /// # Panics
    /// If the change was prepared for another type of environment.
    pub(crate) fn options<E: Send + Sync + 'static>(&self) -> Option<Arc<EpisodeOptions<E>>> {
        self.options.downcast_ref::<Option<Arc<EpisodeOptions<E>>>>().expect("a change of this environment's options").clone()
    }
}

/// Options of the episodes of lanes, and their queues of resets.
pub trait LaneOptionTable {
    /// Prepares the options of a lane's next episodes: its options with the values `values`. `previous` is the last change that was
    /// prepared, which lanes with the same options share.
    ///
    /// # Errors
    /// `Value` or `Type` for values that the environment refuses, or that change its spaces, and for options that cannot change.
    fn change_options(
        &self,
        lane: LaneMut<'_>,
        values: &Arc<[(String, Value)]>,
        previous: Option<&OptionChange>,
    ) -> Result<OptionChange>;

    /// Sets the options of a lane's next episodes, which [`Self::change_options`] prepared for the lane.
    fn set_options(&self, lane: LaneMut<'_>, change: &OptionChange);

    /// Returns the values in force in a lane. `is_started`: whether the lane was reset.
    fn options(&self, lane: LaneMut<'_>, is_started: bool) -> Options;

    /// Appends a reset, whose options were checked, to a lane's queue.
    fn queue_reset(&self, lane: LaneMut<'_>, reset: ResetOptions);

    /// Returns the number of resets in a lane's queue.
    fn queued_resets(&self, lane: LaneMut<'_>) -> usize;

    /// Removes all resets from a lane's queue.
    fn clear_queue(&self, lane: LaneMut<'_>);
}

/// Storage of many lanes of one environment, and the methods that run them.
/// [`ScalarBatchEnv`](super::scalar_batch_env::ScalarBatchEnv) implements it for `Env`, and
/// [`SimdBatchEnv`](super::simd_batch_env::SimdBatchEnv) for `Kernel`.
pub trait BatchEnv: Send + Sync {
    /// Steps or resets the lanes of a chunk, starting at item `work.progress`, and writes their rows.
    fn run(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>);

    /// Returns the policy by which the lanes are distributed among threads.
    fn scheduling(&self) -> Scheduling;

    /// Returns the bytes of stack that a step or reset may use.
    fn stack_bytes(&self) -> usize;

    /// Returns the names of the reset options that the environment accepts.
    fn reset_options(&self) -> &[&'static str];

    /// Returns whether reset options may differ between the environments of a request.
    fn takes_reset_rows(&self) -> bool {
        false
    }

    /// Rejects inconsistent reset options of the lanes `lanes`; an empty slice selects all lanes.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, options: &ResetOptions, lanes: &[usize]) -> Result<()>;

    /// Replaces a lane's random stream by one that starts from `seed`.
    fn seed(&self, lane: LaneMut<'_>, seed: u64);

    /// Returns a copy of the bit generator of a lane's random stream; `None` if it is not numpy's `PCG64`.
    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64>;

    /// Appends a lane's state and random stream to `bytes`.
    ///
    /// # Errors
    /// `State` if the environment cannot save its states.
    fn save(&self, lane: LaneMut<'_>, bytes: &mut Vec<u8>) -> Result<()>;

    /// Replaces a lane's state and random stream by the bytes that `save` wrote.
    ///
    /// # Errors
    /// `Value` if the bytes are not a state of this environment; the lane is then unchanged.
    fn load(&self, lane: LaneMut<'_>, bytes: &[u8]) -> Result<()>;

    /// Returns how many bytes of memory `load` takes at most for a state of `len` bytes.
    fn loaded_bytes(&self, len: usize) -> usize {
        decoded_bytes(len)
    }

    /// Returns the options of the lanes that run the environment of lane number `lane`.
    fn lane_options(&self, lane: usize) -> &dyn LaneOptionTable;

    /// Returns the rendering capabilities of the environment.
    fn render_spec(&self) -> RenderSpec;

    /// Renders a lane as an image. The lane must have been reset.
    ///
    /// # Errors
    /// `Index` for a camera that does not exist; `State` if no renderer is available; or the environment's error.
    fn render_view(&self, lane: LaneMut<'_>, params: &RenderParams) -> Result<Frame>;

    /// Renders a lane as text. The lane must have been reset.
    fn render_text(&self, lane: LaneMut<'_>) -> String;
}

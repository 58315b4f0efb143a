//! Interface between the pool and the lanes of one environment type. A thread runs all lanes of a chunk with one virtual call.

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderParams, RenderSpec};
use crate::contract::options::ResetOptions;
use crate::contract::state::decoded_bytes;
use crate::exec::chunk::{Chunk, ChunkGuard};
use crate::exec::lane_options::LaneOptionTable;
use crate::exec::per_lane::LaneMut;
use envpool_rs_numeric::random::Pcg64;

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
    fn lane_options(&self, lane: usize) -> &LaneOptionTable;

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

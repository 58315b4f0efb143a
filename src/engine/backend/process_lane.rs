//! Traits of environments that run in one process per lane.

use std::time::Instant;

use crate::backend::lane_op::{LaneOp, LaneReply};
use crate::backend::row_writer::RowWriter;
use crate::contract::asset_cache::AssetCache;
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderParams, RenderSpec};
use crate::contract::options::{OptionSpec, Options};
use crate::contract::spec::EnvSpec;

/// An environment whose lanes run in one process each. Provides the options, the static description and the lanes. Counterpart of
/// [`Env`](crate::contract::env::Env), which runs on the engine's threads.
pub trait ProcessEnv: Sized + Send + Sync + 'static {
    /// Returns the options of tasks that use this environment.
    fn options() -> Vec<OptionSpec>;

    /// Creates the environment from resolved options.
    ///
    /// # Errors
    /// `Value` or `Type`, naming the option, its value and the allowed values.
    fn new(options: &Options) -> Result<Self>;

    /// Returns whether `spec` depends on the data that [`Self::load`] loads.
    fn spec_needs_load(&self) -> bool {
        false
    }

    /// Locates the required files and reads the data that all lanes share.
    ///
    /// # Errors
    /// `NotFound` or `Value`, naming the file.
    fn load(&mut self, store: &AssetCache) -> Result<()>;

    /// Returns the environment's specification: spaces, number of players and infos.
    fn spec(&self) -> EnvSpec;

    /// Returns the rendering capabilities: frame size, text output, and frames per second.
    fn render_spec(&self) -> RenderSpec {
        RenderSpec::default()
    }

    /// Returns the memory of one lane in the engine's process, in bytes.
    fn lane_bytes(&self) -> usize;

    /// Creates lane number `lane` of a pool. Its process may start as late as the first operation.
    ///
    /// # Errors
    /// Any error: the creation of the pool fails.
    fn lane(&self, lane: usize) -> Result<Box<dyn ProcessLane>>;
}

/// One environment and the process that runs it. The lane has at most one operation at a time, and each reply is collected once.
pub trait ProcessLane: Send {
    /// Seeds the lane's random stream, before the first operation.
    fn seed(&mut self, seed: u64);

    /// Stages an operation. Staging replaces an operation that was not [sent](Self::send).
    ///
    /// # Errors
    /// Any error that prevents the operation from being staged.
    fn stage(&mut self, asked: LaneOp<'_>) -> Result<()>;

    /// Sends the staged operation. A failure to send becomes the reply.
    fn send(&mut self);

    /// Reads messages from the process, sends the next message of the exchange, and returns whether the reply is complete. Never
    /// waits.
    fn advance(&mut self) -> bool;

    /// Returns whether the process needs no further message for the pending operation, so that no thread must poll it until the
    /// reply.
    fn is_last_exchange(&self) -> bool;

    /// Sleeps until a message arrives from the process, or until `until`. May return early.
    fn wait(&mut self, until: Instant);

    /// Checks whether the process is alive and responds. If it is lost, the pending operation fails.
    fn probe(&mut self);

    /// Collects the reply to the operation, and writes its data into the row.
    fn collect(&mut self, out: &mut RowWriter<'_>) -> LaneReply;

    /// Cancels an operation that was sent and not collected. Returns whether the lane has no pending operation afterwards and is
    /// in the state before the operation.
    fn cancel(&mut self) -> bool;

    /// Writes the last observation of an idle lane into `out`.
    fn peek(&mut self, out: &mut RowWriter<'_>);

    /// Renders an idle lane, in the size of `view` or in the environment's own size. The pool scales an image of another size.
    fn render_view(&mut self, _view: &RenderParams) -> Frame {
        Frame::default()
    }

    /// Starts the shutdown of the lane's process, without waiting for its end.
    fn start_shutdown(&mut self);

    /// Shuts the process down, kills it if necessary, and waits for its end.
    fn shutdown(&mut self);
}

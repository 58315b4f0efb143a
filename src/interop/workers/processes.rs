//! The interface for starting, watching and ending worker processes.

use std::time::Instant;

use crate::workers::told::Told;
use envpool_rs_engine::{Fault, Message, Result};
use envpool_rs_transport::Block;

/// The loss of a worker process.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    /// Number of the worker.
    pub worker: usize,
    /// The [`Fault::Lost`] to report.
    pub fault: Fault,
}

/// The worker processes of a shared-memory block.
///
/// # Safety
/// If [`lost`](Self::lost) returns a worker, its process has ended and does not write into the block any more.
pub unsafe trait Processes: Send + Sync {
    /// Returns a worker whose process has ended unexpectedly. Each loss is returned once, to one thread. Called without the
    /// pool's locks.
    fn lost(&self) -> Option<Lost>;

    /// Starts a new process for a worker. May return before the process is ready.
    ///
    /// # Errors
    /// A [`Fault::Lost`] to report for the worker's environments, if the process cannot be started.
    fn renew(&self, worker: usize) -> Result<(), Fault>;

    /// Executes requests for the caller's own environments, in the waiting thread. Stops when `enough` returns true or no request
    /// is left.
    ///
    /// # Errors
    /// Errors to report at once that are not a failure of one environment.
    fn play_own(&self, _block: &Block, _enough: &dyn Fn() -> bool) -> Result<()> {
        Ok(())
    }

    /// Decodes an environment's message. The result is added to the batch.
    ///
    /// # Errors
    /// A [`Fault::Raised`] to report for the environment, if the message cannot be decoded.
    fn read(&self, _env: usize, told: Told<'_>) -> Result<Message, Fault> {
        Ok(told.message())
    }

    /// Ends all processes: cleanly until the deadline, by force afterwards, or at once if `by_force`. Returns the faults that
    /// occurred.
    fn end(&self, block: &Block, until: Instant, by_force: bool) -> Vec<Fault>;
}

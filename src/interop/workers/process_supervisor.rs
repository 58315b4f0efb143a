//! Interface for starting, watching and ending worker processes.

use std::time::Instant;

use crate::workers::worker_payload::WorkerPayload;
use envpool_rs_engine::{HostLoss, LaneError, Payload, Result};
use envpool_rs_transport::ShmSegment;

/// Starts, watches and ends the worker processes that use a shared-memory block.
///
/// # Safety
/// If [`next_loss`](Self::next_loss) returns a worker, its process must have ended, so that it no longer writes into the block.
pub unsafe trait ProcessSupervisor: Send + Sync {
    /// Returns a worker whose process has ended unexpectedly. Each ended process is reported once, to one thread. The pool
    /// holds no lock during the call.
    fn next_loss(&self) -> Option<HostLoss>;

    /// Starts a new process for a worker. The call may return before the process is ready.
    ///
    /// # Errors
    /// A [`LaneError::HostLost`], which the pool reports for the worker's environments, if the process cannot be started.
    fn restart(&self, worker: usize) -> Result<(), LaneError>;

    /// Executes, in the calling thread, requests for environments that have no worker process. Stops when `_enough` returns true
    /// or no request remains.
    ///
    /// # Errors
    /// Any error that the pool reports at once and that is not the failure of one environment.
    fn run_local(&self, _block: &ShmSegment, _enough: &dyn Fn() -> bool) -> Result<()> {
        Ok(())
    }

    /// Converts the message in an environment's reply to the payload that the batch contains.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the payload. The inner error is the one that the pool reports for the
    /// environment if the message cannot be decoded.
    fn decode_message(&self, _env: usize, payload: WorkerPayload<'_>) -> Result<Result<Payload, LaneError>> {
        payload.encode().map(Ok)
    }

    /// Ends all worker processes, gracefully until the deadline `until` and then by force. If `by_force` is set, ends them by
    /// force at once. Returns the errors that occurred.
    fn end(&self, segment: &ShmSegment, until: Instant, by_force: bool) -> Vec<LaneError>;
}

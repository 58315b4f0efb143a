//! Interface for transporting requests to hosts, and replies back.

use std::time::Instant;

use envpool_rs_engine::{LaneError, Result};

/// A finished request, with its reply.
pub struct Delivery {
    /// Number of the host.
    pub host: usize,
    /// Number of the request, as passed to [`HostTransport::send`].
    pub number: u64,
    /// Reply of [`RemoteHost`](super::RemoteHost), or the error because of which there is no reply.
    pub reply: Result<Vec<u8>, LaneError>,
}

/// Transports requests to hosts and replies back. Called under the rules of [`LaneBackend`](envpool_rs_engine::LaneBackend):
/// `wait` and `close` run concurrently with the other methods.
pub trait HostTransport: Send + Sync {
    /// Sends a request without waiting for its reply. A host replies to requests in the order of their numbers. If a request with
    /// this number was already sent, the call has no effect.
    ///
    /// # Errors
    /// Any error that the pool reports at once. The caller retries the request later.
    fn send(&self, place: usize, number: u64, request: &[u8]) -> Result<()>;

    /// Waits for finished requests and returns them, each once. Returns none at the deadline `until`, or if a host was lost.
    ///
    /// # Errors
    /// Any error that the pool reports at once. In this case, no reply is lost.
    fn wait(&self, until: Instant) -> Result<Vec<Delivery>>;

    /// Returns a host that was lost since its last start, and the [`LaneError::HostLost`] that the pool reports. Each loss is
    /// returned once. Called without the pool's locks, possibly by several threads at the same time.
    fn next_loss(&self) -> Option<(usize, LaneError)>;

    /// Restarts a lost host. Requests that were sent to the lost host are dropped; the first request to the new host has number
    /// `next`.
    ///
    /// # Errors
    /// A [`LaneError::HostLost`], which the pool reports for the host's lanes, if the host cannot be restarted.
    fn restart(&self, place: usize, next: u64) -> Result<(), LaneError>;

    /// Ends all hosts: gracefully until the deadline `until` and by force afterwards, or by force at once if `by_force`. Returns
    /// the errors of the shutdown.
    fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError>;
}

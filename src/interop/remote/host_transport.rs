//! Interface for sending requests to hosts and receiving their replies.

use std::time::Instant;

use envpool_rs_engine::{HostLoss, LaneError, Result};

/// Finished request to a host, with its reply.
pub struct Delivery {
    /// Index of the host that replied.
    pub host: usize,
    /// Number of the request, as passed to [`HostTransport::send`].
    pub number: u64,
    /// Reply of the [`RemoteHost`](super::RemoteHost), or the error that prevented a reply.
    pub reply: Result<Vec<u8>, LaneError>,
}

/// Sends requests to hosts, and receives their replies.
///
/// `wait`, `next_loss` and `close` are called as those of a [`BackendWaiter`](envpool_rs_engine::BackendWaiter): concurrently with
/// the other methods.
pub trait HostTransport: Send + Sync {
    /// Sends request `number` to host `host`, without waiting for its reply. A host replies to requests in the order of their
    /// numbers. If a request with this number was already sent, the call has no effect.
    ///
    /// # Errors
    /// Any error that the pool reports at once. The caller sends the request again later.
    fn send(&self, host: usize, number: u64, request: &[u8]) -> Result<()>;

    /// Waits for finished requests, and returns each of them once. Returns an empty list at the deadline `until`, or if the
    /// connection to a host was lost.
    ///
    /// # Errors
    /// Any error that the pool reports at once. A later call then returns the replies that have arrived.
    fn wait(&self, until: Instant) -> Result<Vec<Delivery>>;

    /// Returns a host to which the connection was lost since the host's last start. Each lost connection is returned once. The
    /// pool holds no lock during the call, which several threads may make at the same time.
    fn next_loss(&self) -> Option<HostLoss>;

    /// Restarts a host to which the connection was lost. Requests that were sent to the host's previous process are dropped;
    /// the first request to the new process has the number `next`.
    ///
    /// # Errors
    /// A [`LaneError::HostLost`], which the pool reports for the host's lanes, if the host cannot be restarted.
    fn restart(&self, host: usize, next: u64) -> Result<(), LaneError>;

    /// Ends all hosts, gracefully until the deadline `until` and then by force. If `by_force` is set, ends them by force at
    /// once. Returns the errors of the shutdown.
    fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError>;
}

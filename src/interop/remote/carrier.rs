//! What whoever brings requests to places, and answers back, implements.

use std::time::Instant;

use envpool_rs_engine::{Fault, Result};

/// A request that is over.
pub struct Arrival {
    /// Whose.
    pub place: usize,
    /// As it was sent.
    pub number: u64,
    /// What [`RemoteHost`](super::RemoteHost) made of it, or why there is nothing.
    pub answer: Result<Vec<u8>, Fault>,
}

/// The way to places and back. Called under the rules of [`Outside`](envpool_rs_engine::Outside): `wait` and `close` beside the others.
pub trait Carrier: Send + Sync {
    /// Sends a request, and does not wait for it. Requests to a place are answered in the order of their numbers. One that was sent
    /// before is not sent again.
    ///
    /// # Errors
    /// What has to be told at once. It is called again then.
    fn send(&self, place: usize, number: u64, request: &[u8]) -> Result<()>;

    /// Returns requests that are over, each once; none where there are none until then, or where a place was lost.
    ///
    /// # Errors
    /// What has to be told at once. Nothing is lost then.
    fn wait(&self, until: Instant) -> Result<Vec<Arrival>>;

    /// A place that was lost since it was last made, and what to tell of it: a [`Fault::Lost`]. Each loss is told once.
    /// Called without any lock of the pool's, in several threads at once where several use it.
    fn lost(&self) -> Option<(usize, Fault)>;

    /// Makes a place that was lost anew. What was sent to it is forgotten; the first request that it gets is number `next`.
    ///
    /// # Errors
    /// What to tell of its lanes where that is not possible: a [`Fault::Lost`].
    fn renew(&self, place: usize, next: u64) -> Result<(), Fault>;

    /// As [`Outside::close`](envpool_rs_engine::Outside::close).
    fn close(&self, until: Instant, by_force: bool) -> Vec<Fault>;
}

//! Executors of pools: synchronous, asynchronous, and for lanes that run in a backend.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::contract::error::Result;
use crate::contract::lane_error::LaneError;
use crate::pool::async_executor::AsyncExecutor;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::receiver::{Receiver, SpareBatches};
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::pool::sync_executor::SyncExecutor;
use crate::results::batch::Batch;
use crate::threads::interrupt_poller::InterruptPoller;

/// Runs the lanes of a pool. Each variant owns the threads, queues and backend that it needs.
pub enum Executor {
    /// Synchronous pool: callers and workers run the lanes.
    Sync(SyncExecutor),
    /// Asynchronous pool: workers run the lanes.
    Async(AsyncExecutor),
    /// Synchronous or asynchronous pool whose backend runs the lanes.
    Backend(Box<BackendExecutor>),
}

impl Executor {
    /// Returns the executor of a backend pool.
    #[inline]
    pub fn backend(&self) -> Option<&BackendExecutor> {
        match self {
            Self::Backend(executor) => Some(executor),
            Self::Sync(_) | Self::Async(_) => None,
        }
    }

    /// Returns whether a step of `lanes` lanes may take longer than `limit`.
    #[inline]
    pub fn may_exceed(&self, lanes: usize, limit: Duration) -> bool {
        match self {
            Self::Sync(executor) => !executor.workers().is_uniform() || executor.workers().cost.estimate(lanes) > limit,
            Self::Async(executor) => !executor.workers().is_uniform() || executor.workers().cost.estimate(lanes) > limit,
            Self::Backend(_) => true,
        }
    }

    /// Sends the request that the sender has built. The results of a synchronous request go into `batch`.
    ///
    /// # Errors
    /// The backend's error, if it refuses the request; `Memory` without a batch; the request is then not sent.
    pub fn send(&self, sender: &mut Sender, batch: Option<Box<Batch>>) -> Result<()> {
        match self {
            Self::Sync(executor) => return executor.send(sender, batch),
            Self::Async(executor) => executor.send(sender),
            Self::Backend(executor) => return executor.send(sender, batch),
        }
        Ok(())
    }

    /// Receives the next batch.
    ///
    /// # Errors
    /// `State` if fewer lanes are in flight than a batch needs, or if an environment failed; `Closed`; `Interrupted`, `Timeout`;
    /// errors of the backend.
    pub fn recv(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut InterruptPoller<'_>,
    ) -> Result<Box<Batch>> {
        match self {
            Self::Sync(executor) => executor.recv(receiver, spare, interrupts),
            Self::Async(executor) => executor.recv(receiver, spare, interrupts),
            Self::Backend(executor) => executor.recv(receiver, spare, interrupts),
        }
    }

    /// Waits for all results in flight, then discards them. The caller must hold the sender and receiver guards.
    ///
    /// # Errors
    /// `Closed`, `Interrupted`, `Timeout`, or an error of the backend; if one occurs, no result has been discarded.
    pub fn drain(&self, sender: &mut Sender, thrown: &mut SpareBatches, interrupts: &mut InterruptPoller<'_>) -> Result<()> {
        match self {
            Self::Sync(executor) => executor.drain(sender.local(), thrown, interrupts),
            Self::Async(executor) => executor.drain(sender, interrupts),
            Self::Backend(executor) => executor.drain(thrown, interrupts),
        }
    }

    /// Returns the oldest synchronous request that was not received.
    pub fn next_request(&self) -> Option<Arc<Request>> {
        match self {
            Self::Sync(executor) => executor.next_request(),
            Self::Async(_) => None,
            Self::Backend(executor) => executor.next_request(),
        }
    }

    /// Releases requests and results of a closed pool.
    pub fn release(&self, receiver: &mut Receiver) {
        match self {
            Self::Sync(executor) => executor.release(),
            Self::Async(executor) => executor.workers().threads.clear(),
            Self::Backend(executor) => executor.release(receiver),
        }
    }

    /// Ends the threads or the backend of a pool that is marked as closed. Ends them gracefully until the deadline `until` and by
    /// force afterwards, or by force at once if `by_force`. Returns the errors that occurred.
    pub fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError> {
        match self {
            Self::Sync(executor) => executor.workers().threads.close(),
            Self::Async(executor) => executor.workers().threads.close(),
            Self::Backend(executor) => return executor.close(until, by_force),
        }
        Vec::new()
    }
}

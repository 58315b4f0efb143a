//! The executor of a pool: what runs its lanes.

use std::time::{Duration, Instant};

use crate::contract::error::Result;
use crate::contract::fault::Fault;
use crate::play::batch_env::BatchEnv;
use crate::pool::async_executor::AsyncExecutor;
use crate::pool::backend::executor::BackendExecutor;
use crate::pool::receiver::{Receiver, Spares};
use crate::pool::sender::Sender;
use crate::pool::sync_executor::SyncExecutor;
use crate::results::batch::Batch;
use crate::threads::interrupts::Interrupts;

/// What runs the lanes of a pool. Each kind owns the machinery that it needs.
pub enum Executor {
    /// Synchronous, by callers and workers.
    Sync(SyncExecutor),
    /// Asynchronous, by workers.
    Async(AsyncExecutor),
    /// By a backend, synchronous or not.
    Backend(Box<BackendExecutor>),
}

impl Executor {
    /// What runs the lanes in this process; none where a backend does.
    #[inline]
    pub fn env(&self) -> Option<&dyn BatchEnv> {
        match self {
            Self::Sync(executor) => Some(executor.workers().env()),
            Self::Async(executor) => Some(executor.workers().env()),
            Self::Backend(_) => None,
        }
    }

    /// What drives a backend, where one runs the lanes.
    #[inline]
    pub fn backend(&self) -> Option<&BackendExecutor> {
        match self {
            Self::Backend(executor) => Some(executor),
            Self::Sync(_) | Self::Async(_) => None,
        }
    }

    /// Whether a step of `lanes` lanes may take longer than `limit`.
    #[inline]
    pub fn may_exceed(&self, lanes: usize, limit: Duration) -> bool {
        match self {
            Self::Sync(executor) => !executor.workers().is_uniform() || executor.workers().cost.of(lanes) > limit,
            Self::Async(executor) => !executor.workers().is_uniform() || executor.workers().cost.of(lanes) > limit,
            Self::Backend(_) => true,
        }
    }

    /// Sends the sender's request; the rows of a synchronous one go into `batch`.
    ///
    /// # Errors
    /// Those of the backend; nothing is sent then.
    pub fn send(&self, sender: &mut Sender, batch: Option<Box<Batch>>) -> Result<()> {
        match self {
            Self::Sync(executor) => executor.send(sender, batch),
            Self::Async(executor) => executor.send(sender),
            Self::Backend(executor) => return executor.send(sender, batch),
        }
        Ok(())
    }

    /// Receives the next batch.
    ///
    /// # Errors
    /// `State` where nothing or too little is in flight or an environment failed; `Closed`; `Interrupted`, `Late`; those of the backend.
    pub fn recv(
        &self,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupts: &mut Interrupts<'_>,
    ) -> Result<Box<Batch>> {
        match self {
            Self::Sync(executor) => executor.recv(receiver, spare, interrupts),
            Self::Async(executor) => executor.recv(receiver, spare, interrupts),
            Self::Backend(executor) => executor.recv(receiver, spare, interrupts),
        }
    }

    /// Waits for everything in flight, then throws it away. For whoever has both turns.
    ///
    /// # Errors
    /// As [`recv`](Self::recv); nothing has been thrown away then.
    pub fn drain(&self, sender: &mut Sender, thrown: &mut Spares, interrupts: &mut Interrupts<'_>) -> Result<()> {
        match self {
            Self::Sync(executor) => executor.drain(thrown, interrupts),
            Self::Async(executor) => executor.drain(sender, interrupts),
            Self::Backend(executor) => executor.drain(thrown, interrupts),
        }
    }

    /// Rows of the oldest synchronous request.
    pub fn next_rows(&self) -> Option<usize> {
        match self {
            Self::Sync(executor) => executor.next_rows(),
            Self::Async(_) => None,
            Self::Backend(executor) => executor.next_rows(),
        }
    }

    /// Lets go of environments, requests and results.
    ///
    /// # Safety
    /// For whoever has both turns and never gives them back.
    pub unsafe fn leave(&self) {
        // SAFETY: passed on to the caller.
        unsafe {
            match self {
                Self::Sync(executor) => executor.leave(),
                Self::Async(executor) => executor.workers().leave(),
                Self::Backend(executor) => executor.leave(),
            }
        }
    }

    /// Ends what runs the lanes of a pool that is marked as closed, in good order until the deadline and by force from then on, or
    /// `by_force` at once. Returns what went wrong.
    pub fn close(&self, until: Instant, by_force: bool) -> Vec<Fault> {
        match self {
            Self::Sync(executor) => executor.workers().close(),
            Self::Async(executor) => executor.workers().close(),
            Self::Backend(executor) => return executor.close(until, by_force),
        }
        Vec::new()
    }
}

//! What whoever starts and ends worker processes implements.

use std::time::Instant;

use crate::workers::told::Told;
use envpool_rs_engine::{Fault, Message, Result};
use envpool_rs_transport::Block;

/// The loss of a worker process.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    /// Its number.
    pub worker: usize,
    /// What to tell of it: a [`Fault::Lost`].
    pub fault: Fault,
}

/// The worker processes of a block.
///
/// # Safety
/// A worker that [`lost`](Self::lost) names is dead: its process has ended, and nothing of it writes into the block any more.
pub unsafe trait Processes: Send + Sync {
    /// A worker whose process has ended although nobody asked it to. Each loss is told once, to whichever thread asks. Called without any
    /// lock of the pool's.
    fn lost(&self) -> Option<Lost>;

    /// Starts another process in a worker's place. It need not wait for it.
    ///
    /// # Errors
    /// What to tell of its environments where that is not possible: a [`Fault::Lost`].
    fn renew(&self, worker: usize) -> Result<(), Fault>;

    /// Plays what is asked of the caller's own environments, in the thread of whoever waits, until there is `enough`, or nothing left
    /// to play.
    ///
    /// # Errors
    /// Anything that has to be told at once, and is no environment's failure.
    fn play_own(&self, _block: &Block, _enough: &dyn Fn() -> bool) -> Result<()> {
        Ok(())
    }

    /// Reads what an environment told beside its row; whatever it is made of comes with the batch.
    ///
    /// # Errors
    /// What to tell of the environment where it cannot be read: a [`Fault::Raised`].
    fn read(&self, _env: usize, told: Told<'_>) -> Result<Message, Fault> {
        Ok(told.message())
    }

    /// Ends all processes, in good order until the deadline and by force from then on, or `by_force` at once. Returns what went wrong.
    fn end(&self, block: &Block, until: Instant, by_force: bool) -> Vec<Fault>;
}

//! State of the receiving side of a pool: reusable batches, and batches in which lanes failed.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::pool::workers::LocalEnv;
use crate::results::batch::Batch;
use crate::results::normalize::{Normalizer, RowCause};

/// Batches whose memory is reused. The memory stays allocated, so pointers into it stay valid.
pub type SpareBatches = Vec<Box<Batch>>;

/// State of the receiving side, used by one receiver at a time.
pub struct Receiver {
    /// Batches in which a lane failed, with only the rows of the other lanes.
    pub partial_batches: VecDeque<Box<Batch>>,
    /// Normaliser of the batches; `None` if results are returned as the environments report them.
    pub normalizer: Option<Normalizer>,
    /// Memory, reused for each batch, for the causes of the batch's rows.
    pub causes: Vec<RowCause>,
    /// Environments that run in this process; `None` if a backend runs them, and after the pool was closed.
    local: Option<Arc<LocalEnv>>,
}

impl Receiver {
    /// Creates the receiving side of a pool.
    pub fn new(normalizer: Option<Normalizer>, local: Option<Arc<LocalEnv>>) -> Self {
        Self { partial_batches: VecDeque::new(), normalizer, causes: Vec::new(), local }
    }

    /// Returns the environments of a pool that runs them in this process.
    #[inline]
    pub fn local(&self) -> &LocalEnv {
        self.local.as_ref().expect("an open pool without a backend has its environments")
    }

    /// Drops all batches, so that the pool's memory can be freed. Returns the environments, which the caller drops.
    pub fn clear(&mut self) -> Option<Arc<LocalEnv>> {
        self.partial_batches.clear();
        self.local.take()
    }
}

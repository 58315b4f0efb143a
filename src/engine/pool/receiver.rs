//! The receiving side of a pool.

use std::collections::VecDeque;

use crate::results::batch::Batch;

/// Batches to reuse. Their memory stays allocated, so pointers into it stay valid.
pub type SpareBatches = Vec<Box<Batch>>;

/// State of the receiving side, used by one receiver at a time.
#[derive(Default)]
pub struct Receiver {
    /// Batches that hold the remaining rows after a lane of the batch failed.
    pub partial_batches: VecDeque<Box<Batch>>,
}

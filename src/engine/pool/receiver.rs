//! State of the receiving side of a pool: reusable batches, and batches in which lanes failed.

use std::collections::VecDeque;

use crate::results::batch::Batch;

/// Batches whose memory is reused. The memory stays allocated, so pointers into it stay valid.
pub type SpareBatches = Vec<Box<Batch>>;

/// State of the receiving side, used by one receiver at a time.
#[derive(Default)]
pub struct Receiver {
    /// Batches in which a lane failed, with only the rows of the other lanes.
    pub partial_batches: VecDeque<Box<Batch>>,
}

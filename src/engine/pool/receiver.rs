//! State of the receiving side of a pool: reusable batches, and batches in which lanes failed.

use std::collections::VecDeque;

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
}

impl Receiver {
    /// Creates the receiving side of a pool.
    pub fn new(normalizer: Option<Normalizer>) -> Self {
        Self { partial_batches: VecDeque::new(), normalizer, causes: Vec::new() }
    }
}

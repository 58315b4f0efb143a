//! The receiving side of a pool.

use std::collections::VecDeque;

use crate::results::batch::Batch;

/// Batches whose results nobody wants: their memory is used again, and pointers into it stay valid.
pub type Spares = Vec<Box<Batch>>;

/// What only one receiver at a time may use.
#[derive(Default)]
pub struct Receiver {
    /// Results that are left after an environment of their batch failed.
    pub ready: VecDeque<Box<Batch>>,
}

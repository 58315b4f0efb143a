//! Results of a pool: array layouts, memory, and the ring of asynchronous batches.

pub mod aligned_buffer;
pub mod batch;
pub mod batch_ring;
pub mod layout;
pub mod pointers;
pub mod row_slot;
pub mod row_span;
pub mod sync;

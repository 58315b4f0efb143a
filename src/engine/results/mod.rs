//! Results of a pool: array layouts, memory, and the ring of asynchronous batches.

pub mod aligned_buffer;
pub mod batch;
pub mod batch_ring;
pub mod borrowed_columns;
pub mod cells;
pub mod hidden_columns;
pub mod huge_pages;
pub mod layout;
pub mod normalize;
pub mod pointers;
pub mod row_slot;
pub mod row_span;
pub mod spare_buffers;
pub mod sync;

//! Results of a pool: array layouts, memory, and the ring of asynchronous batches.

pub mod batch;
pub mod layout;
pub mod memory;
pub mod pointers;
pub mod ring;
pub mod row_slot;
pub mod sync;

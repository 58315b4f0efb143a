//! What comes out of a pool: which arrays, their memory, and batches that are filled first come, first served.

pub mod batch;
pub mod layout;
pub mod memory;
pub mod pointers;
pub mod ring;
pub mod row_slot;
pub mod sync;

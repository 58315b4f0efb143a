//! Aligned memory that batches and numpy arrays share.

use std::alloc::{Layout as AllocLayout, alloc_zeroed, dealloc, handle_alloc_error};

/// Cache lines and vector registers: no two buffers share one.
const ALIGNMENT: usize = 64;

/// A block of memory that outlives whoever still points into it: batches and numpy arrays share it by `Arc`.
#[derive(Debug)]
pub struct Memory {
    data: *mut u8,
    layout: AllocLayout,
}

// SAFETY: `Memory` is plain bytes; who may read or write them when is the business of `Batch` and of the arrays' owners.
unsafe impl Send for Memory {}
// SAFETY: as above; `Memory` itself hands out only the address.
unsafe impl Sync for Memory {}

impl Memory {
    /// `bytes` zero bytes.
    pub fn new(bytes: usize) -> Self {
        let layout = AllocLayout::from_size_align(bytes.max(1), ALIGNMENT).expect("a batch fits the address space");
        // SAFETY: the size is not zero.
        let data = unsafe { alloc_zeroed(layout) };
        if data.is_null() {
            handle_alloc_error(layout);
        }
        Self { data, layout }
    }

    /// Address of the first byte.
    pub fn data(&self) -> *mut u8 {
        self.data
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout, and nobody holds the `Arc` any more.
        unsafe { dealloc(self.data, self.layout) }
    }
}

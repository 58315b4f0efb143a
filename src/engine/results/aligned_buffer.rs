//! Aligned memory that batches and numpy arrays share.

use std::alloc::{Layout as AllocLayout, alloc_zeroed, dealloc, handle_alloc_error};

/// Alignment of a buffer in bytes: a cache line and a vector register, so that no two buffers share a cache line.
const ALIGNMENT: usize = 64;

/// Aligned, zero-initialised memory that batches and numpy arrays share by `Arc`. Freed with the last reference.
#[derive(Debug)]
pub struct AlignedBuffer {
    data: *mut u8,
    layout: AllocLayout,
}

// SAFETY: `AlignedBuffer` is plain bytes without thread affinity. `Batch` and the array owners synchronize reads and writes.
unsafe impl Send for AlignedBuffer {}
// SAFETY: `AlignedBuffer` itself only returns its address; see `Send` above for reads and writes.
unsafe impl Sync for AlignedBuffer {}

impl AlignedBuffer {
    /// Allocates `bytes` zero bytes.
    pub fn new(bytes: usize) -> Self {
        let layout = AllocLayout::from_size_align(bytes.max(1), ALIGNMENT).expect("a batch fits the address space");
        // SAFETY: the size is at least 1, by `bytes.max(1)` above.
        let data = unsafe { alloc_zeroed(layout) };
        if data.is_null() {
            handle_alloc_error(layout);
        }
        Self { data, layout }
    }

    /// Returns the address of the first byte.
    pub fn data(&self) -> *mut u8 {
        self.data
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        // SAFETY: `data` was allocated in `new` with this layout; the last `Arc` is dropped, so that no reference remains.
        unsafe { dealloc(self.data, self.layout) }
    }
}

//! Memory that batches and numpy arrays share: allocated here, or borrowed from an owner elsewhere.

use std::alloc::{Layout as AllocLayout, alloc_zeroed, dealloc, handle_alloc_error};
use std::any::Any;
use std::fmt;

/// Alignment of a buffer in bytes: a cache line and a vector register, so that no two buffers share a cache line.
const ALIGNMENT: usize = 64;

/// Zero-initialised memory, or memory of another owner. Batches and numpy arrays share it by `Arc`; the last reference frees it.
#[derive(Debug)]
pub struct AlignedBuffer {
    data: *mut u8,
    bytes: usize,
    owner: Owner,
}

/// Owner of a buffer's memory.
enum Owner {
    /// The buffer itself, which allocated the memory with this layout.
    Allocation(AllocLayout),
    /// Another value, which keeps the memory alive until it is dropped.
    Lender(#[expect(dead_code, reason = "held for its drop")] Box<dyn Any + Send + Sync>),
}

impl fmt::Debug for Owner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Allocation(_) => "Allocation",
            Self::Lender(_) => "Lender",
        })
    }
}

// SAFETY: `AlignedBuffer` is plain bytes without thread affinity, and its owner is `Send`. `Batch` and the array owners
// synchronize reads and writes.
unsafe impl Send for AlignedBuffer {}
// SAFETY: `AlignedBuffer` itself only returns its address; see `Send` above for reads and writes.
unsafe impl Sync for AlignedBuffer {}

impl AlignedBuffer {
    /// Allocates `bytes` zero bytes, aligned to a cache line.
    pub fn new(bytes: usize) -> Self {
        let layout = AllocLayout::from_size_align(bytes.max(1), ALIGNMENT).expect("a batch fits the address space");
        // SAFETY: the size is at least 1, by `bytes.max(1)` above.
        let data = unsafe { alloc_zeroed(layout) };
        if data.is_null() {
            handle_alloc_error(layout);
        }
        Self { data, bytes, owner: Owner::Allocation(layout) }
    }

    /// Wraps `bytes` bytes of another owner's memory. They have the alignment of their elements, or none.
    ///
    /// # Safety
    /// The memory is initialised, and valid for reads and writes until `owner` is dropped, on any thread.
    pub unsafe fn borrowed(data: *mut u8, bytes: usize, owner: Box<dyn Any + Send + Sync>) -> Self {
        Self { data, bytes, owner: Owner::Lender(owner) }
    }

    /// Returns the address of the first byte.
    pub fn data(&self) -> *mut u8 {
        self.data
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        if let Owner::Allocation(layout) = self.owner {
            // SAFETY: `data` was allocated in `new` with this layout; the last `Arc` is dropped, so that no reference remains.
            unsafe { dealloc(self.data, layout) }
        }
    }
}

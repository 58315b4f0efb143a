//! Memory that batches and numpy arrays share, allocated by the engine or borrowed from another owner.

use std::alloc::{Layout as AllocLayout, alloc_zeroed, dealloc};
use std::any::Any;
use std::fmt;

use crate::contract::error::{Error, Result};

/// Alignment of a buffer in bytes: the size of a cache line and of a vector register, so that no two buffers share a cache line.
const ALIGNMENT: usize = 64;

/// Zero-initialised memory, or memory of another owner. Batches and numpy arrays refer to it by `Arc`; dropping the last
/// reference frees it.
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
// SAFETY: shared access to an `AlignedBuffer` only returns its address. `Batch` and the array owners synchronize reads and
// writes.
unsafe impl Sync for AlignedBuffer {}

impl AlignedBuffer {
    /// Allocates `bytes` zero bytes, aligned to a cache line.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub fn new(bytes: usize) -> Result<Self> {
        let refused =
            || Error::Memory(format!("{bytes} bytes for results do not fit into memory: release results that are kept"));
        let layout = AllocLayout::from_size_align(bytes.max(1), ALIGNMENT).map_err(|_| refused())?;
        // SAFETY: the size is at least 1, by `bytes.max(1)` above.
        let data = unsafe { alloc_zeroed(layout) };
        match data.is_null() {
            true => Err(refused()),
            false => Ok(Self { data, bytes, owner: Owner::Allocation(layout) }),
        }
    }

    /// Wraps `bytes` bytes of another owner's memory. The memory may have any alignment; users that need a particular alignment
    /// check it.
    ///
    /// # Safety
    /// The memory is initialised, and valid for reads and writes until `owner` is dropped, on any thread.
    pub unsafe fn borrowed(data: *mut u8, bytes: usize, owner: Box<dyn Any + Send + Sync>) -> Self {
        Self { data, bytes, owner: Owner::Lender(owner) }
    }

    /// Returns the address of the buffer's first byte.
    pub fn data(&self) -> *mut u8 {
        self.data
    }

    /// Returns the number of rows of `stride` bytes that fit into the buffer.
    pub(crate) fn rows(&self, stride: usize) -> usize {
        self.bytes.checked_div(stride).unwrap_or(usize::MAX)
    }

    /// Returns the size of the buffer in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        if let Owner::Allocation(layout) = self.owner {
            // SAFETY: `new` allocated `data` with this layout, and the last `Arc` is being dropped, so no reference remains.
            unsafe { dealloc(self.data, layout) }
        }
    }
}

//! Memory that batches and numpy arrays share, allocated by the engine or borrowed from another owner.

use std::alloc::{Layout as AllocLayout, alloc_zeroed, dealloc};
use std::any::Any;
use std::sync::{Arc, Weak};

use crate::contract::error::{Error, Result};
use crate::results::huge_pages::HugePages;
use crate::results::spare_buffers::SpareBuffers;

/// Alignment of a buffer in bytes: the size of a cache line and of a vector register, so that no two buffers share a cache line.
const ALIGNMENT: usize = 64;

/// Initialised memory of the engine, or memory of another owner. Batches and numpy arrays refer to it by `Arc`; dropping the last
/// reference frees it, or returns it to the pool that reuses it.
#[derive(Debug)]
pub struct AlignedBuffer {
    data: *mut u8,
    bytes: usize,
    /// Value that keeps the memory alive until it is dropped. `None` only while the buffer is dropped.
    owner: Option<Box<dyn Any + Send + Sync>>,
    /// Pool that reuses the memory.
    spares: Weak<SpareBuffers>,
}

/// Memory of the allocator.
#[derive(Debug)]
struct Allocation {
    data: *mut u8,
    layout: AllocLayout,
}

// SAFETY: `Allocation` only stores the address, for its drop.
unsafe impl Send for Allocation {}
// SAFETY: `Allocation` only stores the address, for its drop.
unsafe impl Sync for Allocation {}

// SAFETY: `AlignedBuffer` is plain bytes without thread affinity, and its owner is `Send`. `Batch` and the array owners
// synchronize reads and writes.
unsafe impl Send for AlignedBuffer {}
// SAFETY: shared access to an `AlignedBuffer` only returns its address. `Batch` and the array owners synchronize reads and
// writes.
unsafe impl Sync for AlignedBuffer {}

impl AlignedBuffer {
    /// Allocates `bytes` zero bytes, aligned to a cache line. Memory of 1.5 MiB and more is in huge pages if the system has some, and
    /// is provided by the system when a thread first accesses it.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub fn new(bytes: usize) -> Result<Self> {
        if let Some(pages) = HugePages::new(bytes) {
            return Ok(Self { data: pages.data(), bytes, owner: Some(Box::new(pages)), spares: Weak::new() });
        }
        let refused =
            || Error::Memory(format!("{bytes} bytes for results do not fit into memory: release results that are kept"));
        let layout = AllocLayout::from_size_align(bytes.max(1), ALIGNMENT).map_err(|_| refused())?;
        // SAFETY: the size is at least 1, by `bytes.max(1)` above.
        let data = unsafe { alloc_zeroed(layout) };
        match data.is_null() {
            true => Err(refused()),
            false => Ok(Self { data, bytes, owner: Some(Box::new(Allocation { data, layout })), spares: Weak::new() }),
        }
    }

    /// Returns a buffer of `bytes` bytes with any content, which returns to `spares` when its last reference is dropped.
    ///
    /// # Errors
    /// `Memory` if no spare buffer has this size and the system refuses the memory.
    pub(crate) fn recycled(bytes: usize, spares: &Arc<SpareBuffers>) -> Result<Self> {
        Ok(spares.take(bytes).map_or_else(|| Self::new(bytes), Ok)?.returning_to(spares))
    }

    /// Returns this buffer, whose memory returns to `spares` when its last reference is dropped.
    #[must_use]
    pub(crate) fn returning_to(mut self, spares: &Arc<SpareBuffers>) -> Self {
        self.spares = Arc::downgrade(spares);
        self
    }

    /// Wraps `bytes` bytes of another owner's memory. The memory may have any alignment; users that need a particular alignment
    /// check it.
    ///
    /// # Safety
    /// The memory is initialised, and valid for reads and writes until `owner` is dropped, on any thread.
    pub unsafe fn borrowed(data: *mut u8, bytes: usize, owner: Box<dyn Any + Send + Sync>) -> Self {
        Self { data, bytes, owner: Some(owner), spares: Weak::new() }
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
        if let Some(spares) = self.spares.upgrade() {
            spares.put(Self { owner: self.owner.take(), spares: Weak::new(), ..*self });
        }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: `AlignedBuffer::new` allocated `data` with this layout, and the last reference to it is being dropped.
        unsafe { dealloc(self.data, self.layout) }
    }
}

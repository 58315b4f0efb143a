//! Buffers of a pool that their last users have dropped, and that later results reuse.
//!
//! A caller that keeps results for some steps thereby gets memory whose pages the system has provided already. Otherwise, new
//! pages take longer than the steps of cheap environments.

use std::collections::BTreeMap;

use crate::results::aligned_buffer::AlignedBuffer;
use envpool_rs_sync::ForkMutex;

/// Maximum number of bytes of a pool's spare buffers.
const MAX_BYTES: usize = 64 << 20;

/// Approximate size of a spare buffer's bookkeeping in bytes.
const BOOKKEEPING: usize = 128;

/// Buffers of a pool that later results reuse. Its lock is held for a few instructions, so arrays may be dropped while the caller
/// holds an interpreter's lock.
#[derive(Debug, Default)]
pub struct SpareBuffers(ForkMutex<Spares>);

#[derive(Default)]
struct Spares {
    /// Buffers by their size in bytes.
    by_size: BTreeMap<usize, Vec<AlignedBuffer>>,
    /// Number of bytes of all buffers and their bookkeeping.
    bytes: usize,
    is_closed: bool,
}

impl SpareBuffers {
    /// Takes a buffer of exactly `bytes` bytes, which holds old content.
    pub fn take(&self, bytes: usize) -> Option<AlignedBuffer> {
        let mut spares = self.0.lock();
        let buffer = spares.by_size.get_mut(&bytes)?.pop()?;
        spares.bytes -= bytes + BOOKKEEPING;
        Some(buffer)
    }

    /// Stores a buffer for reuse. Frees it instead if too many bytes are stored already, or if the pool is closed.
    pub fn put(&self, buffer: AlignedBuffer) {
        let mut spares = self.0.lock();
        let bytes = spares.bytes + buffer.bytes() + BOOKKEEPING;
        if spares.is_closed || bytes > MAX_BYTES {
            drop(spares);
            return drop(buffer);
        }
        spares.bytes = bytes;
        spares.by_size.entry(buffer.bytes()).or_default().push(buffer);
    }

    /// Frees all buffers, and those that are dropped later.
    pub fn close(&self) {
        let freed = std::mem::replace(&mut *self.0.lock(), Spares { is_closed: true, ..Spares::default() });
        drop(freed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn buffers(count: usize, bytes: usize, spares: &Arc<SpareBuffers>) -> Vec<AlignedBuffer> {
        (0..count).map(|_| AlignedBuffer::recycled(bytes, spares).unwrap()).collect()
    }

    #[test]
    fn dropped_buffers_are_reused_for_the_same_size_only() {
        let spares = Arc::new(SpareBuffers::default());
        let address = buffers(1, 4096, &spares)[0].data();
        let other = AlignedBuffer::recycled(8192, &spares).unwrap();
        assert_eq!((other.bytes(), spares.0.lock().bytes), (8192, 4096 + BOOKKEEPING));
        let again = AlignedBuffer::recycled(4096, &spares).unwrap();
        assert!(again.data() == address && other.data() != address);
        assert_eq!(spares.0.lock().bytes, 0);
    }

    #[test]
    fn spare_buffers_have_a_limit() {
        let spares = Arc::new(SpareBuffers::default());
        drop(buffers(6, MAX_BYTES / 5, &spares));
        assert_eq!(spares.0.lock().bytes, 4 * (MAX_BYTES / 5 + BOOKKEEPING));
        drop(buffers(1, MAX_BYTES, &spares));
        assert_eq!(spares.0.lock().by_size.len(), 1);
    }

    #[test]
    fn a_closed_pool_has_no_spare_buffers_and_its_buffers_stay_valid() {
        let spares = Arc::new(SpareBuffers::default());
        let (early, late, last) = (buffers(2, 4096, &spares), buffers(1, 2 << 20, &spares), buffers(1, 3 << 20, &spares));
        drop(early);
        spares.close();
        drop(late);
        assert_eq!(spares.0.lock().bytes, 0);
        drop(spares);
        let (data, bytes) = (last[0].data(), last[0].bytes());
        // SAFETY: the buffer is alive and holds initialised bytes.
        let content = unsafe { std::slice::from_raw_parts(data, bytes) };
        assert!(content.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn buffers_of_every_size_start_as_zeros_at_a_cache_line() {
        for bytes in [0, 1, 4095, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, (5 << 20) + 7, 7 << 20] {
            let buffer = AlignedBuffer::new(bytes).unwrap();
            // SAFETY: the buffer is alive, holds initialised bytes, and this thread alone has its address.
            let content = unsafe { std::slice::from_raw_parts_mut(buffer.data(), bytes) };
            assert!(buffer.data().addr().is_multiple_of(64) && content.iter().all(|byte| *byte == 0), "{bytes}");
            content.fill(1);
        }
    }
}

//! Atomic types and cells that the ring buffer, requests, the ledger and wait queues use.
//!
//! Under the model checker loom (`RUSTFLAGS="--cfg loom"`) these are loom's types, and tests named `loom_...` run every
//! interleaving of a few threads.

#[cfg(loom)]
pub use loom::cell::UnsafeCell;
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
#[cfg(loom)]
pub use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
#[cfg(all(not(loom), not(target_os = "linux")))]
pub use std::sync::{Condvar, Mutex, MutexGuard};

/// Wrapper of the standard library's cell, with the methods of loom's cell. Under loom, loom's cell replaces it and tracks reads
/// and writes.
#[cfg(not(loom))]
pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    /// Calls `look` with the address of the value, for reading.
    #[inline(always)]
    pub fn with<R>(&self, look: impl FnOnce(*const T) -> R) -> R {
        look(self.0.get())
    }

    /// Calls `change` with the address of the value, for writing.
    #[inline(always)]
    pub fn with_mut<R>(&self, change: impl FnOnce(*mut T) -> R) -> R {
        change(self.0.get())
    }
}

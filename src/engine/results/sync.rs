//! Atomics and cells of the ring, of requests and of the ledger.
//!
//! They are loom's under the model checker (`RUSTFLAGS="--cfg loom"`): tests named `loom_...` in those files run every
//! interleaving of a few threads.

#[cfg(loom)]
pub use loom::cell::UnsafeCell;
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// The standard library's cell with loom's interface, through which loom tracks reads and writes.
#[cfg(not(loom))]
pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    /// Calls `look` with the address, for reading.
    #[inline(always)]
    pub fn with<R>(&self, look: impl FnOnce(*const T) -> R) -> R {
        look(self.0.get())
    }

    /// Calls `change` with the address, for writing.
    #[inline(always)]
    pub fn with_mut<R>(&self, change: impl FnOnce(*mut T) -> R) -> R {
        change(self.0.get())
    }
}

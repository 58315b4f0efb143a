//! Atomics and cells of the ring, of requests and of the ledger, taken from loom where the model checker runs (`RUSTFLAGS="--cfg loom"`):
//! the tests named `loom_...` in these files run every interleaving of a few threads with them.

#[cfg(loom)]
pub use loom::cell::UnsafeCell;
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// The standard library's cell with loom's interface, by which loom sees when it is read and written.
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

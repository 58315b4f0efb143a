//! A value that the interpreter's global lock protects.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// A value that is accessed only while the interpreter's global lock is held.
///
/// An access may run other Python code (a destructor, a callback), which finds the value in use. Interpreters without the lock
/// cannot import the module (`refcount::require_lock`). A mutex would also work, but its atomic exchange takes 5 ns, and a step
/// would need two.
pub struct GilCell<T> {
    /// True while a [`GilCellGuard`] exists. Relaxed loads and stores suffice, because only the holder of the interpreter's lock
    /// reads or writes the flag.
    is_borrowed: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through `GilCellGuard`, of which `enter` creates one at a time, and `enter` needs the
// interpreter's lock. `refcount::require_lock` has checked at import that there is a lock.
unsafe impl<T: Send> Sync for GilCell<T> {}

/// Guard that grants exclusive access to the value while the global lock is held.
pub struct GilCellGuard<'a, 'py, T> {
    owner: &'a GilCell<T>,
    _lock: Python<'py>,
}

impl<T> GilCell<T> {
    /// Wraps `value`.
    pub fn new(value: T) -> Self {
        Self { is_borrowed: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Returns a guard that grants access to the value. Returns `None` if the value is in use, by a caller of this function or by
    /// a thread that released the lock in between.
    #[inline]
    pub fn enter<'a, 'py>(&'a self, lock: Python<'py>) -> Option<GilCellGuard<'a, 'py, T>> {
        if self.is_borrowed.load(Ordering::Relaxed) {
            return None;
        }
        self.is_borrowed.store(true, Ordering::Relaxed);
        Some(GilCellGuard { owner: self, _lock: lock })
    }
}

impl<T> GilCell<T> {
    /// Calls `look` with the value, for the garbage collector, which runs while the global lock is held. Returns `None` if the value
    /// is in use.
    pub fn inspect<R>(&self, look: impl FnOnce(&T) -> R) -> Option<R> {
        if self.is_borrowed.load(Ordering::Relaxed) {
            return None;
        }
        // SAFETY: the caller holds the global lock, and no `GilCellGuard` exists. `look` only visits objects, which runs no code that
        // could enter the cell.
        Some(look(unsafe { &*self.value.get() }))
    }
}

impl<T> Deref for GilCellGuard<'_, '_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: `enter` creates one `GilCellGuard` at a time, and this is that guard.
        unsafe { &*self.owner.value.get() }
    }
}

impl<T> DerefMut for GilCellGuard<'_, '_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: `enter` creates one `GilCellGuard` at a time; this is that guard, and it is borrowed mutably.
        unsafe { &mut *self.owner.value.get() }
    }
}

impl<T> Drop for GilCellGuard<'_, '_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owner.is_borrowed.store(false, Ordering::Relaxed);
    }
}

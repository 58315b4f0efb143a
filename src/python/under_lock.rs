//! A value guarded by the interpreter's lock.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// A value that is accessed only under the interpreter's lock.
///
/// An access may run other Python code (a destructor, a callback), which finds the value in use. Interpreters without a lock
/// cannot import the module (`refcount::require_lock`). A mutex would do too, but its atomic exchange costs 5 ns, and a step
/// would need two.
pub struct UnderLock<T> {
    /// True while an [`Entered`] exists. Relaxed loads and stores suffice: only the holder of the lock reads or writes it.
    entered: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through `Entered`, of which `enter` creates one at a time, and `enter` needs the
// interpreter's lock. `refcount::require_lock` has checked at import that there is a lock.
unsafe impl<T: Send> Sync for UnderLock<T> {}

/// Exclusive access to the value, while the lock is held.
pub struct Entered<'a, 'py, T> {
    owner: &'a UnderLock<T>,
    _lock: Python<'py>,
}

impl<T> UnderLock<T> {
    /// Wraps `value`.
    pub fn new(value: T) -> Self {
        Self { entered: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Returns access to the value. `None` if it is in use further up the stack, or in a thread that lost the lock meanwhile.
    #[inline]
    pub fn enter<'a, 'py>(&'a self, lock: Python<'py>) -> Option<Entered<'a, 'py, T>> {
        if self.entered.load(Ordering::Relaxed) {
            return None;
        }
        self.entered.store(true, Ordering::Relaxed);
        Some(Entered { owner: self, _lock: lock })
    }
}

impl<T> Deref for Entered<'_, '_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: `enter` creates one `Entered` at a time, and this is it.
        unsafe { &*self.owner.value.get() }
    }
}

impl<T> DerefMut for Entered<'_, '_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: `enter` creates one `Entered` at a time; this is it, and it is borrowed mutably.
        unsafe { &mut *self.owner.value.get() }
    }
}

impl<T> Drop for Entered<'_, '_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owner.entered.store(false, Ordering::Relaxed);
    }
}

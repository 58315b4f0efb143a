//! A value that the interpreter's lock guards.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// A value used under the interpreter's lock only. What is done with it may run other Python code (a destructor, a callback), which
/// is then told that the value is in use. The module is not imported where there is no lock (`refcount::require_lock`).
///
/// A mutex would do too, but its atomic exchange costs 5 ns, and a step would need two.
pub struct UnderLock<T> {
    /// True while an [`Entered`] lives. Relaxed loads and stores do: only the holder of the lock comes here.
    entered: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through the one `Entered` that exists at a time, which takes the interpreter's lock to get; that
// there is one was checked when the module was imported.
unsafe impl<T: Send> Sync for UnderLock<T> {}

/// Exclusive use of the value, for as long as the lock is held.
pub struct Entered<'a, 'py, T> {
    owner: &'a UnderLock<T>,
    _lock: Python<'py>,
}

impl<T> UnderLock<T> {
    /// Wraps `value`.
    pub fn new(value: T) -> Self {
        Self { entered: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// The value, unless it is in use further up the stack or in a thread that lost the lock meanwhile.
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
        // SAFETY: this is the only `Entered`.
        unsafe { &*self.owner.value.get() }
    }
}

impl<T> DerefMut for Entered<'_, '_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this is the only `Entered`, and it is borrowed mutably.
        unsafe { &mut *self.owner.value.get() }
    }
}

impl<T> Drop for Entered<'_, '_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owner.entered.store(false, Ordering::Relaxed);
    }
}
